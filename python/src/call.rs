//! Reads the arguments of a call and runs it.

use cpaas::Client;
use cpaas::bindings;
use cpaas::client::{CallOptions, RawCall};
use cpaas::config::Validation;
use cpaas_host::catch_panic;
use pyo3::exceptions::PyOverflowError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyMapping, PyTuple};
use serde::Deserialize;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use crate::call_result::{CallEnded, CallResult};
use crate::metadata::{self, Metadata};
#[cfg(feature = "campaign")]
use crate::send_once::SendOnceCall;
use crate::{argument_errors, arguments, encode, exceptions};

/// The name of raw calls in events.
const RAW: &str = "raw";

/// The options of one call. `timeout` and `deadline` are numbers of seconds or `timedelta`s.
#[derive(Clone, Copy, Default)]
pub(crate) struct Options<'a, 'py> {
    pub(crate) timeout: Option<&'a Bound<'py, PyAny>>,
    pub(crate) deadline: Option<&'a Bound<'py, PyAny>>,
    pub(crate) validate: Option<&'a Bound<'py, PyAny>>,
    pub(crate) headers: Option<&'a Bound<'py, PyAny>>,
}

/// The target of a call, with its request.
pub(crate) enum Call {
    /// An operation. `is_method_call`: whether a generated method made the request, so that problems name its arguments.
    Operation { metadata: &'static Metadata, request: Arc<String>, is_method_call: bool },
    /// A raw call, to any endpoint.
    Raw(RawCall),
    /// An operation that is called at most once for each key.
    #[cfg(feature = "campaign")]
    SendOnce(SendOnceCall),
}

impl Call {
    /// Reads the call of an operation: an index of the metadata with the arguments in the order of the generated method, or a name with a
    /// mapping.
    pub(crate) fn operation(
        operation: &Bound<'_, PyAny>,
        arguments: &Bound<'_, PyAny>,
        extra: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let py = operation.py();
        let (metadata, is_method_call) =
            metadata::find(operation).map_err(|error| argument_errors::resource_missing(py, "", error))?;
        // The classes of the result are loaded before anything is sent, so that a failure to load them loses no result.
        metadata.kind(py).map_err(|error| argument_errors::resource_missing(py, metadata.name, error))?;
        let request = match arguments.cast::<PyTuple>() {
            Ok(arguments) => metadata.request(arguments, extra),
            Err(_) => metadata::request_of(metadata.id, arguments),
        };
        let request = request.map_err(|error| argument_errors::with_operation(py, error, metadata.name))?;
        Ok(Self::Operation { metadata, request: Arc::new(request), is_method_call })
    }

    /// Reads a raw call, from a `dict` with the arguments of `call_raw`.
    pub(crate) fn raw(request: &Bound<'_, PyDict>) -> PyResult<Self> {
        raw(request).map(Self::Raw)
    }

    /// Reads a call of `send_once`, from the tuple that `cpaas._bulk.send_once` returns.
    #[cfg(feature = "campaign")]
    pub(crate) fn send_once(arguments: &Bound<'_, PyTuple>) -> PyResult<Self> {
        SendOnceCall::read(arguments.py(), arguments).map(Self::SendOnce)
    }

    pub(crate) const fn is_method_call(&self) -> bool {
        matches!(self, Self::Operation { is_method_call: true, .. })
    }

    /// The metadata of the operation; `None` for a raw call.
    pub(crate) const fn metadata(&self) -> Option<&'static Metadata> {
        match self {
            Self::Operation { metadata, .. } => Some(metadata),
            Self::Raw(_) => None,
            #[cfg(feature = "campaign")]
            Self::SendOnce(call) => Some(call.metadata()),
        }
    }

    /// The request of an operation, as JSON.
    pub(crate) fn request(&self) -> Option<Arc<String>> {
        match self {
            Self::Operation { request, .. } => Some(request.clone()),
            _ => None,
        }
    }

    /// The name of the operation; empty for a raw call.
    pub(crate) fn name(&self) -> &'static str {
        self.metadata().map_or("", |metadata| metadata.name)
    }

    /// Runs the call. A panic becomes an error with the outcome `unknown`.
    pub(crate) async fn send(self, client: Client) -> CallEnded {
        let operation = name(self.metadata());
        let mut call = pin!(self.run(client));
        poll_fn(|context| {
            catch_panic(|| call.as_mut().poll(context))
                .unwrap_or_else(|| Poll::Ready(CallEnded::Call(Err(exceptions::internal_error(operation)))))
        })
        .await
    }

    async fn run(self, client: Client) -> CallEnded {
        match self {
            Self::Operation { metadata, request, .. } => {
                let ended = bindings::call_erased(&client, metadata.id, &request).await;
                CallEnded::Call(ended.map(CallResult::new))
            }
            Self::Raw(call) => {
                let ended = client.call_raw(call).await;
                CallEnded::Call(ended.map(CallResult::of_raw_call))
            }
            #[cfg(feature = "campaign")]
            Self::SendOnce(call) => CallEnded::SendOnce(call.send(client).await),
        }
    }
}

/// The name of a call in events: its operation, or "raw".
pub(crate) fn name(metadata: Option<&Metadata>) -> &'static str {
    metadata.map_or(RAW, |metadata| metadata.name)
}

/// The reference of a request.
pub(crate) fn reference(request: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Referenced {
        reference: Option<String>,
    }
    serde_json::from_str::<Referenced>(request).ok()?.reference
}

fn raw(arguments: &Bound<'_, PyDict>) -> PyResult<RawCall> {
    let text = |name: &str| -> PyResult<String> {
        let Some(value) = arguments.get_item(name)? else { return Ok(String::new()) };
        arguments::text(name, &value).map(str::to_owned)
    };
    let call = RawCall::from_names(&text("method")?, &text("family")?, text("path")?);
    let mut call = call.map_err(argument_errors::bad_value)?;
    for (name, value) in pairs(arguments, "query")? {
        call = call.query(name, value);
    }
    match arguments.get_item("body")? {
        Some(body) if !body.is_none() => {
            let body: serde_json::Value = serde_json::from_str(&encode::argument_to_json("body", &body)?)
                .map_err(|_| argument_errors::bad_value("body: must be a JSON value"))?;
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
                argument_errors::bad_type(format!(
                    "{name}: must be a dict, got {}",
                    encode::type_name(&value)
                ))
            })?
            .iter()
            .map(|(key, value)| {
                let located = |error| argument_errors::located(key.py(), error, name);
                let key_text = encode::key_text(&key).map_err(located)?;
                let value = value.str().map_err(located)?;
                Ok((key_text.to_owned(), encode::text(&value).map_err(located)?.to_owned()))
            })
            .collect(),
        _ => Ok(Vec::new()),
    }
}

/// Returns the client with the options of one call.
pub(crate) fn with_options(client: Client, options: Options<'_, '_>) -> PyResult<Client> {
    let Options { timeout, deadline, validate, headers } = options;
    if timeout.is_none() && deadline.is_none() && validate.is_none() && headers.is_none() {
        return Ok(client);
    }
    let mut options = CallOptions::new();
    for (name, value) in headers.map(extra_headers).transpose()?.unwrap_or_default() {
        options = options.header(name, value);
    }
    if let Some(seconds) = timeout {
        options = options.timeout(duration("timeout", seconds)?);
    }
    if let Some(seconds) = deadline {
        options = options.deadline(duration("deadline", seconds)?);
    }
    if let Some(value) = validate {
        options = options.validation(validation(value)?);
    }
    Ok(client.with(options))
}

fn validation(value: &Bound<'_, PyAny>) -> PyResult<Validation> {
    Ok(match arguments::text("validate", value)? {
        "strict" => Validation::Strict,
        "pedantic" => Validation::Pedantic,
        "warn" => Validation::Warn,
        "off" => Validation::Off,
        _ => {
            return Err(argument_errors::bad_value(
                "validate must be \"strict\", \"pedantic\", \"warn\" or \"off\"",
            ));
        }
    })
}

/// The headers that the caller adds. The core checks their names and values.
fn extra_headers(headers: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    let Ok(mapping) = headers.cast::<PyMapping>() else {
        return Err(arguments::wrong_type("extra_headers", "a mapping of str to str", headers));
    };
    let located = |error| argument_errors::located(headers.py(), error, "extra_headers");
    let mut read = Vec::new();
    for item in mapping.items().map_err(located)?.iter() {
        let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract().map_err(located)?;
        let name = arguments::text("extra_headers: a name", &name)?.to_owned();
        read.push((name, arguments::text("extra_headers: a value", &value)?.to_owned()));
    }
    Ok(read)
}

/// The longest time limit, about 300 years.
const MAX_SECONDS: f64 = 1e10;

fn duration(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let not_seconds = || arguments::wrong_type(name, "a number of seconds or a timedelta", value);
    let number: PyResult<f64> = match encode::method(value, intern!(value.py(), "total_seconds"))? {
        Some(total_seconds) => total_seconds.call0()?.extract().map_err(|_| not_seconds()),
        None if value.is_instance_of::<PyBool>() => return Err(not_seconds()),
        None => value.extract(),
    };
    let seconds = match number {
        Ok(seconds) => seconds,
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            if value.lt(0)? {
                -1.0
            } else {
                f64::INFINITY
            }
        }
        Err(_) => return Err(not_seconds()),
    };
    if seconds > MAX_SECONDS {
        return Err(argument_errors::bad_value(format!("{name} must be at most 10,000,000,000 seconds")));
    }
    Duration::try_from_secs_f64(seconds).ok().filter(|duration| !duration.is_zero()).ok_or_else(|| {
        argument_errors::bad_value(format!("{name} must be a number of seconds greater than 0"))
    })
}
