//! The control plane below `/_sandbox/`: what a test or a person does to the sandbox.

mod accounts;
mod actions;
mod control_view;
mod event_stream;
mod inbox;
mod presets;
mod queries;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{FromRequest, Path, Request};
use axum::routing::{MethodRouter, delete, get, post, put};
use serde_json::json;

use crate::account::Account;
use crate::origin_check::Source;
use crate::provider_error::{Outcome, ProviderError};
use crate::query;
use crate::response_body::{JSON, ok, read, response};
use crate::shared::Shared;

/// The provider's interface as OpenAPI, generated from the list of operations.
const OPENAPI: &str = include_str!("../openapi.json");

/// A request to the control plane.
pub(crate) struct ControlRequest {
    pub(crate) shared: Arc<Shared>,
    pub(crate) account: Arc<Account>,
    pub(crate) source: Source,
    query: String,
    pub(crate) body: Bytes,
}

impl FromRequest<Arc<Shared>> for ControlRequest {
    type Rejection = ProviderError;

    async fn from_request(request: Request, shared: &Arc<Shared>) -> Outcome<Self> {
        let (parts, body) = request.into_parts();
        let source = Source::of(&shared.options, &parts.headers);
        source.admit(&parts.method)?;
        let query = parts.uri.query().unwrap_or_default().to_owned();
        let account = match query::get(&query, "account") {
            Some(sid) => shared.account(&sid).filter(|account| account.sid() == sid),
            None => shared.first(),
        };
        let account = account.ok_or_else(|| ProviderError::plain(404, "no such account"))?;
        Ok(Self { shared: Arc::clone(shared), account, source, query, body: read(body).await? })
    }
}

impl ControlRequest {
    pub(crate) fn param(&self, name: &str) -> Option<String> {
        query::get(&self.query, name)
    }

    pub(crate) fn number(&self, name: &str) -> Outcome<Option<u64>> {
        let bad = || ProviderError::plain(400, format!("`{name}` must be an integer of 0 or more"));
        self.param(name).map(|text| text.parse().map_err(|_| bad().at(name))).transpose()
    }

    /// The body as JSON; an error names the member.
    pub(crate) fn read<T: serde::de::DeserializeOwned>(&self) -> Outcome<T> {
        let body = if self.body.is_empty() { b"{}".as_slice() } else { &self.body };
        let mut json = serde_json::Deserializer::from_slice(body);
        let value = serde_path_to_error::deserialize(&mut json).map_err(|error| invalid_body(&error))?;
        json.end().map_err(|error| ProviderError::plain(400, error.to_string()))?;
        Ok(value)
    }

    /// Fires what is due now, so that the response comes after its callbacks.
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

/// What a member must be, from the text of serde, which quotes input and counts lines of the body.
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

/// The page at the prefix itself, with and without a slash.
pub(crate) fn overview() -> MethodRouter<Arc<Shared>> {
    get(async |order: ControlRequest| queries::overview(&order))
}

/// The routes of the control plane, without their prefix.
pub(crate) fn routes() -> Router<Arc<Shared>> {
    type Sid = Path<String>;
    Router::new()
        .route("/", overview())
        .route("/health", get(async || ok(&json!({"ok": true}))))
        .route("/inbox", get(async |order: ControlRequest| ok(&control_view::page(&order.shared))))
        .route(
            "/accounts",
            get(async |order: ControlRequest| accounts::list(&order))
                .post(async |order: ControlRequest| accounts::open(&order)),
        )
        .route(
            "/accounts/{sid}",
            get(async |Path(sid): Sid, order: ControlRequest| accounts::get(&order, &sid))
                .put(async |Path(sid): Sid, order: ControlRequest| accounts::put(&order, &sid)),
        )
        .route("/messages", get(async |order: ControlRequest| inbox::messages(&order).await))
        .route("/phones", get(async |order: ControlRequest| inbox::phones(&order)))
        .route("/campaigns", get(async |order: ControlRequest| queries::campaigns(&order)))
        .route(
            "/messages/{id}/status",
            post(async |Path(id): Sid, order: ControlRequest| actions::status(&order, &id).await),
        )
        .route("/ledger", get(async |order: ControlRequest| queries::ledger(&order)))
        .route(
            "/clock",
            get(async |order: ControlRequest| actions::clock(&order))
                .post(async |order: ControlRequest| actions::advance(&order).await),
        )
        .route(
            "/faults",
            get(async |order: ControlRequest| actions::faults(&order))
                .put(async |order: ControlRequest| actions::set_faults(&order))
                .merge(delete(async |order: ControlRequest| actions::clear_faults(&order))),
        )
        .route("/faults/presets", get(async || ok(&json!({"presets": presets::all()}))))
        .route("/inbound", post(async |order: ControlRequest| actions::inbound(&order).await))
        .route("/webhook-events", post(async |order: ControlRequest| actions::webhook_event(&order).await))
        .route("/media", put(async |order: ControlRequest| actions::media(&order)))
        .route(
            "/workflows/{sid}/run",
            post(async |Path(sid): Sid, order: ControlRequest| actions::workflow(&order, &sid)),
        )
        .route("/limits", get(async |order: ControlRequest| queries::limits(&order)))
        .route("/statistics", get(async |order: ControlRequest| queries::statistics(&order)))
        .route("/events", get(async |order: ControlRequest| queries::events(&order).await))
        .route("/requests", get(async |order: ControlRequest| queries::requests(&order)))
        .route("/callbacks", get(async |order: ControlRequest| queries::callbacks(&order).await))
        .route(
            "/callbacks/{n}/replay",
            post(async |Path(number): Sid, order: ControlRequest| actions::replay(&order, &number).await),
        )
        .route("/stream", get(async |order: ControlRequest| event_stream::open(&order)))
        .route("/openapi.json", get(async || response(200, JSON, OPENAPI)))
        .route("/magic", get(async || ok(&crate::magic_numbers::table())))
        .route("/reset", post(async |order: ControlRequest| actions::reset(&order)))
        .method_not_allowed_fallback(async |_: ControlRequest| {
            ProviderError::plain(405, "this page has another method")
        })
        .fallback(async |_: ControlRequest| ProviderError::plain(404, "no such page of the sandbox"))
}
