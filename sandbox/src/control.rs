//! The control plane below `/_sandbox/`: what a test or a person does to the sandbox.

mod accounts;
mod inbox;
mod oracle;
mod play;
mod stream;
mod view;
mod watch;

use std::sync::Arc;

use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use serde_json::json;

use crate::account::Account;
use crate::query;
use crate::refusal::{Outcome, Refusal};
use crate::reply::{JSON, Reply};
use crate::shared::Shared;

/// The provider's interface as OpenAPI, generated from the list of operations.
const OPENAPI: &str = include_str!("../openapi.json");

/// A request to the control plane.
pub(crate) struct Order<'a> {
    pub(crate) shared: &'a Arc<Shared>,
    pub(crate) account: Arc<Account>,
    pub(crate) query: &'a str,
    pub(crate) body: &'a [u8],
}

impl Order<'_> {
    pub(crate) fn param(&self, name: &str) -> Option<String> {
        query::get(self.query, name)
    }

    pub(crate) fn number(&self, name: &str) -> Outcome<Option<u64>> {
        let bad = || Refusal::plain(400, format!("`{name}` is a number"));
        self.param(name).map(|text| text.parse().map_err(|_| bad())).transpose()
    }

    /// The body as JSON.
    pub(crate) fn read<T: serde::de::DeserializeOwned>(&self) -> Outcome<T> {
        let body = if self.body.is_empty() { b"{}".as_slice() } else { self.body };
        serde_json::from_slice(body).map_err(|error| Refusal::plain(400, error.to_string()))
    }

    /// Delivers what is due now, so that the answer comes after the callbacks.
    pub(crate) async fn settle(&self) {
        let now = self.account.state().clock.now();
        crate::pump::advance(self.shared, &self.account, now).await;
    }
}

/// Answers over HTTP.
pub(crate) async fn answer(shared: &Arc<Shared>, request: hyper::Request<Incoming>) -> Reply {
    let (parts, body) = request.into_parts();
    let body = Limited::new(body, 64 * 1024 * 1024).collect().await;
    let body = body.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let (path, query) = (parts.uri.path(), parts.uri.query().unwrap_or_default());
    match path.strip_prefix("/_sandbox") {
        Some(path) => call(shared, parts.method.as_str(), path, query, &body).await,
        None => crate::files::page(shared, parts.method.as_str(), path)
            .unwrap_or_else(|refusal| refusal.reply(None, &shared.options)),
    }
}

/// Answers any call, from HTTP or from the same process.
pub(crate) async fn call(shared: &Arc<Shared>, method: &str, path: &str, query: &str, body: &[u8]) -> Reply {
    let account = match query::get(query, "account") {
        Some(sid) => shared.account(&sid).filter(|account| account.sid() == sid),
        None => shared.first(),
    };
    let outcome = match account {
        Some(account) => route(&Order { shared, account, query, body }, method, path).await,
        None => Err(Refusal::plain(404, "no such account")),
    };
    outcome.unwrap_or_else(|refusal| refusal.reply(None, &shared.options))
}

async fn route(order: &Order<'_>, method: &str, path: &str) -> Outcome<Reply> {
    let path = path.trim_end_matches('/');
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    match (method, parts.as_slice()) {
        ("GET", [] | [""]) => Ok(watch::overview(order)),
        ("GET", ["health"]) => Ok(Reply::ok(&json!({"ok": true}))),
        ("GET", ["inbox"]) => Ok(Reply::ok(&view::page(order.shared))),
        ("GET", ["accounts"]) => Ok(accounts::list(order)),
        ("POST", ["accounts"]) => Ok(accounts::open(order)),
        ("GET", ["accounts", sid]) => accounts::get(order, sid),
        ("PUT", ["accounts", sid]) => accounts::put(order, sid),
        ("GET", ["messages"]) => inbox::messages(order).await,
        ("POST", ["messages", id, "status"]) => play::status(order, id).await,
        ("GET", ["ledger"]) => oracle::ledger(order),
        ("GET", ["clock"]) => Ok(play::clock(order)),
        ("POST", ["clock"]) => play::advance(order).await,
        ("GET", ["faults"]) => Ok(play::faults(order)),
        ("PUT", ["faults"]) => play::set_faults(order),
        ("DELETE", ["faults"]) => Ok(play::clear_faults(order)),
        ("POST", ["inbound"]) => play::inbound(order).await,
        ("POST", ["webhook-events"]) => play::webhook_event(order).await,
        ("PUT", ["media"]) => play::media(order),
        ("POST", ["workflows", sid, "run"]) => play::workflow(order, sid).await,
        ("GET", ["limits"]) => Ok(watch::limits(order)),
        ("GET", ["statistics"]) => Ok(watch::statistics(order)),
        ("GET", ["events"]) => watch::events(order).await,
        ("GET", ["requests"]) => watch::requests(order),
        ("GET", ["callbacks"]) => watch::callbacks(order).await,
        ("GET", ["stream"]) => stream::open(order),
        ("GET", ["openapi.json"]) => Ok(Reply::new(200, JSON, OPENAPI)),
        ("GET", ["magic"]) => Ok(Reply::ok(&crate::magic::table())),
        ("POST", ["reset"]) => Ok(play::reset(order)),
        _ => Err(Refusal::plain(404, "no such page of the sandbox")),
    }
}
