//! A campaign as the journal stores it.

use super::fence::Fence;
use super::stop_reason::StopReason;
use super::store::{Row, Transaction};
use crate::cpaas_calls::is_temporary_refusal;
use crate::error::{Error, Result};
use crate::named_enum::named_enum;
use crate::protocol::{Outage, Phase};
use crate::settings::Settings;
use crate::window::StartTime;

named_enum! {
    /// The stored state of a campaign. The names are those of the journal.
    #[non_exhaustive]
    pub enum State {
        /// Its rows are being stored; it cannot run yet.
        Creating = "creating",
        /// Workers may claim permits.
        Active = "active",
        /// No permits until it is resumed.
        Paused = "paused",
        /// It halted by itself; `reason` says why. It can be resumed.
        Halted = "halted",
        /// No permits any more.
        Cancelled = "cancelled",
    }
}

/// Rows by state. They add up to `rows` at every moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// All rows.
    pub rows: i64,
    /// Rows that break a rule.
    pub invalid: i64,
    /// Rows with a suppressed recipient.
    pub suppressed: i64,
    /// Rows with the same recipient as an earlier row.
    pub duplicate: i64,
    /// Rows that the provider accepted.
    pub accepted: i64,
    /// Rows that the provider rejected.
    pub rejected: i64,
    /// Rows whose owner stored that their outcome is unknown.
    pub unknown: i64,
    /// Rows that may be sent.
    pub pending: i64,
    /// Rows under a permit without an outcome.
    pub open: i64,
}

/// A campaign.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CampaignRecord {
    /// Its random id, in hexadecimal.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The operation, for example `sms.send`.
    pub operation: String,
    /// Its state.
    pub state: State,
    /// Why it halted.
    pub reason: Option<String>,
    /// Counts changes of state, reports, resolutions and suppressions.
    pub version: i64,
    /// SHA-256 of the source; of the request for `send_once`.
    pub digest: String,
    /// What it was created with.
    pub settings: Settings,
    /// Rows by state.
    pub counts: Counts,
    /// The number of rows in all permits; a row counts once for each permit that names it.
    pub attempts: i64,
    /// Parts of all rows that the creation found ready to send; does not change afterwards.
    pub parts: i64,
    /// How many transactions stored reports or resolutions; 0 means that none exists.
    pub evidence: i64,
    /// The price of all rows in permits, less the price of the rows that were not sent, in billionths of the currency.
    pub spend: i64,
    /// When the rate permits the next row, in microseconds of the database's clock.
    pub rate_us: i64,
    /// No row is sent before this moment, in microseconds of the database's clock.
    pub backoff_us: i64,
    /// When the back-off until `backoff_us` began, on the same clock.
    pub backoff_from_us: i64,
    /// The state of the provider as all workers see it.
    pub outage: Outage,
    /// The reason of the last row that was unknown or not sent because of the provider, or a refusal by a store of the client, while no
    /// row has passed the stores since.
    pub outage_reason: Option<String>,
    /// Whether this journal, of all its copies, may send the rows.
    pub(super) fence: Fence,
}

macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT id, name, operation, state, reason, version, digest, settings, n_rows, n_invalid, n_suppressed,
            n_duplicate, n_accepted, n_rejected, n_unknown, n_pending, n_open, n_attempts, n_parts, n_evidence, spend,
            rate_us, backoff_us, backoff_from_us, outage_phase, outage_score, outage_openings, outage_probes, outage_until_us,
            outage_probe_chunk, outage_probe_sequence, outage_accepted, outage_reason, fence FROM campaigns ",
            $condition
        )
    };
}

impl CampaignRecord {
    /// The query of one campaign by its id.
    pub(super) const BY_ID: &str = select!("WHERE id = $1");

    /// How long all workers wait, in microseconds. If the clock was set back to before `backoff_from_us`, the
    /// wait ends.
    pub(crate) fn backs_off(&self, now_us: i64) -> Option<i64> {
        let is_waiting = (self.backoff_from_us..self.backoff_us).contains(&now_us);
        is_waiting.then(|| self.backoff_us - now_us)
    }

    /// The refusal by a store of the client that the last row got, such as `suppression.unavailable`.
    pub(crate) fn refusal(&self) -> Option<&str> {
        self.outage_reason.as_deref().filter(|reason| is_temporary_refusal(reason))
    }

    /// Why the last row was not sent or is unknown; `None` when rows are accepted again.
    pub(crate) fn last_error(&self) -> Option<&str> {
        self.outage_reason.as_deref().filter(|_| self.outage.score > 0 || self.refusal().is_some())
    }

    /// Whether it halted because the journal has lost commits, and nobody has acknowledged that.
    pub(crate) fn has_lost_commits(&self) -> bool {
        self.state == State::Halted && self.reason.as_deref() == Some(StopReason::LostCommits.as_str())
    }

    /// How long no row is sent because the campaign has not begun, in microseconds.
    pub(crate) fn begins_in(&self, now_us: i64) -> Option<i64> {
        let Some(StartTime::Moment(start)) = self.settings.start_at else { return None };
        Some(start.as_microsecond().saturating_sub(now_us)).filter(|left| *left > 0)
    }

    fn read(row: &Row) -> Result<Self> {
        let settings = serde_json::from_str(row.text("settings")?);
        let state = State::from_name(row.text("state")?);
        Ok(Self {
            id: row.text("id")?.to_owned(),
            name: row.text("name")?.to_owned(),
            operation: row.text("operation")?.to_owned(),
            state: state.ok_or(Error::Damaged("the state of a campaign is not known"))?,
            reason: row.optional_text("reason")?.map(str::to_owned),
            version: row.int("version")?,
            digest: row.text("digest")?.to_owned(),
            settings: settings.map_err(|_| Error::Damaged("the settings of a campaign cannot be read"))?,
            counts: Counts {
                rows: row.int("n_rows")?,
                invalid: row.int("n_invalid")?,
                suppressed: row.int("n_suppressed")?,
                duplicate: row.int("n_duplicate")?,
                accepted: row.int("n_accepted")?,
                rejected: row.int("n_rejected")?,
                unknown: row.int("n_unknown")?,
                pending: row.int("n_pending")?,
                open: row.int("n_open")?,
            },
            attempts: row.int("n_attempts")?,
            parts: row.int("n_parts")?,
            evidence: row.int("n_evidence")?,
            spend: row.int("spend")?,
            rate_us: row.int("rate_us")?,
            backoff_us: row.int("backoff_us")?,
            backoff_from_us: row.int("backoff_from_us")?,
            outage: outage(row)?,
            outage_reason: row.optional_text("outage_reason")?.map(str::to_owned),
            fence: Fence::parse(row.optional_text("fence")?)?,
        })
    }

    pub(super) fn by_id(transaction: &mut dyn Transaction, id: &str) -> Result<Self> {
        Self::first(&transaction.query(Self::BY_ID, &[id.into()])?)
    }

    /// The campaign in the result of [`Self::BY_ID`].
    pub(super) fn first(rows: &[Row]) -> Result<Self> {
        rows.first().ok_or(Error::NoCampaign).and_then(Self::read)
    }

    pub(super) fn by_name(transaction: &mut dyn Transaction, name: &str) -> Result<Self> {
        Self::first(&transaction.query(select!("WHERE name = $1"), &[name.into()])?)
    }

    pub(super) fn all(transaction: &mut dyn Transaction) -> Result<Vec<Self>> {
        transaction.query(select!("ORDER BY created_us, id"), &[])?.iter().map(Self::read).collect()
    }
}

fn outage(row: &Row) -> Result<Outage> {
    let phase = Phase::from_name(row.text("outage_phase")?);
    let part = |column| Ok::<_, Error>(row.optional_int(column)?.and_then(|part| u32::try_from(part).ok()));
    Ok(Outage {
        phase: phase.ok_or(Error::Damaged("the phase of an outage is not known"))?,
        score: row.int("outage_score")?,
        openings: row.int("outage_openings")?,
        bad_probes: row.int("outage_probes")?,
        until_us: row.int("outage_until_us")?,
        probe: part("outage_probe_chunk")?.zip(part("outage_probe_sequence")?),
        accepted_before: row.int("outage_accepted")?,
    })
}

pub(super) fn set_state(
    transaction: &mut dyn Transaction,
    id: &str,
    state: State,
    reason: Option<StopReason>,
) -> Result<()> {
    let sql = "UPDATE campaigns SET state = $1, reason = $2, version = version + 1 WHERE id = $3";
    transaction.execute(sql, &[state.as_str().into(), reason.map(StopReason::as_str).into(), id.into()])?;
    Ok(())
}

pub(super) fn halt(transaction: &mut dyn Transaction, id: &str, reason: StopReason) -> Result<()> {
    set_state(transaction, id, State::Halted, Some(reason))
}
