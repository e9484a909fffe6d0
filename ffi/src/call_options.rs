//! The options of one call.

use std::ffi::c_char;
use std::mem::offset_of;
use std::time::Duration;

use cpaas_core::client::{CallOptions, Client};
use cpaas_core::config::Validation;

use crate::boundary::{Failure, c_name, read_sized_from};

/// Validation mode: errors prevent the call, warnings do not.
pub const CPAAS_VALIDATION_STRICT: u32 = 1;
/// Validation mode: errors become warnings of the result.
pub const CPAAS_VALIDATION_WARN: u32 = 2;
/// Validation mode: requests are not validated.
pub const CPAAS_VALIDATION_OFF: u32 = 3;

/// Options of one call. Zero the struct, then set `size` to `sizeof(cpaas_call_options)` and the options you need; 0
/// means the client's setting. A larger struct from a newer header is accepted if the members that this library does not
/// know are 0.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_call_options {
    /// The size of this struct, in bytes.
    pub size: usize,
    /// Time limit of one attempt, in milliseconds.
    pub timeout_ms: u32,
    /// Time limit of all attempts and the delays between them, in milliseconds.
    pub deadline_ms: u32,
    /// The maximum number of attempts.
    pub max_attempts: u32,
    /// 1: retry after an unknown outcome, which may send a second message; 2: do not.
    pub retry_unknown: u32,
    /// `CPAAS_VALIDATION_STRICT`, `CPAAS_VALIDATION_WARN` or `CPAAS_VALIDATION_OFF`.
    pub validation: u32,
    /// Must be 0.
    pub reserved: u32,
    /// NULL, or headers that are added to every request of the call: an array of C strings, each name followed by its value,
    /// and NULL at the end. A call with a header that the client sets itself, or that contains credentials, is
    /// `CPAAS_INVALID`. The library copies the strings.
    pub headers: *const *const c_char,
}

/// Returns the client with the options of one call.
///
/// # Safety
/// `options` is NULL or points to a struct whose first member is its size.
pub(crate) unsafe fn apply(client: &Client, options: *const cpaas_call_options) -> Result<Client, Failure> {
    if options.is_null() {
        return Ok(client.clone());
    }
    // SAFETY: the same contract as this function's.
    let given = unsafe { read_sized_from(options, offset_of!(cpaas_call_options, headers), "options") }?;
    if given.reserved != 0 {
        return Err(Failure::bad_argument("options", "must have `reserved` set to 0"));
    }
    let mut options = CallOptions::new();
    if given.timeout_ms > 0 {
        options = options.timeout(Duration::from_millis(given.timeout_ms.into()));
    }
    if given.deadline_ms > 0 {
        options = options.deadline(Duration::from_millis(given.deadline_ms.into()));
    }
    if given.max_attempts > 0 {
        options = options.max_attempts(given.max_attempts);
    }
    options = match given.retry_unknown {
        0 => options,
        1 => options.retry_unknown(true),
        2 => options.retry_unknown(false),
        _ => return Err(Failure::bad_argument("options", "must have `retry_unknown` set to 0, 1 or 2")),
    };
    options = match given.validation {
        0 => options,
        CPAAS_VALIDATION_STRICT => options.validation(Validation::Strict),
        CPAAS_VALIDATION_WARN => options.validation(Validation::Warn),
        CPAAS_VALIDATION_OFF => options.validation(Validation::Off),
        _ => return Err(Failure::bad_argument("options", "must have `validation` set to 0, 1, 2 or 3")),
    };
    // SAFETY: the same contract as this function's.
    Ok(client.with(unsafe { with_headers(options, given.headers) }?))
}

/// Upper limit of the headers of a call. A longer array is assumed to lack the NULL at its end.
const MAX_HEADERS: usize = 256;

/// Adds the headers of an array to the options.
///
/// # Safety
/// `headers` is NULL or an array of C strings with NULL at its end.
unsafe fn with_headers(
    mut options: CallOptions,
    mut headers: *const *const c_char,
) -> Result<CallOptions, Failure> {
    if headers.is_null() {
        return Ok(options);
    }
    for _ in 0..MAX_HEADERS {
        // SAFETY: the name before this one and its value are not NULL, so the array continues.
        let name = unsafe { headers.read() };
        if name.is_null() {
            return Ok(options);
        }
        // SAFETY: a name is followed by a value or by NULL.
        let value = unsafe { headers.add(1).read() };
        if value.is_null() {
            return Err(Failure::bad_argument(
                "headers",
                "must be pairs of a name and a value, with NULL at the end",
            ));
        }
        // SAFETY: both are C strings.
        let (name, value) = unsafe { (c_name(name, "headers")?, c_name(value, "headers")?) };
        options = options.header(name, value);
        // SAFETY: the value is not NULL, so the array continues after it.
        headers = unsafe { headers.add(2) };
    }
    Err(Failure::bad_argument(
        "headers",
        "must be at most 256 pairs of a name and a value, with NULL at the end",
    ))
}
