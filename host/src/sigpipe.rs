//! SIGPIPE. A write to a connection that the server has closed raises it on the writing thread, and by default it ends the
//! process. Rust's own programs ignore it; programs in C and other languages do not.
//!
//! Sockets of Apple's systems never raise it: socket2 and mio set `SO_NOSIGPIPE` on each of them.

/// Runs a function that may write to sockets. Blocks SIGPIPE on this thread meanwhile, and discards the one that such a write
/// raised. The handler of the program, its mask, and a SIGPIPE that was pending before or that another process or `pthread_kill`
/// sent remain as they are. On Linux, a SIGPIPE that the process sends to itself with `kill` looks like that of a write, so it
/// may be discarded. Threads that the function starts inherit the mask, so they never receive SIGPIPE.
#[cfg(all(unix, not(target_vendor = "apple")))]
pub fn without_sigpipe<T>(run: impl FnOnce() -> T) -> T {
    let _blocked = imp::Blocked::new();
    run()
}

/// Runs a function that may write to sockets.
#[cfg(not(all(unix, not(target_vendor = "apple"))))]
pub fn without_sigpipe<T>(run: impl FnOnce() -> T) -> T {
    run()
}

#[cfg(all(unix, not(target_vendor = "apple")))]
mod imp {
    use std::mem::MaybeUninit;

    /// SIGPIPE is blocked on this thread until this value is dropped.
    pub(super) struct Blocked {
        was_blocked: bool,
        was_pending: bool,
    }

    impl Blocked {
        pub(super) fn new() -> Self {
            let mut before = MaybeUninit::zeroed();
            // SAFETY: `only_sigpipe` returns an initialized set; `before` is initialized with zeros, and `pthread_sigmask`
            // overwrites it.
            let was_blocked = unsafe {
                libc::pthread_sigmask(libc::SIG_BLOCK, &only_sigpipe(), before.as_mut_ptr());
                libc::sigismember(before.as_ptr(), libc::SIGPIPE) == 1
            };
            // A signal that is not blocked is never pending.
            Self { was_blocked, was_pending: was_blocked && is_pending() }
        }
    }

    impl Drop for Blocked {
        fn drop(&mut self) {
            if !self.was_pending {
                discard();
            }
            if !self.was_blocked {
                // SAFETY: the set is initialized.
                unsafe { libc::pthread_sigmask(libc::SIG_UNBLOCK, &only_sigpipe(), std::ptr::null_mut()) };
            }
        }
    }

    fn only_sigpipe() -> libc::sigset_t {
        let mut set = MaybeUninit::zeroed();
        // SAFETY: `sigemptyset` initializes the set.
        unsafe {
            libc::sigemptyset(set.as_mut_ptr());
            libc::sigaddset(set.as_mut_ptr(), libc::SIGPIPE);
            set.assume_init()
        }
    }

    fn is_pending() -> bool {
        let mut set = MaybeUninit::zeroed();
        // SAFETY: `set` is initialized with zeros, and `sigpending` overwrites it.
        unsafe {
            libc::sigpending(set.as_mut_ptr());
            libc::sigismember(set.as_ptr(), libc::SIGPIPE) == 1
        }
    }

    /// Removes a pending SIGPIPE. One that is not ours is sent again, and stays pending while SIGPIPE is blocked: to this thread if
    /// `pthread_kill` or `raise` sent it, otherwise to the process.
    fn discard() {
        let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
        let at_once = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: all arguments are initialized and live.
        let received = unsafe { libc::sigtimedwait(&only_sigpipe(), info.as_mut_ptr(), &at_once) };
        // SAFETY: `info` is initialized with zeros at least.
        let info = unsafe { info.assume_init_ref() };
        if received != libc::SIGPIPE {
            return;
        }
        match sender(info) {
            Sender::Write => {}
            // SAFETY: system calls without pointers.
            Sender::Thread => unsafe {
                libc::pthread_kill(libc::pthread_self(), libc::SIGPIPE);
            },
            // SAFETY: a system call without pointers.
            Sender::Process => unsafe {
                libc::kill(libc::getpid(), libc::SIGPIPE);
            },
        }
    }

    /// Who raised a SIGPIPE.
    enum Sender {
        /// A write of this thread, or the process itself with `kill`.
        Write,
        /// `pthread_kill` or `raise`, so the signal is for this thread.
        Thread,
        /// Another process, or `sigqueue`.
        Process,
    }

    /// Linux attributes the signal of a write to the process itself; what other systems write is not known, so there each SIGPIPE
    /// counts as that of a write.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn sender(info: &libc::siginfo_t) -> Sender {
        // SAFETY: every SIGPIPE of a write and of `kill` has a process id; for others the value is only compared.
        let pid = unsafe { info.si_pid() };
        // SAFETY: a system call without pointers.
        let own = unsafe { libc::getpid() };
        match info.si_code {
            libc::SI_TKILL => Sender::Thread,
            libc::SI_USER | libc::SI_KERNEL if pid == 0 || pid == own => Sender::Write,
            _ => Sender::Process,
        }
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn sender(_: &libc::siginfo_t) -> Sender {
        Sender::Write
    }
}
