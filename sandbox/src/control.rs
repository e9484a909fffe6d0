//! The control plane below `/_sandbox/`: what a test or a person does to the sandbox.

mod accounts;
mod actions;
mod event_stream;
mod inbox;
mod oracle;
mod queries;
mod view;

use std::sync::Arc;

use hyper::body::Incoming;
use serde_json::json;

use crate::account::Account;
use crate::guard::Source;
use crate::handlers::Later;
use crate::provider_error::{Outcome, ProviderError};
use crate::query;
use crate::reply::{JSON, Reply};
use crate::shared::Shared;

/// The provider's interface as OpenAPI, generated from the list of operations.
const OPENAPI: &str = include_str!("../openapi.json");

/// A request to the control plane.
pub(crate) struct Order<'a> {
    pub(crate) shared: &'a Arc<Shared>,
    pub(crate) account: Arc<Account>,
    pub(crate) source: Source,
    pub(crate) query: &'a str,
    pub(crate) body: &'a [u8],
}

impl Order<'_> {
    pub(crate) fn param(&self, name: &str) -> Option<String> {
        query::get(self.query, name)
    }

    pub(crate) fn number(&self, name: &str) -> Outcome<Option<u64>> {
        let bad = || ProviderError::plain(400, format!("`{name}` is a number"));
        self.param(name).map(|text| text.parse().map_err(|_| bad())).transpose()
    }

    /// The body as JSON.
    pub(crate) fn read<T: serde::de::DeserializeOwned>(&self) -> Outcome<T> {
        let body = if self.body.is_empty() { b"{}".as_slice() } else { self.body };
        serde_json::from_slice(body).map_err(|error| ProviderError::plain(400, error.to_string()))
    }

    /// Delivers what is due now, so that the answer comes after the callbacks.
    pub(crate) async fn settle(&self) {
        let now = self.account.state().clock.now();
        crate::scheduler::advance(self.shared, &self.account, now).await;
    }
}

/// Answers over HTTP.
pub(crate) async fn answer(shared: &Arc<Shared>, request: hyper::Request<Incoming>) -> Reply {
    let (parts, body) = request.into_parts();
    let source = Source::of(&shared.options, &parts.headers);
    if let Err(refusal) = source.admit(&parts.method) {
        return refusal.reply(None, &shared.options);
    }
    let body = match crate::exchange::read(body).await {
        Ok(body) => body,
        Err(refusal) => return refusal.reply(None, &shared.options),
    };
    let (path, query) = (parts.uri.path(), parts.uri.query().unwrap_or_default());
    match path.strip_prefix("/_sandbox") {
        Some(path) => call(shared, source, parts.method.as_str(), path, query, &body).await,
        None => crate::files::page(shared, parts.method.as_str(), path)
            .unwrap_or_else(|refusal| refusal.reply(None, &shared.options)),
    }
}

/// Answers any call, from HTTP or from the same process.
pub(crate) async fn call(
    shared: &Arc<Shared>,
    source: Source,
    method: &str,
    path: &str,
    query: &str,
    body: &[u8],
) -> Reply {
    let account = match query::get(query, "account") {
        Some(sid) => shared.account(&sid).filter(|account| account.sid() == sid),
        None => shared.first(),
    };
    let outcome = match account {
        Some(account) => route(&Order { shared, account, source, query, body }, method, path).await,
        None => Err(ProviderError::plain(404, "no such account")),
    };
    outcome.unwrap_or_else(|refusal| refusal.reply(None, &shared.options))
}

const METHODS: [&str; 4] = ["GET", "POST", "PUT", "DELETE"];

async fn route(order: &Order<'_>, method: &str, path: &str) -> Outcome<Reply> {
    let path = path.trim_end_matches('/');
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    if let Some(answer) = page(order, method, &parts) {
        return answer.await;
    }
    let allowed: Vec<&str> =
        METHODS.into_iter().filter(|method| page(order, method, &parts).is_some()).collect();
    if allowed.is_empty() {
        return Err(ProviderError::plain(404, "no such page of the sandbox"));
    }
    let mut refusal = ProviderError::plain(405, "this page has another method");
    refusal.allow = Some(allowed.join(", ").into());
    Err(refusal)
}

/// What a page will answer; nothing happens until it is awaited.
fn page<'a>(order: &'a Order<'a>, method: &str, parts: &'a [&'a str]) -> Option<Later<'a>> {
    let page: Later<'a> = match (method, parts) {
        ("GET", [] | [""]) => Box::pin(async { Ok(queries::overview(order)) }),
        ("GET", ["health"]) => Box::pin(async { Ok(Reply::ok(&json!({"ok": true}))) }),
        ("GET", ["inbox"]) => Box::pin(async { Ok(Reply::ok(&view::page(order.shared))) }),
        ("GET", ["accounts"]) => Box::pin(async { Ok(accounts::list(order)) }),
        ("POST", ["accounts"]) => Box::pin(async { Ok(accounts::open(order)) }),
        ("GET", ["accounts", sid]) => Box::pin(async move { accounts::get(order, sid) }),
        ("PUT", ["accounts", sid]) => Box::pin(async move { accounts::put(order, sid) }),
        ("GET", ["messages"]) => Box::pin(async { inbox::messages(order).await }),
        ("POST", ["messages", id, "status"]) => Box::pin(async move { actions::status(order, id).await }),
        ("GET", ["ledger"]) => Box::pin(async { oracle::ledger(order) }),
        ("GET", ["clock"]) => Box::pin(async { Ok(actions::clock(order)) }),
        ("POST", ["clock"]) => Box::pin(async { actions::advance(order).await }),
        ("GET", ["faults"]) => Box::pin(async { Ok(actions::faults(order)) }),
        ("PUT", ["faults"]) => Box::pin(async { actions::set_faults(order) }),
        ("DELETE", ["faults"]) => Box::pin(async { Ok(actions::clear_faults(order)) }),
        ("POST", ["inbound"]) => Box::pin(async { actions::inbound(order).await }),
        ("POST", ["webhook-events"]) => Box::pin(async { actions::webhook_event(order).await }),
        ("PUT", ["media"]) => Box::pin(async { actions::media(order) }),
        ("POST", ["workflows", sid, "run"]) => Box::pin(async move { actions::workflow(order, sid).await }),
        ("GET", ["limits"]) => Box::pin(async { Ok(queries::limits(order)) }),
        ("GET", ["statistics"]) => Box::pin(async { Ok(queries::statistics(order)) }),
        ("GET", ["events"]) => Box::pin(async { queries::events(order).await }),
        ("GET", ["requests"]) => Box::pin(async { queries::requests(order) }),
        ("GET", ["callbacks"]) => Box::pin(async { queries::callbacks(order).await }),
        ("GET", ["stream"]) => Box::pin(async { event_stream::open(order) }),
        ("GET", ["openapi.json"]) => Box::pin(async { Ok(Reply::new(200, JSON, OPENAPI)) }),
        ("GET", ["magic"]) => Box::pin(async { Ok(Reply::ok(&crate::magic::table())) }),
        ("POST", ["reset"]) => Box::pin(async { Ok(actions::reset(order)) }),
        _ => return None,
    };
    Some(page)
}
