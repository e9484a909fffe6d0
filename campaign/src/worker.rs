//! Runs a campaign with one worker.

mod claim_reply;
mod dispatch;
mod gate;
mod inbox;
mod journal_thread;
mod marks;
mod row;

use std::sync::Arc;
use std::time::Duration;

use cpaas::Client;
use tokio::sync::watch;

use crate::campaign::{MAX_DEADLINE, Status, status};
use crate::cpaas_calls;
use crate::error::{Error, Result};
use crate::journal::{Journal, State};

use dispatch::Dispatcher;
use gate::Gate;
use journal_thread::JournalThread;

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
        Self { concurrency: 64, deadline, limit: None, on_progress: None, on_halt: None, stop, stopper }
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
pub enum RunEnd {
    /// No row is left to send.
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
/// # Errors
/// [`Error::Setting`] when the deadline is longer than [`MAX_DEADLINE`]. When the journal fails: nothing is sent after that, and
/// rows that were in progress become unknown.
pub async fn run(
    mut journal: Journal,
    name: &str,
    client: &Client,
    options: RunOptions,
) -> Result<(RunEnd, Journal)> {
    if options.deadline > MAX_DEADLINE {
        return Err(Error::Setting("the deadline of a row must be at most 60 s".to_owned()));
    }
    let name = name.to_owned();
    let prepared = tokio::task::spawn_blocking(move || {
        let campaign = journal.campaign(&name)?;
        if campaign.state == State::Active {
            journal.settle_unsent_rows(&campaign.id)?;
        }
        let gate = Gate::new(&campaign, journal.suppressed(&campaign.id)?, journal.watch())?;
        Ok::<_, Error>((journal, campaign, gate))
    });
    let (journal, campaign, gate) = prepared.await.map_err(|_| Error::Task)??;
    if let Some(end) = ended(campaign.state)? {
        return Ok((end, journal));
    }
    let operation = cpaas_calls::operation(&campaign.operation)?;
    let gate = Arc::new(gate);
    let link = JournalThread::start(journal, campaign.clone(), gate.clone(), &options)?;
    let mut dispatcher =
        Dispatcher::new(link, gate, cpaas_calls::for_rows(client), operation, &campaign, &options);
    let result = dispatcher.run().await;
    let journal = dispatcher.finish().await;
    match (result, journal) {
        // The journal thread has ended. Its own error is the cause.
        (Err(Error::Task | Error::Journal(_)), Err(error)) => Err(error),
        (result, journal) => report_halt(result?, journal?, campaign.name, options.on_halt).await,
    }
}

/// Calls `on_halt` if the campaign halted.
async fn report_halt(
    end: RunEnd,
    mut journal: Journal,
    name: String,
    on_halt: Option<OnHalt>,
) -> Result<(RunEnd, Journal)> {
    let Some(on_halt) = on_halt.filter(|_| end == RunEnd::Halted) else { return Ok((end, journal)) };
    let task = move || {
        on_halt(&status(&mut journal, &name)?);
        Ok((end, journal))
    };
    tokio::task::spawn_blocking(task).await.map_err(|_| Error::Task)?
}

/// The end of a run whose campaign is in this state; `None` if the run continues.
fn ended(state: State) -> Result<Option<RunEnd>> {
    match state {
        State::Active => Ok(None),
        State::Paused => Ok(Some(RunEnd::Paused)),
        State::Halted => Ok(Some(RunEnd::Halted)),
        State::Cancelled => Ok(Some(RunEnd::Cancelled)),
        State::Creating => {
            Err(Error::State { expected: "created", actual: "creating; create it again".to_owned() })
        }
    }
}
