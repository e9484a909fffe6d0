// Generated from the list of operations and their models: `cargo run -p codegen` rewrites it.
import type { CallOptions, CallResult, Paged } from "./call-types.js";
import type { Requests } from "./requests.js";
import type { BotResponse, BulkMessages, BulkSent, Converted, CountryUsages, Limit, LimitList, LimitResponse, LookupResult, Message, OtpRecord, OtpRecords, OtpResponse, Registered, Sent, UsageRecords, WebhookInfo, Workflow, WorkflowList, WorkflowResponse } from "./results.js";

/** A request whose members `Names` a client adds from its settings if they are absent. */
export type FromSettings<Request, Names extends keyof Request> = Omit<Request, Names> & Partial<Pick<Request, Names>>;

/** The operations `webhooks.messengerC.*`. */
export interface WebhooksMessengerCOperations {
  /**
   * Registers the webhook of a `messenger_c` bot.
   *
   * Section E of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  set(request: Requests["webhooks.messenger_c.set"], options?: CallOptions): Promise<CallResult<BotResponse>>;
  /**
   * Removes the webhook of a `messenger_c` bot.
   *
   * Section E of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  delete(request: Requests["webhooks.messenger_c.delete"], options?: CallOptions): Promise<CallResult<BotResponse>>;
  /**
   * Reads the webhook of a `messenger_c` bot.
   *
   * Section E of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  info(request: Requests["webhooks.messenger_c.info"], options?: CallOptions): Promise<CallResult<WebhookInfo>>;
}

/** The operations `webhooks.messengerB.*`. */
export interface WebhooksMessengerBOperations {
  /**
   * Registers the webhook of `messenger_b` (E). The provider calls the URL immediately, and the registration fails unless the URL returns 200.
   *
   * Section E of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  set(request: Requests["webhooks.messenger_b.set"], options?: CallOptions): Promise<CallResult<Registered>>;
}

/** The operations `webhooks.*`. */
export interface WebhooksOperations {
  readonly messengerB: WebhooksMessengerBOperations;
  readonly messengerC: WebhooksMessengerCOperations;
}

/** The operations `sms.*`. */
export interface SmsOperations {
  /**
   * Sends one SMS.
   *
   * Section B1 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  send(request: Requests["sms.send"], options?: CallOptions): Promise<CallResult<Sent>>;
  /**
   * Sends one text to several numbers. A number listed twice receives a message for each occurrence.
   *
   * Section B3 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  sendBulk(request: Requests["sms.send_bulk"], options?: CallOptions): Promise<CallResult<BulkSent>>;
  /**
   * Counts messages and their cost by country.
   *
   * Section B4 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  usageByCountry(request?: Requests["sms.usage_by_country"], options?: CallOptions): Promise<CallResult<CountryUsages>>;
  /**
   * Reports that a message led to a conversion. The provider must have enabled this for the account.
   *
   * Section B5 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  convert(request: Requests["sms.convert"], options?: CallOptions): Promise<CallResult<Converted>>;
}

/** The operations `otp.workflows.*`. */
export interface OtpWorkflowsOperations {
  /**
   * Creates a workflow. The name must be unique: the provider rejects an existing name with code 495.
   *
   * Section A9 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  create(request: Requests["otp.workflows.create"], options?: CallOptions): Promise<CallResult<WorkflowResponse>>;
  /**
   * Changes a workflow: `channels` are appended, `description` is replaced. The provider rejects an unknown sid with code 499.
   *
   * Section A9 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  update(request: Requests["otp.workflows.update"], options?: CallOptions): Promise<CallResult<WorkflowResponse>>;
  /**
   * Deletes a workflow and returns it.
   *
   * Section A9 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  delete(request: Requests["otp.workflows.delete"], options?: CallOptions): Promise<CallResult<WorkflowResponse>>;
  /**
   * Lists workflows, page by page.
   *
   * Section A9 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  list(request?: Requests["otp.workflows.list"], options?: CallOptions): Paged<WorkflowList, Workflow>;
  /**
   * Reads one workflow.
   *
   * Section A9 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  get(request: Requests["otp.workflows.get"], options?: CallOptions): Promise<CallResult<WorkflowResponse>>;
}

/** The operations `otp.limits.*`. */
export interface OtpLimitsOperations {
  /**
   * Creates a limit. The name must be unique: the provider rejects an existing name with code 492.
   *
   * Section A8 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  create(request: Requests["otp.limits.create"], options?: CallOptions): Promise<CallResult<LimitResponse>>;
  /**
   * Changes a limit. An omitted member is not changed. The provider rejects an unknown sid with code 493.
   *
   * Section A8 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  update(request: Requests["otp.limits.update"], options?: CallOptions): Promise<CallResult<LimitResponse>>;
  /**
   * Deletes a limit and returns it.
   *
   * Section A8 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  delete(request: Requests["otp.limits.delete"], options?: CallOptions): Promise<CallResult<LimitResponse>>;
  /**
   * Lists limits, page by page.
   *
   * Section A8 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  list(request?: Requests["otp.limits.list"], options?: CallOptions): Paged<LimitList, Limit>;
  /**
   * Reads one limit.
   *
   * Section A8 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  get(request: Requests["otp.limits.get"], options?: CallOptions): Promise<CallResult<LimitResponse>>;
}

/** The operations `otp.*`. */
export interface OtpOperations {
  readonly limits: OtpLimitsOperations;
  readonly workflows: OtpWorkflowsOperations;
  /**
   * Sends a one-time passcode by SMS or by a text-to-speech call. The members that set the language, the voice or a code chosen by the caller are undocumented. Undocumented members are sent unchanged.
   *
   * Section A1 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  send(request: Requests["otp.send"], options?: CallOptions): Promise<CallResult<OtpResponse>>;
  /**
   * Checks a code that the recipient submitted.
   *
   * Section A3 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  verify(request: Requests["otp.verify"], options?: CallOptions): Promise<CallResult<OtpResponse>>;
  /**
   * Cancels a pending passcode.
   *
   * Section A4 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  cancel(request: Requests["otp.cancel"], options?: CallOptions): Promise<CallResult<OtpResponse>>;
  /**
   * Lists one-time passcodes, page by page.
   *
   * Section A6 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  search(request?: Requests["otp.search"], options?: CallOptions): Paged<OtpRecords, OtpRecord>;
  /**
   * Reads the record of one passcode.
   *
   * Section A5 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  get(request: Requests["otp.get"], options?: CallOptions): Promise<CallResult<OtpRecord>>;
  /**
   * Counts passcodes over a range of days.
   *
   * Section A7 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  usage(request?: Requests["otp.usage"], options?: CallOptions): Promise<CallResult<UsageRecords>>;
  /**
   * Counts passcodes day by day.
   *
   * Section A7 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  usageDaily(request?: Requests["otp.usage_daily"], options?: CallOptions): Promise<CallResult<UsageRecords>>;
}

/** The operations `messages.*`. */
export interface MessagesOperations {
  /**
   * Sends one message over one channel.
   *
   * Section D1 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  send(request: FromSettings<Requests["messages.send"], "trafficAccountId">, options?: CallOptions): Promise<CallResult<Message>>;
  /**
   * Sends one message over the first channel that delivers it.
   *
   * Section D5 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  sendFailover(request: Requests["messages.send_failover"], options?: CallOptions): Promise<CallResult<(string | null)[]>>;
  /**
   * Sends one message to several destinations.
   *
   * Section D6 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  sendBulk(request: FromSettings<Requests["messages.send_bulk"], "trafficAccountId">, options?: CallOptions): Promise<CallResult<BulkMessages>>;
}

/** The operations `lookup.*`. */
export interface LookupOperations {
  /**
   * Looks up numbers, with the key in a header. One number is sent as a string, several as an array. Each number is charged.
   *
   * Section C1 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  numbers(request: Requests["lookup.numbers"], options?: CallOptions): Promise<CallResult<LookupResult[]>>;
  /**
   * Looks up numbers, with the key in the query. Each number is charged. The URL contains the key: prefer `lookup.numbers` if both are available.
   *
   * Section C1 of the specification.
   * @throws {CpaasError} For every outcome except accepted.
   */
  numbersByQuery(request: Requests["lookup.numbers_by_query"], options?: CallOptions): Promise<CallResult<LookupResult[]>>;
}

/** The groups of a client. */
export interface ClientOperations {
  readonly lookup: LookupOperations;
  readonly messages: MessagesOperations;
  readonly otp: OtpOperations;
  readonly sms: SmsOperations;
  readonly webhooks: WebhooksOperations;
}
