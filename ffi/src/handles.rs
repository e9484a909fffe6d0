//! Handles of clients, exchanges and receivers. A handle looks like a pointer, but is a key of a table and is never dereferenced.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::boundary::{Failure, NOT_NULL};
use crate::cpaas_status;

/// A client: addresses, credentials and connections. Opaque. The library looks the pointer up in a table and never
/// dereferences it, so that an invalid or freed handle is `CPAAS_BAD_HANDLE`.
#[allow(non_camel_case_types, reason = "the names of the C header")]
#[derive(Debug)]
pub struct cpaas_client {
    _opaque: [u8; 0],
}

/// A call whose HTTP requests the program sends. Opaque, and looked up like a client.
#[allow(non_camel_case_types, reason = "the names of the C header")]
#[derive(Debug)]
pub struct cpaas_exchange {
    _opaque: [u8; 0],
}

/// A receiver of callbacks: its configuration, and the states of messages that it has seen. Opaque, and looked up like a
/// client.
#[cfg(feature = "http")]
#[allow(non_camel_case_types, reason = "the names of the C header")]
#[derive(Debug)]
pub struct cpaas_receiver {
    _opaque: [u8; 0],
}

static NEXT: AtomicU64 = AtomicU64::new(1);

/// Handles are multiples of this number, so that debuggers and sanitizers see aligned addresses.
const ALIGNMENT: u64 = 16;

/// The key of a handle; `argument` is the name of the argument for errors.
pub(crate) fn key<T>(handle: *const T, argument: &'static str) -> Result<u64, Failure> {
    let address = handle.addr() as u64;
    match address {
        0 => Err(Failure::bad_argument(argument, NOT_NULL)),
        _ if !address.is_multiple_of(ALIGNMENT) => Err(bad_handle(argument)),
        _ => Ok(address / ALIGNMENT),
    }
}

/// A new key and its handle.
pub(crate) fn new_key<T>() -> (u64, *mut T) {
    let key = NEXT.fetch_add(1, Ordering::Relaxed);
    (key, std::ptr::without_provenance_mut((key * ALIGNMENT) as usize))
}

pub(crate) const fn bad_handle(argument: &'static str) -> Failure {
    Failure::Argument(
        cpaas_status::CPAAS_BAD_HANDLE,
        argument,
        "must be a handle of this library that was not freed",
    )
}
