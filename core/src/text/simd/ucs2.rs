//! Counts the UTF-16 units of UTF-8 text: one for each byte that starts a character, and a second one if the character
//! has four bytes.

use fearless_simd::{Simd, prelude::*, u8x64};

use super::block_walk::{BLOCK, Masks, Walk, blocks};
use crate::text::part_limits::Limits;
use crate::text::part_limits::{Cuts, Measured};

#[inline(always)]
pub(super) fn measure<S: Simd>(simd: S, bytes: &[u8], limits: Limits, cuts: &mut impl Cuts) -> Measured {
    let mut buffer = [b' '; BLOCK];
    let (whole, tail) = blocks(bytes, &mut buffer);
    let mut walk = Walk::new(limits);
    let mut carried = 0;
    for block in whole {
        let (first, four) = characters(simd, block);
        let masks = Masks { first, second: four << 1 | carried, back: 1 };
        carried = four >> 63;
        walk.block::<true, _>(masks, block.len(), cuts);
    }
    if let Some(tail) = tail {
        let (first, four) = characters(simd, tail.block);
        let masks = Masks { first: first >> tail.skip, second: (four >> tail.skip) << 1 | carried, back: 1 };
        walk.block::<true, _>(masks, 0, cuts);
    }
    walk.measured::<true>()
}

/// The starts of characters, and the starts of characters of four bytes.
#[inline(always)]
fn characters<S: Simd>(simd: S, block: &[u8; BLOCK]) -> (u64, u64) {
    let bytes = u8x64::load_array_ref(simd, block);
    let leads = bytes.simd_ge(0xC0).to_bitmask();
    let ascii = bytes.simd_lt(0x80).to_bitmask();
    (leads | ascii, bytes.simd_ge(0xF0).to_bitmask())
}
