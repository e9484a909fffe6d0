//! A text as blocks of 64 bytes.

/// Bytes in a block, one for each bit of a mask.
pub(super) const BLOCK: usize = 64;

/// The last, incomplete block, aligned to its end: the first `skip` bytes are not of this block.
pub(super) struct Tail {
    pub(super) block: [u8; BLOCK],
    pub(super) skip: u32,
}

/// The complete blocks, and what is left over.
#[inline(always)]
pub(super) fn blocks(bytes: &[u8]) -> (&[[u8; BLOCK]], Option<Tail>) {
    let (whole, rest) = bytes.as_chunks::<BLOCK>();
    if rest.is_empty() {
        return (whole, None);
    }
    let mut block = [b' '; BLOCK];
    match bytes.last_chunk::<BLOCK>() {
        Some(last) => block = *last,
        None => fill(&mut block, rest),
    }
    (whole, Some(Tail { block, skip: (BLOCK - rest.len()) as u32 }))
}

#[inline(always)]
fn fill(block: &mut [u8; BLOCK], rest: &[u8]) {
    if let Some(end) = block.get_mut(BLOCK - rest.len()..) {
        end.copy_from_slice(rest);
    }
}
