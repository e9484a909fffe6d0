//! Replacements in the default alphabet for punctuation, spaces, signs and fullwidth forms.

/// Returns a replacement in the GSM 7-bit default alphabet for a character that forces UCS-2; empty if the character is
/// invisible. `None` for a character that needs none, and if a reader would see a different character: letters are not
/// transliterated. National tables are ignored.
#[must_use]
pub fn replacement(character: char) -> Option<&'static str> {
    punctuation(character)
        .or_else(|| space(character))
        .or_else(|| sign(character))
        .or_else(|| fullwidth(character))
}

const fn punctuation(character: char) -> Option<&'static str> {
    Some(match character {
        // Single quotes, primes, and modifier letters and accents that are typed as apostrophes.
        '‘' | '’' | '‚' | '‛' | '′' | '‵' | '‹' | '›' | 'ʹ' | 'ʻ' | 'ʼ' | '`' | '´' => {
            "'"
        }
        '“' | '”' | '„' | '‟' | '″' | '‶' | '«' | '»' => "\"",
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '﹘' | '﹣' => "-",
        '…' => "...",
        '‥' => "..",
        '‼' => "!!",
        '⁇' => "??",
        '⁈' => "?!",
        '⁉' => "!?",
        '•' | '‣' | '●' | '▪' | '■' | '◦' | '∗' => "*",
        '·' | '∙' | '⁃' => "-",
        '⁄' | '∕' => "/",
        '¦' => "|",
        _ => return None,
    })
}

const fn space(character: char) -> Option<&'static str> {
    Some(match character {
        '\t' | '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => " ",
        '\u{B}' | '\u{85}' | '\u{2028}' | '\u{2029}' => "\n",
        // Soft hyphen, zero-width space, word joiner, byte-order mark, marks of direction.
        '\u{AD}' | '\u{200B}' | '\u{2060}' | '\u{FEFF}' => "",
        '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => "",
        _ => return None,
    })
}

const fn sign(character: char) -> Option<&'static str> {
    Some(match character {
        '©' => "(C)",
        '®' => "(R)",
        '™' => "TM",
        '№' => "No",
        '×' => "x",
        '¼' => "1/4",
        '½' => "1/2",
        '¾' => "3/4",
        '→' => "->",
        '←' => "<-",
        '≤' => "<=",
        '≥' => ">=",
        // Compatibility code points of letters in the alphabet.
        '\u{2126}' => "Ω",
        '\u{212B}' => "Å",
        '∆' => "Δ",
        '∏' => "Π",
        '∑' => "Σ",
        _ => return None,
    })
}

/// Fullwidth forms of ASCII, as East Asian keyboards write them.
fn fullwidth(character: char) -> Option<&'static str> {
    const ASCII: &str =
        "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_'abcdefghijklmnopqrstuvwxyz{|}~";
    let index = (character as usize).checked_sub(0xFF01)?;
    ASCII.get(index..index + 1)
}

/// Returns the text with every replacement, and the number of parts that it saves.
///
/// If another character still forces UCS-2, the text is returned unchanged with 0 saved parts. Only this function and
/// `transliterate` apply replacements.
#[must_use]
pub fn replaced(text: &str) -> (String, u32) {
    let unchanged = || (text.to_owned(), 0);
    let before = super::count(text);
    if before.encoding == super::Encoding::Gsm7 {
        return unchanged();
    }
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match (super::alphabet::septets(character), replacement(character)) {
            (0, None) => return unchanged(),
            (0, Some(instead)) => plain.push_str(instead),
            _ => plain.push(character),
        }
    }
    let saved = before.count.saturating_sub(super::count(&plain).count);
    (plain, saved)
}
