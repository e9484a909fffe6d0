//! The event stream: server-sent events of the kinds `message`, `update` (a message that changed), `event`, `attempt`,
//! `request`, `deleted` (a message that was deleted from the inbox), `clock` (a virtual clock that moved) and `reset`.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use serde_json::{Value, json};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use super::{ControlRequest, inbox_view};
use crate::account::Account;
use crate::account_state::State;
use crate::clock::ClockMode;
use crate::origin_check::Source;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::sandbox_state::{MAX_STREAMS, Shared};
use crate::time_text::iso;

/// A listener's position in each log.
#[derive(Debug, Clone, Default)]
struct Seen {
    messages: u64,
    deleted: u64,
    events: u64,
    attempts: u64,
    requests: u64,
    clock: u64,
    /// Whether the listener may see the responses of callback targets.
    own: bool,
    /// The messages that may still change, as they were shown last.
    open: BTreeMap<u64, Value>,
}

/// The interval of the comments that keep a connection alive and detect that its listener has left.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// How many messages are watched for changes; the oldest are dropped first.
const WATCHED: usize = 500;

type News = Vec<(&'static str, Value)>;

/// A listener. It reads the state only when its connection can write.
struct Listener {
    shared: Arc<Shared>,
    account: Arc<Account>,
    seen: Seen,
    waiting: VecDeque<Event>,
    _permit: OwnedSemaphorePermit,
}

pub(super) fn open(request: &ControlRequest) -> ProviderResult<Response> {
    let permit = Arc::clone(&request.shared.streams).try_acquire_owned().map_err(|_| {
        let message = format!("at most {MAX_STREAMS} event streams at a time: close one [sandbox]");
        ProviderError::plain(503, message).retry_after(1)
    })?;
    let from_start = request.param("from").as_deref() == Some("start");
    let mut seen = if from_start { Seen::default() } else { Seen::now(&request.account.state()) };
    seen.own = request.source == Source::Own;
    let listener = Listener {
        shared: Arc::clone(&request.shared),
        account: Arc::clone(&request.account),
        seen,
        waiting: VecDeque::from([Event::default().comment("open")]),
        _permit: permit,
    };
    let events = unfold(listener, async |mut listener| {
        let event = listener.next().await;
        Some((Ok::<_, Infallible>(event), listener))
    });
    Ok(Sse::new(events).into_response())
}

impl Listener {
    async fn next(&mut self) -> Event {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return event;
            }
            let changed = self.account.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            let (news, pause) = {
                let state = self.account.state();
                let news = self.seen.news(&state, self.shared.base());
                (news, self.seen.pause(&state))
            };
            if !news.is_empty() {
                let events = news
                    .into_iter()
                    .map(|(kind, value)| Event::default().event(kind).data(value.to_string()));
                self.waiting.extend(events);
            } else if timeout(pause, changed).await.is_err() {
                return Event::default().comment("quiet");
            }
        }
    }
}

impl Seen {
    fn now(state: &State) -> Self {
        let mut seen = Self::default();
        seen.reach(state);
        let now = state.clock.now();
        for (number, message) in state.messages.iter().rev().take(WATCHED) {
            if inbox_view::is_open(state, message, now) {
                seen.open.insert(number, inbox_view::message(state, number, message, now));
            }
        }
        seen
    }

    fn reach(&mut self, state: &State) {
        self.messages = state.messages.next();
        self.deleted = state.deleted_messages.next();
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
        news.extend(state.deleted_messages.since(self.deleted).map(|(_, n)| ("deleted", json!({"n": n}))));
        for (number, message) in state.messages.since(self.messages).filter(|(_, message)| !message.hidden) {
            let shown = inbox_view::message(state, number, message, now);
            if inbox_view::is_open(state, message, now) {
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

    /// Adds an update for each watched message that changed.
    fn updates(&mut self, state: &State, now: u64, news: &mut News) {
        self.open.retain(|number, last| {
            let Some(message) = state.messages.get(*number).filter(|message| !message.hidden) else {
                return false;
            };
            let shown = inbox_view::message(state, *number, message, now);
            if shown != *last {
                news.push(("update", shown.clone()));
                *last = shown;
            }
            inbox_view::is_open(state, message, now)
        });
    }

    /// The time until a watched message can change without a notification.
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
