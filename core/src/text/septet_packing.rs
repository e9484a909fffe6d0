//! Septets packed into octets: 3GPP TS 23.038, section 6.1.2.1.1.

/// The number of septets that begin in this number of octets.
pub(super) const fn septets_of_octets(octets: usize) -> usize {
    (octets * 8).div_ceil(7)
}

/// Packs septets, least significant bit first, after `fill` zero bits.
pub(super) fn pack(septets: &[u8], fill: usize) -> Vec<u8> {
    let mut octets = Vec::with_capacity((fill + septets.len() * 7).div_ceil(8));
    let (mut bits, mut count) = (0_u32, fill);
    for septet in septets {
        bits |= u32::from(septet & 0x7F) << count;
        count += 7;
        while count >= 8 {
            octets.push((bits & 0xFF) as u8);
            bits >>= 8;
            count -= 8;
        }
    }
    if count > 0 {
        octets.push((bits & 0xFF) as u8);
    }
    octets
}

/// The septet that begins at `bit`, counted from the start; bits after the end are 0.
pub(super) fn septet_at(octets: &[u8], bit: usize) -> u8 {
    let octet = |index: usize| octets.get(index).copied().map_or(0, u16::from);
    let pair = octet(bit / 8) | octet(bit / 8 + 1) << 8;
    ((pair >> (bit % 8)) & 0x7F) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of section 6.1.2.1.
    #[test]
    fn hellohello_is_packed_and_unpacked() {
        let packed = pack(b"hellohello", 0);
        assert_eq!(packed, [0xE8, 0x32, 0x9B, 0xFD, 0x46, 0x97, 0xD9, 0xEC, 0x37]);
        let unpacked: Vec<u8> = (0..10).map(|index| septet_at(&packed, index * 7)).collect();
        assert_eq!(unpacked, b"hellohello");
    }

    #[test]
    fn fill_bits_come_first() {
        assert_eq!(pack(&[0x7F], 1), [0xFE]);
        assert_eq!(pack(&[0x7F], 6), [0xC0, 0x1F]);
        assert_eq!(pack(&[], 6), [0x00]);
        assert_eq!(septet_at(&[0xC0, 0x1F], 6), 0x7F);
        assert_eq!(septets_of_octets(6), 7);
        assert_eq!(septets_of_octets(7), 8);
    }
}
