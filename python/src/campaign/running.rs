//! Runs a campaign in this process.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::campaign::{Status, TestMessage, TestRows};
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use pyo3::prelude::*;

use super::{exception, to_python};
use crate::client::NativeClient;
use crate::hook::Hook;
use crate::http_reports::HttpReports;
use crate::interrupt::Interrupt;
use crate::runtime::{self, InterpreterGuard, ProcessRuntime};

/// The last status that `on_progress` has not received.
type Latest = Arc<Mutex<Option<Status>>>;

/// One run of a campaign.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct CampaignRun {
    url: String,
    name: String,
    concurrency: usize,
    deadline: Option<f64>,
    limit: Option<u64>,
    any_provider: bool,
    options: RunOptions,
    latest: Latest,
}

#[pymethods]
impl CampaignRun {
    #[new]
    #[pyo3(signature = (url, name, concurrency, deadline, limit, any_provider, /))]
    fn new(
        url: String,
        name: String,
        concurrency: usize,
        deadline: Option<f64>,
        limit: Option<u64>,
        any_provider: bool,
    ) -> Self {
        let latest = Latest::default();
        let kept = latest.clone();
        let keep = move |status: &Status| *lock(&kept) = Some(status.clone());
        let options = RunOptions::default().on_progress(keep);
        Self { url, name, concurrency, deadline, limit, any_provider, options, latest }
    }

    /// Ends the run after the rows in progress. Any thread may call it.
    fn stop(&self) {
        self.options.stopper()();
    }

    /// Runs the campaign and returns why it ended. The first exception of a signal handler or of `on_progress` ends
    /// the run after the rows in progress; a second exception ends it at once.
    #[pyo3(signature = (client, on_progress, /))]
    fn run(
        &self,
        client: &Bound<'_, NativeClient>,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<&'static str> {
        let py = client.py();
        let (client, instruments) = instrumented(py, client.get())?;
        let mut options = self.options.clone().concurrency(self.concurrency);
        options.limit = self.limit;
        options.any_provider = self.any_provider;
        if let Some(deadline) = self.deadline.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
            options.deadline = deadline;
        }
        let guard = InterpreterGuard::enter(py);
        let mut future = Box::pin(async {
            let url = self.url.clone();
            let opening =
                tokio::task::spawn_blocking(move || open_journal(&url, super::options(true, false)));
            let journal = opening.await.map_err(|_| cpaas_campaign::Error::Task)??;
            Ok::<_, cpaas_campaign::Error>(run(journal, &self.name, &client, options).await?)
        });
        let process = runtime::current(py)?;
        let mut interrupted: Option<PyErr> = None;
        let ended = drive(py, process, &guard, instruments.as_ref(), future.as_mut(), |reported| {
            let Err(error) = reported.and_then(|()| self.check(py, on_progress)) else { return Ok(()) };
            if interrupted.is_some() {
                return Err(error);
            }
            self.stop();
            interrupted = Some(error);
            Ok(())
        });
        runtime::drop_future(future);
        let reported = report(py, instruments.as_ref());
        let ended = ended?.map_err(|error| exception(py, &error));
        match interrupted.or(reported.err()) {
            Some(error) => Err(error),
            None => Ok(name(ended?.0)),
        }
    }
}

impl CampaignRun {
    /// Runs signal handlers, and `on_progress` if the status is new.
    fn check(&self, py: Python<'_>, on_progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        py.check_signals()?;
        let latest = lock(&self.latest).take();
        if let (Some(on_progress), Some(status)) = (on_progress, latest) {
            on_progress.call1((to_python(py, &status)?,))?;
        }
        Ok(())
    }
}

/// The messages of a test.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct CampaignTest {
    url: String,
    name: String,
    rows: TestRows,
    to: Vec<String>,
}

#[pymethods]
impl CampaignTest {
    #[new]
    #[pyo3(signature = (url, name, rows, count, to, /))]
    fn new(url: String, name: String, rows: Option<Vec<u64>>, count: u64, to: Vec<String>) -> Self {
        let rows = rows.map_or(TestRows::First(count), TestRows::Numbers);
        Self { url, name, rows, to }
    }

    /// Sends the messages and returns them with their outcomes. An exception of a signal handler ends the test; messages that it
    /// has sent by then are sent.
    #[pyo3(signature = (client, /))]
    fn run<'py>(&self, client: &Bound<'py, NativeClient>) -> PyResult<Bound<'py, PyAny>> {
        let py = client.py();
        let (client, instruments) = instrumented(py, client.get())?;
        let guard = InterpreterGuard::enter(py);
        let mut future = Box::pin(async {
            let (url, name, rows, to) =
                (self.url.clone(), self.name.clone(), self.rows.clone(), self.to.clone());
            let preparing = tokio::task::spawn_blocking(move || {
                let mut journal = open_journal(&url, super::options(true, true))?;
                TestMessage::prepare(&mut journal, &name, &rows, &to)
            });
            let mut messages = preparing.await.map_err(|_| cpaas_campaign::Error::Task)??;
            for message in &mut messages {
                message.send(&client).await;
            }
            Ok::<_, cpaas_campaign::Error>(messages)
        });
        let process = runtime::current(py)?;
        let check = |reported: PyResult<()>| reported.and_then(|()| py.check_signals());
        let ended = drive(py, process, &guard, instruments.as_ref(), future.as_mut(), check);
        runtime::drop_future(future);
        let ended = report(py, instruments.as_ref()).and(ended);
        to_python(py, &ended?.map_err(|error| exception(py, &error))?)
    }
}

/// The instrumentations of a client, and the reports for them. The hooks of the program are not called for messages of campaigns.
type Instruments = (Hook, HttpReports);

/// A client whose calls are reported to its instrumentations.
fn instrumented(py: Python<'_>, native: &NativeClient) -> PyResult<(cpaas::Client, Option<Instruments>)> {
    let client = native.client(py)?;
    let Some(hook) = native.instruments(py) else { return Ok((client, None)) };
    let reports = HttpReports::default();
    Ok((reports.attach(client, hook.needs()), Some((hook, reports))))
}

/// Runs a future to its end on this thread, and calls the instrumentations of its requests. Calls `check` at short intervals and after
/// reports, with the first exception of an instrumentation that interrupts the program. An error of `check` ends the wait.
///
/// # Errors
/// Those of `check`.
fn drive<T: Send>(
    py: Python<'_>,
    process: &ProcessRuntime,
    guard: &InterpreterGuard,
    instruments: Option<&Instruments>,
    mut future: Pin<&mut (dyn Future<Output = T> + Send)>,
    mut check: impl FnMut(PyResult<()>) -> PyResult<()>,
) -> PyResult<T> {
    let Some((_, reports)) = instruments else {
        return runtime::block_on_and(py, process, guard, future, || check(Ok(())));
    };
    loop {
        let step = pin!(reports.next(future.as_mut()));
        if let Some(ended) = runtime::block_on_and(py, process, guard, step, || check(Ok(())))? {
            return Ok(ended);
        }
        // Reports may arrive faster than the interval of the checks.
        check(report(py, instruments))?;
    }
}

/// Calls the instrumentations.
fn report(py: Python<'_>, instruments: Option<&Instruments>) -> PyResult<()> {
    let mut interrupt = Interrupt::default();
    if let Some((hook, reports)) = instruments {
        for report in reports.take() {
            hook.report(py, report, &mut interrupt);
        }
    }
    interrupt.take().map_or(Ok(()), Err)
}

const fn name(end: RunEnd) -> &'static str {
    match end {
        RunEnd::Done => "done",
        RunEnd::Paused => "paused",
        RunEnd::Cancelled => "cancelled",
        RunEnd::Halted => "halted",
        RunEnd::Limit => "limit",
        _ => "stopped",
    }
}

fn lock(latest: &Latest) -> std::sync::MutexGuard<'_, Option<Status>> {
    latest.lock().unwrap_or_else(PoisonError::into_inner)
}
