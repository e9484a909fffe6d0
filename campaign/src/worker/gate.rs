//! The checks before a row is sent.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::chunk::ChunkRow;
use crate::error::Result;
use crate::journal::{CampaignRecord, Exchange, State, Watch};
use crate::platform::boot_time;
use crate::protocol::{Health, Outage, PERMIT_MAX_AGE, RowOutcome};
use crate::row_reason::RowReason;
use crate::window::{Window, time_zone};

/// The maximum age of the known state of the campaign.
const STATE_MAX_AGE: Duration = Duration::from_secs(2);
/// How long the files of the journal count as those that were opened.
const FILES_MAX_AGE: Duration = Duration::from_millis(1);

/// What a worker knows about its campaign, shared by its tasks.
pub(super) struct Gate {
    zone: TimeZone,
    watch: Option<Watch>,
    known: Mutex<Known>,
}

struct Known {
    state: State,
    version: i64,
    at: Duration,
    /// When the files of the journal were those that were opened.
    files_at: Duration,
    backoff_until: Duration,
    window: Option<Window>,
    concurrency: Option<u32>,
    suppressed: HashSet<String>,
    zones: HashMap<String, TimeZone>,
    provider: Provider,
    /// Whether a copy of the journal has taken the campaign over.
    is_closed: bool,
}

/// The state of the provider: the durable one, and on top of it the results of this worker that are not durable yet.
#[derive(Default)]
struct Provider {
    outage: Outage,
    /// The results that are not durable yet, without the neutral ones.
    recent: VecDeque<Health>,
    /// Whether the recent results open an outage.
    opens: bool,
    /// Whether an outage opened since the last call of [`Gate::has_opened`].
    has_opened: bool,
    /// Why the last call failed, before its row has an outcome.
    failure: Option<String>,
}

impl Provider {
    const fn is_open(&self) -> bool {
        self.outage.is_open() || self.opens
    }

    fn observe(&mut self, health: Health) {
        if health == Health::Good {
            self.failure = None;
        }
        self.recent.push_back(health);
        self.apply(health);
    }

    fn apply(&mut self, health: Health) {
        if !self.is_open() {
            (self.outage.score, self.opens) = Outage::scored(self.outage.score, health);
            self.has_opened |= self.opens;
        }
    }

    /// Replaces the durable state, which contains the first `committed` results.
    fn learn(&mut self, outage: Outage, committed: usize) {
        self.has_opened |= outage.is_open() && !self.is_open();
        (self.outage, self.opens) = (outage, false);
        self.recent.drain(..committed.min(self.recent.len()));
        for health in self.recent.clone() {
            self.apply(health);
        }
    }
}

/// The decision about one row.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum GateDecision {
    /// Send it now.
    Send,
    /// Settle it without sending.
    Skip(RowOutcome, RowReason),
    /// Wait for the shared back-off.
    Wait(Duration),
    /// Read the state of the campaign again: it is too old, or the files of the journal were replaced.
    Refresh,
}

impl Gate {
    pub(super) fn new(
        campaign: &CampaignRecord,
        suppressed: Vec<String>,
        watch: Option<Watch>,
    ) -> Result<Self> {
        let zone = campaign.settings.time_zone.as_deref().map_or(Ok(TimeZone::UTC), time_zone)?;
        let known = Known {
            state: campaign.state,
            version: campaign.version,
            at: boot_time(),
            files_at: Duration::ZERO,
            backoff_until: Duration::ZERO,
            window: campaign.settings.window,
            concurrency: campaign.settings.concurrency,
            suppressed: suppressed.into_iter().collect(),
            zones: HashMap::new(),
            provider: Provider { outage: campaign.outage.clone(), ..Provider::default() },
            is_closed: false,
        };
        Ok(Self { zone, watch, known: Mutex::new(known) })
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the state from an exchange that began at `at` and made `committed` results durable that are not neutral. Returns
    /// whether the suppressions must be read again.
    pub(super) fn learn(&self, exchange: &Exchange, at: Duration, committed: usize) -> bool {
        let mut known = self.known();
        known.provider.learn(exchange.outage.clone(), committed);
        known.state = exchange.state;
        (known.window, known.concurrency) = (exchange.window, exchange.concurrency);
        known.backoff_until =
            at + Duration::from_micros(u64::try_from(exchange.backoff_us).unwrap_or_default());
        let has_changed = known.version != exchange.version;
        if !has_changed {
            known.at = at;
        }
        has_changed
    }

    pub(super) fn suppress(&self, suppressed: Vec<String>, version: i64, at: Duration) {
        let mut known = self.known();
        known.suppressed = suppressed.into_iter().collect();
        (known.version, known.at) = (version, at);
    }

    /// Lets no further row pass, because a copy of the journal has taken the campaign over.
    pub(super) fn close(&self) {
        self.known().is_closed = true;
    }

    /// Adds the result of a row, before it is durable.
    pub(super) fn observe(&self, health: Health) {
        if health != Health::Neutral {
            self.known().provider.observe(health);
        }
    }

    /// Records why a call failed whose row is tried again.
    pub(super) fn fails(&self, reason: String) {
        self.known().provider.failure = Some(reason);
    }

    /// Why the last call failed, if none succeeded since.
    pub(super) fn failure(&self) -> Option<String> {
        self.known().provider.failure.clone()
    }

    /// Whether an outage opened since the last call.
    pub(super) fn has_opened(&self) -> bool {
        std::mem::take(&mut self.known().provider.has_opened)
    }

    /// The maximum number of rows in progress after an outage; `None` for no limit.
    pub(super) fn most_in_progress(&self) -> Option<u32> {
        self.known().provider.outage.most_in_progress()
    }

    /// The maximum number of rows in progress, if the campaign has one.
    pub(super) fn concurrency(&self) -> Option<u32> {
        self.known().concurrency
    }

    pub(super) fn state(&self) -> State {
        self.known().state
    }

    /// Whether the send window of a row is open.
    pub(super) fn is_open(&self, row: &ChunkRow) -> bool {
        let mut known = self.known();
        let Some(window) = known.window else { return true };
        let Some(name) = &row.time_zone else { return window.is_open(Timestamp::now(), &self.zone) };
        if !known.zones.contains_key(name) {
            // Creation has checked the name.
            known.zones.insert(name.clone(), time_zone(name).unwrap_or_else(|_| self.zone.clone()));
        }
        known.zones.get(name).is_some_and(|zone| window.is_open(Timestamp::now(), zone))
    }

    /// Whether the files of the journal were replaced. The next transaction then fails, with the reason.
    fn is_replaced(&self, known: &mut Known, now: Duration) -> bool {
        let Some(watch) = self.watch.as_ref().filter(|_| now.saturating_sub(known.files_at) >= FILES_MAX_AGE)
        else {
            return false;
        };
        let is_same = watch();
        if is_same {
            known.files_at = now;
        }
        !is_same
    }

    /// Decides about a row of a permit whose claim began at `claimed`. While an outage is open, only a probe is sent.
    pub(super) fn check(&self, row: &ChunkRow, claimed: Duration, is_probe: bool) -> GateDecision {
        let now = boot_time();
        if now.saturating_sub(claimed) > PERMIT_MAX_AGE {
            return GateDecision::Skip(RowOutcome::NotSent, RowReason::Stale);
        }
        if !self.is_open(row) {
            return GateDecision::Skip(RowOutcome::NotSent, RowReason::Window);
        }
        let mut known = self.known();
        if known.is_closed {
            return GateDecision::Skip(RowOutcome::NotSent, RowReason::Stopped);
        }
        if now.saturating_sub(known.at) > STATE_MAX_AGE || self.is_replaced(&mut known, now) {
            return GateDecision::Refresh;
        }
        match known.state {
            State::Active => {}
            State::Creating => return GateDecision::Skip(RowOutcome::NotSent, RowReason::Stopped),
            State::Paused => return GateDecision::Skip(RowOutcome::NotSent, RowReason::Paused),
            State::Halted => return GateDecision::Skip(RowOutcome::NotSent, RowReason::Halted),
            State::Cancelled => return GateDecision::Skip(RowOutcome::NotSent, RowReason::Cancelled),
        }
        if known.provider.is_open() && !is_probe {
            return GateDecision::Skip(RowOutcome::NotSent, RowReason::Outage);
        }
        if row.recipients.iter().any(|recipient| known.suppressed.contains(recipient)) {
            return GateDecision::Skip(RowOutcome::Suppressed, RowReason::Suppressed);
        }
        if known.backoff_until > now {
            return GateDecision::Wait(known.backoff_until - now);
        }
        GateDecision::Send
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::protocol::CreationDecision;

    fn row() -> ChunkRow {
        ChunkRow {
            base: CreationDecision::Ready,
            recipients: Vec::new(),
            parts: 0,
            price: 0,
            time_zone: None,
            line: None,
            problem: None,
            request: None,
        }
    }

    /// A gate that has just read the state of its campaign.
    fn gate() -> Gate {
        let known = Known {
            state: State::Active,
            version: 0,
            at: boot_time(),
            files_at: Duration::ZERO,
            backoff_until: Duration::ZERO,
            window: None,
            concurrency: None,
            suppressed: HashSet::new(),
            zones: HashMap::new(),
            provider: Provider::default(),
            is_closed: false,
        };
        Gate { zone: TimeZone::UTC, watch: None, known: Mutex::new(known) }
    }

    #[test]
    fn a_row_whose_permit_is_too_old_is_not_sent() {
        // 31 s: just too old. 61 s and 3600 s: other workers already count the permit's owner as ended.
        for age in [31, 61, 3600] {
            let Some(claimed) = boot_time().checked_sub(Duration::from_secs(age)) else { continue };
            assert_eq!(
                gate().check(&row(), claimed, false),
                GateDecision::Skip(RowOutcome::NotSent, RowReason::Stale),
                "{age}"
            );
        }
        assert_eq!(gate().check(&row(), boot_time(), false), GateDecision::Send);
    }

    #[test]
    fn a_state_older_than_two_seconds_is_read_again_before_a_row_is_sent() {
        let gate = gate();
        gate.known().at = boot_time().saturating_sub(Duration::from_secs(3));
        assert_eq!(gate.check(&row(), boot_time(), false), GateDecision::Refresh);
    }

    #[test]
    fn no_row_is_sent_after_the_files_of_the_journal_were_replaced() {
        let is_same = Arc::new(AtomicBool::new(true));
        let watched = is_same.clone();
        let watch: Watch = Arc::new(move || watched.load(Ordering::SeqCst));
        let gate = Gate { watch: Some(watch), ..gate() };
        assert_eq!(gate.check(&row(), boot_time(), false), GateDecision::Send);
        is_same.store(false, Ordering::SeqCst);
        std::thread::sleep(FILES_MAX_AGE);
        for _ in 0..2 {
            assert_eq!(gate.check(&row(), boot_time(), false), GateDecision::Refresh);
        }
    }

    #[test]
    fn no_row_passes_after_a_copy_took_the_campaign_over() {
        let gate = gate();
        gate.close();
        let stopped = GateDecision::Skip(RowOutcome::NotSent, RowReason::Stopped);
        for is_probe in [false, true] {
            assert_eq!(gate.check(&row(), boot_time(), is_probe), stopped);
        }
    }

    #[test]
    fn ten_bad_results_stop_a_worker_before_they_are_durable() {
        let gate = gate();
        let outage = GateDecision::Skip(RowOutcome::NotSent, RowReason::Outage);
        for _ in 0..9 {
            gate.observe(Health::Bad);
        }
        assert_eq!((gate.check(&row(), boot_time(), false), gate.has_opened()), (GateDecision::Send, false));
        gate.observe(Health::Bad);
        assert_eq!((gate.check(&row(), boot_time(), false), gate.has_opened()), (outage, true));
        assert_eq!(gate.check(&row(), boot_time(), true), GateDecision::Send);
    }

    #[test]
    fn the_durable_score_replaces_the_score_of_the_worker() {
        let mut provider = Provider::default();
        for _ in 0..10 {
            provider.observe(Health::Bad);
        }
        assert!(provider.is_open());
        // Other workers had good results, and three results of this worker are not durable yet.
        provider.learn(Outage { score: 8, ..Outage::default() }, 7);
        assert_eq!((provider.is_open(), provider.outage.score), (false, 20));
    }
}
