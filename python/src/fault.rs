//! Error records and problems on their way to Python.

use cpaas::{Error, Problem};
use pyo3::intern;
use pyo3::prelude::*;
use serde_json::Value;

use crate::decode;
use crate::plan::{self, Kind, Plan};

/// The exception for an error; `keywords` says whether the request came as keyword arguments, whose
/// names the problems then carry.
pub(crate) fn raise(py: Python<'_>, error: &Error, keywords: bool) -> PyErr {
    match build(py, error, keywords) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

fn build<'py>(py: Python<'py>, error: &Error, keywords: bool) -> PyResult<Bound<'py, PyAny>> {
    let record = decode::from_json(py, &error.to_json(), &Kind::Any)?;
    if keywords && !error.problems.is_empty() {
        let plan = plan::named(py, error.operation)?;
        let problems = problems_json(&error.problems, Some(plan));
        record.set_item(intern!(py, "problems"), decode::from_json(py, &problems, &Kind::Any)?)?;
    }
    py.import(intern!(py, "cpaas._errors"))?.call_method1(intern!(py, "from_record"), (record,))
}

/// Problems as JSON, each with the argument that it is about where a plan knows it.
pub(crate) fn problems_json(problems: &[Problem], plan: Option<&Plan>) -> String {
    let records: Vec<Value> = problems
        .iter()
        .map(|problem| {
            let mut record = serde_json::to_value(problem).unwrap_or_default();
            let member = problem.pointer.trim_start_matches('/').split('/').next().unwrap_or_default();
            let keyword = plan.filter(|_| !member.is_empty()).and_then(|plan| plan.keyword(member));
            if let (Some(keyword), Some(record)) = (keyword, record.as_object_mut()) {
                record.insert("argument".to_owned(), Value::from(keyword));
            }
            record
        })
        .collect();
    serde_json::to_string(&records).unwrap_or_default()
}
