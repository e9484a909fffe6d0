//! Random commands on several copies of one journal, whose workers stay open: no row is sent twice on a machine whose state folder remembers,
//! whatever `moved` says. `CAMPAIGN_RESTORES` is the number of walks, `CAMPAIGN_SEED` the first seed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::journal::{ChunkView, Claim, Claimed, Journal, OpenOptions, Settings};
use cpaas_campaign::protocol::{Resolution, RowOutcome, Token};
use cpaas_campaign::{Error, Result};

use crate::restore_random::{Random, number};
use crate::support::{Scratch, close_as_killed, create, open, settlement, token};

const ROWS: u64 = 24;
const COPIES: usize = 4;
const STEPS: u64 = 40;

/// A worker that stays open while commands run. Its thread has ended, so that they are not refused.
struct Worker {
    journal: Journal,
    owner: Token,
}

struct World {
    scratch: Scratch,
    id: String,
    workers: [Option<Worker>; COPIES],
    sent: BTreeMap<u16, u32>,
    /// The copies that sent.
    senders: BTreeSet<usize>,
    refused: BTreeSet<&'static str>,
    random: Random,
    log: Vec<String>,
}

impl World {
    fn new(seed: u64) -> Self {
        let scratch = Scratch::file();
        let mut world = Self {
            scratch,
            id: String::new(),
            workers: Default::default(),
            sent: BTreeMap::new(),
            senders: BTreeSet::new(),
            refused: BTreeSet::new(),
            random: Random(seed),
            log: Vec::new(),
        };
        world.id = create(&mut open(&world.url(0)), "c", ROWS, Settings::default());
        world
    }

    fn url(&self, copy: usize) -> String {
        self.scratch.folder.path().join(format!("j{copy}.db")).display().to_string()
    }

    fn file(&self, copy: usize, suffix: &str) -> PathBuf {
        PathBuf::from(format!("{}{suffix}", self.url(copy)))
    }

    fn copy(&mut self) -> usize {
        self.random.below(COPIES as u64) as usize
    }

    fn worker(&mut self, copy: usize) -> Result<Worker> {
        if let Some(worker) = self.workers[copy].take() {
            return Ok(worker);
        }
        let mut existing = OpenOptions::default();
        existing.existing = true;
        let mut journal = open_journal(&self.url(copy), existing)?;
        let id = self.id.as_str();
        let owner = std::thread::scope(|scope| scope.spawn(|| journal.register_thread(id)).join().unwrap())?;
        Ok(Worker { journal, owner })
    }

    /// Claims up to two rows, sends them, and settles some of them.
    fn work(&mut self, copy: usize) -> Result<()> {
        let Worker { mut journal, owner } = self.worker(copy)?;
        let (rows, (history, version)) = (journal.rows(&self.id, 0)?, journal.history(&self.id, 0)?);
        let mut of_chunk = ChunkView::new(0, &rows, history, version);
        let claim =
            Claim { owner, token: token(), limit: 2, requested: &|_| true, may_halt: true, provider: &[] };
        let exchange = journal.exchange(&self.id, owner, &[], 0, Some((&claim, &mut of_chunk)))?;
        if let Some(Claimed::Won { permit, .. }) = exchange.claimed {
            for named in &permit.rows {
                // A worker may be killed before it sends.
                if self.random.is_one_of(5) {
                    continue;
                }
                *self.sent.entry(named.row).or_default() += 1;
                self.senders.insert(copy);
                if !self.random.is_one_of(3) {
                    let accepted = settlement(&permit, named.row, RowOutcome::Accepted);
                    journal.exchange(&self.id, owner, &[accepted], 0, None)?;
                }
            }
        }
        match self.random.below(3) {
            0 => drop(journal),
            1 if self.file(copy, "-lock").exists() => close_as_killed(journal, &self.url(copy)),
            _ => self.workers[copy] = Some(Worker { journal, owner }),
        }
        Ok(())
    }

    /// Writes the files of a copy over those of another one, with or without its log and its lock file.
    fn overwrite(&mut self, from: usize, to: usize) {
        if !self.random.is_one_of(4) {
            self.workers[to] = None;
        }
        for suffix in ["-wal", "-shm"] {
            if !self.random.is_one_of(4) {
                let _ = fs::remove_file(self.file(to, suffix));
            }
        }
        for suffix in ["", "-wal", "-lock"] {
            let is_copied = suffix.is_empty() || self.random.is_one_of(2);
            if is_copied && self.file(from, suffix).exists() {
                fs::copy(self.file(from, suffix), self.file(to, suffix)).unwrap();
                fs::set_permissions(self.file(to, suffix), fs::Permissions::from_mode(0o600)).unwrap();
            }
        }
    }

    /// `restored` that a kill ends after its commit.
    fn restore_and_kill(&mut self, copy: usize) -> Result<()> {
        let lock = self.file(copy, "-lock");
        let before = fs::read(&lock).ok();
        Journal::mark_restored(&self.url(copy), false)?;
        match before {
            Some(bytes) => fs::write(lock, bytes).unwrap(),
            None => fs::remove_file(lock).unwrap(),
        }
        Ok(())
    }

    /// Resolves the rows that nobody has sent.
    fn resolve(&mut self, copy: usize) -> Result<()> {
        let rows: Vec<u64> = (0..ROWS).filter(|row| !self.sent.contains_key(&(*row as u16))).collect();
        let are_stopped = !self.random.is_one_of(3);
        let mut existing = OpenOptions::default();
        existing.existing = true;
        let mut journal = open_journal(&self.url(copy), existing)?;
        journal.resolve(&self.id, Resolution::NotSent, Some(&rows), 0, are_stopped).map(drop)
    }

    /// A copy that exists.
    fn existing(&mut self) -> usize {
        let existing: Vec<usize> = (0..COPIES).filter(|copy| self.file(*copy, "").exists()).collect();
        existing[self.random.below(existing.len() as u64) as usize]
    }

    fn step(&mut self) {
        let copy = self.existing();
        let (name, result) = match self.random.below(20) {
            0..=8 => ("work", self.work(copy)),
            9 | 10 => {
                let to = self.copy();
                if to != copy {
                    self.overwrite(copy, to);
                }
                self.log.push(format!("cp {copy} {to}"));
                return;
            }
            11 | 12 => ("moved", Journal::mark_moved(&self.url(copy))),
            13 | 14 => {
                ("restored", Journal::mark_restored(&self.url(copy), self.random.is_one_of(2)).map(drop))
            }
            15 => ("restored and killed", self.restore_and_kill(copy)),
            _ => ("resolve", self.resolve(copy)),
        };
        let ended = result.as_ref().map_or_else(Error::code, |()| "done");
        self.log.push(format!("{name} {copy}: {ended}"));
        if let Err(error) = &result {
            self.refused.insert(error.code());
        }
    }
}

/// One walk. Returns the copies that sent, and the codes of the errors.
fn walk(seed: u64) -> (BTreeSet<usize>, BTreeSet<&'static str>) {
    let mut world = World::new(seed);
    for _ in 0..STEPS {
        world.step();
        let twice: Vec<_> = world.sent.iter().filter(|(_, times)| **times > 1).collect();
        assert!(twice.is_empty(), "seed {seed}: sent twice: {twice:?}\n{}", world.log.join("\n"));
    }
    (world.senders, world.refused)
}

#[test]
fn copies_that_are_restored_at_random_send_no_row_twice() {
    let (walks, first) = (number("CAMPAIGN_RESTORES", 20), number("CAMPAIGN_SEED", 1));
    let (mut by_copies, mut refused) = (0, BTreeSet::new());
    for seed in first..first + walks {
        let (senders, codes) = walk(seed);
        by_copies += usize::from(senders.iter().any(|copy| *copy > 0));
        refused.extend(codes);
    }
    println!("{walks} walks: copies sent in {by_copies} of them; errors: {refused:?}; 0 rows twice");
    assert!(by_copies > 0, "no copy sent a row");
    assert!(refused.contains("taken_over") && refused.contains("copied"), "{refused:?}");
}
