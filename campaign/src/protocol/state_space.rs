//! An explicit-state search over the protocol: two workers, two rows, every interleaving of claims, doubtful commits,
//! sends, settlements, crashes, time, reports and resolutions. No reachable state may have sent a row twice, or call a
//! row accepted that was never sent. Each rule is removed once to show that the search finds the violation.

mod copies;
mod marked_rows;
mod restores;

use std::collections::HashSet;
use std::hash::{BuildHasher, Hash, RandomState};

use super::{CreationDecision, History, Permit, PermitRow, Resolution, RowOutcome, RowState, Token};

const BASES: [CreationDecision; 2] = [CreationDecision::Ready; 2];

/// The limits of the search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Bounds {
    rows: usize,
    permits: u32,
    /// Restarts of both workers together.
    restarts: u8,
}

const WIDE: Bounds = Bounds { rows: 2, permits: 2, restarts: 0 };
const WIDE_WITH_RESTART: Bounds = Bounds { restarts: 1, ..WIDE };
const DEEP: Bounds = Bounds { rows: 1, permits: 3, restarts: 1 };

/// A rule that the search leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Without {
    Nothing,
    /// Two permits of a chunk never have the same sequence.
    UniqueSequence,
    /// After a commit whose response was lost, a worker reads the stored token before it sends.
    ReadAfterDoubt,
    /// Only the owner of a permit settles its rows.
    OwnerSettles,
    /// Only a stored outcome makes a row eligible again, never the age of its permit.
    DurableOutcome,
    /// A row is not sent under a permit that is too old.
    Freshness,
    /// A row is settled as accepted only after it was sent.
    SendBeforeSettle,
}

/// How old a permit is: from `TooOldToSend` on its rows must not be sent; `Resolvable` begins when the deadline of calls and five
/// minutes have passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Debug)]
enum Age {
    Young,
    TooOldToSend,
    Resolvable,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Worker {
    Gone,
    Idle,
    /// It computed a permit from a snapshot and has not committed it.
    Claiming(Permit),
    /// It has received no response to its commit. While `open`, the server may still commit the permit.
    Doubting {
        permit: Permit,
        open: bool,
    },
    /// It may send these rows.
    Holding(u32, Vec<u16>),
    /// The request of the first row is in progress.
    Sending(u32, Vec<u16>),
    /// The first row has this outcome, which is not durable.
    Settling(u32, Vec<u16>, RowOutcome),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct World {
    history: History,
    ages: Vec<Age>,
    workers: [Worker; 2],
    /// How often each worker was restarted; a part of its tokens.
    starts: [u8; 2],
    /// Messages that the provider accepted, by row.
    ledger: [u8; 2],
    bounds: Bounds,
}

impl World {
    fn new(bounds: Bounds) -> Self {
        let workers = [Worker::Idle, Worker::Idle];
        Self {
            history: History::default(),
            ages: Vec::new(),
            workers,
            starts: [0; 2],
            ledger: [0; 2],
            bounds,
        }
    }

    fn bases(&self) -> &'static [CreationDecision] {
        &BASES[..self.bounds.rows]
    }

    fn token(&self, worker: usize) -> Token {
        let mut bytes = [0; 16];
        bytes[..3].copy_from_slice(&[worker as u8, self.starts[worker], self.history.next_sequence() as u8]);
        Token::from_bytes(bytes)
    }

    fn violation(&self) -> Option<String> {
        for row in 0..self.bounds.rows {
            let state = self.history.state(row as u16);
            if self.ledger[row] > 1 {
                return Some(format!("row {row} was sent twice"));
            }
            if state == RowState::Settled(RowOutcome::Accepted) && self.ledger[row] == 0 {
                return Some(format!("row {row} counts as accepted and was never sent"));
            }
        }
        None
    }

    fn with(&self, worker: usize, state: Worker) -> Self {
        let mut next = self.clone();
        next.workers[worker] = state;
        next
    }

    /// Everything that can happen next.
    fn successors(&self, without: Without) -> Vec<Self> {
        let mut next = Vec::new();
        for worker in 0..2 {
            self.steps_of(worker, without, &mut next);
            self.crash_and_restart(worker, &mut next);
        }
        self.time_passes(&mut next);
        self.outsiders(without, &mut next);
        next
    }

    fn steps_of(&self, worker: usize, without: Without, next: &mut Vec<Self>) {
        match &self.workers[worker] {
            Worker::Gone => {}
            Worker::Idle => self.claim(worker, without, next),
            Worker::Claiming(permit) => self.commit(worker, permit, without, next),
            Worker::Doubting { permit, open } => self.clear_doubt(worker, permit, *open, without, next),
            Worker::Holding(sequence, rows) => self.send(worker, *sequence, rows, without, next),
            Worker::Sending(sequence, rows) => {
                let row = usize::from(rows[0]);
                next.push(self.with(worker, Worker::Settling(*sequence, rows.clone(), RowOutcome::Rejected)));
                // `Unknown` if the response is lost. `crash_and_restart` models a crash at this point.
                for outcome in [RowOutcome::Accepted, RowOutcome::Unknown] {
                    let mut then = self.with(worker, Worker::Settling(*sequence, rows.clone(), outcome));
                    then.ledger[row] += 1;
                    next.push(then);
                }
            }
            Worker::Settling(sequence, rows, outcome) => {
                let mut then = self.with(worker, after(*sequence, &rows[1..]));
                then.history.settle(*sequence, rows[0], *outcome);
                next.push(then);
            }
        }
    }

    fn claim(&self, worker: usize, without: Without, next: &mut Vec<Self>) {
        if self.history.next_sequence() >= self.bounds.permits {
            return;
        }
        for limit in 1..=self.bounds.rows {
            let rows = if without == Without::DurableOutcome {
                self.rows_by_age(limit)
            } else {
                self.history.next_rows(self.bases(), limit, |_| true)
            };
            if rows.len() == limit {
                let token = self.token(worker);
                let sequence = self.history.next_sequence();
                let permit = Permit { sequence, token, owner: token, rows, claimed_us: 0 };
                next.push(self.with(worker, Worker::Claiming(permit)));
            }
        }
    }

    /// The eligible rows without the rule `DurableOutcome`: a row is also eligible if its permit is old and has no outcome.
    fn rows_by_age(&self, limit: usize) -> Vec<PermitRow> {
        let is_free = |row: &u16| match self.history.state(*row) {
            RowState::Open { .. } => {
                let last = self.history.last_permit(*row).unwrap();
                self.ages[last.sequence as usize] > Age::Young
            }
            state => state.is_eligible(),
        };
        (0..self.bounds.rows as u16)
            .filter(is_free)
            .take(limit)
            .map(|row| PermitRow { row, attempt: 1 })
            .collect()
    }

    fn insert(&mut self, permit: &Permit, without: Without) -> bool {
        let mut permit = permit.clone();
        if without == Without::UniqueSequence {
            permit.sequence = self.history.next_sequence();
        }
        let inserted = self.history.append(permit).is_ok();
        if inserted {
            self.ages.push(Age::Young);
        }
        inserted
    }

    fn commit(&self, worker: usize, permit: &Permit, without: Without, next: &mut Vec<Self>) {
        let mut then = self.clone();
        let won = then.insert(permit, without);
        let sequence = then.history.next_sequence().saturating_sub(1);
        let rows: Vec<u16> = permit.rows.iter().map(|named| named.row).collect();
        then.workers[worker] = if won { Worker::Holding(sequence, rows) } else { Worker::Idle };
        next.push(then);
        next.push(self.with(worker, Worker::Doubting { permit: permit.clone(), open: true }));
    }

    /// The open transaction is committed or lost. After that, the worker inserts the permit with the same token again.
    fn clear_doubt(
        &self,
        worker: usize,
        permit: &Permit,
        open: bool,
        without: Without,
        next: &mut Vec<Self>,
    ) {
        if open {
            let closed = self.with(worker, Worker::Doubting { permit: permit.clone(), open: false });
            let mut landed = closed.clone();
            landed.insert(permit, without);
            next.extend([closed, landed]);
            return;
        }
        let rows: Vec<u16> = permit.rows.iter().map(|named| named.row).collect();
        let mut then = self.clone();
        then.insert(permit, Without::Nothing);
        let stored = then.history.permits().get(permit.sequence as usize);
        let is_mine = stored.is_some_and(|stored| stored.token == permit.token);
        let wins = is_mine || without == Without::ReadAfterDoubt;
        then.workers[worker] = if wins { Worker::Holding(permit.sequence, rows) } else { Worker::Idle };
        next.push(then);
    }

    fn send(&self, worker: usize, sequence: u32, rows: &[u16], without: Without, next: &mut Vec<Self>) {
        let is_stale = self.ages[sequence as usize] > Age::Young && without != Without::Freshness;
        if is_stale {
            next.push(self.with(worker, Worker::Settling(sequence, rows.to_vec(), RowOutcome::NotSent)));
            return;
        }
        let mut then = self.with(worker, Worker::Sending(sequence, rows.to_vec()));
        if without == Without::SendBeforeSettle {
            then.history.settle(sequence, rows[0], RowOutcome::Accepted);
        }
        next.push(then);
        // The campaign pauses, the window closes, or an outage opens.
        next.push(self.with(worker, Worker::Settling(sequence, rows.to_vec(), RowOutcome::NotSent)));
    }

    fn crash_and_restart(&self, worker: usize, next: &mut Vec<Self>) {
        if self.workers[worker] == Worker::Idle {
            return;
        }
        if self.workers[worker] != Worker::Gone {
            next.push(self.with(worker, Worker::Gone));
            if let Worker::Doubting { permit, open: true } = &self.workers[worker] {
                let mut landed = self.with(worker, Worker::Gone);
                landed.insert(permit, Without::Nothing);
                next.push(landed);
            }
            if let Worker::Sending(_, rows) = &self.workers[worker] {
                let mut arrived = self.with(worker, Worker::Gone);
                arrived.ledger[usize::from(rows[0])] += 1;
                next.push(arrived);
            }
        } else if self.starts.iter().sum::<u8>() < self.bounds.restarts {
            let mut started = self.with(worker, Worker::Idle);
            started.starts[worker] += 1;
            next.push(started);
        }
    }

    /// Makes a permit older. It becomes `Resolvable` only when no call of it is in progress, because `Resolvable` is later than the
    /// deadline of every call.
    fn time_passes(&self, next: &mut Vec<Self>) {
        for (sequence, age) in self.ages.iter().enumerate() {
            let under_way = self
                .workers
                .iter()
                .any(|worker| matches!(worker, Worker::Sending(of, _) if *of as usize == sequence));
            let older = match age {
                Age::Young => Age::TooOldToSend,
                Age::TooOldToSend if !under_way => Age::Resolvable,
                _ => continue,
            };
            // A permit never becomes older than an earlier one.
            if self.ages.iter().take(sequence).any(|earlier| *earlier < older) {
                continue;
            }
            let mut then = self.clone();
            then.ages[sequence] = older;
            next.push(then);
        }
    }

    /// Changes from outside the workers: reports of sent rows, correct resolutions, retries of rejections and, without `OwnerSettles`, another
    /// process that settles an open row as not sent.
    fn outsiders(&self, without: Without, next: &mut Vec<Self>) {
        for row in 0..self.bounds.rows as u16 {
            if self.ledger[usize::from(row)] > 0 && !self.history.is_reported(row) {
                let mut then = self.clone();
                then.history.report(row);
                next.push(then);
            }
            let Some(sequence) = self.history.last_permit(row).map(|permit| permit.sequence) else {
                continue;
            };
            if self.history.state(row) == RowState::Settled(RowOutcome::Rejected) {
                let mut then = self.clone();
                then.history.resolve(sequence, row, Resolution::Retry);
                next.push(then);
            }
            let is_unknown = matches!(
                self.history.state(row),
                RowState::Open { .. } | RowState::Settled(RowOutcome::Unknown)
            );
            if !is_unknown {
                continue;
            }
            if self.ages[sequence as usize] == Age::Resolvable && self.ledger[usize::from(row)] == 0 {
                let mut then = self.clone();
                then.history.resolve(sequence, row, Resolution::NotSent);
                next.push(then);
            }
            if without == Without::OwnerSettles {
                let mut then = self.clone();
                then.history.settle(sequence, row, RowOutcome::NotSent);
                next.push(then);
            }
        }
    }
}

fn after(sequence: u32, rows: &[u16]) -> Worker {
    if rows.is_empty() { Worker::Idle } else { Worker::Holding(sequence, rows.to_vec()) }
}

/// Visits states depth first and keeps a 64-bit hash of each. Returns the number of states, and the first violation.
fn explore<S: Hash>(
    start: S,
    violation: impl Fn(&S) -> Option<String>,
    successors: impl Fn(&S) -> Vec<S>,
) -> (usize, Option<String>) {
    let hasher = RandomState::new();
    let mut seen = HashSet::from([hasher.hash_one(&start)]);
    let mut stack = vec![start];
    while let Some(state) = stack.pop() {
        if let Some(violation) = violation(&state) {
            return (seen.len(), Some(violation));
        }
        let next = successors(&state);
        stack.extend(next.into_iter().filter(|next| seen.insert(hasher.hash_one(next))));
    }
    (seen.len(), None)
}

fn search(bounds: Bounds, without: Without) -> (usize, Option<String>) {
    explore(World::new(bounds), World::violation, |world| world.successors(without))
}

fn holds_within(bounds: Bounds) {
    let (states, violation) = search(bounds, Without::Nothing);
    println!("{states} states within {bounds:?}");
    assert_eq!(violation, None);
    assert!(states > 10_000, "the search must cover the protocol, got {states} states");
}

#[test]
fn no_interleaving_sends_a_row_twice_or_accepts_an_unsent_row() {
    holds_within(DEEP);
    holds_within(WIDE);
}

#[test]
#[ignore = "takes half a minute without optimization; nightly"]
fn no_interleaving_with_a_restart_sends_a_row_twice() {
    holds_within(WIDE_WITH_RESTART);
}

#[test]
fn every_rule_is_needed() {
    for without in [
        Without::UniqueSequence,
        Without::ReadAfterDoubt,
        Without::OwnerSettles,
        Without::DurableOutcome,
        Without::Freshness,
        Without::SendBeforeSettle,
    ] {
        let (_, violation) = search(WIDE, without);
        assert!(violation.is_some(), "the search must find a violation without {without:?}");
    }
}
