use std::ffi::c_char;

use cpaas_core::text::{self, Count, Encoding, Part, ReferenceBits, SegmentOptions, Split};

use crate::boundary::{answer, bare, name, optional, sized, status};
use crate::{cpaas_status, cpaas_text};

/// The default alphabet of SMS, 7 bits a character (3GPP TS 23.038).
pub const CPAAS_GSM7: u32 = 1;
/// UCS-2, sent as UTF-16.
pub const CPAAS_UCS2: u32 = 2;

/// How many parts a text has. This struct never grows.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_segment_count {
    /// `CPAAS_GSM7` or `CPAAS_UCS2`.
    pub encoding: u32,
    /// Parts; 1 for an empty text.
    pub parts: u32,
    /// Septets (GSM 7-bit) or UTF-16 code units of the whole text.
    pub units: u32,
    /// Units that still fit the last part.
    pub remaining: u32,
}

/// One part of a text, as ranges into it. This struct never grows.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_segment {
    /// First byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// Septets or UTF-16 code units in this part, without the header.
    pub units: u32,
}

/// How a text is split. Zero it, set `size` to `sizeof(cpaas_segment_options)` and the members that matter; 0
/// is the default. The struct of a later header is taken when the members that this library does not know
/// are 0.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_segment_options {
    /// The size of this struct, so that it may grow.
    pub size: usize,
    /// Bits of the concatenation reference: 8 (or 0) or 16.
    pub reference_bits: u32,
    /// 0: parts may split a grapheme cluster, as networks bill them; 1: clusters stay whole.
    pub keep_graphemes: u32,
    /// 0: by content; `CPAAS_GSM7` or `CPAAS_UCS2`: forced.
    pub encoding: u32,
    /// 0.
    pub reserved: u32,
}

impl From<Count> for cpaas_segment_count {
    fn from(count: Count) -> Self {
        Self {
            encoding: code(count.encoding),
            parts: count.count,
            units: count.units,
            remaining: count.remaining,
        }
    }
}

const fn code(encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Gsm7 => CPAAS_GSM7,
        Encoding::Ucs2 => CPAAS_UCS2,
    }
}

/// Counts the SMS parts of a text, `len` bytes (NULL with 0 is the empty text). `count`: not NULL.
/// Allocates nothing, starts no thread, linear in the text.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`; `count` is not written then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_count_segments(
    text: *const c_char,
    len: usize,
    count: *mut cpaas_segment_count,
) -> cpaas_status {
    if count.is_null() {
        return cpaas_status::CPAAS_BAD_ARGUMENT;
    }
    // SAFETY: handed on from the caller; `count` is not NULL.
    status(|| unsafe {
        count.write(text::count(optional(text, len)?).into());
        Ok(())
    })
}

/// Gives the SMS parts of a text, `len` bytes (NULL with 0 is the empty text), as ranges into it.
///
/// `parts` is an array of `capacity` elements, 255 being always enough; NULL with 0 only counts.
/// `written`, not NULL, receives how many parts the text has, also when that is more than `capacity`,
/// which is `CPAAS_TOO_SMALL` with the first `capacity` written. `options` and `count` may be NULL. With
/// another error `written` is 0, `count` is not written and the elements of `parts` have no meaning.
/// Allocates nothing, starts no thread.
///
/// Errors: `CPAAS_BAD_TEXT` for more than 255 parts, or a forced alphabet that lacks a character;
/// `CPAAS_TOO_SMALL`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
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
    if written.is_null() {
        return cpaas_status::CPAAS_BAD_ARGUMENT;
    }
    // SAFETY: not NULL, and the caller gives a place that can be written.
    unsafe { written.write(0) };
    if parts.is_null() && capacity > 0 {
        return cpaas_status::CPAAS_BAD_ARGUMENT;
    }
    // SAFETY: handed on from the caller; `parts` is not NULL where it has elements.
    status(|| unsafe {
        let text = optional(text, len)?;
        let options = if options.is_null() { SegmentOptions::new() } else { read(options)? };
        let counted = text::segments_into(text, &options, &mut |index, part| {
            if index < capacity {
                parts.add(index).write(range(&part));
            }
        })
        .map_err(|_| cpaas_status::CPAAS_BAD_TEXT)?;
        written.write(counted.count as usize);
        if !count.is_null() {
            count.write(counted.into());
        }
        if counted.count as usize > capacity { Err(cpaas_status::CPAAS_TOO_SMALL) } else { Ok(()) }
    })
}

/// Everything about the SMS parts of a text, `len` bytes, as JSON: `{"encoding", "count", "units",
/// "remaining", "parts": [...]}`, the same bytes as in every language. `options` is a C string, a JSON
/// object `{"referenceBits", "split", "encoding"}`, or NULL. `out`: not NULL.
///
/// Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_segments_json(
    text: *const c_char,
    len: usize,
    options: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: handed on from the caller.
    unsafe {
        answer(out, || {
            let text = optional(text, len).map_err(bare)?;
            let options = if options.is_null() { None } else { Some(name(options).map_err(bare)?) };
            text::segments_json(text, options)
                .map(Some)
                .map_err(|error| (cpaas_status::CPAAS_BAD_TEXT, Some(error.to_json())))
        })
    }
}

/// What a text costs at a price for each part, such as `0.0075`, a C string: JSON `{"count", ..., "total"}`
/// with prices as texts, exact. `out`: not NULL.
///
/// Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out` for a price that is no decimal number or
/// more than 255 parts, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_estimate(
    text: *const c_char,
    len: usize,
    price_per_part: *const c_char,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: handed on from the caller.
    unsafe {
        answer(out, || {
            let text = optional(text, len).map_err(bare)?;
            text::estimate_json(text, name(price_per_part).map_err(bare)?)
                .map(Some)
                .map_err(|error| (cpaas_status::CPAAS_BAD_TEXT, Some(error.to_json())))
        })
    }
}

/// What each character of a text costs, which ones force UCS-2, and what a person would accept in their
/// place, as JSON `{"characters", "causes", "replaced"}`. `out`: not NULL.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_annotate(
    text: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: handed on from the caller.
    unsafe { answer(out, || Ok(Some(text::annotate_json(optional(text, len).map_err(bare)?)))) }
}

fn range(part: &Part) -> cpaas_segment {
    cpaas_segment { start: part.start, end: part.end, units: part.units }
}

/// # Safety
/// `options` points to a struct whose first member is its size.
unsafe fn read(options: *const cpaas_segment_options) -> Result<SegmentOptions, cpaas_status> {
    // SAFETY: handed on from the caller.
    let given = unsafe { sized(options) }?;
    let mut options = SegmentOptions::new();
    options.reference_bits = match given.reference_bits {
        0 | 8 => ReferenceBits::Eight,
        16 => ReferenceBits::Sixteen,
        _ => return Err(cpaas_status::CPAAS_BAD_ARGUMENT),
    };
    options.split = match (given.keep_graphemes, given.reserved) {
        (0, 0) => Split::CodePoint,
        (1, 0) => Split::Grapheme,
        _ => return Err(cpaas_status::CPAAS_BAD_ARGUMENT),
    };
    options.encoding = match given.encoding {
        0 => None,
        CPAAS_GSM7 => Some(Encoding::Gsm7),
        CPAAS_UCS2 => Some(Encoding::Ucs2),
        _ => return Err(cpaas_status::CPAAS_BAD_ARGUMENT),
    };
    Ok(options)
}
