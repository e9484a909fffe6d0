//! Wakes an event loop when results are in its queue: through a file descriptor that the loop watches, or through a thread that waits.

use std::sync::{Condvar, Mutex, PoisonError};

#[cfg(unix)]
use crate::wakeup_fd::WakeupFd;

/// The state of a thread that waits for results.
#[derive(Default)]
struct Waiter {
    is_set: bool,
    is_closed: bool,
}

#[derive(Default)]
pub(crate) struct Wakeup {
    /// Opened for a loop that can watch a file descriptor; the thread waits otherwise. Windows watches sockets only.
    #[cfg(unix)]
    descriptor: std::sync::OnceLock<WakeupFd>,
    waiter: Mutex<Waiter>,
    changed: Condvar,
}

impl Wakeup {
    /// The file descriptor that is readable while results are in the queue; `None` where loops cannot watch one.
    #[cfg(unix)]
    pub(crate) fn fileno(&self) -> std::io::Result<Option<i32>> {
        if self.descriptor.get().is_none() {
            let _ = self.descriptor.set(WakeupFd::new()?);
        }
        Ok(self.descriptor.get().map(WakeupFd::fileno))
    }

    /// As above.
    #[cfg(not(unix))]
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "the signature of the other systems")]
    pub(crate) const fn fileno(&self) -> std::io::Result<Option<i32>> {
        Ok(None)
    }

    /// Wakes the loop. Called after a result was pushed to an empty queue.
    pub(crate) fn set(&self) {
        #[cfg(unix)]
        if let Some(descriptor) = self.descriptor.get() {
            descriptor.set();
        }
        self.change(|waiter| waiter.is_set = true);
    }

    /// Makes the descriptor unreadable until the next [`Wakeup::set`]. Called before the queue is drained.
    pub(crate) fn clear(&self) {
        #[cfg(unix)]
        if let Some(descriptor) = self.descriptor.get() {
            descriptor.clear();
        }
    }

    /// Waits for the next [`Wakeup::set`], which one call returns once. Returns false after [`Wakeup::close`].
    pub(crate) fn wait(&self) -> bool {
        let mut waiter = self.waiter.lock().unwrap_or_else(PoisonError::into_inner);
        while !waiter.is_set && !waiter.is_closed {
            waiter = self.changed.wait(waiter).unwrap_or_else(PoisonError::into_inner);
        }
        waiter.is_set = false;
        !waiter.is_closed
    }

    /// Ends the thread that waits.
    pub(crate) fn close(&self) {
        self.change(|waiter| waiter.is_closed = true);
    }

    fn change(&self, change: impl FnOnce(&mut Waiter)) {
        change(&mut self.waiter.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}
