//! Callbacks: keyrings, receivers, duplicates and pending calls.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cpaas::bindings;
use cpaas::callback::{self, Arrival, Lifetime, Purpose};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyInt, PyTuple};
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::arguments::{text, untrusted_text};
use crate::metadata::Kind;
use crate::{argument_errors, arguments, encode, python_value};

/// A keyring: the first key signs, all keys verify.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct Keyring {
    inner: callback::Keyring,
}

#[pymethods]
impl Keyring {
    #[new]
    #[pyo3(signature = (config, /))]
    fn new(config: &Bound<'_, PyAny>) -> PyResult<Self> {
        let inner = bindings::keyring_from_json(&encode::to_json(config)?).map_err(value_error)?;
        Ok(Self { inner })
    }

    /// Creates a token. `lifetime` is a number of seconds, "never" or None; `now` is in seconds since 1970.
    #[pyo3(signature = (purpose, audience, reference, lifetime, now, /))]
    fn mint(
        &self,
        purpose: &Bound<'_, PyAny>,
        audience: &Bound<'_, PyAny>,
        reference: &Bound<'_, PyAny>,
        lifetime: &Bound<'_, PyAny>,
        now: u64,
    ) -> PyResult<String> {
        let lifetime = if lifetime.is_none() {
            Lifetime::Default
        } else if lifetime.is_instance_of::<PyInt>() && !lifetime.is_instance_of::<PyBool>() {
            // The core refuses both limits.
            let limit = if lifetime.lt(0)? { 0 } else { u32::MAX };
            Lifetime::Seconds(lifetime.extract().unwrap_or(limit))
        } else if lifetime.extract::<&str>().is_ok_and(|word| word == "never") {
            Lifetime::Never
        } else {
            return Err(argument_errors::bad_value(
                "lifetime must be a number of seconds, \"never\" or None",
            ));
        };
        self.inner
            .mint(
                parse_name::<Purpose>(text("purpose", purpose)?)?,
                text("audience", audience)?,
                text("reference", reference)?,
                lifetime,
                now,
            )
            .map_err(value_error)
    }

    /// Returns the claims of a token, or the reason of its rejection as a str.
    #[pyo3(signature = (token, purpose, audience, reference, now, /))]
    fn verify<'py>(
        &self,
        py: Python<'py>,
        token: &Bound<'py, PyAny>,
        purpose: &Bound<'py, PyAny>,
        audience: &Bound<'py, PyAny>,
        reference: &Bound<'py, PyAny>,
        now: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let token = untrusted_text("token", token)?;
        let purpose = parse_name::<Purpose>(text("purpose", purpose)?)?;
        let (audience, reference) = (text("audience", audience)?, untrusted_text("reference", reference)?);
        let json = match self.inner.verify(&token, purpose, audience, &reference, now) {
            Ok(claims) => json!(claims),
            Err(reason) => json!(reason),
        };
        python_value::from_json(py, &json.to_string(), &Kind::Any)
    }

    /// Returns the state of each key.
    #[pyo3(signature = (now, /))]
    fn lint<'py>(&self, py: Python<'py>, now: u64) -> PyResult<Bound<'py, PyAny>> {
        python_value::from_json(py, &json!(self.inner.lint(now)).to_string(), &Kind::Any)
    }
}

/// Verifies and parses callback requests, without I/O.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct Receiver {
    inner: callback::Receiver,
}

#[pymethods]
impl Receiver {
    #[new]
    #[pyo3(signature = (config, /))]
    fn new(config: &Bound<'_, PyAny>) -> PyResult<Self> {
        callback::Receiver::from_json(&encode::to_json(config)?)
            .map(|inner| Self { inner })
            .map_err(value_error)
    }

    /// Returns the callback, or the reason of its rejection as a str.
    #[pyo3(signature = (method, url, headers, body, now, /))]
    fn receive<'py>(
        &self,
        py: Python<'py>,
        method: &Bound<'py, PyAny>,
        url: &Bound<'py, PyAny>,
        headers: Vec<Bound<'py, PyAny>>,
        body: &Bound<'py, PyBytes>,
        now: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (method, url) = (untrusted_text("method", method)?, untrusted_text("url", url)?);
        let headers: Vec<(String, String)> = headers.iter().map(header).collect::<PyResult<_>>()?;
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        match self.inner.receive(&method, &url, &headers, body.as_bytes(), now) {
            Ok(inner) => Ok(Bound::new(py, Received { inner })?.into_any()),
            Err(rejected) => python_value::from_json(py, &json!(rejected.reason).to_string(), &Kind::Any),
        }
    }

    /// Creates a token or a URL with a token.
    #[pyo3(signature = (request, now, /))]
    fn mint<'py>(&self, request: &Bound<'py, PyAny>, now: u64) -> PyResult<Bound<'py, PyAny>> {
        let result = self.inner.mint_json(&encode::to_json(request)?, now).map_err(value_error)?;
        python_value::from_json(request.py(), &result, &Kind::Any)
    }
}

/// An authentic callback. `kind` is its type; its members are attributes, None if absent.
#[pyclass(frozen, eq, module = "cpaas.callbacks")]
#[derive(PartialEq)]
pub(crate) struct Received {
    inner: callback::Received,
}

impl Received {
    /// A member, converted by a function of `cpaas._conversions`.
    fn converted<'py>(slf: &Bound<'py, Self>, name: &str, function: &str) -> PyResult<Bound<'py, PyAny>> {
        let value = slf.getattr(name)?;
        slf.py().import(intern!(slf.py(), "cpaas._conversions"))?.call_method1(function, (value,))
    }
}

#[pymethods]
impl Received {
    #[classattr]
    const fn __match_args__() -> (&'static str,) {
        ("kind",)
    }

    /// `sms_report`, `chat_report`, `inbound_sms`, `messenger_b`, `messenger_c`, `business_chat` or `unknown`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.inner.event.kind()
    }

    /// The key of the event, equal for every repeat of its callback; None if the event has no id.
    #[getter]
    fn key(&self) -> Option<String> {
        self.inner.key()
    }

    /// The members as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python_value::from_json(py, &serde_json::to_string(&self.inner.event).unwrap_or_default(), &Kind::Any)
    }

    /// The claims of the token: purpose, kid, issued, expires, nonce.
    #[getter]
    fn claims<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python_value::from_json(py, &json!(self.inner.claims).to_string(), &Kind::Any)
    }

    /// `timestamp` as a datetime in UTC; None if it is absent or unreadable.
    #[getter]
    fn timestamp_datetime<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::converted(slf, "timestamp", "as_datetime")
    }

    /// `rate`, a price, as a Decimal; None if it is absent or unreadable.
    #[getter]
    fn rate_decimal<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::converted(slf, "rate", "as_decimal")
    }

    fn __getattr__<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let known = py.import(intern!(py, "cpaas.callbacks._receiver"))?.getattr(intern!(py, "MEMBERS"))?;
        if !known.contains(name)? {
            return Err(pyo3::exceptions::PyAttributeError::new_err(format!(
                "a callback has no attribute {name:?}"
            )));
        }
        let members = slf.get().to_dict(py)?;
        let found = members.cast::<PyDict>()?.get_item(name.trim_end_matches('_'))?;
        Ok(found.unwrap_or_else(|| py.None().into_bound(py)))
    }

    fn __dir__(slf: &Bound<'_, Self>) -> PyResult<Vec<String>> {
        let py = slf.py();
        let mut names: Vec<String> =
            py.get_type::<PyAny>().call_method1(intern!(py, "__dir__"), (slf,))?.extract()?;
        let members = py.import(intern!(py, "cpaas.callbacks._receiver"))?.getattr(intern!(py, "MEMBERS"))?;
        for name in members.try_iter()? {
            names.push(name?.extract()?);
        }
        Ok(names)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.inner.event.kind(), self.inner.claims.issued, self.inner.event.message_id()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let restore = py.get_type::<Self>().getattr(intern!(py, "from_json"))?;
        let state = serde_json::to_string(&slf.get().inner).unwrap_or_default();
        (restore, (state,)).into_pyobject(py)
    }

    /// Creates a callback from its JSON, which has the members and `claims`; for pickles and tests.
    ///
    /// Args:
    ///     text: The JSON.
    ///
    /// Raises:
    ///     cpaas.Invalid: The text is not such JSON.
    #[staticmethod]
    #[pyo3(signature = (text, /))]
    fn from_json(text: &Bound<'_, PyAny>) -> PyResult<Self> {
        serde_json::from_str(arguments::text("text", text)?).map(|inner| Self { inner }).map_err(|_| {
            argument_errors::bad_value("the callback must be JSON with the members of its kind, and `claims`")
        })
    }

    fn __repr__(&self) -> String {
        format!("<cpaas callback: {}>", self.inner.event.kind())
    }
}

/// Detects repeated callbacks among the last `capacity`.
#[pyclass(frozen, module = "cpaas.callbacks")]
pub(crate) struct Duplicates {
    inner: Mutex<callback::Duplicates>,
}

#[pymethods]
impl Duplicates {
    #[new]
    #[pyo3(signature = (capacity=None), text_signature = "(capacity=100_000)")]
    fn new(capacity: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let capacity = arguments::count("capacity", capacity, 100_000)?;
        Ok(Self { inner: Mutex::new(callback::Duplicates::new(capacity)) })
    }

    /// Returns whether this status of this message was received before, and remembers the status.
    #[pyo3(signature = (received, /))]
    fn repeats(&self, received: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(lock(&self.inner).check(&received_of(received)?.get().inner) == Arrival::Repeat)
    }

    /// Forgets a callback whose handler failed, so that its repeat counts as new.
    #[pyo3(signature = (received, /))]
    fn forget(&self, received: &Bound<'_, PyAny>) -> PyResult<()> {
        lock(&self.inner).forget(&received_of(received)?.get().inner);
        Ok(())
    }

    /// The most advanced status that was received for a message.
    #[pyo3(signature = (message_id, /))]
    fn latest<'py>(&self, message_id: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, message_id) = (message_id.py(), text("message_id", message_id)?);
        python_value::from_json(py, &json!(lock(&self.inner).latest(message_id)).to_string(), &Kind::Any)
    }

    fn __len__(&self) -> usize {
        lock(&self.inner).len()
    }
}

/// Remembers calls with an unknown outcome by their references, until a report confirms them.
#[pyclass(frozen, module = "cpaas.callbacks")]
pub(crate) struct Pending {
    inner: Mutex<callback::Pending>,
}

#[pymethods]
impl Pending {
    #[new]
    #[pyo3(signature = (capacity=None), text_signature = "(capacity=10_000)")]
    fn new(capacity: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let capacity = arguments::count("capacity", capacity, 10_000)?;
        Ok(Self { inner: Mutex::new(callback::Pending::new(capacity)) })
    }

    /// Adds a call whose outcome is unknown.
    ///
    /// Args:
    ///     reference: Your reference of the message.
    ///     operation: The id of the operation.
    #[pyo3(signature = (reference, operation, /))]
    fn unknown(&self, reference: &Bound<'_, PyAny>, operation: &Bound<'_, PyAny>) -> PyResult<()> {
        let (reference, operation) = (text("reference", reference)?, text("operation", operation)?);
        lock(&self.inner).unknown(reference, operation);
        Ok(())
    }

    /// The call that a report confirms: `reference`, `operation`, `message_id`, `first` (whether this is its first report); or None.
    ///
    /// Args:
    ///     received: The delivery report.
    #[pyo3(signature = (received, /))]
    fn reconcile<'py>(&self, received: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let settled = lock(&self.inner).reconcile(&received_of(received)?.get().inner);
        python_value::from_json(received.py(), &json!(settled).to_string(), &Kind::Any)
    }

    /// The references of the calls that no report has confirmed.
    #[getter]
    fn open(&self) -> Vec<String> {
        lock(&self.inner).open().map(str::to_owned).collect()
    }
}

/// Adds a token to the query of a URL.
///
/// Args:
///     url: The URL.
///     token: The token, from `Keyring.mint`.
#[pyfunction]
#[pyo3(signature = (url, token, /))]
pub(crate) fn token_url(url: &Bound<'_, PyAny>, token: &Bound<'_, PyAny>) -> PyResult<String> {
    callback::token_url(text("url", url)?, text("token", token)?).map_err(value_error)
}

/// What an inbound message asks for: `kind` and `certainty`.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn intent<'py>(text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let found = json!(cpaas::text::intent(&untrusted_text("text", text)?));
    python_value::from_json(text.py(), &found.to_string(), &Kind::Any)
}

/// A header: a pair of a name and a value.
fn header(pair: &Bound<'_, PyAny>) -> PyResult<(String, String)> {
    let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair
        .extract()
        .map_err(|_| arguments::wrong_type("headers", "a mapping or an iterable of pairs of str", pair))?;
    let name = untrusted_text("headers: a name", &name)?.into_owned();
    let value = untrusted_text(&format!("headers[{name:?}]"), &value)?.into_owned();
    Ok((name, value))
}

fn received_of<'a, 'py>(received: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, Received>> {
    received
        .cast::<Received>()
        .map_err(|_| arguments::wrong_type("received", "a cpaas.callbacks.Received", received))
}

fn parse_name<T: DeserializeOwned>(name: &str) -> PyResult<T> {
    serde_json::from_value(json!(name)).map_err(|_| {
        argument_errors::bad_value(format!(
            "purpose must be \"delivery_report\", \"inbound\" or \"chat_report\", got {name:?}"
        ))
    })
}

fn value_error(error: impl std::error::Error) -> PyErr {
    argument_errors::bad_value(error.to_string())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
