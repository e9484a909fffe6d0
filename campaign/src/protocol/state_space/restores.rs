//! The identity of a journal file, searched with two workers, checkpoints, a backup, restores, kills and power failures.
//!
//! The file and its write-ahead log consist of pages: the header with the generation, the row of `meta` with epoch and base, and one
//! page for each row of the campaign. SQLite reads a page from the log if it is there. A backup that is restored in part mixes pages.

use super::explore;

const ROWS: usize = 2;
/// The journal, and another one whose rows are all sent.
const PLACES: usize = 2;
const WORKERS: usize = 2;
/// The longest histories, in generations.
const SHORT: u8 = 3;
const LONG: u8 = 5;
/// The epochs of the two journals, and that of one command.
const EPOCHS: usize = 3;
const NEW: u8 = 2;

/// A rule that is removed from the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Without {
    Nothing,
    /// The header of the file is compared with the base and the generation.
    Header,
    /// The generation in the lock file is compared when the journal is opened.
    LockFile,
    /// A missing lock file is not created by an open.
    LockFileExists,
    /// The lock file knows its own inode.
    OwnInode,
    /// The lock file has the epoch of the journal.
    Epoch,
    /// The state folder is compared.
    StateFolder,
    /// Every transaction compares, and not the open alone.
    CompareAtClaim,
    /// The generation is recorded before the row is sent.
    RecordBeforeSend,
    /// The generation is recorded before the lock is released.
    RecordBeforeUnlock,
    /// An open makes what the witnesses remember durable.
    SyncAtOpen,
    /// `moved` refuses a journal that is behind a witness.
    MovedCompares,
    /// `restored` makes every row unknown.
    RestoredActs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Pages {
    header: Option<u8>,
    /// Epoch and base.
    meta: Option<(u8, u8)>,
    /// Whether the row was claimed.
    rows: [Option<bool>; ROWS],
}

impl Pages {
    fn over(&self, main: &Self) -> Self {
        let mut rows = main.rows;
        for (row, logged) in rows.iter_mut().zip(self.rows) {
            *row = logged.or(*row);
        }
        Self { header: self.header.or(main.header), meta: self.meta.or(main.meta), rows }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Files {
    main: Pages,
    log: Pages,
    /// A checkpoint copied all of the log, so the next commit begins it again.
    is_copied: bool,
}

impl Files {
    fn new(epoch: u8, is_done: bool) -> Self {
        let main = Pages { header: Some(1), meta: Some((epoch, 1)), rows: [Some(is_done); ROWS] };
        Self { main, log: Pages::default(), is_copied: true }
    }

    fn read(&self) -> Pages {
        self.log.over(&self.main)
    }

    fn generation(&self) -> u8 {
        self.read().header.unwrap_or_default()
    }

    fn epoch(&self) -> u8 {
        self.read().meta.unwrap_or_default().0
    }

    fn header(&self) -> u8 {
        self.main.header.unwrap_or_default()
    }

    fn has_valid_header(&self) -> bool {
        let base = self.read().meta.unwrap_or_default().1;
        (base..=self.generation()).contains(&self.header())
    }

    fn commit(&mut self, generation: u8, rows: &[usize], epoch: u8) {
        let stored = self.read();
        if self.is_copied {
            (self.log, self.is_copied) = (Pages::default(), false);
        }
        let meta = Some((epoch, self.header()));
        if stored.meta != meta {
            self.log.meta = meta;
        }
        self.log.header = Some(generation);
        for row in rows {
            self.log.rows[*row] = Some(true);
        }
    }

    fn checkpoint(&mut self) {
        (self.main, self.is_copied) = (self.read(), true);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Lock {
    epoch: u8,
    generation: u8,
    /// The header that the last transaction saw.
    header: u8,
    is_own: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Step {
    Closed,
    Open,
    /// The claim of a row is committed with this generation, and nothing else.
    Committed(usize, u8),
    /// The witnesses remember the claim.
    Recorded(usize),
    /// Without `RecordBeforeSend`: the row is sent, and no witness remembers it.
    Sent(u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Worker {
    step: Step,
    place: usize,
    epoch: u8,
}

/// A command that has committed the new identity of a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Command {
    place: usize,
    /// It still runs, and has the lock of the journal.
    is_running: bool,
    /// The epoch that it replaced, and the generation before `moved`; none for a copy that is restored.
    retires: Option<(u8, Option<u8>)>,
}

const CLOSED: Worker = Worker { step: Step::Closed, place: 0, epoch: 0 };

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct World {
    files: [Files; PLACES],
    locks: [Option<Lock>; PLACES],
    synced_locks: [Option<Lock>; PLACES],
    /// What the state folder remembers of each epoch: the highest generation, and the epoch that replaced it.
    state: [(u8, Option<u8>); EPOCHS],
    synced_state: [(u8, Option<u8>); EPOCHS],
    has_state: bool,
    last_generation: u8,
    workers: [Worker; WORKERS],
    backup: Option<(Files, Option<Lock>)>,
    command: Option<Command>,
    /// Claims were recorded since the last sync.
    has_unsynced_claims: bool,
    /// A power failure made the witnesses forget claims. Until the next open, a restore cannot be noticed.
    has_forgotten: bool,
    restores: u8,
    /// How often each row was sent.
    ledger: [u8; ROWS],
}

impl World {
    fn new(has_state: bool, last_generation: u8) -> Self {
        let lock = |epoch| Some(Lock { epoch, generation: 1, header: 1, is_own: true });
        let locks = [lock(0), lock(1)];
        let remembered = (u8::from(has_state), None);
        let state = [remembered, remembered, (0, None)];
        Self {
            files: [Files::new(0, false), Files::new(1, true)],
            locks,
            synced_locks: locks,
            state,
            synced_state: state,
            has_state,
            last_generation,
            workers: [CLOSED; WORKERS],
            backup: None,
            command: None,
            has_unsynced_claims: false,
            has_forgotten: false,
            restores: 0,
            ledger: [0; ROWS],
        }
    }

    fn violation(&self) -> Option<String> {
        let row = self.ledger.iter().position(|sent| *sent > 1)?;
        Some(format!("row {row} was sent twice: {self:?}"))
    }

    /// The rules of every transaction; those of an open also compare the identity of the lock file and the state folder.
    fn is_accepted(&self, place: usize, opens: bool, without: Without) -> bool {
        let files = &self.files[place];
        let Some(lock) = &self.locks[place] else { return false };
        let is_reached = lock.header <= files.header() || lock.epoch != files.epoch();
        let has_header = files.has_valid_header() && is_reached || without == Without::Header;
        let has_epoch = !opens || lock.epoch == files.epoch() || without == Without::Epoch;
        let is_own = !opens || lock.is_own || without == Without::OwnInode;
        let reaches_lock = lock.generation <= files.generation() || opens && without == Without::LockFile;
        let (remembered, successor) = self.state[usize::from(files.epoch())];
        let reaches_state =
            remembered <= files.generation() && successor.is_none() || without == Without::StateFolder;
        has_header && has_epoch && is_own && reaches_lock && reaches_state
    }

    fn record(&mut self, place: usize, epoch: u8, generation: u8) {
        let header = self.files[place].header();
        if let Some(lock) = &mut self.locks[place] {
            (lock.generation, lock.header) = (generation, header.max(lock.header));
        }
        if self.has_state {
            let known = &mut self.state[usize::from(epoch)].0;
            *known = generation.max(*known);
        }
    }

    fn is_locked(&self, place: usize) -> bool {
        let holds = |worker: &Worker| worker.place == place && matches!(worker.step, Step::Committed(..));
        let is_declared = self.command.is_some_and(|command| command.place == place && command.is_running);
        self.workers.iter().any(holds) || is_declared
    }

    /// Makes the state folder refuse the epoch that the command replaced. Returns false if it was used since, or replaced by another one.
    fn retire(&mut self) -> bool {
        let Some((old, at)) = self.command.and_then(|command| command.retires).filter(|_| self.has_state)
        else {
            return true;
        };
        let (remembered, successor) = &mut self.state[usize::from(old)];
        let is_free = successor.is_some_and(|known| known == NEW)
            || successor.is_none() && at.is_none_or(|at| *remembered <= at);
        if is_free {
            *successor = Some(NEW);
            self.synced_state = self.state;
        }
        is_free
    }

    fn with(&self, worker: usize, step: Step) -> Self {
        let mut next = self.clone();
        next.workers[worker].step = step;
        if step == Step::Closed {
            next.workers[worker] = CLOSED;
        }
        next
    }

    fn successors(&self, without: Without) -> Vec<Self> {
        let mut next = Vec::new();
        for worker in 0..WORKERS {
            self.steps_of(worker, without, &mut next);
        }
        self.checkpoint_and_sync(&mut next);
        self.power_failure(&mut next);
        self.back_up_and_restore(&mut next);
        self.declare(without, &mut next);
        self.activate(&mut next);
        // The workers are alike.
        next.iter_mut().for_each(|world| world.workers.sort_unstable());
        next
    }

    fn steps_of(&self, worker: usize, without: Without, next: &mut Vec<Self>) {
        let Worker { step, place, epoch } = self.workers[worker];
        if step != Step::Closed {
            next.push(self.with(worker, Step::Closed)); // killed
        }
        match step {
            Step::Closed => (0..PLACES).for_each(|place| next.extend(self.open(worker, place, without))),
            Step::Open => self.claim(worker, without, next),
            Step::Committed(row, generation) if without == Without::RecordBeforeSend => {
                let mut then = self.with(worker, Step::Sent(generation));
                then.ledger[row] += 1;
                next.push(then);
            }
            Step::Committed(row, generation) => {
                let mut then = self.with(worker, Step::Recorded(row));
                then.record(place, epoch, generation);
                then.has_unsynced_claims = true;
                next.push(then);
            }
            Step::Recorded(row) => {
                let mut then = self.with(worker, Step::Open);
                then.ledger[row] += 1;
                next.push(then);
            }
            Step::Sent(generation) => {
                let mut then = self.with(worker, Step::Open);
                then.record(place, epoch, generation);
                then.has_unsynced_claims = true;
                next.push(then);
            }
        }
    }

    fn open(&self, worker: usize, place: usize, without: Without) -> Option<Self> {
        if self.is_locked(place) {
            return None;
        }
        let mut then = self.with(worker, Step::Open);
        let (epoch, generation) = (self.files[place].epoch(), self.files[place].generation());
        if self.locks[place].is_none() && without == Without::LockFileExists {
            then.locks[place] =
                Some(Lock { epoch, generation, header: self.files[place].header(), is_own: true });
        }
        // A command may have been killed after its commit.
        if epoch == NEW && !then.retire() || !then.is_accepted(place, true, without) {
            return None;
        }
        then.workers[worker] = Worker { step: Step::Open, place, epoch };
        then.record(place, epoch, generation);
        // Rows are claimed in the first place only, until a restore.
        if place == 0 {
            (then.has_forgotten, then.has_unsynced_claims) = (false, false);
        }
        if without != Without::SyncAtOpen {
            then.synced_locks[place] = then.locks[place];
            then.synced_state[usize::from(epoch)] = then.state[usize::from(epoch)];
        }
        Some(then)
    }

    fn claim(&self, worker: usize, without: Without, next: &mut Vec<Self>) {
        let Worker { place, epoch, .. } = self.workers[worker];
        let files = &self.files[place];
        let is_refused = !self.is_accepted(place, false, without) || files.epoch() != epoch;
        let is_locked = self.is_locked(place) && without != Without::RecordBeforeUnlock;
        let generation = files.generation() + 1;
        let is_full = generation > self.last_generation;
        if is_locked || is_full || is_refused && without != Without::CompareAtClaim {
            return;
        }
        let claimed = files.read().rows;
        if let Some(row) = claimed.iter().position(|claimed| *claimed == Some(false)) {
            let mut then = self.with(worker, Step::Committed(row, generation));
            then.files[place].commit(generation, &[row], epoch);
            next.push(then);
        }
    }

    fn checkpoint_and_sync(&self, next: &mut Vec<Self>) {
        // Transactions run checkpoints, and they compare the header before. Another program that merges a newer log into a
        // restored file hides the restore.
        if !self.files[0].is_copied && self.files[0].has_valid_header() {
            let mut then = self.clone();
            then.files[0].checkpoint();
            let header = then.files[0].header();
            then.locks[0] = then.locks[0].map(|lock| Lock { header, ..lock });
            next.push(then);
        }
        if self.synced_locks != self.locks || self.synced_state != self.state {
            let mut then = self.clone();
            (then.synced_locks, then.synced_state) = (then.locks, then.state);
            then.has_unsynced_claims = false;
            next.push(then);
        }
    }

    /// Commits are durable; the witnesses forget what was not synced.
    fn power_failure(&self, next: &mut Vec<Self>) {
        let is_synced = self.synced_locks == self.locks && self.synced_state == self.state;
        // A failure within a second of a claim and after a restore leaves nothing that remembers the claim.
        if is_synced || self.restores > 0 && self.has_unsynced_claims {
            return;
        }
        let mut then = self.clone();
        (then.locks, then.state) = (self.synced_locks, self.synced_state);
        // SQLite reads the log again, and does not know what a checkpoint copied.
        then.files.iter_mut().for_each(|files| files.is_copied &= files.log == Pages::default());
        then.has_forgotten |= self.has_unsynced_claims;
        then.has_unsynced_claims = false;
        then.workers = [CLOSED; WORKERS];
        then.end_command();
        next.push(then);
    }

    fn back_up_and_restore(&self, next: &mut Vec<Self>) {
        if self.backup.is_none() {
            let mut then = self.clone();
            then.backup = Some((self.files[0], self.locks[0]));
            next.push(then);
        }
        if self.restores > 0 || self.has_forgotten {
            return;
        }
        let mut restore = |change: &dyn Fn(&mut Self)| {
            let mut then = self.clone();
            then.restores += 1;
            change(&mut then);
            // A file that is replaced was not written by a transaction that waits for a restore.
            (then.synced_locks, then.synced_state) = (then.locks, then.state);
            next.push(then);
        };
        if let Some((files, lock)) = self.backup {
            restore(&|then| then.files[0].main = files.main); // the newer log stays
            restore(&|then| then.files[0] = files);
            restore(&|then| {
                then.files[0] = Files { main: files.main, log: Pages::default(), is_copied: true }
            });
            restore(&|then| then.files[0].log = Pages::default()); // the log is removed
            restore(&|then| then.files[1] = files); // beside the lock file of another journal
            if self.has_state {
                restore(&|then| (then.files[0], then.locks[0]) = (files, lock));
            }
        }
        // Copies of the present state with a new name, without and with a copy of the lock file.
        restore(&|then| (then.files[1], then.locks[1]) = (then.files[0], None));
        restore(&|then| {
            let copied = then.locks[0].map(|lock| Lock { is_own: false, ..lock });
            (then.files[1], then.locks[1]) = (then.files[0], copied);
        });
    }

    /// The commands. An operator says that a journal was moved only if it is the one that all workers use.
    fn declare(&self, without: Without, next: &mut Vec<Self>) {
        for place in 0..PLACES {
            let files = &self.files[place];
            let is_used = self.workers.iter().any(|worker| worker.step != Step::Closed);
            let is_declarable = self.command.is_none() && self.restores > 0;
            if is_used || !is_declarable || files.generation() >= self.last_generation {
                continue;
            }
            let lock = self.locks[place].filter(|lock| lock.epoch == files.epoch());
            let remembered = lock.map_or(0, |lock| lock.generation);
            let remembered = remembered.max(self.state[usize::from(files.epoch())].0);
            let all: Vec<usize> = (0..ROWS).collect();
            let rows: &[usize] = if without == Without::RestoredActs { &[] } else { &all };
            let old = files.epoch();
            let in_place = lock.is_some_and(|lock| lock.is_own);
            next.push(self.declared(
                place,
                rows,
                files.generation().max(remembered) + 1,
                in_place.then_some((old, None)),
            ));
            let has_header =
                lock.is_none_or(|lock| lock.header <= files.header()) && files.has_valid_header();
            let is_behind = !has_header || remembered > files.generation();
            if place == 0 && self.files[1].epoch() == 1 && (!is_behind || without == Without::MovedCompares) {
                let at = files.generation();
                next.push(self.declared(place, &[], at + 1, Some((old, Some(at)))));
            }
        }
    }

    /// The commit of a command.
    fn declared(
        &self,
        place: usize,
        unknown: &[usize],
        generation: u8,
        retires: Option<(u8, Option<u8>)>,
    ) -> Self {
        let mut then = self.clone();
        then.files[place].commit(generation, unknown, NEW);
        then.command = Some(Command { place, is_running: true, retires });
        then
    }

    /// The steps of a command after its commit, before which it may be killed.
    fn activate(&self, next: &mut Vec<Self>) {
        let Some(Command { place, is_running: true, .. }) = self.command else { return };
        let mut killed = self.clone();
        killed.end_command();
        next.push(killed);
        let mut then = self.clone();
        then.end_command();
        if !then.retire() {
            return;
        }
        let generation = self.files[place].generation();
        then.locks[place] =
            Some(Lock { epoch: NEW, generation, header: self.files[place].header(), is_own: true });
        then.record(place, NEW, generation);
        (then.synced_locks, then.synced_state) = (then.locks, then.state);
        next.push(then);
    }

    fn end_command(&mut self) {
        if let Some(command) = &mut self.command {
            command.is_running = false;
        }
    }
}

fn search(has_state: bool, last_generation: u8, without: Without) -> (usize, Option<String>) {
    explore(World::new(has_state, last_generation), World::violation, |world| world.successors(without))
}

fn holds_within(last_generation: u8, with_and_without_state: &[bool]) {
    for &has_state in with_and_without_state {
        let (states, violation) = search(has_state, last_generation, Without::Nothing);
        println!("{states} states, state folder: {has_state}");
        assert_eq!(violation, None);
        assert!(states > 10_000, "the search must cover the restores, got {states} states");
    }
}

#[test]
fn no_restore_sends_a_row_twice_while_a_witness_remembers() {
    holds_within(SHORT, &[false]);
}

#[test]
#[ignore = "takes minutes without optimization; nightly"]
fn no_restore_of_a_long_history_sends_a_row_twice() {
    holds_within(LONG, &[false, true]);
}

#[test]
#[ignore = "takes half a minute without optimization; nightly"]
fn every_rule_of_the_identity_is_needed() {
    for without in [
        Without::Header,
        Without::LockFile,
        Without::LockFileExists,
        Without::OwnInode,
        Without::Epoch,
        Without::StateFolder,
        Without::CompareAtClaim,
        Without::RecordBeforeSend,
        Without::RecordBeforeUnlock,
        Without::SyncAtOpen,
        Without::MovedCompares,
        Without::RestoredActs,
    ] {
        // With a state folder some rules have a second witness.
        let has_state = without == Without::StateFolder;
        let mut searches = [has_state, !has_state].into_iter();
        let is_found = searches.any(|has_state| search(has_state, LONG, without).1.is_some());
        assert!(is_found, "the search must find a violation without {without:?}");
    }
}
