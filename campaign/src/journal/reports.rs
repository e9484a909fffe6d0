//! Evidence about rows that is not an outcome: delivery reports and resolutions.

use std::collections::BTreeMap;

use cpaas::callback::Status;
use serde::Serialize;

use super::campaign_record::{CampaignRecord, State, halt};
use super::campaigns::locate;
use super::copy_rights::{self, Right};
use super::counter_changes::Changes;
use super::fence::Fence;
use super::load_history::{chunks, history};
use super::owners::owners;
use super::stop_reason::StopReason;
use super::store::Transaction;
use super::{Journal, Owner};
use crate::error::{Error, Result};
use crate::protocol::{History, Permit, Resolution, RowOutcome, RowState, Token};

/// The result of storing reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[must_use = "reports may be impossible, which halts the campaign, or of other campaigns: read the numbers"]
pub struct ReportSummary {
    /// Rows that count as accepted now and did not before.
    pub settled: u64,
    /// Of these, rows that were settled as not sent or rejected.
    pub overridden: u64,
    /// Reports of rows that already counted as accepted.
    pub known: u64,
    /// References that are not of this campaign.
    pub foreign: u64,
    /// Reports of rows without a permit: the journal has lost commits, and the campaign is halted.
    pub impossible: u64,
    /// Reports without a reference.
    pub without_reference: u64,
    /// Reports of rows whose delivery state is none of the provider's. They prove acceptance, but their state is not stored.
    pub unknown_states: u64,
    /// Reports of rows without a delivery state. They prove acceptance.
    pub without_state: u64,
}

/// A delivery report of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveredRow {
    /// The row, from 0.
    pub row: u64,
    /// The attempt, from 1.
    pub attempt: u16,
    /// The delivery status, if the report has a known one.
    pub status: Option<Status>,
}

impl From<(u64, u16)> for DeliveredRow {
    fn from((row, attempt): (u64, u16)) -> Self {
        Self { row, attempt, status: None }
    }
}

/// What a resolution did, and why rows stay unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ResolveSummary {
    /// Rows that were resolved.
    pub resolved: u64,
    /// Rows whose worker runs on this machine. They are never resolved before it has ended.
    pub owner_alive: u64,
    /// Rows that may still be sent: their worker is on another machine, so that it may run, or the journal is a restored copy, and its
    /// original may send them.
    pub owner_elsewhere: u64,
    /// Rows that were claimed, or whose campaign was taken over, less than six minutes ago.
    pub too_recent: u64,
    /// Whether this call took the campaign over: the original and all other copies of the journal are refused it on this machine.
    pub taken_over: bool,
}

impl ReportSummary {
    pub(crate) const fn add(&mut self, other: Self) {
        self.settled += other.settled;
        self.overridden += other.overridden;
        self.known += other.known;
        self.foreign += other.foreign;
        self.impossible += other.impossible;
        self.without_reference += other.without_reference;
        self.unknown_states += other.unknown_states;
        self.without_state += other.without_state;
    }
}

impl Journal {
    /// Stores verified delivery reports. A report of success or failure proves that the provider accepted the row. Of several reports of an
    /// attempt, the status that is furthest is kept.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn report(&mut self, id: &str, reports: &[DeliveredRow]) -> Result<ReportSummary> {
        self.write(|transaction| {
            let mut summary = ReportSummary::default();
            let mut changes = Changes::default();
            let mut known: Option<Reported> = None;
            for report in reports {
                let Some((number, row)) = locate(report.row) else {
                    summary.foreign += 1;
                    continue;
                };
                let mut chunk = match known.take() {
                    Some(chunk) if chunk.number == number => chunk,
                    _ => Reported::read(transaction, id, number)?,
                };
                chunk.report(transaction, id, row, report, &mut changes, &mut summary)?;
                known = Some(chunk);
            }
            changes.apply(transaction, id)?;
            touch(transaction, id)?;
            if summary.impossible > 0 && CampaignRecord::by_id(transaction, id)?.state != State::Cancelled {
                halt(transaction, id, StopReason::LostCommits)?;
            }
            Ok(summary)
        })
    }

    /// Resolves rows whose outcome is unknown: those with the numbers `rows` (from 0), or all.
    ///
    /// [`Resolution::NotSent`] requires that the owner has certainly ended, and that the permit is at least `min_age_us` microseconds old.
    /// `owners_stopped` declares that owners on other machines have ended; an owner that runs on this machine is never overridden. Such
    /// rows may be sent twice.
    ///
    /// In a restored copy, `owners_stopped` also declares that the owners of the original and of other copies have ended. The copy then
    /// takes the campaign over, and the age counts from that moment.
    ///
    /// # Errors
    /// [`Error::Purged`] for [`Resolution::NotSent`] of a campaign whose rows were purged, [`Error::TakenOver`] for one that a copy of the
    /// journal has taken over, or when the journal fails.
    pub fn resolve(
        &mut self,
        id: &str,
        resolution: Resolution,
        rows: Option<&[u64]>,
        min_age_us: i64,
        owners_stopped: bool,
    ) -> Result<ResolveSummary> {
        let requested = Requested { resolution, rows, min_age_us, owners_stopped };
        let taken_over = resolution == Resolution::NotSent && self.take_over(id, &requested)?;
        let summary = self.write(|transaction| requested.resolve(transaction, id, false))?;
        Ok(ResolveSummary { taken_over, ..summary })
    }

    /// Takes a campaign of a restored copy over if that lets rows be resolved, now or later.
    fn take_over(&mut self, id: &str, requested: &Requested<'_>) -> Result<bool> {
        let place = self.store().place();
        let campaign = self.read(|transaction| CampaignRecord::by_id(transaction, id))?;
        if campaign.fence != Fence::Copy {
            Right::of(&campaign).check(&place)?;
            return Ok(false);
        }
        let found = self.read(|transaction| requested.resolve(transaction, id, true))?;
        if found.resolved + found.too_recent == 0 {
            return Ok(false);
        }
        let token = Token::random()?;
        self.write(|transaction| copy_rights::take_over(transaction, id, token, &place))
    }

    /// The furthest delivery state of each row of a chunk: of its last attempt that has one.
    ///
    /// # Errors
    /// When the journal fails.
    pub(crate) fn deliveries(&mut self, id: &str, chunk: u32) -> Result<BTreeMap<u16, String>> {
        let stored = self.read(|transaction| deliveries(transaction, id, chunk))?;
        // In the order of the attempts, so that the last one stays.
        Ok(stored
            .into_iter()
            .filter_map(|((row, _), status)| Some((row, status?.as_str().to_owned())))
            .collect())
    }
}

/// Whether rows of the campaign were purged, so that they cannot be sent any more.
fn is_purged(transaction: &mut dyn Transaction, id: &str) -> Result<bool> {
    let sql = "SELECT chunk FROM chunks WHERE campaign = $1 AND body IS NULL LIMIT 1";
    Ok(!transaction.query(sql, &[id.into()])?.is_empty())
}

/// The rows and attempts of a chunk that have a report, and their delivery states.
fn deliveries(
    transaction: &mut dyn Transaction,
    id: &str,
    chunk: u32,
) -> Result<BTreeMap<(u16, u16), Option<Status>>> {
    let sql = "SELECT row_index, attempt, delivery FROM reports WHERE campaign = $1 AND chunk = $2";
    let rows = transaction.query(sql, &[id.into(), chunk.into()])?;
    rows.iter()
        .map(|row| {
            let number = |column| {
                u16::try_from(row.int(column)?).map_err(|_| Error::Damaged("a number is out of range"))
            };
            let key = (number("row_index")?, number("attempt")?);
            Ok((key, row.optional_text("delivery")?.map(Status::new)))
        })
        .collect()
}

/// Increments the version of the campaign, so that workers read its state again.
pub(super) fn touch(transaction: &mut dyn Transaction, id: &str) -> Result<()> {
    let sql = "UPDATE campaigns SET version = version + 1, n_evidence = n_evidence + 1 WHERE id = $1";
    transaction.execute(sql, &[id.into()])?;
    Ok(())
}

/// A chunk with reported rows. If the reports are sorted by row, each chunk is read once.
struct Reported {
    number: u32,
    rows: i64,
    history: History,
    deliveries: BTreeMap<(u16, u16), Option<Status>>,
}

impl Reported {
    fn read(transaction: &mut dyn Transaction, id: &str, number: u32) -> Result<Self> {
        let sql = "SELECT n_rows FROM chunks WHERE campaign = $1 AND chunk = $2";
        let found = transaction.query(sql, &[id.into(), number.into()])?;
        let rows = found.first().map_or(Ok(0), |found| found.int("n_rows"))?;
        let history = history(transaction, id, number)?;
        Ok(Self { number, rows, history, deliveries: deliveries(transaction, id, number)? })
    }

    fn report(
        &mut self,
        transaction: &mut dyn Transaction,
        id: &str,
        row: u16,
        report: &DeliveredRow,
        changes: &mut Changes,
        summary: &mut ReportSummary,
    ) -> Result<()> {
        let attempt = report.attempt;
        if i64::from(row) >= self.rows || attempt == 0 {
            summary.foreign += 1;
            return Ok(());
        }
        if self.history.attempts(row) < attempt {
            summary.impossible += 1;
            return Ok(());
        }
        match report.status.as_ref().filter(|status| !status.as_str().is_empty()) {
            None => summary.without_state += 1,
            Some(status) if status.rank() == 0 => summary.unknown_states += 1,
            Some(_) => {}
        }
        self.store(transaction, id, row, report)?;
        let before = self.history.state(row);
        self.history.report(row);
        let after = self.history.state(row);
        if before == after {
            summary.known += 1;
            return Ok(());
        }
        summary.settled += 1;
        let was_ended = matches!(before, RowState::NotSent | RowState::Settled(RowOutcome::Rejected));
        summary.overridden += u64::from(was_ended);
        changes.transition(self.number, before, after);
        Ok(())
    }

    /// Stores a report, unless one that is as far is stored.
    fn store(
        &mut self,
        transaction: &mut dyn Transaction,
        id: &str,
        row: u16,
        report: &DeliveredRow,
    ) -> Result<()> {
        let key = (row, report.attempt);
        let rank = |status: &Option<Status>| status.as_ref().map_or(0, Status::rank);
        let is_further = self.deliveries.get(&key).is_none_or(|stored| rank(&report.status) > rank(stored));
        if !is_further {
            return Ok(());
        }
        // Unknown states may be any text; they are not stored.
        let status = report.status.clone().filter(|status| status.rank() > 0);
        let status = status.map(|status| Status::new(status.as_str().to_ascii_lowercase()));
        let now = transaction.now_us()?;
        let sql = "INSERT INTO reports (campaign, chunk, row_index, attempt, reported_us, delivery)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (campaign, chunk, row_index, attempt) DO UPDATE SET delivery = excluded.delivery";
        let delivery = status.as_ref().map(Status::as_str).into();
        let parameters =
            [id.into(), self.number.into(), row.into(), report.attempt.into(), now.into(), delivery];
        transaction.execute(sql, &parameters)?;
        self.deliveries.insert(key, status);
        Ok(())
    }
}

/// What [`Journal::resolve`] is called with.
struct Requested<'a> {
    resolution: Resolution,
    rows: Option<&'a [u64]>,
    min_age_us: i64,
    owners_stopped: bool,
}

impl Requested<'_> {
    fn resolve(
        &self,
        transaction: &mut dyn Transaction,
        id: &str,
        counts_only: bool,
    ) -> Result<ResolveSummary> {
        let campaign = CampaignRecord::by_id(transaction, id)?;
        if self.resolution == Resolution::NotSent && is_purged(transaction, id)? {
            return Err(Error::Purged);
        }
        let latest = transaction.now_us()?.saturating_sub(self.min_age_us);
        let rules = Rules {
            resolution: self.resolution,
            owners: owners(transaction, id)?,
            owners_stopped: self.owners_stopped,
            is_copy: campaign.fence == Fence::Copy,
            latest_claim_us: campaign.fence.latest_claim(latest),
            counts_only,
        };
        let mut changes = Changes::default();
        let mut summary = ResolveSummary::default();
        for chunk in chunks(transaction, id)? {
            resolve_chunk(transaction, id, chunk, self.rows, &rules, &mut changes, &mut summary)?;
        }
        if !counts_only {
            changes.apply(transaction, id)?;
            touch(transaction, id)?;
        }
        Ok(summary)
    }
}

struct Rules {
    resolution: Resolution,
    owners: Vec<Owner>,
    owners_stopped: bool,
    /// The original of this copy may send the rows.
    is_copy: bool,
    latest_claim_us: i64,
    counts_only: bool,
}

/// Whether a row is resolved, or why not.
enum Decision {
    Resolve,
    OwnerAlive,
    OwnerElsewhere,
    TooRecent,
    /// Its outcome is known, or its worker is expected to settle it.
    Known,
}

impl Rules {
    fn decide(&self, permit: &Permit, state: RowState) -> Decision {
        if !matches!(state, RowState::Open { .. } | RowState::Settled(RowOutcome::Unknown)) {
            return Decision::Known;
        }
        let has_settled = matches!(state, RowState::Settled(_));
        let owner = self.owners.iter().find(|owner| owner.id == permit.owner).filter(|_| !has_settled);
        match self.resolution {
            Resolution::Accepted if owner.is_some_and(|owner| owner.possibly_alive) => Decision::Known,
            Resolution::Accepted => Decision::Resolve,
            Resolution::NotSent => match owner {
                // A declaration cannot end a process that this one observes.
                Some(owner) if owner.is_here => Decision::OwnerAlive,
                _ if self.is_copy && !self.owners_stopped => Decision::OwnerElsewhere,
                Some(owner) if !owner.is_certain && !self.owners_stopped => Decision::OwnerElsewhere,
                _ if permit.claimed_us > self.latest_claim_us => Decision::TooRecent,
                _ => Decision::Resolve,
            },
            // `Journal::retry` has other rules.
            Resolution::Retry => Decision::Known,
        }
    }
}

fn resolve_chunk(
    transaction: &mut dyn Transaction,
    id: &str,
    chunk: u32,
    rows: Option<&[u64]>,
    rules: &Rules,
    changes: &mut Changes,
    summary: &mut ResolveSummary,
) -> Result<()> {
    let mut history = history(transaction, id, chunk)?;
    let named: std::collections::BTreeSet<u16> =
        history.permits().iter().flat_map(|permit| permit.rows.iter().map(|named| named.row)).collect();
    let is_meant = |row: u16| {
        rows.is_none_or(|rows| rows.iter().any(|requested| locate(*requested) == Some((chunk, row))))
    };
    for row in named.into_iter().filter(|row| is_meant(*row)) {
        let before = history.state(row);
        let Some(permit) = history.last_permit(row) else { continue };
        let counter = match rules.decide(permit, before) {
            Decision::Resolve => None,
            Decision::OwnerAlive => Some(&mut summary.owner_alive),
            Decision::OwnerElsewhere => Some(&mut summary.owner_elsewhere),
            Decision::TooRecent => Some(&mut summary.too_recent),
            Decision::Known => continue,
        };
        if let Some(counter) = counter {
            *counter += 1;
            continue;
        }
        summary.resolved += 1;
        if rules.counts_only {
            continue;
        }
        let sequence = permit.sequence;
        let now = transaction.now_us()?;
        let sql = "INSERT INTO resolutions (campaign, chunk, sequence, row_index, resolution, resolved_us)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
        let name = rules.resolution.as_str();
        let parameters = [id.into(), chunk.into(), sequence.into(), row.into(), name.into(), now.into()];
        transaction.execute(sql, &parameters)?;
        history.resolve(sequence, row, rules.resolution);
        changes.transition(chunk, before, history.state(row));
    }
    Ok(())
}
