//! The random bytes of the operating system.

/// Fills `bytes`; returns false if the operating system has no random bytes.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) fn fill(bytes: &mut [u8]) -> bool {
    getrandom::fill(bytes).is_ok()
}

/// There is no operating system: random bytes come from [`crate::clock::Clock`], or from the function of [`set_source`].
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) fn fill(bytes: &mut [u8]) -> bool {
    SOURCE.get().is_some_and(|source| source(bytes))
}

/// Fills bytes with random ones; returns false if it has none.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
type Source = fn(&mut [u8]) -> bool;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
static SOURCE: std::sync::OnceLock<Source> = std::sync::OnceLock::new();

/// Sets the host's source of random bytes. The first one stays.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) fn set_source(source: Source) {
    let _ = SOURCE.set(source);
}
