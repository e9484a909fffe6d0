//! The attributes of a start tag of `Html`.

use super::error::{ErrorKind, Fail};
use super::html::{is_surrogate, reference};
use super::output::{Input, is_space, push_code};

/// What a tag stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    Link,
    Bold,
    Italic,
    Strike,
    Underline,
    Spoiler,
    Emoji,
    Time,
    Span,
    Pre,
    Code,
    Quote,
}

pub(super) static TAGS: [(&str, Tag); 17] = [
    ("a", Tag::Link),
    ("b", Tag::Bold),
    ("strong", Tag::Bold),
    ("i", Tag::Italic),
    ("em", Tag::Italic),
    ("s", Tag::Strike),
    ("strike", Tag::Strike),
    ("del", Tag::Strike),
    ("u", Tag::Underline),
    ("ins", Tag::Underline),
    ("tg-spoiler", Tag::Spoiler),
    ("tg-emoji", Tag::Emoji),
    ("tg-time", Tag::Time),
    ("span", Tag::Span),
    ("pre", Tag::Pre),
    ("code", Tag::Code),
    ("blockquote", Tag::Quote),
];

/// What a tag's attributes say.
#[derive(Default)]
pub(super) struct Attributes {
    /// The address, identifier, class, language or time; of a quotation, that it is expandable.
    pub(super) value: Option<String>,
    /// The format of a date.
    pub(super) format: Option<String>,
    /// Where a reference to a surrogate stands.
    pub(super) invalid: Option<usize>,
}

impl Attributes {
    /// Reads up to the `>`; returns its place.
    pub(super) fn read(
        input: Input<'_>,
        element: &str,
        tag: Tag,
        begin: usize,
        mut i: usize,
    ) -> Result<(Self, usize), Fail> {
        let mut all = Self::default();
        let unclosed = || Fail::at(ErrorKind::UnclosedTag, begin, &["Unclosed start tag \"", element, "\""]);
        let skip = |i| input.find(i, |byte| !is_space(byte) || byte == 0);
        loop {
            i = skip(i);
            if input.at(i) == b'>' {
                return Ok((all, i));
            }
            let end = input.find(i, |byte| is_space(byte) || b"=>/\"'".contains(&byte));
            let name = input.slice(i, end);
            if name.is_empty() {
                let message = ["Empty attribute name in the tag \"", element, "\""];
                return Err(Fail::at(ErrorKind::Attribute, begin, &message));
            }
            i = skip(end);
            if input.at(i) == 0 {
                return Err(unclosed());
            }
            if input.at(i) == b'=' {
                i = skip(i + 1);
                if input.at(i) == 0 {
                    return Err(unclosed());
                }
                let value;
                (value, i) = all.read_value(input, i)?;
                if input.at(i) == 0 {
                    return Err(Fail::at(ErrorKind::UnclosedTag, begin, &["Unclosed start tag"]));
                }
                all.set(tag, name, value);
            } else if tag == Tag::Quote {
                all.set(tag, name, String::new());
            }
        }
    }

    fn read_value(&mut self, input: Input<'_>, from: usize) -> Result<(String, usize), Fail> {
        let quote = input.at(from);
        if quote != b'"' && quote != b'\'' {
            let end = input.find(from, |byte| !byte.is_ascii_alphanumeric() && byte != b'.' && byte != b'-');
            if !is_space(input.at(end)) && input.at(end) != b'>' {
                return Err(Fail::at(ErrorKind::Attribute, from, &["Unexpected end of name token"]));
            }
            return Ok((input.slice(from, end).to_ascii_lowercase(), end));
        }
        let mut value = Vec::new();
        let mut i = from + 1;
        while input.at(i) != quote && input.at(i) != 0 {
            if let Some((code, next)) = (input.at(i) == b'&').then(|| reference(input, i)).flatten() {
                self.invalid = self.invalid.or(is_surrogate(code).then_some(i));
                push_code(&mut value, code);
                i = next;
            } else {
                value.push(input.at(i));
                i += 1;
            }
        }
        i += usize::from(input.at(i) == quote);
        Ok((String::from_utf8(value).unwrap_or_default(), i))
    }

    fn set(&mut self, tag: Tag, name: &str, value: String) {
        let (known, prefix) = match tag {
            Tag::Link => ("href", ""),
            Tag::Emoji => ("emoji-id", ""),
            Tag::Time if name == "format" => {
                self.format = Some(value);
                return;
            }
            Tag::Time => ("unix", ""),
            Tag::Code => ("class", "language-"),
            Tag::Span => ("class", "tg-"),
            Tag::Quote => ("expandable", ""),
            _ => return,
        };
        if let Some(tail) = value.strip_prefix(prefix).filter(|_| name == known) {
            self.value = Some(tail.to_owned());
        }
    }
}
