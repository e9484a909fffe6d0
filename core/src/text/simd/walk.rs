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
    pub(super) fn block<const UTF16: bool>(&mut self, masks: Masks, bytes: usize, cuts: &mut impl Cuts) {
        let seconds = masks.second.count_ones() as usize;
        let units = masks.first.count_ones() as usize + seconds;
        if self.units + units > self.over {
            self.cut::<UTF16>(masks, cuts);
        }
        self.units += units;
        self.seconds += seconds;
        self.byte += bytes;
    }

    #[inline(always)]
    fn cut<const UTF16: bool>(&mut self, masks: Masks, cuts: &mut impl Cuts) {
        let wanted = (self.over - self.units) as u32;
        let at = masks.position(wanted);
        let below = low(at);
        let found = (masks.first & below).count_ones() + (masks.second & below).count_ones();
        let is_first = masks.first >> at & 1 == 1;
        let whole = found == wanted && is_first;
        let next = if whole { self.over } else { self.over - 1 };
        let back = if is_first { 0 } else { masks.back };
        let seconds = self.seconds + (masks.second & below).count_ones() as usize;
        let utf16 = if UTF16 { next } else { next - seconds };
        cuts.cut(Cut { byte: self.byte + at as usize - back, utf16, units: next - self.start });
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

impl Masks {
    /// The byte that holds the unit with this index, counted from the start of the block.
    #[inline(always)]
    fn position(&self, unit: u32) -> u32 {
        if self.first == u64::MAX && self.second == 0 {
            return unit;
        }
        let mut at = 0;
        for step in [32, 16, 8, 4, 2, 1] {
            let below = low(at + step);
            let units = (self.first & below).count_ones() + (self.second & below).count_ones();
            if units <= unit {
                at += step;
            }
        }
        at
    }
}

/// The bits below a position, which is under 64.
#[inline(always)]
fn low(position: u32) -> u64 {
    (1 << position) - 1
}
