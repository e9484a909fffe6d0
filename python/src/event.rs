//! How calls ended, for the hook of a client and for the note on an abandoned call.
//!
//! The core tells on the thread that polls or drops the call, which may be a worker that never
//! attaches to the interpreter: so what it tells is kept until the caller's thread fetches it.

use std::cell::RefCell;

use cpaas::Client;
use cpaas::client::{CallEnd, Event};
use cpaas::error::SentState;
use pyo3::intern;
use pyo3::prelude::*;
use serde_json::Value;

thread_local! {
    static LAST: RefCell<Option<Seen>> = const { RefCell::new(None) };
}

/// An event, without the borrow.
pub(crate) struct Seen {
    operation: &'static str,
    ending: CallEnd,
    sent: SentState,
    reason: Option<cpaas::error::Reason>,
    status: Option<u16>,
    attempts: u32,
    elapsed: f64,
    reference: Option<String>,
}

/// Lets a client keep its events: all of them, or only those of abandoned calls.
pub(crate) fn watch(client: Client, all: bool) -> Client {
    client.on_outcome(move |event| {
        if all || event.ending == CallEnd::Abandoned {
            let seen = Seen::from(event);
            LAST.with(|last| *last.borrow_mut() = Some(seen));
        }
    })
}

/// What the core told last on this thread.
pub(crate) fn take() -> Option<Seen> {
    LAST.with(|last| last.borrow_mut().take())
}

impl Seen {
    fn from(event: &Event<'_>) -> Self {
        Self {
            operation: event.operation,
            ending: event.ending,
            sent: event.sent,
            reason: event.reason,
            status: event.status,
            attempts: event.attempts,
            elapsed: event.elapsed.as_secs_f64(),
            reference: event.reference.map(str::to_owned),
        }
    }

    /// Of a call that was given up before it began.
    pub(crate) const fn never_begun(operation: &'static str) -> Self {
        Self {
            operation,
            ending: CallEnd::Abandoned,
            sent: SentState::No,
            reason: None,
            status: None,
            attempts: 0,
            elapsed: 0.0,
            reference: None,
        }
    }

    /// What the exception of an abandoned call says about it.
    pub(crate) fn note(&self) -> String {
        let fate = match self.sent.as_str() {
            "no" => "nothing was sent",
            "yes" => "it was sent",
            _ => "it may have been sent",
        };
        match self.ending {
            CallEnd::Abandoned => format!("cpaas: {} was abandoned; {fate}", self.operation),
            ending => {
                format!("cpaas: {} was abandoned after it had ended: {}", self.operation, ending.as_str())
            }
        }
    }

    /// How much it matters, as `logging` counts: debug, information, warning.
    fn level(&self) -> u8 {
        match self.ending.as_str() {
            "accepted" => 10,
            _ if self.sent == SentState::Maybe => 30,
            _ => 20,
        }
    }

    fn call(&self, py: Python<'_>, hook: &Py<PyAny>) -> PyResult<()> {
        let reason = self.reason.and_then(|reason| serde_json::to_value(reason).ok());
        let members = (
            self.level(),
            self.operation,
            self.ending.as_str(),
            self.sent.as_str(),
            reason.as_ref().and_then(Value::as_str),
            self.status,
            self.attempts,
            self.elapsed,
            self.reference.as_deref(),
        );
        hook.call1(py, members).map(drop)
    }
}

/// Who hears of every outcome: the observer of `cpaas._event`.
pub(crate) struct Hook {
    observe: Py<PyAny>,
    /// Where nobody but `logging` hears: whether it wants a level.
    wants: Option<Py<PyAny>>,
}

impl Hook {
    pub(crate) fn new(observe: Py<PyAny>, wants: Option<Py<PyAny>>) -> Self {
        Self { observe, wants }
    }

    pub(crate) fn clone_ref(&self, py: Python<'_>) -> Self {
        Self {
            observe: self.observe.clone_ref(py),
            wants: self.wants.as_ref().map(|wants| wants.clone_ref(py)),
        }
    }

    /// Tells of an outcome; a hook that fails does not make the call one that failed.
    pub(crate) fn tell(&self, py: Python<'_>, seen: &Seen) {
        let told = match &self.wants {
            Some(wants) => wants.bind(py).call1((seen.level(),)).and_then(|wants| wants.is_truthy()),
            None => Ok(true),
        };
        if let Err(error) = told.and_then(|wanted| if wanted { seen.call(py, &self.observe) } else { Ok(()) })
        {
            error.write_unraisable(py, Some(self.observe.bind(py)));
        }
    }
}

/// Adds a note to an exception, where exceptions take notes (Python 3.11 and later).
pub(crate) fn annotate(py: Python<'_>, error: &PyErr, note: &str) {
    let value = error.value(py);
    if let Ok(method) = value.getattr(intern!(py, "add_note")) {
        let _ = method.call1((note,));
    }
}
