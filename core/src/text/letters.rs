//! Recognizes the letters of all scripts with a table of the characters that are not letters. The tables of the
//! standard library are larger than all other text functions of the browser module, and do not count combining marks as
//! letters.

/// Controls, punctuation, symbols and private use: first and last of each range.
#[rustfmt::skip]
const NOT_LETTERS: &[(u16, u16)] = &[
    (0x80, 0xA9), (0xAB, 0xB1), (0xB4, 0xB4), (0xB6, 0xB8), (0xBB, 0xBB), (0xBF, 0xBF), (0xD7, 0xD7), (0xF7, 0xF7),
    (0x2D2, 0x2DF), (0x37E, 0x37E), (0x384, 0x385), (0x387, 0x387), (0x55A, 0x55F), (0x589, 0x58F), (0x5F3, 0x60F),
    (0x61B, 0x61F), (0x66A, 0x66D), (0x6D4, 0x6D4), (0x964, 0x965), (0x2000, 0x206F), (0x207A, 0x207E),
    (0x208A, 0x208F), (0x209D, 0x2101), (0x2103, 0x2106), (0x2108, 0x2109), (0x2116, 0x2118), (0x211E, 0x2123),
    (0x218A, 0x245F), (0x249C, 0x24B5), (0x2500, 0x2775), (0x2794, 0x2BFF), (0x2E00, 0x2E2E), (0x2E30, 0x3004),
    (0x3008, 0x3020), (0x302A, 0x3030), (0x303D, 0x3040), (0x30FB, 0x30FB), (0x3200, 0x321F), (0x322A, 0x3247),
    (0x3260, 0x327F), (0x328A, 0x32B0), (0x32C0, 0x33FF), (0x4DC0, 0x4DFF), (0xA48D, 0xA4CF), (0xD7FC, 0xF8FF),
    (0xFDFC, 0xFE6F), (0xFEFD, 0xFF0F), (0xFF1A, 0xFF20), (0xFF3B, 0xFF40), (0xFF5B, 0xFF65), (0xFFDD, 0xFFFF),
];

/// Whether a character outside ASCII is a letter, a digit or a mark of a script.
pub(super) fn is_letter(character: char) -> bool {
    let code = u32::from(character);
    match u16::try_from(code) {
        Ok(code) => code > 0x7F && !NOT_LETTERS.iter().any(|(first, last)| (*first..=*last).contains(&code)),
        Err(_) => {
            !matches!(code, 0x1CCFA..=0x1D2BF | 0x1EEBC..=0x1F0FF | 0x1F10D..=0x1F12F | 0x1F18A..=0x1FBEF | 0x3347A..)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_letter;

    /// Compares with `char::is_alphanumeric`.
    #[test]
    fn every_letter_and_digit_is_accepted() {
        for character in '\u{80}'..=char::MAX {
            assert!(is_letter(character) || !character.is_alphanumeric(), "{character:?}");
        }
    }

    #[test]
    fn marks_are_letters_and_symbols_are_not() {
        for mark in "\u{300}\u{308}\u{36F}\u{591}\u{64B}\u{94D}\u{E31}\u{3099}".chars() {
            assert!(is_letter(mark), "{mark:?}");
        }
        let none = "\u{80}\u{A0}\u{AD}¡§©®´·»¿×÷˜;·՜״،؛؟٪۔।\u{200B}\u{200D}\u{202E}–—‘”…€₿℃℉№™←∑√■★❤➕⭐、。「」〒・㊗㎏䷀\u{E000}\
        ﷼︎️﹏\u{FEFF}！：＠［｛｡￥\u{FFFD}𝄞🀀🄏😀🚀🧡🏽🇩\u{E0001}\u{10FFFF}";
        for symbol in none.chars() {
            assert!(!is_letter(symbol), "{symbol:?}");
        }
    }
}
