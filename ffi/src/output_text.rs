//! Strings for the caller.

use std::ffi::c_char;

use cpaas_core::bindings::NO_PROBLEMS;
use cpaas_core::problem::Report;

/// A string for the caller: UTF-8, `len` bytes and a NUL after them. Do not change the bytes. Free the string with
/// `cpaas_text_free`. `{NULL, 0}` means that there is no string.
#[repr(C)]
#[derive(Debug)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_text {
    /// The bytes, or NULL.
    pub data: *const c_char,
    /// The number of bytes, without the NUL.
    pub len: usize,
}

impl cpaas_text {
    pub(crate) const NONE: Self = Self { data: std::ptr::null(), len: 0 };

    pub(crate) fn of(text: Option<String>) -> Self {
        text.map_or(Self::NONE, Self::new)
    }

    /// The report without problems is always the static text, so that each text with its content is.
    fn new(text: String) -> Self {
        if text.as_bytes() == NO_PROBLEMS.to_bytes() {
            return Self::no_problems();
        }
        let len = text.len();
        let mut bytes = text.into_bytes();
        bytes.reserve_exact(1);
        bytes.push(0);
        let data = Box::into_raw(bytes.into_boxed_slice()).cast::<c_char>();
        Self { data, len }
    }

    /// A report as JSON. That of a valid request without warnings is static, and needs no allocation.
    pub(crate) fn report(report: &Report) -> Self {
        if report.ok && report.warnings.is_empty() && report.more == 0 {
            return Self::no_problems();
        }
        Self::new(report.to_json())
    }

    fn no_problems() -> Self {
        Self { data: NO_PROBLEMS.as_ptr(), len: NO_PROBLEMS.count_bytes() }
    }
}

/// Whether a text is the static one, by its content: `libcpaas` and `libcpaas-core` have one each, and in a program with both one of them
/// frees the texts of both.
///
/// # Safety
/// A NUL follows the text.
unsafe fn is_static(data: *const c_char) -> bool {
    let expected = NO_PROBLEMS.to_bytes_with_nul().iter().enumerate();
    // SAFETY: the comparison ends at the first byte that differs, at the NUL at the latest.
    expected.into_iter().all(|(at, byte)| unsafe { data.cast::<u8>().add(at).read() } == *byte)
}

/// Frees a string of this library and sets it to `{NULL, 0}`. Does nothing for NULL and `{NULL, 0}`, so a second call
/// is safe. A copy of the struct refers to the same bytes: free only one of them.
///
/// Thread-safe for different strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_text_free(text: *mut cpaas_text) {
    // SAFETY: the caller passes NULL or a valid pointer.
    let Some(text) = (unsafe { text.as_mut() }) else { return };
    let owned = std::mem::replace(text, cpaas_text::NONE);
    // SAFETY: a NUL follows each text of the library.
    if owned.data.is_null() || unsafe { is_static(owned.data) } {
        return;
    }
    let bytes = std::ptr::slice_from_raw_parts_mut(owned.data.cast_mut().cast::<u8>(), owned.len + 1);
    // SAFETY: `cpaas_text::new` made this allocation with this length.
    drop(unsafe { Box::from_raw(bytes) });
}
