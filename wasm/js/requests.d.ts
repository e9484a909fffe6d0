// Generated from the models of requests: `cargo run -p codegen` rewrites it.

/** The number of passcodes that a limit allows (A8). The unit of `interval` and the exact meaning of `max` are undocumented. */
export interface Bucket {
  /** The name of the bucket. */
  name: string;
  /** The number of passcodes that the limit allows in one interval (A8). */
  max: number | string;
  /** The interval (A8). The specification names no unit; the sandbox uses seconds. */
  interval: number | string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** One step of a workflow (A9). The unit of `interval` is not documented. */
export interface Step {
  /** The channel of the step. */
  channel: "sms" | "voice" | (string & {});
  /** The time until the next step. */
  interval: number | string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** SMS as a channel of the messaging API (D1). */
export interface Sms {
  /** The message text. */
  text: string;
  /** The sender: numeric 1-16 characters or alphanumeric 1-11 characters. */
  sender?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** A regular `messenger_a` message (D1). */
export interface Regular {
  /** The message text. */
  text: string;
  /** The kind of content. */
  type?: "text" | (string & {});
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** The `messenger_a` object (D1). */
export interface MessengerA {
  /** The kind of message. */
  type?: "regular" | (string & {});
  /** The regular message. */
  regular?: Regular;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** The button of a `messenger_b` message (D2). */
export interface Button {
  /** The label of the button. */
  caption?: string;
  /** A URL, or a URI with a scheme of the channel. */
  action?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** The file of a `messenger_b` message (D2): at most 200 MB. */
export interface File {
  /** The URL of the file. */
  mediaUrl: string;
  /** The name of the file, at most 25 characters; if absent, the file name of the URL. */
  fileName?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** The `messenger_b` object (D2). */
export interface MessengerB {
  /** The kind of message. */
  type?: "session" | "promotional" | "transactional" | "regular" | (string & {});
  /** The message text. */
  text?: string;
  /** The URL of an image. */
  mediaUrl?: string;
  /** The time for which delivery is attempted, in seconds: 30 to 1,209,600; 60 or more is recommended. */
  ttl?: number;
  /** A button below the text. */
  button?: Button;
  /** A file, without a text, an image or a button. */
  file?: File;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** The text of a `messenger_c` message (D3). */
export interface Text {
  /** 1-4096 characters (code points) after parsing. */
  message: string;
  /** The parse mode of the text. */
  parseMode?: "Default" | "Markdown" | "Html" | "MarkdownV2" | (string & {});
  /** Disables link previews. */
  noPreview?: boolean;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** A photo, document, video or voice note of a `messenger_c` message (D3). */
export interface Media {
  /** The URL of the file. */
  url: string;
  /** 0-1024 characters (code points) after parsing. */
  caption?: string;
  /** The parse mode of the caption. */
  parseMode?: "Default" | "Markdown" | "Html" | "MarkdownV2" | (string & {});
  /** Ignored by the service. */
  thumb?: unknown;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** A location (D3). */
export interface Location {
  /** Degrees, -90 to 90. */
  latitude?: number;
  /** Degrees, -180 to 180. */
  longitude?: number;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** The `messenger_c` object (D3). */
export interface MessengerC {
  /** Sends the message without a notification sound. */
  silent?: boolean;
  /** A text. */
  text?: Text;
  /** A photo: at most 10 MiB (10,485,760 bytes), width plus height at most 10,000 pixels, the longer side at most 20 times the shorter. */
  photo?: Media;
  /** A document: `.gif`, `.pdf` or `.zip`. */
  document?: Media;
  /** A video: `.mp4`, or `.ogg`, which is only partly supported. */
  video?: Media;
  /** A voice note: `.ogg` (OPUS) or `.mp3`. */
  voice?: Media;
  /** A location. */
  location?: Location;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** The text of a business chat message (D4). */
export interface RichText {
  /** The text. */
  message: string;
  /** Allows basic Markdown: bold, italic and links. */
  containsRichText?: boolean;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** An image (D4). */
export interface Image {
  /** The URL of the image. */
  fileUrl: string;
  /** The URL of its thumbnail. */
  thumbnailUrl?: string;
  /** Fetches the image again. */
  forceRefresh?: boolean;
  /** The alternative text for screen readers. */
  altText?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** A suggested reply (D4). */
export interface Reply {
  /** The text of the chip: at most 25 characters (code points). */
  text: string;
  /** The data that the webhook receives when the suggestion is tapped. */
  postbackData?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** A suggestion (D4). The fields of suggested actions are undocumented, and are sent as they are. */
export interface Suggestion {
  /** A suggested reply. */
  reply?: Reply;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** The file of a card's media (D4). */
export interface ContentInfo {
  /** The URL of the file. */
  fileUrl: string;
  /** The URL of its thumbnail. */
  thumbnailUrl?: string;
  /** The alternative text for screen readers. */
  altText?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** The media of a card (D4). */
export interface CardMedia {
  /** The height of the media. */
  height?: "SHORT" | "MEDIUM" | "TALL" | (string & {});
  /** The file. */
  contentInfo?: ContentInfo;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** A rich card (D4): at least media or a title. */
export interface Card {
  /** The title. */
  title?: string;
  /** The text below the title. */
  description?: string;
  /** An image or a video. */
  media?: CardMedia;
  /** At most 4 suggestions. */
  suggestions?: Suggestion[];
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** A carousel (D4). */
export interface Carousel {
  /** 2 to 10 cards. */
  cardContents: Card[];
  /** The width of its cards: SMALL is 136 DP, MEDIUM is 280 DP. */
  cardWidth?: "SMALL" | "MEDIUM" | (string & {});
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** The sender in a business chat (D4). */
export interface Representative {
  /** The URL of the avatar. */
  avatarImage?: string;
  /** The displayed name. */
  displayName?: string;
  /** Whether the sender is a program or a person. */
  representativeType?: "BOT" | "HUMAN" | (string & {});
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** The `business_chat` object (D4). */
export interface BusinessChat {
  /** A text. */
  text?: RichText;
  /** An image. */
  image?: Image;
  /** At most 13 suggestions, shown below the message. */
  suggestions?: Suggestion[];
  /** One card. */
  standaloneCard?: Card;
  /** A carousel of 2 to 10 cards. */
  carouselCard?: Carousel;
  /** The text for devices that cannot render the message; `\n` and `\r\n` break lines. */
  fallback?: string;
  /** Shows the fallback instead of the content, for testing. */
  forceFallback?: boolean;
  /** The sender. */
  representative?: Representative;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** A timeout failover (D5). */
export interface TimeoutFailover {
  /** Seconds until the next channel is tried, an integer. */
  timeoutInSeconds?: number;
  /** The status that must be reached in time. */
  status?: "Delivered" | (string & {});
  /** The traffic account of each channel, in order; UUIDs. */
  trafficAccounts?: string[];
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** The failover to the next channel (D5). */
export interface Failover {
  /** The kind of failover. */
  type?: "Timeout" | (string & {});
  /** The timeout. */
  timeoutFailover?: TimeoutFailover;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Sends a one-time passcode by SMS or by a text-to-speech call (A1). The members that set the language, the voice or a code chosen by the caller are undocumented. Undocumented members are sent unchanged. */
export interface OtpSend {
  /** The service identifier. */
  service: string;
  /** The sender. */
  from: string;
  /** The recipient's number. */
  to: string;
  /** The message text; `{code}` is replaced by a random six-digit code. */
  body: string;
  /** `call` speaks the code, `sms` writes it; the default is not documented. */
  channel?: "sms" | "call" | (string & {});
  /** The name of each limit that applies, with the value that it counts, such as an IP address or a phone number. */
  limits?: Record<string, string>;
  /** The time for which an earlier passcode stays valid after a new one is sent; type and unit are undocumented. */
  guardTime?: number | string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Checks a code that the recipient submitted (A3). */
export interface OtpVerify {
  /** The service identifier of the send. */
  service: string;
  /** The `requestID` that the send returned; it begins with `OTP`. */
  requestId: string;
  /** The submitted code: a string, because a number would lose leading zeros. */
  code: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Cancels a pending passcode (A4). */
export interface OtpCancel {
  /** The id that the send returned; prefix `OTP`. */
  requestId: string;
  /** The account. If it is absent, the client sends that of the configuration, because the provider requires it. */
  accountSid?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Lists one-time passcodes, page by page (A6). */
export interface OtpSearch {
  /** The number of records on a page; the maximum is not documented. */
  pageSize?: number;
  /** The number of the page. */
  page?: number;
  /** Only records of this status, such as `success`. */
  status?: "success" | "expired" | (string & {});
  /** Only records of this account or sub-account. */
  accountSid?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Reads the record of one passcode (A5). */
export interface OtpGet {
  /** The id of the record; prefix `OTP`. */
  sid: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Counts passcodes over a range of days (A7). */
export interface OtpUsage {
  /** The first day: `YYYY-MM-DD`. */
  startDate?: string;
  /** The last day: `YYYY-MM-DD`. */
  endDate?: string;
  /** Only passcodes of this channel. */
  channel?: "sms" | "call" | (string & {});
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Counts passcodes day by day (A7). */
export interface OtpUsageDaily {
  /** The first day: `YYYY-MM-DD`. */
  startDate?: string;
  /** The last day: `YYYY-MM-DD`. */
  endDate?: string;
  /** Only passcodes of this channel. */
  channel?: "sms" | "call" | (string & {});
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Creates a limit (A8). The name must be unique: the provider rejects an existing name with code 492. */
export interface OtpLimitsCreate {
  /** The name, unique in the account. */
  name: string;
  /** The buckets: an array, or a string that contains it as JSON. A request sends the string. */
  buckets: Bucket[] | string;
  /** A description. */
  description: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Changes a limit (A8). An omitted member is not changed. The provider rejects an unknown sid with code 493. */
export interface OtpLimitsUpdate {
  /** The id; prefix `LM`. */
  sid: string;
  /** The buckets: an array, or a string that contains it as JSON. A request sends the string. */
  buckets?: Bucket[] | string;
  /** A description. */
  description?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Deletes a limit and returns it (A8). */
export interface OtpLimitsDelete {
  /** The id; prefix `LM`. */
  sid: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Lists limits, page by page (A8). */
export interface OtpLimitsList {
  /** The number of records on a page; the maximum is not documented. */
  pageSize?: number;
  /** The number of the page. */
  page?: number;
  /** Only records of this account or sub-account. */
  accountSid?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Reads one limit (A8). */
export interface OtpLimitsGet {
  /** The id; prefix `LM`. */
  sid: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Creates a workflow (A9). The name must be unique: the provider rejects an existing name with code 495. */
export interface OtpWorkflowsCreate {
  /** The name, unique in the account. */
  name: string;
  /** The steps, in order: an array, or a string that contains it as JSON. A request sends the string. */
  channels: Step[] | string;
  /** A description. */
  description?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Changes a workflow (A9): `channels` are appended, `description` is replaced. The provider rejects an unknown sid with code 499. */
export interface OtpWorkflowsUpdate {
  /** The id; prefix `WF`. */
  sid: string;
  /** The steps, in order: an array, or a string that contains it as JSON. A request sends the string. */
  channels?: Step[] | string;
  /** A description. */
  description?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Deletes a workflow and returns it (A9). */
export interface OtpWorkflowsDelete {
  /** The id; prefix `WF`. */
  sid: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Lists workflows, page by page (A9). */
export interface OtpWorkflowsList {
  /** The number of records on a page; the maximum is not documented. */
  pageSize?: number;
  /** The number of the page. */
  page?: number;
  /** Only records of this account or sub-account. */
  accountSid?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Reads one workflow (A9). */
export interface OtpWorkflowsGet {
  /** The id; prefix `WF`. */
  sid: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Sends one SMS (B1). */
export interface SmsSend {
  /** The sender: a name of at most 11 characters, or a number. */
  from: string;
  /** The recipient: international number, digits without plus sign. */
  to: string;
  /** The message text. */
  text: string;
  /** Whether this is a test, which sends nothing to a handset; `to` must still be a real number. */
  test?: boolean;
  /** `auto` detects the encoding and is the recommended value. */
  type?: string;
  /** Any reference, which callbacks return. */
  reference?: string;
  /** The URL that receives the delivery reports of this message. */
  callback?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Sends one text to several numbers (B3). A number listed twice receives a message for each occurrence. */
export interface SmsSendBulk {
  /** The sender: a name or a number. */
  from: string;
  /** The recipients: international numbers without plus sign, separated by commas. */
  to: string;
  /** The message text. */
  text: string;
  /** Whether this is a test, which sends nothing to a handset; the numbers must still be real. */
  test?: boolean;
  /** `auto` detects the encoding and is the recommended value. */
  type?: string;
  /** Any reference, which callbacks return. */
  reference?: string;
  /** The URL that receives the delivery reports of these messages. */
  callback?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Counts messages and their cost by country (B4). */
export interface SmsUsageByCountry {
  /** The first day: `YYYY-MM-DD`. */
  startDate?: string;
  /** The last day: `YYYY-MM-DD`. */
  endDate?: string;
  /** The name of the account. */
  AccountName?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Reports that a message led to a conversion (B5). The provider must have enabled this for the account. */
export interface SmsConvert {
  /** The id of the message. */
  messageId: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Looks up numbers, with the key in a header (C1). One number is sent as a string, several as an array. Each number is charged. */
export interface LookupNumbers {
  /** The numbers. */
  msisdn: string | string[];
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Looks up numbers, with the key in the query (C1). Each number is charged. The URL contains the key: prefer `lookup.numbers` if both are available. */
export interface LookupNumbersByQuery {
  /** The numbers; sent as one string, separated by commas. */
  msisdn: string | string[];
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Sends one message over one channel (D1). */
export interface MessagesSend {
  /** The traffic account used for sending, a UUID; that of the configuration if absent. */
  trafficAccountId: string;
  /** Phone number, or the recipient's channel identifier. */
  destination: string;
  /** SMS. */
  sms?: Sms;
  /** The messenger_a object. */
  messenger_a?: MessengerA;
  /** The messenger_b object. */
  messenger_b?: MessengerB;
  /** The messenger_c object. */
  messenger_c?: MessengerC;
  /** The business_chat object. */
  business_chat?: BusinessChat;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Sends one message over the first channel that delivers it (D5). */
export interface MessagesSendFailover {
  /** A traffic account in addition to those of the failover, a UUID. Sent only if it is set here. */
  trafficAccountId?: string;
  /** Phone number, or the recipient's channel identifier. */
  destination: string;
  /** SMS. */
  sms?: Sms;
  /** The messenger_a object. */
  messenger_a?: MessengerA;
  /** The messenger_b object. */
  messenger_b?: MessengerB;
  /** The messenger_c object. */
  messenger_c?: MessengerC;
  /** The business_chat object. */
  business_chat?: BusinessChat;
  /** How the message moves to the next channel. */
  failover: Failover;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Sends one message to several destinations (D6). */
export interface MessagesSendBulk {
  /** The recipients: phone numbers, or identifiers of one channel. */
  destinations: string[];
  /** The traffic account used for sending, a UUID; that of the configuration if absent. */
  trafficAccountId: string;
  /** SMS. */
  sms?: Sms;
  /** The messenger_a object. */
  messenger_a?: MessengerA;
  /** The messenger_b object. */
  messenger_b?: MessengerB;
  /** The messenger_c object. */
  messenger_c?: MessengerC;
  /** The business_chat object. */
  business_chat?: BusinessChat;
  /** How the message moves to the next channel. */
  failover?: Failover;
  /** The version in the path, 1.1 or later; that of the configuration if absent. */
  version?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Registers the webhook of `messenger_b` (E). The provider calls the URL immediately, and the registration fails unless the URL returns 200. */
export interface WebhooksMessengerBSet {
  /** The URL of the webhook; an empty string removes the webhook and disables the one-to-one conversation. */
  url: string;
  /** The events to receive; all events if absent. */
  event_types?: "delivered" | "seen" | "failed" | "subscribed" | "unsubscribed" | "conversation_started" | (string & {})[];
  /** Whether events contain the user's name (default false). */
  send_name?: boolean;
  /** Whether events contain the user's photo (default false). */
  send_photo?: boolean;
  /** The traffic account, a query parameter; that of the configuration if absent. */
  ta?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Registers the webhook of a `messenger_c` bot. */
export interface WebhooksMessengerCSet {
  /** The bot's id or token: one segment of the path, which the client percent-encodes. It never appears in output. */
  bot_id: string;
  /** The URL of the webhook. */
  url: string;
  /** The traffic account, which is added to the URL; that of the configuration if absent. */
  ta?: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Removes the webhook of a `messenger_c` bot. */
export interface WebhooksMessengerCDelete {
  /** The bot's id or token: one segment of the path, which the client percent-encodes. It never appears in output. */
  bot_id: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** Reads the webhook of a `messenger_c` bot. */
export interface WebhooksMessengerCInfo {
  /** The bot's id or token: one segment of the path, which the client percent-encodes. It never appears in output. */
  bot_id: string;
  /** Members that the specification does not document; merged into the object. */
  extra?: Record<string, unknown>;
}

/** The request of each operation. */
export interface Requests {
  "otp.send": OtpSend;
  "otp.verify": OtpVerify;
  "otp.cancel": OtpCancel;
  "otp.search": OtpSearch;
  "otp.get": OtpGet;
  "otp.usage": OtpUsage;
  "otp.usage_daily": OtpUsageDaily;
  "otp.limits.create": OtpLimitsCreate;
  "otp.limits.update": OtpLimitsUpdate;
  "otp.limits.delete": OtpLimitsDelete;
  "otp.limits.list": OtpLimitsList;
  "otp.limits.get": OtpLimitsGet;
  "otp.workflows.create": OtpWorkflowsCreate;
  "otp.workflows.update": OtpWorkflowsUpdate;
  "otp.workflows.delete": OtpWorkflowsDelete;
  "otp.workflows.list": OtpWorkflowsList;
  "otp.workflows.get": OtpWorkflowsGet;
  "sms.send": SmsSend;
  "sms.send_bulk": SmsSendBulk;
  "sms.usage_by_country": SmsUsageByCountry;
  "sms.convert": SmsConvert;
  "lookup.numbers": LookupNumbers;
  "lookup.numbers_by_query": LookupNumbersByQuery;
  "messages.send": MessagesSend;
  "messages.send_failover": MessagesSendFailover;
  "messages.send_bulk": MessagesSendBulk;
  "webhooks.messenger_b.set": WebhooksMessengerBSet;
  "webhooks.messenger_c.set": WebhooksMessengerCSet;
  "webhooks.messenger_c.delete": WebhooksMessengerCDelete;
  "webhooks.messenger_c.info": WebhooksMessengerCInfo;
}
