//! A file descriptor that wakes an event loop: an eventfd on Linux, a socket pair on other systems.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

pub(crate) struct WakeupFd {
    read: OwnedFd,
    #[cfg(not(target_os = "linux"))]
    write: OwnedFd,
}

impl WakeupFd {
    #[cfg(target_os = "linux")]
    pub(crate) fn new() -> io::Result<Self> {
        // SAFETY: a system call without pointers.
        let fd = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor is open, and nothing else owns it.
        Ok(Self { read: unsafe { OwnedFd::from_raw_fd(fd) } })
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn new() -> io::Result<Self> {
        let (read, write) = std::os::unix::net::UnixStream::pair()?;
        read.set_nonblocking(true)?;
        write.set_nonblocking(true)?;
        Ok(Self { read: read.into(), write: write.into() })
    }

    pub(crate) fn fileno(&self) -> RawFd {
        self.read.as_raw_fd()
    }

    #[cfg(target_os = "linux")]
    fn writable(&self) -> RawFd {
        self.read.as_raw_fd()
    }

    #[cfg(not(target_os = "linux"))]
    fn writable(&self) -> RawFd {
        self.write.as_raw_fd()
    }

    /// Makes the descriptor readable.
    pub(crate) fn set(&self) {
        let one = 1_u64.to_ne_bytes();
        // SAFETY: 8 bytes of a live array; the descriptor is open while `self` lives. If the counter or buffer is
        // full, the descriptor is readable already, so the result is ignored.
        let _ = unsafe { libc::write(self.writable(), one.as_ptr().cast(), one.len()) };
    }

    /// Makes the descriptor unreadable until the next [`WakeupFd::set`].
    pub(crate) fn clear(&self) {
        let mut bytes = [0_u8; 256];
        // SAFETY: writes at most the length of the array. An empty descriptor is not an error.
        let _ = unsafe { libc::read(self.fileno(), bytes.as_mut_ptr().cast(), bytes.len()) };
    }
}
