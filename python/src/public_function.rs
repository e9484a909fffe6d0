//! The boundary of the package: what the functions and methods that users call do when they begin and end; see `cpaas._public`.
//!
//! An error reporter records the local variables of each frame of a traceback. When an exception leaves a public function, the frames
//! of this package below it have ended, and lose their local variables. A public function is not a native function itself: an exit of
//! the interpreter unwinds daemon threads, and aborts if Python code runs below a native frame.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::event::{self, OwnedEvent};
use crate::exceptions;
use crate::runtime::InterpreterGuard;

thread_local! {
    /// The function of [`on_leave`].
    static ON_LEAVE: RefCell<Option<Py<PyAny>>> = const { RefCell::new(None) };
}

/// What the current public function has done, and what its caller had done before: calls may be nested.
#[derive(Default)]
struct Scope {
    ended: Option<OwnedEvent>,
    on_leave: Option<Py<PyAny>>,
}

impl Scope {
    /// Replaces the scope of this thread.
    fn replace(self) -> Self {
        let ended = event::replace_ended(self.ended);
        Self { ended, on_leave: ON_LEAVE.replace(self.on_leave) }
    }
}

/// One call of a public function: the scope of its caller, and after the call its own.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct CallScope(Mutex<Scope>);

impl CallScope {
    fn swap(&self) {
        let mut scope = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *scope = std::mem::take(&mut *scope).replace();
    }
}

/// Begins a public function.
#[pyfunction]
pub(crate) fn enter() -> CallScope {
    CallScope(Mutex::new(Scope::default().replace()))
}

/// Ends a public function and returns its result. Raises the exception of a signal handler if the function has run a call.
#[pyfunction]
#[pyo3(signature = (scope, result, /))]
pub(crate) fn returned<'py>(
    scope: &Bound<'py, CallScope>,
    result: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let has_sent = event::has_ended() || ON_LEAVE.with_borrow(Option::is_some);
    scope.get().swap();
    if has_sent {
        scope.py().check_signals()?;
    }
    Ok(result)
}

/// Ends a public function that an exception leaves: adds the outcome of its call, and removes the local variables of the package's
/// frames. Raises an exception of this package instead of a panic. `scope` is `None` for a coroutine or a generator.
#[pyfunction]
#[pyo3(signature = (error, scope=None, /))]
pub(crate) fn leave(error: &Bound<'_, PyAny>, scope: Option<&Bound<'_, CallScope>>) -> PyResult<()> {
    let py = error.py();
    let _guard = InterpreterGuard::enter(py);
    let mut added = Ok(());
    if let Some(scope) = scope {
        let scope = scope.get();
        // Unless `returned` did it already.
        if event::has_ended() || ON_LEAVE.with_borrow(Option::is_some) {
            scope.swap();
        }
        let Scope { ended, on_leave } =
            std::mem::take(&mut *scope.0.lock().unwrap_or_else(PoisonError::into_inner));
        let raised = PyErr::from_value(error.clone());
        event::note_interrupt(py, &raised, ended);
        if let Some(function) = on_leave {
            added = function.call1(py, (error,)).map(drop);
        }
    }
    clear_frames(error);
    exceptions::of_panic(error).map_or(added, Err)
}

/// Calls a function with the exception that leaves the current public function, if one does.
#[pyfunction]
#[pyo3(signature = (function, /))]
pub(crate) fn on_leave(function: Py<PyAny>) {
    ON_LEAVE.set(Some(function));
}

/// The maximum number of exceptions that one exception links to.
const MAX_LINKED: usize = 10_000;

/// Removes the local variables of all frames of this package that have ended, from an exception and those that it links to.
fn clear_frames(error: &Bound<'_, PyAny>) {
    let py = error.py();
    let mut seen = std::collections::HashSet::new();
    let mut waiting = vec![error.clone()];
    while let Some(error) = waiting.pop() {
        if seen.len() > MAX_LINKED || !seen.insert(error.as_ptr() as usize) {
            continue;
        }
        let mut traceback = error.getattr(intern!(py, "__traceback__")).ok();
        while let Some(entry) = traceback.filter(|entry| !entry.is_none()) {
            if let Ok(frame) = entry.getattr(intern!(py, "tb_frame"))
                && is_own(&frame).unwrap_or_default()
            {
                // An error means that the frame is still running, because a function of the user called this one.
                let _ = frame.call_method0(intern!(py, "clear"));
            }
            traceback = entry.getattr(intern!(py, "tb_next")).ok();
        }
        for name in [intern!(py, "__cause__"), intern!(py, "__context__")] {
            waiting.extend(error.getattr(name).ok().filter(|linked| !linked.is_none()));
        }
        // The members of an exception group.
        if let Ok(members) = error.getattr(intern!(py, "exceptions"))
            && let Ok(members) = members.cast::<PyTuple>()
        {
            waiting.extend(members.iter());
        }
    }
}

/// Whether a frame runs code of this package.
fn is_own(frame: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = frame.py();
    let globals = frame.getattr(intern!(py, "f_globals"))?;
    let Some(package) = globals.cast::<PyDict>()?.get_item(intern!(py, "__package__"))? else {
        return Ok(false);
    };
    let package = package.extract::<String>()?;
    Ok(package == "cpaas" || package.starts_with("cpaas."))
}
