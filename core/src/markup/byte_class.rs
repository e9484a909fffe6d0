//! Classes of bytes for the parsers. A byte is in one class; a set of classes is a bit set.

pub(super) const NUL: u32 = 1 << 1;
/// White space except NUL and newline.
pub(super) const BLANK: u32 = 1 << 2;
pub(super) const NEWLINE: u32 = 1 << 3;
pub(super) const ALPHA: u32 = 1 << 4;
pub(super) const DIGIT: u32 = 1 << 5;
pub(super) const DASH: u32 = 1 << 6;
pub(super) const DOT: u32 = 1 << 7;
pub(super) const GREATER: u32 = 1 << 8;
pub(super) const EQUALS: u32 = 1 << 9;
/// A quotation mark, or the slash.
pub(super) const QUOTE: u32 = 1 << 10;
/// Opens an entity in both dialects of Markdown.
pub(super) const MARK: u32 = 1 << 11;
pub(super) const TICK: u32 = 1 << 12;
pub(super) const PAREN: u32 = 1 << 13;
/// Other bytes that only `MarkdownV2` reserves.
pub(super) const RESERVED: u32 = 1 << 14;
pub(super) const ESCAPE: u32 = 1 << 15;
/// Special bytes of `Html`.
pub(super) const HTML: u32 = 1 << 16;

/// White space as the channel's reference implementation defines it.
pub(super) const SPACE: u32 = NUL | BLANK | NEWLINE;
/// Special bytes of the legacy Markdown.
pub(super) const LEGACY: u32 = MARK | TICK | ESCAPE;
/// Special bytes of `MarkdownV2`.
pub(super) const V2: u32 = LEGACY | NEWLINE | DASH | DOT | GREATER | EQUALS | PAREN | RESERVED;

static CLASSES: [u8; 128] = classes();

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, where an index out of range is an error"
)]
const fn classes() -> [u8; 128] {
    let mut classes = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        let class = match byte as u8 {
            0 => NUL,
            b' ' | b'\t' | b'\r' | 0x0B => BLANK,
            b'\n' => NEWLINE,
            b'a'..=b'z' | b'A'..=b'Z' => ALPHA,
            b'0'..=b'9' => DIGIT,
            b'-' => DASH,
            b'.' => DOT,
            b'>' => GREATER,
            b'=' => EQUALS,
            b'/' | b'"' | b'\'' => QUOTE,
            b'_' | b'*' | b'[' => MARK,
            b'`' => TICK,
            b')' => PAREN,
            b']' | b'(' | b'~' | b'#' | b'+' | b'|' | b'{' | b'}' | b'!' => RESERVED,
            b'\\' => ESCAPE,
            b'<' | b'&' => HTML,
            _ => 1,
        };
        classes[byte] = class.trailing_zeros() as u8;
        byte += 1;
    }
    classes
}

/// Whether a byte is in one of these classes; a byte outside ASCII is in none.
pub(super) fn is(byte: u8, classes: u32) -> bool {
    let class = CLASSES.get(usize::from(byte)).copied().unwrap_or(0);
    classes >> class & 1 > 0
}
