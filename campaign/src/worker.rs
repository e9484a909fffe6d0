//! Runs a campaign with one worker.

mod claim_reply;
mod dispatch;
mod gate;
mod inbox;
mod journal_thread;
mod marks;
mod row;
mod store_watch;

use std::sync::Arc;
use std::time::Duration;

use cpaas::Client;
use tokio::sync::watch;

use crate::background;
use crate::campaign::{MAX_DEADLINE, Status, status};
use crate::cpaas_calls;
use crate::error::{Error, Result};
use crate::error_with_journal::ErrorWithJournal;
use crate::journal::{Journal, Provider, State};

use dispatch::Dispatcher;
use gate::Gate;
use journal_thread::JournalThread;
use store_watch::StoreWatch;

/// Called with the status about once a second, on a thread of the run.
pub type OnProgress = Arc<dyn Fn(&Status) + Send + Sync>;

/// Called with the status when the campaign halts, on a thread of the run.
pub type OnHalt = Arc<dyn Fn(&Status) + Send + Sync>;

/// How a worker runs.
#[derive(Clone)]
#[non_exhaustive]
pub struct RunOptions {
    /// At most this many rows in progress at a time (default 64). The setting `concurrency` of the campaign replaces it.
    pub concurrency: usize,
    /// Time limit of one row, over all attempts of the client: default 30 s, at most [`MAX_DEADLINE`].
    pub deadline: Duration,
    /// The run ends after it has claimed this many rows.
    pub limit: Option<u64>,
    /// Whether the campaign may continue with another provider than the one of its first run.
    pub any_provider: bool,
    /// Called with the status about once a second.
    pub on_progress: Option<OnProgress>,
    /// Called with the status when the campaign halts during the run.
    pub on_halt: Option<OnHalt>,
    stop: watch::Receiver<bool>,
    stopper: Arc<watch::Sender<bool>>,
}

impl Default for RunOptions {
    fn default() -> Self {
        let (sender, stop) = watch::channel(false);
        let deadline = Duration::from_secs(30);
        let stopper = Arc::new(sender);
        Self {
            concurrency: 64,
            deadline,
            limit: None,
            any_provider: false,
            on_progress: None,
            on_halt: None,
            stop,
            stopper,
        }
    }
}

impl RunOptions {
    /// At most this many rows in progress at a time; 0 counts as 1.
    #[must_use]
    pub const fn concurrency(mut self, rows: usize) -> Self {
        self.concurrency = rows;
        self
    }

    /// Ends the run after it has claimed this many rows. The rest stays pending.
    #[must_use]
    pub const fn limit(mut self, rows: u64) -> Self {
        self.limit = Some(rows);
        self
    }

    /// Continues the campaign although its first run was with another provider.
    #[must_use]
    pub const fn any_provider(mut self) -> Self {
        self.any_provider = true;
        self
    }

    /// Calls a function with the status about once a second.
    #[must_use]
    pub fn on_progress(mut self, on_progress: impl Fn(&Status) + Send + Sync + 'static) -> Self {
        self.on_progress = Some(Arc::new(on_progress));
        self
    }

    /// Calls a function with the status when the campaign halts during the run. Each worker calls its own.
    #[must_use]
    pub fn on_halt(mut self, on_halt: impl Fn(&Status) + Send + Sync + 'static) -> Self {
        self.on_halt = Some(Arc::new(on_halt));
        self
    }

    /// Returns a function that ends the run after the rows in progress. It may be called from any thread.
    pub fn stopper(&self) -> impl Fn() + Send + Sync + Clone + 'static {
        let stopper = self.stopper.clone();
        move || {
            stopper.send_replace(true);
        }
    }
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "rows may be left, and rows may be invalid, rejected or unknown: read the end, then `campaign::status`"]
pub enum RunEnd {
    /// No row is left to send. Also if rows are invalid, even all of them, rejected or unknown: read
    /// [`status`].
    Done,
    /// The caller stopped it.
    Stopped,
    /// It has claimed as many rows as [`RunOptions::limit`] permits.
    Limit,
    /// The campaign was paused.
    Paused,
    /// The campaign was cancelled.
    Cancelled,
    /// The campaign halted; its status has the reason.
    Halted,
}

/// Runs a campaign until it is done, stopped, paused, cancelled or halted. The run takes the journal and returns it. Several
/// runs, in this process or in others, may send the same campaign.
///
/// A run that is stopped by [`RunOptions::stopper`] lets the rows in progress finish. Without it, Ctrl-C and SIGTERM end the process, and
/// rows in progress become unknown, as when the future is dropped.
///
/// ```
/// use cpaas_campaign::journal::{OpenOptions, Settings};
/// use cpaas_campaign::source::CsvSource;
/// use cpaas_campaign::worker::{RunEnd, RunOptions, run};
/// use cpaas_campaign::{Messages, Template, campaign};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let url = folder.path().join("autumn.db").display().to_string();
/// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
/// # let client = cpaas::Client::new(&sandbox.config())?;
/// # let template = serde_json::json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi"});
/// # let messages = Messages::new("sms.send", Template::new(template)?);
/// # let people = CsvSource::new("phone\n306912345678\n".as_bytes(), Default::default())?;
/// # let journal = campaign::open_journal(&url, OpenOptions::default()).await?;
/// # let (_, journal) = campaign::create(journal, "autumn", people, messages, Settings::default(), None).await?;
/// let options = RunOptions::default().concurrency(16).on_progress(|status| println!("{} left", status.pending));
/// let stop = options.stopper();
/// tokio::spawn(async move {
///     if tokio::signal::ctrl_c().await.is_ok() {
///         stop(); // for SIGTERM too: `tokio::signal::unix`
///     }
/// });
/// match run(journal, "autumn", &client, options).await {
///     Ok((end, mut journal)) => {
///         assert_eq!(end, RunEnd::Done); // RunEnd::Stopped after Ctrl-C: run it again
///         let status = campaign::status(&mut journal, "autumn")?;
///         println!("{} rows are invalid, {} rejected, {} unknown", status.invalid, status.rejected, status.unknown);
/// #       assert_eq!(status.accepted, 1);
///     }
///     Err(failed) => match failed.journal {
///         // Nothing else is sent. What was in progress is unknown.
///         Some(journal) if !failed.error.closes_journal() => drop(journal),
///         _ => println!("open the journal again: {}", failed.error),
///     },
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The error and the journal, if its thread did not end by a panic. [`Error::Panicked`] when `on_progress` or `on_halt` panicked;
/// nothing is sent after that, and rows that were in progress become unknown. [`Error::Setting`] when the deadline is zero or longer than
/// [`MAX_DEADLINE`]. [`Error::OtherProvider`] when the client has none of the addresses of the first run.
/// [`Error::OlderSuppressionStore`] and [`Error::OtherSuppressionStore`] when the suppression store of the client was set back or is not that
/// of earlier runs; see [`Journal::accept_suppression_store`]. When the journal fails:
/// nothing is sent after that, and rows that were in progress become unknown.
pub async fn run(
    journal: Journal,
    name: &str,
    client: &Client,
    options: RunOptions,
) -> Result<(RunEnd, Journal), ErrorWithJournal> {
    if options.deadline.is_zero() || options.deadline > MAX_DEADLINE {
        let error = Error::Setting("the deadline of a row must be more than 0 and at most 60 s".to_owned());
        return Err(ErrorWithJournal { error, journal: Some(journal) });
    }
    let (name, any_provider) = (name.to_owned(), options.any_provider);
    let context = client.clone();
    let prepared = on_journal(journal, move |journal| {
        let campaign = journal.campaign(&name)?;
        let operation = cpaas_calls::operation(&campaign.operation)?;
        let provider = Provider::new(&context, operation, any_provider);
        let is_active = campaign.state == State::Active;
        let watch = if is_active { StoreWatch::begin(&context, journal, &campaign.id)? } else { None };
        if is_active {
            journal.begin_with_provider(&campaign, &provider)?;
            journal.remove_left_files()?;
            journal.settle_unsent_rows(&campaign.id)?;
        }
        let gate = Gate::new(&campaign, journal.suppressed(&campaign.id)?, journal.watch())?;
        // With any provider, a claim compares none: a worker with another one may run beside it.
        let compared = if any_provider { Vec::new() } else { provider.addresses };
        Ok((ended(campaign.state)?, campaign, operation, compared, gate, watch))
    });
    let ((end, campaign, operation, provider, gate, watch), journal) = prepared.await?;
    if let Some(end) = end {
        return Ok((end, journal));
    }
    let gate = Arc::new(gate);
    let link =
        JournalThread::start(journal, campaign.clone(), provider.into(), gate.clone(), watch, &options)?;
    let mut dispatcher =
        Dispatcher::new(link, gate, cpaas_calls::for_rows(client), operation, &campaign, &options);
    let result = dispatcher.run().await;
    let (end, journal) = match (result, dispatcher.finish().await) {
        (Ok(end), Ok(journal)) => (end, journal),
        (Err(error), Ok(journal)) => return Err(ErrorWithJournal { error, journal: Some(journal) }),
        // The journal thread has ended. Its own error is the cause.
        (Ok(_) | Err(Error::Task | Error::Journal(..)), Err(failed)) => return Err(failed),
        (Err(error), Err(failed)) => return Err(ErrorWithJournal { error, ..failed }),
    };
    report_halt(end, journal, campaign.name, options.on_halt).await
}

/// Runs work that blocks on the journal.
async fn on_journal<T: Send + 'static>(
    mut journal: Journal,
    work: impl FnOnce(&mut Journal) -> Result<T> + Send + 'static,
) -> Result<(T, Journal), ErrorWithJournal> {
    let worked = tokio::task::spawn_blocking(move || match work(&mut journal) {
        Ok(result) => Ok((result, journal)),
        Err(error) => Err(ErrorWithJournal { error, journal: Some(journal) }),
    });
    worked.await.unwrap_or(Err(ErrorWithJournal { error: Error::Task, journal: None }))
}

/// Calls `on_halt` if the campaign halted.
async fn report_halt(
    end: RunEnd,
    journal: Journal,
    name: String,
    on_halt: Option<OnHalt>,
) -> Result<(RunEnd, Journal), ErrorWithJournal> {
    let Some(on_halt) = on_halt.filter(|_| end == RunEnd::Halted) else { return Ok((end, journal)) };
    on_journal(journal, move |journal| {
        let status = status(journal, &name)?;
        background::call("`on_halt`", || on_halt(&status))?;
        Ok(end)
    })
    .await
}

/// The end of a run whose campaign is in this state; `None` if the run continues.
fn ended(state: State) -> Result<Option<RunEnd>> {
    match state {
        State::Active => Ok(None),
        State::Paused => Ok(Some(RunEnd::Paused)),
        State::Halted => Ok(Some(RunEnd::Halted)),
        State::Cancelled => Ok(Some(RunEnd::Cancelled)),
        State::Creating => {
            let actual = "creating: another program is storing its rows, or has ended before all were stored. Wait while \
                `status` shows `creating`; if that program has ended, create the campaign again";
            Err(Error::State { expected: "created", actual: actual.to_owned() })
        }
    }
}

/// `Debug` omits the functions.
impl std::fmt::Debug for RunOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunOptions")
            .field("concurrency", &self.concurrency)
            .field("deadline", &self.deadline)
            .field("limit", &self.limit)
            .field("any_provider", &self.any_provider)
            .finish_non_exhaustive()
    }
}
