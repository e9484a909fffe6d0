//! Reads the arguments of a call and runs it.

use cpaas::Client;
use cpaas::client::{CallOptions, RawCall};
use cpaas::operation::{Family, Method};
use cpaas::request::Validation;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::time::Duration;

use crate::metadata::{self, Kind, Metadata};
use crate::once::OnceCall;
use crate::response::{CallEnded, CallResult};
use crate::{decode, encode};

/// The target of a call, with its request.
pub(crate) enum Call {
    /// An operation. `keywords`: whether the request was made of keyword arguments.
    Operation { metadata: &'static Metadata, request: String, keywords: bool },
    /// Any endpoint.
    Raw(RawCall),
    /// An operation with a key.
    Once(OnceCall),
}

impl Call {
    /// `operation` is an index of the metadata, a name, `"raw"` or `"once"`. `arguments` is a tuple in the order of the generated
    /// method, or a mapping.
    pub(crate) fn read(
        operation: &Bound<'_, PyAny>,
        arguments: &Bound<'_, PyAny>,
        extra: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let py = operation.py();
        let (metadata, keywords) = match operation.extract::<usize>() {
            Ok(index) => (metadata::by_index(py, index)?, true),
            Err(_) => {
                let name: &str = operation.extract()?;
                if name == "once" {
                    return OnceCall::read(arguments.cast()?).map(Self::Once);
                }
                if name == "raw" {
                    return raw(arguments.cast()?).map(Self::Raw);
                }
                (metadata::by_name(py, name)?, false)
            }
        };
        let request = match arguments.cast::<PyTuple>() {
            Ok(arguments) => metadata.request(arguments, extra)?,
            Err(_) => encode::to_json(arguments)?,
        };
        Ok(Self::Operation { metadata, request, keywords })
    }

    pub(crate) const fn keywords(&self) -> bool {
        matches!(self, Self::Operation { keywords: true, .. })
    }

    /// The metadata of the operation; `None` for a raw call.
    pub(crate) const fn metadata(&self) -> Option<&'static Metadata> {
        match self {
            Self::Operation { metadata, .. } => Some(metadata),
            Self::Raw(_) => None,
            Self::Once(call) => Some(call.metadata()),
        }
    }

    pub(crate) async fn send(self, client: Client) -> CallEnded {
        match self {
            Self::Operation { metadata, request, .. } => {
                CallEnded::Call(client.call_json(metadata.id, &request).await.map(|mut response| {
                    let value = std::mem::take(&mut response.value);
                    CallResult::new(value, response)
                }))
            }
            Self::Raw(call) => {
                let ended = client.call_raw(call).await;
                CallEnded::Call(ended.map(|response| CallResult::new(String::new(), response)))
            }
            Self::Once(call) => CallEnded::Once(call.send(client).await),
        }
    }
}

fn raw(arguments: &Bound<'_, PyDict>) -> PyResult<RawCall> {
    let text = |name: &str| -> PyResult<String> {
        arguments.get_item(name)?.map_or(Ok(String::new()), |value| value.extract())
    };
    let mut call = RawCall::new(method(&text("method")?)?, family(&text("family")?)?, text("path")?);
    for (name, value) in pairs(arguments, "query")? {
        call = call.query(name, value);
    }
    for (name, value) in pairs(arguments, "headers")? {
        call = call.header(name, value);
    }
    match arguments.get_item("body")? {
        Some(body) if !body.is_none() => {
            let body: serde_json::Value = serde_json::from_str(&encode::to_json(&body)?)
                .map_err(|_| PyValueError::new_err("body: must be a JSON value"))?;
            Ok(call.body(body))
        }
        _ => Ok(call),
    }
}

fn pairs(arguments: &Bound<'_, PyDict>, name: &str) -> PyResult<Vec<(String, String)>> {
    match arguments.get_item(name)? {
        Some(value) if !value.is_none() => value
            .cast::<PyDict>()
            .map_err(|_| {
                PyTypeError::new_err(format!("{name}: must be a dict, got {}", encode::type_name(&value)))
            })?
            .iter()
            .map(|(name, value)| Ok((name.extract()?, value.str()?.extract()?)))
            .collect(),
        _ => Ok(Vec::new()),
    }
}

fn method(name: &str) -> PyResult<Method> {
    [Method::Get, Method::Post, Method::Put, Method::Delete]
        .into_iter()
        .find(|method| method.as_str().eq_ignore_ascii_case(name))
        .ok_or_else(|| PyValueError::new_err("method must be GET, POST, PUT or DELETE"))
}

fn family(name: &str) -> PyResult<Family> {
    Ok(match name {
        "otp" => Family::Otp,
        "sms" => Family::Sms,
        "lookup" => Family::Lookup,
        "messaging" => Family::Messaging,
        "messenger_b" => Family::MessengerB,
        "bot" => Family::MessengerC,
        _ => {
            let known = "family must be otp, sms, lookup, messaging, messenger_b or bot";
            return Err(PyValueError::new_err(known));
        }
    })
}

/// Returns the client with the options of one call. `timeout` and `deadline` are in seconds.
pub(crate) fn options(
    client: Client,
    timeout: Option<f64>,
    deadline: Option<f64>,
    validate: Option<&str>,
) -> PyResult<Client> {
    if timeout.is_none() && deadline.is_none() && validate.is_none() {
        return Ok(client);
    }
    let mut options = CallOptions::new();
    if let Some(seconds) = timeout {
        options = options.timeout(duration("timeout", seconds)?);
    }
    if let Some(seconds) = deadline {
        options = options.deadline(duration("deadline", seconds)?);
    }
    if let Some(validation) = validate {
        options = options.validation(match validation {
            "strict" => Validation::Strict,
            "warn" => Validation::Warn,
            "off" => Validation::Off,
            _ => return Err(PyValueError::new_err("validate must be \"strict\", \"warn\" or \"off\"")),
        });
    }
    Ok(client.with(options))
}

fn duration(name: &str, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| PyValueError::new_err(format!("{name} must be a number of seconds greater than 0")))
}

/// Computes the request for the next page of a list.
#[pyclass(module = "cpaas._cpaas")]
pub(crate) struct Pages {
    pages: cpaas::client::Pages,
    metadata: &'static Metadata,
}

#[pymethods]
impl Pages {
    #[new]
    #[pyo3(signature = (operation, /))]
    fn new(py: Python<'_>, operation: usize) -> PyResult<Self> {
        Ok(Self { pages: cpaas::client::Pages::new(), metadata: metadata::by_index(py, operation)? })
    }

    /// The request for the next page, or None after the last page.
    #[pyo3(signature = (request, body, /))]
    fn next<'py>(&mut self, request: &Bound<'py, PyAny>, body: &[u8]) -> PyResult<Option<Bound<'py, PyAny>>> {
        let request_json = encode::to_json(request)?;
        let previous = serde_json::from_str(&request_json).unwrap_or_default();
        let response = serde_json::from_slice(body).unwrap_or_default();
        let input = &self.metadata.id.meta().input;
        let next = self.pages.next(&previous, &response, |name| input.field(name).is_some());
        next.map(|next| decode::from_json(request.py(), &next.to_string(), &Kind::Any)).transpose()
    }
}
