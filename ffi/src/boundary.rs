//! What every export does first and last: reads its arguments, catches panics, writes `out`.

use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::Once;

use crate::cpaas_status;
use crate::text::cpaas_text;

/// What a function writes to `out`, with its status.
pub(crate) type Output = Result<Option<String>, (cpaas_status, Option<String>)>;

/// Runs a function that writes a string to `out`.
///
/// # Safety
/// `out` is NULL or valid for writes.
pub(crate) unsafe fn write_output(out: *mut cpaas_text, run: impl FnOnce() -> Output) -> cpaas_status {
    if out.is_null() {
        return cpaas_status::CPAAS_BAD_ARGUMENT;
    }
    let (status, text) = match catch_panic(run) {
        Ok(Ok(text)) => (cpaas_status::CPAAS_OK, text),
        Ok(Err((status, text))) => (status, text),
        Err(status) => (status, None),
    };
    // SAFETY: `out` is not NULL, and the caller passes memory that is valid for writes.
    unsafe { out.write(text.map_or(cpaas_text::NONE, cpaas_text::new)) };
    status
}

/// Runs a function that returns only a status.
pub(crate) fn return_status(run: impl FnOnce() -> Result<(), cpaas_status>) -> cpaas_status {
    match catch_panic(run) {
        Ok(Ok(())) => cpaas_status::CPAAS_OK,
        Ok(Err(status)) | Err(status) => status,
    }
}

/// Turns a panic into `CPAAS_PANIC`: a panic must not cross the boundary.
pub(crate) fn catch_panic<T>(run: impl FnOnce() -> T) -> Result<T, cpaas_status> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| std::panic::set_hook(Box::new(|info| log_panic(info.location()))));
    catch_unwind(AssertUnwindSafe(|| {
        panic_if_requested("export");
        run()
    }))
    .map_err(|_| cpaas_status::CPAAS_PANIC)
}

/// Reports a panic to the log. It is never printed, because its message may quote input.
fn log_panic(location: Option<&Location<'_>>) {
    #[cfg(feature = "http")]
    crate::process::log::log_panic(location);
    #[cfg(not(feature = "http"))]
    let _ = location;
}

/// Panics if the environment variable `CPAAS_PANIC` names this location.
#[cfg(feature = "panic-test")]
#[expect(clippy::panic, reason = "the panic that the boundary must catch")]
pub(crate) fn panic_if_requested(location: &str) {
    if std::env::var("CPAAS_PANIC").is_ok_and(|requested| requested == location) {
        panic!("requested by CPAAS_PANIC");
    }
}

#[cfg(not(feature = "panic-test"))]
pub(crate) const fn panic_if_requested(_: &str) {}

/// Reads a string argument that must not be NULL.
///
/// # Safety
/// `data` is NULL or valid for `len` bytes.
pub(crate) unsafe fn utf8<'a>(data: *const c_char, len: usize) -> Result<&'a str, cpaas_status> {
    if data.is_null() {
        return Err(cpaas_status::CPAAS_BAD_ARGUMENT);
    }
    // SAFETY: the same contract as this function's.
    unsafe { utf8_or_empty(data, len) }
}

/// Reads a string argument that may be NULL if its length is 0.
///
/// # Safety
/// `data` is NULL or valid for `len` bytes.
pub(crate) unsafe fn utf8_or_empty<'a>(data: *const c_char, len: usize) -> Result<&'a str, cpaas_status> {
    // SAFETY: the same contract as this function's.
    let bytes = unsafe { bytes(data, len) }?;
    std::str::from_utf8(bytes).map_err(|_| cpaas_status::CPAAS_BAD_UTF8)
}

/// Reads bytes, which may be NULL if the length is 0.
///
/// # Safety
/// `data` is NULL or valid for `len` bytes.
pub(crate) unsafe fn bytes<'a>(data: *const c_char, len: usize) -> Result<&'a [u8], cpaas_status> {
    if len == 0 {
        return Ok(&[]);
    }
    if data.is_null() || isize::try_from(len).is_err() {
        return Err(cpaas_status::CPAAS_BAD_ARGUMENT);
    }
    // SAFETY: not NULL, and the caller guarantees the length.
    Ok(unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) })
}

/// Reads a name argument, a C string.
///
/// # Safety
/// `name` is NULL or a C string.
pub(crate) unsafe fn c_name<'a>(name: *const c_char) -> Result<&'a str, cpaas_status> {
    if name.is_null() {
        return Err(cpaas_status::CPAAS_BAD_ARGUMENT);
    }
    // SAFETY: not NULL, and the caller passes a C string.
    let name = unsafe { std::ffi::CStr::from_ptr(name) };
    name.to_str().map_err(|_| cpaas_status::CPAAS_BAD_UTF8)
}

/// Upper limit of a struct's `size`, in bytes; a larger value is an uninitialized member.
const MAX_STRUCT_SIZE: usize = 256;

/// Reads a struct whose first member is its size. A larger struct from a newer header is accepted if the members that
/// this version does not know are 0.
///
/// # Safety
/// `given` points to a struct whose first member is its size.
pub(crate) unsafe fn read_sized<T: Copy>(given: *const T) -> Result<T, cpaas_status> {
    // SAFETY: every version of the struct begins with `size`.
    let size = unsafe { given.cast::<usize>().read() };
    if !(size_of::<T>()..=MAX_STRUCT_SIZE).contains(&size) {
        return Err(cpaas_status::CPAAS_BAD_ARGUMENT);
    }
    // SAFETY: the struct has `size` bytes, and the caller has initialized the bytes after the known members.
    let unknown =
        unsafe { std::slice::from_raw_parts(given.cast::<u8>().add(size_of::<T>()), size - size_of::<T>()) };
    if unknown.iter().any(|byte| *byte != 0) {
        return Err(cpaas_status::CPAAS_BAD_ARGUMENT);
    }
    // SAFETY: the struct is at least as large as this version of it.
    Ok(unsafe { given.read() })
}

/// An error without output.
pub(crate) const fn no_output(status: cpaas_status) -> (cpaas_status, Option<String>) {
    (status, None)
}
