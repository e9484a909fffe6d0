//! StringMap cut at bytes of ASCII.

/// Both sides of the first such byte. With it and [`Pieces`] the browser's module does without the
/// searchers of the standard library.
pub(crate) fn cut(text: &str, byte: u8) -> Option<(&str, &str)> {
    halves(text, text.bytes().position(|one| one == byte)?)
}

/// What stands between such bytes, as `str::split` has it.
pub(crate) fn pieces(text: &str, byte: u8) -> Pieces<'_> {
    Pieces { rest: Some(text), byte }
}

pub(crate) struct Pieces<'a> {
    rest: Option<&'a str>,
    byte: u8,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a str;

    #[inline(never)]
    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.take()?;
        let (piece, rest) = cut(text, self.byte).map_or((text, None), |(piece, rest)| (piece, Some(rest)));
        self.rest = rest;
        Some(piece)
    }
}

/// Both sides of the last such byte.
pub(crate) fn cut_last(text: &str, byte: u8) -> Option<(&str, &str)> {
    halves(text, text.bytes().rposition(|one| one == byte)?)
}

/// Both sides of the byte there.
#[inline(never)]
fn halves(text: &str, at: usize) -> Option<(&str, &str)> {
    Some((text.get(..at)?, text.get(at + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::{cut, cut_last, pieces};

    #[test]
    fn the_first_byte_cuts_and_all_of_them_split() {
        assert_eq!((cut("ä.b.ö", b'.'), cut("a", b'.')), (Some(("ä", "b.ö")), None));
        for text in ["", ",", "a", "a,", ",a", "ä,,ö", "1, 2,3 "] {
            assert!(pieces(text, b',').eq(text.split(',')), "{text}");
        }
    }

    #[test]
    fn the_last_byte_cuts() {
        assert_eq!(cut_last("ä.b.ö", b'.'), Some(("ä.b", "ö")));
        assert_eq!((cut_last("a.", b'.'), cut_last(".", b'.')), (Some(("a", "")), Some(("", ""))));
        assert_eq!((cut_last("a", b'.'), cut_last("", b'.')), (None, None));
    }
}
