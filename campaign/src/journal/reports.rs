//! Evidence about rows that is not an outcome: delivery reports and resolutions.

use serde::Serialize;

use super::campaign_record::halt;
use super::campaigns::locate;
use super::counter_changes::Changes;
use super::load_history::history;
use super::owners::owners;
use super::store::Transaction;
use super::{Journal, Owner};
use crate::error::Result;
use crate::protocol::{History, Permit, Resolution, RowOutcome, RowState};

/// The result of storing reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
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
}

impl ReportSummary {
    pub(crate) const fn add(&mut self, other: Self) {
        self.settled += other.settled;
        self.overridden += other.overridden;
        self.known += other.known;
        self.foreign += other.foreign;
        self.impossible += other.impossible;
        self.without_reference += other.without_reference;
    }
}

impl Journal {
    /// Stores verified delivery reports: row numbers from 0, and attempts from 1. A report of success or failure proves
    /// that the provider accepted the row.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn report(&mut self, id: &str, reports: &[(u64, u16)]) -> Result<ReportSummary> {
        self.write(|transaction| {
            let mut summary = ReportSummary::default();
            let mut changes = Changes::default();
            let mut known: Option<Reported> = None;
            for &(row, attempt) in reports {
                let Some((number, row)) = locate(row) else {
                    summary.foreign += 1;
                    continue;
                };
                let mut chunk = match known.take() {
                    Some(chunk) if chunk.number == number => chunk,
                    _ => Reported::read(transaction, id, number)?,
                };
                chunk.report(transaction, id, row, attempt, &mut changes, &mut summary)?;
                known = Some(chunk);
            }
            changes.apply(transaction, id)?;
            touch(transaction, id)?;
            if summary.impossible > 0 {
                halt(transaction, id, "lost_commits")?;
            }
            Ok(summary)
        })
    }

    /// Resolves rows whose outcome is unknown: those with the numbers `rows` (from 0), or all. Returns how many were resolved.
    ///
    /// [`Resolution::NotSent`] requires that the owner has certainly ended (unless `owners_stopped` is true), and that the
    /// permit is at least `min_age_us` microseconds old. Such rows may be sent twice.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn resolve(
        &mut self,
        id: &str,
        resolution: Resolution,
        rows: Option<&[u64]>,
        min_age_us: i64,
        owners_stopped: bool,
    ) -> Result<u64> {
        let chunks = self.chunk_count(id)?;
        self.write(|transaction| {
            let rules = Rules {
                resolution,
                owners: owners(transaction, id)?,
                owners_stopped,
                claimed_before_us: transaction.now_us()?.saturating_sub(min_age_us),
            };
            let mut changes = Changes::default();
            let mut resolved = 0;
            for chunk in 0..chunks {
                resolved += resolve_chunk(transaction, id, chunk, rows, &rules, &mut changes)?;
            }
            changes.apply(transaction, id)?;
            touch(transaction, id)?;
            Ok(resolved)
        })
    }
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
}

impl Reported {
    fn read(transaction: &mut dyn Transaction, id: &str, number: u32) -> Result<Self> {
        let sql = "SELECT n_rows FROM chunks WHERE campaign = $1 AND chunk = $2";
        let found = transaction.query(sql, &[id.into(), number.into()])?;
        let rows = found.first().map_or(Ok(0), |found| found.int("n_rows"))?;
        Ok(Self { number, rows, history: history(transaction, id, number)? })
    }

    fn report(
        &mut self,
        transaction: &mut dyn Transaction,
        id: &str,
        row: u16,
        attempt: u16,
        changes: &mut Changes,
        summary: &mut ReportSummary,
    ) -> Result<()> {
        if i64::from(row) >= self.rows || attempt == 0 {
            summary.foreign += 1;
            return Ok(());
        }
        if self.history.attempts(row) < attempt {
            summary.impossible += 1;
            return Ok(());
        }
        let now = transaction.now_us()?;
        let sql = "INSERT INTO reports (campaign, chunk, row_index, attempt, reported_us) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT DO NOTHING";
        transaction.execute(sql, &[id.into(), self.number.into(), row.into(), attempt.into(), now.into()])?;
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
}

struct Rules {
    resolution: Resolution,
    owners: Vec<Owner>,
    owners_stopped: bool,
    claimed_before_us: i64,
}

impl Rules {
    fn permit(&self, permit: &Permit, state: RowState) -> bool {
        if !matches!(state, RowState::Open { .. } | RowState::Settled(RowOutcome::Unknown)) {
            return false;
        }
        let owner = self.owners.iter().find(|owner| owner.id == permit.owner);
        let has_ended = matches!(state, RowState::Settled(_));
        match self.resolution {
            Resolution::Accepted => has_ended || owner.is_none_or(|owner| !owner.possibly_alive),
            Resolution::NotSent => {
                let is_gone = has_ended || self.owners_stopped || owner.is_none_or(|owner| owner.is_certain);
                is_gone && permit.claimed_us <= self.claimed_before_us
            }
            // `Journal::retry` has other rules.
            Resolution::Retry => false,
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
) -> Result<u64> {
    let mut history = history(transaction, id, chunk)?;
    let named: std::collections::BTreeSet<u16> =
        history.permits().iter().flat_map(|permit| permit.rows.iter().map(|named| named.row)).collect();
    let is_meant = |row: u16| {
        rows.is_none_or(|rows| rows.iter().any(|requested| locate(*requested) == Some((chunk, row))))
    };
    let mut resolved = 0;
    for row in named.into_iter().filter(|row| is_meant(*row)) {
        let before = history.state(row);
        let Some(permit) = history.last_permit(row).filter(|permit| rules.permit(permit, before)) else {
            continue;
        };
        let sequence = permit.sequence;
        let now = transaction.now_us()?;
        let sql = "INSERT INTO resolutions (campaign, chunk, sequence, row_index, resolution, resolved_us)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
        let name = rules.resolution.as_str();
        let parameters = [id.into(), chunk.into(), sequence.into(), row.into(), name.into(), now.into()];
        transaction.execute(sql, &parameters)?;
        history.resolve(sequence, row, rules.resolution);
        changes.transition(chunk, before, history.state(row));
        resolved += 1;
    }
    Ok(resolved)
}
