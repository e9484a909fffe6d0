//! The state of an outage in the row of its campaign.

use super::campaign_record::{CampaignRecord, State, halt};
use super::owners::owners;
use super::settlement::Settlement;
use super::stop_reason::StopReason;
use super::store::{Transaction, Value};
use crate::cpaas_calls::is_temporary_refusal;
use crate::error::Result;
use crate::protocol::{Health, Permission, ProbeTimes, RowOutcome};
use crate::row_reason::RowReason;

/// Adds the results of rows to the state of the outage, and stores it if it changed.
pub(super) fn observe<'s>(
    transaction: &mut dyn Transaction,
    campaign: &mut CampaignRecord,
    settlements: impl Iterator<Item = &'s Settlement>,
    times: &ProbeTimes,
) -> Result<()> {
    let now_us = transaction.now_us()?;
    let before = campaign.outage.clone();
    let refusal_before = campaign.refusal().map(str::to_owned);
    let (mut accepted, mut halts) = (campaign.counts.accepted, false);
    for settlement in settlements {
        accepted += i64::from(settlement.outcome == RowOutcome::Accepted);
        let permit = (settlement.chunk, settlement.sequence);
        halts |= campaign.outage.settle(settlement.health, permit, accepted, now_us, times);
        if settlement.health == Health::Bad {
            campaign.outage_reason.clone_from(&settlement.reason);
        } else {
            observe_refusal(campaign, settlement, now_us);
        }
    }
    if before != campaign.outage || campaign.refusal() != refusal_before.as_deref() {
        change(transaction, campaign, halts)
    } else {
        Ok(())
    }
}

/// Remembers a refusal by a store of the client, until a row passes the stores after the pause that it caused: rows that get an outcome
/// within the pause passed before it. The reason of an outage stays.
fn observe_refusal(campaign: &mut CampaignRecord, settlement: &Settlement, now_us: i64) {
    let reason = settlement.reason.as_deref();
    if reason.is_some_and(is_temporary_refusal) {
        if !campaign.outage.is_open() {
            campaign.outage_reason = settlement.reason.clone();
        }
        return;
    }
    let has_passed =
        matches!(settlement.outcome, RowOutcome::Accepted | RowOutcome::Rejected | RowOutcome::Suppressed)
            || reason == Some(RowReason::Throttled.as_str());
    if has_passed && campaign.refusal().is_some() && campaign.backs_off(now_us).is_none() {
        campaign.outage_reason = None;
    }
}

/// What a claim may do. A probe whose worker has ended, or that has no outcome after its time, is bad.
pub(super) fn permission(
    transaction: &mut dyn Transaction,
    campaign: &mut CampaignRecord,
    now_us: i64,
    times: &ProbeTimes,
) -> Result<Permission> {
    if let Some((chunk, sequence)) = campaign.outage.probe {
        if has_ended(transaction, &campaign.id, chunk, sequence)? {
            campaign.outage.until_us = now_us;
        }
        let halts = campaign.outage.expire(now_us, times);
        if campaign.outage.probe.is_none() {
            change(transaction, campaign, halts)?;
        }
    }
    Ok(campaign.outage.permission(now_us, times))
}

/// Whether the owner of a permit has certainly ended.
fn has_ended(transaction: &mut dyn Transaction, id: &str, chunk: u32, sequence: u32) -> Result<bool> {
    let sql = "SELECT owner FROM permits WHERE campaign = $1 AND chunk = $2 AND sequence = $3";
    let found = transaction.query(sql, &[id.into(), chunk.into(), sequence.into()])?;
    let Some(permit) = found.first() else { return Ok(false) };
    let owner = permit.token("owner")?;
    Ok(owners(transaction, id)?.iter().any(|known| known.id == owner && known.is_certain))
}

fn change(transaction: &mut dyn Transaction, campaign: &mut CampaignRecord, halts: bool) -> Result<()> {
    store(transaction, campaign)?;
    if halts && campaign.state == State::Active {
        halt(transaction, &campaign.id, StopReason::Outage)?;
        campaign.state = State::Halted;
        campaign.version += 1;
    }
    Ok(())
}

/// Stores the state of the outage.
pub(super) fn store(transaction: &mut dyn Transaction, campaign: &CampaignRecord) -> Result<()> {
    let outage = &campaign.outage;
    let sql =
        "UPDATE campaigns SET outage_phase = $1, outage_score = $2, outage_openings = $3, outage_probes = $4,
        outage_until_us = $5, outage_probe_chunk = $6, outage_probe_sequence = $7, outage_accepted = $8,
        outage_reason = $9 WHERE id = $10";
    let parameters: [Value; 10] = [
        outage.phase.as_str().into(),
        outage.score.into(),
        outage.openings.into(),
        outage.bad_probes.into(),
        outage.until_us.into(),
        outage.probe.map(|(chunk, _)| chunk).into(),
        outage.probe.map(|(_, sequence)| sequence).into(),
        outage.accepted_before.into(),
        campaign.outage_reason.as_deref().into(),
        campaign.id.as_str().into(),
    ];
    transaction.execute_later(sql, &parameters)
}
