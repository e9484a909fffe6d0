// `cpaas/client` in a page: the errors, and a client that does not start.
import { IN_A_PAGE } from "./client/in-a-page.js";

export { AcceptedIdUnknown, CpaasError, Invalid, NotSent, OutcomeUnknown, Rejected } from "./client/errors.js";

export class Client {
  constructor() {
    throw new Error(IN_A_PAGE);
  }
}
