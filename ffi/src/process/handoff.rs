//! Shows tools such as ThreadSanitizer when one thread hands the data of the program to another.

use std::cell::UnsafeCell;

/// Orders the threads that pass it, one after another. It is a pthread mutex, because ThreadSanitizer, helgrind and DRD see the
/// functions of pthread and do not see the futexes of Rust's locks, which order the same threads.
///
/// The child of a fork must not pass one of its parent, because the thread that holds it does not exist there.
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

/// Orders one thread with many others, which it does not order among themselves, so that races between them are still reported. It is a
/// pthread read-write lock, for the reason of [`Handoff`], and must not be used in the child of a fork either.
pub(crate) struct SharedHandoff(Box<UnsafeCell<libc::pthread_rwlock_t>>);

// SAFETY: a read-write lock is made for use by several threads.
unsafe impl Send for SharedHandoff {}
// SAFETY: as above.
unsafe impl Sync for SharedHandoff {}

impl SharedHandoff {
    pub(crate) fn new() -> Self {
        Self(Box::new(UnsafeCell::new(libc::PTHREAD_RWLOCK_INITIALIZER)))
    }

    /// Publishes what this thread wrote to all threads that join later, and makes visible what the threads wrote that joined before.
    pub(crate) fn publish(&self) {
        // SAFETY: the lock is initialized, does not move, and exists as long as `self`. This thread does not hold it.
        unsafe {
            libc::pthread_rwlock_wrlock(self.0.get());
            libc::pthread_rwlock_unlock(self.0.get());
        }
    }

    /// Makes visible what was published before, and lets the next thread that publishes see what this thread wrote.
    pub(crate) fn join(&self) {
        // SAFETY: as in `publish`.
        unsafe {
            libc::pthread_rwlock_rdlock(self.0.get());
            libc::pthread_rwlock_unlock(self.0.get());
        }
    }
}

impl Default for SharedHandoff {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for SharedHandoff {
    fn drop(&mut self) {
        // SAFETY: no thread holds the lock, because none has a reference to `self`.
        unsafe { libc::pthread_rwlock_destroy(self.0.get()) };
    }
}
