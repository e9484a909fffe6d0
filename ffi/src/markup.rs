use std::ffi::c_char;

use cpaas_core::markup;

use crate::boundary::{answer, bare, name, optional};
use crate::{cpaas_status, cpaas_text};

/// Parses a messenger_c text, `len` bytes, as the provider does. `mode` is a C string: `Default`,
/// `Markdown`, `Html` or `MarkdownV2`. `out`, not NULL, receives `{"text", "entities", "sent", "findings"}`,
/// or `{"error": {"kind", "message", "offset", "utf16Offset", "fix"}}` with `CPAAS_BAD_TEXT`.
///
/// Errors: `CPAAS_BAD_NAME` for an unknown mode, `CPAAS_BAD_TEXT`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
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
            let (text, mode) = (optional(text, len).map_err(bare)?, self::mode(mode)?);
            let json = markup::parse_json(text, mode);
            if json.starts_with("{\"error\":") {
                return Err((cpaas_status::CPAAS_BAD_TEXT, Some(json)));
            }
            Ok(Some(json))
        })
    }
}

/// Escapes a plain text, `len` bytes, so that it shows literally in a mode. `out`, not NULL, receives the
/// escaped text itself.
///
/// Errors: `CPAAS_BAD_NAME` for an unknown mode, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
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
            let (text, mode) = (optional(text, len).map_err(bare)?, self::mode(mode)?);
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
