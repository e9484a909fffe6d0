//! The blocks of a text, and the division of a stream of bit masks into parts.

use crate::text::part_limits::Limits;
use crate::text::part_limits::{Cut, Cuts, Measured};

/// Bytes in a block, one for each bit of a mask.
pub(super) const BLOCK: usize = 64;

/// The last, incomplete block. It ends with the text; its first `skip` bytes belong to the block before.
pub(super) struct Tail<'a> {
    pub(super) block: &'a [u8; BLOCK],
    pub(super) skip: u32,
}

/// The complete blocks and the incomplete one. A text shorter than a block is copied into the buffer of spaces.
#[inline(always)]
pub(super) fn blocks<'a>(
    bytes: &'a [u8],
    buffer: &'a mut [u8; BLOCK],
) -> (&'a [[u8; BLOCK]], Option<Tail<'a>>) {
    let (whole, rest) = bytes.as_chunks::<BLOCK>();
    if rest.is_empty() {
        return (whole, None);
    }
    let skip = BLOCK - rest.len();
    let block = match bytes.last_chunk::<BLOCK>() {
        Some(last) => last,
        None => {
            if let Some(end) = buffer.get_mut(skip..) {
                end.copy_from_slice(rest);
            }
            buffer
        }
    };
    (whole, Some(Tail { block, skip: skip as u32 }))
}

/// The characters of one block.
#[derive(Clone, Copy)]
pub(super) struct Masks {
    /// Bytes at which a character starts: its first unit.
    pub(super) first: u64,
    /// Bytes at which a second unit is counted: the byte of an ASCII extension character, the last of the euro sign, the
    /// second of a character outside the basic plane.
    pub(super) second: u64,
    /// The distance from such a byte back to the start of its character, if the byte does not start one.
    pub(super) back: usize,
}

pub(super) struct Walk {
    limit: usize,
    parts: usize,
    /// Bytes, units and second units before the block.
    byte: usize,
    units: usize,
    seconds: usize,
    /// Index of the first unit of the part, and of the first unit that does not fit into it.
    start: usize,
    over: usize,
}

impl Walk {
    #[inline(always)]
    pub(super) fn new(limits: Limits) -> Self {
        Self { limit: limits.part, parts: 1, byte: 0, units: 0, seconds: 0, start: 0, over: limits.part }
    }

    /// Adds a block. It has at most one cut, because a part has more units than a block: 64 bytes are at most 64 UTF-16 units
    /// or 128 septets. `UTF16`: units are UTF-16 code units.
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
        if masks.second != 0 || C::NEEDS_POSITIONS {
            let position = masks.position::<UTF16>((self.over - self.units) as u32);
            next -= usize::from(position.straddles);
            let utf16 = if UTF16 { next } else { next - self.seconds - position.seconds as usize };
            cuts.cut(Cut {
                byte: self.byte + position.bit as usize - position.back,
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

/// The position of a unit in a block.
struct UnitPosition {
    bit: u32,
    /// The distance back to the start of its character.
    back: usize,
    /// Whether the unit is the second of its character.
    straddles: bool,
    /// Second units before the character.
    seconds: u32,
}

impl Masks {
    /// The position of a unit, by its index in the block.
    #[inline(always)]
    fn position<const UTF16: bool>(&self, unit: u32) -> UnitPosition {
        let bit = if UTF16 { self.bit_of_one(unit) } else { self.bit(unit) };
        let below = low(bit);
        let seconds = (self.second & below).count_ones();
        let before = (self.first & below).count_ones() + seconds;
        let starts = self.first >> bit & 1 == 1;
        let back = if starts { 0 } else { self.back };
        UnitPosition { bit, back, straddles: before != unit || !starts, seconds }
    }

    /// The bit of a unit if no byte counts twice, so that the masks can be combined.
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
