//! Writes JSON strings and reads values of JSON.

use std::ffi::c_char;

use serde_json::Value;

use crate::boundary::{Failure, c_name, utf8, utf8_or_empty, write_output};
use crate::{cpaas_status, cpaas_text};

/// Writes a text of `len` bytes as a JSON string to `out`, not NULL: with quotes and escapes. Every text that a program
/// inserts into JSON needs it; text without escapes can change the meaning of a request.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_json_string(
    text: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let text = utf8_or_empty(text, len, "text")?;
            Ok(Some(Value::from(text).to_string()))
        })
    }
}

/// Reads a value of JSON, `len` bytes. `pointer` is a JSON pointer (RFC 6901), a C string, such as `/id` or
/// `/problems/0/code`; the empty pointer is the whole JSON. `out`, not NULL, receives a string without quotes and
/// escapes, and any other value as JSON: `null` is also the string `"null"`, which `cpaas_json_type` distinguishes.
///
/// Errors: `CPAAS_NOT_FOUND` if there is no value at the pointer, `CPAAS_BAD_TEXT` if the text is not JSON,
/// `CPAAS_BAD_ARGUMENT` (also for a pointer that is not empty and does not begin with `/`), `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_json_get(
    json: *const c_char,
    len: usize,
    pointer: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || match value_at(json, len, pointer)? {
            Value::String(text) => Ok(Some(text)),
            value => Ok(Some(value.to_string())),
        })
    }
}

/// Reads the type of a value of JSON. The arguments and the errors are those of `cpaas_json_get`. `out`, not NULL,
/// receives `null`, `boolean`, `number`, `string`, `array` or `object`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_json_type(
    json: *const c_char,
    len: usize,
    pointer: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let name = match value_at(json, len, pointer)? {
                Value::Null => "null",
                Value::Bool(_) => "boolean",
                Value::Number(_) => "number",
                Value::String(_) => "string",
                Value::Array(_) => "array",
                Value::Object(_) => "object",
            };
            Ok(Some(name.to_owned()))
        })
    }
}

/// The value at a pointer in a JSON text of the caller.
///
/// # Safety
/// `json` has `len` bytes, and `pointer` is a C string, unless they are null.
unsafe fn value_at(json: *const c_char, len: usize, pointer: *const c_char) -> Result<Value, Failure> {
    // SAFETY: the same contract as this function's.
    let (json, pointer) = unsafe { (utf8(json, len, "json")?, c_name(pointer, "pointer")?) };
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return Err(Failure::bad_argument("pointer", "must be empty or begin with /"));
    }
    let mut document: Value = serde_json::from_str(json).map_err(|_| not_json())?;
    let value = document.pointer_mut(pointer).map(Value::take);
    Ok(value.ok_or(cpaas_status::CPAAS_NOT_FOUND)?)
}

const fn not_json() -> Failure {
    Failure::Argument(cpaas_status::CPAAS_BAD_TEXT, "json", "must be valid JSON")
}
