//! Fires the timers of an account in order and delivers its callbacks.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::task::JoinSet;

use crate::account::Account;
use crate::callbacks::run_attempt;
use crate::clock::{ClockMode, END};
use crate::sandbox_state::Shared;
use crate::start_error::OpenError;

/// Opens an account whose timers run until the sandbox stops.
pub(crate) fn open_account(shared: &Arc<Shared>) -> Result<Arc<Account>, OpenError> {
    let account = shared.add_account()?;
    shared.spawn(run(Arc::downgrade(shared), Arc::clone(&account)));
    Ok(account)
}

/// Fires timers as they become due, for as long as the sandbox runs.
async fn run(shared: Weak<Shared>, account: Arc<Account>) {
    let mut attempts = JoinSet::new();
    loop {
        let scheduled = account.scheduled.notified();
        tokio::pin!(scheduled);
        scheduled.as_mut().enable();
        let (wait, virtual_time, now) = {
            let state = account.state();
            let virtual_time = state.clock.mode() == ClockMode::Virtual;
            let now = state.clock.now();
            let wait = match state.timers.next() {
                Some(at) if at <= now => Some(Duration::ZERO),
                Some(at) if !virtual_time => Some(Duration::from_millis(at - now)),
                _ => None,
            };
            (wait, virtual_time, now)
        };
        match wait {
            Some(Duration::ZERO) => {
                let Some(shared) = shared.upgrade() else { return };
                if virtual_time {
                    advance(&shared, &account, now).await;
                } else {
                    settle(&shared, &account, &mut attempts).await;
                }
            }
            Some(wait) => tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = scheduled => {}
                Some(_) = attempts.join_next() => {}
            },
            None => tokio::select! {
                () = scheduled => {}
                Some(_) = attempts.join_next() => {}
            },
        }
    }
}

/// Fires all timers that are due now; callbacks run concurrently.
async fn settle(shared: &Arc<Shared>, account: &Arc<Account>, attempts: &mut JoinSet<()>) {
    let _moving = account.moving.lock().await;
    loop {
        let attempt = {
            let mut state = account.state();
            let now = state.clock.now();
            match state.timers.due(now) {
                Some((at, timer)) => state.fire(at, timer),
                None => break,
            }
        };
        account.changed.notify_waiters();
        if let Some(attempt) = attempt {
            let (shared, account) = (Arc::clone(shared), Arc::clone(account));
            attempts.spawn(async move { run_attempt(attempt, &shared, &account).await });
        }
    }
}

/// Moves the clock to a point in time. All timers until then fire in order, and their callbacks are delivered one after the
/// other, before this returns.
pub(crate) async fn advance(shared: &Arc<Shared>, account: &Arc<Account>, until: u64) {
    let _moving = account.moving.lock().await;
    let until = until.min(END);
    loop {
        let attempt = {
            let mut state = account.state();
            match state.timers.due(until) {
                Some((at, timer)) => {
                    state.clock.reach(at);
                    state.fire(at, timer)
                }
                None => {
                    state.clock.reach(until);
                    break;
                }
            }
        };
        if let Some(attempt) = attempt {
            run_attempt(attempt, shared, account).await;
        }
    }
    account.changed.notify_waiters();
    if account.state().clock.mode() == ClockMode::Real {
        account.scheduled.notify_one();
    }
}
