//! Starts threads that block all signals. A signal that the program blocks and reads, for example with `signalfd`, must not
//! be delivered to a thread of the library.

#[cfg(unix)]
use std::mem::MaybeUninit;
use std::thread::{Builder, JoinHandle};

/// Starts a thread that blocks all signals from its first instruction: it inherits the mask of its creator.
pub(crate) fn spawn_blocked(run: impl FnOnce() + Send + 'static) -> std::io::Result<JoinHandle<()>> {
    with_blocked(|| Builder::new().name("cpaas".to_owned()).spawn(run))
}

/// Runs a function while this thread blocks all signals.
pub(crate) fn with_blocked<T>(run: impl FnOnce() -> T) -> T {
    let before = Mask::block_all();
    let result = run();
    drop(before);
    result
}

/// Blocks all signals of this thread.
pub(crate) fn block_all() {
    std::mem::forget(Mask::block_all());
}

/// Windows has no signal masks.
#[cfg(not(unix))]
struct Mask;

#[cfg(not(unix))]
impl Mask {
    const fn block_all() -> Self {
        Self
    }
}

/// The previous signal mask, which is restored on drop.
#[cfg(unix)]
struct Mask(libc::sigset_t);

#[cfg(unix)]
impl Mask {
    fn block_all() -> Self {
        let mut all = MaybeUninit::uninit();
        let mut before = MaybeUninit::zeroed();
        // SAFETY: `sigfillset` initializes `all`. `before` is initialized with zeros, and `pthread_sigmask` overwrites it.
        unsafe {
            libc::sigfillset(all.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
            Self(before.assume_init())
        }
    }
}

#[cfg(unix)]
impl Drop for Mask {
    fn drop(&mut self) {
        // SAFETY: the mask was written by `pthread_sigmask`.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, std::ptr::null_mut()) };
    }
}
