//! What the two counters, scalar and SIMD, share: where parts are cut and what is known at the end.

use super::limits::Limits;
use super::{Count, Encoding};

/// Where a part ends and the next begins.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    pub(super) byte: usize,
    pub(super) utf16: usize,
    /// Units of the part that ends here.
    pub(super) units: usize,
}

/// Receives the cuts in order. They hold only when the message turns out to need more than one part.
pub(super) trait Cuts {
    /// False where only the number of cuts matters, which is often known without finding the place of each.
    #[cfg_attr(
        target_arch = "wasm32",
        expect(dead_code, reason = "the scalar counter always knows the place")
    )]
    const PLACED: bool;

    fn cut(&mut self, at: Cut);
}

/// For a count the cuts are not needed.
impl Cuts for () {
    const PLACED: bool = false;

    #[inline(always)]
    fn cut(&mut self, _: Cut) {}
}

/// The whole text measured as several parts.
#[derive(Clone, Copy)]
pub(super) struct Measured {
    pub(super) parts: usize,
    pub(super) units: usize,
    /// Units of the last part.
    pub(super) last: usize,
    /// Length of the text in UTF-16 code units.
    pub(super) utf16: usize,
}

impl Measured {
    /// True when the cuts do not apply, because everything fits one part without a header.
    #[inline(always)]
    pub(super) const fn is_single(&self, limits: Limits) -> bool {
        self.units <= limits.single
    }

    #[inline(always)]
    pub(super) fn count(&self, encoding: Encoding, limits: Limits) -> Count {
        let (parts, remaining) = match self.is_single(limits) {
            true => (1, limits.single - self.units),
            false => (self.parts, limits.part.saturating_sub(self.last)),
        };
        Count {
            encoding,
            count: saturated(parts),
            units: saturated(self.units),
            remaining: saturated(remaining),
        }
    }
}

/// A number beyond four thousand million is reported as the largest that the type holds.
#[inline(always)]
pub(super) fn saturated(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
