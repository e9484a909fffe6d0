//! Recognizes the default alphabet by table lookup with the two halves of each byte.
//!
//! A set of bytes that is a product of high halves and low halves is represented by one bit. The bit is set in one table
//! at each low half and in another at each high half, so that both entries have it exactly for the members of the set.

use fearless_simd::{Simd, prelude::*, u8x16, u8x64};

use super::block_walk::{BLOCK, Masks, Walk, blocks};
use crate::text::part_limits::Limits;
use crate::text::part_limits::{Cuts, Measured};

type Table = [u8; 16];

/// ASCII. Bits 0-4 are the basic table, bits 5 and 6 the extension table; bytes from 0x80 have no bit.
const ASCII: [(u8, &[u8], &[u8]); 7] = [
    (0, &[0x0], &[0xA, 0xD]),
    (1, &[0x2, 0x3, 0x4], ANY),
    (2, &[0x5], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xA, 0xF]),
    (3, &[0x6], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 0xA, 0xB, 0xC, 0xD, 0xE, 0xF]),
    (4, &[0x7], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xA]),
    (5, &[0x5, 0x7], &[0xB, 0xC, 0xD, 0xE]),
    (6, &[0x0], &[0xC]),
];
const ANY: &[u8] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xA, 0xB, 0xC, 0xD, 0xE, 0xF];
/// The lowest value with a bit of the extension table.
const EXTENSION: u8 = 1 << 5;

/// Second bytes of the two-byte characters, by the byte before: bits 0 and 1 after C2 (signs), 2-5 after C3 (letters),
/// 6 and 7 after CE (Greek capitals).
const SECOND: [(u8, &[u8], &[u8]); 8] = [
    (0, &[0xA], &[1, 3, 4, 5, 7]),
    (1, &[0xB], &[0xF]),
    (2, &[0x8], &[4, 5, 6, 7, 9]),
    (3, &[0x9], &[1, 6, 8, 0xC, 0xF]),
    (4, &[0xA], &[0, 4, 5, 6, 8, 9, 0xC]),
    (5, &[0xB], &[1, 2, 6, 8, 9, 0xC]),
    (6, &[0x9], &[3, 4, 8, 0xB, 0xE]),
    (7, &[0xA], &[0, 3, 6, 8, 9]),
];
/// The same bits by the low half of the first byte, whose high half is always C.
const FIRST: [(u8, &[u8], &[u8]); 8] = [
    (0, &[0xC], &[2]),
    (1, &[0xC], &[2]),
    (2, &[0xC], &[3]),
    (3, &[0xC], &[3]),
    (4, &[0xC], &[3]),
    (5, &[0xC], &[3]),
    (6, &[0xC], &[0xE]),
    (7, &[0xC], &[0xE]),
];

const ASCII_LOW: Table = low(&ASCII);
const ASCII_HIGH: Table = high(&ASCII);
const SECOND_LOW: Table = low(&SECOND);
const SECOND_HIGH: Table = high(&SECOND);
const FIRST_LOW: Table = low(&FIRST);
const FIRST_HIGH: Table = high(&FIRST);

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, where an index out of range is an error"
)]
const fn low(sets: &[(u8, &[u8], &[u8])]) -> Table {
    let mut table = [0; 16];
    let mut set = 0;
    while set < sets.len() {
        let halves = sets[set].2;
        let mut i = 0;
        while i < halves.len() {
            table[halves[i] as usize] |= 1 << sets[set].0;
            i += 1;
        }
        set += 1;
    }
    table
}

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, where an index out of range is an error"
)]
const fn high(sets: &[(u8, &[u8], &[u8])]) -> Table {
    let mut table = [0; 16];
    let mut set = 0;
    while set < sets.len() {
        let halves = sets[set].1;
        let mut i = 0;
        while i < halves.len() {
            table[halves[i] as usize] |= 1 << sets[set].0;
            i += 1;
        }
        set += 1;
    }
    table
}

/// Measures a text; `None` if a character is not in the default alphabet.
#[inline(always)]
pub(super) fn measure<S: Simd>(
    simd: S,
    bytes: &[u8],
    limits: Limits,
    cuts: &mut impl Cuts,
) -> Option<Measured> {
    let mut buffer = [b' '; BLOCK];
    let (whole, tail) = blocks(bytes, &mut buffer);
    let mut walk = Walk::new(limits);
    let mut before = u8x64::splat(simd, b' ');
    for block in whole {
        let block = u8x64::load_array_ref(simd, block);
        walk.block::<false, _>(characters(simd, block, before, 0)?, BLOCK, cuts);
        before = block;
    }
    if let Some(tail) = tail {
        let block = u8x64::load_array_ref(simd, tail.block);
        walk.block::<false, _>(characters(simd, block, before, tail.skip)?, 0, cuts);
    }
    Some(walk.measured::<false>())
}

/// The characters after the first `skip` bytes; `None` if one of them is not in the alphabet.
#[inline(always)]
fn characters<S: Simd>(simd: S, block: u8x64<S>, before: u8x64<S>, skip: u32) -> Option<Masks> {
    let class = shuffle(simd, ASCII_LOW, block & 0x0F) & shuffle(simd, ASCII_HIGH, block >> 4);
    let unknown = class.simd_eq(0).to_bitmask() >> skip;
    let second = class.simd_ge(EXTENSION).to_bitmask() >> skip;
    if unknown == 0 {
        return Some(Masks { first: u64::MAX >> skip, second, back: 0 });
    }
    beyond_ascii(simd, block, before.slide::<63>(block), skip, unknown, second)
}

/// A block with bytes that are not ASCII characters of the alphabet. An invalid first byte needs no check: its second byte is
/// valid only after a valid first byte.
#[inline(always)]
fn beyond_ascii<S: Simd>(
    simd: S,
    block: u8x64<S>,
    previous: u8x64<S>,
    skip: u32,
    unknown: u64,
    second: u64,
) -> Option<Masks> {
    let ascii = block.simd_lt(0x80).to_bitmask() >> skip;
    if unknown & ascii != 0 {
        return None;
    }
    let leads = block.simd_ge(0xC0).to_bitmask() >> skip;
    let pair = shuffle(simd, SECOND_LOW, block & 0x0F)
        & shuffle(simd, SECOND_HIGH, block >> 4)
        & shuffle(simd, FIRST_LOW, previous & 0x0F)
        & shuffle(simd, FIRST_HIGH, previous >> 4);
    let euro_middle = previous.simd_eq(0xE2) & block.simd_eq(0x82);
    let euro_end = (previous.simd_eq(0x82) & block.simd_eq(0xAC)).to_bitmask() >> skip;
    let invalid = (pair.simd_eq(0) & !euro_middle).to_bitmask() >> skip;
    if invalid & !euro_end & !leads & !ascii & (u64::MAX >> skip) != 0 {
        return None;
    }
    Some(Masks { first: (ascii | leads) & (u64::MAX >> skip), second: second | euro_end, back: 2 })
}

/// The entry of a table for each half byte.
#[inline(always)]
fn shuffle<S: Simd>(simd: S, table: Table, halves: u8x64<S>) -> u8x64<S> {
    u8x64::block_splat(u8x16::load_array(simd, table)).swizzle_dyn_within_blocks(halves)
}
