//! How many units a message and a part hold, TS 23.040 section 9.2.3.24.

use super::{Encoding, ReferenceBits};

/// Units that fit, after the user-data header where there are several parts.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// In a message of one part, which needs no header.
    pub(super) single: usize,
    /// In each of several parts.
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
}
