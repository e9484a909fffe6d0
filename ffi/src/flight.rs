//! A call that somebody is told of: its callback runs exactly once, whatever becomes of the task.

use std::ffi::{c_char, c_void};
use std::sync::{Arc, Mutex, PoisonError};

use cpaas_core::client::{CallEnd, Client};
use cpaas_core::error::{Error, Outcome as Ended, Reason, SentState};
use tokio::runtime::Handle;
use tokio::sync::oneshot::Receiver;

use crate::boundary::{Outcome, planted};
use crate::call::said;
use crate::called::Called;
use crate::cpaas_status;
use crate::open::{CALLING_BACK, Open};

pub(crate) type Done = unsafe extern "C" fn(*mut c_void, cpaas_status, *const c_char, usize);

/// Whom to tell.
pub(crate) struct Caller {
    pub(crate) done: Done,
    pub(crate) user_data: *mut c_void,
    pub(crate) open: Arc<Open>,
    pub(crate) number: u64,
}

// SAFETY: the caller of `cpaas_call_async` agrees that `done` runs with `user_data` on another thread.
unsafe impl Send for Caller {}

/// What is known of a call that was dropped midway.
type Abandoned = Arc<Mutex<Option<(SentState, u32, Option<String>)>>>;

struct Flight {
    caller: Option<Caller>,
    called: Called,
    abandoned: Abandoned,
    runtime: Handle,
}

/// Starts a call whose end `caller` hears of.
pub(crate) fn start(
    runtime: &Handle,
    client: Client,
    called: Called,
    request: String,
    mut cancelled: Receiver<()>,
    caller: Caller,
) {
    let abandoned = Abandoned::default();
    let flight =
        Flight { caller: Some(caller), called, abandoned: Arc::clone(&abandoned), runtime: runtime.clone() };
    let client = client.on_outcome(move |event| {
        if event.ending == CallEnd::Abandoned {
            let known = (event.sent, event.attempts, event.reference.map(str::to_owned));
            *abandoned.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
        }
    });
    runtime.spawn(async move {
        let mut flight = flight;
        planted("task");
        let result = if cancelled.try_recv().is_ok() {
            // Cancelled before it began: it does not begin.
            None
        } else {
            tokio::select! {
                biased;
                result = called.call(&client, &request) => Some(result),
                _ = cancelled => None,
            }
        };
        let result = result.unwrap_or_else(|| Err(flight.cancelled()));
        flight.land(said(result));
    });
}

impl Flight {
    fn land(&mut self, outcome: Outcome) {
        let Some(caller) = self.caller.take() else { return };
        let delivery = Delivery(Some((caller, outcome)));
        // A callback may wait, and call back into the library: it runs where blocking is allowed.
        drop(self.runtime.spawn_blocking(move || delivery.run()));
    }

    fn cancelled(&self) -> Error {
        let known = self.abandoned.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (sent, attempts, reference) = known.unwrap_or((SentState::No, 0, None));
        let (ended, message) = match sent {
            SentState::No => (Ended::NotSent, "cancelled; nothing was sent"),
            _ => (Ended::Unknown, "cancelled; the request may have been processed"),
        };
        Error::new(ended, sent, Reason::Cancelled, self.called.name(), message)
            .with_attempts(attempts)
            .with_reference(reference)
    }
}

/// A task that panicked, or that the runtime dropped at its end, still tells its caller.
impl Drop for Flight {
    fn drop(&mut self) {
        if self.caller.is_none() {
            return;
        }
        let outcome = if std::thread::panicking() {
            Err((cpaas_status::CPAAS_PANIC, None))
        } else {
            said(Err(self.cancelled()))
        };
        self.land(outcome);
    }
}

struct Delivery(Option<(Caller, Outcome)>);

impl Delivery {
    fn run(mut self) {
        if let Some((caller, outcome)) = self.0.take() {
            caller.tell(outcome);
        }
    }
}

/// A runtime that ends takes no more work: then a thread of its own tells, or else this one.
impl Drop for Delivery {
    fn drop(&mut self) {
        let Some(owed) = self.0.take() else { return };
        let owed = Arc::new(Mutex::new(Some(owed)));
        let taken = Arc::clone(&owed);
        let tell = |owed: &Mutex<Option<(Caller, Outcome)>>| {
            let owed = owed.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some((caller, outcome)) = owed {
                caller.tell(outcome);
            }
        };
        if std::thread::Builder::new().name("cpaas".to_owned()).spawn(move || tell(&taken)).is_err() {
            tell(&owed);
        }
    }
}

impl Caller {
    fn tell(self, outcome: Outcome) {
        let (status, text) = match outcome {
            Ok(text) => (cpaas_status::CPAAS_OK, text),
            Err((status, text)) => (status, text),
        };
        let text = text.map(|mut text| {
            text.push('\0');
            text
        });
        let (data, len) =
            text.as_ref().map_or((std::ptr::null(), 0), |text| (text.as_ptr().cast(), text.len() - 1));
        let outer = CALLING_BACK.replace(self.open.ticket);
        // SAFETY: `done` is a function of the caller's, and the text lives until it returns.
        unsafe { (self.done)(self.user_data, status, data, len) };
        CALLING_BACK.set(outer);
        self.open.ended(self.number);
    }
}
