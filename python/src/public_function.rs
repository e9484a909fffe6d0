//! The boundary of the package: the functions and methods that users call.
//!
//! An error reporter records the local variables of each frame of a traceback. A public function has no frame of its own. When an
//! exception leaves it, the frames of this package below it have ended, and it removes their local variables.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::event;
use crate::interrupt::attach_traceback;

thread_local! {
    /// The function of [`on_leave`].
    static ON_LEAVE: RefCell<Option<Py<PyAny>>> = const { RefCell::new(None) };
}

/// The class of bound methods.
static METHOD: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// A function of this package that users call; `cpaas._public.public` gives it the attributes of a Python function.
#[pyclass(frozen, dict, module = "cpaas._cpaas")]
pub(crate) struct PublicFunction {
    function: Py<PyAny>,
    /// Runs the calls of a coroutine function or a generator function; `None` for any other function.
    runner: Option<Py<PyAny>>,
    /// Creates the exception for arguments that do not fit the parameters; `None` keeps the `TypeError`.
    wrong_arguments: Option<Py<PyAny>>,
}

#[pymethods]
impl PublicFunction {
    #[new]
    #[pyo3(signature = (function, runner, wrong_arguments, /))]
    fn new(function: Py<PyAny>, runner: Option<Py<PyAny>>, wrong_arguments: Option<Py<PyAny>>) -> Self {
        Self { function, runner, wrong_arguments }
    }

    /// The class of Python functions, so that `inspect` and `unittest.mock` treat this object as one.
    #[getter(__class__)]
    fn class<'py>(&self, py: Python<'py>) -> Bound<'py, PyType> {
        self.function.bind(py).get_type()
    }

    fn __get__<'py>(
        slf: &Bound<'py, Self>,
        instance: Option<&Bound<'py, PyAny>>,
        _owner: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(instance) = instance else { return Ok(slf.clone().into_any()) };
        let py = slf.py();
        let method = METHOD.get_or_try_init(py, || {
            let bound = slf.get().function.bind(py).call_method1(intern!(py, "__get__"), (instance,))?;
            Ok::<_, PyErr>(bound.get_type().unbind())
        })?;
        method.bind(py).call1((slf, instance))
    }

    #[pyo3(signature = (*arguments, **keywords))]
    fn __call__<'py>(
        &self,
        arguments: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = arguments.py();
        let Some(runner) = &self.runner else {
            let outer = ON_LEAVE.take();
            let result = event::in_call(|| {
                let result = self.run(arguments, keywords);
                let has_sent = event::has_ended() || ON_LEAVE.with_borrow(Option::is_some);
                let result = if has_sent { py.check_signals().and(result) } else { result };
                result.map_err(|error| leave(py, error))
            });
            ON_LEAVE.set(outer);
            return result;
        };
        let call = if self.wrong_arguments.is_some() {
            Call::Function(self.copy(py), arguments.clone().unbind(), keywords.map(|it| it.clone().unbind()))
        } else {
            // A framework may try a call, to learn from the `TypeError` whether the arguments fit.
            let running = self.run(arguments, keywords).map_err(|error| leave(py, error))?;
            Call::Running(running.unbind())
        };
        let call = DeferredCall(Mutex::new(Some(call)));
        let running = runner.bind(py).call1((call,))?;
        for name in [intern!(py, "__name__"), intern!(py, "__qualname__")] {
            running.setattr(name, self.function.bind(py).getattr(name)?)?;
        }
        Ok(running)
    }

    /// Pickles the function by its name, like any other function.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.function.bind(py).getattr(intern!(py, "__qualname__"))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.function.bind(py).repr()?.to_string())
    }
}

impl PublicFunction {
    fn copy(&self, py: Python<'_>) -> Self {
        Self {
            function: self.function.clone_ref(py),
            runner: None,
            wrong_arguments: self.wrong_arguments.as_ref().map(|function| function.clone_ref(py)),
        }
    }

    fn run<'py>(
        &self,
        arguments: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = arguments.py();
        let error = match self.function.bind(py).call(arguments, keywords) {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        // Without a traceback, the function did not run.
        let Some(wrong_arguments) = self
            .wrong_arguments
            .as_ref()
            .filter(|_| error.is_instance_of::<PyTypeError>(py) && error.traceback(py).is_none())
        else {
            return Err(error);
        };
        let owner = arguments.get_item(0).ok();
        let created = wrong_arguments.bind(py).call1((owner, &self.function, keywords, error.value(py)))?;
        let created = PyErr::from_value(created);
        created.set_cause(py, Some(error));
        Err(created)
    }
}

enum Call {
    /// The function runs with its first step, and its coroutine raises the exception for wrong arguments.
    Function(PublicFunction, Py<PyTuple>, Option<Py<PyDict>>),
    /// A coroutine or a generator.
    Running(Py<PyAny>),
}

/// A call that a coroutine or a generator starts with its first step. Its attributes show nothing of the arguments.
#[pyclass(frozen, module = "cpaas._cpaas")]
struct DeferredCall(Mutex<Option<Call>>);

#[pymethods]
impl DeferredCall {
    fn __call__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let call = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        match call {
            Some(Call::Function(function, arguments, keywords)) => {
                function.run(arguments.bind(py), keywords.as_ref().map(|keywords| keywords.bind(py)))
            }
            Some(Call::Running(running)) => Ok(running.into_bound(py)),
            None => Err(PyRuntimeError::new_err("the call has started already")),
        }
    }
}

/// Removes the local variables of the package's frames from an exception, before it leaves a coroutine or a generator.
#[pyfunction]
#[pyo3(name = "leave", signature = (error, /))]
pub(crate) fn leave_generator(error: &Bound<'_, PyAny>) {
    clear_frames(error);
}

/// Calls a function with the exception that leaves the current public function, if one does.
#[pyfunction]
#[pyo3(signature = (function, /))]
pub(crate) fn on_leave(function: Py<PyAny>) {
    ON_LEAVE.set(Some(function));
}

fn leave(py: Python<'_>, mut error: PyErr) -> PyErr {
    event::note_interrupt(py, &error);
    if let Some(function) = ON_LEAVE.take()
        && let Err(other) = function.call1(py, (error.value(py),))
    {
        other.set_context(py, Some(error));
        error = other;
    }
    attach_traceback(py, &error);
    clear_frames(error.value(py).as_any());
    error
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
