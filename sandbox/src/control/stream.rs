//! Everything as it happens, as server-sent events: `message`, `event`, `attempt`, `request`.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::Order;
use crate::account::Account;
use crate::refusal::Outcome;
use crate::reply::Reply;

/// How far a listener has seen.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    messages: u64,
    events: u64,
    attempts: u64,
    requests: u64,
}

/// A comment keeps the connection alive and finds out that the listener is gone.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

pub(super) fn open(order: &Order<'_>) -> Outcome<Reply> {
    let (sender, receiver) = mpsc::channel(64);
    let seen =
        if order.param("from").as_deref() == Some("start") { Seen::default() } else { now(&order.account) };
    let account = Arc::clone(&order.account);
    let base = order.shared.base().to_owned();
    order.shared.spawn(async move { follow(&account, seen, &base, &sender).await });
    Ok(Reply::stream("text/event-stream", receiver).header("cache-control", "no-store"))
}

fn now(account: &Account) -> Seen {
    let state = account.state();
    Seen {
        messages: state.messages.next(),
        events: state.events.next(),
        attempts: state.callbacks.attempts.next(),
        requests: state.requests.next(),
    }
}

async fn follow(account: &Arc<Account>, mut seen: Seen, base: &str, sender: &mpsc::Sender<Bytes>) {
    if sender.send(Bytes::from_static(b": open\n\n")).await.is_err() {
        return;
    }
    loop {
        let changed = account.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        for (kind, value) in news(account, &mut seen, base) {
            let text = format!("event: {kind}\ndata: {value}\n\n");
            if sender.send(Bytes::from(text)).await.is_err() {
                return;
            }
        }
        let quiet = timeout(KEEP_ALIVE, changed).await.is_err();
        if sender.is_closed() || quiet && sender.send(Bytes::from_static(b": quiet\n\n")).await.is_err() {
            return;
        }
    }
}

fn news(account: &Account, seen: &mut Seen, base: &str) -> Vec<(&'static str, Value)> {
    let state = account.state();
    let time = state.clock.now();
    let mut news: Vec<(&'static str, Value)> = Vec::new();
    news.extend(state.messages.since(seen.messages).map(|(n, one)| ("message", one.show(n, time))));
    news.extend(state.events.since(seen.events).map(|(n, one)| ("event", one.show(n))));
    news.extend(state.callbacks.attempts.since(seen.attempts).map(|(n, one)| ("attempt", one.show(n))));
    news.extend(state.requests.since(seen.requests).map(|(n, one)| ("request", one.show(n, base))));
    drop(state);
    *seen = now(account);
    news
}
