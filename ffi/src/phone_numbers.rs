//! The normalization of phone numbers.

use std::ffi::c_char;

use cpaas_core::text::msisdn;

use crate::boundary::{Failure, c_name, utf8, write_output};
use crate::{cpaas_status, cpaas_text};

const NOT_A_NUMBER: &str = "must be a phone number with its country code, or a number of the region";

/// Writes a number of `len` bytes in the form that is sent: the country code and the number, 7 to 15 digits. `region` is
/// NULL or a C string, an ISO 3166-1 alpha-2 code such as `GR`. With a region, the number may be in the national format of the
/// region; else it must have its country code. `+`, a leading `00` and separators are removed. `out`, not NULL, receives the
/// digits. A region requires a library that was built with the feature `phone`.
///
/// Errors: `CPAAS_BAD_TEXT` if the text is not a valid number (also for a region without the feature), `CPAAS_BAD_ARGUMENT`,
/// `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_normalize_number(
    number: *const c_char,
    len: usize,
    region: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let number = utf8(number, len, "number")?;
            let region = if region.is_null() { None } else { Some(c_name(region, "region")?) };
            let digits = msisdn::normalize_number(number, region);
            digits.map(Some).ok_or(Failure::Argument(cpaas_status::CPAAS_BAD_TEXT, "number", NOT_A_NUMBER))
        })
    }
}
