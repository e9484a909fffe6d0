//! The basic Markdown of business chat (D4): `**bold**`, `*italic*`, `[label](address)`.

/// The markup of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Rich {
    /// A closed style, or a link with an address.
    pub(crate) present: bool,
    /// A style that is not closed or not opened, or a link whose address is empty or contains white space.
    pub(crate) malformed: bool,
}

/// Finds the markup of a text. A star between spaces is literal; it opens a style before a word and closes a style
/// after one.
pub(crate) fn read(text: &str) -> Rich {
    let mut rich = Rich::default();
    if text.contains('*') || text.contains('[') {
        marks(text, &mut rich);
    }
    rich
}

fn marks(text: &str, rich: &mut Rich) {
    let bytes = text.as_bytes();
    let at = |index: usize| bytes.get(index).copied().unwrap_or(b' ');
    let (mut bold, mut italic, mut label) = (false, false, false);
    let last = bytes.iter().rposition(|&byte| byte == b')').unwrap_or(0);
    let mut index = 0;
    while let Some(&byte) = bytes.get(index) {
        let mut width = 1;
        match byte {
            b'\\' => width = 2,
            b'*' => {
                width = if at(index + 1) == b'*' { 2 } else { 1 };
                let open = if width == 2 { &mut bold } else { &mut italic };
                let closes = index > 0 && !at(index - 1).is_ascii_whitespace();
                if *open && closes {
                    *open = false;
                    rich.present = true;
                } else if !at(index + width).is_ascii_whitespace() {
                    *open = true;
                } else {
                    rich.malformed |= closes;
                }
            }
            b'[' => label = true,
            b']' if label && at(index + 1) == b'(' => {
                label = false;
                let tail = text.get(index + 2..).filter(|_| index < last);
                let address = tail.and_then(|tail| tail.split_once(')')).map(|(address, _)| address);
                let right = address
                    .is_some_and(|address| !address.is_empty() && !address.contains(char::is_whitespace));
                rich.present |= right;
                rich.malformed |= !right;
                width = 2 + address.map_or(0, str::len);
            }
            _ => {}
        }
        index += width;
    }
    rich.malformed |= bold || italic;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_found() {
        let read = |text| {
            let rich = read(text);
            (rich.present, rich.malformed)
        };
        for plain in ["", "a", "2 * 3", "[a] (b)", "5 ** 2", "\\*a\\*", "[x]"] {
            assert_eq!(read(plain), (false, false), "{plain}");
        }
        for rich in ["**a**", "*a*", "a *b c* d", "[x](https://a.b)", "[x](u)", "***a***", "**a *b* c**"] {
            assert_eq!(read(rich), (true, false), "{rich}");
        }
        for wrong in ["**a", "*a", "[x](", "[x]()", "[x](u v)", "**a*", "a**", "a* b", "*a* b*"] {
            assert!(read(wrong).1, "{wrong}");
        }
    }
}
