//! The search over marks: a worker names a permit before it is durable, and marks each row before it is sent. After its end another
//! process settles the rows that are named and not marked as not sent, and removes a file that proves nothing any more. A boot loses
//! marks; an entry may be missing; a database server may commit a permit after its worker was killed.

use std::collections::BTreeSet;

use super::explore;
use crate::protocol::{CreationDecision, History, Permit, RowOutcome, RowState, Token};

const ROWS: u16 = 2;
const PERMITS: u32 = 2;
const BASES: [CreationDecision; 2] = [CreationDecision::Ready; 2];

/// A rule that the search leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Without {
    Nothing,
    /// A row is marked before the first byte of its request.
    MarkBeforeSend,
    /// Rows are settled only after everybody that may send them has ended.
    OwnerEnded,
    /// Marks of an earlier boot are not believed.
    SameBoot,
    /// Only a permit that is named proves anything.
    Named,
    /// A file that cannot be written proves nothing any more, before the next row is sent.
    VoidAfterFailure,
    /// An entry is used again only after all outcomes of its permit are durable.
    EntryUntilDurable,
    /// A file that was copied or restored is not believed.
    OwnFile,
    /// A file is removed only if no row of its owner is open.
    NoOpenRow,
    /// A file is removed only by a transaction after which no permit of its owner can become durable.
    CommitEnded,
    /// A file is removed only after everybody that may write to it has ended.
    RemovedAfterEnd,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Worker {
    Idle,
    Holding(u32, Vec<u16>),
    /// The first row is marked, or cannot be, and is not sent.
    Marked(u32, Vec<u16>),
    Sending(u32, Vec<u16>),
    Settling(u32, Vec<u16>, RowOutcome),
    Ended,
}

/// The file of a worker.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Marks {
    named: BTreeSet<u32>,
    marked: BTreeSet<(u32, u16)>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct World {
    history: History,
    workers: [Worker; 2],
    files: [Marks; 2],
    /// A copy of the files that somebody made.
    copies: Option<[Marks; 2]>,
    /// The marks of each worker are believed.
    believed: [bool; 2],
    /// The file of the first worker was removed; the second one is the same, and the search is large. Its contents stay here, to
    /// show what it would have proven.
    is_removed: bool,
    /// The permit of the first worker, after it was killed, that the server may still commit. Nobody else writes meanwhile.
    in_doubt: Option<Permit>,
    can_write: bool,
    has_booted: bool,
    ledger: [u8; 2],
}

impl World {
    fn new() -> Self {
        Self {
            history: History::default(),
            workers: [Worker::Idle, Worker::Idle],
            files: [Marks::default(), Marks::default()],
            copies: None,
            believed: [true; 2],
            is_removed: false,
            in_doubt: None,
            can_write: true,
            has_booted: false,
            ledger: [0; 2],
        }
    }

    fn violation(&self) -> Option<String> {
        let twice = (0..ROWS).find(|row| self.ledger[usize::from(*row)] > 1);
        let is_lost = self.is_removed && !self.unsent_rows(0, false).is_empty();
        match (twice, is_lost) {
            (Some(row), _) => Some(format!("row {row} was sent twice")),
            (None, true) => Some("a file was removed while it proved something".to_owned()),
            (None, false) => None,
        }
    }

    /// The open rows of a worker that its file proves to be unsent, with their permits.
    fn unsent_rows(&self, worker: usize, trusts_unnamed: bool) -> Vec<(u32, u16)> {
        let (owner, file) = (self.owner(worker), &self.files[worker]);
        let is_open = |row: &u16| self.history.state(*row) == RowState::Open { owner };
        let permit = |row: u16| (self.history.last_permit(row).unwrap().sequence, row);
        let is_proven = |(sequence, row): &(u32, u16)| {
            (file.named.contains(sequence) || trusts_unnamed) && !file.marked.contains(&(*sequence, *row))
        };
        let is_believed = self.believed[worker];
        (0..ROWS).filter(|row| is_believed && is_open(row)).map(permit).filter(is_proven).collect()
    }

    fn with(&self, worker: usize, state: Worker) -> Self {
        let mut next = self.clone();
        next.workers[worker] = state;
        next
    }

    /// The second worker starts again after a boot, as another owner.
    fn owner(&self, worker: usize) -> Token {
        Token::from_bytes([worker as u8 + 1 + 2 * u8::from(self.has_booted && worker == 1); 16])
    }

    fn successors(&self, without: Without) -> Vec<Self> {
        let mut next = Vec::new();
        for worker in 0..2 {
            self.steps_of(worker, without, &mut next);
            self.end(worker, &mut next);
            self.settle_unsent(worker, without, &mut next);
        }
        self.remove_file(without, &mut next);
        if let Some(permit) = &self.in_doubt {
            let mut ended = self.clone();
            ended.in_doubt = None;
            next.push(ended.clone());
            ended.history.append(permit.clone()).unwrap();
            next.push(ended);
        }
        self.outside(without, &mut next);
        next
    }

    fn steps_of(&self, worker: usize, without: Without, next: &mut Vec<Self>) {
        match &self.workers[worker] {
            Worker::Ended => {}
            Worker::Idle => self.claim(worker, next),
            Worker::Holding(sequence, rows) => {
                next.push(self.with(worker, Worker::Settling(*sequence, rows.clone(), RowOutcome::NotSent)));
                if without == Without::MarkBeforeSend {
                    next.push(self.sending(worker, *sequence, rows));
                    return;
                }
                let mut marked = self.with(worker, Worker::Marked(*sequence, rows.clone()));
                match (self.can_write, without) {
                    _ if !self.files[worker].named.contains(sequence) => {}
                    (true, _) => drop(marked.files[worker].marked.insert((*sequence, rows[0]))),
                    (false, Without::VoidAfterFailure) => {}
                    (false, _) => marked.believed[worker] = false,
                }
                next.push(marked);
            }
            Worker::Marked(sequence, rows) => next.push(self.sending(worker, *sequence, rows)),
            Worker::Sending(sequence, rows) => {
                for outcome in [RowOutcome::Accepted, RowOutcome::Unknown, RowOutcome::NotSent] {
                    let mut then = self.with(worker, Worker::Settling(*sequence, rows.clone(), outcome));
                    then.ledger[usize::from(rows[0])] += u8::from(outcome != RowOutcome::NotSent);
                    if without == Without::MarkBeforeSend {
                        then.files[worker].marked.insert((*sequence, rows[0]));
                    }
                    next.push(then);
                }
            }
            Worker::Settling(sequence, rows, outcome) => {
                let rest = rows[1..].to_vec();
                let state = if rest.is_empty() { Worker::Idle } else { Worker::Holding(*sequence, rest) };
                let mut then = self.with(worker, state);
                then.history.settle(*sequence, rows[0], *outcome);
                next.push(then);
                if without == Without::EntryUntilDurable {
                    // The entry loses its marks while the outcome is not durable.
                    let mut reused = self.clone();
                    reused.files[worker].marked.remove(&(*sequence, rows[0]));
                    next.push(reused);
                }
            }
        }
    }

    fn sending(&self, worker: usize, sequence: u32, rows: &[u16]) -> Self {
        self.with(worker, Worker::Sending(sequence, rows.to_vec()))
    }

    fn claim(&self, worker: usize, next: &mut Vec<Self>) {
        let sequence = self.history.next_sequence();
        if sequence >= PERMITS || self.in_doubt.is_some() {
            return;
        }
        for limit in 1..=usize::from(ROWS) {
            let rows = self.history.next_rows(&BASES, limit, |_| true);
            if rows.len() < limit {
                return;
            }
            let indices: Vec<u16> = rows.iter().map(|named| named.row).collect();
            let token = self.owner(worker);
            let mut named = self.clone();
            named.files[worker].named.insert(sequence);
            // The worker is killed after the permit was named and before it is durable.
            next.push(named.with(worker, Worker::Ended));
            let permit = Permit { sequence, token, owner: token, rows, claimed_us: 0 };
            // The worker is killed after it sent the commit.
            if worker == 0 {
                let mut doubtful = named.with(worker, Worker::Ended);
                doubtful.in_doubt = Some(permit.clone());
                next.push(doubtful);
            }
            let holding = Worker::Holding(sequence, indices);
            let mut then = named.with(worker, holding.clone());
            then.history.append(permit.clone()).unwrap();
            next.push(then);
            // No entry is free, so nothing of this permit is marked.
            let mut then = self.with(worker, holding);
            then.history.append(permit).unwrap();
            next.push(then);
        }
    }

    /// The process is killed; a request in progress may arrive.
    fn end(&self, worker: usize, next: &mut Vec<Self>) {
        if self.workers[worker] == Worker::Ended {
            return;
        }
        next.push(self.with(worker, Worker::Ended));
        if let Worker::Sending(_, rows) = &self.workers[worker] {
            let mut arrived = self.with(worker, Worker::Ended);
            arrived.ledger[usize::from(rows[0])] += 1;
            next.push(arrived);
        }
    }

    fn settle_unsent(&self, worker: usize, without: Without, next: &mut Vec<Self>) {
        let has_ended = self.workers[worker] == Worker::Ended || without == Without::OwnerEnded;
        if !has_ended || (worker == 0 && self.is_removed) || self.in_doubt.is_some() {
            return;
        }
        for (sequence, row) in self.unsent_rows(worker, without == Without::Named) {
            let mut then = self.clone();
            then.history.settle(sequence, row, RowOutcome::NotSent);
            next.push(then);
        }
    }

    /// Another process removes a file that proves nothing any more.
    fn remove_file(&self, without: Without, next: &mut Vec<Self>) {
        let owner = self.owner(0);
        let has_ended = self.workers[0] == Worker::Ended || without == Without::RemovedAfterEnd;
        let has_open_row = (0..ROWS).any(|row| self.history.state(row) == RowState::Open { owner });
        let has_committed = self.in_doubt.is_none() || without == Without::CommitEnded;
        let proves_nothing = !has_open_row || without == Without::NoOpenRow;
        if has_ended && has_committed && proves_nothing && !self.is_removed {
            let mut then = self.clone();
            then.is_removed = true;
            next.push(then);
        }
    }

    fn outside(&self, without: Without, next: &mut Vec<Self>) {
        if self.can_write {
            let mut full = self.clone();
            full.can_write = false;
            next.push(full);
        }
        if !self.has_booted {
            // All processes end, and the disk has an earlier state of the files.
            let mut booted = self.clone();
            booted.has_booted = true;
            for worker in 0..2 {
                if let Worker::Sending(_, rows) = &self.workers[worker] {
                    booted.ledger[usize::from(rows[0])] += 1;
                }
            }
            booted.workers = [Worker::Ended, Worker::Idle];
            booted.files[0].marked.clear();
            booted.believed[0] &= without == Without::SameBoot;
            (booted.files[1], booted.believed[1], booted.copies) = (Marks::default(), true, None);
            next.push(booted);
        }
        match &self.copies {
            None => {
                let mut copied = self.clone();
                copied.copies = Some(self.files.clone());
                next.push(copied);
            }
            Some(copies) if *copies != self.files => {
                let mut restored = self.clone();
                restored.files = copies.clone();
                restored.believed = if without == Without::OwnFile { self.believed } else { [false; 2] };
                next.push(restored);
            }
            Some(_) => {}
        }
    }
}

fn search(without: Without) -> (usize, Option<String>) {
    explore(World::new(), World::violation, |world| world.successors(without))
}

#[test]
fn settling_unsent_rows_sends_no_row_twice_and_no_proof_is_removed() {
    let (states, violation) = search(Without::Nothing);
    println!("{states} states");
    assert_eq!(violation, None);
    assert!(states > 10_000, "the search must cover the protocol, got {states} states");
}

#[test]
fn every_rule_of_marks_is_needed() {
    for without in [
        Without::MarkBeforeSend,
        Without::OwnerEnded,
        Without::SameBoot,
        Without::Named,
        Without::VoidAfterFailure,
        Without::EntryUntilDurable,
        Without::OwnFile,
        Without::NoOpenRow,
        Without::CommitEnded,
        Without::RemovedAfterEnd,
    ] {
        let (_, violation) = search(without);
        assert!(violation.is_some(), "the search must find a violation without {without:?}");
    }
}
