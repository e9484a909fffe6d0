//! A campaign in a journal: creation, state, status and export.

use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::cpaas_calls::SUPPRESSION_UNAVAILABLE;
use crate::error::{Error, Result};
use crate::journal::{
    CHUNK_ROWS, CampaignRecord, Journal, Moment, OpenOptions, SqliteStore, State, Store, done,
};
use crate::kept::Kept;
use crate::named_enum::named_enum;
use crate::protocol::{CreationDecision, RowOutcome, RowState};
use crate::recipients::Recipients;
use crate::row_reason::RowReason;
use crate::settings::{Messages, Settings};
use crate::suppression::{Suppressed, Suppression, SuppressionOptions, SuppressionSummary};

mod backup_and_verify;
mod change_settings;
pub(crate) mod create;
mod create_on_thread;
mod moved_or_restored;
mod open;
mod resolve_unknown;
mod retry_rejected;
mod test_message;
mod waiting;

pub use crate::kept::OWN_COLUMNS;
pub use backup_and_verify::BackupSummary;
pub use change_settings::{set, set_rate};
pub use create_on_thread::{create, create_from_stream};
pub use open::open_journal;
pub use resolve_unknown::{
    DeliveryReport, MAX_DEADLINE, RESOLVE_AFTER, acknowledge_lost_commits, reference, report, report_file,
    resolve,
};
pub use retry_rejected::{count_retries, retry, retry_reasons};
pub use test_message::{TestMessage, TestRows};

/// The error of the number of a row that does not exist.
fn no_row(number: u64, count: i64) -> Error {
    Error::Setting(match count {
        0 => "the campaign has no rows".to_owned(),
        _ => format!("rows must be numbers from 1 to {count}, got {number}"),
    })
}

/// What an address names.
pub(crate) enum Place<'u> {
    File(&'u Path),
    Postgres,
}

/// Reads an address: a path, `sqlite:///` and a path, or `postgres://…`. The error is the rule that it breaks.
pub(crate) fn place(url: &str) -> Result<Place<'_>, &'static str> {
    const ADDRESS: &str = "must be a path, sqlite:///… or postgres://…";
    const MEMORY: &str =
        "must be a file, such as campaign.db, because it must outlive the process, got a database in memory";
    const URI: &str = "must be a path, sqlite:///… or postgres://…, got a URI of SQLite (`file:…`)";
    let path = match url.split_once("://").map(|(scheme, _)| scheme) {
        Some("postgres" | "postgresql") => return Ok(Place::Postgres),
        Some("sqlite") | None => url.strip_prefix("sqlite://").unwrap_or(url),
        // Also of `file:///…?mode=memory`.
        Some("file") => url,
        Some(_) => return Err(ADDRESS),
    };
    match path {
        "" => Err(ADDRESS),
        // As other programs name it: SQLite would not, because the path is not read as a URI.
        _ if path.ends_with(":memory:") || path.contains("mode=memory") => Err(MEMORY),
        _ if path.starts_with("file:") => Err(URI),
        _ => Ok(Place::File(Path::new(path))),
    }
}

/// The store of a journal's address.
pub(crate) fn store(url: &str, options: OpenOptions) -> Result<Box<dyn Store>> {
    match place(url) {
        Ok(Place::File(path)) => Ok(Box::new(SqliteStore::open(path, options)?)),
        Ok(Place::Postgres) => postgres(url, options),
        Err(rule) => Err(Error::Setting(format!("the journal {rule}"))),
    }
}

#[cfg(feature = "postgres")]
fn postgres(url: &str, options: OpenOptions) -> Result<Box<dyn Store>> {
    Ok(Box::new(crate::journal::PostgresStore::open(url, options)?))
}

/// The error of the address of a server in a build without Postgres.
#[cfg(not(feature = "postgres"))]
pub(crate) const NO_POSTGRES: &str = "this build has no Postgres: enable the feature `postgres` of `cpaas-campaign`, or use the path of a file";

#[cfg(not(feature = "postgres"))]
fn postgres(_: &str, _: OpenOptions) -> Result<Box<dyn Store>> {
    Err(Error::Setting(NO_POSTGRES.to_owned()))
}

/// Checks the settings that a plan and a campaign have.
pub(crate) fn check(messages: &Messages, settings: &Settings) -> Result<()> {
    check_rate(settings.rate)?;
    check_max_spend(settings.max_spend)?;
    if settings.max_spend.is_some() && messages.prices.is_none() {
        return Err(Error::Setting("the maximum spend requires prices".to_owned()));
    }
    if settings.max_spend.is_some() && has_several_currencies(messages) {
        let message = "the maximum spend requires prices in one currency, because it is one amount";
        return Err(Error::Setting(message.to_owned()));
    }
    check_concurrency(settings.concurrency)?;
    match start_at(settings)? {
        Some(start) if start <= Timestamp::now() => Err(Error::Setting(format!(
            "the start must be in the future, got {start}; without it, rows are sent as soon as the campaign runs"
        ))),
        _ => Ok(()),
    }
}

/// Whether the prices are in several currencies.
pub(crate) fn has_several_currencies(messages: &Messages) -> bool {
    messages.prices.as_ref().is_some_and(|prices| prices.currency().is_none())
}

/// The moment before which no row is sent. Checks the time zone.
pub(crate) fn start_at(settings: &Settings) -> Result<Option<Timestamp>> {
    let zone = settings.time_zone.as_deref().map_or(Ok(TimeZone::UTC), crate::window::time_zone)?;
    settings.start_at.map(|start| start.moment(&zone)).transpose()
}

pub(crate) fn check_rate(rate: Option<f64>) -> Result<()> {
    if rate.is_none_or(|rate| (0.001..=1_000_000.0).contains(&rate)) {
        return Ok(());
    }
    Err(Error::Setting(format!(
        "the rate must be between 0.001 and 1,000,000 rows per second{PAUSE_INSTEAD}"
    )))
}

pub(crate) fn check_concurrency(concurrency: Option<u32>) -> Result<()> {
    if concurrency.is_none_or(|rows| (1..=100_000).contains(&rows)) {
        return Ok(());
    }
    Err(Error::Setting(format!("the concurrency must be between 1 and 100,000 rows{PAUSE_INSTEAD}")))
}

fn check_max_spend(max_spend: Option<i64>) -> Result<()> {
    if max_spend.is_none_or(|amount| amount > 0) {
        return Ok(());
    }
    Err(Error::Setting(format!("the maximum spend must be more than 0{PAUSE_INSTEAD}")))
}

const PAUSE_INSTEAD: &str = "; to send nothing, pause the campaign";

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The state of a campaign and its rows. The fields from `accepted` to `cancelled` add up to `rows` at every moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Status {
    /// Its name.
    pub name: String,
    /// One of [`Status::STATES`].
    pub state: &'static str,
    /// Why it halted: the name of a [`StopReason`](crate::journal::StopReason).
    pub reason: Option<String>,
    /// All rows.
    pub rows: i64,
    /// Rows that the provider accepted.
    pub accepted: i64,
    /// Rows that the provider rejected.
    pub rejected: i64,
    /// Rows that break a rule.
    pub invalid: i64,
    /// Rows with a suppressed recipient.
    pub suppressed: i64,
    /// Rows with the same recipient as an earlier row.
    pub duplicate: i64,
    /// Rows that may have been sent, and that have no outcome because the response was lost or the worker has ended.
    pub unknown: i64,
    /// Rows that may be sent, including those that were not sent and wait for another attempt.
    pub pending: i64,
    /// Rows without an outcome under a permit whose owner may live.
    pub in_flight: i64,
    /// Rows of a cancelled campaign that were not sent.
    pub cancelled: i64,
    /// The number of rows in all permits; a row counts once for each permit that names it.
    pub attempts: i64,
    /// The maximum number of rows per second.
    pub rate: Option<f64>,
    /// The local times of day between which rows are sent, such as 09:00-20:00.
    pub window: Option<String>,
    /// The maximum number of rows in progress in each worker; `None` when each run has its own.
    pub concurrency: Option<u32>,
    /// The moment before which no row is sent, in RFC 3339.
    pub start_at: Option<String>,
    /// The price of the messages that were sent or may have been sent, as a decimal number; `None` if the prices are in several
    /// currencies.
    pub spend: Option<String>,
    /// The maximum spend, as a decimal number.
    pub max_spend: Option<String>,
    /// The currency of the prices; `None` without prices, or if they are in several currencies.
    pub currency: Option<String>,
    /// Parts of all rows that the creation found ready to send; does not change afterwards.
    pub parts: i64,
    /// Why no row is sent now, such as `until 09:00 Europe/Athens`: when the send window opens first in one of the time zones of the rows.
    pub waiting: Option<String>,
    /// The reason of the last row that failed because of the provider or of the way to it, or that a store of the client refused for now
    /// (`suppression.unavailable`, `guard.…`); `None` when rows are accepted again.
    pub last_error: Option<String>,
    /// What was read of the suppression list.
    pub suppression: Option<SuppressionSummary>,
    /// Workers that may live. A worker elsewhere counts until it was silent for a minute.
    pub workers: i64,
    /// The workers of these that live on this machine.
    pub workers_here: i64,
    /// Rows per second that got an outcome in the last minute; `None` if nobody ran the campaign in that time.
    pub rate_last_minute: Option<f64>,
    /// When no row is left at the rate of the last minute, in UTC, with the time during which the send window is closed; of rows in
    /// several time zones, each zone counts as having as many. `None` if no worker lives or no row got an outcome.
    pub ends_at: Option<String>,
    /// The files that contain the journal now, without its lock file. If there is more than one, they belong together.
    pub files: Vec<String>,
    /// The place of the restored copy of the journal that took the campaign over, as far as this machine knows: this journal sends none of its
    /// rows, and changes of it do not reach that copy. `None` if no other copy took it over.
    pub taken_over_by: Option<String>,
}

/// The status of a campaign.
///
/// # Errors
/// [`Error::NoCampaign`], or when the journal fails.
pub fn status(journal: &mut Journal, name: &str) -> Result<Status> {
    let files = journal.files().iter().map(|file| file.display().to_string()).collect();
    let Moment { campaign, owners, progress, now_us } = journal.campaign_at_moment(name)?;
    let alive: Vec<_> = owners.iter().filter(|owner| owner.possibly_alive).collect();
    let in_flight: i64 = alive.iter().map(|owner| owner.open).sum();
    let counts = campaign.counts;
    let is_cancelled = campaign.state == State::Cancelled;
    let state = display_state(&campaign, in_flight, !alive.is_empty());
    let rate_last_minute = progress.rate(now_us, done(&campaign));
    let left = counts.pending + in_flight;
    let store_place = match campaign.refusal() {
        Some(SUPPRESSION_UNAVAILABLE) => journal.suppression_place(&campaign.id)?,
        _ => None,
    };
    Ok(Status {
        state: state.as_str(),
        workers: count(alive.len()),
        workers_here: count(alive.iter().filter(|owner| owner.is_here).count()),
        rate_last_minute,
        ends_at: rate_last_minute
            .filter(|_| state == DisplayState::Running)
            .and_then(|rate| waiting::end(&campaign.settings, left, rate)),
        files,
        taken_over_by: journal.taken_over_by(&campaign),
        waiting: waiting::reason(&campaign, now_us, store_place.as_deref()),
        last_error: campaign.last_error().map(str::to_owned),
        name: campaign.name,
        reason: campaign.reason,
        rows: counts.rows,
        accepted: counts.accepted,
        rejected: counts.rejected,
        invalid: counts.invalid,
        suppressed: counts.suppressed,
        duplicate: counts.duplicate,
        unknown: counts.unknown + counts.open - in_flight,
        pending: if is_cancelled { 0 } else { counts.pending },
        in_flight,
        cancelled: if is_cancelled { counts.pending } else { 0 },
        attempts: campaign.attempts,
        rate: campaign.settings.rate,
        window: campaign.settings.window.map(|window| window.to_string()),
        concurrency: campaign.settings.concurrency,
        start_at: campaign.settings.start_at.map(String::from),
        spend: (!campaign.settings.has_several_currencies)
            .then(|| crate::prices::format_amount(campaign.spend)),
        max_spend: campaign.settings.max_spend.map(crate::prices::format_amount),
        currency: campaign.settings.currency,
        parts: campaign.parts,
        suppression: campaign.settings.suppression,
    })
}

named_enum! {
    /// The state that a status shows.
    enum DisplayState {
        /// Its rows are being stored.
        Creating = "creating",
        /// No row was claimed.
        Created = "created",
        /// A worker lives.
        Running = "running",
        /// Rows are left, and no worker lives.
        Stopped = "stopped",
        /// It was paused.
        Paused = "paused",
        /// It halted by itself.
        Halted = "halted",
        /// It was cancelled.
        Cancelled = "cancelled",
        /// No row is left.
        Done = "done",
    }
}

impl Status {
    /// The states: `running` means that a worker lives, `stopped` that rows are left and no worker lives.
    pub const STATES: &'static [&'static str] = DisplayState::NAMES;
}

fn display_state(campaign: &CampaignRecord, in_flight: i64, is_run: bool) -> DisplayState {
    match campaign.state {
        State::Creating => DisplayState::Creating,
        State::Active if campaign.counts.pending == 0 && in_flight == 0 => DisplayState::Done,
        State::Active if is_run => DisplayState::Running,
        State::Active if campaign.attempts == 0 => DisplayState::Created,
        State::Active => DisplayState::Stopped,
        State::Paused => DisplayState::Paused,
        State::Halted => DisplayState::Halted,
        State::Cancelled => DisplayState::Cancelled,
    }
}

/// Pauses a campaign: no further row is sent until it is resumed. Workers end within about a second.
///
/// # Errors
/// When the campaign cannot be paused, [`Error::NotInCopy`] when a copy of the journal has taken it over, which goes on, or when the
/// journal fails.
pub fn pause(journal: &mut Journal, name: &str) -> Result<()> {
    journal.change_state(name, &[State::Active], "running", State::Paused)
}

/// Permits a campaign that is paused or halted to run again. It does not start workers.
///
/// # Errors
/// [`Error::LostCommits`] when the campaign halted because the journal has lost commits, until [`acknowledge_lost_commits`]; when the
/// campaign cannot be resumed; [`Error::NotInCopy`] when a copy of the journal has taken it over; or when the journal fails.
pub fn resume(journal: &mut Journal, name: &str) -> Result<()> {
    journal.change_state(name, &[State::Paused, State::Halted], "paused or halted", State::Active)
}

/// Cancels a campaign: rows that were not sent are never sent. A campaign that is done stays done.
///
/// # Errors
/// When the campaign is being created, [`Error::NotInCopy`] when a copy of the journal has taken it over, which goes on, or when the
/// journal fails.
pub fn cancel(journal: &mut Journal, name: &str) -> Result<()> {
    let from = [State::Active, State::Paused, State::Halted];
    journal.change_state(name, &from, "created", State::Cancelled)
}

/// Suppresses recipients from now on, in any notation. Running workers apply it within about a second.
///
/// # Errors
/// When the list cannot be read, a recipient of a campaign to phone numbers is not one, a number without `+` or `00` is not assigned in any
/// country, because it is probably a national number and would protect nobody, or the journal fails. Then none is suppressed.
/// [`Error::NotInCopy`] when a copy of the journal has taken the campaign over, after they were suppressed in this one: the copy may still
/// send to them.
pub fn suppress(journal: &mut Journal, name: &str, recipients: &Suppression) -> Result<SuppressionSummary> {
    suppress_list(journal, name, recipients, SuppressionOptions::default())
}

/// As [`suppress`], for a list that is read with these options.
///
/// # Errors
/// As [`suppress`]. With lenient options, lines that are not recipients are skipped, and numbers that no country has assigned are accepted.
pub fn suppress_list(
    journal: &mut Journal,
    name: &str,
    recipients: &Suppression,
    options: SuppressionOptions<'_>,
) -> Result<SuppressionSummary> {
    let campaign = journal.campaign(name)?;
    let normalize = options.normalize.or(campaign.settings.normalize.as_deref());
    let known = Recipients::stored(campaign.settings.has_numbers, normalize);
    known.check()?;
    let suppressed = Suppressed::read(recipients, &known, options)?;
    if let Some(summary) = suppressed.summary.as_ref().filter(|found| found.unassigned > 0)
        && !options.is_lenient
    {
        return Err(Error::Source(format!(
            "{summary}, such as --normalize GR; or accept them as they are with `lenient`. Nobody was suppressed"
        )));
    }
    journal.suppress(&campaign.id, &suppressed.forms())?;
    Ok(suppressed.summary.unwrap_or_default())
}

/// One row of an export.
#[derive(Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ExportRow {
    /// The row, from 1.
    pub row: u64,
    /// One of [`ExportRow::OUTCOMES`].
    pub outcome: &'static str,
    /// The reason of the outcome, as text. Of an invalid row it contains the members and the codes of their problems; of any other, the
    /// code of a problem, the name of a [`RowReason`] or of a [`cpaas::error::Reason`], and a status or a code of the provider.
    pub reason: Option<String>,
    /// The provider's id of the message.
    pub message_id: Option<String>,
    /// The recipients; empty after a purge.
    pub recipients: Vec<String>,
    /// The number of permits that name the row.
    pub attempts: u16,
    /// The delivery state of the message, such as `delivered`: the furthest one of the stored reports. `None` without a report.
    pub delivery: Option<String>,
    /// The line of the file in which the row begins, from 1; `None` if the rows were not read from a file.
    pub line: Option<u64>,
    /// The columns of the source that the campaign keeps.
    #[serde(flatten)]
    pub kept: Kept,
}

/// Calls `sink` with every row, in order. It reads one chunk at a time.
///
/// # Errors
/// When the journal or `sink` fails.
pub fn export(
    journal: &mut Journal,
    name: &str,
    mut sink: impl FnMut(ExportRow) -> Result<()>,
) -> Result<()> {
    let campaign = journal.campaign(name)?;
    for chunk in 0..journal.chunk_count(&campaign.id)? {
        export_chunk(journal, name, chunk)?.into_iter().try_for_each(&mut sink)?;
    }
    Ok(())
}

/// The rows of one chunk; empty after the last chunk.
///
/// # Errors
/// When the journal fails.
pub fn export_chunk(journal: &mut Journal, name: &str, chunk: u32) -> Result<Vec<ExportRow>> {
    let (campaign, owners) = journal.campaign_with_owners(name)?;
    if chunk >= journal.chunk_count(&campaign.id)? {
        return Ok(Vec::new());
    }
    let rows = journal.rows(&campaign.id, chunk)?;
    let bases: Vec<CreationDecision> = rows.iter().map(|row| row.base).collect();
    let (history, _) = journal.history(&campaign.id, chunk)?;
    let mut stored = journal.stored(&campaign.id, chunk)?;
    let mut deliveries = journal.deliveries(&campaign.id, chunk)?;
    let mut kept = journal.kept(&campaign, chunk)?.into_iter();
    let first = u64::from(chunk) * CHUNK_ROWS as u64;
    let possibly_alive = |owner| owners.iter().any(|known| known.id == owner && known.possibly_alive);
    let is_restored = |state| match state {
        RowState::Open { owner } => owners.iter().any(|known| known.id == owner && known.is_restored),
        _ => false,
    };
    let numbered = (0..=u16::MAX).zip(rows).zip(history.states(&bases));
    let exported = numbered.map(|((index, row), state)| {
        let stored = stored.remove(&index).unwrap_or_default();
        ExportRow {
            row: first + u64::from(index) + 1,
            outcome: outcome(state, campaign.state, possibly_alive).as_str(),
            reason: row
                .problem
                .or_else(|| is_restored(state).then(|| RowReason::Restored.as_str().to_owned()))
                .or(stored.reason),
            message_id: stored.message_id,
            recipients: row.recipients,
            attempts: history.attempts(index),
            delivery: deliveries.remove(&index),
            line: row.line,
            kept: kept.next().unwrap_or_default(),
        }
    });
    Ok(exported.collect())
}

named_enum! {
    /// The outcome of a row in an export.
    enum ExportOutcome {
        /// The provider accepted it.
        Accepted = "accepted",
        /// The provider rejected it.
        Rejected = "rejected",
        /// It breaks a rule.
        Invalid = "invalid",
        /// Its recipient is suppressed.
        Suppressed = "suppressed",
        /// An earlier row has the same recipient.
        Duplicate = "duplicate",
        /// It may have been sent.
        Unknown = "unknown",
        /// It will be sent.
        Pending = "pending",
        /// A worker that may be running has claimed it.
        InFlight = "in_flight",
        /// The campaign was cancelled before it was sent.
        Cancelled = "cancelled",
    }
}

impl ExportRow {
    /// The outcomes.
    pub const OUTCOMES: &'static [&'static str] = ExportOutcome::NAMES;
}

fn outcome(
    state: RowState,
    campaign: State,
    possibly_alive: impl Fn(crate::protocol::Token) -> bool,
) -> ExportOutcome {
    match state {
        RowState::Ready | RowState::NotSent | RowState::Settled(RowOutcome::NotSent) => {
            if campaign == State::Cancelled { ExportOutcome::Cancelled } else { ExportOutcome::Pending }
        }
        RowState::Open { owner } if possibly_alive(owner) => ExportOutcome::InFlight,
        // A row in the state `Fixed` never has the decision `Ready`.
        RowState::Fixed(CreationDecision::Invalid | CreationDecision::Ready)
        | RowState::Settled(RowOutcome::Invalid) => ExportOutcome::Invalid,
        RowState::Fixed(CreationDecision::Suppressed) | RowState::Settled(RowOutcome::Suppressed) => {
            ExportOutcome::Suppressed
        }
        RowState::Fixed(CreationDecision::Duplicate) => ExportOutcome::Duplicate,
        RowState::Settled(RowOutcome::Accepted) => ExportOutcome::Accepted,
        RowState::Settled(RowOutcome::Rejected) => ExportOutcome::Rejected,
        RowState::Open { .. } | RowState::Settled(RowOutcome::Unknown) => ExportOutcome::Unknown,
    }
}

/// `Debug` shows no recipient, id, reason or kept column.
impl std::fmt::Debug for ExportRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExportRow")
            .field("row", &self.row)
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}
