//! Text that contains names which a caller or a file chose, for messages, logs and terminals.

use std::borrow::Cow;

/// The maximum length of a name or a JSON pointer in a message, in characters.
pub const MAX_NAME: usize = 200;

/// The maximum length of a message, in characters.
pub const MAX_MESSAGE: usize = 2_000;

/// Text that does not change a log or a terminal. Control characters, line and paragraph separators, and invisible characters
/// that format text, such as those that reverse its direction, are replaced by U+FFFD. The middle of a text with more than
/// `max` characters is replaced by `…`.
///
/// ```
/// use cpaas::printable::{MAX_NAME, printable};
///
/// assert_eq!(printable("to", MAX_NAME), "to");
/// assert_eq!(printable("a\nb\u{1b}[31m\u{202e}", MAX_NAME), "a\u{FFFD}b\u{FFFD}[31m\u{FFFD}");
/// assert_eq!(printable("abcdefgh", 4), "ab…h");
/// ```
#[must_use]
pub fn printable(text: &str, max: usize) -> Cow<'_, str> {
    if text.len() <= max && text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return Cow::Borrowed(text);
    }
    let count = text.chars().count();
    if count <= max && text.chars().all(is_printable) {
        return Cow::Borrowed(text);
    }
    let shown = |c| if is_printable(c) { c } else { char::REPLACEMENT_CHARACTER };
    if count <= max {
        return Cow::Owned(text.chars().map(shown).collect());
    }
    let kept = max.saturating_sub(1);
    let tail = kept / 3;
    let head = text.chars().take(kept - tail).chain(['…']);
    Cow::Owned(head.chain(text.chars().skip(count - tail)).map(shown).collect())
}

const fn is_printable(c: char) -> bool {
    !matches!(c,
        '\0'..='\x1f' | '\x7f'..='\u{9f}'
        | '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::{MAX_NAME, printable};

    #[test]
    fn every_control_character_is_replaced() {
        for c in
            ('\0'..='\x1f').chain('\x7f'..='\u{9f}').chain(['\u{2028}', '\u{2029}', '\u{202e}', '\u{2066}'])
        {
            assert_eq!(printable(&format!("a{c}b"), MAX_NAME), "a\u{FFFD}b", "U+{:04X}", u32::from(c));
        }
        for text in ["", "Ωμέγα", "日本語", "👍🏽", "a b~"] {
            assert_eq!(printable(text, MAX_NAME), text);
        }
    }

    #[test]
    fn the_middle_of_a_long_text_is_removed() {
        let long = printable(&format!("begin{}end", "é".repeat(10_000)), MAX_NAME).into_owned();
        assert_eq!(long.chars().count(), MAX_NAME);
        assert!(long.starts_with("beginé") && long.contains("é…é") && long.ends_with("éend"));
        assert_eq!(printable("abc", 3), "abc");
        assert_eq!(["abcd", "ab"].map(|text| printable(text, 1).into_owned()), ["…", "…"]);
        assert_eq!(printable("\u{202e}bcdef", 4), "\u{FFFD}b…f");
    }
}
