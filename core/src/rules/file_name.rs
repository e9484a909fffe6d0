//! File names and their extensions.

use std::borrow::Cow;

use super::url::Url;

/// Known extensions of media and documents; any other extension is not checked.
const KNOWN: &[&str] = &[
    "3gp", "7z", "aac", "amr", "apk", "avi", "bmp", "csv", "doc", "docm", "docx", "dot", "dotx", "eps",
    "epub", "exe", "flac", "flv", "fodt", "fods", "gif", "gz", "heic", "heif", "htm", "html", "ico", "jfif",
    "jpeg", "jpg", "json", "m4a", "m4v", "md", "mid", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "odf",
    "odp", "ods", "odt", "oga", "ogg", "ogv", "opus", "pdf", "png", "ppt", "pptx", "psd", "rar", "rtf",
    "svg", "tar", "tif", "tiff", "txt", "wav", "webm", "webp", "wma", "wmv", "xls", "xlsm", "xlsx", "xltx",
    "xml", "xps", "zip",
];

/// The extension of a name, after its last full stop; a name that starts with its only full stop has none.
pub(crate) fn extension(name: &str) -> Option<&str> {
    let (stem, extension) = name.rsplit_once('.')?;
    (!stem.is_empty() && !extension.is_empty()).then_some(extension)
}

/// Whether `extension` is in a list, ignoring case.
pub(crate) fn is_in(extension: &str, list: &[&str]) -> bool {
    list.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// Whether the path of a URL ends in a known extension that is not in `list`.
pub(crate) fn is_other_than(url: &Url<'_>, list: &[&str]) -> bool {
    url.extension().is_some_and(|extension| !is_in(extension, list) && is_in(extension, KNOWN))
}

/// The file name of a URL: the last segment of its path, percent-decoded.
pub(crate) fn from_url<'a>(url: &Url<'a>) -> Option<Cow<'a, str>> {
    let segment = url.last_segment()?;
    Some(percent_encoding::percent_decode_str(segment).decode_utf8_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_urls() {
        let name = |url| Url::parse(url).ok().and_then(|url| from_url(&url).map(Cow::into_owned));
        assert_eq!(name("https://a.b/c/d%20e.pdf?x").as_deref(), Some("d e.pdf"));
        assert_eq!(name("https://a.b/%C3%A4.pdf").as_deref(), Some("ä.pdf"));
        assert_eq!(name("https://a.b/100%").as_deref(), Some("100%"));
        assert_eq!(name("https://a.b/%zz%4").as_deref(), Some("%zz%4"));
        assert_eq!(name("https://a.b/"), None);
        assert_eq!(name("https://a.b/a%FFb").as_deref(), Some("a\u{FFFD}b"));
    }

    #[test]
    fn extensions_are_found() {
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
