//! Whether a text that is sent as it stands looks like markup.

use super::html_tag::TAGS;
use super::output::Input;

/// The first stretch that looks like markup: an element of Html, a link or a pair of Markdown marks around words.
pub(super) fn find(text: &str) -> Option<(usize, usize)> {
    let input = Input(text);
    let mut hints = Hints { input, tags: [None; 17], marks: [[None; 3]; 5], bracket: None, open_until: 0 };
    let mut i = 0;
    while i < input.len() {
        let (hit, next) = hints.step(i);
        if hit.is_some() {
            return hit;
        }
        i = next;
    }
    None
}

const MARKS: &[u8] = b"*_~|`";

struct Hints<'a> {
    input: Input<'a>,
    tags: [Option<usize>; 17],
    marks: [[Option<usize>; 3]; 5],
    bracket: Option<usize>,
    /// No `)` closes before this place.
    open_until: usize,
}

type Hit = Option<(usize, usize)>;

impl Hints<'_> {
    fn step(&mut self, i: usize) -> (Hit, usize) {
        match self.input.at(i) {
            b'<' => (self.tag(i), i + 1),
            b'[' => {
                self.bracket = Some(i);
                (None, i + 1)
            }
            b']' => (self.link(i), i + 1),
            b'\n' => {
                let fence = self.marks.last().and_then(|lengths| lengths.last().copied().flatten());
                self.marks = [[None; 3]; 5];
                if let Some(slot) = self.marks.last_mut().and_then(|lengths| lengths.last_mut()) {
                    *slot = fence;
                }
                (None, i + 1)
            }
            byte => match MARKS.iter().position(|&mark| mark == byte) {
                Some(mark) => self.mark(mark, byte, i),
                None => (None, i + 1),
            },
        }
    }

    fn tag(&mut self, i: usize) -> Hit {
        let is_end = self.input.at(i + 1) == b'/';
        let from = i + 1 + usize::from(is_end);
        let end = self.input.find(from, |byte| !byte.is_ascii_alphabetic() && byte != b'-');
        let name = self.input.slice(from, end);
        if name.is_empty() {
            return None;
        }
        let slot = self.tags.get_mut(TAGS.iter().position(|(tag, _)| tag.eq_ignore_ascii_case(name))?)?;
        match (is_end, self.input.at(end)) {
            (true, b'>') => slot.map(|start| (start, end + 1)),
            (false, b'>' | b' ') => {
                slot.get_or_insert(i);
                None
            }
            _ => None,
        }
    }

    fn link(&mut self, i: usize) -> Hit {
        let start = self.bracket.take()?;
        let url = ["(http://", "(https://", "(tg://"].iter().any(|head| self.input.starts(i + 1, head));
        if !url || i < self.open_until {
            return None;
        }
        let end = self.input.find(i + 1, |byte| byte == b')' || byte == b'\n');
        self.open_until = end;
        (self.input.at(end) == b')').then_some((start, end + 1))
    }

    /// A run of one mark: opens before a word, closes behind one.
    fn mark(&mut self, mark: usize, byte: u8, i: usize) -> (Hit, usize) {
        let next = self.input.find(i, |other| other != byte);
        let length = next - i;
        let slot = self.marks.get_mut(mark).and_then(|lengths| lengths.get_mut(length - 1));
        let Some(slot) = slot.filter(|_| byte != b'|' || length == 2) else {
            return (None, next);
        };
        let before = if i == 0 { b' ' } else { self.input.at(i - 1) };
        let after = self.input.at(next);
        let is_fence = byte == b'`' && length == 3;
        if let Some(start) = slot.filter(|_| is_fence || (!before.is_ascii_whitespace() && !is_word(after))) {
            return (Some((start, next)), next);
        }
        if is_fence || (!is_word(before) && (is_word(after) || MARKS.contains(&after))) {
            slot.get_or_insert(i);
        }
        (None, next)
    }
}

/// A letter or digit; whatever is not ASCII counts as one.
const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}
