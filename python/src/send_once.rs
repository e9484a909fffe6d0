//! `send_once`: one message for each key.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cpaas::Client;
use cpaas::error::{Outcome, Reason, SentState};
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::journal::{Journal, OpenOptions, RetryReason};
use cpaas_campaign::protocol::RowOutcome;
use cpaas_campaign::{Error, SendOnceOptions, SendOnceResult, send_once};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde_json::Value;

use crate::argument_errors::{self, bad_value};
use crate::arguments::text;
use crate::exceptions;
use crate::metadata::{self, Kind, Metadata};
use crate::python_value;

/// The default time limit of a call.
const DEADLINE: Duration = Duration::from_secs(30);

type Shared = Arc<Mutex<Journal>>;

/// The open journals of this process, by address.
static JOURNALS: Mutex<Option<(u32, HashMap<String, Shared>)>> = Mutex::new(None);

/// A call of `send_once`, with the address of its journal.
pub(crate) struct SendOnceCall {
    metadata: &'static Metadata,
    key: String,
    request: String,
    journal: String,
    options: SendOnceOptions,
}

impl SendOnceCall {
    /// Reads the arguments from `cpaas._bulk.send_once`: key, operation, request, extra members, journal, deadline
    /// the reason of a retry, and whether any provider is accepted.
    pub(crate) fn read(py: Python<'_>, arguments: &Bound<'_, PyTuple>) -> PyResult<Self> {
        type Any<'py> = Bound<'py, PyAny>;
        type Arguments<'py> = (
            Any<'py>,
            Any<'py>,
            Bound<'py, PyTuple>,
            Option<Any<'py>>,
            Any<'py>,
            Option<f64>,
            Option<String>,
            bool,
        );
        let (key, operation, request, extra, journal, deadline, retry, any_provider): Arguments<'_> =
            arguments.extract()?;
        let (metadata, _) = metadata::find(&operation)?;
        // The classes of the result are loaded before the first byte leaves: a failure here loses no result.
        metadata.kind(py).map_err(|error| argument_errors::resource_missing(py, metadata.name, error))?;
        let named = |error| argument_errors::with_operation(py, error, metadata.name);
        let key = text("key", &key).map_err(named)?.to_owned();
        let journal = text("journal", &journal).map_err(named)?.to_owned();
        let request = metadata.request(&request, extra.as_ref()).map_err(named)?;
        let deadline = match deadline.map(Duration::try_from_secs_f64) {
            None => DEADLINE,
            Some(Ok(deadline)) if !deadline.is_zero() => deadline,
            Some(_) => {
                return Err(named(bad_value("deadline must be a number of seconds greater than 0")));
            }
        };
        let mut options = SendOnceOptions::from(deadline);
        options.any_provider = any_provider;
        if let Some(reason) = retry {
            options = options
                .retry(RetryReason::parse(&reason).map_err(|error| exceptions::of_campaign(py, &error))?);
        }
        Ok(Self { metadata, key, request, journal, options })
    }

    pub(crate) const fn metadata(&self) -> &'static Metadata {
        self.metadata
    }

    pub(crate) async fn send(self, client: Client) -> Result<SendOnceResult, Error> {
        let url = self.journal.clone();
        let opened = tokio::task::spawn_blocking(move || shared(&url));
        let journal = opened.await.map_err(|_| Error::Task)??;
        let operation = self.metadata.name;
        let sent = send_once(journal, &client, &self.key, operation, &self.request, self.options).await;
        if sent.as_ref().is_err_and(Error::closes_journal) {
            forget(&self.journal);
        }
        sent
    }
}

/// The journal with this address. Journals of a parent process are leaked, because the parent uses their files and sockets.
fn shared(url: &str) -> Result<Shared, Error> {
    let mut known = JOURNALS.lock().unwrap_or_else(PoisonError::into_inner);
    let pid = std::process::id();
    if known.as_ref().is_some_and(|(of, _)| *of != pid) {
        std::mem::forget(known.take());
    }
    let (_, journals) = known.get_or_insert_with(|| (pid, HashMap::new()));
    if let Some(journal) = journals.get(url) {
        return Ok(journal.clone());
    }
    let journal = Arc::new(Mutex::new(open_journal(url, OpenOptions::default())?));
    journals.insert(url.to_owned(), journal.clone());
    Ok(journal)
}

/// Forgets the journal with this address, so that the next call opens it again.
pub(crate) fn forget(url: &str) {
    if let Some((_, journals)) = JOURNALS.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        journals.remove(url);
    }
}

/// Closes the journals of this process before it ends, so that the write-ahead log of a file is moved into it. A call that is in progress
/// keeps its journal open.
pub(crate) fn close_journals() {
    let known = JOURNALS.lock().unwrap_or_else(PoisonError::into_inner).take();
    match known {
        Some((process, journals)) if process == std::process::id() => drop(journals),
        of_parent => std::mem::forget(of_parent),
    }
}

/// The result of the operation, or the exception of its outcome.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    metadata: &'static Metadata,
    once: Result<SendOnceResult, Error>,
) -> PyResult<Bound<'py, PyAny>> {
    let once = once.map_err(|error| exceptions::of_campaign(py, &error))?;
    let detail = once.detail.as_deref();
    let record = detail.and_then(|detail| serde_json::from_str::<Value>(detail).ok());
    // The response to an `otp.verify` with an invalid passcode is a result too.
    let has_response = matches!(once.outcome, RowOutcome::Accepted | RowOutcome::Rejected);
    let is_response = has_response && !record.as_ref().is_some_and(is_error);
    if let Some(response) = detail.filter(|_| is_response) {
        return result(py, metadata, response);
    }
    let record = match record.filter(is_error) {
        Some(record) => record.to_string(),
        None => without_detail(metadata.name, once.outcome).to_json(),
    };
    let record = python_value::from_json(py, &record, &Kind::Any)?;
    let module = py.import(intern!(py, "cpaas._errors"))?;
    let exception = module.call_method1(intern!(py, "from_record"), (record,))?;
    Err(PyErr::from_value(exception))
}

fn result<'py>(py: Python<'py>, metadata: &Metadata, response: &str) -> PyResult<Bound<'py, PyAny>> {
    let value = python_value::from_json(py, response, metadata.kind(py)?)?;
    if value.is_instance_of::<PyTuple>() {
        let records = py.import(intern!(py, "cpaas.models"))?.getattr(intern!(py, "Records"))?;
        return records.call_method1(intern!(py, "_restored"), (value, py.None()));
    }
    Ok(value)
}

fn is_error(record: &Value) -> bool {
    ["outcome", "sent", "reason", "operation", "message"].iter().all(|name| record.get(name).is_some())
}

/// The error record for an outcome whose details are not in the journal.
fn without_detail(operation: &'static str, outcome: RowOutcome) -> cpaas::Error {
    let (outcome, sent, message) = match outcome {
        RowOutcome::Accepted => (
            Outcome::AcceptedIdUnknown,
            SentState::Yes,
            "accepted in another call with this key, but the response is not stored",
        ),
        RowOutcome::NotSent => {
            (Outcome::NotSent, SentState::No, "nothing was sent by the call that used this key")
        }
        RowOutcome::Rejected => (Outcome::Rejected, SentState::Yes, "rejected in another call with this key"),
        RowOutcome::Suppressed => (
            Outcome::Invalid,
            SentState::No,
            "refused in another call with this key: the recipient is suppressed",
        ),
        RowOutcome::Invalid => {
            (Outcome::Invalid, SentState::No, "the request was invalid in another call with this key")
        }
        _ => (
            Outcome::Unknown,
            SentState::Maybe,
            "another call with this key may have sent the message, and its outcome is unknown; this call sent nothing",
        ),
    };
    cpaas::Error::new(outcome, sent, Reason::Runtime, operation, message)
}
