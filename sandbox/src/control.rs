//! The control API below `/_sandbox/`, for tests and for the inbox page.

mod accounts;
mod actions;
mod event_stream;
mod fault_presets;
mod inbox_view;
mod log_filter;
mod message_search;
mod queries;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{FromRequest, Path, Request};
use axum::routing::{MethodRouter, delete, get, post, put};
use serde_json::json;

use crate::account::Account;
use crate::http_bodies::{JSON, ok, read, response};
use crate::origin_check::Source;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::query_string;
use crate::sandbox_state::Shared;
use crate::time_text::parse_length;

/// The provider's API as OpenAPI, generated from the list of operations.
const OPENAPI: &str = include_str!("../openapi.json");

/// The maximum of the parameter `wait`, in milliseconds.
const MAX_WAIT: u64 = 300_000;

/// A request to the control API.
pub(crate) struct ControlRequest {
    pub(crate) shared: Arc<Shared>,
    pub(crate) account: Arc<Account>,
    pub(crate) source: Source,
    query: String,
    pub(crate) body: Bytes,
}

impl FromRequest<Arc<Shared>> for ControlRequest {
    type Rejection = ProviderError;

    async fn from_request(request: Request, shared: &Arc<Shared>) -> ProviderResult<Self> {
        let (parts, body) = request.into_parts();
        let source = Source::of(&shared.options, &parts.headers);
        source.admit(&parts.method)?;
        let query = parts.uri.query().unwrap_or_default().to_owned();
        let account = match query_string::get(&query, "account") {
            Some(sid) => shared.account(&sid).filter(|account| account.sid() == sid),
            None => shared.first(),
        };
        let account = account.ok_or_else(|| ProviderError::plain(404, "no such account"))?;
        let body = read(body, &shared.options).await?;
        Ok(Self { shared: Arc::clone(shared), account, source, query, body })
    }
}

impl ControlRequest {
    pub(crate) fn param(&self, name: &str) -> Option<String> {
        query_string::get(&self.query, name)
    }

    pub(crate) fn number(&self, name: &str) -> ProviderResult<Option<u64>> {
        let bad = || ProviderError::plain(400, format!("`{name}` must be an integer of 0 or more"));
        self.param(name).map(|text| text.parse().map_err(|_| bad().at(name))).transpose()
    }

    /// The parameter `wait`: a length of time, at most 5 minutes.
    pub(crate) fn wait(&self) -> ProviderResult<Duration> {
        let Some(text) = self.param("wait") else { return Ok(Duration::ZERO) };
        let length = parse_length(&text).ok_or_else(|| {
            ProviderError::plain(400, "`wait` must be a length of time, such as 5s").at("wait")
        })?;
        Ok(Duration::from_millis(length.min(MAX_WAIT)))
    }

    /// The body as JSON; an error names the member.
    pub(crate) fn read<T: serde::de::DeserializeOwned>(&self) -> ProviderResult<T> {
        let body = if self.body.is_empty() { b"{}".as_slice() } else { &self.body };
        let mut json = serde_json::Deserializer::from_slice(body);
        let value = serde_path_to_error::deserialize(&mut json).map_err(|error| invalid_body(&error))?;
        json.end().map_err(|error| ProviderError::plain(400, error.to_string()))?;
        Ok(value)
    }

    /// Fires the timers that are due and delivers their callbacks, before the response is sent.
    pub(crate) async fn settle(&self) {
        let now = self.account.state().clock.now();
        crate::scheduler::advance(&self.shared, &self.account, now).await;
    }
}

/// The error of a body, with a JSON pointer to the member if the text is JSON.
fn invalid_body(error: &serde_path_to_error::Error<serde_json::Error>) -> ProviderError {
    use serde_path_to_error::Segment;
    let text = error.inner().to_string();
    let rejection = ProviderError::plain(400, requirement(&text));
    if error.inner().classify() != serde_json::error::Category::Data {
        return rejection;
    }
    let mut pointer: String = error
        .path()
        .iter()
        .filter_map(|segment| match segment {
            Segment::Map { key } => Some(format!("/{}", key.replace('~', "~0").replace('/', "~1"))),
            Segment::Seq { index } => Some(format!("/{index}")),
            Segment::Enum { .. } | Segment::Unknown => None,
        })
        .collect();
    // serde reports an absent member at the object that lacks it.
    let absent = text.strip_prefix("missing field `").and_then(|rest| rest.split_once('`'));
    if let Some((name, _)) = absent {
        pointer.push('/');
        pointer.push_str(name);
    }
    rejection.at(pointer)
}

/// The requirement of a member, from serde's text without its quoted input and its line numbers.
fn requirement(text: &str) -> String {
    let text = text.split(" at line ").next().unwrap_or(text);
    let name = |rest: &str| rest.split('`').next().unwrap_or_default().to_owned();
    if let Some(rest) = text.strip_prefix("missing field `") {
        return format!("`{}` is required", name(rest));
    }
    let Some((found, expected)) = text.split_once(", expected ") else { return text.to_owned() };
    if found.starts_with("unknown field") {
        return format!("unknown field; expected {expected}");
    }
    let expected = match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "an integer of 0 or more",
        "f64" => "a number",
        "a sequence" => "a list",
        "a map" => "an object",
        expected => expected,
    };
    format!("must be {expected}")
}

/// The handler of the prefix itself, with and without a slash.
pub(crate) fn overview() -> MethodRouter<Arc<Shared>> {
    get(async |request: ControlRequest| queries::overview(&request))
}

/// The routes of the control API, without their prefix.
pub(crate) fn routes() -> Router<Arc<Shared>> {
    type Sid = Path<String>;
    Router::new()
        .route("/", overview())
        .route("/health", get(async || ok(&json!({"ok": true}))))
        .route("/inbox", get(async |request: ControlRequest| ok(&inbox_view::page(&request.shared))))
        .route(
            "/accounts",
            get(async |request: ControlRequest| accounts::list(&request))
                .post(async |request: ControlRequest| accounts::open(&request)),
        )
        .route(
            "/accounts/{sid}",
            get(async |Path(sid): Sid, request: ControlRequest| accounts::get(&request, &sid))
                .put(async |Path(sid): Sid, request: ControlRequest| accounts::put(&request, &sid)),
        )
        .route(
            "/messages",
            get(async |request: ControlRequest| message_search::messages(&request).await)
                .merge(delete(async |request: ControlRequest| actions::delete_messages(&request))),
        )
        .route("/phones", get(async |request: ControlRequest| message_search::phones(&request)))
        .route("/campaigns", get(async |request: ControlRequest| queries::campaigns(&request)))
        .route(
            "/messages/{id}",
            get(async |Path(id): Sid, request: ControlRequest| message_search::message(&request, &id))
                .delete(async |Path(id): Sid, request: ControlRequest| {
                    actions::delete_message(&request, &id)
                }),
        )
        .route(
            "/messages/{id}/status",
            post(async |Path(id): Sid, request: ControlRequest| actions::status(&request, &id).await),
        )
        .route("/ledger", get(async |request: ControlRequest| queries::ledger(&request)))
        .route(
            "/clock",
            get(async |request: ControlRequest| actions::clock(&request))
                .post(async |request: ControlRequest| actions::advance(&request).await),
        )
        .route(
            "/faults",
            get(async |request: ControlRequest| actions::faults(&request))
                .put(async |request: ControlRequest| actions::set_faults(&request))
                .post(async |request: ControlRequest| actions::add_faults(&request))
                .merge(delete(async |request: ControlRequest| actions::clear_faults(&request))),
        )
        .route("/faults/presets", get(async || ok(&json!({"presets": fault_presets::all()}))))
        .route("/inbound", post(async |request: ControlRequest| actions::inbound(&request).await))
        .route(
            "/webhook-events",
            post(async |request: ControlRequest| actions::webhook_event(&request).await),
        )
        .route("/media", put(async |request: ControlRequest| actions::media(&request)))
        .route(
            "/workflows/{sid}/run",
            post(async |Path(sid): Sid, request: ControlRequest| actions::workflow(&request, &sid)),
        )
        .route("/limits", get(async |request: ControlRequest| queries::limits(&request)))
        .route("/statistics", get(async |request: ControlRequest| queries::statistics(&request)))
        .route("/events", get(async |request: ControlRequest| queries::events(&request).await))
        .route("/requests", get(async |request: ControlRequest| queries::requests(&request)))
        .route("/callbacks", get(async |request: ControlRequest| queries::callbacks(&request).await))
        .route(
            "/callbacks/{n}/replay",
            post(async |Path(number): Sid, request: ControlRequest| actions::replay(&request, &number).await),
        )
        .route("/stream", get(async |request: ControlRequest| event_stream::open(&request)))
        .route("/openapi.json", get(async || response(200, JSON, OPENAPI)))
        .route("/magic", get(async || ok(&crate::magic_numbers::table())))
        .route("/reset", post(async |request: ControlRequest| actions::reset(&request)))
        .method_not_allowed_fallback(async |_: ControlRequest| {
            ProviderError::plain(405, "this path does not support this method")
        })
        .fallback(async |_: ControlRequest| ProviderError::plain(404, "the sandbox has no such page"))
}
