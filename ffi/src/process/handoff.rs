//! Shows tools such as ThreadSanitizer when one thread hands the data of the program to another.

use std::cell::UnsafeCell;

/// Orders the threads that pass it, one after another. It is a pthread mutex, because ThreadSanitizer, helgrind and DRD see the
/// functions of pthread and do not see the futexes of Rust's locks, which order the same threads.
///
/// The mutex of one `Handoff` must not be shared with the child of a fork, where the thread that holds it does not exist.
pub(crate) struct Handoff(Box<UnsafeCell<libc::pthread_mutex_t>>);

// SAFETY: a mutex is made for use by several threads.
unsafe impl Send for Handoff {}
// SAFETY: as above.
unsafe impl Sync for Handoff {}

impl Handoff {
    pub(crate) fn new() -> Self {
        Self(Box::new(UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER)))
    }

    /// Publishes what this thread wrote, and makes visible what the threads wrote that passed before.
    pub(crate) fn pass(&self) {
        // SAFETY: the mutex is initialized, does not move, and exists as long as `self`. This thread does not hold it.
        unsafe {
            libc::pthread_mutex_lock(self.0.get());
            libc::pthread_mutex_unlock(self.0.get());
        }
    }
}

impl Default for Handoff {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Handoff {
    fn drop(&mut self) {
        // SAFETY: no thread holds the mutex, because none has a reference to `self`.
        unsafe { libc::pthread_mutex_destroy(self.0.get()) };
    }
}
