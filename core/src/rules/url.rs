//! Absolute http and https URLs: scheme, host and port are read, the rest is only free of blanks.
//! No IDNA and no normalising: a letter outside ASCII is fine in a host.

use super::scan;

/// The parts of an absolute URL that rules ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Url<'a> {
    pub(crate) is_https: bool,
    pub(crate) host: &'a str,
    /// From the first slash to before the query.
    pub(crate) path: &'a str,
}

impl<'a> Url<'a> {
    /// Reads an absolute http or https URL.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let (is_https, rest) = match text.strip_prefix("https://") {
            Some(rest) => (true, rest),
            None => scheme(text)?,
        };
        let (host, tail) = plain_host(rest).or_else(|| any_host(rest))?;
        if !scan::any(tail, |byte| is_blank(byte) | (byte == b'?') | (byte == b'#')) {
            return Some(Self { is_https, host, path: tail });
        }
        if scan::any(tail, is_blank) {
            return None;
        }
        let end = tail.find(['?', '#']).unwrap_or(tail.len());
        Some(Self { is_https, host, path: tail.get(..end)? })
    }

    /// Whether the host is this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        let mut host = self.host;
        while let Some(rest) = host.strip_suffix('.') {
            host = rest;
        }
        let is_local = |name: &str| name.eq_ignore_ascii_case("localhost");
        is_local(host)
            || scan::cut_last(host, b'.').is_some_and(|(_, last)| is_local(last))
            || host == "[::1]"
            || host.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
    }

    /// The extension of the last segment of the path; a name that starts with its only full stop has none.
    pub(crate) fn extension(&self) -> Option<&'a str> {
        let mut bytes = self.path.bytes();
        let dot = bytes.rposition(|byte| matches!(byte, b'.' | b'/'))?;
        let extension = self.path.get(dot + 1..)?;
        let is_named =
            self.path.as_bytes().get(dot) == Some(&b'.') && !matches!(bytes.next_back(), None | Some(b'/'));
        (is_named && !extension.is_empty()).then_some(extension)
    }

    /// The last segment of the path, where it is not empty.
    pub(crate) fn last_segment(&self) -> Option<&'a str> {
        scan::cut_last(self.path, b'/').map(|(_, segment)| segment).filter(|segment| !segment.is_empty())
    }
}

/// Whether a text is an absolute http or https URL.
pub(crate) fn is_absolute(text: &str) -> bool {
    Url::parse(text).is_some()
}

/// Whether a text is an absolute http or https URL, or another scheme followed by something.
pub(crate) fn is_action(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    if scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https") {
        return is_absolute(text);
    }
    let mut bytes = scheme.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        && !rest.is_empty()
        && !rest.bytes().any(is_blank)
}

/// Whether a webhook may be called there: https, or http on this machine.
pub(crate) fn is_webhook(text: &str) -> bool {
    Url::parse(text).is_some_and(|url| url.is_https || url.is_loopback())
}

/// A host of ASCII letters, digits, hyphens and full stops with nothing else in the authority: what nearly all URLs have.
fn plain_host(rest: &str) -> Option<(&str, &str)> {
    let mut label = 0;
    for (at, byte) in rest.bytes().enumerate() {
        if IN_LABEL.get(usize::from(byte)) == Some(&true) {
            continue;
        }
        match byte {
            _ if at == label => return None,
            b'.' => label = at + 1,
            b'/' => return rest.split_at_checked(at),
            _ => return None,
        }
    }
    None
}

#[expect(clippy::indexing_slicing, reason = "worked out at compile time")]
const IN_LABEL: &[bool; 256] = &{
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'-';
        byte += 1;
    }
    table
};

/// Any authority: user information, port, an address in brackets, letters outside ASCII.
fn any_host(rest: &str) -> Option<(&str, &str)> {
    let end = rest.bytes().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at_checked(end)?;
    if authority.bytes().any(is_blank) {
        return None;
    }
    let place = scan::cut_last(authority, b'@').map_or(authority, |(_, place)| place);
    Some((host(place)?, tail))
}

/// Whether the scheme, written in any case, is https, and what stands behind it.
fn scheme(text: &str) -> Option<(bool, &str)> {
    let secure = after_scheme(text, "https://").map(|rest| (true, rest));
    secure.or_else(|| Some((false, after_scheme(text, "http://")?)))
}

fn after_scheme<'a>(text: &'a str, scheme: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(scheme.len())?;
    head.eq_ignore_ascii_case(scheme).then_some(rest)
}

const fn is_blank(byte: u8) -> bool {
    (byte <= b' ') | (byte == 0x7F)
}

fn host(place: &str) -> Option<&str> {
    let after =
        if place.starts_with('[') { place.find(']')? + 1 } else { place.find(':').unwrap_or(place.len()) };
    let (host, port) = place.split_at_checked(after)?;
    let has_port = match port.strip_prefix(':') {
        Some(digits) => {
            digits.bytes().all(|byte| byte.is_ascii_digit())
                && matches!(crate::digits::whole(digits), Some(1..=65_535))
        }
        None => port.is_empty(),
    };
    (has_port && is_host(host)).then_some(host)
}

fn is_host(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        return address.contains(':')
            && address.bytes().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.'));
    }
    let host = host.strip_suffix('.').unwrap_or(host);
    let mut label = 0;
    for byte in host.bytes() {
        match byte {
            b'.' if label == 0 => return false,
            b'.' => label = 0,
            b'-' | b'_' | 0x80.. => label += 1,
            byte if byte.is_ascii_alphanumeric() => label += 1,
            _ => return false,
        }
    }
    label > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_urls() {
        for right in [
            "https://a.b/c.png",
            "HTTP://a",
            "http://u:p@a.b:8080?x=/",
            "https://[::1]:1/",
            "https://münchen.example/ä",
            "https://a.b./#x",
            "https://a.b/%20?u=https://c.d/",
        ] {
            assert!(is_absolute(right), "{right}");
        }
        for wrong in [
            "",
            "pic.png",
            "//a.b/c",
            "ftp://a.b/c",
            "https:/a.b",
            "https://",
            "https:///x",
            "https://a b/",
            "https://a.b/c d",
            "https://a..b/",
            "https://.a/",
            "https://a.b:0/",
            "https://a.b:65536/",
            "https://a.b:/",
            "https://a.b:8x/",
            "https://[::1/",
            "https://a.b\n",
            "https://a<b/",
            "https://[1]/",
            "javascript:alert(1)",
            "https://a:+1/",
        ] {
            assert!(!is_absolute(wrong), "{wrong}");
        }
    }

    #[test]
    fn actions_and_webhooks() {
        assert!(is_action("viber://pa?chatURI=x") && is_action("tel:+30691") && is_action("https://a.b"));
        assert!(
            !is_action("open")
                && !is_action("https://")
                && !is_action(":x")
                && !is_action("tel:")
                && !is_action("1a:x")
        );
        for right in [
            "https://a.b/h",
            "http://localhost:1/",
            "http://127.0.0.9/",
            "http://[::1]/",
            "http://a.LOCALHOST./",
        ] {
            assert!(is_webhook(right), "{right}");
        }
        for wrong in [
            "http://a.b/h",
            "http://127.0.0.1.evil.example/",
            "http://localhost.example/",
            "shop.example",
            "",
        ] {
            assert!(!is_webhook(wrong), "{wrong}");
        }
    }

    #[test]
    fn the_parts_of_a_url() {
        let url = Url::parse("https://u@a.b:9/x/y.pdf?q=/z#/f").unwrap();
        assert_eq!((url.host, url.path, url.last_segment()), ("a.b", "/x/y.pdf", Some("y.pdf")));
        let extension = |text| Url::parse(text).unwrap().extension();
        assert_eq!((url.extension(), extension("HTTP://a.b/c.d.E")), (Some("pdf"), Some("E")));
        for none in [
            "https://a.b",
            "https://a.b/",
            "https://a.b/c",
            "https://a.b/c.d/e",
            "https://a.b/.e",
            "https://a.b/c.",
        ] {
            assert_eq!(extension(none), None, "{none}");
        }
        assert_eq!(Url::parse("https://a.b/").unwrap().last_segment(), None);
        assert_eq!(Url::parse("https://a.b?x").unwrap().last_segment(), None);
    }
}
