//! The sequential model of a row: what claims, sends, settlements and reads mean if they happen one after the other.

use serde::Deserialize;
use stateright::semantics::SequentialSpec;

/// An operation on a row. A permit is identified by its sequence.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "op", content = "value", rename_all = "snake_case")]
pub enum Op {
    /// A worker stores a permit that names the row.
    Claim(u32),
    /// A worker sends the row under a permit, and the provider accepts the message.
    Send(u32),
    /// A worker stores the outcome of a permit.
    Settle(u32, Outcome),
    /// The export of the journal shows this state.
    Read(Seen),
    /// The ledger of the provider has this many messages of the row.
    Ledger(u32),
}

/// A stored outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Accepted,
    Rejected,
    NotSent,
    Unknown,
}

/// The outcome of a row in an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seen {
    Pending,
    InFlight,
    Accepted,
    Rejected,
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// A permit may name it.
    Eligible,
    /// The last permit that names it has no outcome.
    Claimed {
        permit: u32,
        is_sent: bool,
    },
    Settled(Outcome),
}

/// A rule that the model leaves out, to show that the rule is what refuses a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Without {
    Nothing,
    /// A row is claimed only while no permit without an outcome names it.
    OneClaim,
    /// A row is sent only under its permit, and once.
    OneSend,
    /// A row is settled as accepted only after it was sent.
    SendBeforeSettle,
    /// A read returns the state.
    CurrentRead,
    /// The messages of the provider are those that were sent.
    Ledger,
}

#[derive(Debug, Clone)]
pub struct Row {
    state: State,
    messages: u32,
    without: Without,
}

impl Row {
    pub fn new(without: Without) -> Self {
        Self { state: State::Eligible, messages: 0, without }
    }

    /// Does the operation if the rules allow it.
    fn step(&mut self, op: &Op) -> bool {
        let may = |is_allowed: bool, rule| is_allowed || self.without == rule;
        match *op {
            Op::Claim(permit) if may(self.state == State::Eligible, Without::OneClaim) => {
                self.state = State::Claimed { permit, is_sent: false };
            }
            Op::Send(permit) => {
                let is_free = self.state == State::Claimed { permit, is_sent: false };
                if !may(is_free, Without::OneSend) {
                    return false;
                }
                self.state = State::Claimed { permit, is_sent: true };
                self.messages += 1;
            }
            Op::Settle(permit, outcome) => {
                let State::Claimed { permit: current, is_sent } = self.state else { return false };
                let is_true = match outcome {
                    Outcome::Accepted => is_sent,
                    Outcome::Rejected | Outcome::NotSent => !is_sent,
                    Outcome::Unknown => true,
                };
                if current != permit || !may(is_true, Without::SendBeforeSettle) {
                    return false;
                }
                let is_eligible = outcome == Outcome::NotSent;
                self.state = if is_eligible { State::Eligible } else { State::Settled(outcome) };
            }
            Op::Read(seen) => return may(self.shows(seen), Without::CurrentRead),
            Op::Ledger(count) => return may(self.messages == count, Without::Ledger),
            Op::Claim(_) => return false,
        }
        true
    }

    /// Whether an export may show the row so. A row without an outcome is in flight while its owner may live.
    fn shows(&self, seen: Seen) -> bool {
        match self.state {
            State::Eligible => seen == Seen::Pending,
            State::Claimed { .. } => matches!(seen, Seen::InFlight | Seen::Unknown),
            State::Settled(Outcome::Accepted) => seen == Seen::Accepted,
            State::Settled(Outcome::Rejected) => seen == Seen::Rejected,
            State::Settled(_) => seen == Seen::Unknown,
        }
    }
}

impl SequentialSpec for Row {
    type Op = Op;
    /// Whether the operation was possible.
    type Ret = bool;

    fn invoke(&mut self, op: &Op) -> bool {
        self.step(op)
    }
}
