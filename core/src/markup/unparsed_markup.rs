//! Detection of markup in a text that is sent literally.

use super::byte_class::{ALPHA, DASH, HTML, MARK, NEWLINE, PAREN, RESERVED, TICK};
use super::html::TAGS;
use super::input::Input;

/// The first range that looks like markup: an element of Html, a link, or a pair of Markdown marks around words.
pub(super) fn find(text: &str) -> Option<(usize, usize)> {
    let input = Input(text);
    let mut hints = Hints { input, i: 0, first: [NONE; 32], bracket: None, open_until: 0 };
    loop {
        hints.i = input.find(hints.i, HTML | MARK | RESERVED | TICK | NEWLINE);
        if hints.i >= input.len() {
            return None;
        }
        let hit = hints.step();
        if hit.is_some() {
            return hit;
        }
    }
}

const MARKS: &[u8] = b"*_~|`";

const NONE: usize = usize::MAX;

struct Hints<'a> {
    input: Input<'a>,
    i: usize,
    /// The first offset of each tag, and of each mark in runs of one to three; the last entry is that of a fence.
    first: [usize; 32],
    bracket: Option<usize>,
    /// There is no closing `)` before this offset.
    open_until: usize,
}

type Hit = Option<(usize, usize)>;

impl Hints<'_> {
    /// Reads the special byte at the current offset.
    fn step(&mut self) -> Hit {
        let byte = self.input.at(self.i);
        if let Some(mark) = MARKS.iter().position(|&mark| mark == byte) {
            return self.mark(mark, byte);
        }
        let at = self.i;
        self.i += 1;
        match byte {
            b'<' => return self.tag(at),
            b'[' => self.bracket = Some(at),
            b']' => return self.link(),
            // Marks other than a fence end with their line.
            b'\n' => self.first.iter_mut().take(31).skip(TAGS.len()).for_each(|first| *first = NONE),
            _ => {}
        }
        None
    }

    fn tag(&mut self, at: usize) -> Hit {
        let is_end = self.input.at(self.i) == b'/';
        let from = self.i + usize::from(is_end);
        let end = self.input.find(from, !(ALPHA | DASH));
        let name = self.input.slice(from, end);
        let tag = TAGS.iter().position(|(tag, _)| tag.eq_ignore_ascii_case(name))?;
        let first = self.first.get_mut(tag)?;
        match (is_end, self.input.at(end)) {
            (true, b'>') if *first < NONE => return Some((*first, end + 1)),
            (false, b'>' | b' ') => *first = at.min(*first),
            _ => {}
        }
        None
    }

    fn link(&mut self) -> Hit {
        let start = self.bracket.take()?;
        let url = ["(http://", "(https://", "(tg://"].iter().any(|head| self.input.starts(self.i, head));
        if !url || self.i <= self.open_until {
            return None;
        }
        let end = self.input.find(self.i, PAREN | NEWLINE);
        self.open_until = end;
        (self.input.at(end) == b')').then_some((start, end + 1))
    }

    /// A run of one mark opens before a word and closes after one.
    fn mark(&mut self, mark: usize, byte: u8) -> Hit {
        let at = self.i;
        while self.input.at(self.i) == byte {
            self.i += 1;
        }
        let length = self.i - at;
        if length > 3 || (byte == b'|' && length != 2) {
            return None;
        }
        let first = self.first.get_mut(TAGS.len() + 3 * mark + length - 1)?;
        let before = if at == 0 { b' ' } else { self.input.at(at - 1) };
        let after = self.input.at(self.i);
        let is_fence = byte == b'`' && length == 3;
        if *first < NONE && (is_fence || (!before.is_ascii_whitespace() && !is_word(after))) {
            return Some((*first, self.i));
        }
        if is_fence || (!is_word(before) && (is_word(after) || MARKS.contains(&after))) {
            *first = at.min(*first);
        }
        None
    }
}

/// Whether a byte belongs to a word: letters, digits, and all bytes outside ASCII.
const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}
