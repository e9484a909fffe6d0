//! Compares what a journal counts with what follows from its chunks, permits and outcomes.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use cpaas::printable::{MAX_MESSAGE, printable};

use super::Journal;
use super::campaign_record::{CampaignRecord, Counts};
use super::last_permit;
use super::load_history::history;
use super::store::{Row, Transaction};
use super::suppressions;
use crate::chunk::{ChunkRow, decode, decode_kept};
use crate::error::{Error, Result};
use crate::protocol::{CreationDecision, History, Resolution, RowOutcome, RowState};

/// What [`Journal::verify`](super::Journal::verify) found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[must_use = "`Ok` does not mean that the journal has no problem: read `problems`"]
pub struct Verification {
    /// Campaigns that were compared, with those of `send_once`.
    pub campaigns: u64,
    /// Rows of these campaigns.
    pub rows: u64,
    /// Why the journal is not the one that was written last; `None` if it is. A copy and a backup never are.
    pub identity: Option<String>,
    /// What a reader of this journal may miss, because it is read without locks, or why a restored journal may not be noticed; `None`
    /// if nothing.
    pub warning: Option<String>,
    /// What is damaged or does not add up.
    pub problems: Vec<JournalProblem>,
}

impl Verification {
    pub(crate) fn add(&mut self, campaign: Option<&str>, message: impl Into<String>) {
        let campaign = campaign.map(str::to_owned);
        self.problems.push(JournalProblem { campaign, chunk: None, message: message.into() });
    }
}

/// One finding of [`Journal::verify`](super::Journal::verify). It never quotes rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct JournalProblem {
    /// The name of the campaign, if it concerns one.
    pub campaign: Option<String>,
    /// The number of the chunk, if it concerns one.
    pub chunk: Option<u32>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for JournalProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(campaign) = &self.campaign {
            write!(f, "campaign {}", printable(campaign, MAX_MESSAGE))?;
            if let Some(chunk) = self.chunk {
                write!(f, ", chunk {chunk}")?;
            }
            f.write_str(": ")?;
        }
        write!(f, "{}", printable(&self.message, MAX_MESSAGE))
    }
}

impl Journal {
    /// Compares everything that the journal contains. A part that cannot be read is a problem and not an error.
    pub(crate) fn verify_contents(&mut self) -> Verification {
        let mut found = Verification::default();
        match self.store().warning() {
            None => {}
            Some(error @ Error::Copied { .. }) => found.identity = Some(error.to_string()),
            Some(error @ Error::Unlocked(_)) => found.warning = Some(error.to_string()),
            Some(error) => found.add(None, error.to_string()),
        }
        if found.identity.is_none() && found.warning.is_none() {
            found.warning = super::state_folder_problem();
        }
        match self.store().integrity() {
            Ok(lines) => lines.iter().for_each(|line| found.add(None, line.as_str())),
            Err(error) => found.add(None, error.to_string()),
        }
        match self.read(ids_and_names) {
            Ok(campaigns) => {
                campaigns.iter().for_each(|(id, name)| self.verify_campaign(id, name, &mut found))
            }
            Err(error) => found.add(None, format!("the campaigns cannot be read: {error}")),
        }
        if let Err(error) = self.read(last_permit::compare) {
            found.add(None, error.to_string());
        }
        match self.read(strays) {
            Ok(strays) => strays.into_iter().for_each(|stray| found.add(None, stray)),
            Err(error) => found.add(None, error.to_string()),
        }
        found
    }

    fn verify_campaign(&mut self, id: &str, name: &str, found: &mut Verification) {
        let verified = self.read(|transaction| {
            let mut derived = Derived::default();
            derived.campaign(transaction, id, name)?;
            Ok(derived)
        });
        match verified {
            Ok(derived) => {
                found.campaigns += 1;
                found.rows += u64::try_from(derived.counts.rows).unwrap_or_default();
                found.problems.extend(derived.problems);
            }
            // Its creation was abandoned after the list of campaigns was read.
            Err(Error::NoCampaign) => {}
            Err(error) => found.add(Some(name), error.to_string()),
        }
    }
}

fn ids_and_names(transaction: &mut dyn Transaction) -> Result<Vec<(String, String)>> {
    let rows = transaction.query("SELECT id, name FROM campaigns ORDER BY created_us, id", &[])?;
    rows.iter().map(|row| Ok((row.text("id")?.to_owned(), row.text("name")?.to_owned()))).collect()
}

/// Rows of tables that belong to no campaign.
fn strays(transaction: &mut dyn Transaction) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for table in ["chunks", "permits", "outcomes", "resolutions", "reports", "attempts"] {
        let sql = format!(
            "SELECT COUNT(*) AS strays FROM {table} WHERE campaign NOT IN (SELECT id FROM campaigns)"
        );
        let strays = transaction.query(&sql, &[])?.first().map_or(Ok(0), |row| row.int("strays"))?;
        if strays > 0 {
            found.push(format!("{strays} of {table} belong to no campaign"));
        }
    }
    Ok(found)
}

/// What follows from the chunks, permits and outcomes of one campaign.
#[derive(Default)]
struct Derived {
    name: String,
    counts: Counts,
    attempts: i64,
    parts: i64,
    spend: i64,
    /// Rows without an outcome, by owner.
    open: BTreeMap<[u8; 16], i64>,
    /// Whether the rows of a chunk were purged, so that only rows in permits are known.
    is_purged: bool,
    problems: Vec<JournalProblem>,
}

impl Derived {
    fn problem(&mut self, chunk: Option<u32>, message: impl Into<String>) {
        let campaign = Some(self.name.clone());
        self.problems.push(JournalProblem { campaign, chunk, message: message.into() });
    }

    fn differs(&mut self, chunk: Option<u32>, what: &str, counted: i64, derived: i64) {
        if counted != derived {
            self.problem(chunk, format!("{what}: {counted} are counted, and {derived} follow from the rows"));
        }
    }

    fn campaign(&mut self, transaction: &mut dyn Transaction, id: &str, name: &str) -> Result<()> {
        name.clone_into(&mut self.name);
        let campaign = CampaignRecord::by_id(transaction, id)?;
        let owners = transaction.query("SELECT id, n_open FROM owners WHERE campaign = $1", &[id.into()])?;
        for owner in &owners {
            self.open.insert(*owner.token("id")?.as_bytes(), 0);
        }
        let sql = "SELECT chunk FROM chunks WHERE campaign = $1 ORDER BY chunk";
        for (expected, row) in (0..).zip(transaction.query(sql, &[id.into()])?) {
            let number = u32::try_from(row.int("chunk")?).map_err(|_| Error::Damaged("a chunk's number"))?;
            if number != expected {
                self.problem(None, format!("chunk {expected} is missing"));
                return Ok(());
            }
            self.chunk(transaction, &campaign, number)?;
        }
        self.compare(&campaign);
        if let Err(error) = suppressions::read(transaction, id) {
            self.problem(None, error.to_string());
        }
        for owner in &owners {
            let derived = self.open.get(owner.token("id")?.as_bytes()).copied().unwrap_or_default();
            self.differs(None, "rows in flight of an owner", owner.int("n_open")?, derived);
        }
        Ok(())
    }

    fn chunk(
        &mut self,
        transaction: &mut dyn Transaction,
        campaign: &CampaignRecord,
        number: u32,
    ) -> Result<()> {
        let id = campaign.id.as_str();
        let sql =
            "SELECT n_rows, n_pending, digest, body, kept FROM chunks WHERE campaign = $1 AND chunk = $2";
        let found = transaction.query(sql, &[id.into(), number.into()])?;
        let chunk = found.first().ok_or(Error::Damaged("a chunk is missing"))?;
        let history = history(transaction, id, number)?;
        self.chain(number, &history);
        let n_rows = chunk.int("n_rows")?;
        let sql = "SELECT n_attempts FROM attempts WHERE campaign = $1 AND chunk = $2";
        let permitted = transaction.query(sql, &[id.into(), number.into()])?;
        let permitted = permitted.first().map_or(Ok(0), |row| row.int("n_attempts"))?;
        self.differs(Some(number), "attempts", permitted, history.permitted());
        self.kept(number, chunk, !campaign.settings.keep.is_empty())?;
        match rows_of(chunk) {
            Ok(Some(rows)) => {
                self.differs(Some(number), "rows", n_rows, count(rows.len()));
                self.rows(&rows, &history);
                let eligible = history.states(&bases(&rows)).into_iter().filter(|state| state.is_eligible());
                self.differs(Some(number), "pending", chunk.int("n_pending")?, count(eligible.count()));
            }
            Ok(None) => self.purged_rows(n_rows, &history),
            Err(error) => {
                self.problem(Some(number), error.to_string());
                self.purged_rows(n_rows, &history);
            }
        }
        Ok(())
    }

    /// The columns that a campaign keeps are stored as long as its rows.
    fn kept(&mut self, number: u32, chunk: &Row, keeps: bool) -> Result<()> {
        let is_expected = keeps && chunk.bytes("body")?.is_some();
        match chunk.bytes("kept")? {
            Some(kept) if is_expected => match decode_kept(kept) {
                Ok(rows) => {
                    self.differs(
                        Some(number),
                        "rows of the kept columns",
                        chunk.int("n_rows")?,
                        count(rows.len()),
                    );
                }
                Err(error) => self.problem(Some(number), error.to_string()),
            },
            None if is_expected => self.problem(Some(number), "the kept columns are missing"),
            Some(_) if keeps => {
                self.problem(Some(number), "the rows are purged, and their kept columns are not")
            }
            Some(_) => self.problem(Some(number), "the campaign keeps no columns, and some are stored"),
            None => {}
        }
        Ok(())
    }

    /// The rules of the chain of permits.
    fn chain(&mut self, number: u32, history: &History) {
        if let Some((sequence, row)) = history.unfounded() {
            let message =
                format!("permit {sequence} names row {row} of the chunk, and nothing permitted that");
            self.problem(Some(number), message);
        }
        if let Some((sequence, row)) = history.stray() {
            let message = format!(
                "an outcome or a resolution is for row {row} of permit {sequence}, which does not name it"
            );
            self.problem(Some(number), message);
        }
        for permit in history.permits() {
            self.attempts += count(permit.rows.len());
            if !self.open.contains_key(permit.owner.as_bytes()) {
                self.problem(Some(number), format!("the owner of permit {} is not known", permit.sequence));
            }
        }
    }

    fn rows(&mut self, rows: &[ChunkRow], history: &History) {
        for state in history.states(&bases(rows)) {
            self.count(state);
        }
        self.counts.rows += count(rows.len());
        let ready = rows.iter().filter(|row| row.base == CreationDecision::Ready);
        self.parts += ready.map(|row| i64::from(row.parts)).sum::<i64>();
        for permit in history.permits() {
            for named in &permit.rows {
                let refunds = match history.outcome(permit.sequence, named.row) {
                    Some(RowOutcome::NotSent | RowOutcome::Suppressed | RowOutcome::Invalid) => true,
                    _ => history.resolution(permit.sequence, named.row) == Some(Resolution::Retry),
                };
                let price = rows.get(usize::from(named.row)).map_or(0, |row| row.price);
                self.spend += if refunds { 0 } else { price };
            }
        }
    }

    /// The rows in permits. What the creation decided about the others is not known any more.
    fn purged_rows(&mut self, n_rows: i64, history: &History) {
        self.is_purged = true;
        self.counts.rows += n_rows;
        let named = history.named(usize::try_from(n_rows).unwrap_or_default());
        for (row, _) in (0..=u16::MAX).zip(named).filter(|(_, is_named)| *is_named) {
            self.count(history.state(row));
        }
    }

    fn count(&mut self, state: RowState) {
        let counts = &mut self.counts;
        *match state {
            RowState::Ready | RowState::NotSent | RowState::Settled(RowOutcome::NotSent) => {
                &mut counts.pending
            }
            RowState::Open { owner } => {
                *self.open.entry(*owner.as_bytes()).or_default() += 1;
                &mut counts.open
            }
            RowState::Fixed(CreationDecision::Suppressed) | RowState::Settled(RowOutcome::Suppressed) => {
                &mut counts.suppressed
            }
            RowState::Fixed(CreationDecision::Duplicate) => &mut counts.duplicate,
            RowState::Fixed(_) | RowState::Settled(RowOutcome::Invalid) => &mut counts.invalid,
            RowState::Settled(RowOutcome::Accepted) => &mut counts.accepted,
            RowState::Settled(RowOutcome::Rejected) => &mut counts.rejected,
            RowState::Settled(RowOutcome::Unknown) => &mut counts.unknown,
        } += 1;
    }

    fn compare(&mut self, campaign: &CampaignRecord) {
        let (counted, derived) = (campaign.counts, self.counts);
        for (what, counted, derived) in [
            ("rows", counted.rows, derived.rows),
            ("accepted", counted.accepted, derived.accepted),
            ("rejected", counted.rejected, derived.rejected),
            ("unknown", counted.unknown, derived.unknown),
            ("in flight", counted.open, derived.open),
            ("attempts", campaign.attempts, self.attempts),
        ] {
            self.differs(None, what, counted, derived);
        }
        if !self.is_purged {
            for (what, counted, derived) in [
                ("invalid", counted.invalid, derived.invalid),
                ("suppressed", counted.suppressed, derived.suppressed),
                ("duplicate", counted.duplicate, derived.duplicate),
                ("pending", counted.pending, derived.pending),
                ("parts", campaign.parts, self.parts),
                ("spend in billionths", campaign.spend, self.spend),
            ] {
                self.differs(None, what, counted, derived);
            }
        }
        let Counts { rows, invalid, suppressed, duplicate, accepted, rejected, unknown, pending, open } =
            counted;
        let sum = invalid + suppressed + duplicate + accepted + rejected + unknown + pending + open;
        self.differs(None, "the sum of all outcomes", sum, rows);
    }
}

/// The rows of a chunk; `None` after a purge.
fn rows_of(chunk: &Row) -> Result<Option<Vec<ChunkRow>>> {
    let Some(body) = chunk.bytes("body")? else { return Ok(None) };
    decode(body, chunk.text("digest")?).map(Some)
}

fn bases(rows: &[ChunkRow]) -> Vec<CreationDecision> {
    rows.iter().map(|row| row.base).collect()
}

fn count(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{OpenOptions, SqliteStore};

    #[test]
    fn a_campaign_whose_creation_was_abandoned_meanwhile_is_no_problem() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("campaign.db"), OpenOptions::default()).unwrap();
        let mut journal = Journal::new(Box::new(store)).unwrap();
        let mut found = Verification::default();
        journal.verify_campaign("gone", "c", &mut found);
        assert_eq!(found, Verification::default());
    }
}
