//! The control plane below `/_sandbox/`: what a test or a person does to the sandbox.

mod inbox;
mod oracle;

use std::sync::Arc;

use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use serde_json::json;

use crate::account::Account;
use crate::query;
use crate::refusal::{Outcome, Refusal};
use crate::reply::Reply;
use crate::shared::Shared;

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
}

pub(crate) async fn answer(shared: &Arc<Shared>, request: hyper::Request<Incoming>) -> Reply {
    let (parts, body) = request.into_parts();
    let body = Limited::new(body, 64 * 1024 * 1024).collect().await;
    let body = body.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let query = parts.uri.query().unwrap_or_default();
    let account = match query::get(query, "account") {
        Some(sid) => shared.account(&sid).filter(|account| account.sid() == sid),
        None => shared.first(),
    };
    let outcome = match account {
        Some(account) => {
            let order = Order { shared, account, query, body: &body };
            let path = parts.uri.path();
            route(&order, parts.method.as_str(), path.strip_prefix("/_sandbox").unwrap_or(path)).await
        }
        None => Err(Refusal::plain(404, "no such account")),
    };
    outcome.unwrap_or_else(|refusal| refusal.reply(None, &shared.options))
}

async fn route(order: &Order<'_>, method: &str, path: &str) -> Outcome<Reply> {
    match (method, path.trim_end_matches('/')) {
        ("GET", "/messages") => inbox::messages(order).await,
        ("GET", "/ledger") => oracle::ledger(order),
        ("GET", "/magic") => Ok(Reply::ok(&crate::magic::table())),
        ("GET", "/health") => Ok(Reply::ok(&json!({"ok": true}))),
        _ => Err(Refusal::plain(404, "no such page of the sandbox")),
    }
}
