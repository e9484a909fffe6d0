//! Timers on an account's clock.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Something that is due at a point in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Timer {
    /// An SMS reaches its final state.
    SmsSettles(u64),
    /// A chat message reaches the next status of its chain.
    ChatStep(u64),
    /// A failover checks whether its current message was delivered.
    Failover(u64),
    /// A message that never left `Created` is deleted.
    Purge(u64),
    /// The next step of a workflow run.
    Workflow(u64),
    /// A callback is attempted.
    Callback(u64),
}

#[derive(Debug, Default)]
pub(crate) struct Timers {
    heap: BinaryHeap<Reverse<(u64, u64, Timer)>>,
    count: u64,
}

impl Timers {
    pub(crate) fn set(&mut self, at: u64, timer: Timer) {
        self.heap.push(Reverse((at, self.count, timer)));
        self.count += 1;
    }

    pub(crate) fn next(&self) -> Option<u64> {
        self.heap.peek().map(|Reverse((at, ..))| *at)
    }

    /// Removes the earliest timer that is due; timers with the same time come in the order in which they were set.
    pub(crate) fn due(&mut self, until: u64) -> Option<(u64, Timer)> {
        if self.next()? > until {
            return None;
        }
        self.heap.pop().map(|Reverse((at, _, timer))| (at, timer))
    }

    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }
}
