//! The history of a chunk: permits, outcomes, resolutions and reports, and the state of each row that follows.

use std::collections::{BTreeMap, BTreeSet};

use super::{Permit, PermitRow, Resolution, RowOutcome, Token};

/// What the creation of a campaign decided about a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CreationDecision {
    /// The row may be sent.
    Ready,
    /// The row breaks a rule, or its template cannot be rendered.
    Invalid,
    /// Its recipient is suppressed.
    Suppressed,
    /// An earlier row has the same recipient.
    Duplicate,
}

/// The state of a row, computed from a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowState {
    /// It is never sent.
    Fixed(CreationDecision),
    /// No permit names it: eligible.
    Ready,
    /// Its last permit is settled or resolved as not sent: eligible.
    NotSent,
    /// Its last permit has no outcome: `in_flight` while that owner may live, then `unknown`.
    Open {
        /// The owner of the permit.
        owner: Token,
    },
    /// It has an outcome.
    Settled(RowOutcome),
}

impl RowState {
    /// Whether a permit may name the row.
    #[must_use]
    pub const fn is_eligible(self) -> bool {
        matches!(self, Self::Ready | Self::NotSent)
    }
}

/// A permit that does not follow the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// Its sequence is not the next one.
    #[error("the sequence of a permit must be {expected}, got {actual}")]
    Sequence {
        /// The next sequence of the chain.
        expected: u32,
        /// The permit's.
        actual: u32,
    },
}

/// Everything durable about a chunk. Two histories with the same content compare as equal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct History {
    permits: Vec<Permit>,
    outcomes: BTreeMap<(u32, u16), RowOutcome>,
    resolutions: BTreeMap<(u32, u16), Resolution>,
    reports: BTreeSet<u16>,
}

impl History {
    /// The sequence of the next permit.
    #[must_use]
    pub fn next_sequence(&self) -> u32 {
        u32::try_from(self.permits.len()).unwrap_or(u32::MAX)
    }

    /// The permits, in their order.
    #[must_use]
    pub fn permits(&self) -> &[Permit] {
        &self.permits
    }

    /// How many rows the permits name; a row counts once for each of them.
    pub(crate) fn permitted(&self) -> i64 {
        self.permits.iter().map(|permit| i64::try_from(permit.rows.len()).unwrap_or(i64::MAX)).sum()
    }

    /// Adds a permit that is already durable. The rows are not checked, because the journal has checked them.
    ///
    /// # Errors
    /// When its sequence is not the next one.
    pub fn append(&mut self, permit: Permit) -> Result<(), ChainError> {
        let (expected, actual) = (self.next_sequence(), permit.sequence);
        if expected != actual {
            return Err(ChainError::Sequence { expected, actual });
        }
        self.permits.push(permit);
        Ok(())
    }

    /// Adds an outcome. Has no effect if this permit and row already have one.
    pub fn settle(&mut self, sequence: u32, row: u16, outcome: RowOutcome) {
        self.outcomes.entry((sequence, row)).or_insert(outcome);
    }

    /// Adds a resolution. Has no effect if this permit and row already have one.
    pub fn resolve(&mut self, sequence: u32, row: u16, resolution: Resolution) {
        self.resolutions.entry((sequence, row)).or_insert(resolution);
    }

    /// Adds a delivery report, of success or failure: it proves that the row was accepted.
    pub fn report(&mut self, row: u16) {
        self.reports.insert(row);
    }

    /// Whether a delivery report exists for the row.
    #[must_use]
    pub fn is_reported(&self, row: u16) -> bool {
        self.reports.contains(&row)
    }

    /// The last permit that names a row.
    #[must_use]
    pub fn last_permit(&self, row: u16) -> Option<&Permit> {
        self.permits.iter().rev().find(|permit| permit.attempt(row).is_some())
    }

    /// How many permits name a row.
    #[must_use]
    pub fn attempts(&self, row: u16) -> u16 {
        self.last_permit(row).and_then(|permit| permit.attempt(row)).unwrap_or(0)
    }

    /// The outcome of a row under one permit.
    #[must_use]
    pub fn outcome(&self, sequence: u32, row: u16) -> Option<RowOutcome> {
        self.outcomes.get(&(sequence, row)).copied()
    }

    /// The resolution of a row under one permit.
    pub(crate) fn resolution(&self, sequence: u32, row: u16) -> Option<Resolution> {
        self.resolutions.get(&(sequence, row)).copied()
    }

    /// The first permit and row that break the rule of the chain: a further permit names a row only when the one before has the
    /// outcome `not sent` or was resolved, and with the next attempt.
    pub(crate) fn unfounded(&self) -> Option<(u32, u16)> {
        let mut last: BTreeMap<u16, (u32, u16)> = BTreeMap::new();
        for permit in &self.permits {
            for named in &permit.rows {
                let before = last.insert(named.row, (permit.sequence, named.attempt));
                let is_founded = before.is_none_or(|(sequence, _)| self.was_given_back(sequence, named.row));
                let expected = before.map_or(1, |(_, attempt)| attempt.saturating_add(1));
                if !is_founded || named.attempt != expected {
                    return Some((permit.sequence, named.row));
                }
            }
        }
        None
    }

    fn was_given_back(&self, sequence: u32, row: u16) -> bool {
        let resolved = self.resolution(sequence, row);
        self.outcome(sequence, row) == Some(RowOutcome::NotSent)
            || matches!(resolved, Some(Resolution::NotSent | Resolution::Retry))
    }

    /// The first outcome or resolution for a row that its permit does not name.
    pub(crate) fn stray(&self) -> Option<(u32, u16)> {
        let is_stray = |(sequence, row): &&(u32, u16)| {
            let permit = usize::try_from(*sequence).ok().and_then(|sequence| self.permits.get(sequence));
            permit.is_none_or(|permit| permit.attempt(*row).is_none())
        };
        self.outcomes.keys().chain(self.resolutions.keys()).find(is_stray).copied()
    }

    /// The state of a row with the decision [`CreationDecision::Ready`].
    #[must_use]
    pub fn state(&self, row: u16) -> RowState {
        if self.is_reported(row) || self.was_accepted(row) {
            return RowState::Settled(RowOutcome::Accepted);
        }
        self.last_permit(row).map_or(RowState::Ready, |permit| self.state_under(permit, row))
    }

    /// Whether the row was accepted under any of its permits. If a row was wrongly resolved as not sent, the owner of an earlier
    /// permit may still store that the row was accepted.
    fn was_accepted(&self, row: u16) -> bool {
        let accepted = |permit: &Permit| self.outcome(permit.sequence, row) == Some(RowOutcome::Accepted);
        self.permits.iter().any(accepted)
    }

    fn state_under(&self, permit: &Permit, row: u16) -> RowState {
        let key = (permit.sequence, row);
        match (self.outcomes.get(&key), self.resolutions.get(&key)) {
            (None | Some(RowOutcome::Unknown), Some(Resolution::Accepted)) => {
                RowState::Settled(RowOutcome::Accepted)
            }
            (None | Some(RowOutcome::Unknown), Some(Resolution::NotSent)) => RowState::NotSent,
            (None, None | Some(Resolution::Retry)) => RowState::Open { owner: permit.owner },
            (Some(RowOutcome::Rejected), Some(Resolution::Retry)) => RowState::NotSent,
            (Some(RowOutcome::NotSent), _) => RowState::NotSent,
            (Some(outcome), _) => RowState::Settled(*outcome),
        }
    }

    /// The state of every row. `bases` contains the decision of the creation about each row.
    #[must_use]
    pub fn states(&self, bases: &[CreationDecision]) -> Vec<RowState> {
        let mut last: BTreeMap<u16, &Permit> = BTreeMap::new();
        let mut accepted: BTreeSet<u16> = self.reports.clone();
        for permit in &self.permits {
            last.extend(permit.rows.iter().map(|named| (named.row, permit)));
        }
        accepted.extend(
            self.outcomes
                .iter()
                .filter(|(_, outcome)| **outcome == RowOutcome::Accepted)
                .map(|((_, row), _)| *row),
        );
        let state =
            |(row, base): (u16, &CreationDecision)| match (base, accepted.contains(&row), last.get(&row)) {
                (CreationDecision::Ready, true, _) => RowState::Settled(RowOutcome::Accepted),
                (CreationDecision::Ready, false, Some(permit)) => self.state_under(permit, row),
                (CreationDecision::Ready, false, None) => RowState::Ready,
                (base, ..) => RowState::Fixed(*base),
            };
        (0..=u16::MAX).zip(bases).map(state).collect()
    }

    /// For each of the first `rows` rows, whether a permit names it.
    #[must_use]
    pub fn named(&self, rows: usize) -> Vec<bool> {
        let mut named = vec![false; rows];
        for row in self.permits.iter().flat_map(|permit| &permit.rows) {
            if let Some(named) = named.get_mut(usize::from(row.row)) {
                *named = true;
            }
        }
        named
    }

    /// The rows of the next permit: at most `limit` eligible rows that `requested` accepts, in their order.
    pub fn next_rows(
        &self,
        bases: &[CreationDecision],
        limit: usize,
        mut requested: impl FnMut(u16) -> bool,
    ) -> Vec<PermitRow> {
        let states = self.states(bases);
        let eligible = (0..=u16::MAX).zip(states).filter(|(_, state)| state.is_eligible());
        eligible
            .map(|(row, _)| row)
            .filter(|row| requested(*row))
            .take(limit)
            .map(|row| PermitRow { row, attempt: self.attempts(row).saturating_add(1) })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNER: Token = Token::from_bytes([1; 16]);

    fn permit(sequence: u32, rows: &[(u16, u16)]) -> Permit {
        let rows = rows.iter().map(|&(row, attempt)| PermitRow { row, attempt }).collect();
        Permit { sequence, token: Token::from_bytes([9; 16]), owner: OWNER, rows, claimed_us: 0 }
    }

    fn with_permit() -> History {
        let mut history = History::default();
        history.append(permit(0, &[(0, 1)])).unwrap();
        history
    }

    #[test]
    fn a_row_without_a_permit_is_eligible_and_one_under_a_permit_is_not() {
        let history = with_permit();
        assert_eq!(history.state(0), RowState::Open { owner: OWNER });
        assert_eq!(history.state(1), RowState::Ready);
        assert_eq!(history.next_rows(&[CreationDecision::Ready; 3], 9, |_| true).len(), 2);
    }

    #[test]
    fn only_the_outcome_not_sent_makes_a_row_eligible_again() {
        for (outcome, eligible) in [
            (RowOutcome::Accepted, false),
            (RowOutcome::Rejected, false),
            (RowOutcome::Invalid, false),
            (RowOutcome::NotSent, true),
            (RowOutcome::Suppressed, false),
            (RowOutcome::Unknown, false),
        ] {
            let mut history = with_permit();
            history.settle(0, 0, outcome);
            assert_eq!(history.state(0).is_eligible(), eligible, "{outcome:?}");
        }
        let mut history = with_permit();
        history.settle(0, 0, RowOutcome::NotSent);
        assert_eq!(
            history.next_rows(&[CreationDecision::Ready], 9, |_| true),
            [PermitRow { row: 0, attempt: 2 }]
        );
    }

    #[test]
    fn a_report_overrides_not_sent_and_rejected() {
        for outcome in [RowOutcome::NotSent, RowOutcome::Rejected, RowOutcome::Unknown] {
            let mut history = with_permit();
            history.settle(0, 0, outcome);
            history.report(0);
            assert_eq!(history.state(0), RowState::Settled(RowOutcome::Accepted), "{outcome:?}");
        }
    }

    #[test]
    fn a_resolution_counts_for_missing_and_unknown_outcomes_only() {
        let mut history = with_permit();
        history.resolve(0, 0, Resolution::NotSent);
        assert!(history.state(0).is_eligible());
        history.settle(0, 0, RowOutcome::Accepted);
        assert_eq!(history.state(0), RowState::Settled(RowOutcome::Accepted), "a late outcome wins");
        let mut history = with_permit();
        history.settle(0, 0, RowOutcome::Rejected);
        history.resolve(0, 0, Resolution::NotSent);
        assert_eq!(history.state(0), RowState::Settled(RowOutcome::Rejected));
    }

    #[test]
    fn a_retry_counts_for_rejected_rows_without_a_report_only() {
        for outcome in
            [RowOutcome::Accepted, RowOutcome::Unknown, RowOutcome::Invalid, RowOutcome::Suppressed]
        {
            let mut history = with_permit();
            history.settle(0, 0, outcome);
            history.resolve(0, 0, Resolution::Retry);
            assert_eq!(history.state(0), RowState::Settled(outcome));
        }
        let mut history = with_permit();
        history.resolve(0, 0, Resolution::Retry);
        assert_eq!(history.state(0), RowState::Open { owner: OWNER });
        history.settle(0, 0, RowOutcome::Rejected);
        assert!(history.state(0).is_eligible());
        history.report(0);
        assert_eq!(history.state(0), RowState::Settled(RowOutcome::Accepted));
    }

    #[test]
    fn a_late_acceptance_under_an_earlier_permit_settles_the_row() {
        let mut history = with_permit();
        history.resolve(0, 0, Resolution::NotSent);
        history.append(permit(1, &[(0, 2)])).unwrap();
        history.settle(0, 0, RowOutcome::Accepted);
        history.settle(1, 0, RowOutcome::NotSent);
        assert_eq!(history.state(0), RowState::Settled(RowOutcome::Accepted));
        assert_eq!(history.states(&[CreationDecision::Ready]), [RowState::Settled(RowOutcome::Accepted)]);
    }

    #[test]
    fn the_chain_is_append_only() {
        let mut history = with_permit();
        let error = history.append(permit(0, &[(1, 1)])).unwrap_err();
        assert_eq!(error, ChainError::Sequence { expected: 1, actual: 0 });
        assert_eq!(history.append(permit(2, &[])), Err(ChainError::Sequence { expected: 1, actual: 2 }));
    }

    #[test]
    fn a_second_outcome_under_the_same_permit_is_ignored() {
        let mut history = with_permit();
        history.settle(0, 0, RowOutcome::Unknown);
        history.settle(0, 0, RowOutcome::NotSent);
        assert_eq!(history.state(0), RowState::Settled(RowOutcome::Unknown));
    }

    #[test]
    fn permits_never_name_rows_that_the_creation_excluded() {
        let bases = [
            CreationDecision::Invalid,
            CreationDecision::Suppressed,
            CreationDecision::Duplicate,
            CreationDecision::Ready,
        ];
        let rows = History::default().next_rows(&bases, 9, |_| true);
        assert_eq!(rows, [PermitRow { row: 3, attempt: 1 }]);
    }

    #[test]
    fn encoded_rows_are_decoded_again() {
        let rows = [PermitRow { row: 999, attempt: 3 }, PermitRow { row: 0, attempt: 1 }];
        assert_eq!(Permit::decode_rows(&Permit::encode_rows(&rows)).unwrap(), rows);
        assert_eq!(Permit::decode_rows(&[1, 2, 3]), None);
    }
}
