//! How calls ended, for the hook of a client and for the note on an abandoned call.
//!
//! The core reports an event on the thread that polls or drops the call. This may be a worker thread, which never attaches
//! to the interpreter, so the event is kept until that thread has polled the call, and passed on from there.

use std::cell::RefCell;

use cpaas::Client;
use cpaas::client::{CallEnd, Event};
use cpaas::error::SentState;
use pyo3::intern;
use pyo3::prelude::*;
use serde_json::Value;

use crate::http_reports::HttpReport;

thread_local! {
    static LAST: RefCell<Option<OwnedEvent>> = const { RefCell::new(None) };
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
    call_id: u64,
}

/// Makes a client keep its events: all of them, or only those of abandoned calls.
pub(crate) fn keep_events(client: Client, all: bool) -> Client {
    client.on_outcome(move |event| {
        if all || event.ending == CallEnd::Abandoned {
            let event = OwnedEvent::from(event);
            LAST.with(|last| *last.borrow_mut() = Some(event));
        }
    })
}

/// Takes the last event that the core reported on this thread.
pub(crate) fn take() -> Option<OwnedEvent> {
    LAST.with(|last| last.borrow_mut().take())
}

impl OwnedEvent {
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
            call_id: event.call_id,
        }
    }

    /// The event of a call that was abandoned before its first attempt.
    pub(crate) const fn not_started(operation: &'static str) -> Self {
        Self {
            operation,
            ending: CallEnd::Abandoned,
            sent: SentState::No,
            reason: None,
            status: None,
            attempts: 0,
            elapsed: 0.0,
            reference: None,
            call_id: 0,
        }
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
            self.call_id,
        );
        hook.call1(py, members).map(drop)
    }
}

/// The functions of `cpaas._event` that receive outcomes, requests and responses.
pub(crate) struct Hook {
    observe: Py<PyAny>,
    /// Returns whether a log level is enabled; `None` if the observer needs every event.
    is_enabled: Option<Py<PyAny>>,
    /// Receives requests and responses; `None` if no hook needs them.
    reporter: Option<Py<PyAny>>,
}

impl Hook {
    pub(crate) fn new(
        (observe, is_enabled, reporter): (Py<PyAny>, Option<Py<PyAny>>, Option<Py<PyAny>>),
    ) -> Self {
        Self { observe, is_enabled, reporter }
    }

    /// Whether a hook needs requests and responses.
    pub(crate) const fn has_reporter(&self) -> bool {
        self.reporter.is_some()
    }

    pub(crate) fn clone_ref(&self, py: Python<'_>) -> Self {
        Self {
            observe: self.observe.clone_ref(py),
            is_enabled: self.is_enabled.as_ref().map(|is_enabled| is_enabled.clone_ref(py)),
            reporter: self.reporter.as_ref().map(|reporter| reporter.clone_ref(py)),
        }
    }

    /// Binds the hook to the context of the current task, so that it sees the context variables and the current span.
    pub(crate) fn in_context(&self, py: Python<'_>) -> PyResult<Self> {
        let context = py.import(intern!(py, "contextvars"))?.call_method0(intern!(py, "copy_context"))?;
        let run = context.getattr(intern!(py, "run"))?;
        let partial = py.import(intern!(py, "functools"))?.getattr(intern!(py, "partial"))?;
        let observe = partial.call1((&run, &self.observe))?.unbind();
        let reporter = match &self.reporter {
            Some(reporter) => Some(partial.call1((&run, reporter))?.unbind()),
            None => None,
        };
        Ok(Self { observe, reporter, ..self.clone_ref(py) })
    }

    /// Calls the reporter. Its exceptions are reported as unraisable, so that the call does not fail.
    pub(crate) fn report(&self, py: Python<'_>, report: &HttpReport) {
        let Some(reporter) = &self.reporter else { return };
        if let Err(error) = report.call(py, reporter) {
            error.write_unraisable(py, Some(reporter.bind(py)));
        }
    }

    /// Calls the observer of outcomes. Its exceptions are reported as unraisable, so that the call does not fail.
    pub(crate) fn notify(&self, py: Python<'_>, event: &OwnedEvent) {
        let enabled = match &self.is_enabled {
            Some(is_enabled) => is_enabled.bind(py).call1((event.level(),)).and_then(|it| it.is_truthy()),
            None => Ok(true),
        };
        let result = enabled.and_then(|on| if on { event.call(py, &self.observe) } else { Ok(()) });
        if let Err(error) = result {
            error.write_unraisable(py, Some(self.observe.bind(py)));
        }
    }
}

/// Adds a note to an exception (Python 3.11 and later).
pub(crate) fn add_note(py: Python<'_>, error: &PyErr, note: &str) {
    let value = error.value(py);
    if let Ok(method) = value.getattr(intern!(py, "add_note")) {
        let _ = method.call1((note,));
    }
}
