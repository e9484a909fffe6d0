//! A text as blocks of 64 bytes.

/// Bytes in a block, one for each bit of a mask.
pub(super) const BLOCK: usize = 64;

/// The last, incomplete block, aligned to its end: the first `skip` bytes are not of this block.
pub(super) struct Tail<'a> {
    pub(super) block: &'a [u8; BLOCK],
    pub(super) skip: u32,
}

/// The complete blocks, and what is left over. A text shorter than a block is copied into the buffer of spaces.
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
