//! Handles one request to the provider's API: route, account, fault, checks, handler, response, log.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{OriginalUri, Request};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use cpaas::OperationId;
use cpaas::http::Family;

use crate::account::Account;
use crate::assumptions::{AssumptionId, AssumptionSet};
use crate::auth::{self, Caller};
use crate::call::{Call, Route, strict_message};
use crate::fault_socket::{Cut, FaultHandle, SocketFault};
use crate::faults::{Fault, Kind, recipients};
use crate::gateway_response;
use crate::handlers::{Handler, handler};
use crate::http_bodies::{read, set_header};
use crate::log_entries::{LoggedRequest, LoggedResponse, MAX_LOGGED_BODY};
use crate::provider_error::{ProviderError, ProviderResult};
use crate::sandbox_state::Shared;
use crate::server::Connection;
use crate::traceparent::Traceparent;
use crate::validation::validate;

/// The region whose URL a request used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Region(pub(crate) &'static str);

/// Responds to a request; a fault may close its connection instead.
pub(crate) async fn handle(shared: Arc<Shared>, mut route: Route, mut request: Request) -> Response {
    let Some(connection) = request.extensions_mut().remove::<Connection>() else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    route.region = request.extensions().get::<Region>().map(|region| region.0);
    respond(&shared, &connection, route, request).await.unwrap_or_else(|cut| {
        let mut response = Response::default();
        response.extensions_mut().insert(cut);
        response
    })
}

struct Head {
    method: Method,
    query: String,
    path: String,
    headers: HeaderMap,
    route: Route,
    caller: Caller,
    account: Arc<Account>,
}

async fn respond(
    shared: &Arc<Shared>,
    connection: &Connection,
    route: Route,
    request: Request,
) -> Result<Response, Cut> {
    let (handle, peer) = (connection.faults.as_ref(), connection.ends.peer);
    let (mut parts, body) = request.into_parts();
    // A nested router receives only a part of the path.
    let uri = parts.extensions.remove::<OriginalUri>().map_or(parts.uri, |original| original.0);
    let (path, query) = (uri.path().to_owned(), uri.query().unwrap_or_default().to_owned());
    let caller = Caller::of(shared, &route, &parts.headers, &query);
    let Some(account) = caller.account.clone().or_else(|| shared.first()) else { return Err(Cut) };
    let mut head = Head { method: parts.method, query, path, headers: parts.headers, route, caller, account };
    let mut fault = match early_fault(&head) {
        Ok(fault) => fault,
        Err(rejection) => {
            return Ok(reject(shared, &head, rejection));
        }
    };
    match fault {
        Some(Fault { kind: Kind::ResetBeforeRead, .. }) => {
            return cut(handle, &head, Kind::ResetBeforeRead);
        }
        Some(fault) if fault.kind == Kind::AnswerEarly => {
            return Ok(respond_from_gateway(&head, &[], &fault));
        }
        Some(fault) if fault.kind == Kind::AnswerEarlyThenAccept => {
            return Ok(respond_early(shared, peer, head, body, &fault));
        }
        _ => {}
    }
    let body = match read(body, &shared.options).await {
        Ok(body) => body,
        Err(error) => {
            let rejection = error.into();
            return Ok(reject(shared, &head, rejection));
        }
    };
    if head.route.family == Some(Family::Messaging) {
        complete_head(shared, &mut head, &body);
        if fault.is_none() {
            fault = rule(&head, None);
        }
    }
    if fault.is_none() {
        fault = late_fault(&head, &body);
    }
    apply_fault(shared, handle, peer, &head, &body, fault).await
}

/// The fault that the head of a request determines: from its fault header, or else from the account's rules.
fn early_fault(head: &Head) -> ProviderResult<Option<Fault>> {
    if let Some(value) = head.headers.get("x-sandbox-fault") {
        let fault = Fault::header(value.to_str().unwrap_or_default());
        return fault
            .map(Some)
            .map_err(|expected| ProviderError::plain(400, format!("X-Sandbox-Fault: {expected} [sandbox]")));
    }
    // The body of a message determines its account and operation.
    if head.route.family == Some(Family::Messaging) {
        return Ok(None);
    }
    Ok(rule(head, None))
}

/// The fault from the rules that name a recipient.
fn late_fault(head: &Head, body: &[u8]) -> Option<Fault> {
    if head.account.state().faults.is_empty() {
        return None;
    }
    let recipients = recipients(body, &head.query);
    let recipients: Vec<&str> = recipients.iter().map(String::as_str).collect();
    rule(head, Some(&recipients))
}

fn rule(head: &Head, recipients: Option<&[&str]>) -> Option<Fault> {
    let mut state = head.account.state();
    if state.faults.is_empty() {
        return None;
    }
    let now = state.clock.now();
    state.faults.pick(head.route.operation_name().unwrap_or_default(), recipients, now)
}

/// Completes the head of a `messaging` request from its body: the operation (a body with `failover` is a failover) and, without
/// credentials, the account (`trafficAccountId` selects it).
fn complete_head(shared: &Shared, head: &mut Head, body: &[u8]) {
    let Ok(object) = crate::ordered_json::Object::parse(body) else { return };
    if head.route.operation == Some(OperationId::MessagesSend) && object.get("failover").is_some() {
        head.route.operation = Some(OperationId::MessagesSendFailover);
    }
    if head.caller.account.is_none()
        && let Some(account) = object.text("trafficAccountId").and_then(|id| shared.account(id))
    {
        head.account = account;
    }
}

async fn apply_fault(
    shared: &Arc<Shared>,
    handle: &FaultHandle,
    peer: SocketAddr,
    head: &Head,
    body: &Bytes,
    fault: Option<Fault>,
) -> Result<Response, Cut> {
    let Some(fault) = fault else { return Ok(process(shared, peer, head, body, None).await) };
    match fault.kind {
        Kind::ResetBeforeRead | Kind::CloseBeforeRead => return cut(handle, head, fault.kind),
        Kind::Gateway | Kind::AnswerEarly => return Ok(respond_from_gateway(head, body, &fault)),
        Kind::Status => {
            let status = fault.status.unwrap_or(500);
            let mut rejection = injected(head, status);
            rejection.retry_after = fault.retry_after.and_then(|seconds| u32::try_from(seconds).ok());
            return Ok(finish(
                shared,
                head,
                body,
                AssumptionSet::default(),
                Vec::new(),
                Err(rejection),
                Some(&fault),
            ));
        }
        Kind::Hang => {
            tokio::time::sleep(fault.pause.unwrap_or(Duration::from_secs(3_600))).await;
            return cut(handle, head, fault.kind);
        }
        Kind::Latency => tokio::time::sleep(fault.pause.unwrap_or(Duration::from_millis(1_000))).await,
        _ => {}
    }
    let reply = process(shared, peer, head, body, Some(&fault)).await;
    match fault.kind {
        Kind::ResetAfterRead => {
            handle.reset();
            return Err(Cut);
        }
        Kind::CloseAfterRead => return Err(Cut),
        kind if kind.has_gateway_response() => return Ok(gateway_response::reply(&fault)),
        Kind::DuplicateAnswer => handle.inject(SocketFault::Twice),
        Kind::TruncatedHead => handle.inject(SocketFault::TruncatedHead),
        Kind::TruncatedBody => handle.inject(SocketFault::TruncatedBody),
        Kind::Garbage => handle.inject(SocketFault::Garbage),
        Kind::SlowDrip => {
            handle.inject(SocketFault::SlowDrip(fault.pause.unwrap_or(Duration::from_millis(10))))
        }
        _ => {}
    }
    Ok(reply)
}

/// The response of an injected status, in the form of the family.
fn injected(head: &Head, status: u16) -> ProviderError {
    let code = match head.route.family {
        Some(Family::Sms | Family::Lookup) => 990,
        _ => i64::from(status),
    };
    ProviderError::new(status, code, "injected fault [sandbox]")
}

/// The gateway responds; the provider never receives the request.
fn respond_from_gateway(head: &Head, body: &[u8], fault: &Fault) -> Response {
    let reply = gateway_response::reply(fault);
    let responses = (reply.status().as_u16(), Some(LoggedResponse::of(&reply)));
    record(head, logged(head, body, responses, AssumptionSet::default(), Vec::new(), Some(fault.kind)));
    reply
}

/// The gateway responds before it has read the body, and still forwards the request.
fn respond_early(shared: &Arc<Shared>, peer: SocketAddr, head: Head, body: Body, fault: &Fault) -> Response {
    let reply = gateway_response::reply(fault);
    let (own, fault) = (Arc::clone(shared), fault.clone());
    shared.spawn(async move {
        if let Ok(body) = read(body, &own.options).await {
            let mut head = head;
            if head.route.family == Some(Family::Messaging) {
                complete_head(&own, &mut head, &body);
            }
            process(&own, peer, &head, &body, Some(&fault)).await;
        }
    });
    reply
}

fn cut(handle: &FaultHandle, head: &Head, fault: Kind) -> Result<Response, Cut> {
    if fault == Kind::ResetBeforeRead {
        handle.reset();
    }
    let logged = logged(head, &[], (0, None), AssumptionSet::default(), Vec::new(), Some(fault));
    record(head, logged);
    Err(Cut)
}

async fn process(
    shared: &Arc<Shared>,
    peer: SocketAddr,
    head: &Head,
    body: &Bytes,
    fault: Option<&Fault>,
) -> Response {
    let mut call = Call {
        shared,
        account: Arc::clone(&head.account),
        route: &head.route,
        query: &head.query,
        headers: &head.headers,
        body,
        assumptions: AssumptionSet::default(),
        warnings: Vec::new(),
        fault: fault.map(|fault| fault.kind),
        request_json: String::new(),
        warning_codes: Vec::new(),
    };
    let outcome = match check(&mut call, head, peer) {
        Ok(Handler::Now(handle)) => handle(&mut call),
        Ok(Handler::Later(handle)) => handle(&mut call).await,
        Err(rejection) => Err(rejection),
    };
    let (assumptions, warnings) = (call.assumptions, call.warnings);
    finish(shared, head, body, assumptions, warnings, outcome, fault)
}

/// Checks path, address, credentials, rate, content type and body, in this order.
fn check(call: &mut Call<'_>, head: &Head, peer: SocketAddr) -> ProviderResult<Handler> {
    let family = call.family();
    let Some(operation) = head.route.operation else {
        return Err(missing(call, head));
    };
    let handler = handler(operation).ok_or_else(|| missing(call, head))?;
    {
        let mut state = call.account.state();
        auth::address(family, &state.settings.allow_ip, peer.ip())?;
        head.caller.admit(family, &call.shared.options)?;
        let now = state.clock.now();
        if let Some(wait) = state.rate.hit(call.shared.options.rate, now) {
            let code = if matches!(family, Some(Family::Sms | Family::Lookup)) { 906 } else { 429 };
            return Err(ProviderError::new(429, code, "too many requests [sandbox]")
                .assuming(AssumptionId(50))
                .retry_after(wait.div_ceil(1_000)));
        }
    }
    if family == Some(Family::Messaging) {
        call.assume(AssumptionId(25))?;
    }
    let json = call.headers.get("content-type").is_none_or(|value| {
        value.to_str().is_ok_and(|value| {
            value.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
        })
    });
    if !json && !call.body.is_empty() {
        let code = if family == Some(Family::Sms) { 908 } else { 415 };
        return Err(ProviderError::new(415, code, "Content-Type must be application/json [sandbox]")
            .assuming(AssumptionId(66)));
    }
    validate(call, operation)?;
    Ok(handler)
}

fn missing(call: &mut Call<'_>, head: &Head) -> ProviderError {
    if head.route.other_method {
        return ProviderError::plain(405, "this path does not support this method [sandbox]");
    }
    let rejection = ProviderError::plain(404, "no operation has this path [sandbox]");
    match call.family() {
        Some(Family::Otp) if head.path.starts_with("/2fa/usage/") => rejection.assuming(AssumptionId(61)),
        Some(Family::Otp | Family::Sms | Family::Lookup) if head.path.ends_with(".xml") => {
            rejection.assuming(AssumptionId(65))
        }
        _ => rejection,
    }
}

fn finish(
    shared: &Arc<Shared>,
    head: &Head,
    body: &[u8],
    assumptions: AssumptionSet,
    warnings: Vec<String>,
    outcome: ProviderResult<Response>,
    fault: Option<&Fault>,
) -> Response {
    let family = head.route.family;
    let (mut reply, assumptions) = match outcome {
        Ok(reply) => (reply, assumptions),
        Err(rejection) => {
            let assumed = rejection.assumptions(family);
            let strict = shared.options.strict.intersection(assumed);
            let rejection = if strict.is_empty() || rejection.code == 501 {
                rejection
            } else {
                ProviderError::plain(501, strict_message(strict))
            };
            let reply = rejection.reply(family, &shared.options);
            let reply = if head.route.xml { crate::sms::xml_error(reply, &rejection) } else { reply };
            (reply, assumptions.union(assumed))
        }
    };
    if !assumptions.is_empty() {
        set_header(&mut reply, "x-sandbox-assumed", &assumptions.header());
    }
    let responses = (reply.status().as_u16(), gateway_response::received(&reply, fault));
    record(head, logged(head, body, responses, assumptions, warnings, fault.map(|fault| fault.kind)));
    reply
}

fn logged(
    head: &Head,
    body: &[u8],
    (status, response): (u16, Option<LoggedResponse>),
    assumed: AssumptionSet,
    warnings: Vec<String>,
    fault: Option<Kind>,
) -> LoggedRequest {
    LoggedRequest {
        at: 0,
        method: crate::snippets::method(&head.method),
        target: crate::snippets::target(&head.path, &head.query, head.route.family),
        operation: head.route.operation_name(),
        region: head.route.region,
        auth: head.caller.by,
        traceparent: Traceparent::of(&head.headers),
        body: body.get(..MAX_LOGGED_BODY).unwrap_or(body).into(),
        truncated: body.len() > MAX_LOGGED_BODY,
        status,
        response,
        fault,
        assumed,
        warnings,
    }
}

fn reject(shared: &Arc<Shared>, head: &Head, rejection: ProviderError) -> Response {
    finish(shared, head, &[], AssumptionSet::default(), Vec::new(), Err(rejection), None)
}

fn record(head: &Head, mut logged: LoggedRequest) {
    let mut state = head.account.state();
    logged.at = state.clock.now();
    state.requests.push(logged);
    state.trim();
    drop(state);
    head.account.changed.notify_waiters();
}
