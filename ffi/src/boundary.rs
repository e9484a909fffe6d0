//! The first and the last step of every export: reads its arguments, catches panics, writes `out`.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use cpaas_core::problem::Report;

use crate::cpaas_status;
use crate::output_text::cpaas_text;

/// The text that a function writes to `out`, or the failure with its status.
pub(crate) type Output = Result<Option<String>, Failure>;

/// Why a function failed. The message about an invalid argument is built only if it is written to `out`, so that the functions
/// that count allocate nothing.
#[derive(Clone)]
pub(crate) enum Failure {
    /// An invalid argument: the status, the name of the argument, and what it must be.
    Argument(cpaas_status, &'static str, &'static str),
    /// A status with its output.
    Output(cpaas_status, Option<String>),
}

impl Failure {
    pub(crate) const fn bad_argument(name: &'static str, expected: &'static str) -> Self {
        Self::Argument(cpaas_status::CPAAS_BAD_ARGUMENT, name, expected)
    }

    pub(crate) const fn status(&self) -> cpaas_status {
        match self {
            Self::Argument(status, _, _) | Self::Output(status, _) => *status,
        }
    }

    pub(crate) fn into_text(self) -> Option<String> {
        match self {
            Self::Argument(_, name, expected) => {
                Some(format!("{{\"argument\":\"{name}\",\"message\":\"`{name}` {expected}\"}}"))
            }
            Self::Output(status, text) => text.or_else(|| status.error_text()),
        }
    }
}

impl From<cpaas_status> for Failure {
    fn from(status: cpaas_status) -> Self {
        Self::Output(status, None)
    }
}

/// Runs a function that writes a string to `out`.
///
/// # Safety
/// `out` is NULL or valid for writes.
pub(crate) unsafe fn write_output(out: *mut cpaas_text, run: impl FnOnce() -> Output) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe { write_text(out, || run().map(cpaas_text::of)) }
}

/// Runs a function that creates a report, and writes the report to `out`.
///
/// # Safety
/// `out` is NULL or valid for writes.
pub(crate) unsafe fn write_report(
    out: *mut cpaas_text,
    run: impl FnOnce() -> Result<Report, Failure>,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe { write_text(out, || run().map(|report| cpaas_text::report(&report))) }
}

/// Runs a function that creates a text, and writes the text to `out`.
///
/// # Safety
/// `out` is NULL or valid for writes.
unsafe fn write_text(
    out: *mut cpaas_text,
    run: impl FnOnce() -> Result<cpaas_text, Failure>,
) -> cpaas_status {
    if out.is_null() {
        return cpaas_status::CPAAS_BAD_ARGUMENT;
    }
    let (status, text) = match catch_panic(run) {
        Ok(Ok(text)) => (cpaas_status::CPAAS_OK, text),
        Ok(Err(failure)) => (failure.status(), cpaas_text::of(failure.into_text())),
        Err(status) => (status, cpaas_text::of(Failure::from(status).into_text())),
    };
    // SAFETY: `out` is not NULL, and the caller passes memory that is valid for writes.
    unsafe { out.write(text) };
    status
}

/// Runs a function of a text, which may be NULL if its length is 0, and writes its result to `out`.
///
/// # Safety
/// `text` is NULL or valid for `len` bytes; `out` is NULL or valid for writes.
pub(crate) unsafe fn write_result_of_text(
    text: *const c_char,
    len: usize,
    out: *mut cpaas_text,
    run: impl FnOnce(&str) -> Result<String, Failure>,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe { write_output(out, || run(utf8_or_empty(text, len, "text")?).map(Some)) }
}

/// Runs a function that returns only a status.
pub(crate) fn return_status(run: impl FnOnce() -> Result<(), Failure>) -> cpaas_status {
    match catch_panic(run) {
        Ok(Ok(())) => cpaas_status::CPAAS_OK,
        Ok(Err(failure)) => failure.status(),
        Err(status) => status,
    }
}

/// Turns a panic into `CPAAS_PANIC`: a panic must not cross the boundary. The panic is not printed, because its message
/// may quote input; `cpaas_log_callback` installs a hook that logs its location.
pub(crate) fn catch_panic<T>(run: impl FnOnce() -> T) -> Result<T, cpaas_status> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| std::panic::set_hook(Box::new(|_| {})));
    catch_unwind(AssertUnwindSafe(|| {
        panic_if_requested("export");
        run()
    }))
    .map_err(|_| cpaas_status::CPAAS_PANIC)
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
pub(crate) unsafe fn utf8<'a>(
    data: *const c_char,
    len: usize,
    name: &'static str,
) -> Result<&'a str, Failure> {
    if data.is_null() {
        return Err(Failure::bad_argument(name, NOT_NULL));
    }
    // SAFETY: the same contract as this function's.
    unsafe { utf8_or_empty(data, len, name) }
}

/// Reads a string argument that may be NULL if its length is 0.
///
/// # Safety
/// `data` is NULL or valid for `len` bytes.
pub(crate) unsafe fn utf8_or_empty<'a>(
    data: *const c_char,
    len: usize,
    name: &'static str,
) -> Result<&'a str, Failure> {
    // SAFETY: the same contract as this function's.
    let bytes = unsafe { bytes(data, len, name) }?;
    std::str::from_utf8(bytes).map_err(|_| bad_utf8(name))
}

/// Reads bytes, which may be NULL if the length is 0.
///
/// # Safety
/// `data` is NULL or valid for `len` bytes.
pub(crate) unsafe fn bytes<'a>(
    data: *const c_char,
    len: usize,
    name: &'static str,
) -> Result<&'a [u8], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(Failure::bad_argument(name, "must not be NULL unless its length is 0"));
    }
    if isize::try_from(len).is_err() {
        return Err(Failure::bad_argument(name, "must have a length of at most SIZE_MAX / 2 bytes"));
    }
    // SAFETY: not NULL, and the caller guarantees the length.
    Ok(unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) })
}

/// Reads a name argument, a C string.
///
/// # Safety
/// `text` is NULL or a C string.
pub(crate) unsafe fn c_name<'a>(text: *const c_char, name: &'static str) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(Failure::bad_argument(name, NOT_NULL));
    }
    // SAFETY: not NULL, and the caller passes a C string.
    let text = unsafe { std::ffi::CStr::from_ptr(text) };
    text.to_str()
        .map_err(|_| Failure::Argument(cpaas_status::CPAAS_BAD_UTF8, name, "must be valid UTF-8 without NUL"))
}

const fn bad_utf8(name: &'static str) -> Failure {
    Failure::Argument(cpaas_status::CPAAS_BAD_UTF8, name, "must be valid UTF-8")
}

/// Writes all members of a struct except the first one, its size. Each of these structs still has the size of its first version. A
/// larger struct from a newer header keeps the members that this version does not know.
///
/// # Safety
/// `to` is NULL or points to a struct whose first member is its size.
#[cfg(feature = "call")]
pub(crate) unsafe fn write_sized<T: Copy>(to: *mut T, value: T, name: &'static str) -> Result<(), Failure> {
    if to.is_null() {
        return Ok(());
    }
    // SAFETY: every version of the struct begins with `size`.
    let size = unsafe { to.cast::<usize>().read() };
    if !(size_of::<T>()..=4 * MAX_STRUCT_SIZE).contains(&size) {
        return Err(Failure::bad_argument(name, "must have `size` set to its size in bytes"));
    }
    let head = size_of::<usize>();
    let known = size_of::<T>() - head;
    // SAFETY: both structs have at least `head + known` bytes and do not overlap.
    unsafe {
        let from = (&raw const value).cast::<u8>().add(head);
        std::ptr::copy_nonoverlapping(from, to.cast::<u8>().add(head), known);
    }
    Ok(())
}

/// Writes `empty` to an output of the caller before the first check, so that it never keeps what an earlier call wrote.
///
/// # Safety
/// `to` is NULL or valid for writes.
pub(crate) unsafe fn clear<T>(to: *mut T, empty: T) {
    if !to.is_null() {
        // SAFETY: not NULL, and the caller passes memory that is valid for writes.
        unsafe { to.write(empty) };
    }
}

/// The message about a NULL pointer.
pub(crate) const NOT_NULL: &str = "must not be NULL";

/// Upper limit of the `size` of a struct that is read, in bytes; a struct that is written may be four times as large. A
/// larger value means that the caller did not initialize `size`.
const MAX_STRUCT_SIZE: usize = 256;

/// Reads a struct whose first member is its size. A larger struct from a newer header is accepted if the members that
/// this version does not know are 0.
///
/// # Safety
/// `given` points to a struct whose first member is its size. All members of `T` may be 0.
pub(crate) unsafe fn read_sized<T: Copy>(given: *const T, name: &'static str) -> Result<T, Failure> {
    // SAFETY: the same contract as this function's.
    unsafe { read_sized_from(given, size_of::<T>(), name) }
}

/// The same as `read_sized`, but also accepts a struct of `first` bytes, the size in the first version. Its missing members
/// are 0.
///
/// # Safety
/// `given` points to a struct whose first member is its size. All members of `T` may be 0.
pub(crate) unsafe fn read_sized_from<T: Copy>(
    given: *const T,
    first: usize,
    name: &'static str,
) -> Result<T, Failure> {
    // SAFETY: every version of the struct begins with `size`.
    let size = unsafe { given.cast::<usize>().read() };
    if size != first && !(size_of::<T>()..=MAX_STRUCT_SIZE).contains(&size) {
        return Err(Failure::bad_argument(name, "must have `size` set to its size in bytes"));
    }
    let known = size.min(size_of::<T>());
    // SAFETY: the struct has `size` bytes, and the caller has initialized the bytes after the known members.
    let unknown = unsafe { std::slice::from_raw_parts(given.cast::<u8>().add(known), size - known) };
    if unknown.iter().any(|byte| *byte != 0) {
        return Err(Failure::bad_argument(name, "must have no members set that this version does not know"));
    }
    let mut members = MaybeUninit::<T>::zeroed();
    // SAFETY: both structs have `known` bytes and do not overlap; 0 is valid for the other members.
    Ok(unsafe {
        std::ptr::copy_nonoverlapping(given.cast::<u8>(), members.as_mut_ptr().cast(), known);
        members.assume_init()
    })
}
