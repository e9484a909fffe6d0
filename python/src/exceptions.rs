//! Converts error records and problems to Python exceptions.

use cpaas::error::{Outcome, Reason, SentState};
use cpaas::problem::codes;
use cpaas::{Error, Problem, Severity};
use pyo3::intern;
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use serde_json::Value;

use crate::interrupt::is_interrupt;
use crate::metadata::{self, Kind, Metadata};
use crate::python_value;
use crate::suppression::StoreRaised;

/// The exception for an error. If a generated method made the request, the problems name its arguments.
pub(crate) fn exception(py: Python<'_>, error: &Error, is_method_call: bool) -> PyErr {
    if let Err(interrupt) = log_mistakes(py, &error.operation, &error.problems) {
        return interrupt;
    }
    let exception = match from_record(py, error, is_method_call) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => return error,
    };
    if let Some(raised) = StoreRaised::find(py, error) {
        log_store(py, &error.operation, &raised);
        exception.set_cause(py, Some(raised));
    }
    exception
}

/// Logs the type of the exception of a suppression store. Its text may contain a number or a password.
fn log_store(py: Python<'_>, operation: &str, raised: &PyErr) {
    let kind = raised.get_type(py).name();
    let logged = py
        .import(intern!(py, "cpaas._hooks"))
        .and_then(|module| module.call_method1(intern!(py, "log_store_failure"), (operation, kind?)));
    if let Err(error) = logged {
        error.write_unraisable(py, None);
    }
}

fn from_record<'py>(py: Python<'py>, error: &Error, is_method_call: bool) -> PyResult<Bound<'py, PyAny>> {
    let record = python_value::from_json(py, &error.to_json(), &Kind::Any)?;
    if is_method_call && !error.problems.is_empty() {
        let metadata = metadata::by_name(py, &error.operation)?;
        let problems = problems_json(&error.problems, Some(metadata));
        record.set_item(intern!(py, "problems"), python_value::from_json(py, &problems, &Kind::Any)?)?;
    }
    py.import(intern!(py, "cpaas._errors"))?.call_method1(intern!(py, "from_record"), (record,))
}

/// The exception for invalid settings; `mistyped`: one of them has a wrong type.
pub(crate) fn of_settings(py: Python<'_>, error: &Error, mistyped: bool) -> PyErr {
    if !mistyped {
        return exception(py, error, false);
    }
    let create = || -> PyResult<_> {
        let module = py.import(intern!(py, "cpaas._errors"))?;
        module.call_method1(intern!(py, "mistyped_setting"), (error.message.as_str(),))
    };
    create().map_or_else(|error| error, PyErr::from_value)
}

/// The error of a call that ended with a panic.
pub(crate) fn internal_error(operation: &'static str) -> Error {
    let message = "an internal error of cpaas: the request may have been sent";
    Error::new(Outcome::Unknown, SentState::Maybe, Reason::Runtime, operation, message)
}

/// The exception of this package instead of a panic, which is a `BaseException` and may quote input; `None` for any other exception.
pub(crate) fn of_panic(error: &Bound<'_, PyAny>) -> Option<PyErr> {
    error.is_instance_of::<PanicException>().then(|| {
        let py = error.py();
        let exception = exception(py, &internal_error(""), false);
        exception.set_cause(py, None);
        exception
    })
}

/// The exception for an error of a campaign or its journal.
pub(crate) fn of_campaign(py: Python<'_>, error: &cpaas_campaign::Error) -> PyErr {
    let create = || {
        let module = py.import(intern!(py, "cpaas._errors"))?;
        module.call_method1(intern!(py, "campaign_error"), (error.code(), error.to_string()))
    };
    create().map_or_else(|error| error, PyErr::from_value)
}

/// Logs undocumented members, and the text of a passcode that has no code or braces around it: each member once in a process.
///
/// # Errors
/// An exception that interrupts the program. Any other is reported as unraisable.
pub(crate) fn log_mistakes(py: Python<'_>, operation: &str, problems: &[Problem]) -> PyResult<()> {
    let mistakes = [
        codes::MSG_FIELD_UNKNOWN.id,
        codes::MSG_FIELD_MISSPELLED.id,
        codes::OTP_BODY_NO_CODE.id,
        codes::OTP_BODY_CODE_BRACES.id,
    ];
    let warnings = problems.iter().filter(|problem| problem.severity == Severity::Warning);
    for problem in warnings.filter(|problem| mistakes.contains(&&*problem.code)) {
        let logged = py.import(intern!(py, "cpaas._hooks")).and_then(|module| {
            module.call_method1(intern!(py, "log_mistake"), (operation, &problem.pointer, &problem.message))
        });
        match logged {
            Err(error) if is_interrupt(py, &error) => return Err(error),
            Err(error) => error.write_unraisable(py, None),
            Ok(_) => {}
        }
    }
    Ok(())
}

/// Problems as JSON, each with the name of its keyword argument if `metadata` has one.
pub(crate) fn problems_json(problems: &[Problem], metadata: Option<&Metadata>) -> String {
    let records: Vec<Value> = problems
        .iter()
        .map(|problem| {
            let mut record = serde_json::to_value(problem).unwrap_or_default();
            let member = problem.pointer.trim_start_matches('/').split('/').next().unwrap_or_default();
            let keyword =
                metadata.filter(|_| !member.is_empty()).and_then(|metadata| metadata.keyword(member));
            if let (Some(keyword), Some(record)) = (keyword, record.as_object_mut()) {
                record.insert("argument".to_owned(), Value::from(keyword));
            }
            record
        })
        .collect();
    serde_json::to_string(&records).unwrap_or_default()
}
