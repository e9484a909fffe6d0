//! The Python functions that receive the reports of calls: the hooks of a client, and its instrumentations.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::event::OwnedEvent;
use crate::http_reports::{HttpReport, Needs};
use crate::interrupt::{Interrupt, is_interrupt};

/// The hooks of a client, from `cpaas._hooks.native_functions`.
#[derive(FromPyObject)]
pub(crate) struct Hook {
    /// Logs an outcome; `None` if `logging` is not imported.
    log: Option<Py<PyAny>>,
    /// Returns whether a log level is enabled.
    is_enabled: Option<Py<PyAny>>,
    on_outcome: Vec<Py<PyAny>>,
    on_request: Vec<Py<PyAny>>,
    on_response: Vec<Py<PyAny>>,
    /// Starts the span of a request; returns the value of its header `traceparent`, or `None`.
    start_request: Vec<Py<PyAny>>,
    /// Ends the span of a request.
    end_request: Vec<Py<PyAny>>,
    /// Ends the span of a call.
    end_call: Vec<Py<PyAny>>,
    /// Runs a function in the context of a task; `None` for the current context.
    run: Option<Py<PyAny>>,
}

/// The number of attempts to create an event: a signal handler may interrupt each.
const CREATIONS: u32 = 3;

impl Hook {
    /// The reports that its functions need.
    pub(crate) const fn needs(&self) -> Needs {
        Needs {
            requests: !self.on_request.is_empty(),
            responses: !self.on_response.is_empty(),
            spans: !self.start_request.is_empty(),
        }
    }

    /// The instrumentations alone; `None` if there are none.
    #[cfg(feature = "campaign")]
    pub(crate) fn instruments(&self, py: Python<'_>) -> Option<Self> {
        let all = self.clone_ref(py);
        let none = Self {
            log: None,
            is_enabled: None,
            on_outcome: vec![],
            on_request: vec![],
            on_response: vec![],
            ..all
        };
        none.needs().spans.then_some(none)
    }

    pub(crate) fn clone_ref(&self, py: Python<'_>) -> Self {
        let all = |hooks: &[Py<PyAny>]| hooks.iter().map(|hook| hook.clone_ref(py)).collect();
        let one = |function: &Option<Py<PyAny>>| function.as_ref().map(|function| function.clone_ref(py));
        Self {
            log: one(&self.log),
            is_enabled: one(&self.is_enabled),
            on_outcome: all(&self.on_outcome),
            on_request: all(&self.on_request),
            on_response: all(&self.on_response),
            start_request: all(&self.start_request),
            end_request: all(&self.end_request),
            end_call: all(&self.end_call),
            run: one(&self.run),
        }
    }

    /// Binds the hook to the context of the current task, so that it sees the context variables and the current span.
    pub(crate) fn in_context(&self, py: Python<'_>) -> PyResult<Self> {
        let context = py.import(intern!(py, "contextvars"))?.call_method0(intern!(py, "copy_context"))?;
        let run = Some(context.getattr(intern!(py, "run"))?.unbind());
        Ok(Self { run, ..self.clone_ref(py) })
    }

    /// Calls the hooks of a report. A request gets its header `traceparent`.
    pub(crate) fn report(&self, py: Python<'_>, report: HttpReport, interrupt: &mut Interrupt) {
        let hooks = match &report {
            HttpReport::Start(..) => &self.start_request,
            HttpReport::Request(_) => &self.on_request,
            HttpReport::Response(_) => &self.on_response,
            HttpReport::End(_) => &self.end_request,
            HttpReport::CallEnd(_) => &self.end_call,
        };
        let results = self.call_all(py, hooks, report.operation(), || report.arguments(py), interrupt);
        if let HttpReport::Start(_, reply) = report {
            let value = results.into_iter().find_map(|value| value.extract::<String>().ok());
            // The call may have been dropped.
            let _ = reply.send(value);
        }
    }

    /// Logs an outcome, and calls the hooks of outcomes.
    pub(crate) fn notify(&self, py: Python<'_>, event: &OwnedEvent, interrupt: &mut Interrupt) {
        let create = || event.to_python(py);
        if let (Some(log), Some(is_enabled)) = (&self.log, &self.is_enabled) {
            let level = event.level();
            match is_enabled.bind(py).call1((level,)).and_then(|enabled| enabled.is_truthy()) {
                Ok(true) => {
                    if let Some(event) = created(py, create, interrupt)
                        && let Err(error) =
                            (level, event).into_pyobject(py).and_then(|line| self.call(py, log, line))
                    {
                        failed(py, error, log, interrupt);
                    }
                }
                Ok(false) => {}
                Err(error) => failed(py, error, is_enabled, interrupt),
            }
        }
        let arguments = || (create()?,).into_pyobject(py);
        self.call_all(py, &self.on_outcome, event.operation(), arguments, interrupt);
        if !event.is_started() {
            // The core reports nothing about a call that it never polled.
            self.call_all(py, &self.end_call, event.operation(), arguments, interrupt);
        }
    }

    /// Calls hooks and returns their results. An exception of one does not keep the others from being called, and does not change the outcome of the call:
    /// it is logged, and reported as unraisable.
    fn call_all<'py>(
        &self,
        py: Python<'py>,
        hooks: &[Py<PyAny>],
        operation: &str,
        create: impl Fn() -> PyResult<Bound<'py, PyTuple>>,
        interrupt: &mut Interrupt,
    ) -> Vec<Bound<'py, PyAny>> {
        if hooks.is_empty() {
            return Vec::new();
        }
        // The handler of a signal that has arrived would run before the first line of a hook.
        interrupt.check_signals(py);
        let Some(arguments) = created(py, create, interrupt) else { return Vec::new() };
        let mut results = Vec::with_capacity(hooks.len());
        for hook in hooks {
            let error = match self.call(py, hook, arguments.clone()) {
                Ok(result) => {
                    results.push(result);
                    continue;
                }
                Err(error) => error,
            };
            if !is_interrupt(py, &error) {
                let module = py.import(intern!(py, "cpaas._hooks"));
                let logged = module.and_then(|module| {
                    module.call_method1(intern!(py, "log_failure"), (operation, error.value(py)))
                });
                if let Err(error) = logged {
                    failed(py, error, hook, interrupt);
                }
            }
            failed(py, error, hook, interrupt);
        }
        results
    }

    fn call<'py>(
        &self,
        py: Python<'py>,
        function: &Py<PyAny>,
        arguments: Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match &self.run {
            None => function.bind(py).call1(arguments),
            Some(run) => {
                let all = (function,).into_pyobject(py)?.add(arguments)?;
                run.bind(py).call1(all.cast::<PyTuple>()?)
            }
        }
    }
}

/// Creates an event. `None` if that failed.
fn created<'py, T>(
    py: Python<'py>,
    create: impl Fn() -> PyResult<Bound<'py, T>>,
    interrupt: &mut Interrupt,
) -> Option<Bound<'py, T>> {
    for _ in 0..CREATIONS {
        match create() {
            Ok(event) => return Some(event),
            Err(error) if is_interrupt(py, &error) => interrupt.keep(error),
            Err(error) => {
                error.write_unraisable(py, None);
                break;
            }
        }
    }
    None
}

/// Keeps an exception that interrupts the program, and reports any other as unraisable.
fn failed(py: Python<'_>, error: PyErr, function: &Py<PyAny>, interrupt: &mut Interrupt) {
    if is_interrupt(py, &error) {
        interrupt.keep(error);
    } else {
        error.write_unraisable(py, Some(function.bind(py)));
    }
}
