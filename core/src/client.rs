//! The client: calls operations over HTTP.
//!
//! A call does this: apply defaults, validate the request, encode it, send it through a [`Transport`] (the only
//! I/O; [`Client::steps`] leaves it to the program), classify the response, decode it. Retries, deadline and tracing surround
//! this; a [`Clock`] gives them time and random bytes. One call sends at most one message, unless `retry_unknown` is set. Its result is an accepted response or one
//! of the outcomes in [`crate::error::Outcome`].
//!
//! A call makes at most `max_attempts` attempts (default 3), 0.2-5 s apart unless the provider requests a longer wait. The
//! table is for the default of `retry_unknown`, which is false.
//!
//! | Failure | Retried automatically |
//! |---|---|
//! | proof of not sent: DNS, connect, TLS, proxy | every operation; the next region is tried at once; after a rejected certificate, only the next region is tried |
//! | 429 in the provider's own form | every operation, after `Retry-After` or a backoff; beyond 60 s or the deadline: rejected, with `retry_after_ms` |
//! | 408, other 429, 499 and 5xx, a lost or unreadable response | reads, idempotent operations and cancel; never a send or a lookup |
//! | any other 4xx, 3xx, a rejection in the body of a 2xx | never |
//! | a rejection in the body of a 5xx | reads |
//!
//! If an earlier attempt may have been processed, the outcome stays unknown even if a later attempt was rejected or not sent;
//! a rejected read is reported as rejected.
//!
//! After an unknown outcome, creates, workflow updates, cancel and verify are looked up in the provider's records
//! ([`crate::reconcile`]). A client and its clones share a budget of fifty retries; each accepted call returns a tenth of a
//! retry, and a retry after a `Retry-After` is not counted. Waiting between attempts needs the client's [`Clock`], by default
//! tokio's: outside a tokio runtime, only the next region is tried.

mod accepted;
#[cfg(all(feature = "blocking", not(target_family = "wasm")))]
pub mod blocking;
mod call;
mod call_environment;
mod call_id;
mod call_info;
mod call_log;
mod call_options;
mod call_state;
pub(crate) mod certificate_errors;
mod classify;
#[cfg(all(feature = "http", not(target_family = "wasm")))]
mod connection_settings;
mod echoed_secrets;
mod error_text;
mod event_url;
mod extra_headers;
mod failed_attempt;
mod hooks;
mod known_ids;
#[cfg(all(feature = "http", not(target_family = "wasm")))]
mod over_http;
mod pages;
mod raw_call;
#[cfg(all(feature = "http", not(target_family = "wasm")))]
mod reqwest;
mod response_decoder;
mod retry;
mod retry_budget;
mod send_checks;
mod steps;
mod stopwatch;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) mod system_clock;
#[cfg(all(feature = "http", not(target_family = "wasm")))]
mod tokio_clock;
mod transport;
mod verdict_members;

use std::sync::Arc;

use crate::config::Config;
use crate::error::Error;
use crate::guard::Guard;
use crate::http::HttpResponse;
use crate::operation::{Meta, Operation, ResponseExpectation, Unconfirmed};
use crate::operations::OperationId;
use crate::prepared::{self, Prepared};
use crate::request::RequestContext;
#[cfg(feature = "__erased")]
use crate::response::confirm_response::ErasedValue;
use crate::suppression::SuppressionStore;

#[cfg(all(feature = "http", not(target_family = "wasm")))]
pub use self::reqwest::HttpTransport;
pub use accepted::Response;
pub use call_options::CallOptions;
pub(crate) use call_options::max_response_bytes;
pub use hooks::{CallEnd, Event, RequestEndEvent, RequestEvent, ResponseEvent};
pub use pages::Pages;
pub use raw_call::RawCall;
pub use steps::{CallSteps, Step};
pub use transport::{Attempt, Progress, Transport, TransportError};

use crate::clock::{BoxFuture, Clock};

use accepted::Accepted;
use call_environment::CallEnvironment;
use call_info::{CallInfo, Received};
use send_checks::{CheckedCall, SendChecks, Waits};

use response_decoder::{JsonTextDecoder, ResponseDecoder, TypedDecoder};

/// Calls the provider. `Send` and `Sync`; cheap to clone. Clones share the connections, the retry budget and the hooks.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use cpaas::client::Client;
/// use cpaas::http::{HttpRequest, HttpResponse};
/// use cpaas::{Config, sms};
///
/// let config = Config::default().sms_url("https://sms.example").sms_key("key");
/// // `Client::new(&config)` uses HTTP; a closure is a custom transport.
/// let client = Client::with_transport(&config, |_request: HttpRequest| async {
///     Ok(HttpResponse::new(200, vec![], r#"{"id":"m-1","timestamp":"2024-01-01T00:00:00Z","responseCode":0}"#))
/// })?;
/// let sent = client.call(sms::SendSms::new("Acme", "306912345678", "Your table is ready")).await?;
/// assert_eq!((sent.id.as_str(), sent.attempts), ("m-1", 1));
/// # Ok::<(), cpaas::Error>(()) }).unwrap();
/// ```
#[derive(Clone)]
pub struct Client {
    environment: CallEnvironment,
    #[cfg(all(feature = "http", not(target_family = "wasm")))]
    connections: connection_settings::Connections,
}

impl Client {
    /// A client that uses a custom transport and a custom clock, and no async runtime.
    ///
    /// # Errors
    /// `invalid` with the reason `config`: a member has an invalid value, or the clock has no random bytes.
    pub fn with_transport_and_clock(
        config: &Config,
        transport: impl Transport + 'static,
        clock: impl Clock + 'static,
    ) -> Result<Self, Error> {
        Ok(Self {
            environment: CallEnvironment::new(config, Arc::new(transport), Arc::new(clock))?,
            #[cfg(all(feature = "http", not(target_family = "wasm")))]
            connections: connection_settings::Connections::Program(Arc::new(config.clone())),
        })
    }

    /// Returns the same client with other options, for one call or several.
    ///
    /// ```
    /// # use cpaas::{Config, client::{CallOptions, Client}};
    /// # use std::time::Duration;
    /// # let client = Client::new(&Config::default().sms_url("http://127.0.0.1:9"))?;
    /// let quick = client.with(CallOptions::new().deadline(Duration::from_secs(2)));
    /// # Ok::<(), cpaas::Error>(())
    /// ```
    #[must_use]
    pub fn with(&self, options: CallOptions) -> Self {
        let mut client = self.clone();
        client.environment = client.environment.with(options);
        client
    }

    /// A client with another configuration, which shares transport, clock, retry budget, known ids, hooks and stores with this one.
    ///
    /// # Errors
    /// `invalid` with the reason `config`.
    #[doc(hidden)]
    pub fn with_config(&self, config: &Config) -> Result<Self, Error> {
        let environment = CallEnvironment::over(config, Arc::clone(&self.environment.shared))?;
        Ok(Self { environment, ..self.clone() })
    }

    /// Sets a hook that receives one [`Event`] for each call of this client and of the clones made from it afterwards. A call
    /// that the caller drops before its end is reported with [`CallEnd::Abandoned`]. The hook runs on the calling task and
    /// must not block. A panic of a hook does not change the call: it is caught, and the log has the line `a hook panicked` (with
    /// `panic = "abort"` the process ends).
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// # use std::sync::{Arc, Mutex};
    /// # use cpaas::{Config, client::{Client, TransportError}, error::{Reason, SentState}, http::HttpRequest, sms};
    /// # let config = Config::default().sms_url("https://sms.example").sms_key("key");
    /// # let transport = |_: HttpRequest| async { Err(TransportError::new(SentState::Maybe, Reason::Reset)) };
    /// let seen = Arc::new(Mutex::new(Vec::new()));
    /// let keep = seen.clone();
    /// let client = Client::with_transport(&config, transport)?.on_outcome(move |event| {
    ///     keep.lock().unwrap().push((event.operation, event.ending.as_str(), event.sent.as_str()));
    /// });
    /// let _ = client.call(sms::SendSms::new("Acme", "306912345678", "Hi")).await;
    /// assert_eq!(*seen.lock().unwrap(), [("sms.send", "unknown", "maybe")]);
    /// # Ok::<(), cpaas::Error>(()) }).unwrap();
    /// ```
    #[must_use]
    pub fn on_outcome(mut self, hook: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        Arc::make_mut(&mut self.environment.shared).hooks.on_outcome = Some(Arc::new(hook));
        self
    }

    /// Sets a hook that receives one [`RequestEvent`] for each HTTP request of a call, before the request is sent. The hook runs
    /// on the calling task and must not block. Its time counts towards the deadline; after the deadline nothing is sent.
    /// A panic is caught, as that of [`Client::on_outcome`].
    #[must_use]
    pub fn on_request(mut self, hook: impl Fn(&RequestEvent) + Send + Sync + 'static) -> Self {
        Arc::make_mut(&mut self.environment.shared).hooks.on_request = Some(Arc::new(hook));
        self
    }

    /// Sets a hook that receives one [`ResponseEvent`] for each HTTP response of a call. A request without a response, such as
    /// one that could not connect, has none. The hook runs on the calling task and must not block.
    /// A panic is caught, as that of [`Client::on_outcome`].
    #[must_use]
    pub fn on_response(mut self, hook: impl Fn(&ResponseEvent) + Send + Sync + 'static) -> Self {
        Arc::make_mut(&mut self.environment.shared).hooks.on_response = Some(Arc::new(hook));
        self
    }

    /// Sets a hook that receives one [`RequestEndEvent`] when an HTTP request of a call ends, with or without a response. A request
    /// that the caller abandons has none. The hook runs on the calling task and must not block.
    /// A panic is caught, as that of [`Client::on_outcome`].
    #[must_use]
    pub fn on_request_end(mut self, hook: impl Fn(&RequestEndEvent) + Send + Sync + 'static) -> Self {
        Arc::make_mut(&mut self.environment.shared).hooks.on_request_end = Some(Arc::new(hook));
        self
    }

    /// Removes the hooks of [`Client::on_request`], [`Client::on_response`] and [`Client::on_request_end`].
    #[must_use]
    pub fn without_request_hooks(mut self) -> Self {
        let hooks = &mut Arc::make_mut(&mut self.environment.shared).hooks;
        (hooks.on_request, hooks.on_response, hooks.on_request_end) = (None, None, None);
        self
    }

    /// Adds a hook that runs after the hook of [`Self::on_outcome`].
    #[must_use]
    pub fn also_on_outcome(mut self, hook: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        let hooks = &mut Arc::make_mut(&mut self.environment.shared).hooks;
        hooks.on_outcome = Some(match hooks.on_outcome.take() {
            None => Arc::new(hook),
            Some(first) => Arc::new(move |event: &Event<'_>| {
                hooks::run_hook("on_outcome", event.call_id, event.operation, || first(event));
                hook(event);
            }),
        });
        self
    }

    /// Sets a hook that returns the value of the header `traceparent` (W3C Trace Context). It is called before each HTTP request of a
    /// call, inside the call's span, so that each attempt can have a span of its own. A `traceparent` of [`CallOptions::header`]
    /// has precedence. Without a value, the setting `send_traceparent` applies. A panic is caught,
    /// as that of [`Client::on_outcome`], and counts as no value.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// # use cpaas::{Config, client::Client, http::{HttpRequest, HttpResponse}, sms};
    /// # let config = Config::default().sms_url("https://sms.example").sms_key("key");
    /// const TRACE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    /// let client = Client::with_transport(&config, |request: HttpRequest| async move {
    ///     assert!(request.headers.contains(&("traceparent".to_owned(), TRACE.to_owned())));
    ///     Ok(HttpResponse::new(200, vec![], r#"{"id":"m","responseCode":0}"#))
    /// })?
    /// .traceparent(|_request| Some(TRACE.to_owned()));
    /// client.call(sms::SendSms::new("Acme", "306912345678", "Hi")).await?;
    /// # Ok::<(), cpaas::Error>(()) }).unwrap();
    /// ```
    #[must_use]
    pub fn traceparent(self, hook: impl Fn(&RequestEvent) -> Option<String> + Send + Sync + 'static) -> Self {
        self.traceparent_later(move |request| Box::pin(std::future::ready(hook(request))))
    }

    /// [`Client::traceparent`] with a hook whose value arrives later. The wait counts towards the deadline.
    #[doc(hidden)]
    #[must_use]
    pub fn traceparent_later(
        mut self,
        hook: impl Fn(&RequestEvent) -> BoxFuture<'static, Option<String>> + Send + Sync + 'static,
    ) -> Self {
        Arc::make_mut(&mut self.environment.shared).hooks.traceparent = Some(Arc::new(hook));
        self
    }

    /// Sets the store of numbers that get no SMS, for this client and the clones made from it afterwards; see [`crate::suppression`].
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// # use std::sync::Arc;
    /// # use cpaas::{Config, client::Client, http::{HttpRequest, HttpResponse}, sms};
    /// use cpaas::suppression::{MemorySuppressionStore, SuppressionStore};
    /// # let config = Config::default().sms_url("https://sms.example").sms_key("key");
    /// # let transport = |_: HttpRequest| async { Ok(HttpResponse::new(200, vec![], "{}")) };
    ///
    /// let stopped = Arc::new(MemorySuppressionStore::new());
    /// stopped.add("306912345678").await.unwrap();
    /// let client = Client::with_transport(&config, transport)?.suppression(stopped);
    /// let error = client.call(sms::SendSms::new("Acme", "306912345678", "Hi")).await.unwrap_err();
    /// assert_eq!(error.problems[0].code, "suppressed");
    /// # Ok::<(), cpaas::Error>(()) }).unwrap();
    /// ```
    #[must_use]
    pub fn suppression(self, store: Arc<dyn SuppressionStore>) -> Self {
        self.with_send_checks(|checks| checks.suppression = Some(store))
    }

    /// The store of [`Client::suppression`]; `None` without one.
    #[must_use]
    pub fn suppression_store(&self) -> Option<&Arc<dyn SuppressionStore>> {
        self.environment.shared.send_checks.suppression.as_ref()
    }

    /// Removes the store of [`Client::suppression`].
    #[must_use]
    pub fn without_suppression(self) -> Self {
        self.with_send_checks(|checks| checks.suppression = None)
    }

    /// Sets a guard against pumping, for this client and the clones made from it afterwards, which share its counters; see
    /// [`crate::guard`].
    ///
    /// ```
    /// # use cpaas::{Config, client::Client};
    /// use cpaas::guard::{Guard, GuardSettings};
    ///
    /// # let config = Config::default().otp_url("http://127.0.0.1:9");
    /// let client = Client::new(&config)?.guard(Guard::new(GuardSettings::default())?);
    /// # Ok::<(), cpaas::Error>(())
    /// ```
    #[must_use]
    pub fn guard(self, guard: Guard) -> Self {
        self.with_send_checks(|checks| checks.guard = Some(Arc::new(guard)))
    }

    /// Removes the guard of [`Client::guard`].
    #[must_use]
    pub fn without_guard(self) -> Self {
        self.with_send_checks(|checks| checks.guard = None)
    }

    fn with_send_checks(mut self, change: impl FnOnce(&mut SendChecks)) -> Self {
        let checks = &mut Arc::make_mut(&mut self.environment.shared).send_checks;
        change(checks);
        let has_stores = !checks.is_empty();
        if self.environment.context.keeps_sms_recipients != has_stores {
            Arc::make_mut(&mut self.environment.context).keeps_sms_recipients = has_stores;
        }
        self
    }

    /// Consults the stores of the client, then executes a call.
    async fn execute(
        &self,
        meta: &Meta,
        info: CallInfo,
        prepared: Prepared,
        decoder: &mut dyn ResponseDecoder,
    ) -> Result<(Accepted, Option<CheckedCall<'_>>), Error> {
        let mut environment = self.environment.clone();
        environment
            .limits
            .check(meta.id)
            .map_err(|error| environment.invalid(error.with_reference(prepared.reference.clone())))?;
        let checks = &self.environment.shared.send_checks;
        if checks.is_empty() {
            return Ok((call::execute(environment, info, prepared, decoder).await?, None));
        }
        // The log lines of the stores have the id of the call.
        let call_id = environment.call_id();
        environment.call_id = Some(call_id.clone());
        let waits = Waits::start(call_id, meta.id, self.environment.clock(), environment.limits.deadline);
        let checked = checks.check(meta, &prepared, waits).await;
        let mut checked = checked.map_err(|error| environment.invalid(error))?;
        // The stores used up a part of the time.
        environment.limits.deadline = checked.left();
        match call::execute(environment, info, prepared, decoder).await {
            Ok(accepted) => Ok((accepted, Some(checked))),
            Err(error) => {
                checked.failed(&error).await;
                Err(error)
            }
        }
    }

    /// The addresses, credentials and wire names of this client.
    #[must_use]
    pub fn context(&self) -> &RequestContext {
        &self.environment.context
    }

    /// Calls an operation. Dropping the future abandons the call; the hook of [`Client::on_outcome`] then receives whether
    /// the request may have been sent.
    ///
    /// # Errors
    /// Every outcome except accepted, see [`Error`]. A passcode that is wrong, expired, cancelled or already used is `rejected` with
    /// the reason [`crate::error::Reason::NotVerified`]; [`Client::call_json`] returns it as a result.
    pub async fn call<O: Operation>(&self, operation: O) -> Result<Response<O::Output>, Error> {
        let prepared = prepared::prepare_typed(operation, &self.environment.context)
            .map_err(|error| self.environment.invalid(error))?;
        let mut decoder = TypedDecoder::<O> { value: None };
        let meta = Meta::of::<O>();
        let info = CallInfo::of(&meta, self.environment.limits.strict_rejections);
        let (mut accepted, checked) = self.execute(&meta, info, prepared, &mut decoder).await?;
        if let Some(error) = accepted.not_verified.take() {
            return Err(error);
        }
        match decoder.value {
            Some(value) => {
                if let Some(checked) = checked {
                    checked.accepted(accepted.id.as_deref()).await;
                }
                Ok(Response::new(value, accepted))
            }
            None => Err(missing_value(&info, &accepted, self.environment.clock())),
        }
    }

    /// Calls an operation with a request in JSON; the value of the response is JSON too.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// # use cpaas::{Config, OperationId, client::Client, http::{HttpRequest, HttpResponse}};
    /// # let config = Config::default().sms_url("https://sms.example").sms_key("key");
    /// # let client = Client::with_transport(&config, |_: HttpRequest| async {
    /// #     Ok(HttpResponse::new(200, vec![], r#"{"id":"m","responseCode":0}"#))
    /// # })?;
    /// let request = r#"{"from":"Acme","to":"306912345678","text":"Hi"}"#;
    /// let sent = client.call_json(OperationId::SmsSend, request).await?;
    /// assert!(sent.value.contains(r#""id":"m""#));
    ///
    /// let rejected = client.call_json(OperationId::SmsSend, r#"{"from":"Acme"}"#).await.unwrap_err();
    /// assert_eq!(rejected.problems[0].pointer, "/to");
    /// # Ok::<(), cpaas::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// Every outcome except accepted, see [`Error`]. A passcode that is not valid is a result: its `code` is not 200.
    pub async fn call_json(&self, operation: OperationId, request: &str) -> Result<Response<String>, Error> {
        let mut decoder = JsonTextDecoder::new(operation);
        let accepted = self.call_dynamic(operation, request, &mut decoder).await?;
        self.response(operation, decoder.json, accepted)
    }

    /// As [`Client::call_json`], with a value without its concrete type.
    #[cfg(feature = "__erased")]
    pub(crate) async fn call_erased(
        &self,
        operation: OperationId,
        request: &str,
    ) -> Result<Response<ErasedValue>, Error> {
        let mut decoder = response_decoder::ErasedDecoder { operation, value: None };
        let accepted = self.call_dynamic(operation, request, &mut decoder).await?;
        self.response(operation, decoder.value, accepted)
    }

    async fn call_dynamic(
        &self,
        operation: OperationId,
        request: &str,
        decoder: &mut dyn ResponseDecoder,
    ) -> Result<Accepted, Error> {
        let prepared = operation
            .prepare_json(request, &self.environment.context)
            .map_err(|error| self.environment.invalid(error))?;
        let info = CallInfo::of(operation.meta(), self.environment.limits.strict_rejections);
        let (accepted, checked) = self.execute(operation.meta(), info, prepared, decoder).await?;
        if let Some(checked) = checked.filter(|_| accepted.not_verified.is_none()) {
            checked.accepted(accepted.id.as_deref()).await;
        }
        Ok(accepted)
    }

    fn response<T>(
        &self,
        operation: OperationId,
        value: Option<T>,
        accepted: Accepted,
    ) -> Result<Response<T>, Error> {
        match value {
            Some(value) => Ok(Response::new(value, accepted)),
            None => {
                let info = CallInfo::of(operation.meta(), self.environment.limits.strict_rejections);
                Err(missing_value(&info, &accepted, self.environment.clock()))
            }
        }
    }

    /// Classifies and decodes the response to a prepared request that another HTTP client sent; the value is JSON. Compares the
    /// response with its request, as a call does: a response with other ids, recipients or a wrong number of elements is `unknown`
    /// with the reason `mismatch`. It does not know which ids other calls received, and repeats nothing.
    ///
    /// ```
    /// # use cpaas::{Config, OperationId, client::Client, error::Outcome, http::{HttpRequest, HttpResponse}};
    /// # let config = Config::default().sms_url("https://sms.example").sms_key("key");
    /// # let client = Client::new(&config)?;
    /// let request = r#"{"from":"Acme","to":"306912345678","text":"Hi"}"#;
    /// let prepared = OperationId::SmsSend.prepare_json(request, client.context())?;
    /// // Send `prepared.request` with the HTTP client of the program.
    /// let own = HttpResponse::new(200, vec![], r#"{"id":"m-1","responseCode":0}"#);
    /// assert!(client.classify(&prepared, own)?.value.contains("m-1"));
    /// let foreign = HttpResponse::new(200, vec![], r#"{"id":"m-2","responseCode":0,"to":"306900000000"}"#);
    /// assert_eq!(client.classify(&prepared, foreign).unwrap_err().outcome, Outcome::Unknown);
    /// # Ok::<(), cpaas::Error>(())
    /// ```
    ///
    /// # Errors
    /// Every outcome except accepted, see [`Error`]. A passcode that is not valid is a result: its `code` is not 200.
    pub fn classify(&self, prepared: &Prepared, response: HttpResponse) -> Result<Response<String>, Error> {
        let operation = OperationId::find(prepared.request.operation)
            .ok_or_else(|| Error::config("a request of a raw call has no response to compare"))?;
        let info = CallInfo::of(operation.meta(), self.environment.limits.strict_rejections);
        let info = info.of_request(prepared.safety, &prepared.expected);
        self.read(operation, info, &prepared.expected, response)
            .map(|mut read| {
                read.warnings.splice(0..0, prepared.warnings.iter().cloned());
                read
            })
            .map_err(|error| error.with_reference(prepared.reference.clone()))
    }

    /// Classifies and decodes a response that another HTTP client received; returns the value as JSON. It does not know the
    /// request, so it cannot compare them: see [`Client::classify`].
    ///
    /// # Errors
    /// Every outcome except accepted, see [`Error`].
    pub fn read_response(&self, operation: OperationId, response: HttpResponse) -> Result<String, Error> {
        let info = CallInfo::of(operation.meta(), self.environment.limits.strict_rejections);
        self.read(operation, info, &ResponseExpectation::default(), response).map(Response::into_inner)
    }

    fn read(
        &self,
        operation: OperationId,
        info: CallInfo,
        expected: &ResponseExpectation,
        response: HttpResponse,
    ) -> Result<Response<String>, Error> {
        let mut decoder = JsonTextDecoder::new(operation);
        let clock = self.environment.clock();
        let result = info.classify(&response, Received::Whole, clock).and_then(|()| {
            let decoded = decoder.decode(&self.environment.context, &response, expected);
            decoded.map_err(|unconfirmed| info.unconfirmed(unconfirmed, &response, clock))
        });
        match result {
            Ok(confirmed) => {
                let warnings = confirmed.warnings;
                let accepted = Accepted {
                    response,
                    warnings,
                    attempts: 1,
                    call_id: String::new(),
                    id: confirmed.id,
                    not_verified: None,
                    reconciled: None,
                };
                Ok(Response::new(decoder.json.unwrap_or_default(), accepted))
            }
            Err(failed) => {
                let mut error = failed.error.with_attempts(1);
                echoed_secrets::hide(&mut error, &self.environment.context, expected);
                Err(error)
            }
        }
    }
}

/// The error if a decoder accepted a response without keeping its value, which the decoders of this crate never do.
fn missing_value(info: &CallInfo, accepted: &Accepted, clock: &dyn Clock) -> Error {
    info.unconfirmed(Unconfirmed::Missing, &accepted.response, clock).error
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("limits", &self.environment.limits).finish_non_exhaustive()
    }
}
