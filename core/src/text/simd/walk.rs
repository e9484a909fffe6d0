//! Cutting parts out of a stream of bit masks.

use crate::text::cut::{Cut, Cuts, Measured};
use crate::text::limits::Limits;

/// The characters of one block.
#[derive(Clone, Copy)]
pub(super) struct Masks {
    /// Bytes at which a character starts: its first unit.
    pub(super) first: u64,
    /// Bytes at which a second unit is counted: the byte of an ASCII extension character, the last of the euro sign, the
    /// second of a character outside the basic plane.
    pub(super) second: u64,
    /// How far the start of the character lies before such a byte, where that byte does not start a character.
    pub(super) back: usize,
}

pub(super) struct Walk {
    limit: usize,
    parts: usize,
    /// Bytes, units and second units before the block.
    byte: usize,
    units: usize,
    seconds: usize,
    /// Index of the first unit of the part, and of the first unit that no longer fits it.
    start: usize,
    over: usize,
}

impl Walk {
    #[inline(always)]
    pub(super) fn new(limits: Limits) -> Self {
        Self { limit: limits.part, parts: 1, byte: 0, units: 0, seconds: 0, start: 0, over: limits.part }
    }

    /// A part holds more than a block can, so a block has one cut at most: 64 bytes are no more than 64 UTF-16 units,
    /// or 128 septets. `utf16` says that every unit is an index of its own in UTF-16.
    #[inline(always)]
    pub(super) fn block<const UTF16: bool, C: Cuts>(&mut self, masks: Masks, bytes: usize, cuts: &mut C) {
        let seconds = masks.second.count_ones() as usize;
        let units = masks.first.count_ones() as usize + seconds;
        if self.units + units > self.over {
            self.cut::<UTF16, C>(masks, cuts);
        }
        self.units += units;
        self.seconds += seconds;
        self.byte += bytes;
    }

    #[inline(always)]
    fn cut<const UTF16: bool, C: Cuts>(&mut self, masks: Masks, cuts: &mut C) {
        let mut next = self.over;
        if masks.second != 0 || C::PLACED {
            let place = masks.place::<UTF16>((self.over - self.units) as u32);
            next -= usize::from(place.straddles);
            let utf16 = if UTF16 { next } else { next - self.seconds - place.seconds as usize };
            cuts.cut(Cut {
                byte: self.byte + place.bit as usize - place.back,
                utf16,
                units: next - self.start,
            });
        }
        self.parts += 1;
        self.start = next;
        self.over = next + self.limit;
    }

    #[inline(always)]
    pub(super) fn measured<const UTF16: bool>(&self) -> Measured {
        let utf16 = if UTF16 { self.units } else { self.units - self.seconds };
        Measured { parts: self.parts, units: self.units, last: self.units - self.start, utf16 }
    }
}

/// Where a unit stands in a block.
struct Place {
    bit: u32,
    /// How far before that the character starts.
    back: usize,
    /// The unit is the second of its character.
    straddles: bool,
    /// Second units before the character.
    seconds: u32,
}

impl Masks {
    /// Where the unit with this index, counted from the start of the block, stands.
    #[inline(always)]
    fn place<const UTF16: bool>(&self, unit: u32) -> Place {
        let bit = if UTF16 { self.bit_of_one(unit) } else { self.bit(unit) };
        let below = low(bit);
        let seconds = (self.second & below).count_ones();
        let before = (self.first & below).count_ones() + seconds;
        let starts = self.first >> bit & 1 == 1;
        let back = if starts { 0 } else { self.back };
        Place { bit, back, straddles: before != unit || !starts, seconds }
    }

    /// The bit of a unit where no byte counts twice, so that both masks are one.
    #[inline(always)]
    fn bit_of_one(&self, unit: u32) -> u32 {
        let units = self.first | self.second;
        let mut bit = 0;
        for step in [32, 16, 8, 4, 2, 1] {
            if (units & low(bit + step)).count_ones() <= unit {
                bit += step;
            }
        }
        bit
    }

    /// The bit of a unit, found by bisecting.
    #[inline(always)]
    fn bit(&self, unit: u32) -> u32 {
        if self.first == u64::MAX && self.second == 0 {
            return unit;
        }
        let mut bit = 0;
        for step in [32, 16, 8, 4, 2, 1] {
            let below = low(bit + step);
            if (self.first & below).count_ones() + (self.second & below).count_ones() <= unit {
                bit += step;
            }
        }
        bit
    }
}

/// The bits below a position, which is under 64.
#[inline(always)]
fn low(position: u32) -> u64 {
    (1 << position) - 1
}
