//! The markup of messenger_c, parsed exactly as the channel does (specification: section D3, "after parsing").
//!
//! A message of messenger_c has 1 to 4096 characters *after parsing*: the markup is removed, the rest is cleaned and
//! trimmed, then code points are counted. [`parse`] performs all of these steps:
//!
//! ```
//! use cpaas::markup::{Mode, parse};
//!
//! let parsed = parse("*Table 4* is ready\\.", Mode::MarkdownV2)?;
//! assert_eq!(parsed.text, "Table 4 is ready.");
//! assert_eq!(parsed.entities[0].kind.name(), "Bold");
//! assert_eq!(parsed.sent.code_points, 17);
//!
//! let error = parse("Ready in 1.5 h", Mode::MarkdownV2).unwrap_err();
//! assert_eq!((error.kind.code(), error.byte_offset), ("reserved_character", 10));
//! # Ok::<(), cpaas::markup::MarkupError>(())
//! ```
//!
//! The functions do no I/O and do not backtrack; the time is linear, except for sorting entities. A link without a URL uses
//! its label as the URL, and the labels of nested links overlap. To keep the time linear, such links are dropped once the
//! total length of their labels exceeds 16 times the input.

mod byte_class;
mod entity;
mod escape;
mod finding;
mod html;
mod input;
mod legacy_markdown;
mod link;
mod markdown_v2;
mod markup_error;
pub(crate) mod markup_json;
mod nesting;
mod parser;
mod sent_text;
mod unparsed_markup;

use core::fmt;

use serde::{Deserialize, Serialize};

pub use entity::{Entity, EntityKind};
pub use escape::{Edit, escape, fix};
pub use finding::{Finding, FindingKind};
pub use markup_error::{ErrorKind, MarkupError};
pub use sent_text::Sent;

use markup_error::Fail;
use parser::Parser;

/// The parse mode of a text: `parseMode` of messenger_c, as the specification spells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Mode {
    /// Plain text.
    #[default]
    Default,
    /// The legacy Markdown: no nesting, no reserved characters.
    Markdown,
    /// HTML with seventeen tags.
    Html,
    /// Markdown with nesting, quotes and reserved characters.
    MarkdownV2,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 4] = [Self::Default, Self::Markdown, Self::Html, Self::MarkdownV2];

    /// The name in the spelling of the specification.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "Default",
            Self::Markdown => "Markdown",
            Self::Html => "Html",
            Self::MarkdownV2 => "MarkdownV2",
        }
    }

    /// The mode with exactly this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::suggest(name).filter(|mode| mode.name() == name)
    }

    /// The mode with this name, ignoring case, as a suggestion.
    pub fn suggest(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name().eq_ignore_ascii_case(name))
    }
}

/// A parsed text. `Debug` omits the text.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Parsed {
    /// The text without its markup, before it is cleaned.
    pub text: String,
    /// The entities, sorted by offset, then by length (longer first), then by rank; in `Markdown` in the order of the source.
    pub entities: Vec<Entity>,
    /// The text that is sent, and its lengths.
    pub sent: Sent,
    /// Valid markup that is probably a mistake, sorted by position.
    pub findings: Vec<Finding>,
}

impl Parsed {
    /// Checks the length of a message: 1 to 4096 code points after cleaning and trimming.
    ///
    /// # Errors
    /// [`ErrorKind::Empty`] or [`ErrorKind::TooLong`], at offset 0.
    pub fn check_message(&self) -> Result<(), MarkupError> {
        match self.sent.code_points {
            0 => Err(whole(ErrorKind::Empty, "Text must be non-empty")),
            count if count > MAX_MESSAGE => Err(whole(ErrorKind::TooLong, "Message is too long")),
            _ => Ok(()),
        }
    }

    /// Checks the length of a caption: 0 to 1024 code points after cleaning and trimming.
    ///
    /// # Errors
    /// [`ErrorKind::TooLong`], at offset 0.
    pub fn check_caption(&self) -> Result<(), MarkupError> {
        if self.sent.code_points > MAX_CAPTION {
            return Err(whole(ErrorKind::TooLong, "Message caption is too long"));
        }
        Ok(())
    }
}

impl fmt::Debug for Parsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Parsed");
        shown.field("entities", &self.entities).field("sent", &self.sent).field("findings", &self.findings);
        shown.finish_non_exhaustive()
    }
}

/// The maximum number of code points in a message after parsing, cleaning and trimming.
pub const MAX_MESSAGE: usize = 4096;
/// The maximum number of code points in a caption after parsing, cleaning and trimming.
pub const MAX_CAPTION: usize = 1024;
/// The maximum number of code points that the parser accepts, markup included.
pub const MAX_INPUT: usize = 65_536;

fn whole(kind: ErrorKind, message: &str) -> MarkupError {
    Fail::new(kind, 0, message, "").locate("")
}

/// Parses `text` in `mode`.
///
/// # Errors
/// The first invalid position, or more than [`MAX_INPUT`] code points except in [`Mode::Default`]. An empty text is not an
/// error, see [`Parsed::check_message`].
pub fn parse(text: &str, mode: Mode) -> Result<Parsed, MarkupError> {
    if mode == Mode::Default {
        return Ok(finish(text, mode, text.to_owned(), Parser::new("")));
    }
    if let Some((at, _)) = text.char_indices().nth(MAX_INPUT) {
        return Err(Fail::new(ErrorKind::TooLong, at, "Text is too long", "").locate(text));
    }
    let mut parser = Parser::new(text);
    read(&mut parser, mode).map_err(|fail| fail.locate(text))?;
    if mode != Mode::Markdown {
        entity::arrange(&mut parser.entities);
    }
    let parsed = String::from_utf8(core::mem::take(&mut parser.text)).unwrap_or_default();
    Ok(finish(text, mode, parsed, parser))
}

/// Parses the markup that begins with the given byte.
type Step = fn(&mut Parser<'_>, u8) -> Result<(), Fail>;

/// Copies the text up to each special byte of `mode` and parses the markup there.
fn read(parser: &mut Parser<'_>, mode: Mode) -> Result<(), Fail> {
    let (special, step): (u32, Step) = match mode {
        Mode::Html => (byte_class::HTML, html::step),
        Mode::MarkdownV2 => (byte_class::V2, markdown_v2::step),
        Mode::Markdown | Mode::Default => (byte_class::LEGACY, legacy_markdown::step),
    };
    loop {
        parser.copy(parser.input.find(parser.i, special));
        if parser.i >= parser.input.len() {
            break;
        }
        step(parser, parser.at(0))?;
    }
    match mode {
        Mode::Html => html::end(parser),
        Mode::MarkdownV2 => markdown_v2::end(parser),
        Mode::Markdown | Mode::Default => Ok(()),
    }
}

/// Parses bytes, which must be UTF-8.
///
/// # Errors
/// As [`parse`]; [`ErrorKind::InvalidUnicode`] at the first byte that is not UTF-8.
pub fn parse_bytes(bytes: &[u8], mode: Mode) -> Result<Parsed, MarkupError> {
    match core::str::from_utf8(bytes) {
        Ok(text) => parse(text, mode),
        Err(error) => {
            let valid = bytes.get(..error.valid_up_to()).map(String::from_utf8_lossy).unwrap_or_default();
            Err(Fail::new(ErrorKind::InvalidUnicode, valid.len(), "Text must be encoded in UTF-8", "")
                .locate(&valid))
        }
    }
}

fn finish(input: &str, mode: Mode, text: String, parser: Parser<'_>) -> Parsed {
    let sent = sent_text::clean(&text, &parser.entities);
    let findings = match mode {
        Mode::Default => finding::not_parsed(input, unparsed_markup::find(input)),
        _ => finding::collect(input, parser.findings, &parser.entities, &sent.entities),
    };
    Parsed { text, entities: parser.entities, sent, findings }
}
