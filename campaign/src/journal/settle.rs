//! Settling rows, and the transaction that settles and claims at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::campaign_record::CampaignRecord;
use super::claim::{ChunkView, Claim, Claimed, claim};
use super::copy_rights::Right;
use super::counter_changes::Changes;
use super::load_history::{campaign_and_permit, history};
use super::outages;
use super::settlement::Settlement;
use super::store::{Transaction, Value};
use super::{Journal, State};
use crate::error::{Error, Result};
use crate::protocol::{Health, Outage, Permit, ProbeTimes, RowOutcome, RowState, Token};
use crate::row_reason::RowReason;
use crate::settings::Settings;
use crate::window::Window;

/// The result of one exchange with the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchange {
    /// The campaign's state.
    pub state: State,
    /// Its version.
    pub version: i64,
    /// How long all workers must wait before the next row, in microseconds.
    pub backoff_us: i64,
    /// The state of the provider as all workers see it.
    pub outage: Outage,
    /// The campaign's send window.
    pub window: Option<Window>,
    /// The maximum number of rows in progress in each worker, if the campaign has one.
    pub concurrency: Option<u32>,
    /// The result of the claim; `None` if nothing was claimed.
    pub claimed: Option<Claimed>,
}

impl Journal {
    /// Settles rows of one owner, extends the shared back-off, and claims a permit, in one transaction.
    ///
    /// # Errors
    /// When it is not certain that the commit is durable, when no witness remembers it, or when a copy of the journal has taken the campaign
    /// over ([`Error::TakenOver`]). The worker must then end and send no row of the claim. After [`Error::TakenOver`] the settlements are
    /// durable, and the worker may settle what it has sent.
    pub fn exchange(
        &mut self,
        id: &str,
        owner: Token,
        settlements: &[Settlement],
        backoff_us: i64,
        mut request: Option<(&Claim<'_>, &mut ChunkView)>,
    ) -> Result<Exchange> {
        let (mut exchanged, mut right) = (None, None);
        let times = self.probe_times();
        let written = self.store().write(&mut |transaction| {
            let (mut campaign, known) = match &request {
                Some((_, view)) => {
                    let (campaign, stored, counted) =
                        campaign_and_permit(transaction, id, view.chunk, view.next_sequence())?;
                    (campaign, Some((stored, counted)))
                }
                None => (CampaignRecord::by_id(transaction, id)?, None),
            };
            right = known.is_some().then(|| Right::to_claim(transaction, &campaign)).transpose()?;
            let now = transaction.now_us()?;
            let mut changes = Changes::default();
            // Before the settlements, so that a row which passed earlier does not remove the cause of the pause.
            if backoff_us > 0 {
                extend_backoff(transaction, &mut campaign, now, backoff_us)?;
            }
            settle(transaction, &mut campaign, owner, settlements, &mut changes, &times)?;
            let claimed = match (&mut request, known) {
                (Some((requested, view)), Some(known)) => {
                    Some(claim(transaction, &mut campaign, requested, view, known, &mut changes, &times)?)
                }
                _ => None,
            };
            changes.apply(transaction, id)?;
            let state = match claimed {
                Some(Claimed::Stopped(state)) => state,
                _ => campaign.state,
            };
            let backoff_us = campaign.backs_off(now).unwrap_or(0);
            let (version, outage, settings) = (campaign.version, campaign.outage, campaign.settings);
            let Settings { window, concurrency, .. } = settings;
            exchanged = Some(Exchange { state, version, backoff_us, outage, window, concurrency, claimed });
            Ok(())
        });
        let won = match exchanged.as_ref().and_then(|exchange: &Exchange| exchange.claimed.as_ref()) {
            Some(Claimed::Won { permit, .. }) => Some(permit),
            _ => None,
        };
        let checked = match (written, won, &right) {
            (Ok(()), Some(_), Some(right)) => {
                let place = self.store().place();
                right.check(&place)
            }
            (written, ..) => written,
        };
        let reason = match &checked {
            Err(Error::NotRecorded(_)) => Some(RowReason::NotRecorded),
            Err(error) if error.is_right_of_another() => Some(RowReason::Stopped),
            _ => None,
        };
        if let (Some(reason), Some(permit), Some((_, view))) = (reason, won, &request) {
            // The permit is durable, and none of its rows is sent. If this fails too, they become unknown.
            let _ = self.settle_unsent(id, permit, view, reason);
        }
        checked?;
        exchanged.ok_or(Error::Task)
    }

    fn settle_unsent(
        &mut self,
        id: &str,
        permit: &Permit,
        view: &ChunkView,
        reason: RowReason,
    ) -> Result<()> {
        let settlements: Vec<Settlement> = permit
            .rows
            .iter()
            .map(|named| Settlement {
                chunk: view.chunk,
                sequence: permit.sequence,
                row: named.row,
                outcome: RowOutcome::NotSent,
                reason: Some(reason.as_str().to_owned()),
                message_id: None,
                detail: None,
                price: view.price_of(named.row),
                health: Health::Neutral,
            })
            .collect();
        let times = self.probe_times();
        self.store().write(&mut |transaction| {
            let mut campaign = CampaignRecord::by_id(transaction, id)?;
            let mut changes = Changes::default();
            settle(transaction, &mut campaign, permit.owner, &settlements, &mut changes, &times)?;
            changes.apply(transaction, id)
        })
    }
}

fn extend_backoff(
    transaction: &mut dyn Transaction,
    campaign: &mut CampaignRecord,
    now: i64,
    wait_us: i64,
) -> Result<()> {
    if campaign.backs_off(now).unwrap_or(0) < wait_us {
        (campaign.backoff_from_us, campaign.backoff_us) = (now, now.saturating_add(wait_us));
        let sql = "UPDATE campaigns SET backoff_us = $1, backoff_from_us = $2 WHERE id = $3";
        let id = campaign.id.as_str();
        transaction.execute(sql, &[campaign.backoff_us.into(), now.into(), id.into()])?;
    }
    Ok(())
}

pub(super) fn settle(
    transaction: &mut dyn Transaction,
    campaign: &mut CampaignRecord,
    owner: Token,
    settlements: &[Settlement],
    changes: &mut Changes,
    times: &ProbeTimes,
) -> Result<()> {
    if settlements.is_empty() {
        return Ok(());
    }
    let now_us = transaction.now_us()?;
    let mut histories = BTreeMap::new();
    if campaign.evidence > 0 {
        for settlement in settlements {
            histories.insert(settlement.chunk, history(transaction, &campaign.id, settlement.chunk)?);
        }
    }
    let inserted = insert(transaction, &campaign.id, settlements, now_us)?;
    for settlement in settlements.iter().filter(|settlement| inserted.contains(&settlement.key())) {
        let (before, after) = match histories.get_mut(&settlement.chunk) {
            Some(history) => {
                let before = history.state(settlement.row);
                history.settle(settlement.sequence, settlement.row, settlement.outcome);
                (before, history.state(settlement.row))
            }
            // Without reports and resolutions, only the owner changes the row.
            None => (RowState::Open { owner }, without_evidence(settlement.outcome)),
        };
        changes.transition(settlement.chunk, before, after);
        if matches!(settlement.outcome, RowOutcome::NotSent | RowOutcome::Suppressed | RowOutcome::Invalid) {
            campaign.spend -= settlement.price;
            changes.refund(settlement.price);
        }
    }
    changes.saw(owner, now_us);
    let new = settlements.iter().filter(|settlement| inserted.contains(&settlement.key()));
    outages::observe(transaction, campaign, new, times)
}

const fn without_evidence(outcome: RowOutcome) -> RowState {
    match outcome {
        RowOutcome::NotSent => RowState::NotSent,
        outcome => RowState::Settled(outcome),
    }
}

/// Statements that insert 32, 16, 8, 4, 2 or 1 rows. Other numbers of rows use several of them, so that few are prepared.
static INSERTS: LazyLock<[(usize, String); 6]> =
    LazyLock::new(|| [32, 16, 8, 4, 2, 1].map(|rows| (rows, insert_statement(rows))));

fn insert_statement(rows: usize) -> String {
    let values: Vec<String> = (0..rows).map(placeholders).collect();
    format!(
        "INSERT INTO outcomes (campaign, chunk, sequence, row_index, outcome, reason, message_id, detail, settled_us)
        VALUES {} ON CONFLICT DO NOTHING RETURNING chunk, sequence, row_index",
        values.join(", ")
    )
}

fn placeholders(index: usize) -> String {
    let names: Vec<String> = (1..=9).map(|column| format!("${}", index * 9 + column)).collect();
    format!("({})", names.join(", "))
}

/// Stores outcomes and returns the keys of those that were not stored before.
fn insert(
    transaction: &mut dyn Transaction,
    id: &str,
    settlements: &[Settlement],
    now_us: i64,
) -> Result<BTreeSet<Key>> {
    let mut rest = settlements;
    let mut statements = Vec::new();
    for (rows, sql) in INSERTS.iter() {
        while let Some((group, after)) = rest.split_at_checked(*rows) {
            rest = after;
            let parameters: Vec<Value> = group.iter().flat_map(|one| one.values(id, now_us)).collect();
            statements.push((sql.as_str(), parameters));
        }
    }
    let queries: Vec<_> = statements.iter().map(|(sql, parameters)| (*sql, parameters.as_slice())).collect();
    let inserted = transaction.query_all(&queries)?;
    inserted
        .iter()
        .flatten()
        .map(|row| Ok((row.int("chunk")?, row.int("sequence")?, row.int("row_index")?)))
        .collect()
}

/// Chunk, sequence and row.
type Key = (i64, i64, i64);

impl Settlement {
    fn key(&self) -> Key {
        (self.chunk.into(), self.sequence.into(), self.row.into())
    }

    fn values(&self, id: &str, now_us: i64) -> [Value; 9] {
        [
            id.into(),
            self.chunk.into(),
            self.sequence.into(),
            self.row.into(),
            self.outcome.as_str().into(),
            self.reason.as_deref().into(),
            self.message_id.as_deref().into(),
            self.detail.as_deref().into(),
            now_us.into(),
        ]
    }
}
