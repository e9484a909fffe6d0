// Generated from the list of operations and their models: `cargo run -p codegen` rewrites it.
/**
 * The operations of a client.
 *
 * - `group` and `method`: the method is `client.<group>.<method>`.
 * - `result`: the model of the response in `results.js`; null for plain values.
 * - `array`: whether the response is an array of them.
 * - `list`: whether the response is a page; `items` is the path from the page to its records.
 * - `optional`: whether no member of the request is required.
 */
export const OPERATIONS = /* @__PURE__ */ Object.freeze([
  { id: "otp.send", group: "otp", method: "send", result: "OtpResponse", array: false, list: false, items: null, optional: false },
  { id: "otp.verify", group: "otp", method: "verify", result: "OtpResponse", array: false, list: false, items: null, optional: false },
  { id: "otp.cancel", group: "otp", method: "cancel", result: "OtpResponse", array: false, list: false, items: null, optional: false },
  { id: "otp.search", group: "otp", method: "search", result: "OtpRecords", array: false, list: true, items: ["twoFaOtpSdrs"], optional: true },
  { id: "otp.get", group: "otp", method: "get", result: "OtpRecord", array: false, list: false, items: null, optional: false },
  { id: "otp.usage", group: "otp", method: "usage", result: "UsageRecords", array: false, list: false, items: null, optional: true },
  { id: "otp.usage_daily", group: "otp", method: "usageDaily", result: "UsageRecords", array: false, list: false, items: null, optional: true },
  { id: "otp.limits.create", group: "otp.limits", method: "create", result: "LimitResponse", array: false, list: false, items: null, optional: false },
  { id: "otp.limits.update", group: "otp.limits", method: "update", result: "LimitResponse", array: false, list: false, items: null, optional: false },
  { id: "otp.limits.delete", group: "otp.limits", method: "delete", result: "LimitResponse", array: false, list: false, items: null, optional: false },
  { id: "otp.limits.list", group: "otp.limits", method: "list", result: "LimitList", array: false, list: true, items: ["data", "result"], optional: true },
  { id: "otp.limits.get", group: "otp.limits", method: "get", result: "LimitResponse", array: false, list: false, items: null, optional: false },
  { id: "otp.workflows.create", group: "otp.workflows", method: "create", result: "WorkflowResponse", array: false, list: false, items: null, optional: false },
  { id: "otp.workflows.update", group: "otp.workflows", method: "update", result: "WorkflowResponse", array: false, list: false, items: null, optional: false },
  { id: "otp.workflows.delete", group: "otp.workflows", method: "delete", result: "WorkflowResponse", array: false, list: false, items: null, optional: false },
  { id: "otp.workflows.list", group: "otp.workflows", method: "list", result: "WorkflowList", array: false, list: true, items: ["data", "result"], optional: true },
  { id: "otp.workflows.get", group: "otp.workflows", method: "get", result: "WorkflowResponse", array: false, list: false, items: null, optional: false },
  { id: "sms.send", group: "sms", method: "send", result: "Sent", array: false, list: false, items: null, optional: false },
  { id: "sms.send_bulk", group: "sms", method: "sendBulk", result: "BulkSent", array: false, list: false, items: null, optional: false },
  { id: "sms.usage_by_country", group: "sms", method: "usageByCountry", result: "CountryUsages", array: false, list: false, items: null, optional: true },
  { id: "sms.convert", group: "sms", method: "convert", result: "Converted", array: false, list: false, items: null, optional: false },
  { id: "lookup.numbers", group: "lookup", method: "numbers", result: "LookupResult", array: true, list: false, items: null, optional: false },
  { id: "lookup.numbers_by_query", group: "lookup", method: "numbersByQuery", result: "LookupResult", array: true, list: false, items: null, optional: false },
  { id: "messages.send", group: "messages", method: "send", result: "Message", array: false, list: false, items: null, optional: false },
  { id: "messages.send_failover", group: "messages", method: "sendFailover", result: null, array: true, list: false, items: null, optional: false },
  { id: "messages.send_bulk", group: "messages", method: "sendBulk", result: "BulkMessages", array: false, list: false, items: null, optional: false },
  { id: "webhooks.messenger_b.set", group: "webhooks.messengerB", method: "set", result: "Registered", array: false, list: false, items: null, optional: false },
  { id: "webhooks.messenger_c.set", group: "webhooks.messengerC", method: "set", result: "BotResponse", array: false, list: false, items: null, optional: false },
  { id: "webhooks.messenger_c.delete", group: "webhooks.messengerC", method: "delete", result: "BotResponse", array: false, list: false, items: null, optional: false },
  { id: "webhooks.messenger_c.info", group: "webhooks.messengerC", method: "info", result: "WebhookInfo", array: false, list: false, items: null, optional: false },
]);
