// Adds what belongs to a call to its result.

/** The response of an accepted call. */
class CallResponse {
  constructor({ status, headers, attempts, callId }, body) {
    Object.assign(this, { status, headers: Object.fromEntries(headers), headerList: headers, body, attempts, callId });
    Object.freeze(this);
  }
}

/** Adds properties that are not enumerable: the result as JSON is the value alone. */
export function withCall(result, { details, body }) {
  const call = JSON.parse(details);
  return Object.defineProperties(result, { response: { value: new CallResponse(call, body) }, warnings: { value: call.warnings }, callId: { value: call.callId } });
}
