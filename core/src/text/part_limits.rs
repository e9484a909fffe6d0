//! Types that the scalar and the SIMD counter share: limits of a part, positions of cuts, and totals.
//! The limits follow 3GPP TS 23.040, section 9.2.3.24.

use super::{Count, Encoding, ReferenceBits};

/// The units that fit into a message and into a part.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Units of a message of one part, which needs no header.
    pub(super) single: usize,
    /// Units of each of several parts, without the user-data header.
    pub(super) part: usize,
}

impl Limits {
    pub(super) const GSM7: Self = Self::of(Encoding::Gsm7, ReferenceBits::Eight);
    pub(super) const UCS2: Self = Self::of(Encoding::Ucs2, ReferenceBits::Eight);

    pub(super) const fn of(encoding: Encoding, reference: ReferenceBits) -> Self {
        match (encoding, reference) {
            (Encoding::Gsm7, ReferenceBits::Eight) => Self { single: 160, part: 153 },
            (Encoding::Gsm7, ReferenceBits::Sixteen) => Self { single: 160, part: 152 },
            (Encoding::Ucs2, ReferenceBits::Eight) => Self { single: 70, part: 67 },
            (Encoding::Ucs2, ReferenceBits::Sixteen) => Self { single: 70, part: 66 },
        }
    }

    /// The limits if the user data header has `octets` octets of elements in addition to the concatenation.
    #[cfg(feature = "national")]
    pub(super) const fn with_elements(encoding: Encoding, reference: ReferenceBits, octets: usize) -> Self {
        let concatenation = match reference {
            ReferenceBits::Eight => 5,
            ReferenceBits::Sixteen => 6,
        };
        Self { single: capacity(encoding, octets), part: capacity(encoding, octets + concatenation) }
    }
}

/// The units that fit into a part with `octets` octets of header elements. A header also has a length octet.
#[cfg(feature = "national")]
const fn capacity(encoding: Encoding, octets: usize) -> usize {
    let header = if octets == 0 { 0 } else { octets + 1 };
    let free = 140_usize.saturating_sub(header);
    match encoding {
        Encoding::Gsm7 => free * 8 / 7,
        Encoding::Ucs2 => free / 2,
    }
}

/// The position where one part ends and the next begins.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    pub(super) byte: usize,
    pub(super) utf16: usize,
    /// Units of the part that ends here.
    pub(super) units: usize,
}

/// Receives the cuts in order. They are valid only if the message needs more than one part.
pub(super) trait Cuts {
    /// False if only the number of cuts is needed, which is often known without their positions.
    #[cfg_attr(
        target_arch = "wasm32",
        expect(dead_code, reason = "the scalar counter always knows the position")
    )]
    const NEEDS_POSITIONS: bool;

    fn cut(&mut self, at: Cut);
}

/// A count does not need the cuts.
impl Cuts for () {
    const NEEDS_POSITIONS: bool = false;

    #[inline(always)]
    fn cut(&mut self, _: Cut) {}
}

/// The size of a text that is divided into several parts.
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
    /// Whether the text fits into one part without a header, so that the cuts do not apply.
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

/// A number above `u32::MAX` is reported as `u32::MAX`.
#[inline(always)]
pub(super) fn saturated(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
