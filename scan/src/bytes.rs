//! Looking for bytes that are nearly never there, eight at a time.

const EACH: u64 = u64::MAX / 0xFF;
const HIGH: u64 = EACH * 0x80;

/// A byte in each place of a word.
#[inline(always)]
pub(crate) const fn each(byte: u8) -> u64 {
    EACH * byte as u64
}

/// The high bit of each byte that is below `limit`, which is at most 128; what is above the lowest of them may be wrong.
#[inline(always)]
pub(crate) const fn below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(each(limit)) & !word & HIGH
}

/// Whether a text has one of two characters, which are ASCII.
#[inline(never)]
#[must_use]
pub fn has_either(text: &str, one: u8, other: u8) -> bool {
    let bytes = text.as_bytes();
    let (blocks, rest) = bytes.as_chunks::<16>();
    let is_there = |block: &[u8; 16]| {
        let word = u128::from_le_bytes(*block);
        let (low, high) = (word as u64, (word >> 64) as u64);
        let (ones, others) = (each(one), each(other));
        below(low ^ ones, 1) | below(low ^ others, 1) | below(high ^ ones, 1) | below(high ^ others, 1) != 0
    };
    // The last block overlaps the one before.
    bytes.last_chunk::<16>().filter(|_| !rest.is_empty()).is_some_and(is_there)
        || blocks.iter().any(is_there)
        || (blocks.is_empty() && rest.iter().any(|byte| *byte == one || *byte == other))
}

/// Whether two short texts are one, as names are compared: most are told apart by their lengths.
#[inline(never)]
#[must_use]
pub fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    // The first and the last block overlap.
    match (one.first_chunk::<8>(), one.last_chunk::<8>()) {
        (Some(first), Some(last)) if one.len() <= 16 => {
            other.first_chunk() == Some(first) && other.last_chunk() == Some(last)
        }
        (Some(_), _) => one == other,
        _ => match (one.first_chunk::<4>(), one.last_chunk::<4>()) {
            (Some(first), Some(last)) => {
                other.first_chunk() == Some(first) && other.last_chunk() == Some(last)
            }
            _ => one.iter().zip(other).all(|(one, other)| one == other),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{has_either, is_same};

    #[test]
    fn texts_are_told_apart_at_every_place_of_every_length() {
        for length in 0..40 {
            let text: String = ('a'..='z').cycle().take(length).collect();
            assert!(is_same(&text, &text.clone()), "{length}");
            assert!(!is_same(&text, &format!("{text}a")), "{length}");
            for place in 0..length {
                let other: String =
                    text.chars().enumerate().map(|(at, char)| if at == place { '#' } else { char }).collect();
                assert!(!is_same(&text, &other), "{place} of {length}");
            }
        }
    }

    #[test]
    fn a_byte_is_found_at_every_place_of_every_length() {
        for length in 0..70 {
            let plain = "é".repeat(length / 2) + &"a".repeat(length % 2);
            assert!(!has_either(&plain, b'*', b'['), "{length}");
            for place in 0..length {
                for mark in ['*', '['] {
                    let text = format!("{}{mark}{}", "a".repeat(place), "+".repeat(length - place - 1));
                    assert!(has_either(&text, b'*', b'['), "{place} of {length}");
                    assert!(!has_either(&text, b'(', b')'), "{place} of {length}");
                }
            }
        }
    }
}
