// `cpaas/client`: calls the provider, on servers.
export { Client } from "./client/client.js";
export { AcceptedIdUnknown, CpaasError, Invalid, NotSent, OutcomeUnknown, Rejected } from "./client/errors.js";
