//! Marks rows in the file of the worker before they are sent.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::journal::{OwnerFile, Settlement};
use crate::protocol::{Permit, Token};

/// More entries than this many permits are never open beside those of the rows in progress.
const CLAIMED_AHEAD: usize = 64;

/// The entries of a worker's file. Without a file, or without a free entry, nothing is marked, and rows are unknown after a kill.
#[derive(Default)]
pub(super) struct Marks {
    file: Option<Arc<OwnerFile>>,
    free: Vec<usize>,
    /// The entry of each open permit, and how many of its rows are not settled.
    open: HashMap<(u32, u32), (usize, usize)>,
}

impl Marks {
    pub(super) fn new(owner: Token, concurrency: usize, journal: Option<&Path>) -> Self {
        let entries = concurrency.saturating_add(CLAIMED_AHEAD);
        let file = OwnerFile::create(owner, entries, journal).map(Arc::new);
        let entries = file.as_ref().map_or(0, |file| file.entries());
        Self { file, free: (0..entries).collect(), open: HashMap::new() }
    }

    /// Whether the worker must not claim any more.
    pub(super) fn is_stuck(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.is_stuck())
    }

    /// Names a permit before it is claimed.
    pub(super) fn name(&mut self, chunk: u32, sequence: u32) -> Option<usize> {
        let (file, entry) = (self.file.as_ref()?, self.free.pop()?);
        file.name(entry, chunk, sequence).then_some(entry)
    }

    /// The claim was won: its rows are marked in this entry.
    pub(super) fn won(&mut self, entry: Option<usize>, chunk: u32, permit: &Permit) -> Option<PermitEntry> {
        let (entry, file) = (entry?, self.file.clone()?);
        self.open.insert((chunk, permit.sequence), (entry, permit.rows.len()));
        Some(PermitEntry { file, entry })
    }

    /// The claim was not won.
    pub(super) fn lost(&mut self, entry: Option<usize>) {
        if let (Some(entry), Some(file)) = (entry, &self.file) {
            file.clear(entry);
            self.free.push(entry);
        }
    }

    /// The outcomes of rows are durable.
    pub(super) fn settled(&mut self, settlements: &[Settlement]) {
        for settlement in settlements {
            let key = (settlement.chunk, settlement.sequence);
            let Some((entry, left)) = self.open.get_mut(&key) else { continue };
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.free.push(*entry);
                self.open.remove(&key);
            }
        }
    }

    /// The worker ends. Its file stays if rows are not settled: it proves which of them were not sent.
    pub(super) fn end(&self) {
        if let Some(file) = &self.file
            && self.open.is_empty()
        {
            file.remove();
        }
    }
}

/// The entry of one permit. It keeps the file open.
#[derive(Clone)]
pub(super) struct PermitEntry {
    file: Arc<OwnerFile>,
    entry: usize,
}

impl PermitEntry {
    /// Marks a row by its position in the permit. If this returns false, the row must not be sent.
    pub(super) fn mark(&self, position: usize) -> bool {
        self.file.mark(self.entry, position)
    }
}
