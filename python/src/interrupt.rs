//! Exceptions that interrupt the program: `KeyboardInterrupt`, and others that a signal handler raises.
//!
//! A signal handler runs between two steps of Python code, so also in a hook that a call runs. Its exception must leave the call.

use pyo3::exceptions::PyException;
use pyo3::intern;
use pyo3::prelude::*;

/// Whether an exception interrupts the program: it is not an `Exception`, or a signal handler raised it.
pub(crate) fn is_interrupt(py: Python<'_>, error: &PyErr) -> bool {
    if !error.is_instance_of::<PyException>(py) {
        return true;
    }
    attach_traceback(py, error);
    let module = py.import(intern!(py, "cpaas._hooks"));
    let found = module.and_then(|module| {
        module.call_method1(intern!(py, "is_from_signal_handler"), (error.value(py),))?.is_truthy()
    });
    // Another signal may interrupt the check.
    found.unwrap_or_else(|error| !error.is_instance_of::<PyException>(py))
}

/// Sets `__traceback__`, which a native caller has apart from the exception before Python 3.12.
pub(crate) fn attach_traceback(py: Python<'_>, error: &PyErr) {
    if let Some(traceback) = error.traceback(py) {
        let _ = error.value(py).setattr(intern!(py, "__traceback__"), traceback);
    }
}

/// The first exception that interrupted a call. The call continues to its end, and then raises it.
#[derive(Default)]
pub(crate) struct Interrupt(Option<PyErr>);

impl Interrupt {
    pub(crate) fn keep(&mut self, error: PyErr) {
        self.0.get_or_insert(error);
    }

    /// Runs the signal handlers of signals that arrived.
    pub(crate) fn check_signals(&mut self, py: Python<'_>) {
        if let Err(error) = py.check_signals() {
            self.keep(error);
        }
    }

    pub(crate) const fn is_set(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn take(&mut self) -> Option<PyErr> {
        self.0.take()
    }
}
