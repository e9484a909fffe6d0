//! The random bytes of the operating system.

/// Fills `bytes`; returns false if the operating system has no random bytes.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) fn fill(bytes: &mut [u8]) -> bool {
    getrandom::fill(bytes).is_ok()
}

/// There is no operating system; random bytes come from [`crate::clock::Clock`].
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) fn fill(_bytes: &mut [u8]) -> bool {
    false
}
