//! What every export does first and last: reads its arguments, holds back panics, writes `out`.

use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::Once;

use crate::cpaas_status;
use crate::text::cpaas_text;

pub(crate) type Outcome = Result<Option<String>, (cpaas_status, Option<String>)>;

/// Runs a function whose answer is a text.
///
/// # Safety
/// `out` is NULL or valid for writes.
pub(crate) unsafe fn answer(out: *mut cpaas_text, run: impl FnOnce() -> Outcome) -> cpaas_status {
    if out.is_null() {
        return cpaas_status::CPAAS_BAD_ARGUMENT;
    }
    let (status, text) = match guarded(run) {
        Ok(Ok(text)) => (cpaas_status::CPAAS_OK, text),
        Ok(Err((status, text))) => (status, text),
        Err(status) => (status, None),
    };
    // SAFETY: `out` is not NULL, and the caller gives a place that can be written.
    unsafe { out.write(text.map_or(cpaas_text::NONE, cpaas_text::new)) };
    status
}

/// Runs a function that answers with a status alone.
pub(crate) fn status(run: impl FnOnce() -> Result<(), cpaas_status>) -> cpaas_status {
    match guarded(run) {
        Ok(Ok(())) => cpaas_status::CPAAS_OK,
        Ok(Err(status)) | Err(status) => status,
    }
}

/// A panic never crosses the boundary.
pub(crate) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, cpaas_status> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| std::panic::set_hook(Box::new(|info| fault(info.location()))));
    catch_unwind(AssertUnwindSafe(|| {
        planted("export");
        run()
    }))
    .map_err(|_| cpaas_status::CPAAS_PANIC)
}

/// A fault is told to the log, never printed: its message may quote an input.
fn fault(place: Option<&Location<'_>>) {
    #[cfg(feature = "http")]
    crate::log::fault(place);
    #[cfg(not(feature = "http"))]
    let _ = place;
}

/// Panics where the environment variable `CPAAS_PANIC` says so.
#[cfg(feature = "panic-test")]
#[expect(clippy::panic, reason = "the fault that the boundary must hold back")]
pub(crate) fn planted(place: &str) {
    if std::env::var("CPAAS_PANIC").is_ok_and(|wanted| wanted == place) {
        panic!("planted");
    }
}

#[cfg(not(feature = "panic-test"))]
pub(crate) const fn planted(_: &str) {}

/// A text argument.
///
/// # Safety
/// `data` is NULL or valid for `len` bytes.
pub(crate) unsafe fn utf8<'a>(data: *const c_char, len: usize) -> Result<&'a str, cpaas_status> {
    if data.is_null() {
        return Err(cpaas_status::CPAAS_BAD_ARGUMENT);
    }
    // SAFETY: handed on from the caller.
    unsafe { optional(data, len) }
}

/// A text that may be NULL when it is empty.
///
/// # Safety
/// `data` is NULL or valid for `len` bytes.
pub(crate) unsafe fn optional<'a>(data: *const c_char, len: usize) -> Result<&'a str, cpaas_status> {
    // SAFETY: handed on from the caller.
    let bytes = unsafe { bytes(data, len) }?;
    std::str::from_utf8(bytes).map_err(|_| cpaas_status::CPAAS_BAD_UTF8)
}

/// Bytes; NULL may be no bytes.
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
    // SAFETY: not NULL, and the caller vouches for the length.
    Ok(unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) })
}

/// A name argument: a C string.
///
/// # Safety
/// `name` is NULL or a C string.
pub(crate) unsafe fn name<'a>(name: *const c_char) -> Result<&'a str, cpaas_status> {
    if name.is_null() {
        return Err(cpaas_status::CPAAS_BAD_ARGUMENT);
    }
    // SAFETY: not NULL, and the caller gives a C string.
    let name = unsafe { std::ffi::CStr::from_ptr(name) };
    name.to_str().map_err(|_| cpaas_status::CPAAS_BAD_UTF8)
}

/// No version of a struct is as large; a `size` above it was never set.
const LARGEST: usize = 256;

/// A struct that begins with its size. A larger one, of a later version, will do where what this version does not know
/// is 0.
///
/// # Safety
/// `given` points to a struct whose first member is its size.
pub(crate) unsafe fn sized<T: Copy>(given: *const T) -> Result<T, cpaas_status> {
    // SAFETY: every version of the struct begins with `size`.
    let size = unsafe { given.cast::<usize>().read() };
    if !(size_of::<T>()..=LARGEST).contains(&size) {
        return Err(cpaas_status::CPAAS_BAD_ARGUMENT);
    }
    // SAFETY: the struct is as large as it says, and the rest of it are bytes of members that were set.
    let unknown =
        unsafe { std::slice::from_raw_parts(given.cast::<u8>().add(size_of::<T>()), size - size_of::<T>()) };
    if unknown.iter().any(|byte| *byte != 0) {
        return Err(cpaas_status::CPAAS_BAD_ARGUMENT);
    }
    // SAFETY: it is at least as large as this version of it.
    Ok(unsafe { given.read() })
}

/// A status without a text.
pub(crate) const fn bare(status: cpaas_status) -> (cpaas_status, Option<String>) {
    (status, None)
}
