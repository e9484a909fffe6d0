//! The encoding of a text file.

use std::io::{Chain, Cursor, Read};

use encoding_rs_io::{DecodeReaderBytes, DecodeReaderBytesBuilder};

use crate::error::{Error, Result};

/// The advice in errors about a file that is not UTF-8.
pub(super) const ADVICE: &str = "the file must be UTF-8; for another encoding use the setting `encoding`, such as --encoding windows-1252";

/// An encoding of files, such as `windows-1252`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// The encoding with a name of the WHATWG Encoding Standard, in any case: `utf-8`, `utf-16le`, `windows-1252`, ….
    ///
    /// # Errors
    /// When there is no such encoding.
    pub fn named(name: &str) -> Result<Self> {
        let found = encoding_rs::Encoding::for_label_no_replacement(name.as_bytes());
        let message = "the encoding must be one of the WHATWG Encoding Standard, such as windows-1252";
        found.map(Self).ok_or_else(|| Error::Setting(message.to_owned()))
    }
}

/// A reader that returns UTF-8.
pub(super) type Decoded<R> = DecodeReaderBytes<Chain<Cursor<Vec<u8>>, R>, Vec<u8>>;

/// The byte order mark of UTF-8.
const UTF_8_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Decodes a file. A byte order mark of UTF-8 or UTF-16 has priority over the encoding, and is removed. Without both, the bytes are
/// returned unchanged.
pub(super) fn decode<R: Read>(mut reader: R, encoding: Option<Encoding>) -> Decoded<R> {
    let mut head = Vec::new();
    // An error occurs again when the rest is read.
    let _ = Read::by_ref(&mut reader).take(UTF_8_MARK.len() as u64).read_to_end(&mut head);
    // The decoder would apply another encoding to the mark.
    let encoding = encoding.filter(|_| head != UTF_8_MARK);
    let other = encoding.map(|Encoding(known)| known).filter(|known| *known != encoding_rs::UTF_8);
    DecodeReaderBytesBuilder::new()
        .encoding(other)
        .bom_override(true)
        .strip_bom(true)
        .utf8_passthru(true)
        .build(Cursor::new(head).chain(reader))
}

/// Refuses a file that is not text, by its beginning.
pub(super) fn check_text(head: &[u8]) -> Result<()> {
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"\xD0\xCF\x11\xE0") {
        let message = "the file must be text, got a workbook; save it as CSV UTF-8 (.csv)";
        return Err(Error::Source(message.to_owned()));
    }
    match head.iter().position(|byte| *byte == 0) {
        Some(at) => {
            let before = head.get(..at).unwrap_or_default();
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            Err(Error::Source(format!(
                "line {line}: the file must be text, got a NUL character; for UTF-16 without a byte order mark use the setting `encoding`, such as --encoding utf-16le"
            )))
        }
        None => Ok(()),
    }
}
