//! Claiming permits.

use super::attempts::Counted;
use super::campaign_record::{CampaignRecord, State, halt};
use super::campaigns::count;
use super::counter_changes::{Changes, Reservation};
use super::load_history::history;
use super::owners::owners;
use super::stop_reason::StopReason;
use super::store::{Transaction, Value};
use super::{outages, provider};
use crate::chunk::ChunkRow;
use crate::error::Result;
use crate::protocol::{CreationDecision, History, Permission, Permit, PermitRow, ProbeTimes, Token};

/// With a rate, a permit names only rows that can start within 10 s, well before it expires after 30 s. In microseconds.
const LONGEST_PERMIT_US: f64 = 10_000_000.0;
/// With a rate, a permit is claimed at most this long before its first row may start, in microseconds.
const CLAIM_AHEAD_US: i64 = 2_000_000;

/// How long a worker waits for others when the maximum spend permits no further row, in microseconds.
const SPEND_WAIT_US: i64 = 50_000;

/// What a worker knows about a chunk. It may be out of date, so the claim compares it with the stored state.
#[derive(Debug, Clone, Default)]
pub struct ChunkView {
    /// The chunk's number.
    pub chunk: u32,
    bases: Vec<CreationDecision>,
    prices: Vec<i64>,
    history: History,
    version: i64,
    /// Which rows were named by a permit.
    named: Vec<bool>,
}

impl ChunkView {
    /// A view of a chunk with these rows, and with the history that the chunk had at this version of the campaign.
    #[must_use]
    pub fn new(chunk: u32, rows: &[ChunkRow], history: History, version: i64) -> Self {
        let bases: Vec<CreationDecision> = rows.iter().map(|row| row.base).collect();
        let prices = rows.iter().map(|row| row.price).collect();
        Self { chunk, named: history.named(bases.len()), bases, prices, history, version }
    }

    /// A view of a chunk whose rows are all ready and have no price.
    #[must_use]
    pub(crate) fn of_ready_rows(chunk: u32, rows: usize, history: History, version: i64) -> Self {
        let named = history.named(rows);
        Self {
            chunk,
            bases: vec![CreationDecision::Ready; rows],
            prices: vec![0; rows],
            history,
            version,
            named,
        }
    }

    /// Rows that no permit names; if there are none, rows whose last permit is settled as not sent.
    fn rows(&self, claim: &Claim<'_>, limit: usize) -> Vec<PermitRow> {
        let rows = (0..=u16::MAX).zip(self.bases.iter().zip(&self.named));
        let is_new = rows.filter(|(_, (base, named))| **base == CreationDecision::Ready && !**named);
        let new: Vec<_> = is_new
            .map(|(row, _)| PermitRow { row, attempt: 1 })
            .filter(|named| !self.history.is_reported(named.row) && (claim.requested)(named.row))
            .take(limit)
            .collect();
        if !new.is_empty() {
            return new;
        }
        self.history.next_rows(&self.bases, limit, |row| (claim.requested)(row))
    }

    /// The sequence of the next permit, as far as this worker knows.
    pub(crate) fn next_sequence(&self) -> u32 {
        self.history.next_sequence()
    }

    fn price(&self, rows: &[PermitRow]) -> i64 {
        rows.iter().map(|named| self.price_of(named.row)).sum()
    }

    /// The price of one row.
    pub(super) fn price_of(&self, row: u16) -> i64 {
        self.prices.get(usize::from(row)).copied().unwrap_or_default()
    }
}

/// What a worker requests.
pub struct Claim<'a> {
    /// The worker.
    pub owner: Token,
    /// The token of the permit, new for each claim.
    pub token: Token,
    /// At most this many rows.
    pub limit: usize,
    /// Whether the row with this index in the chunk may be sent now.
    pub requested: &'a (dyn Fn(u16) -> bool + 'a),
    /// Whether the campaign halts if its maximum spend permits no further row. Otherwise the result is [`Claimed::Unaffordable`].
    pub may_halt: bool,
    /// The addresses to which the worker sends, which are compared with those of the campaign; none is compared if there is none.
    pub provider: &'a [String],
}

/// The result of a claim.
#[derive(Debug, Clone, PartialEq)]
pub enum Claimed {
    /// The permit is durable, if the transaction's commit is.
    Won {
        /// The permit.
        permit: Permit,
        /// How long to wait before its first row, in microseconds.
        wait_us: i64,
        /// The time between two rows, in microseconds; 0 without a rate.
        interval_us: i64,
        /// Whether its row is a probe: the only one that is sent while an outage is open.
        is_probe: bool,
    },
    /// Another owner extended the chain first; the view is out of date.
    Lost,
    /// The chunk has no eligible row that may be sent now.
    Empty,
    /// Start, rate, back-off, outage or maximum spend: try again after this many microseconds.
    Wait(i64),
    /// The maximum spend permits no further row, and no owner that may live has rows in progress.
    Unaffordable,
    /// The campaign is paused, halted, cancelled or being created.
    Stopped(State),
}

/// Claims a permit within a transaction. `stored` is the permit that has the next sequence of the view, if any, and `counted` what the
/// permits of the chunk must agree with.
pub(super) fn claim(
    transaction: &mut dyn Transaction,
    campaign: &mut CampaignRecord,
    claim: &Claim<'_>,
    view: &mut ChunkView,
    (stored, counted): (Option<Permit>, Counted),
    changes: &mut Changes,
    times: &ProbeTimes,
) -> Result<Claimed> {
    let sequence = view.history.next_sequence();
    if let Some(stored) = stored {
        return Ok(repeated(claim, campaign, view.chunk, stored));
    }
    counted.compare(&view.history)?;
    if campaign.state != State::Active {
        return Ok(Claimed::Stopped(campaign.state));
    }
    // Another provider may have begun while the worker counted as ended.
    provider::check(claim.provider, &campaign.settings.provider)?;
    let now_us = transaction.now_us()?;
    if let Some(wait_us) = campaign.begins_in(now_us) {
        return Ok(Claimed::Wait(wait_us));
    }
    if let Some(wait_us) = campaign.backs_off(now_us) {
        return Ok(Claimed::Wait(wait_us));
    }
    let is_probe = match outages::permission(transaction, campaign, now_us, times)? {
        _ if campaign.state != State::Active => return Ok(Claimed::Stopped(campaign.state)),
        Permission::Wait(wait_us) => return Ok(Claimed::Wait(wait_us)),
        Permission::Probe => true,
        Permission::Rows => false,
    };
    let pace = Pace::new(campaign, now_us);
    if pace.wait_us > CLAIM_AHEAD_US {
        return Ok(Claimed::Wait(pace.wait_us - CLAIM_AHEAD_US));
    }
    let limit = if is_probe { 1 } else { pace.limit(claim.limit) };
    let mut rows = eligible(transaction, campaign, claim, view, limit)?;
    counted.compare(&view.history)?;
    if rows.is_empty() {
        return Ok(Claimed::Empty);
    }
    keep_affordable(campaign, view, &mut rows);
    if rows.is_empty() {
        // Rows in progress may end as not sent, which makes their price available again.
        changes.apply(transaction, &campaign.id)?;
        if owners(transaction, &campaign.id)?.iter().any(|owner| owner.possibly_alive && owner.open > 0) {
            return Ok(Claimed::Wait(SPEND_WAIT_US));
        }
        if !claim.may_halt {
            return Ok(Claimed::Unaffordable);
        }
        halt(transaction, &campaign.id, StopReason::MaxSpend)?;
        return Ok(Claimed::Stopped(State::Halted));
    }
    let permit = Permit { sequence, token: claim.token, owner: claim.owner, rows, claimed_us: now_us };
    insert(transaction, &campaign.id, view.chunk, &permit)?;
    if is_probe {
        campaign.outage.begin_probe((view.chunk, sequence), now_us, times);
        outages::store(transaction, campaign)?;
    }
    let rows = count(permit.rows.len());
    changes.reserve(&Reservation {
        chunk: view.chunk,
        owner: permit.owner,
        rows,
        price: view.price(&permit.rows),
        rate_us: pace.after(rows),
    });
    changes.saw(permit.owner, now_us);
    Ok(Claimed::Won { permit, wait_us: pace.wait_us, interval_us: pace.interval_us, is_probe })
}

/// The result if the next sequence is already stored. After a commit whose response was lost, `stored` may be the permit of this
/// claim: then the claim has won.
fn repeated(claim: &Claim<'_>, campaign: &CampaignRecord, chunk: u32, stored: Permit) -> Claimed {
    if stored.token != claim.token {
        return Claimed::Lost;
    }
    let pace = Pace::new(campaign, campaign.rate_us);
    let is_probe = campaign.outage.probe == Some((chunk, stored.sequence));
    Claimed::Won { permit: stored, wait_us: 0, interval_us: pace.interval_us, is_probe }
}

/// The eligible rows. For rows that a permit named before, the stored history is read again, because reports and resolutions
/// change it without a new permit.
fn eligible(
    transaction: &mut dyn Transaction,
    campaign: &CampaignRecord,
    claim: &Claim<'_>,
    view: &mut ChunkView,
    limit: usize,
) -> Result<Vec<PermitRow>> {
    let rows = view.rows(claim, limit);
    let are_new = !rows.is_empty() && rows.iter().all(|named| named.attempt == 1);
    if are_new && view.version == campaign.version {
        return Ok(rows);
    }
    view.history = history(transaction, &campaign.id, view.chunk)?;
    view.named = view.history.named(view.bases.len());
    view.version = campaign.version;
    Ok(view.rows(claim, limit))
}

fn keep_affordable(campaign: &CampaignRecord, view: &ChunkView, rows: &mut Vec<PermitRow>) {
    let Some(limit) = campaign.settings.max_spend else { return };
    while !rows.is_empty() && campaign.spend.saturating_add(view.price(rows)) > limit {
        rows.pop();
    }
}

/// Inserts the permit. If another owner stored a permit with the same key, the transaction fails and runs again, and the claim
/// finds that permit.
fn insert(transaction: &mut dyn Transaction, id: &str, chunk: u32, permit: &Permit) -> Result<()> {
    let sql = "INSERT INTO permits (campaign, chunk, sequence, token, owner, named, claimed_us)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let parameters: [Value; 7] = [
        id.into(),
        chunk.into(),
        permit.sequence.into(),
        permit.token.into(),
        permit.owner.into(),
        Permit::encode_rows(&permit.rows).into(),
        permit.claimed_us.into(),
    ];
    transaction.execute_later(sql, &parameters)
}

/// The generic cell rate algorithm: when the next row may start.
struct Pace {
    start_us: i64,
    wait_us: i64,
    interval_us: i64,
}

impl Pace {
    fn new(campaign: &CampaignRecord, now_us: i64) -> Self {
        let interval = campaign.settings.rate.map_or(0.0, |rate| 1_000_000.0 / rate);
        #[allow(clippy::cast_possible_truncation)] // Settings limit the rate.
        let interval_us = interval as i64;
        const LARGEST: i64 = crate::protocol::LARGEST_PERMIT as i64;
        // A reservation never reaches further than this, unless the clock was set back.
        let furthest = now_us.saturating_add(CLAIM_AHEAD_US).saturating_add(LARGEST * interval_us);
        let start_us = if campaign.rate_us > furthest { now_us } else { campaign.rate_us.max(now_us) };
        Self { start_us, wait_us: start_us - now_us, interval_us }
    }

    fn limit(&self, limit: usize) -> usize {
        if self.interval_us == 0 {
            return limit;
        }
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let most = (LONGEST_PERMIT_US / self.interval_us as f64) as usize;
        limit.min(most.max(1))
    }

    const fn after(&self, rows: i64) -> i64 {
        self.start_us.saturating_add(self.interval_us.saturating_mul(rows))
    }
}

impl ChunkView {
    /// Adds a permit that this worker won.
    pub fn won(&mut self, permit: &Permit) {
        for row in &permit.rows {
            if let Some(named) = self.named.get_mut(usize::from(row.row)) {
                *named = true;
            }
        }
        // A gap means that the view is out of date; the next claim then returns `Lost`.
        let _ = self.history.append(permit.clone());
    }
}

/// `Debug` omits the tokens and the function.
impl std::fmt::Debug for Claim<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Claim")
            .field("limit", &self.limit)
            .field("may_halt", &self.may_halt)
            .finish_non_exhaustive()
    }
}
