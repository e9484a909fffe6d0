use std::ffi::c_char;

use cpaas_core::markup;

use crate::boundary::{answer, bare, name, utf8};
use crate::{cpaas_status, cpaas_text};

/// Parses a messenger_c text as the provider does. `mode` is `Default`, `Markdown`, `Html` or `MarkdownV2`.
/// `out` is `{"text", "entities", "sent", "findings"}`, or `{"error": {"kind", "message", "offset",
/// "utf16Offset", "fix"}}` with `CPAAS_BAD_TEXT`.
///
/// Errors: `CPAAS_BAD_NAME` for an unknown mode, `CPAAS_BAD_TEXT`.
///
/// # Safety
/// `text` is valid for `len` bytes, `mode` is a C string, `out` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_markup_parse(
    text: *const c_char,
    len: usize,
    mode: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: handed on from the caller.
    unsafe {
        answer(out, || {
            let (text, mode) = (utf8(text, len).map_err(bare)?, self::mode(mode)?);
            let json = markup::parse_json(text, mode);
            if json.starts_with("{\"error\":") {
                return Err((cpaas_status::CPAAS_BAD_TEXT, Some(json)));
            }
            Ok(Some(json))
        })
    }
}

/// Escapes a plain text so that it shows literally in a mode. `out` is the escaped text itself.
///
/// # Safety
/// `text` is valid for `len` bytes, `mode` is a C string, `out` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_markup_escape(
    text: *const c_char,
    len: usize,
    mode: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: handed on from the caller.
    unsafe {
        answer(out, || {
            let (text, mode) = (utf8(text, len).map_err(bare)?, self::mode(mode)?);
            let mode = markup::Mode::from_name(mode).ok_or_else(|| bare(cpaas_status::CPAAS_BAD_NAME))?;
            Ok(Some(markup::escape(text, mode)))
        })
    }
}

/// # Safety
/// `mode` is NULL or a C string.
unsafe fn mode<'a>(mode: *const c_char) -> Result<&'a str, (cpaas_status, Option<String>)> {
    // SAFETY: handed on from the caller.
    let mode = unsafe { name(mode) }.map_err(bare)?;
    markup::Mode::from_name(mode).map(|_| mode).ok_or_else(|| bare(cpaas_status::CPAAS_BAD_NAME))
}
