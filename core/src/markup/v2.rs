//! `MarkdownV2`: a stack of open entities; the innermost one decides what a character means.

use super::entity::EntityKind;
use super::error::{ErrorKind, Fail};
use super::finding::FindingKind;
use super::output::{Input, Mark, Output};

pub(super) const SPECIAL: &[u8] = b"_*[]()~`>#+-=|{}.!\n";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Bold,
    Italic,
    Underline,
    Strike,
    Spoiler,
    Code,
    Pre,
    PreCode,
    Link,
    Emoji,
    Quote,
}

impl Tag {
    const fn name(self) -> &'static str {
        match self {
            Self::Bold => "Bold",
            Self::Italic => "Italic",
            Self::Underline => "Underline",
            Self::Strike => "Strikethrough",
            Self::Spoiler => "Spoiler",
            Self::Code => "Code",
            Self::Pre => "Pre",
            Self::PreCode => "PreCode",
            Self::Link => "TextUrl",
            Self::Emoji => "CustomEmoji",
            Self::Quote => "BlockQuote",
        }
    }

    const fn is_code(self) -> bool {
        matches!(self, Self::Code | Self::Pre | Self::PreCode)
    }
}

struct Open {
    tag: Tag,
    start: Mark,
    begin: usize,
    language: Option<String>,
}

struct Parser<'a, 'o> {
    input: Input<'a>,
    out: &'o mut Output,
    open: Vec<Open>,
    i: usize,
    line_start: bool,
    in_quote: bool,
}

pub(super) fn parse(input: Input<'_>, out: &mut Output) -> Result<(), Fail> {
    let mut parser = Parser { input, out, open: Vec::new(), i: 0, line_start: true, in_quote: false };
    while parser.i < input.len() {
        parser.step()?;
    }
    if parser.in_quote {
        let is_mark = parser.has_mark(2);
        parser.end_quote(is_mark, 0)?;
    }
    parser.open.last().map_or(Ok(()), |open| Err(unclosed(open)))
}

fn unclosed(open: &Open) -> Fail {
    Fail::at(ErrorKind::UnclosedEntity, open.begin, &["Can't find end of ", open.tag.name(), " entity"])
}

impl Parser<'_, '_> {
    fn step(&mut self) -> Result<(), Fail> {
        let byte = self.input.at(self.i);
        let escaped = self.input.at(self.i + 1);
        if byte == b'\\' && (1..=126).contains(&escaped) {
            self.line_start = escaped == b'\n' || (self.line_start && escaped == b'\r');
            self.out.push(escaped);
            self.i += 2;
            return Ok(());
        }
        let tag = self.open.last().map(|open| open.tag);
        let special = if tag.is_some_and(Tag::is_code) { byte == b'`' } else { SPECIAL.contains(&byte) };
        if !special {
            self.line_start &= byte == b'\r';
            self.out.push(byte);
            self.i += 1;
            return Ok(());
        }
        if byte == b'\n' {
            return self.newline();
        }
        match tag.and_then(|tag| self.closer(tag)) {
            Some(length) => self.close(length),
            None => self.start(byte),
        }
    }

    /// The length of the mark here that closes `tag`.
    fn closer(&self, tag: Tag) -> Option<usize> {
        let mark = match tag {
            Tag::Bold => "*",
            Tag::Italic if self.input.starts(self.i, "__") => return None,
            Tag::Italic => "_",
            Tag::Underline => "__",
            Tag::Strike => "~",
            Tag::Spoiler => "||",
            Tag::Code => "`",
            Tag::Pre | Tag::PreCode => "```",
            Tag::Link | Tag::Emoji => "]",
            Tag::Quote => return None,
        };
        self.input.starts(self.i, mark).then_some(mark.len())
    }

    fn newline(&mut self) -> Result<(), Fail> {
        if self.in_quote && self.input.at(self.i + 1) != b'>' {
            let has_return = self.out.text.last() == Some(&b'\r');
            let is_mark = self.has_mark(2) || (has_return && self.has_mark(3));
            self.end_quote(is_mark, 1)?;
        } else {
            self.out.push(b'\n');
        }
        self.i += 1;
        self.line_start = true;
        Ok(())
    }

    /// Whether the innermost entity is a spoiler that begins that many bytes back.
    fn has_mark(&self, back: usize) -> bool {
        self.open.last().is_some_and(|open| open.tag == Tag::Spoiler && open.begin + back == self.i)
    }

    /// Ends the quote, `newline` (a newline, or nothing at the end of the text) included. The spoiler that marks a quote as
    /// expandable is discarded.
    fn end_quote(&mut self, is_mark: bool, newline: usize) -> Result<(), Fail> {
        if is_mark {
            self.open.pop();
        }
        let Some(quote) = self.open.pop() else { return Ok(()) };
        if quote.tag != Tag::Quote {
            return Err(unclosed(&quote));
        }
        if newline > 0 {
            self.out.push(b'\n');
        }
        self.in_quote = false;
        let kind = if is_mark { EntityKind::ExpandableBlockQuote } else { EntityKind::BlockQuote };
        self.out.add(kind, quote.start, (quote.begin, self.i + newline));
        Ok(())
    }

    fn start(&mut self, byte: u8) -> Result<(), Fail> {
        let begin = self.i;
        let next = self.input.at(begin + 1);
        let (tag, length) = match (byte, next) {
            (b'_', b'_') => (Tag::Underline, 2),
            (b'_', _) => (Tag::Italic, 1),
            (b'*', _) => (Tag::Bold, 1),
            (b'~', _) => (Tag::Strike, 1),
            (b'|', b'|') => (Tag::Spoiler, 2),
            (b'[', _) => (Tag::Link, 1),
            (b'!', b'[') => (Tag::Emoji, 2),
            (b'`', _) if self.input.is_fence(begin) => (Tag::Pre, 3),
            (b'`', _) => (Tag::Code, 1),
            (b'>', _) if self.line_start => (Tag::Quote, 1),
            _ => {
                let character = self.input.slice(begin, begin + 1);
                return Err(Fail::new(
                    ErrorKind::ReservedCharacter,
                    begin,
                    &["Character '", character, "' is reserved and must be escaped with the preceding '\\'"],
                ));
            }
        };
        self.i += length;
        let mut open = Open { tag, start: self.out.mark(), begin, language: None };
        match tag {
            Tag::Quote if self.in_quote => return Ok(()),
            Tag::Quote => self.in_quote = true,
            Tag::Pre => {
                (open.language, self.i) = self.input.fence_head(self.i);
                open.tag = if open.language.is_some() { Tag::PreCode } else { Tag::Pre };
            }
            Tag::Bold if next == b'*' && self.input.at(begin + 2) != b'>' => {
                self.out.findings.push((FindingKind::DoubleStar, begin, begin + 2));
            }
            _ => {}
        }
        self.open.push(open);
        Ok(())
    }

    fn close(&mut self, length: usize) -> Result<(), Fail> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        self.i += length;
        let kind = match open.tag {
            Tag::Bold => EntityKind::Bold,
            Tag::Italic => EntityKind::Italic,
            Tag::Underline => EntityKind::Underline,
            Tag::Strike => EntityKind::Strikethrough,
            Tag::Spoiler => EntityKind::Spoiler,
            Tag::Code => EntityKind::Code,
            Tag::Link => return self.close_link(&open),
            Tag::Emoji => self.emoji(&open)?,
            Tag::Pre | Tag::PreCode | Tag::Quote => {
                open.language.map_or(EntityKind::Pre, |language| EntityKind::PreCode { language })
            }
        };
        self.out.add(kind, open.start, (open.begin, self.i));
        Ok(())
    }

    fn close_link(&mut self, open: &Open) -> Result<(), Fail> {
        let url = self.url()?;
        self.out.add_link(url.as_deref(), open.start, (open.begin, self.i));
        Ok(())
    }

    fn emoji(&mut self, open: &Open) -> Result<EntityKind, Fail> {
        let fail = |message: &str| Fail::new(ErrorKind::CustomEmoji, open.begin, &[message]);
        let url = self.url()?.ok_or_else(|| fail("The entity must contain a tg://emoji or tg://time URL"))?;
        super::link::emoji_or_date(&url).ok_or_else(|| fail("Invalid tg://emoji or tg://time URL specified"))
    }

    /// The address in parentheses, if one follows.
    fn url(&mut self) -> Result<Option<String>, Fail> {
        if self.input.at(self.i) != b'(' {
            return Ok(None);
        }
        let begin = self.i + 1;
        self.i = begin;
        let mut url = Vec::new();
        while self.input.at(self.i) != b')' {
            if self.i >= self.input.len() {
                return Err(Fail::at(ErrorKind::UnclosedUrl, begin, &["Can't find end of a URL"]));
            }
            let escaped = self.input.at(self.i) == b'\\' && (1..=126).contains(&self.input.at(self.i + 1));
            self.i += usize::from(escaped);
            url.push(self.input.at(self.i));
            self.i += 1;
        }
        self.i += 1;
        Ok(String::from_utf8(url).ok())
    }
}
