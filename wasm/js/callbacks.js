// `cpaas/callbacks`: verifies and parses the callbacks of the provider on a server.
export { Duplicates } from "./callbacks/duplicates.js";
export { fetchHandler, nodeHandler } from "./callbacks/handlers.js";
export { Keyring } from "./callbacks/keyring.js";
export { MAX_BODY } from "./callbacks/read-request.js";
export { Receiver } from "./callbacks/receiver.js";
export { CallbackRejected } from "./callbacks/rejected.js";
export { Template, tokenUrl } from "./callbacks/template.js";
