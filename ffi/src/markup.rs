//! The markup of messenger_c.

use std::ffi::c_char;

use cpaas_core::bindings;
use cpaas_core::markup;

use crate::boundary::{Failure, c_name, write_result_of_text};
use crate::{cpaas_status, cpaas_text};

/// Parses a messenger_c text of `len` bytes as the provider does. `mode` is `Default`, `Markdown`, `Html` or
/// `MarkdownV2`. `out`, not NULL, receives `{"text", "entities", "sent", "findings"}`, or
/// `{"error": {"kind", "message", "offset", "utf16Offset", "fix"}}` with `CPAAS_BAD_TEXT`; `offset` counts bytes,
/// `utf16Offset` UTF-16 code units.
///
/// Errors: `CPAAS_BAD_NAME` for an unknown mode, `CPAAS_BAD_TEXT`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_markup_parse(
    text: *const c_char,
    len: usize,
    mode: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_result_of_text(text, len, out, |text| {
            let json = bindings::parse_markup_json(text, mode_name(mode)?);
            if json.starts_with("{\"error\":") {
                return Err(Failure::Output(cpaas_status::CPAAS_BAD_TEXT, Some(json)));
            }
            Ok(json)
        })
    }
}

/// Escapes a plain text of `len` bytes, so that a mode shows it literally. `mode` is as for `cpaas_markup_parse`. `out`,
/// not NULL, receives the escaped text, which is not JSON.
///
/// Errors: `CPAAS_BAD_NAME` for an unknown mode, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_markup_escape(
    text: *const c_char,
    len: usize,
    mode: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_result_of_text(text, len, out, |text| {
            let mode = markup::Mode::from_name(mode_name(mode)?).ok_or(UNKNOWN_MODE)?;
            Ok(markup::escape(text, mode))
        })
    }
}

/// Reads the name of a mode, and checks that the mode exists.
///
/// # Safety
/// `mode` is NULL or a C string.
unsafe fn mode_name<'a>(mode: *const c_char) -> Result<&'a str, Failure> {
    // SAFETY: the same contract as this function's.
    let mode = unsafe { c_name(mode, "mode") }?;
    markup::Mode::from_name(mode).map(|_| mode).ok_or(UNKNOWN_MODE)
}

const UNKNOWN_MODE: Failure =
    Failure::Argument(cpaas_status::CPAAS_BAD_NAME, "mode", "must be Default, Markdown, Html or MarkdownV2");
