//! Makes rows eligible again whose rejection may pass, or that failed at the provider.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::Journal;
use super::campaign_record::{CampaignRecord, State};
use super::copy_rights::Right;
use super::counter_changes::Changes;
use super::load_history::{chunks, history};
use super::reports::touch;
use super::store::Transaction;
use crate::chunk::decode;
use crate::error::{Error, Result};
use crate::protocol::{Resolution, RowOutcome, RowState};
use crate::row_reason::RowReason;

/// The rows that [`Journal::retry`] makes eligible again.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryReason {
    /// Rows that were rejected because of the key or the address: 401, 403, 404 or a redirect.
    Setup,
    /// Rows that were rejected with this code of the provider or HTTP status.
    Code(String),
    /// Unknown rows to which the provider itself answered with a failure. They may be sent twice.
    ProviderFailure,
}

impl RetryReason {
    /// Reads `setup`, `provider_5xx` or a code.
    ///
    /// # Errors
    /// When it is none of these.
    pub fn parse(text: &str) -> Result<Self> {
        match text {
            _ if text == RowReason::Setup.as_str() => Ok(Self::Setup),
            _ if text == RowReason::ProviderFailure.as_str() => Ok(Self::ProviderFailure),
            code if is_code(code) => Ok(Self::Code(code.to_owned())),
            _ => {
                let message = "the reason of a retry must be `setup`, `provider_5xx` or a code such as 990";
                Err(Error::Setting(message.to_owned()))
            }
        }
    }

    /// Whether the rows may be sent twice.
    #[must_use]
    pub fn may_send_twice(&self) -> bool {
        *self == Self::ProviderFailure
    }

    /// The reasons that find a row with this outcome and reason.
    fn finding(outcome: RowOutcome, reason: &str) -> impl Iterator<Item = Self> {
        let codes: BTreeSet<&str> = reason.split(' ').skip(1).filter(|word| is_code(word)).collect();
        let codes = codes.into_iter().map(|code| Self::Code(code.to_owned()));
        let all = [Self::Setup, Self::ProviderFailure].into_iter().chain(codes);
        all.filter(move |known| known.outcome() == outcome && known.matches(reason))
    }

    fn outcome(&self) -> RowOutcome {
        if self.may_send_twice() { RowOutcome::Unknown } else { RowOutcome::Rejected }
    }

    fn resolution(&self) -> Resolution {
        if self.may_send_twice() { Resolution::NotSent } else { Resolution::Retry }
    }

    fn matches(&self, reason: &str) -> bool {
        let mut words = reason.split(' ');
        match self {
            Self::Setup => words.next() == Some(RowReason::Setup.as_str()),
            Self::Code(code) => words.skip(1).any(|word| word == code),
            Self::ProviderFailure => reason == RowReason::ProviderFailure.as_str(),
        }
    }
}

/// Whether a word is a code of the provider or an HTTP status.
fn is_code(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

impl Journal {
    /// The number of rows that each reason finds, whatever the age of their permits.
    pub(crate) fn retry_reasons(&mut self, name: &str) -> Result<BTreeMap<String, u64>> {
        self.read(|transaction| {
            let id = CampaignRecord::by_name(transaction, name)?.id;
            let mut counts = BTreeMap::new();
            for chunk in chunks(transaction, &id)? {
                count_reasons(transaction, &id, chunk, &mut counts)?;
            }
            Ok(counts)
        })
    }

    /// Makes rows with this reason eligible again, and returns their number. A row with a delivery report stays as it is, and so does one whose
    /// permit is younger than `min_age_us` microseconds. If `counts_only` is true, nothing is changed.
    ///
    /// # Errors
    /// [`Error::State`] when the campaign is cancelled or being created, [`Error::Purged`], [`Error::TakenOver`] when a copy of the journal
    /// has taken the campaign over, [`Error::RestoredCopy`] for [`RetryReason::ProviderFailure`] in a restored copy, or when the journal fails.
    pub fn retry(
        &mut self,
        name: &str,
        reason: &RetryReason,
        min_age_us: i64,
        counts_only: bool,
    ) -> Result<u64> {
        let campaign = self.campaign(name)?;
        let (right, place) = (Right::of(&campaign), self.store().place());
        if reason.may_send_twice() {
            right.check(&place)?
        } else {
            right.check_to_open(&place)?
        }
        if counts_only {
            self.read(|transaction| retry(transaction, name, reason, min_age_us, true))
        } else {
            self.write(|transaction| retry(transaction, name, reason, min_age_us, false))
        }
    }
}

fn retry(
    transaction: &mut dyn Transaction,
    name: &str,
    reason: &RetryReason,
    min_age_us: i64,
    counts_only: bool,
) -> Result<u64> {
    let campaign = CampaignRecord::by_name(transaction, name)?;
    if matches!(campaign.state, State::Cancelled | State::Creating) {
        let actual = campaign.state.as_str().to_owned();
        return Err(Error::State { expected: "created and not cancelled", actual });
    }
    let mut latest_claim_us = transaction.now_us()?.saturating_sub(min_age_us);
    if reason.may_send_twice() {
        latest_claim_us = campaign.fence.latest_claim(latest_claim_us);
    }
    let (mut changes, mut retried) = (Changes::default(), 0);
    for chunk in chunks(transaction, &campaign.id)? {
        let mut chunk = RetriedChunk { id: &campaign.id, chunk, reason, latest_claim_us, counts_only };
        retried += chunk.retry(transaction, &mut changes)?;
    }
    if !counts_only && retried > 0 {
        changes.apply(transaction, &campaign.id)?;
        touch(transaction, &campaign.id)?;
    }
    Ok(retried)
}

/// Adds the rows of a chunk to the count of each reason that finds them.
fn count_reasons(
    transaction: &mut dyn Transaction,
    id: &str,
    chunk: u32,
    counts: &mut BTreeMap<String, u64>,
) -> Result<()> {
    for outcome in [RowOutcome::Rejected, RowOutcome::Unknown] {
        let is_found = |reason: &str| RetryReason::finding(outcome, reason).next().is_some();
        let rows = rows_with_reason(transaction, id, chunk, outcome, is_found)?;
        if rows.is_empty() {
            continue;
        }
        let history = history(transaction, id, chunk)?;
        for (row, found) in rows {
            let is_last = history.last_permit(row).is_some_and(|permit| permit.sequence == found.sequence);
            if is_last && history.state(row) == RowState::Settled(outcome) {
                for reason in RetryReason::finding(outcome, &found.reason) {
                    *counts.entry(reason.to_string()).or_default() += 1;
                }
            }
        }
    }
    Ok(())
}

struct RetriedChunk<'a> {
    id: &'a str,
    chunk: u32,
    reason: &'a RetryReason,
    latest_claim_us: i64,
    counts_only: bool,
}

impl RetriedChunk<'_> {
    fn retry(&mut self, transaction: &mut dyn Transaction, changes: &mut Changes) -> Result<u64> {
        let outcome = self.reason.outcome();
        let matches = |reason: &str| self.reason.matches(reason);
        let found = rows_with_reason(transaction, self.id, self.chunk, outcome, matches)?;
        if found.is_empty() {
            return Ok(0);
        }
        let mut history = history(transaction, self.id, self.chunk)?;
        let prices = self.prices(transaction)?;
        let now = transaction.now_us()?;
        let (settled, resolution) = (RowState::Settled(outcome), self.reason.resolution());
        let mut retried = 0;
        for (row, Found { sequence, .. }) in found {
            let permit = history
                .last_permit(row)
                .filter(|permit| permit.sequence == sequence && permit.claimed_us <= self.latest_claim_us);
            if permit.is_none() || history.state(row) != settled {
                continue;
            }
            retried += 1;
            if self.counts_only {
                continue;
            }
            store(transaction, (self.id, self.chunk, sequence, row), resolution, now)?;
            history.resolve(sequence, row, resolution);
            changes.transition(self.chunk, settled, history.state(row));
            if !self.reason.may_send_twice() {
                changes.refund(prices.get(usize::from(row)).copied().unwrap_or_default());
            }
        }
        Ok(retried)
    }

    /// The price of each row.
    fn prices(&self, transaction: &mut dyn Transaction) -> Result<Vec<i64>> {
        let sql = "SELECT digest, body FROM chunks WHERE campaign = $1 AND chunk = $2";
        let found = transaction.query(sql, &[self.id.into(), self.chunk.into()])?;
        let chunk = found.first().ok_or(Error::Damaged("a chunk is missing"))?;
        let rows = decode(chunk.bytes("body")?.ok_or(Error::Purged)?, chunk.text("digest")?)?;
        Ok(rows.iter().map(|row| row.price).collect())
    }
}

/// The text that [`RetryReason::parse`] reads.
impl fmt::Display for RetryReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Setup => RowReason::Setup.as_str(),
            Self::Code(code) => code,
            Self::ProviderFailure => RowReason::ProviderFailure.as_str(),
        })
    }
}

impl std::str::FromStr for RetryReason {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

/// The rows of a chunk whose rejection may be retried for some reason, and the last permit of each that has such an outcome.
pub(super) fn rows_that_may_be_retried(
    transaction: &mut dyn Transaction,
    id: &str,
    chunk: u32,
) -> Result<BTreeMap<u16, u32>> {
    let matches = |reason: &str| RetryReason::finding(RowOutcome::Rejected, reason).next().is_some();
    let found = rows_with_reason(transaction, id, chunk, RowOutcome::Rejected, matches)?;
    Ok(found.into_iter().map(|(row, found)| (row, found.sequence)).collect())
}

/// An outcome with a reason: the last permit of the row that has such an outcome.
struct Found {
    sequence: u32,
    reason: String,
}

/// The rows whose outcome has a reason that matches.
fn rows_with_reason(
    transaction: &mut dyn Transaction,
    id: &str,
    chunk: u32,
    outcome: RowOutcome,
    matches: impl Fn(&str) -> bool,
) -> Result<BTreeMap<u16, Found>> {
    let sql = "SELECT row_index, sequence, reason FROM outcomes
        WHERE campaign = $1 AND chunk = $2 AND outcome = $3 ORDER BY sequence";
    let mut found = BTreeMap::new();
    for row in transaction.query(sql, &[id.into(), chunk.into(), outcome.as_str().into()])? {
        if let Some(reason) = row.optional_text("reason")?.filter(|reason| matches(reason)) {
            let index = u16::try_from(row.int("row_index")?).map_err(|_| Error::Damaged("a row's number"))?;
            let sequence = u32::try_from(row.int("sequence")?).map_err(|_| Error::Damaged("a sequence"))?;
            found.insert(index, Found { sequence, reason: reason.to_owned() });
        }
    }
    Ok(found)
}

/// Stores a resolution of a row: its campaign, chunk, permit and index.
pub(super) fn store(
    transaction: &mut dyn Transaction,
    (id, chunk, sequence, row): (&str, u32, u32, u16),
    resolution: Resolution,
    now: i64,
) -> Result<()> {
    let sql = "INSERT INTO resolutions (campaign, chunk, sequence, row_index, resolution, resolved_us)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
    let name = resolution.as_str();
    let parameters = [id.into(), chunk.into(), sequence.into(), row.into(), name.into(), now.into()];
    transaction.execute(sql, &parameters).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_setup_a_failure_of_the_provider_or_a_code() {
        assert_eq!(RetryReason::parse("setup").unwrap(), RetryReason::Setup);
        assert_eq!(RetryReason::parse("provider_5xx").unwrap(), RetryReason::ProviderFailure);
        assert_eq!(RetryReason::parse("102").unwrap(), RetryReason::Code("102".to_owned()));
        for text in ["", "unknown", "http", "-1", "timeout", "1 2"] {
            assert!(RetryReason::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_code_matches_the_whole_number() {
        let code = RetryReason::Code("102".to_owned());
        for (reason, expected) in [
            ("http 102", true),
            ("not_verified 102", true),
            ("setup 401 102", true),
            ("http 1020", false),
            ("102", false),
            ("setup 401", false),
        ] {
            assert_eq!(code.matches(reason), expected, "{reason}");
        }
        assert!(RetryReason::Setup.matches("setup 401 102") && !RetryReason::Setup.matches("http 401"));
        assert!(!RetryReason::ProviderFailure.matches("http 503"));
    }
}
