//! Campaigns: the methods of `cpaas.Campaign` over one journal.

mod plans;
mod rows;
mod running;

use std::collections::BTreeMap;
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cpaas_campaign::blocking;
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::campaign::{self, DeliveryReport, TestMessage, TestRows};
use cpaas_campaign::journal::{Journal, OpenOptions, RetryReason};
use cpaas_campaign::protocol::Resolution;
use cpaas_campaign::source::Encoding;
use cpaas_campaign::{Error, Prices, SuppressionOptions};
use cpaas_host::without_sigpipe;
use pyo3::exceptions::{PyRuntimeWarning, PyValueError};
use pyo3::prelude::*;
use serde::Serialize;

pub(crate) use plans::plan_rows;
pub(crate) use running::{CampaignRun, CampaignTest};

use crate::argument_errors::bad_value;
use crate::exceptions::of_campaign as exception;
use crate::metadata::Kind;
use crate::python_value;
use crate::runtime::InterpreterGuard;
use crate::send_once::forget;
use crate::suppression::SuppressionDatabase;
use plans::described;

/// Converts a record of `cpaas_campaign` to Python values.
fn to_python<'py>(py: Python<'py>, record: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let json = serde_json::to_string(record).map_err(|error| PyValueError::new_err(error.to_string()))?;
    python_value::from_json(py, &json, &Kind::Any)
}

fn options(existing: bool, read_only: bool) -> OpenOptions {
    let mut options = OpenOptions::default();
    options.existing = existing;
    options.read_only = read_only;
    options
}

/// A journal, opened at its first use. A child process opens it again. It never attaches to the interpreter, because the consumer
/// of an Arrow stream calls it without the interpreter lock.
pub(crate) struct SharedJournal {
    url: String,
    existing: bool,
    open: Mutex<Option<OpenJournals>>,
}

/// The journal as one process opened it: for writing, or for reading only, which a copy permits too.
struct OpenJournals {
    process: u32,
    writing: Option<Journal>,
    reading: Option<Journal>,
    /// What the caller was not told yet.
    warning: Option<String>,
}

impl SharedJournal {
    /// Runs work on the journal. A journal that failed is closed.
    fn run<T>(&self, work: impl FnOnce(&mut Journal) -> Result<T, Error>) -> Result<T, Error> {
        let mut open = self.lock();
        let journals = current(&mut open);
        self.run_on(&mut journals.writing, false, work)
    }

    /// As [`Self::run`], for work that only reads.
    fn read<T>(&self, work: impl FnOnce(&mut Journal) -> Result<T, Error>) -> Result<T, Error> {
        let mut open = self.lock();
        let journals = current(&mut open);
        if journals.writing.is_some() {
            return self.run_on(&mut journals.writing, false, work);
        }
        let is_opened = journals.reading.is_none();
        let result = self.run_on(&mut journals.reading, true, work);
        if is_opened {
            journals.warning = journals.reading.as_ref().and_then(Journal::warning);
        }
        result
    }

    fn run_on<T>(
        &self,
        journal: &mut Option<Journal>,
        reads: bool,
        work: impl FnOnce(&mut Journal) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let opened = match journal.take() {
            Some(known) => journal.insert(known),
            None => journal.insert(open_journal(&self.url, options(self.existing, reads))?),
        };
        let result = work(opened);
        if result.as_ref().is_err_and(Error::closes_journal) {
            *journal = None;
        }
        result
    }

    fn lock(&self) -> MutexGuard<'_, Option<OpenJournals>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why a journal that was opened for reading would be refused for writing, once.
    fn take_warning(&self) -> Option<String> {
        self.lock().as_mut().and_then(|journals| journals.warning.take())
    }

    /// The rows of one chunk with their outcomes; empty after the last chunk.
    pub(crate) fn outcomes(&self, name: &str, chunk: u32) -> Result<Vec<campaign::ExportRow>, Error> {
        self.read(|journal| campaign::export_chunk(journal, name, chunk))
    }
}

/// The journals of this process. Those of the parent process are leaked, because the parent uses their files and sockets.
fn current(open: &mut Option<OpenJournals>) -> &mut OpenJournals {
    let process = std::process::id();
    if open.as_ref().is_some_and(|journals| journals.process != process) {
        std::mem::forget(open.take());
    }
    open.get_or_insert(OpenJournals { process, writing: None, reading: None, warning: None })
}

impl Drop for SharedJournal {
    fn drop(&mut self) {
        let open = self.open.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if open.as_ref().is_some_and(|journals| journals.process != std::process::id()) {
            std::mem::forget(open);
        }
    }
}

/// The journal of a `cpaas.Campaign`.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct CampaignJournal(Arc<SharedJournal>);

impl CampaignJournal {
    /// Runs work on the journal with the interpreter released.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Journal) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let result = InterpreterGuard::enter(py).detach(py, || self.0.run(work));
        result.map_err(|error| exception(py, &error))
    }

    /// As [`Self::with`], for work that only reads. Warns if the journal is not the one that was written last.
    fn reading<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Journal) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let result = InterpreterGuard::enter(py).detach(py, || self.0.read(work));
        if let Some(warning) = self.0.take_warning() {
            let message = CString::new(warning.replace('\0', "\u{fffd}"))?;
            PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &message, 3)?; // the caller of `public`
        }
        result.map_err(|error| exception(py, &error))
    }

    pub(crate) fn shared(&self) -> Arc<SharedJournal> {
        self.0.clone()
    }

    /// The rows of one chunk with their outcomes; empty after the last chunk.
    pub(crate) fn outcomes(
        &self,
        py: Python<'_>,
        name: &str,
        chunk: u32,
    ) -> PyResult<Vec<campaign::ExportRow>> {
        self.reading(py, |journal| campaign::export_chunk(journal, name, chunk))
    }

    /// The columns of the source that a campaign keeps.
    pub(crate) fn kept_columns(&self, py: Python<'_>, name: &str) -> PyResult<Vec<String>> {
        self.reading(py, |journal| Ok(journal.campaign(name)?.settings.keep))
    }
}

#[pymethods]
impl CampaignJournal {
    #[new]
    #[pyo3(signature = (url, existing, /))]
    fn new(url: String, existing: bool) -> Self {
        Self(Arc::new(SharedJournal { url, existing, open: Mutex::default() }))
    }

    /// Copies one moment of a journal to a new file.
    #[staticmethod]
    #[pyo3(signature = (url, file, /))]
    fn backup<'py>(py: Python<'py>, url: &str, file: PathBuf) -> PyResult<Bound<'py, PyAny>> {
        let made = InterpreterGuard::enter(py).detach(py, || Journal::backup(url, &file));
        to_python(py, &made.map_err(|error| exception(py, &error))?)
    }

    /// Checks a journal and changes nothing.
    #[staticmethod]
    #[pyo3(signature = (url, /))]
    fn verify<'py>(py: Python<'py>, url: &str) -> PyResult<Bound<'py, PyAny>> {
        let found = InterpreterGuard::enter(py).detach(py, || Journal::verify(url));
        to_python(py, &found.map_err(|error| exception(py, &error))?)
    }

    /// Why this process cannot use the state folder of the machine; None if it can.
    #[staticmethod]
    fn state_folder_problem(py: Python<'_>) -> Option<String> {
        InterpreterGuard::enter(py).detach(py, cpaas_campaign::journal::state_folder_problem)
    }

    /// Declares that a journal was moved with nothing lost.
    #[staticmethod]
    #[pyo3(signature = (url, /))]
    fn mark_moved(py: Python<'_>, url: &str) -> PyResult<()> {
        let marked = InterpreterGuard::enter(py).detach(py, || Journal::mark_moved(url));
        forget(url);
        marked.map_err(|error| exception(py, &error))
    }

    /// Declares that a journal is a copy or a restored backup.
    #[staticmethod]
    #[pyo3(signature = (url, forget_keys, /))]
    fn mark_restored<'py>(py: Python<'py>, url: &str, forget_keys: bool) -> PyResult<Bound<'py, PyAny>> {
        let marked = InterpreterGuard::enter(py).detach(py, || Journal::mark_restored(url, forget_keys));
        forget(url);
        to_python(py, &marked.map_err(|error| exception(py, &error))?)
    }

    /// Stores the rows of a new campaign. Returns notes about them, and those of the notes that are probably mistakes in the template.
    #[pyo3(signature = (name, rows, description, digest, /))]
    fn create(
        &self,
        py: Python<'_>,
        name: &str,
        rows: &Bound<'_, PyAny>,
        description: &Bound<'_, PyAny>,
        digest: Option<&str>,
    ) -> PyResult<(Vec<String>, Vec<String>)> {
        let (messages, settings) = described(description)?;
        let mut source = rows::open(rows, &messages)?;
        let created = self
            .with(py, |journal| blocking::create(journal, name, &mut source, &messages, settings, digest));
        created
            .map(|creation| (creation.notes, creation.warnings))
            .map_err(|error| source.take_error().unwrap_or(error))
    }

    /// The names of all campaigns, the oldest first.
    fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let campaigns = self.reading(py, Journal::campaigns)?;
        Ok(campaigns.into_iter().map(|campaign| campaign.name).collect())
    }

    #[pyo3(signature = (name, /))]
    fn status<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let status = self.reading(py, |journal| campaign::status(journal, name))?;
        to_python(py, &status)
    }

    /// The plan of the stored rows; `prices` is CSV.
    #[pyo3(signature = (name, prices, rate, /))]
    fn plan<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        prices: Option<&str>,
        rate: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let prices = prices.map(|csv| Prices::read(csv.as_bytes())).transpose();
        let prices = prices.map_err(|error| exception(py, &error))?;
        let plan =
            self.reading(py, |journal| cpaas_campaign::plan_created(journal, name, prices.as_ref(), rate))?;
        plans::to_python(py, &plan)
    }

    /// Changes the state of a campaign. `verb` is `pause`, `resume`, `acknowledge`, `cancel` or `purge`.
    #[pyo3(signature = (name, verb, /))]
    fn change(&self, py: Python<'_>, name: &str, verb: &str) -> PyResult<()> {
        self.with(py, |journal| match verb {
            "pause" => campaign::pause(journal, name),
            "resume" => campaign::resume(journal, name),
            "acknowledge" => campaign::acknowledge_lost_commits(journal, name),
            "cancel" => campaign::cancel(journal, name),
            _ => journal.purge(name),
        })
    }

    /// Changes settings; `changes` is a mapping from their names to values.
    #[pyo3(signature = (name, changes, /))]
    fn set(&self, name: &str, changes: &Bound<'_, PyAny>) -> PyResult<()> {
        let read = plans::changes(changes)?;
        self.with(changes.py(), |journal| campaign::set(journal, name, &read))
    }

    /// The file from which a campaign was created, and the columns of its export.
    #[pyo3(signature = (name, /))]
    fn source(&self, py: Python<'_>, name: &str) -> PyResult<(Option<String>, Vec<String>)> {
        self.reading(py, |journal| {
            let settings = journal.campaign(name)?.settings;
            let own = campaign::OWN_COLUMNS.iter().map(|&column| column.to_owned());
            Ok((settings.source, own.chain(settings.keep).collect()))
        })
    }

    /// The messages that a test would send: the rows with these numbers, or the first `count` that can be sent.
    #[pyo3(signature = (name, rows, count, to, /))]
    fn test_messages<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        rows: Option<Vec<u64>>,
        count: u64,
        to: Vec<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = rows.map_or(TestRows::First(count), TestRows::Numbers);
        let messages = self.reading(py, |journal| TestMessage::prepare(journal, name, &rows, &to))?;
        to_python(py, &messages)
    }

    /// The number of keys of `send_once`.
    fn keys(&self, py: Python<'_>) -> PyResult<u64> {
        self.reading(py, Journal::keys)
    }

    /// The number of changes that runs have read of the suppression store with this identity.
    #[pyo3(signature = (identity, /))]
    fn suppression_changes(&self, py: Python<'_>, identity: &str) -> PyResult<u64> {
        self.reading(py, |journal| journal.suppression_changes(identity))
    }

    /// Accepts a store that was restored. Returns the number of changes that runs have read of it.
    #[pyo3(signature = (store, /))]
    fn accept_restored_store(&self, py: Python<'_>, store: &SuppressionDatabase) -> PyResult<u64> {
        self.with(py, |journal| journal.accept_restored_store(&store.store))
    }

    /// Forgets which suppression store the runs of a campaign have consulted.
    #[pyo3(signature = (name, /))]
    fn forget_suppression_store(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.with(py, |journal| journal.forget_suppression_store(name))
    }

    /// Suppresses the recipients of a list. Returns what was read of it.
    #[pyo3(signature = (name, recipients, column, lenient, encoding, normalize, /))]
    fn suppress<'py>(
        &self,
        name: &str,
        recipients: &Bound<'py, PyAny>,
        column: Option<&str>,
        lenient: bool,
        encoding: Option<&str>,
        normalize: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, list) = (recipients.py(), plans::suppression(recipients)?);
        let encoding = encoding.map(Encoding::named).transpose().map_err(|error| exception(py, &error))?;
        let mut options = SuppressionOptions::default();
        (options.encoding, options.column, options.is_lenient) = (encoding, column, lenient);
        options.normalize = normalize;
        let summary = self.with(py, |journal| campaign::suppress_list(journal, name, &list, options))?;
        to_python(py, &summary)
    }

    /// The rows of one chunk with one of the outcomes, or all; `None` after the last chunk.
    #[pyo3(signature = (name, chunk, outcomes, /))]
    fn export<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        chunk: u32,
        outcomes: Option<Vec<String>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut rows = self.outcomes(py, name, chunk)?;
        if rows.is_empty() {
            return Ok(None);
        }
        if let Some(outcomes) = outcomes {
            rows.retain(|row| outcomes.iter().any(|outcome| outcome == row.outcome));
        }
        to_python(py, &rows).map(Some)
    }

    /// Stores delivery reports, given by their references and states.
    #[pyo3(signature = (name, reports, /))]
    fn report<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        reports: Vec<(String, Option<String>)>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let reports = reports.into_iter().map(|(reference, status)| {
            let mut report = DeliveryReport::from(reference);
            report.status = status;
            report
        });
        let reports: Vec<_> = reports.collect();
        let summary = self.with(py, |journal| campaign::report(journal, name, reports))?;
        to_python(py, &summary)
    }

    /// Stores the delivery reports of a file of JSON values.
    #[pyo3(signature = (name, path, /))]
    fn report_file<'py>(&self, py: Python<'py>, name: &str, path: PathBuf) -> PyResult<Bound<'py, PyAny>> {
        let summary = self.with(py, |journal| campaign::report_file(journal, name, &path))?;
        to_python(py, &summary)
    }

    /// Resolves unknown rows as `accepted` or `not_sent`.
    #[pyo3(signature = (name, resolution, rows, owners_stopped, /))]
    fn resolve<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        resolution: &str,
        rows: Option<Vec<u64>>,
        owners_stopped: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let resolution = Resolution::from_name(resolution)
            .ok_or_else(|| bad_value("as_: must be \"accepted\" or \"not-sent\""))?;
        let work = |journal: &mut Journal| {
            campaign::resolve(journal, name, resolution, rows.as_deref(), owners_stopped)
        };
        to_python(py, &self.with(py, work)?)
    }

    /// Makes rows with a reason eligible again that were claimed longer ago than `older_than` seconds, and returns their number.
    /// If `counts_only` is true, changes nothing.
    #[pyo3(signature = (name, reason, older_than, counts_only, /))]
    fn retry(
        &self,
        py: Python<'_>,
        name: &str,
        reason: &str,
        older_than: f64,
        counts_only: bool,
    ) -> PyResult<u64> {
        let older_than = Duration::try_from_secs_f64(older_than)
            .map_err(|_| bad_value("older_than must be 0 seconds or more"))?;
        let reason = RetryReason::parse(reason).map_err(|error| exception(py, &error))?;
        let work = if counts_only { campaign::count_retries } else { campaign::retry };
        self.with(py, |journal| work(journal, name, &reason, older_than))
    }

    /// The reasons with which `retry` finds rows, and how many rows each finds, whatever their age.
    #[pyo3(signature = (name, /))]
    fn retry_reasons(&self, py: Python<'_>, name: &str) -> PyResult<BTreeMap<String, u64>> {
        self.with(py, |journal| campaign::retry_reasons(journal, name))
    }

    /// Closes the journal. Idempotent; the next use opens it again.
    fn close(&self, py: Python<'_>) {
        let open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner).take();
        match open {
            Some(journals) if journals.process == std::process::id() => {
                py.detach(|| without_sigpipe(|| drop(journals)))
            }
            inherited => std::mem::forget(inherited),
        }
    }
}
