//! Decodes the user data of received parts. Any input gives a text or an error with a position; no input causes a
//! panic.

use super::national::{ESCAPE, locking_table, single_table};
use super::septet_packing::septet_at;
use super::user_data_header::{Concatenation, Header, header_septets};
use super::{DecodeError, EncodedPart};

/// The maximum number of septets of a part.
const MAX_SEPTETS: usize = 160;
/// The maximum number of octets of a part.
const MAX_OCTETS: usize = 140;

/// Decodes the parts of one message, in any order; several parts need concatenation headers.
///
/// A code without a character in the single shift table is decoded with the locking shift table, as the standard
/// requires. Unknown header elements are skipped.
///
/// # Errors
/// [`DecodeError`]: a part is missing, repeated or belongs to another message; a header, a length or a code is invalid;
/// the data coding scheme is not text; a surrogate pair is incomplete.
pub fn decode(parts: &[EncodedPart]) -> Result<String, DecodeError> {
    let mut decoded = Vec::with_capacity(parts.len());
    for (index, part) in parts.iter().enumerate() {
        decoded.push((index, part, Header::read(index, &part.udh)?));
    }
    ordered(&mut decoded)?;
    let mut text = Text::default();
    for (index, part, header) in decoded {
        match alphabet(part.dcs) {
            Some(Alphabet::Septets) => text.septets(index, part, &header)?,
            Some(Alphabet::Ucs2) => text.ucs2(index, part)?,
            None => {
                let message = "dcs must be that of uncompressed GSM 7-bit or UCS-2 text".to_owned();
                return Err(DecodeError::in_part(index, format!("{message}, got {}", part.dcs)));
            }
        }
    }
    text.finish()
}

/// Sorts the parts and checks that they are one complete message.
fn ordered(parts: &mut [(usize, &EncodedPart, Header)]) -> Result<(), DecodeError> {
    let Some((_, _, first)) = parts.first() else {
        return Err(DecodeError::whole("expected at least 1 part, got 0"));
    };
    let Some(message) = first.concatenation else {
        return match parts.get(1) {
            Some((index, ..)) => Err(DecodeError::in_part(
                index - 1,
                "several parts must have concatenation headers, got none",
            )),
            None => Ok(()),
        };
    };
    let mut seen = [false; 256];
    for (index, _, header) in parts.iter() {
        let same = header.concatenation.filter(|other| is_same_message(*other, message));
        let Some(concatenation) = same else {
            let message = "the concatenation header must have the same reference and the same number of parts \
                           as that of parts[0]";
            return Err(DecodeError::in_part(*index, message));
        };
        if let Some(seen) = seen.get_mut(usize::from(concatenation.number)) {
            if *seen {
                let message =
                    format!("each part must be given once, got part {} twice", concatenation.number);
                return Err(DecodeError::in_part(*index, message));
            }
            *seen = true;
        }
    }
    let is_seen = |number: u8| seen.get(usize::from(number)).copied().unwrap_or_default();
    if let Some(missing) = (1..=message.count).find(|number| !is_seen(*number)) {
        return Err(DecodeError::whole(format!(
            "the message must have {} parts, part {missing} is missing",
            message.count
        )));
    }
    parts.sort_by_key(|(_, _, header)| header.concatenation.map_or(0, |concatenation| concatenation.number));
    Ok(())
}

fn is_same_message(one: Concatenation, other: Concatenation) -> bool {
    (one.reference, one.width, one.count) == (other.reference, other.width, other.count)
}

enum Alphabet {
    Septets,
    Ucs2,
}

/// The alphabet of a data coding scheme, TS 23.038, section 4; `None` for compressed text and for 8-bit data. Reserved schemes
/// are GSM 7-bit.
fn alphabet(dcs: u8) -> Option<Alphabet> {
    match (dcs >> 4, dcs >> 2 & 3) {
        (0b0010 | 0b0011 | 0b0110 | 0b0111, _) | (0..=0b0111, 1) => None,
        (0..=0b0111, 2) | (0b1110, _) => Some(Alphabet::Ucs2),
        (0b1111, 1 | 3) => None,
        _ => Some(Alphabet::Septets),
    }
}

/// The text so far.
#[derive(Default)]
struct Text {
    text: String,
    /// A high surrogate at the end, with its part and its octet.
    high: Option<(u16, usize, usize)>,
}

impl Text {
    fn septets(&mut self, index: usize, part: &EncodedPart, header: &Header) -> Result<(), DecodeError> {
        self.pair_is_complete()?;
        let (before, fill) = header_septets(part.udh.len());
        let count = septets(index, part, before, fill)?;
        let locking = characters(locking_table(usize::from(header.tables.locking)));
        let single = characters(single_table(usize::from(header.tables.single)));
        let of = |table: &[char; 128], code: u8| {
            table.get(usize::from(code)).copied().filter(|character| *character != '\0')
        };
        let mut is_shifted = false;
        for at in 0..count {
            let bit = fill + at * 7;
            let octet = part.udh.len() + bit / 8;
            let code = septet_at(&part.ud, bit);
            let character = match (is_shifted, code) {
                (false, ESCAPE) => {
                    is_shifted = true;
                    continue;
                }
                // Reserved for another extension table: a receiver shows a space (TS 23.038, section 6.2.1.1).
                (true, ESCAPE) => Some(' '),
                (true, _) => of(&single, code).or_else(|| of(&locking, code)),
                (false, _) => of(&locking, code),
            };
            is_shifted = false;
            let undefined = || {
                DecodeError::at(index, octet, "the code must be in the table, got one without a character")
            };
            self.text.push(character.ok_or_else(undefined)?);
        }
        if is_shifted {
            let octet = part.udh.len() + (fill + (count - 1) * 7) / 8;
            return Err(DecodeError::at(
                index,
                octet,
                "a septet must follow an escape, got the end of the part",
            ));
        }
        Ok(())
    }

    fn ucs2(&mut self, index: usize, part: &EncodedPart) -> Result<(), DecodeError> {
        let (header, octets) = (part.udh.len(), part.udh.len() + part.ud.len());
        if octets > MAX_OCTETS {
            let message = format!("a part must have at most {MAX_OCTETS} octets, got {octets}");
            return Err(DecodeError::at(index, MAX_OCTETS, message));
        }
        if usize::from(part.udl) != octets {
            let message = format!("udl must be {octets}, got {}", part.udl);
            return Err(DecodeError::in_part(index, message));
        }
        if !part.ud.len().is_multiple_of(2) {
            let message = "UCS-2 text must have an even number of octets".to_owned();
            return Err(DecodeError::at(index, octets - 1, format!("{message}, got {}", part.ud.len())));
        }
        for (at, unit) in part.ud.chunks_exact(2).enumerate() {
            let unit = unit.iter().fold(0, |unit, octet| unit << 8 | u16::from(*octet));
            self.unit(unit, index, header + at * 2)?;
        }
        Ok(())
    }

    fn unit(&mut self, unit: u16, part: usize, octet: usize) -> Result<(), DecodeError> {
        let lone = |(_, part, octet)| {
            DecodeError::at(part, octet, "a surrogate must be part of a pair, got a lone one")
        };
        let character = match (self.high.take(), unit) {
            (None, 0xD800..=0xDBFF) => {
                self.high = Some((unit, part, octet));
                return Ok(());
            }
            (Some((high, ..)), 0xDC00..=0xDFFF) => {
                char::from_u32(0x1_0000 + (u32::from(high) - 0xD800) * 0x400 + u32::from(unit) - 0xDC00)
            }
            (Some(high), _) => return Err(lone(high)),
            (None, _) => char::from_u32(u32::from(unit)),
        };
        self.text.push(character.ok_or_else(|| lone((unit, part, octet)))?);
        Ok(())
    }

    fn pair_is_complete(&self) -> Result<(), DecodeError> {
        match self.high {
            Some((_, part, octet)) => {
                Err(DecodeError::at(part, octet, "a surrogate must be part of a pair, got a lone one"))
            }
            None => Ok(()),
        }
    }

    fn finish(self) -> Result<String, DecodeError> {
        self.pair_is_complete()?;
        Ok(self.text)
    }
}

/// The number of septets after the header. `udl` and the length of `ud` must agree.
fn septets(index: usize, part: &EncodedPart, before: usize, fill: usize) -> Result<usize, DecodeError> {
    let udl = usize::from(part.udl);
    if udl > MAX_SEPTETS || udl < before {
        let message = format!("udl must be {before} to {MAX_SEPTETS}, got {udl}");
        return Err(DecodeError::in_part(index, message));
    }
    let count = udl - before;
    // If no septets follow, the fill bits after the header may be absent or occupy one octet.
    let expected = if count == 0 { 0 } else { (fill + count * 7).div_ceil(8) };
    let is_padded = count == 0 && fill > 0 && part.ud.len() == 1;
    if part.ud.len() != expected && !is_padded {
        let octet = part.udh.len() + part.ud.len().min(expected);
        let message = format!("ud must have {expected} octets for this udl, got {}", part.ud.len());
        return Err(DecodeError::at(index, octet, message));
    }
    Ok(count)
}

/// The characters by code; NUL for a code without a character.
fn characters(table: impl Iterator<Item = (u8, char)>) -> [char; 128] {
    let mut characters = ['\0'; 128];
    for (code, character) in table {
        if let Some(entry) = characters.get_mut(usize::from(code)) {
            *entry = character;
        }
    }
    characters
}
