//! How a call ended, and its Python result or exception.

use cpaas::Problem;
use cpaas::bindings::ErasedValue;
use cpaas::http::HttpResponse;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde_json::Value;

use crate::exceptions;
use crate::metadata::{Kind, Metadata};
use crate::python_value;
use crate::response::Response;
#[cfg(feature = "campaign")]
use crate::send_once;

/// The result of an accepted call.
pub(crate) struct CallResult {
    /// `None` for a raw call.
    value: Option<ErasedValue>,
    warnings: Vec<Problem>,
    attempts: u32,
    call_id: String,
    raw: HttpResponse,
}

impl CallResult {
    pub(crate) fn new(response: cpaas::client::Response<ErasedValue>) -> Self {
        let cpaas::client::Response { value, warnings, attempts, call_id, raw, .. } = response;
        Self { value: Some(value), warnings, attempts, call_id, raw }
    }

    pub(crate) fn of_raw_call(response: cpaas::client::Response<Value>) -> Self {
        let cpaas::client::Response { warnings, attempts, call_id, raw, .. } = response;
        Self { value: None, warnings, attempts, call_id, raw }
    }
}

/// How a call ended.
pub(crate) enum CallEnded {
    /// A call of an operation, or of any endpoint.
    Call(Result<CallResult, cpaas::Error>),
    /// A call of `send_once`: calls with the same key share one outcome.
    #[cfg(feature = "campaign")]
    SendOnce(Result<cpaas_campaign::SendOnceResult, cpaas_campaign::Error>),
}

/// The Python result of a call: an instance of the class of the operation, or the response of a raw call.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    metadata: Option<&'static Metadata>,
    ended: CallEnded,
    is_method_call: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let result = match ended {
        CallEnded::Call(result) => result,
        #[cfg(feature = "campaign")]
        CallEnded::SendOnce(ended) => {
            let Some(metadata) = metadata else { return Ok(py.None().into_bound(py)) };
            return send_once::to_python(py, metadata, ended);
        }
    };
    let result = result.map_err(|error| exceptions::exception(py, &error, is_method_call))?;
    if let Some(metadata) = metadata {
        exceptions::log_mistakes(py, metadata.name, &result.warnings)?;
    }
    let CallResult { value, warnings, attempts, call_id, raw } = result;
    let response =
        Response::new(raw, attempts, call_id, &warnings, is_method_call.then_some(metadata).flatten());
    let response = Bound::new(py, response)?;
    let (Some(metadata), Some(value)) = (metadata, value) else { return Ok(response.into_any()) };
    let kind = metadata.kind(py)?;
    let value = python_value::from_value(py, &value, kind)?;
    if value.is_instance_of::<PyTuple>() {
        let records = py.import(intern!(py, "cpaas.models"))?.getattr(intern!(py, "Records"))?;
        return records.call_method1(intern!(py, "_restored"), (value, response));
    }
    if let Kind::Model(model) = kind
        && let Some(attribute) = &model.response
    {
        attribute.set(&value, &response)?;
    }
    Ok(value)
}
