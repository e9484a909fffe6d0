//! Looking for bytes: for those that are nearly never there, and for the last one of a text.

/// Bytes at a time: the width of one register.
const WIDE: usize = 16;
const HALF: usize = 8;

/// Whether any byte of a text is one that `is` tells. Blocks of a fixed size without an exit inside, the last one
/// overlapping the one before, are what the compiler makes vectors of.
#[inline]
pub(crate) fn any(text: &str, is: impl Fn(u8) -> bool + Copy) -> bool {
    let bytes = text.as_bytes();
    let Some(end) = bytes.last_chunk::<WIDE>() else { return any_short(bytes, is) };
    let (blocks, _) = bytes.as_chunks::<WIDE>();
    in_block(end, is) || blocks.iter().any(|block| in_block(block, is))
}

/// Both sides of the last such byte, which is one of ASCII.
pub(crate) fn cut_last(text: &str, byte: u8) -> Option<(&str, &str)> {
    let at = text.bytes().rposition(|one| one == byte)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

#[inline]
fn any_short(bytes: &[u8], is: impl Fn(u8) -> bool + Copy) -> bool {
    match (bytes.first_chunk::<HALF>(), bytes.last_chunk::<HALF>()) {
        (Some(start), Some(end)) => in_block(start, is) | in_block(end, is),
        _ => bytes.iter().any(|byte| is(*byte)),
    }
}

#[inline]
fn in_block<const N: usize>(block: &[u8; N], is: impl Fn(u8) -> bool) -> bool {
    block.iter().fold(0, |found, byte| found | u8::from(is(*byte))) != 0
}

#[cfg(test)]
mod tests {
    use super::{any, cut_last};

    #[test]
    fn the_last_byte_cuts() {
        assert_eq!(cut_last("ä.b.ö", b'.'), Some(("ä.b", "ö")));
        assert_eq!((cut_last("a.", b'.'), cut_last(".", b'.')), (Some(("a", "")), Some(("", ""))));
        assert_eq!((cut_last("a", b'.'), cut_last("", b'.')), (None, None));
    }

    #[test]
    fn a_byte_is_found_at_every_place_of_every_length() {
        for length in 0..70 {
            let plain = "a".repeat(length);
            assert!(!any(&plain, |byte| byte == b'*'), "{length}");
            for place in 0..length {
                let text = format!("{}*{}", "a".repeat(place), "a".repeat(length - place - 1));
                assert!(any(&text, |byte| byte == b'*'), "{place} of {length}");
            }
        }
    }
}
