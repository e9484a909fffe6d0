//! Everything as it happens, as server-sent events: `message`, `update` (a message that changed), `event`, `attempt`,
//! `request`, `clock` (a virtual clock that moved), `reset`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::{Order, view};
use crate::account::Account;
use crate::clock::ClockMode;
use crate::guard::Source;
use crate::provider_error::Outcome;
use crate::reply::Reply;
use crate::state::State;
use crate::time::iso;

/// How far a listener has seen.
#[derive(Debug, Clone, Default)]
struct Seen {
    messages: u64,
    events: u64,
    attempts: u64,
    requests: u64,
    clock: u64,
    /// Whether the listener may see what targets of callbacks answered.
    own: bool,
    /// The messages that may still change, as they were shown last.
    open: BTreeMap<u64, Value>,
}

/// A comment keeps the connection alive and finds out that the listener is gone.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// How many messages are watched for changes; the oldest are let go first.
const WATCHED: usize = 500;

type News = Vec<(&'static str, Value)>;

pub(super) fn open(order: &Order<'_>) -> Outcome<Reply> {
    let (sender, receiver) = mpsc::channel(64);
    let from_start = order.param("from").as_deref() == Some("start");
    let mut seen = if from_start { Seen::default() } else { Seen::now(&order.account.state()) };
    seen.own = order.source == Source::Own;
    let account = Arc::clone(&order.account);
    let base = order.shared.base().to_owned();
    order.shared.spawn(async move { follow(&account, seen, &base, &sender).await });
    Ok(Reply::stream("text/event-stream", receiver).header("cache-control", "no-store"))
}

async fn follow(account: &Arc<Account>, mut seen: Seen, base: &str, sender: &mpsc::Sender<Bytes>) {
    if sender.send(Bytes::from_static(b": open\n\n")).await.is_err() {
        return;
    }
    loop {
        let changed = account.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        let (news, pause) = {
            let state = account.state();
            let news = seen.news(&state, base);
            (news, seen.pause(&state))
        };
        for (kind, value) in news {
            let text = format!("event: {kind}\ndata: {value}\n\n");
            if sender.send(Bytes::from(text)).await.is_err() {
                return;
            }
        }
        let quiet = timeout(pause, changed).await.is_err();
        if sender.is_closed() || quiet && sender.send(Bytes::from_static(b": quiet\n\n")).await.is_err() {
            return;
        }
    }
}

impl Seen {
    fn now(state: &State) -> Self {
        let mut seen = Self::default();
        seen.reach(state);
        let now = state.clock.now();
        for (number, message) in state.messages.iter().rev().take(WATCHED) {
            if view::is_open(state, message, now) {
                seen.open.insert(number, view::message(state, number, message, now));
            }
        }
        seen
    }

    fn reach(&mut self, state: &State) {
        self.messages = state.messages.next();
        self.events = state.events.next();
        self.attempts = state.callbacks.attempts.next();
        self.requests = state.requests.next();
        self.clock = state.clock.now();
    }

    fn news(&mut self, state: &State, base: &str) -> News {
        let now = state.clock.now();
        let mut news = News::new();
        if state.messages.next() < self.messages || state.requests.next() < self.requests {
            news.push(("reset", json!({"now": iso(now)})));
            *self = Self { clock: self.clock, own: self.own, ..Self::default() };
        }
        if state.clock.mode() == ClockMode::Virtual && now != self.clock {
            news.push(("clock", json!({"now": iso(now), "ms": now})));
        }
        self.updates(state, now, &mut news);
        for (number, message) in state.messages.since(self.messages) {
            let shown = view::message(state, number, message, now);
            if view::is_open(state, message, now) {
                self.open.insert(number, shown.clone());
            }
            news.push(("message", shown));
        }
        while self.open.len() > WATCHED {
            self.open.pop_first();
        }
        news.extend(state.events.since(self.events).map(|(n, one)| ("event", one.show(n))));
        let attempts = state.callbacks.attempts.since(self.attempts);
        news.extend(attempts.map(|(n, one)| ("attempt", one.show(n, self.own))));
        news.extend(state.requests.since(self.requests).map(|(n, one)| ("request", one.show(n, base))));
        self.reach(state);
        news
    }

    /// The watched messages that are not as they were.
    fn updates(&mut self, state: &State, now: u64, news: &mut News) {
        self.open.retain(|number, last| {
            let Some(message) = state.messages.get(*number) else { return false };
            let shown = view::message(state, *number, message, now);
            if shown != *last {
                news.push(("update", shown.clone()));
                *last = shown;
            }
            view::is_open(state, message, now)
        });
    }

    /// How long nothing can change unless something happens.
    fn pause(&self, state: &State) -> Duration {
        if state.clock.mode() == ClockMode::Virtual {
            return KEEP_ALIVE;
        }
        let now = state.clock.now();
        let due = |number: &u64| state.messages.get(*number)?.settles.map(|(at, _)| at.saturating_sub(now));
        let soonest = self.open.keys().filter_map(due).min();
        soonest.map_or(KEEP_ALIVE, |wait| Duration::from_millis(wait.max(1)).min(KEEP_ALIVE))
    }
}
