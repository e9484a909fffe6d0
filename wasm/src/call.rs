//! Calls step by step: JavaScript sends the requests, waits and runs the hooks. Strings, bytes and numbers in and out.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use cpaas::client::{
    CallOptions, CallSteps, Client, Event, Pages, RawCall, RequestEndEvent, RequestEvent, Response,
    ResponseEvent, Step, TransportError,
};
use cpaas::config::Validation;
use cpaas::error::{Reason, SentState};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::problem::{Pointer, codes};
use cpaas::{Error, OperationId, Problem, UnknownOperation, bindings};
use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::host::{HostClock, milliseconds};

/// The hooks of a client: the sum of the numbers of those that it has.
pub mod hook {
    /// `onRequest`.
    pub const REQUEST: u32 = 1;
    /// `onResponse`.
    pub const RESPONSE: u32 = 2;
    /// `onOutcome`.
    pub const OUTCOME: u32 = 4;
    /// `traceparent`.
    pub const TRACEPARENT: u32 = 8;
    /// `onRequestEnd`.
    pub const REQUEST_END: u32 = 16;
}

/// A client whose calls run step by step.
#[wasm_bindgen]
pub struct CallClient {
    client: Client,
}

#[wasm_bindgen]
impl CallClient {
    /// A client of a configuration in JSON, with the variables `CPAAS_…` of an object in JSON.
    ///
    /// # Errors
    /// The record of an error, as JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(config: &str, variables: &str) -> Result<Self, String> {
        let config = bindings::config_with_variables(config, variables).map_err(|error| error.to_json())?;
        let client = Client::with_transport_and_clock(&config, no_transport, HostClock);
        Ok(Self { client: client.map_err(|error| error.to_json())? })
    }

    /// A client with another configuration, which shares the retry budget and the known ids.
    ///
    /// # Errors
    /// The record of an error, as JSON.
    #[wasm_bindgen(js_name = withConfig)]
    pub fn with_config(&self, config: &str, variables: &str) -> Result<Self, String> {
        let config = bindings::config_with_variables(config, variables);
        let client = config.and_then(|config| self.client.with_config(&config));
        Ok(Self { client: client.map_err(|error| error.to_json())? })
    }

    /// The families that have an address, each with the origins of its addresses, as JSON.
    #[must_use]
    pub fn origins(&self) -> String {
        Value::from_iter(bindings::family_origins(self.client.context())).to_string()
    }

    /// Starts the call of an operation; `options` are JSON.
    ///
    /// # Errors
    /// The message about an unknown operation.
    pub fn start(
        &self,
        operation: &str,
        request: String,
        options: Option<String>,
        hooks: u32,
    ) -> Result<Call, String> {
        let Some(operation) = OperationId::find(operation) else {
            return Err(UnknownOperation::new(operation).message());
        };
        Ok(self.run(options, hooks, move |client| async move {
            client.call_json(operation, &request).await.map(Accepted::of_json)
        }))
    }

    /// Starts a call of any endpoint. `call` is JSON: `method`, `family`, `path`, and `query` (pairs of strings) and `body` if given.
    ///
    /// # Errors
    /// A message about the method or the family.
    #[wasm_bindgen(js_name = startRaw)]
    pub fn start_raw(&self, call: &str, options: Option<String>, hooks: u32) -> Result<Call, String> {
        let call = raw_call(call)?;
        Ok(self.run(options, hooks, move |client| async move {
            client.call_raw(call).await.map(Accepted::of_value)
        }))
    }
}

impl CallClient {
    fn run<F>(&self, options: Option<String>, hooks: u32, run: impl FnOnce(Client) -> F) -> Call
    where
        F: Future<Output = Ended> + Send + 'static,
    {
        let client = match options {
            Some(json) => self.client.with(call_options(&json)),
            None => self.client.clone(),
        };
        let reports = Arc::<Reports>::default();
        let client = if hooks == 0 { client } else { reports.of(client, hooks) };
        let mut call = Call { steps: Some(client.steps(run)), ended: None, reports };
        call.take_output();
        call
    }
}

/// The step form replaces it.
async fn no_transport(_request: HttpRequest) -> Result<HttpResponse, TransportError> {
    Err(TransportError::new(SentState::No, Reason::Runtime))
}

fn parse(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

/// The pairs of strings of an array.
fn pairs(array: Option<&Value>) -> Vec<(String, String)> {
    let pair = |pair: &Value| Some((pair.get(0)?.as_str()?.to_owned(), pair.get(1)?.as_str()?.to_owned()));
    array.and_then(Value::as_array).into_iter().flatten().filter_map(pair).collect()
}

fn call_options(json: &str) -> CallOptions {
    let given = parse(json);
    let time = |name| given.get(name).and_then(Value::as_f64).map(milliseconds);
    let attempts = given.get("maxAttempts").and_then(Value::as_u64);
    let validation = given.get("validate").and_then(Value::as_str);
    let mut options = CallOptions::new()
        .maybe_timeout(time("timeoutMs"))
        .maybe_deadline(time("deadlineMs"))
        .maybe_max_attempts(attempts.map(|count| u32::try_from(count).unwrap_or(u32::MAX)))
        .maybe_retry_unknown(given.get("retryUnknown").and_then(Value::as_bool))
        .maybe_validation(validation.and_then(|name| name.parse::<Validation>().ok()));
    if given.get("findPasscodes").and_then(Value::as_bool) == Some(true) {
        options = options.find_passcodes();
    }
    for (name, value) in pairs(given.get("headers")) {
        options = options.header(name, value);
    }
    options
}

fn raw_call(json: &str) -> Result<RawCall, String> {
    let given = parse(json);
    let text = |name| given.get(name).and_then(Value::as_str).unwrap_or_default();
    let mut call = RawCall::from_names(text("method"), text("family"), text("path"))?;
    for (name, value) in pairs(given.get("query")) {
        call = call.query(name, value);
    }
    Ok(match given.get("body") {
        Some(body) => call.body(body.clone()),
        None => call,
    })
}

type Ended = Result<Accepted, Error>;

/// The response of an accepted call.
struct Accepted {
    value: String,
    warnings: Vec<Problem>,
    attempts: u32,
    call_id: String,
    raw: HttpResponse,
}

impl Accepted {
    fn of_json(response: Response<String>) -> Self {
        let Response { value, warnings, attempts, call_id, raw, .. } = response;
        Self { value, warnings, attempts, call_id, raw }
    }

    fn of_value(response: Response<Value>) -> Self {
        let Response { value, warnings, attempts, call_id, raw, .. } = response;
        Self { value: value.to_string(), warnings, attempts, call_id, raw }
    }
}

/// A call. Until it has ended, JavaScript does what `step` returns and reports it.
#[wasm_bindgen]
pub struct Call {
    /// `None` after the end.
    steps: Option<CallSteps<Ended>>,
    ended: Option<Ended>,
    reports: Arc<Reports>,
}

/// The steps of a call.
pub mod step {
    /// Wait for `waitMs`, then report `timePassed`.
    pub const WAIT: u32 = 0;
    /// Send the request.
    pub const SEND: u32 = 1;
    /// The call has ended.
    pub const ENDED: u32 = 2;
}

#[wasm_bindgen]
impl Call {
    /// The current step, see [`step`].
    #[must_use]
    pub fn step(&self) -> u32 {
        match self.current() {
            Step::Wait(_) => step::WAIT,
            Step::Send { .. } => step::SEND,
            _ => step::ENDED,
        }
    }

    /// The duration of a wait.
    #[wasm_bindgen(js_name = waitMs)]
    #[must_use]
    pub fn wait_ms(&self) -> f64 {
        match self.current() {
            Step::Wait(duration) => duration.as_secs_f64() * 1000.0,
            _ => 0.0,
        }
    }

    /// The request without its body, as JSON: `method`, `url`, `headers`, `needsOwnConnection`, and the time limits `limitMs` and `leftMs`.
    #[must_use]
    pub fn request(&self) -> String {
        let Step::Send { request, limit, left } = self.current() else { return String::new() };
        json!({
            "method": request.method.as_str(),
            "url": request.url,
            "headers": request.headers,
            "needsOwnConnection": request.needs_own_connection(),
            "limitMs": limit.as_secs_f64() * 1000.0,
            "leftMs": left.as_secs_f64() * 1000.0,
        })
        .to_string()
    }

    /// The body of the request.
    #[must_use]
    pub fn body(&self) -> Option<Vec<u8>> {
        match self.current() {
            Step::Send { request, .. } => request.body.clone(),
            _ => None,
        }
    }

    /// Reports the response; `headers` are pairs of strings in JSON.
    pub fn respond(&mut self, status: u16, headers: &str, body: Vec<u8>, is_early: bool) {
        let response = response(status, headers, body);
        self.report(|steps| if is_early { steps.respond_early(response) } else { steps.respond(response) });
    }

    /// Reports a failure: whether the request was sent (`no`, `maybe`, `yes`), the reason, and the error code of OpenSSL if the certificate
    /// of the server was rejected. A status other than 0 is that of a response that was received in part.
    pub fn fail(
        &mut self,
        sent: &str,
        reason: &str,
        certificate: Option<String>,
        status: u16,
        headers: &str,
        body: Vec<u8>,
    ) {
        let sent = SentState::from_name(sent).unwrap_or(SentState::Maybe);
        let mut error = TransportError::new(sent, Reason::from_name(reason).unwrap_or(Reason::Reset))
            .certificate(certificate.map(|code| bindings::certificate_error(&code)))
            .with_settings();
        if status != 0 {
            error = error.partial(response(status, headers, body));
        }
        self.report(|steps| steps.fail(error));
    }

    /// Reports that the wait or the time of the request has passed.
    #[wasm_bindgen(js_name = timePassed)]
    pub fn time_passed(&mut self) {
        self.report(CallSteps::time_passed);
    }

    /// Ends the call. `was_sent`: whether the current request may have been sent.
    pub fn cancel(&mut self, was_sent: bool) {
        let sent = if was_sent { SentState::Maybe } else { SentState::No };
        if let Some(steps) = self.steps.take() {
            self.ended = steps.cancel(sent).map(Err);
        }
    }

    /// What the hooks receive since the last call of this function, as JSON: pairs of a hook's name and its event. `traceparent` waits for
    /// `setTraceparent`.
    #[wasm_bindgen(js_name = takeReports)]
    #[must_use]
    pub fn take_reports(&self) -> Option<String> {
        let reports = std::mem::take(&mut *lock(&self.reports.list));
        if reports.is_empty() { None } else { Some(Value::Array(reports).to_string()) }
    }

    /// The value that the hook `traceparent` returned.
    #[wasm_bindgen(js_name = setTraceparent)]
    pub fn set_traceparent(&mut self, value: Option<String>) {
        *lock(&self.reports.traceparent) = Some(value);
        self.report(CallSteps::poll);
    }

    /// The record of the error, as JSON; nothing if the call was accepted.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        match &self.ended {
            Some(Err(error)) => Some(error.to_json()),
            _ => None,
        }
    }

    /// The value of an accepted call, as JSON.
    #[must_use]
    pub fn value(&mut self) -> String {
        self.accepted().map(|accepted| std::mem::take(&mut accepted.value)).unwrap_or_default()
    }

    /// The details of an accepted call, as JSON: `status`, `headers`, `attempts`, `callId` and `warnings`.
    #[must_use]
    pub fn details(&mut self) -> String {
        let Some(Accepted { warnings, attempts, call_id, raw, .. }) = self.accepted() else {
            return String::new();
        };
        json!({
            "status": raw.status,
            "headers": raw.headers,
            "attempts": attempts,
            "callId": call_id,
            "warnings": warnings,
        })
        .to_string()
    }

    /// The body of the response of an accepted call.
    #[wasm_bindgen(js_name = responseBody)]
    #[must_use]
    pub fn response_body(&mut self) -> Vec<u8> {
        self.accepted().map(|accepted| std::mem::take(&mut accepted.raw.body)).unwrap_or_default()
    }
}

impl Call {
    fn current(&self) -> Step<'_> {
        self.steps.as_ref().map_or(Step::Ended, CallSteps::step)
    }

    fn report(&mut self, report: impl FnOnce(&mut CallSteps<Ended>)) {
        if let Some(steps) = &mut self.steps {
            report(steps);
        }
        self.take_output();
    }

    fn take_output(&mut self) {
        if matches!(self.current(), Step::Ended)
            && let Some(steps) = self.steps.take()
        {
            self.ended = steps.into_output();
        }
    }

    fn accepted(&mut self) -> Option<&mut Accepted> {
        self.ended.as_mut()?.as_mut().ok()
    }
}

fn response(status: u16, headers: &str, body: Vec<u8>) -> HttpResponse {
    HttpResponse::new(status, pairs(Some(&parse(headers))), body)
}

/// What the hooks of a call receive.
#[derive(Default)]
struct Reports {
    list: Mutex<Vec<Value>>,
    /// The value of the hook `traceparent` for the current request, if it has arrived.
    traceparent: Mutex<Option<Option<String>>>,
}

impl Reports {
    /// The client with hooks that add to these reports.
    fn of(self: &Arc<Self>, mut client: Client, hooks: u32) -> Client {
        if hooks & hook::REQUEST != 0 {
            let reports = Arc::clone(self);
            client = client.on_request(move |event| reports.add("onRequest", request_event(event)));
        }
        if hooks & hook::RESPONSE != 0 {
            let reports = Arc::clone(self);
            client = client.on_response(move |event| reports.add("onResponse", response_event(event)));
        }
        if hooks & hook::REQUEST_END != 0 {
            let reports = Arc::clone(self);
            client = client.on_request_end(move |event| reports.add("onRequestEnd", end_event(event)));
        }
        if hooks & hook::OUTCOME != 0 {
            let reports = Arc::clone(self);
            client = client.on_outcome(move |event| reports.add("onOutcome", outcome_event(event)));
        }
        if hooks & hook::TRACEPARENT != 0 {
            let reports = Arc::clone(self);
            client = client.traceparent_later(move |event| {
                *lock(&reports.traceparent) = None;
                reports.add("traceparent", request_event(event));
                let reports = Arc::clone(&reports);
                Box::pin(poll_fn(move |_| match lock(&reports.traceparent).take() {
                    Some(value) => Poll::Ready(value),
                    None => Poll::Pending,
                }))
            });
        }
        client
    }

    fn add(&self, hook: &str, event: Value) {
        lock(&self.list).push(json!([hook, event]));
    }
}

fn request_event(event: &RequestEvent) -> Value {
    json!({
        "callId": event.call_id,
        "operation": event.operation,
        "attempt": event.attempt,
        "isLookup": event.is_lookup,
        "method": event.method,
        "url": event.url,
    })
}

fn response_event(event: &ResponseEvent) -> Value {
    json!({
        "request": request_event(&event.request),
        "status": event.status,
        "elapsedMs": event.elapsed.as_secs_f64() * 1000.0,
    })
}

fn end_event(event: &RequestEndEvent) -> Value {
    json!({
        "request": request_event(&event.request),
        "status": event.status,
        "reason": event.reason,
        "elapsedMs": event.elapsed.as_secs_f64() * 1000.0,
    })
}

fn outcome_event(event: &Event<'_>) -> Value {
    json!({
        "callId": event.call_id,
        "operation": event.operation,
        "reference": event.reference,
        "ending": event.ending.as_str(),
        "sent": event.sent,
        "reason": event.reason,
        "status": event.status,
        "attempts": event.attempts,
        "elapsedMs": event.elapsed.as_secs_f64() * 1000.0,
    })
}

/// Computes the requests of the pages of a list.
#[wasm_bindgen]
pub struct PageCursor {
    pages: Pages,
    operation: OperationId,
}

#[wasm_bindgen]
impl PageCursor {
    /// # Errors
    /// The message about an unknown operation.
    #[wasm_bindgen(constructor)]
    pub fn new(operation: &str) -> Result<Self, String> {
        let found = OperationId::find(operation);
        let operation = found.ok_or_else(|| UnknownOperation::new(operation).message())?;
        Ok(Self { pages: Pages::new(), operation })
    }

    /// The request of the page after a response, as JSON; nothing after the last page.
    pub fn next(&mut self, request: &str, response: &[u8]) -> Option<String> {
        let input = &self.operation.meta().input;
        let response = serde_json::from_slice(response).unwrap_or_default();
        let next = self.pages.next(&parse(request), &response, |name| input.field(name).is_some());
        next.map(|request| request.to_string())
    }

    /// The record of the error of a list whose pages repeat, as JSON.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        self.pages.repeats().then(|| Pages::repeated(self.operation.meta().id).to_json())
    }

    /// The warning of the last page if the list ended with a number of records other than its total, as JSON.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let warning = || Problem::new(&codes::RESPONSE_PAGES_TOTAL, &Pointer::ROOT);
        self.pages.contradicts_total().then(|| json!(warning()).to_string())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
