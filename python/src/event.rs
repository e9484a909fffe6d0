//! How calls ended, for the hook of a client and for the note on an abandoned call.
//!
//! The core reports an event on the thread that polls or drops the call. This may be a worker thread, which never attaches
//! to the interpreter, so the event is kept until that thread has polled the call, and passed on from there.

use std::cell::RefCell;

use cpaas::Client;
use cpaas::client::{CallEnd, Event};
use cpaas::error::{Reason, SentState};
use pyo3::intern;
use pyo3::prelude::*;

thread_local! {
    /// The last event that the core reported on this thread. Only [`observe`] reads it.
    static LAST: RefCell<Option<OwnedEvent>> = const { RefCell::new(None) };
    /// The last call that the current public function ran to its end.
    static ENDED: RefCell<Option<OwnedEvent>> = const { RefCell::new(None) };
}

/// An event of the core, without borrows.
pub(crate) struct OwnedEvent {
    operation: &'static str,
    ending: CallEnd,
    sent: SentState,
    reason: Option<cpaas::error::Reason>,
    status: Option<u16>,
    attempts: u32,
    /// Seconds.
    elapsed: f64,
    reference: Option<String>,
    /// Empty if the call was abandoned before its start.
    call_id: String,
}

/// Makes a client keep its events.
pub(crate) fn keep_events(client: Client) -> Client {
    client.on_outcome(move |event| {
        let event = OwnedEvent::from(event);
        LAST.with(|last| *last.borrow_mut() = Some(event));
    })
}

/// Runs `work`, which polls or drops a call, and returns the last event that the core reported meanwhile.
pub(crate) fn observe<T>(work: impl FnOnce() -> T) -> (Option<OwnedEvent>, T) {
    // `work` may run the function of a store, which may make a call.
    let outer = LAST.take();
    let result = work();
    (LAST.replace(outer), result)
}

/// Keeps the event of a call that has ended, until the current public function ends.
pub(crate) fn set_ended(event: Option<OwnedEvent>) {
    ENDED.set(event);
}

/// Whether the current public function has run a call to its end.
pub(crate) fn has_ended() -> bool {
    ENDED.with_borrow(Option::is_some)
}

/// Replaces the event of the call that has ended.
pub(crate) fn replace_ended(event: Option<OwnedEvent>) -> Option<OwnedEvent> {
    ENDED.replace(event)
}

/// Adds a note about the call that has ended to an exception that interrupts the public function afterwards.
pub(crate) fn note_interrupt(py: Python<'_>, error: &PyErr, ended: Option<OwnedEvent>) {
    if let Some(event) = ended
        && !crate::argument_errors::is_own(py, error)
    {
        add_note(py, error, &event.note());
    }
}

impl OwnedEvent {
    pub(crate) fn from(event: &Event<'_>) -> Self {
        Self {
            operation: event.operation,
            ending: event.ending,
            sent: event.sent,
            reason: event.reason,
            status: event.status,
            attempts: event.attempts,
            elapsed: event.elapsed.as_secs_f64(),
            reference: event.reference.map(str::to_owned),
            call_id: event.call_id.to_owned(),
        }
    }

    /// The event of a call that was abandoned before its first attempt.
    pub(crate) const fn not_started(operation: &'static str, reference: Option<String>) -> Self {
        Self {
            operation,
            ending: CallEnd::Abandoned,
            sent: SentState::No,
            reason: None,
            status: None,
            attempts: 0,
            elapsed: 0.0,
            reference,
            call_id: String::new(),
        }
    }

    /// Whether the core has polled the call.
    pub(crate) const fn is_started(&self) -> bool {
        !self.call_id.is_empty()
    }

    /// The operation of the call.
    pub(crate) const fn operation(&self) -> &'static str {
        self.operation
    }

    /// Whether an abandoned call was sent: "no", "maybe" or "accepted".
    pub(crate) fn sent_or_accepted(&self) -> &'static str {
        match (self.ending.as_str(), self.sent) {
            ("accepted", _) => "accepted",
            (_, SentState::No) => "no",
            _ => "maybe",
        }
    }

    /// The note on the exception that abandoned the call.
    pub(crate) fn note(&self) -> String {
        let sent = match self.sent.as_str() {
            "no" => "nothing was sent",
            "yes" => "the request was sent",
            _ => "the request may have been sent",
        };
        match self.ending {
            CallEnd::Abandoned => format!("cpaas: {} was abandoned; {sent}", self.operation),
            ending => {
                format!("cpaas: {} was abandoned after it had ended: {}", self.operation, ending.as_str())
            }
        }
    }

    /// The level of `logging`: debug, info or warning.
    pub(crate) fn level(&self) -> u8 {
        match self.ending.as_str() {
            "accepted" => 10,
            _ if self.sent == SentState::Maybe => 30,
            _ => 20,
        }
    }

    /// Creates the `cpaas.Event`.
    pub(crate) fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let members = (
            self.operation,
            self.ending.as_str(),
            self.sent.as_str(),
            self.reason.map(Reason::as_str),
            self.status,
            self.attempts,
            self.elapsed,
            self.reference.as_deref(),
            &self.call_id,
        );
        py.import(intern!(py, "cpaas._events"))?.getattr(intern!(py, "Event"))?.call1(members)
    }
}

/// Adds a note to an exception (Python 3.11 and later).
pub(crate) fn add_note(py: Python<'_>, error: &PyErr, note: &str) {
    let value = error.value(py);
    if let Ok(method) = value.getattr(intern!(py, "add_note")) {
        let _ = method.call1((note,));
    }
}
