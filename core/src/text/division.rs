//! The division of a text: parts are added in order, and the last one completes it.

use serde::Serialize;

use super::errors::{MAX_PARTS, SegmentError};
use super::part_limits::{Cut, Cuts, Limits, Measured, saturated};
use super::{Count, Encoding, Language, Split, graphemes};

/// One part: a range of the text and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Part {
    /// First byte of the part in the UTF-8 text.
    pub start: usize,
    /// The byte after the part.
    pub end: usize,
    /// First UTF-16 code unit of the part, which is its index in a JavaScript string.
    pub start16: usize,
    /// The UTF-16 code unit after the part.
    pub end16: usize,
    /// Septets or UTF-16 code units, without the header.
    pub units: u32,
}

/// A text in parts.
pub(super) struct Division {
    pub(super) count: Count,
    /// With [`Split::Grapheme`]: the number of parts of a split between code points.
    pub(super) by_code_point: Option<u32>,
    /// The languages of the locking and of the single shift table.
    pub(super) languages: (Option<Language>, Option<Language>),
}

impl Division {
    /// A text that is divided between code points, without national tables.
    pub(super) const fn without_languages(count: Count) -> Self {
        Self { count, by_code_point: None, languages: (None, None) }
    }
}

/// Passes the parts of a text to `put`; more than `most` parts are an error.
pub(super) struct Parts<'a> {
    put: &'a mut dyn FnMut(usize, Part),
    most: u32,
    next: usize,
    start: usize,
    start16: usize,
}

impl Cuts for Parts<'_> {
    const NEEDS_POSITIONS: bool = true;

    fn cut(&mut self, at: Cut) {
        if self.next < MAX_PARTS as usize {
            self.push(at);
        }
    }
}

impl<'a> Parts<'a> {
    pub(super) fn new(put: &'a mut dyn FnMut(usize, Part), most: u32) -> Self {
        Self { put, most, next: 0, start: 0, start16: 0 }
    }

    #[cfg(feature = "national")]
    pub(super) fn reborrow(&mut self) -> Parts<'_> {
        Parts {
            put: &mut *self.put,
            most: self.most,
            next: self.next,
            start: self.start,
            start16: self.start16,
        }
    }

    /// Completes the division of a text that was measured between code points; `units` returns the size of a character.
    pub(super) fn division(
        self,
        text: &str,
        split: Split,
        (encoding, limits): (Encoding, Limits),
        measured: Measured,
        units: impl Fn(char) -> usize,
    ) -> Result<Division, SegmentError> {
        if split == Split::Grapheme {
            let by_code_point = measured.count(encoding, limits).count;
            return self.by_grapheme(text, (encoding, limits), by_code_point, units);
        }
        self.finish(text, encoding, limits, measured).map(Division::without_languages)
    }

    /// Divides a text again, between grapheme clusters.
    fn by_grapheme(
        mut self,
        text: &str,
        (encoding, limits): (Encoding, Limits),
        by_code_point: u32,
        units: impl Fn(char) -> usize,
    ) -> Result<Division, SegmentError> {
        self.clear();
        let measured = graphemes::measure(text, units, limits, &mut self)?;
        let count = self.finish(text, encoding, limits, measured)?;
        Ok(Division { by_code_point: Some(by_code_point), ..Division::without_languages(count) })
    }

    /// Restarts with the first part.
    pub(super) fn clear(&mut self) {
        (self.next, self.start, self.start16) = (0, 0, 0);
    }

    fn push(&mut self, at: Cut) {
        let (start, start16) = (self.start, self.start16);
        let units = saturated(at.units);
        (self.put)(self.next, Part { start, end: at.byte, start16, end16: at.utf16, units });
        (self.next, self.start, self.start16) = (self.next + 1, at.byte, at.utf16);
    }

    fn finish(
        mut self,
        text: &str,
        encoding: Encoding,
        limits: Limits,
        measured: Measured,
    ) -> Result<Count, SegmentError> {
        let count = measured.count(encoding, limits);
        if count.count > self.most {
            return Err(SegmentError::TooManyParts { parts: count.count });
        }
        let mut last = measured.last;
        if measured.is_single(limits) {
            self.clear();
            last = measured.units;
        }
        self.push(Cut { byte: text.len(), utf16: measured.utf16, units: last });
        Ok(count)
    }
}
