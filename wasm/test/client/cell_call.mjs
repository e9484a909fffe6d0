// The call of a cell of `client_cells.test.mjs`, on every host.
import { Client, CpaasError } from "cpaas/client";

/** The settings of `cpaas_tests::examples::config`. */
const settings = (url) => ({
  otpUrl: url,
  smsUrl: url,
  lookupUrl: url,
  messagingUrl: url,
  messengerBUrl: url,
  messengerCUrl: url,
  accountSid: "AC1",
  apiKey: "k-api-7f3a",
  smsKey: "k-sms-91bc",
  lookupKey: "k-lookup-55de",
  messagingKey: "k-msg-20ff",
  messengerBToken: "t-chan-b-66aa",
  trafficAccountId: "0f8fad5b-d9cb-469f-a165-70867728950e",
  acceptRepeatedIds: true,
  readEnvironment: false,
});

/** Makes one call; returns the record of its error, or the result and the pointers of its warnings. `more` are further settings. */
export async function callCell({ url, id, request, more }) {
  const client = new Client({ ...settings(url), ...more });
  try {
    const result = await client.call(id, JSON.parse(request));
    return { result, warnings: result.warnings.map(({ pointer }) => pointer) };
  } catch (error) {
    if (!(error instanceof CpaasError)) throw error;
    return { record: error.toJSON() };
  } finally {
    client.close();
  }
}
