//! The SMS parts of a text.

use std::ffi::c_char;

use cpaas_core::bindings::{self, TextError};
use cpaas_core::text::{self, Count, Encoding, Languages, Part, ReferenceBits, SegmentOptions, Split};

use crate::boundary::{Failure, clear, read_sized, return_status, utf8_or_empty, write_result_of_text};
use crate::text_functions::text_options;
use crate::{cpaas_status, cpaas_text};

/// Encoding: the GSM 7-bit default alphabet (3GPP TS 23.038).
pub const CPAAS_GSM7: u32 = 1;
/// Encoding: UCS-2, sent as UTF-16.
pub const CPAAS_UCS2: u32 = 2;

/// Split: a part may end after any code point, as networks bill it. The default.
pub const CPAAS_SPLIT_CODE_POINT: u32 = 0;
/// Split: a part ends after a whole grapheme cluster.
pub const CPAAS_SPLIT_GRAPHEME: u32 = 1;

/// The number of SMS parts of a text. The size of this struct never changes.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_segment_count {
    /// `CPAAS_GSM7` or `CPAAS_UCS2`.
    pub encoding: u32,
    /// The number of parts; 1 for an empty text.
    pub count: u32,
    /// The length of the text in septets (GSM 7-bit) or UTF-16 code units.
    pub units: u32,
    /// The number of units that still fit into the last part.
    pub remaining: u32,
}

/// One part of a text, as a range of bytes. The size of this struct never changes.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_segment {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last byte.
    pub end: usize,
    /// The length of this part in septets or UTF-16 code units, without the concatenation header.
    pub units: u32,
}

/// How a text is split. Zero the struct, then set `size` to `sizeof(cpaas_segment_options)` and the options you need;
/// 0 is the default. A larger struct from a newer header is accepted if the members that this library does not know
/// are 0.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_segment_options {
    /// The size of this struct, in bytes.
    pub size: usize,
    /// The size of the concatenation reference in bits: 8 (or 0) or 16.
    pub reference_bits: u32,
    /// `CPAAS_SPLIT_CODE_POINT` or `CPAAS_SPLIT_GRAPHEME`.
    pub split: u32,
    /// `CPAAS_GSM7` or `CPAAS_UCS2` to force an encoding; 0: the encoding that the text needs.
    pub encoding: u32,
    /// Must be 0.
    pub reserved: u32,
    /// The languages whose national tables may be used: the sum of `CPAAS_LANGUAGE_` constants; 0: none.
    pub languages: u32,
    /// Must be 0.
    pub reserved2: u32,
}

impl From<Count> for cpaas_segment_count {
    fn from(count: Count) -> Self {
        Self {
            encoding: encoding_number(count.encoding),
            count: count.count,
            units: count.units,
            remaining: count.remaining,
        }
    }
}

/// The count after an error.
const NO_SEGMENTS: cpaas_segment_count =
    cpaas_segment_count { encoding: 0, count: 0, units: 0, remaining: 0 };

const fn encoding_number(encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Gsm7 => CPAAS_GSM7,
        Encoding::Ucs2 => CPAAS_UCS2,
    }
}

/// Counts the SMS parts of a text of `len` bytes (NULL with length 0 is the empty text). `count` must not be NULL.
/// Runs in linear time, allocates nothing and starts no thread.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`; all members of `count` are 0 then.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_count_segments(
    text: *const c_char,
    len: usize,
    count: *mut cpaas_segment_count,
) -> cpaas_status {
    if count.is_null() {
        return cpaas_status::CPAAS_BAD_ARGUMENT;
    }
    // SAFETY: the same contract as this function's.
    unsafe { clear(count, NO_SEGMENTS) };
    // SAFETY: the same contract as this function's; `count` is not NULL.
    return_status(|| unsafe {
        count.write(text::count(utf8_or_empty(text, len, "text")?).into());
        Ok(())
    })
}

/// Splits a text of `len` bytes (NULL with length 0 is the empty text) into its SMS parts, as ranges of bytes.
///
/// `parts` is an array of `capacity` elements; 255 are always enough, and NULL with capacity 0 only counts.
/// `written`, not NULL, receives the number of parts of the text. If it is greater than `capacity`, the status is
/// `CPAAS_TOO_SMALL` and only the first `capacity` parts are written. `options` and `count` may be NULL. After any
/// other error `written` and the members of `count` are 0, and the elements of `parts` are unspecified. Allocates nothing
/// and starts no thread.
///
/// Errors: `CPAAS_BAD_TEXT` for more than 255 parts, and for a forced encoding that cannot represent a character;
/// `CPAAS_TOO_SMALL`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_segments(
    text: *const c_char,
    len: usize,
    options: *const cpaas_segment_options,
    parts: *mut cpaas_segment,
    capacity: usize,
    written: *mut usize,
    count: *mut cpaas_segment_count,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        clear(written, 0);
        clear(count, NO_SEGMENTS);
    }
    if written.is_null() {
        return cpaas_status::CPAAS_BAD_ARGUMENT;
    }
    if parts.is_null() && capacity > 0 {
        return cpaas_status::CPAAS_BAD_ARGUMENT;
    }
    // SAFETY: the same contract as this function's; `parts` is not NULL where it has elements.
    return_status(|| unsafe {
        let text = utf8_or_empty(text, len, "text")?;
        let options = if options.is_null() { SegmentOptions::new() } else { segment_options(options)? };
        let counted = text::segments_into(text, &options, &mut |index, part| {
            if index < capacity {
                parts.add(index).write(segment(&part));
            }
        })
        .map_err(|_| cpaas_status::CPAAS_BAD_TEXT)?;
        written.write(counted.count as usize);
        if !count.is_null() {
            count.write(counted.into());
        }
        if counted.count as usize > capacity { Err(cpaas_status::CPAAS_TOO_SMALL.into()) } else { Ok(()) }
    })
}

/// Splits a text of `len` bytes into its SMS parts. `out`, not NULL, receives JSON: `{"encoding", "count", "units",
/// "remaining", "parts": [...]}`, which is identical in every language. `options` is NULL or a C string with a JSON
/// object `{"referenceBits", "split", "encoding", "languages", "transliterate"}`: `languages` is `"auto"` or a list of
/// ISO 639-1 codes (`tr es pt bn gu hi kn ml or pa ta te ur`), `transliterate` is `true`, `false` or `"auto"`.
///
/// Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_segments_json(
    text: *const c_char,
    len: usize,
    options: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_result_of_text(text, len, out, |text| {
            Ok(bindings::segments_json(text, text_options(options)?).map_err(TextError::from)?)
        })
    }
}

fn segment(part: &Part) -> cpaas_segment {
    cpaas_segment { start: part.start, end: part.end, units: part.units }
}

/// Reads the options struct.
///
/// # Safety
/// `options` points to a struct whose first member is its size.
unsafe fn segment_options(options: *const cpaas_segment_options) -> Result<SegmentOptions, Failure> {
    // SAFETY: the same contract as this function's.
    let given = unsafe { read_sized(options, "options") }?;
    let mut options = SegmentOptions::new();
    options.reference_bits = match given.reference_bits {
        0 | 8 => ReferenceBits::Eight,
        16 => ReferenceBits::Sixteen,
        _ => {
            return Err(Failure::bad_argument("options", "must have a documented value of `reference_bits`"));
        }
    };
    let languages = u16::try_from(given.languages).ok().and_then(Languages::from_bits);
    options.languages =
        languages.ok_or(Failure::bad_argument("options", "must have a documented value of `languages`"))?;
    options.split = match (given.split, given.reserved | given.reserved2) {
        (CPAAS_SPLIT_CODE_POINT, 0) => Split::CodePoint,
        (CPAAS_SPLIT_GRAPHEME, 0) => Split::Grapheme,
        _ => return Err(Failure::bad_argument("options", "must have a documented value of `split`")),
    };
    options.encoding = match given.encoding {
        0 => None,
        CPAAS_GSM7 => Some(Encoding::Gsm7),
        CPAAS_UCS2 => Some(Encoding::Ucs2),
        _ => return Err(Failure::bad_argument("options", "must have a documented value of `encoding`")),
    };
    Ok(options)
}
