//! File names and their extensions.

use std::borrow::Cow;

use super::scan;
use super::url::Url;

/// Extensions of media and documents that are told apart; any other says nothing about the file.
const KNOWN: &[&str] = &[
    "3gp", "7z", "aac", "amr", "apk", "avi", "bmp", "csv", "doc", "docm", "docx", "dot", "dotx", "eps",
    "epub", "exe", "flac", "flv", "fodt", "fods", "gif", "gz", "heic", "heif", "htm", "html", "ico", "jfif",
    "jpeg", "jpg", "json", "m4a", "m4v", "md", "mid", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "odf",
    "odp", "ods", "odt", "oga", "ogg", "ogv", "opus", "pdf", "png", "ppt", "pptx", "psd", "rar", "rtf",
    "svg", "tar", "tif", "tiff", "txt", "wav", "webm", "webp", "wma", "wmv", "xls", "xlsm", "xlsx", "xltx",
    "xml", "xps", "zip",
];

/// What stands behind the last full stop of a name; a name that starts with its only one has none.
pub(crate) fn extension(name: &str) -> Option<&str> {
    let (stem, extension) = scan::cut_last(name, b'.')?;
    (!stem.is_empty() && !extension.is_empty()).then_some(extension)
}

/// Whether `extension` is in a list of lower-case ones.
pub(crate) fn is_in(extension: &str, list: &[&str]) -> bool {
    list.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// Whether the path of a URL ends in an extension of another known kind of file.
pub(crate) fn is_other_than(url: &Url<'_>, list: &[&str]) -> bool {
    url.extension().is_some_and(|extension| !is_in(extension, list) && is_in(extension, KNOWN))
}

/// The name that a URL gives a file: the last segment of its path, percent-decoded.
pub(crate) fn from_url<'a>(url: &Url<'a>) -> Option<Cow<'a, str>> {
    let segment = url.last_segment()?;
    if !segment.contains('%') {
        return Some(Cow::Borrowed(segment));
    }
    let mut decoded = Vec::with_capacity(segment.len());
    let mut rest = segment.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let code = match (byte, tail) {
            (b'%', [high, low, ..]) => digit(*high).zip(digit(*low)).map(|(high, low)| high * 16 + low),
            _ => None,
        };
        decoded.push(code.unwrap_or(byte));
        rest = if code.is_some() { tail.get(2..).unwrap_or_default() } else { tail };
    }
    Some(Cow::Owned(readable(&decoded)))
}

/// As `String::from_utf8_lossy`, by what reads UTF-8 anyway.
fn readable(mut bytes: &[u8]) -> String {
    let mut text = String::new();
    loop {
        let error = match std::str::from_utf8(bytes) {
            Ok(rest) => {
                text.push_str(rest);
                return text;
            }
            Err(error) => error,
        };
        let (valid, rest) = bytes.split_at_checked(error.valid_up_to()).unwrap_or_default();
        text.push_str(std::str::from_utf8(valid).unwrap_or_default());
        text.push(char::REPLACEMENT_CHARACTER);
        bytes = error.error_len().and_then(|length| rest.get(length..)).unwrap_or_default();
    }
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_urls() {
        let name = |url| Url::parse(url).and_then(|url| from_url(&url).map(Cow::into_owned));
        assert_eq!(name("https://a.b/c/d%20e.pdf?x").as_deref(), Some("d e.pdf"));
        assert_eq!(name("https://a.b/%C3%A4.pdf").as_deref(), Some("ä.pdf"));
        assert_eq!(name("https://a.b/100%").as_deref(), Some("100%"));
        assert_eq!(name("https://a.b/%zz%4").as_deref(), Some("%zz%4"));
        assert_eq!(name("https://a.b/"), None);
        for bytes in [&b"a\xFFb"[..], b"\xE2\x82", b"\xE2\x82x\xF0\x9F\x98\x80\x80", b"\xED\xA0\x80", b""] {
            assert_eq!(readable(bytes), String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn extensions() {
        assert_eq!(
            (extension("a.B"), extension("a"), extension(".a"), extension("a.")),
            (Some("B"), None, None, None)
        );
        let url = |text| Url::parse(text).unwrap();
        assert!(is_other_than(&url("https://a.b/c.DOCX"), &["pdf"]));
        assert!(!is_other_than(&url("https://a.b/c.PDF"), &["pdf"]));
        assert!(!is_other_than(&url("https://a.b/c.php"), &["pdf"]));
        assert!(!is_other_than(&url("https://a.b/c"), &["pdf"]));
    }
}
