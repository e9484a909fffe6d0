/** The callback is not authentic. Respond with 403 and an empty body, whatever the reason, which is for the log only. */
export class CallbackRejected extends Error {
  constructor(reason) {
    super(`callback rejected: ${reason}`);
    this.reason = reason;
    this.status = 403;
  }

  get name() {
    return "CallbackRejected";
  }

  response() {
    return new Response(null, { status: 403 });
  }
}
