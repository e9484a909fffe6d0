//! messenger_c markup, exactly as the channel reads it (specification: section D3, "after parsing").
//!
//! A message of messenger_c has 1 to 4096 characters *after parsing*: the markup goes first, the rest is cleaned and
//! trimmed, then code points are counted. [`parse`] does all of it and says what becomes of the text:
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
//! Nothing here does I/O, panics or backtracks: all is linear in the text apart from the final sort of the entities. Where the
//! dialect's own cost is not (each of many nested links without address taking its label for one), labels beyond 16 times the
//! input's length in all are not tried, and such a link counts as dropped.

mod class;
mod clean;
mod entity;
mod error;
mod escape;
mod finding;
mod hint;
mod html;
mod html_tag;
mod json;
mod legacy;
mod link;
mod nest;
mod output;
mod v2;

use core::fmt;

use serde::{Deserialize, Serialize};

pub use clean::Sent;
pub use entity::{Entity, EntityKind};
pub use error::{ErrorKind, MarkupError};
pub use escape::{Edit, escape, fix};
pub use finding::{Finding, FindingKind};
pub use json::{escape_json, parse_json};

use error::Fail;
use output::Parser;

/// How a text is read: the `parseMode` of messenger_c, with the specification's spellings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Mode {
    /// As it stands.
    #[default]
    Default,
    /// The legacy Markdown: no nesting, no reserved characters.
    Markdown,
    /// Seventeen tags.
    Html,
    /// Markdown with nesting, quotes and reserved characters.
    MarkdownV2,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 4] = [Self::Default, Self::Markdown, Self::Html, Self::MarkdownV2];

    /// The specification's spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "Default",
            Self::Markdown => "Markdown",
            Self::Html => "Html",
            Self::MarkdownV2 => "MarkdownV2",
        }
    }

    /// The mode of exactly that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::suggest(name).filter(|mode| mode.name() == name)
    }

    /// The mode of that name whatever its case, to be suggested.
    pub fn suggest(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name().eq_ignore_ascii_case(name))
    }
}

/// A text once parsed. `Debug` leaves the text out.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Parsed {
    /// The text without its markup, before any cleaning.
    pub text: String,
    /// Its entities: by offset, the longer first, then by rank; in `Markdown` in the order of the source.
    pub entities: Vec<Entity>,
    /// What is sent, and its lengths.
    pub sent: Sent,
    /// What parses but may not be what was meant, by place.
    pub findings: Vec<Finding>,
}

impl Parsed {
    /// Checks the length of a message: 1 to 4096 code points once cleaned and trimmed.
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

    /// Checks the length of a caption: 0 to 1024 code points once cleaned and trimmed.
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

/// Code points in a message once parsed, cleaned and trimmed.
pub const MAX_MESSAGE: usize = 4096;
/// Code points in a caption once parsed, cleaned and trimmed.
pub const MAX_CAPTION: usize = 1024;
/// Code points that the parser takes, markup included.
pub const MAX_INPUT: usize = 65_536;

fn whole(kind: ErrorKind, message: &str) -> MarkupError {
    Fail::new(kind, 0, message, "").locate("")
}

/// Parses `text` in `mode`.
///
/// # Errors
/// The first place at which the text does not parse; more than [`MAX_INPUT`] code points, except in [`Mode::Default`].
/// An empty text is none: see [`Parsed::check_message`].
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

/// Reads what begins with that byte.
type Step = fn(&mut Parser<'_>, u8) -> Result<(), Fail>;

/// Copies the text up to each byte that means something in `mode`, which the mode's own parser reads.
fn read(parser: &mut Parser<'_>, mode: Mode) -> Result<(), Fail> {
    let (special, step): (u32, Step) = match mode {
        Mode::Html => (class::HTML, html::step),
        Mode::MarkdownV2 => (class::V2, v2::step),
        Mode::Markdown | Mode::Default => (class::LEGACY, legacy::step),
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
        Mode::MarkdownV2 => v2::end(parser),
        Mode::Markdown | Mode::Default => Ok(()),
    }
}

/// Parses bytes that should be UTF-8.
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
    let sent = clean::clean(&text, &parser.entities);
    let findings = finding::collect(input, mode, parser.findings, &parser.entities, &sent.entities);
    Parsed { text, entities: parser.entities, sent, findings }
}
