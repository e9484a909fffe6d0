//! The state of the provider as all workers of a campaign see it: a score, and probes while the provider fails.
//!
//! It only decides when rows are claimed and sent. It never makes a row eligible.

use std::time::Duration;

use crate::named_enum::named_enum;

/// What a bad result adds to the score, and what a good result removes.
const BAD: i64 = 4;
const GOOD: i64 = 1;
/// From this score on, an outage is open: after ten bad results in a row, or when more than about 20 % are bad for long.
const OPENS_AT: i64 = 40;
/// The score after a good probe.
const SCORE_AFTER_PROBE: i64 = 20;
/// After this many bad probes the campaign halts.
const MAX_PROBES: i64 = 12;
/// At this opening the campaign halts, unless [`MANY_ACCEPTED`] rows were accepted since the first.
const MAX_OPENINGS: i64 = 5;
const MANY_ACCEPTED: i64 = 1000;

/// What the outcome of one row shows about the provider.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Health {
    /// The provider accepted the row.
    Good,
    /// The outcome is unknown, the provider failed, or it was not reached.
    Bad,
    /// Nothing: for example, a rejected row, or a row that was not sent because the campaign was paused.
    #[default]
    Neutral,
}

/// The times between probes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub struct ProbeTimes {
    /// Between the opening and the first probe; twice as long after each bad probe.
    pub first: Duration,
    /// The longest time between two probes.
    pub longest: Duration,
    /// A probe that has no outcome after this time is bad: the longest deadline of a row and 30 s.
    pub answer: Duration,
}

impl ProbeTimes {
    const DEFAULT: Self = Self {
        first: Duration::from_secs(2),
        longest: Duration::from_secs(300),
        answer: Duration::from_secs(90),
    };

    /// The time before the next probe, in microseconds.
    fn wait_us(&self, bad_probes: i64) -> i64 {
        let doublings = u32::try_from(bad_probes).unwrap_or(u32::MAX).min(31);
        micros(self.first.saturating_mul(1 << doublings).min(self.longest))
    }
}

impl Default for ProbeTimes {
    fn default() -> Self {
        Self::DEFAULT
    }
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

named_enum! {
    /// Whether rows are sent. The names are those of the journal.
    #[derive(Default)]
    pub enum Phase {
        /// As fast as the campaign permits.
        #[default]
        Closed = "closed",
        /// After an outage, until the score is 0: each worker has few rows in progress.
        Recovering = "recovering",
        /// One row for all workers at a time.
        Open = "open",
    }
}

/// What a claim may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    /// Claim rows.
    Rows,
    /// Claim one row, which is a probe.
    Probe,
    /// Claim again after this many microseconds.
    Wait(i64),
}

/// The durable state of an outage. The journal stores it in the row of the campaign.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outage {
    /// Whether rows are sent.
    pub phase: Phase,
    /// 4 more for each bad result, 1 less for each good one, at least 0.
    pub score: i64,
    /// Outages since the first that was not followed by 1,000 accepted rows.
    pub openings: i64,
    /// Bad probes since the outage is open.
    pub bad_probes: i64,
    /// When the next probe may be claimed; while a probe has no outcome, when it counts as bad. In microseconds of the database's
    /// clock.
    pub until_us: i64,
    /// The permit of the probe that has no outcome yet.
    pub probe: Option<(u32, u32)>,
    /// Accepted rows of the campaign at the first of `openings`.
    pub accepted_before: i64,
}

impl Outage {
    /// Whether only probes are sent.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Open)
    }

    /// The maximum number of rows that a worker has in progress; `None` for no limit.
    pub(crate) fn most_in_progress(&self) -> Option<u32> {
        (self.phase == Phase::Recovering)
            .then(|| u32::try_from(OPENS_AT - self.score).unwrap_or_default().max(1))
    }

    /// The score after the result of a row that is no probe, and whether it opens an outage.
    pub(crate) const fn scored(score: i64, health: Health) -> (i64, bool) {
        let score = match health {
            Health::Good if score > GOOD => score - GOOD,
            Health::Good => 0,
            Health::Bad => score + BAD,
            Health::Neutral => score,
        };
        (score, score >= OPENS_AT)
    }

    /// Adds the result of a row. `permit` is the chunk and the sequence of its permit, `accepted` the number of accepted rows of
    /// the campaign. Returns whether the campaign must halt.
    pub(crate) fn settle(
        &mut self,
        health: Health,
        permit: (u32, u32),
        accepted: i64,
        now_us: i64,
        times: &ProbeTimes,
    ) -> bool {
        if !self.is_open() {
            let (score, opens) = Self::scored(self.score, health);
            self.score = score;
            if self.phase == Phase::Recovering && score == 0 {
                self.phase = Phase::Closed;
            }
            return opens && self.open(accepted, now_us, times);
        }
        if self.probe != Some(permit) {
            return false;
        }
        match health {
            Health::Good => self.close(),
            Health::Bad => return self.probe_failed(now_us, times),
            // The next probe may follow at once.
            Health::Neutral => (self.probe, self.until_us) = (None, now_us),
        }
        false
    }

    fn open(&mut self, accepted: i64, now_us: i64, times: &ProbeTimes) -> bool {
        if self.openings == 0 || accepted - self.accepted_before >= MANY_ACCEPTED {
            (self.openings, self.accepted_before) = (0, accepted);
        }
        self.openings += 1;
        self.phase = Phase::Open;
        (self.bad_probes, self.probe) = (0, None);
        self.until_us = now_us.saturating_add(times.wait_us(0));
        self.openings >= MAX_OPENINGS
    }

    const fn close(&mut self) {
        self.phase = Phase::Recovering;
        self.score = SCORE_AFTER_PROBE;
        (self.bad_probes, self.probe, self.until_us) = (0, None, 0);
    }

    fn probe_failed(&mut self, now_us: i64, times: &ProbeTimes) -> bool {
        self.bad_probes += 1;
        self.probe = None;
        self.until_us = now_us.saturating_add(times.wait_us(self.bad_probes));
        self.bad_probes >= MAX_PROBES
    }

    /// Counts a probe without an outcome as bad when its time has passed. Returns whether the campaign must halt.
    pub(crate) fn expire(&mut self, now_us: i64, times: &ProbeTimes) -> bool {
        let is_due = self.is_open() && self.probe.is_some() && self.left_us(now_us, times.answer) == 0;
        is_due && self.probe_failed(now_us, times)
    }

    /// What a claim may do now.
    pub(crate) fn permission(&self, now_us: i64, times: &ProbeTimes) -> Permission {
        if !self.is_open() {
            return Permission::Rows;
        }
        let longest = if self.probe.is_some() { times.answer } else { times.longest };
        match self.left_us(now_us, longest) {
            0 if self.probe.is_none() => Permission::Probe,
            left => Permission::Wait(left),
        }
    }

    /// The time until `until_us`. It is 0 if it is longer than `longest`, because then the clock was set back.
    fn left_us(&self, now_us: i64, longest: Duration) -> i64 {
        let left = self.until_us.saturating_sub(now_us);
        if left > micros(longest) { 0 } else { left.max(0) }
    }

    /// The time until the next probe, in microseconds.
    pub(crate) fn wait_us(&self, now_us: i64, times: &ProbeTimes) -> i64 {
        match self.permission(now_us, times) {
            Permission::Wait(left) => left,
            Permission::Rows | Permission::Probe => 0,
        }
    }

    /// Records the permit of a probe.
    pub(crate) fn begin_probe(&mut self, permit: (u32, u32), now_us: i64, times: &ProbeTimes) {
        self.probe = Some(permit);
        self.until_us = now_us.saturating_add(micros(times.answer));
    }

    /// A campaign that is resumed begins with a probe if an outage is open.
    pub(crate) const fn resume(&mut self, now_us: i64) {
        (self.openings, self.bad_probes, self.probe, self.until_us) = (0, 0, None, now_us);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: ProbeTimes = ProbeTimes::DEFAULT;
    const SECOND: i64 = 1_000_000;

    fn settle(outage: &mut Outage, health: Health, accepted: i64, now_us: i64) -> bool {
        outage.settle(health, (0, 0), accepted, now_us, &TIMES)
    }

    fn open(outage: &mut Outage, accepted: i64, now_us: i64) -> bool {
        let mut halts = false;
        while !outage.is_open() {
            halts = settle(outage, Health::Bad, accepted, now_us);
        }
        halts
    }

    fn probe(outage: &mut Outage, health: Health, now_us: i64) -> bool {
        assert_eq!(outage.permission(now_us, &TIMES), Permission::Probe);
        outage.begin_probe((7, 1), now_us, &TIMES);
        outage.settle(health, (7, 1), 0, now_us, &TIMES)
    }

    #[test]
    fn ten_bad_results_in_a_row_open_an_outage() {
        let mut outage = Outage::default();
        for bad in 1..=10 {
            settle(&mut outage, Health::Bad, 0, 0);
            assert_eq!(outage.is_open(), bad == 10, "{bad}");
        }
    }

    #[test]
    fn one_bad_result_in_six_never_opens_an_outage() {
        let mut outage = Outage::default();
        for row in 0..100_000 {
            let health = if row % 6 == 0 { Health::Bad } else { Health::Good };
            settle(&mut outage, health, 0, 0);
            settle(&mut outage, Health::Neutral, 0, 0);
        }
        assert!(!outage.is_open() && outage.score <= 4, "{outage:?}");
    }

    #[test]
    fn twelve_bad_probes_halt_after_28_minutes() {
        let mut outage = Outage::default();
        open(&mut outage, 0, 0);
        let (mut now, mut waits) = (0, Vec::new());
        loop {
            let Permission::Wait(left) = outage.permission(now, &TIMES) else { panic!("{outage:?}") };
            waits.push(left / SECOND);
            now += left;
            if probe(&mut outage, Health::Bad, now) {
                break;
            }
        }
        assert_eq!(waits, [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300]);
        assert_eq!(now / SECOND / 60, 28);
    }

    #[test]
    fn all_workers_together_have_one_probe_and_a_probe_without_an_outcome_is_bad() {
        let mut outage = Outage::default();
        open(&mut outage, 0, 0);
        let now = 2 * SECOND;
        outage.begin_probe((7, 1), now, &TIMES);
        assert_eq!(outage.permission(now, &TIMES), Permission::Wait(90 * SECOND));
        assert!(!outage.expire(now + 89 * SECOND, &TIMES));
        assert_eq!((outage.bad_probes, outage.probe), (0, Some((7, 1))));
        outage.expire(now + 90 * SECOND, &TIMES);
        assert_eq!((outage.bad_probes, outage.probe), (1, None));
        outage.settle(Health::Good, (7, 1), 0, now + 91 * SECOND, &TIMES);
        assert!(outage.is_open(), "its late outcome counts no more");
    }

    #[test]
    fn a_good_probe_closes_the_outage_and_limits_the_rows_in_progress_until_the_score_is_0() {
        let mut outage = Outage::default();
        open(&mut outage, 0, 0);
        settle(&mut outage, Health::Good, 0, 0);
        assert!(outage.is_open(), "only a probe closes it");
        probe(&mut outage, Health::Good, 2 * SECOND);
        assert_eq!(
            (outage.phase, outage.score, outage.most_in_progress()),
            (Phase::Recovering, 20, Some(20))
        );
        settle(&mut outage, Health::Good, 0, 0);
        assert_eq!(outage.most_in_progress(), Some(21));
        for _ in 0..19 {
            settle(&mut outage, Health::Good, 0, 0);
        }
        assert_eq!((outage.phase, outage.most_in_progress()), (Phase::Closed, None));
    }

    #[test]
    fn after_a_neutral_probe_the_next_one_may_follow_at_once() {
        let mut outage = Outage::default();
        open(&mut outage, 0, 0);
        probe(&mut outage, Health::Bad, 2 * SECOND);
        probe(&mut outage, Health::Neutral, 6 * SECOND);
        assert_eq!((outage.bad_probes, outage.permission(6 * SECOND, &TIMES)), (1, Permission::Probe));
    }

    #[test]
    fn the_fifth_opening_halts_unless_a_thousand_rows_were_accepted_since_the_first() {
        let mut outage = Outage::default();
        for opening in 1..=4 {
            assert!(!open(&mut outage, 100 * opening, 0));
            probe(&mut outage, Health::Good, 2 * SECOND);
        }
        let mut lucky = outage.clone();
        assert!(open(&mut outage, 1099, 0));
        assert!(!open(&mut lucky, 1100, 0));
        assert_eq!((lucky.openings, lucky.accepted_before), (1, 1100));
    }

    #[test]
    fn a_resumed_campaign_begins_with_a_probe() {
        let mut outage = Outage::default();
        open(&mut outage, 0, 0);
        probe(&mut outage, Health::Bad, 2 * SECOND);
        outage.resume(3 * SECOND);
        assert_eq!(outage.permission(3 * SECOND, &TIMES), Permission::Probe);
        assert_eq!((outage.openings, outage.bad_probes), (0, 0));
    }

    #[test]
    fn a_clock_that_was_set_back_does_not_prolong_the_wait() {
        let mut outage = Outage::default();
        open(&mut outage, 0, 3600 * SECOND);
        assert_eq!(outage.permission(0, &TIMES), Permission::Probe);
    }
}
