//! Functions that need no network: segments, prices, replacements, senders, numbers, markup, validation.

use std::sync::Arc;

use cpaas::bindings;
use cpaas::request::RequestContext;
use cpaas::text::{self, Count, EncodedPart, Encoding, SegmentOptions};
use cpaas::{Config, OperationId, Report};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use serde_json::json;

use crate::client::NativeClient;
use crate::metadata::{self, Kind};
use crate::{argument_errors, arguments, encode, exceptions, python_value, surrogates};

/// Splits a text into SMS parts. Returns the parts or `{"error": {"code", "message"}}`.
#[pyfunction]
#[pyo3(signature = (text, options, /))]
pub(crate) fn segments<'py>(
    text: &Bound<'py, PyAny>,
    options: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = encode::to_json(options)?;
    result(
        text.py(),
        bindings::segments_json(arguments::text("text", text)?, Some(&options)).map_err(Into::into),
    )
}

/// Calculates the price of a text. Returns the price or `{"error": {"code", "message"}}`.
#[pyfunction]
#[pyo3(signature = (text, price_per_part, options, /))]
pub(crate) fn estimate<'py>(
    text: &Bound<'py, PyAny>,
    price_per_part: &Bound<'py, PyAny>,
    options: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (price, options) = (arguments::text("price_per_part", price_per_part)?, encode::to_json(options)?);
    result(text.py(), bindings::estimate_json_with(arguments::text("text", text)?, price, Some(&options)))
}

/// Encodes a text as the user data of SMS parts. Returns the parts or `{"error": {"code", "message"}}`.
#[pyfunction]
#[pyo3(name = "encode", signature = (text, options, /))]
pub(crate) fn encode_parts<'py>(
    text: &Bound<'py, PyAny>,
    options: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = encode::to_json(options)?;
    result(text.py(), bindings::encode_json(arguments::text("text", text)?, Some(&options)))
}

/// Decodes parts, each `(udh, ud, udl, dcs)`. Returns the text or `{"error": {"code", "message", "part", "octet"}}`.
#[pyfunction]
#[pyo3(name = "decode", signature = (parts, /))]
pub(crate) fn decode_parts(
    py: Python<'_>,
    parts: Vec<(Vec<u8>, Vec<u8>, u8, u8)>,
) -> PyResult<Bound<'_, PyAny>> {
    let parts: Vec<EncodedPart> =
        parts.into_iter().map(|(udh, ud, udl, dcs)| EncodedPart { udh, ud, udl, dcs }).collect();
    match text::decode(&parts) {
        Ok(text) => Ok(PyString::new(py, &text).into_any()),
        Err(error) => {
            let members = json!({"code": error.code(), "message": error.to_string(), "part": error.part, "octet": error.octet});
            python_value::from_json(py, &json!({"error": members}).to_string(), &Kind::Any)
        }
    }
}

/// Replaces characters outside the GSM 7-bit default alphabet with characters of that alphabet.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn transliterate<'py>(text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    python_value::from_json(
        text.py(),
        &bindings::transliterate_json(arguments::text("text", text)?),
        &Kind::Any,
    )
}

/// Counts the SMS parts of a template. Returns the range or `{"error": {"code", "message"}}`.
#[pyfunction]
#[pyo3(signature = (template, values, options, /))]
pub(crate) fn template_segments<'py>(
    template: &Bound<'py, PyAny>,
    values: &Bound<'py, PyAny>,
    options: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (values, options) = (encode::to_json(values)?, encode::to_json(options)?);
    result(
        template.py(),
        bindings::template_segments_json(arguments::text("template", template)?, &values, Some(&options)),
    )
}

/// Calculates the price of a text to one number or a JSON list of numbers. Returns the price or `{"error": {"code", "message"}}`.
#[pyfunction]
#[pyo3(signature = (text, prices, to, options, /))]
pub(crate) fn estimate_to<'py>(
    text: &Bound<'py, PyAny>,
    prices: &Bound<'py, PyAny>,
    to: &Bound<'py, PyAny>,
    options: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (prices, to) = (arguments::text("prices", prices)?, arguments::text("to", to)?);
    let options = encode::to_json(options)?;
    result(text.py(), bindings::estimate_to_json(arguments::text("text", text)?, prices, to, Some(&options)))
}

fn result<'py>(py: Python<'py>, json: Result<String, bindings::TextError>) -> PyResult<Bound<'py, PyAny>> {
    let json = json.unwrap_or_else(|error| {
        json!({"error": {"code": error.code(), "message": error.to_string()}}).to_string()
    });
    python_value::from_json(py, &json, &Kind::Any)
}

/// Returns the cost of each character, the characters that force UCS-2, and the text with replacements; or
/// `{"error": {"code", "message"}}`.
#[pyfunction]
#[pyo3(signature = (text, options, /))]
pub(crate) fn annotate<'py>(
    text: &Bound<'py, PyAny>,
    options: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = encode::to_json(options)?;
    result(text.py(), bindings::annotate_json_with(arguments::text("text", text)?, Some(&options)))
}

/// Parses markup.
#[pyfunction]
#[pyo3(signature = (text, mode, /))]
pub(crate) fn parse_markup<'py>(
    text: &Bound<'py, PyAny>,
    mode: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    python_value::from_json(
        text.py(),
        &bindings::parse_markup_json(arguments::text("text", text)?, arguments::text("mode", mode)?),
        &Kind::Any,
    )
}

/// Escapes a text for a markup mode.
#[pyfunction]
#[pyo3(signature = (text, mode, /))]
pub(crate) fn escape_markup<'py>(
    text: &Bound<'py, PyAny>,
    mode: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    python_value::from_json(
        text.py(),
        &bindings::escape_markup_json(arguments::text("text", text)?, arguments::text("mode", mode)?),
        &Kind::Any,
    )
}

/// Classifies a sender.
#[pyfunction]
#[pyo3(signature = (sender, /))]
pub(crate) fn check_sender<'py>(sender: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let text = arguments::text("sender", sender)?;
    let json = json!({
        "kind": text::sender::classify(text),
        "length": text::sender::length(text),
        "septets": text::sender::septets(text),
        "hasPlus": text::sender::has_plus(text),
        "charset": text::sender::charset(text),
    });
    python_value::from_json(sender.py(), &json.to_string(), &Kind::Any)
}

/// Checks a number against the numbering plans.
#[pyfunction]
#[pyo3(signature = (number, region=None, /))]
pub(crate) fn check_number<'py>(
    number: &Bound<'py, PyAny>,
    region: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let region = region.map(|region| arguments::text("region", region)).transpose()?;
    let check = text::msisdn::check_number(arguments::text("number", number)?, region);
    let check = check.map_err(|error| argument_errors::bad_value(format!("region: {error}")))?;
    python_value::from_json(number.py(), &serde_json::to_string(&check).unwrap_or_default(), &Kind::Any)
}

/// Writes a message that fills its code in. Returns `{"body"}` or `{"error": {"code", "message"}}`.
#[pyfunction]
#[pyo3(signature = (text, options, /))]
pub(crate) fn autofill_body<'py>(
    text: &Bound<'py, PyAny>,
    options: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, options) = (text.py(), encode::to_json(options)?);
    let body = text::autofill::body_from_json(arguments::text("text", text)?, &options);
    result(py, body.map(|body| json!({"body": body}).to_string()).map_err(Into::into))
}

/// Returns what a message fills in, and its problems.
#[pyfunction]
#[pyo3(signature = (message, /))]
pub(crate) fn check_autofill<'py>(message: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let found = text::autofill::check_json(arguments::text("message", message)?);
    python_value::from_json(message.py(), &found, &Kind::Any)
}

/// The hash of an Android app. Returns `{"hash"}` or `{"error": {"code", "message"}}`.
#[pyfunction]
#[pyo3(signature = (package, certificate, /))]
pub(crate) fn app_hash<'py>(
    package: &Bound<'py, PyAny>,
    certificate: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let certificate = certificate
        .cast::<PyBytes>()
        .map_err(|_| arguments::wrong_type("certificate", "bytes", certificate))?;
    let hash = text::autofill::app_hash(arguments::text("package", package)?, certificate.as_bytes());
    let hash = hash.map(|hash| json!({"hash": hash}).to_string());
    result(package.py(), hash.map_err(Into::into))
}

/// A number in the form that is sent, or the code and the message of the reason why it is not a number.
type Normalized = (Option<String>, Option<(&'static str, String)>);

/// Returns a number in the form that is sent, or the reason why it is not a number.
#[pyfunction]
#[pyo3(signature = (number, region=None, /))]
pub(crate) fn normalize_number(
    number: &Bound<'_, PyAny>,
    region: Option<&Bound<'_, PyAny>>,
) -> PyResult<Normalized> {
    let region = region.map(|region| arguments::text("region", region)).transpose()?;
    let digits = text::msisdn::normalize_number(arguments::text("number", number)?, region);
    Ok(match digits {
        Ok(digits) => (Some(digits.into_owned()), None),
        Err(reason) => (None, Some((reason.code(), reason.to_string()))),
    })
}

/// The settings that change requests and their rules, without a client. Addresses, keys and limits are not needed, so their variables
/// may be invalid.
const SETTINGS: &[&str] = &["traffic_account_id", "normalize", "allow_countries", "allow_types"];

/// The settings with which requests are validated: those of a client, or of the environment.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct ValidationContext(Arc<RequestContext>);

#[pymethods]
impl ValidationContext {
    #[new]
    #[pyo3(signature = (client=None, /))]
    fn new(py: Python<'_>, client: Option<&Bound<'_, NativeClient>>) -> PyResult<Self> {
        if let Some(client) = client {
            return Ok(Self(client.get().context()));
        }
        let context = Config::from_env_members(SETTINGS).and_then(|mut config| {
            config.traffic_account_id = config.traffic_account_id.filter(|account| !account.is_empty());
            RequestContext::new(&config)
        });
        let context = context.map_err(|error| exceptions::exception(py, &error, false))?;
        Ok(Self(Arc::new(context)))
    }
}

/// Validates a request, which is a mapping or JSON. Returns None if there are no problems.
#[pyfunction]
#[pyo3(signature = (operation, request, context, /))]
pub(crate) fn validate<'py>(
    operation: &Bound<'py, PyAny>,
    request: &Bound<'py, PyAny>,
    context: &Bound<'py, ValidationContext>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let operation = arguments::text("operation", operation)?;
    let id = OperationId::find(operation).ok_or_else(|| metadata::unknown_operation(operation))?;
    let validated = |json: &str| id.validate_json_with_defaults(json, &context.get().0);
    let report = if let Ok(json) = request.cast::<PyString>() {
        encode::text(json).map(validated)
    } else if let Ok(json) = request.cast::<PyBytes>() {
        Ok(validated(std::str::from_utf8(json.as_bytes()).unwrap_or_default()))
    } else {
        metadata::request_of(id, request).map(|json| validated(&json))
    };
    report_or_none(request.py(), &report.or_else(|error| surrogate_report(request, error))?)
}

/// Returns a report about lone surrogates instead of an exception, because `json.loads` accepts them: a parsed body may contain
/// them.
fn surrogate_report(request: &Bound<'_, PyAny>, error: PyErr) -> PyResult<Report> {
    surrogates::report(request).filter(|_| error.is_instance_of::<PyValueError>(request.py())).ok_or(error)
}

/// Runs a check that is not part of a request: `photo`, `file`, `bot_username` or `card_height`. Returns None if there are
/// no problems.
#[pyfunction]
#[pyo3(signature = (name, arguments, /))]
pub(crate) fn check<'py>(
    name: &Bound<'py, PyAny>,
    arguments: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let name = arguments::text("name", name)?;
    let report = match encode::to_json(arguments) {
        Ok(json) => cpaas::bindings::check_json(name, &json),
        Err(error) => Some(surrogate_report(arguments, error)?),
    };
    let report = report.ok_or_else(|| {
        argument_errors::bad_value(format!(
            "name must be \"photo\", \"file\", \"bot_username\" or \"card_height\", got {name:?}"
        ))
    })?;
    report_or_none(arguments.py(), &report)
}

fn report_or_none<'py>(py: Python<'py>, report: &Report) -> PyResult<Option<Bound<'py, PyAny>>> {
    match report {
        Report { ok: true, warnings, .. } if warnings.is_empty() => Ok(None),
        report => python_value::from_json(py, &report.to_json(), &Kind::Any).map(Some),
    }
}

/// The table of problem codes.
#[pyfunction]
pub(crate) fn problem_codes(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let rows: Vec<_> = cpaas::problem::codes::all()
        .into_iter()
        .map(|code| json!({"id": code.id, "severity": code.severity, "source": code.source, "message": code.message}))
        .collect();
    python_value::from_json(py, &json!(rows).to_string(), &Kind::Any)
}

/// The sizes of many texts.
#[pyclass(frozen, sequence, eq, module = "cpaas")]
#[derive(PartialEq)]
pub(crate) struct SegmentCounts {
    counts: Vec<Count>,
}

/// Counts the parts of many texts.
#[pyfunction]
#[pyo3(signature = (texts, options=None, /))]
pub(crate) fn count_segments(texts: &Bound<'_, PyAny>, options: Option<&str>) -> PyResult<SegmentCounts> {
    if texts.is_instance_of::<PyString>() {
        return Err(argument_errors::bad_type(
            "texts must be an iterable of str, got str; for one text use cpaas.segments",
        ));
    }
    let list: Vec<Bound<'_, PyAny>> = match texts.cast::<PyList>() {
        Ok(list) => list.iter().collect(),
        Err(_) => encode::items(texts)?.collect::<PyResult<_>>()?,
    };
    let texts = list
        .iter()
        .enumerate()
        .map(|(index, item)| {
            // The name is formatted for errors only: most batches have none.
            match item.cast::<PyString>().map(|text| text.to_str()) {
                Ok(Ok(text)) => Ok(text),
                _ => arguments::text(&format!("texts[{index}]"), item),
            }
        })
        .collect::<PyResult<Vec<&str>>>()?;
    let Some(options) = options else {
        let mut counts = Vec::new();
        text::count_batch(&texts, &mut counts);
        return Ok(SegmentCounts { counts });
    };
    let options =
        SegmentOptions::from_json(options).map_err(|error| argument_errors::bad_value(error.to_string()))?;
    let counts = texts.iter().map(|text| text::count_with(text, options.languages));
    let counts: Result<_, _> = counts.collect();
    Ok(SegmentCounts { counts: counts.map_err(|error| argument_errors::bad_value(error.to_string()))? })
}

/// The size of a pickled count in bytes: the encoding, then three 32-bit numbers.
const PICKLED_SIZE: usize = 13;

fn pickled(count: &Count) -> [u8; PICKLED_SIZE] {
    let mut out = [u8::from(count.encoding == Encoding::Ucs2); PICKLED_SIZE];
    let numbers = [count.count, count.units, count.remaining].map(u32::to_le_bytes);
    out.iter_mut().skip(1).zip(numbers.as_flattened()).for_each(|(out, byte)| *out = *byte);
    out
}

fn restored(bytes: &[u8]) -> Option<Count> {
    let (encoding, numbers) = bytes.split_first()?;
    let mut numbers =
        numbers.chunks_exact(4).map_while(|bytes| Some(u32::from_le_bytes(bytes.try_into().ok()?)));
    let encoding = if *encoding == 0 { Encoding::Gsm7 } else { Encoding::Ucs2 };
    Some(Count { encoding, count: numbers.next()?, units: numbers.next()?, remaining: numbers.next()? })
}

#[pymethods]
impl SegmentCounts {
    /// Restores a pickle.
    #[new]
    #[pyo3(signature = (state, /))]
    fn from_pickle(state: &[u8]) -> Self {
        Self { counts: state.chunks_exact(PICKLED_SIZE).filter_map(restored).collect() }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let state: Vec<u8> = self.counts.iter().flat_map(pickled).collect();
        (py.get_type::<Self>(), (PyBytes::new(py, &state),)).into_pyobject(py)
    }

    fn __len__(&self) -> usize {
        self.counts.len()
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        let index = if index < 0 { index.checked_add_unsigned(self.counts.len()) } else { Some(index) };
        let count =
            index.and_then(|index| usize::try_from(index).ok()).and_then(|index| self.counts.get(index));
        let count = count.ok_or_else(|| PyIndexError::new_err("index out of range"))?;
        let class = py.import(intern!(py, "cpaas._text.segments"))?.getattr(intern!(py, "SegmentCount"))?;
        let members = (count.encoding.as_str(), count.count, count.units, count.remaining);
        class.call1(members).map(Bound::unbind)
    }

    /// The number of parts of each text.
    #[getter]
    fn counts(&self) -> Vec<u32> {
        self.counts.iter().map(|count| count.count).collect()
    }

    /// The septets or UTF-16 units of each text.
    #[getter]
    fn units(&self) -> Vec<u32> {
        self.counts.iter().map(|count| count.units).collect()
    }

    /// The encoding of each text.
    #[getter]
    fn encodings(&self) -> Vec<&'static str> {
        self.counts.iter().map(|count| count.encoding.as_str()).collect()
    }

    /// The total number of parts.
    #[getter]
    fn total(&self) -> u64 {
        self.counts.iter().map(|count| u64::from(count.count)).sum()
    }

    fn __repr__(&self) -> String {
        format!("<cpaas.SegmentCounts: {} texts, {} parts>", self.counts.len(), self.total())
    }
}
