// Generated from the models of results: `cargo run -p codegen` rewrites it.
import type { ElementOutcome } from "./names.js";

/** The response to send, verify and cancel. */
export interface OtpResponse {
  /** 200 on success. */
  code: number;
  /** `OK`, or `canceled` after a cancel. */
  message?: string;
  /** The id of the passcode, prefix `OTP`; null in error bodies. */
  requestId?: string;
  /** Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no passcode has this request id and service; `code` and `message` say which. */
  ok: boolean;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** One submitted code. */
export interface OtpCheck {
  /** The id; prefix `OTC`. */
  sid?: string;
  /** Whether the code was valid. */
  status?: "valid" | "invalid" | (string & {});
  /** The time of submission: `YYYY-MM-DD HH:MM:SS`. */
  dateReceived?: string;
  /** The submitted code. */
  code?: string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** One delivery of a passcode. */
export interface OtpEvent {
  /** The id; prefix `OTE`. */
  sid?: string;
  /** The time of creation: `YYYY-MM-DD HH:MM:SS`. */
  dateCreated?: string;
  /** The channel. */
  channel?: "sms" | "call" | (string & {});
  /** The sender. */
  sender?: string;
  /** The recipient. */
  recipient?: string;
  /** The id of the message or call; prefix `SM`. */
  targetSid?: string;
  /** The status of the delivery. */
  channelStatus?: "failed" | "undelivered" | (string & {});
  /** The channel's error code. */
  channelErrorCode?: string;
  /** The channel's error message. */
  channelErrorMessage?: string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The record of one passcode. */
export interface OtpRecord {
  /** The id; prefix `OTP`. */
  sid?: string;
  /** The state of the passcode. */
  status?: "success" | "expired" | (string & {});
  /** The service identifier. */
  service?: string;
  /** The account; prefix `AC`. */
  accountSid?: string;
  /** The time of creation: `YYYY-MM-DD HH:MM:SS`. */
  dateCreated?: string;
  /** The time of the last change: `YYYY-MM-DD HH:MM:SS`. */
  dateUpdated?: string;
  /** `/2fa/search/<sid>` */
  uri?: string;
  /** The codes that were submitted. */
  checks?: OtpCheck[];
  /** The deliveries. */
  events?: OtpEvent[];
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** One page of records. */
export interface OtpRecords {
  /** The records. */
  twoFaOtpSdrs: OtpRecord[];
  /** The number of this page. */
  page?: number;
  /** The number of pages. */
  numPages?: number;
  /** The number of records on a page. */
  pageSize?: number;
  /** The total number of records. */
  total?: number;
  /** The number of the first record on this page. */
  start?: number;
  /** The number of the last record on this page. */
  end?: number;
  /** The URI of this page. */
  uri?: string;
  /** The URI of the first page. */
  firstPageUri?: string;
  /** The URI of the previous page; absent on the first page. */
  previousPageUri?: string;
  /** The URI of the next page; absent on the last page. */
  nextPageUri?: string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The number of passcodes sent. If the request filters by channel, the response contains `category`, `startDate` and `endDate` instead of `channel`, `startTime` and `endTime`. */
export interface UsageRecord {
  /** The count, as numeric text. */
  count?: string;
  /** `All`, or `call` for voice. */
  channel?: string;
  /** The channel, in the filtered form. */
  category?: string;
  /** A description of what is counted. */
  description?: string;
  /** The account; prefix `AC`. */
  accountSid?: string;
  /** The first day: `YYYY-MM-DD`. */
  startTime?: string;
  /** The last day: `YYYY-MM-DD`. */
  endTime?: string;
  /** The first day, in the filtered form. */
  startDate?: string;
  /** The last day, in the filtered form. */
  endDate?: string;
  /** `OTP`, or `Calls` in the filtered form. */
  unit?: string;
  /** The URI of the record. */
  uri?: string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The response to the usage operations. */
export interface UsageRecords {
  /** The records; `otp.usage_daily` returns one for each day. */
  usageRecords: UsageRecord[];
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The number of passcodes that a limit allows. The unit of `interval` and the exact meaning of `max` are undocumented. */
export interface Bucket {
  /** The name of the bucket. */
  name: string;
  /** The number of passcodes that the limit allows in one interval. */
  max: number | string;
  /** The interval. The specification names no unit; the sandbox uses seconds. */
  interval: number | string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** A limit. */
export interface Limit {
  /** The id; prefix `LM`. */
  sid?: string;
  /** The name, unique in the account. */
  name?: string;
  /** The buckets: an array, or a string that contains the array as JSON. */
  buckets?: Bucket[];
  /** A description. */
  description?: string;
  /** The account; prefix `AC`. */
  accountSid?: string;
  /** `/2fa/limits/search/<sid>` */
  uri?: string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The response about one limit. */
export interface LimitResponse {
  /** The limit. */
  data?: Limit;
  /** 200 on success. */
  code?: number;
  /** `OK` */
  message?: string;
  /** Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no passcode has this request id and service; `code` and `message` say which. */
  ok: boolean;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** One page of limits. */
export interface LimitPage {
  /** The limits. */
  result: Limit[];
  /** The number of records on a page. */
  pageSize?: number;
  /** The total number of records. */
  total?: number;
  /** The number of this page. */
  page?: number;
  /** The number of pages. */
  numPages?: number;
  /** The number of the first record on this page. */
  start?: number;
  /** The number of the last record on this page. */
  end?: number;
  /** The URI of the first page. */
  firstPageUri?: string;
  /** The URI of this page. */
  uri?: string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The response to a list of limits. */
export interface LimitList {
  /** The page. */
  data: LimitPage;
  /** 200 on success. */
  code?: number;
  /** `OK` */
  message?: string;
  /** Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no passcode has this request id and service; `code` and `message` say which. */
  ok: boolean;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** One step of a workflow. The unit of `interval` is not documented. */
export interface Step {
  /** The channel of the step. */
  channel: "sms" | "voice" | (string & {});
  /** The time until the next step. */
  interval: number | string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** A workflow. */
export interface Workflow {
  /** The id; prefix `WF`. */
  sid?: string;
  /** The name, unique in the account. */
  name?: string;
  /** The steps, in order: an array, or a string that contains the array as JSON. */
  channels?: Step[];
  /** A description. */
  description?: string;
  /** The account; prefix `AC`. */
  accountSid?: string;
  /** The e-mail address of the account's contact. */
  accountEmail?: string;
  /** The account that uses the workflow. */
  targetAccountSid?: string;
  /** The e-mail address of that account's contact. */
  targetAccountEmail?: string;
  /** `/2fa/workflows/search/<sid>` */
  uri?: string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The response about one workflow. */
export interface WorkflowResponse {
  /** The workflow. */
  data?: Workflow;
  /** 200 on success. */
  code?: number;
  /** `OK` */
  message?: string;
  /** Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no passcode has this request id and service; `code` and `message` say which. */
  ok: boolean;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** One page of workflows. */
export interface WorkflowPage {
  /** The workflows. */
  result: Workflow[];
  /** The number of records on a page. */
  pageSize?: number;
  /** The total number of records. */
  total?: number;
  /** The number of this page. */
  page?: number;
  /** The number of pages. */
  numPages?: number;
  /** The number of the first record on this page. */
  start?: number;
  /** The number of the last record on this page. */
  end?: number;
  /** The URI of the first page. */
  firstPageUri?: string;
  /** The URI of this page. */
  uri?: string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The response to a list of workflows. */
export interface WorkflowList {
  /** The page. */
  data: WorkflowPage;
  /** 200 on success. */
  code?: number;
  /** `OK` */
  message?: string;
  /** Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no passcode has this request id and service; `code` and `message` say which. */
  ok: boolean;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The response to an SMS. */
export interface Sent {
  /** 0 on success. */
  responseCode: number;
  /** The id of the message: one for each call, also if the text has several parts. */
  id: string;
  /** The time of acceptance: ISO 8601, UTC. */
  timestamp?: string;
  /** The recipient, in some responses. */
  to?: string;
  /** The length of the text in characters. */
  textLength?: number;
  /** The provider's message. */
  responseText?: string;
  /** Whether the request was a test; present only for a test. */
  test?: boolean;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** One message of a bulk SMS. */
export interface BulkSms {
  /** The id of the message. */
  id?: string;
  /** The time of acceptance: ISO 8601, UTC. */
  timestamp?: string;
  /** The recipient. */
  to?: string;
  /** The length of the text in characters. */
  textLength?: number;
  /** The outcome of this element. */
  outcome: ElementOutcome;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The response to a bulk SMS. */
export interface BulkSent {
  /** 0 on success. */
  responseCode: number;
  /** One element for each number, in the order of the request. */
  messages: BulkSms[];
  /** The provider's message. */
  responseText?: string;
  /** The number of elements with an id. */
  accepted: number;
  /** The number of elements that are rejections. */
  rejected: number;
  /** The number of requested elements without an id that are not rejections. */
  missing: number;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** Messages and cost in one country. */
export interface CountryUsage {
  /** The country: a three-letter code. */
  country?: string;
  /** The number of messages, as numeric text. */
  messagesCount?: string;
  /** The cost of the messages in the account's currency, as numeric text (the specification names no currency). */
  cost?: string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The response to usage by country. */
export interface CountryUsages {
  /** One element for each country. */
  usagesByCountry: CountryUsage[];
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The response to a conversion, which is undocumented. These members are those of the family's other responses; all other members are kept. */
export interface Converted {
  /** 0 on success. */
  responseCode?: number;
  /** The provider's message. */
  responseText?: string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** A network. */
export interface Network {
  /** Its name. */
  networkName?: string;
  /** The name of its country. */
  countryName?: string;
  /** The calling code of its country. */
  countryPrefix?: string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The result for one number. */
export interface LookupResult {
  /** The number. */
  msisdn?: string;
  /** 0 on success; another code is an error of this number only. */
  response?: number;
  /** Mobile country code. */
  mcc?: string;
  /** Mobile network code. */
  mnc?: string;
  /** Whether the number was ported to another network. */
  ported?: boolean;
  /** The network that the number was assigned to. */
  originalNetwork?: Network;
  /** The network that the number was ported to. */
  portedNetwork?: Network;
  /** The mobile network code before the number was ported. */
  originalMnc?: string;
  /** Present for roaming numbers. */
  roaming?: boolean;
  /** Mobile country code of the visited network. */
  roamingMcc?: string;
  /** Mobile network code of the visited network. */
  roamingMnc?: string;
  /** The visited network. */
  roamingNetwork?: Network;
  /** The switching center, if the number is roaming. */
  msc?: string;
  /** The subscriber's identity, partly masked, if the number is roaming. */
  imsi?: string;
  /** Whether the number is unreachable: switched off, out of coverage, or barred from roaming. */
  absent?: boolean;
  /** The price of the lookup in the account's currency (C1; the specification names no currency). */
  cost?: number;
  /** The time of the lookup: ISO 8601, UTC. */
  date?: string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** One side of a conversation. */
export interface Participant {
  /** Its id. */
  id?: string;
  /** Its name. */
  name?: string;
  /** Its phone number. */
  phoneNumber?: string;
  /** Its identifier in the channel. */
  messagingAppIdentifier?: string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** A conversation. */
export interface Conversation {
  /** Its id. */
  id?: string;
  /** The sender and the recipient. The entry of the recipient has a number or a channel identifier only. */
  participants?: Participant[];
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The response to a message. */
export interface Message {
  /** The id of the message. */
  messageId?: string;
  /** Another id; documented only in the response of `messenger_b`. */
  id?: string;
  /** The sender. */
  sender?: Participant;
  /** The conversation of the message. */
  conversation?: Conversation;
  /** The time of creation: ISO 8601, UTC. */
  createdAt?: string;
  /** The time of the last change: ISO 8601, UTC. */
  updatedAt?: string;
  /** The traffic account used. */
  trafficAccountId?: string;
  /** `Ready` right after acceptance. */
  deliveryStatus?: string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** One message of a bulk message. */
export interface BulkMessage {
  /** The id of the message. */
  messageId?: string;
  /** The recipient. */
  destination?: string;
  /** The traffic account used. */
  trafficAccountId?: string;
  /** The outcome of this element. */
  outcome: ElementOutcome;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The response to a bulk message. */
export interface BulkMessages {
  /** One element for each destination. */
  messages: BulkMessage[];
  /** The id of the bulk message. */
  bulkId?: string;
  /** The number of elements with an id. */
  accepted: number;
  /** The number of elements that are rejections. */
  rejected: number;
  /** The number of requested elements without an id that are not rejections. */
  missing: number;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The response to the registration (E). */
export interface Registered {
  /** 0 on success. */
  status: number;
  /** The provider's message. */
  statusMessage?: string;
  /** The events that the webhook receives. */
  eventTypes?: "delivered" | "seen" | "failed" | "subscribed" | "unsubscribed" | "conversation_started" | (string & {})[];
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** The response to setting or deleting a webhook, which is undocumented. A success status means success unless `ok` is false or the body looks like an error. */
export interface BotResponse {
  /** Whether the call succeeded. */
  ok?: boolean;
  /** The result, in any form. */
  result?: unknown;
  /** The provider's message. */
  description?: string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}

/** A bot's webhook. Only `url` is documented. */
export interface WebhookInfo {
  /** The URL of the webhook; empty if the bot polls. Read at the top level or inside `result`. */
  url?: string;
  /** Members that the specification does not document. */
  extra?: Record<string, unknown>;
}
