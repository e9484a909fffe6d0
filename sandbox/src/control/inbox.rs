//! The inbox: messages as the phones have them.

use axum::response::Response;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::Order;
use crate::account::Account;
use crate::body::ok;
use crate::message::Message;
use crate::provider_error::{Outcome, ProviderError};
use crate::time::parse_length;

/// Which messages are wanted; what is absent matches all.
#[derive(Debug, Clone, Default)]
struct Filter {
    to: Option<String>,
    from: Option<String>,
    contains: Option<String>,
    channel: Option<String>,
    id: Option<String>,
    inbound: Option<bool>,
    /// Running number of the first message wanted.
    since: u64,
}

/// The longest that `wait` may take.
const LONGEST: u64 = 300_000;

impl Filter {
    fn of(order: &Order) -> Outcome<Self> {
        Ok(Self {
            to: order.param("to").map(|to| to.trim_start_matches(['+', ' ']).to_owned()),
            from: order.param("from"),
            contains: order.param("contains"),
            channel: order.param("channel"),
            id: order.param("id"),
            inbound: match order.param("direction").as_deref() {
                None => None,
                Some("in") => Some(true),
                Some("out") => Some(false),
                Some(_) => return Err(ProviderError::plain(400, "`direction` must be \"in\" or \"out\"")),
            },
            since: order.number("since")?.unwrap_or_default(),
        })
    }

    fn fits(&self, message: &Message) -> bool {
        let is =
            |wanted: &Option<String>, given: &str| wanted.as_deref().is_none_or(|wanted| wanted == given);
        message.status != "deleted"
            && is(&self.to, &message.to)
            && is(&self.from, &message.from)
            && is(&self.channel, message.channel)
            && self.inbound.is_none_or(|inbound| inbound == message.inbound)
            && self.contains.as_deref().is_none_or(|part| message.text.contains(part))
            && self.id.as_deref().is_none_or(|id| message.is(id))
    }
}

/// The messages that fit, newest last, at most `limit` of the newest; waits until there is one.
async fn find(account: &Arc<Account>, filter: &Filter, limit: usize, wait: Duration) -> Vec<Value> {
    let deadline = Instant::now() + wait;
    loop {
        let changed = account.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        let mut found: Vec<Value> = {
            let state = account.state();
            let now = state.clock.now();
            let fitting =
                state.messages.since(filter.since).rev().filter(|(_, message)| filter.fits(message));
            fitting
                .take(limit)
                .map(|(number, message)| super::view::message(&state, number, message, now))
                .collect()
        };
        found.reverse();
        if !found.is_empty() || timeout_at(deadline, changed).await.is_err() {
            return found;
        }
    }
}

pub(super) async fn messages(order: &Order) -> Outcome<Response> {
    let filter = Filter::of(order)?;
    let limit = order.number("limit")?.unwrap_or(100).min(10_000) as usize;
    let wait = match order.param("wait") {
        None => 0,
        Some(text) => parse_length(&text)
            .ok_or_else(|| ProviderError::plain(400, "`wait` must be a length of time, such as 5s"))?
            .min(LONGEST),
    };
    let found = find(&order.account, &filter, limit, Duration::from_millis(wait)).await;
    let state = order.account.state();
    Ok(ok(&json!({
        "messages": found,
        "total": state.messages.next(),
        "evicted": state.messages.evicted(),
    })))
}
