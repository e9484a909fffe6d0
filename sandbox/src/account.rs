//! An account: an inbox with its own clock, limits, faults, keys and allowed addresses.

use std::sync::{Mutex, MutexGuard, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::sync::Notify;

use crate::account_state::State;
use crate::ledger::Ledger;
use crate::options::Options;
use crate::random::Random;

/// The credentials of an account. `Debug` shows none of the keys.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Credentials {
    /// The account identifier: `AC…`.
    pub account_sid: String,
    /// The key of the families `otp` and `lookup`.
    pub api_key: String,
    /// The key of the families `sms` and `messaging`.
    pub sms_key: String,
    /// The traffic account of the family `messaging`.
    pub traffic_account_id: String,
    /// The token of `messenger_b`.
    pub messenger_b_token: String,
    /// The bot of `messenger_c`, with its token.
    pub bot_id: String,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials").field("account_sid", &self.account_sid).finish_non_exhaustive()
    }
}

impl Credentials {
    pub(crate) fn new(random: &mut Random) -> Self {
        Self {
            account_sid: random.sid("AC"),
            api_key: random.hex(),
            sms_key: random.hex(),
            traffic_account_id: random.uuid(),
            messenger_b_token: random.hex(),
            bot_id: format!("bot{}:{}", random.below(1_000_000_000), random.hex()),
        }
    }

    /// The value of the `Authorization` header of the family `otp`.
    #[must_use]
    pub fn basic(&self) -> String {
        format!("Basic {}", STANDARD.encode(format!("{}:{}", self.account_sid, self.api_key)))
    }
}

pub(crate) struct Account {
    pub(crate) credentials: Credentials,
    pub(crate) email: String,
    state: Mutex<State>,
    /// Notified when messages, events or callbacks change.
    pub(crate) changed: Notify,
    /// Notified when a timer is set.
    pub(crate) scheduled: Notify,
    /// Held by the task that moves the clock.
    pub(crate) moving: tokio::sync::Mutex<()>,
}

impl Account {
    pub(crate) fn new(
        credentials: Credentials,
        options: &Options,
        random: &mut Random,
        ledger: Ledger,
    ) -> Self {
        let number = credentials.account_sid.get(2..8).unwrap_or_default();
        let mut state = State::new(options, random.child());
        state.ledger = ledger;
        Self {
            email: format!("{number}@sandbox.invalid"),
            state: Mutex::new(state),
            credentials,
            changed: Notify::new(),
            scheduled: Notify::new(),
            moving: tokio::sync::Mutex::new(()),
        }
    }

    pub(crate) fn sid(&self) -> &str {
        &self.credentials.account_sid
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the listeners for changes and the scheduler.
    pub(crate) fn notify(&self) {
        self.changed.notify_waiters();
        self.scheduled.notify_one();
    }

    /// Deletes the account's data; its keys, settings and clock stay.
    pub(crate) fn reset(&self, options: &Options) {
        let mut state = self.state();
        let random = state.random.child();
        let mut fresh = State::new(options, random);
        std::mem::swap(&mut fresh.settings, &mut state.settings);
        std::mem::swap(&mut fresh.clock, &mut state.clock);
        std::mem::swap(&mut fresh.ledger, &mut state.ledger);
        fresh.ledger.clear();
        let old = std::mem::replace(&mut *state, fresh);
        drop(state);
        drop(old);
        self.changed.notify_waiters();
    }
}
