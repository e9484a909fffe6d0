//! The rule for absolute http and https URLs: scheme, host and port must be valid, and the rest must not contain white space.
//! What the rule accepts, the WHATWG URL Standard accepts too; the section "URLs" of `docs/specification.md` lists what only the
//! standard accepts. The crate `url` normalizes its input, and is too large for the browser.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::problem::{Code, Pointer, Problems};
use crate::util::punycode;

/// Why a string is refused as a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UrlProblem {
    Scheme,
    Character,
    NoHost,
    NotAscii,
    Host,
    Port,
    Credentials,
    QueryOrFragment,
    /// The message of the problem code contains the reason.
    Other,
}

impl UrlProblem {
    /// The reason as a part of a message.
    pub(crate) const fn reason(self) -> Option<&'static str> {
        Some(match self {
            Self::Scheme => "it must start with https:// or http://",
            Self::Character => "it must not contain white space or control characters",
            Self::NoHost => "it must have a host",
            Self::NotAscii => "a host that is not ASCII must be written in Punycode",
            Self::Host => "the host must be a domain name or an IP address",
            Self::Port => "the port must be from 1 to 65535",
            Self::Credentials => "it must not contain a user name or a password",
            Self::QueryOrFragment => {
                "it must have no query and no fragment, because the paths of the operations follow it"
            }
            Self::Other => return None,
        })
    }

    /// Reports a member that is refused, with the reason.
    pub(crate) fn report(self, code: &'static Code, at: &Pointer<'_>, name: &str, problems: &mut Problems) {
        let problem = problems.report_key(code, at, name);
        if let Some(reason) = self.reason() {
            problem.append(&format!(": {reason}")).param("reason", reason);
        }
    }
}

/// The parts of an absolute URL that the rules need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Url<'a> {
    pub(crate) is_https: bool,
    pub(crate) host: &'a str,
    /// From the first slash up to the query or the fragment.
    pub(crate) path: &'a str,
}

impl<'a> Url<'a> {
    /// Parses an absolute http or https URL.
    pub(crate) fn parse(text: &'a str) -> Result<Self, UrlProblem> {
        if text.is_empty() {
            return Err(UrlProblem::Other);
        }
        let schemes = [("https://", true), ("http://", false)];
        let after = schemes.iter().find_map(|(name, is)| Some((after_scheme(text, name)?, *is)));
        let (rest, is_https) = after.ok_or(UrlProblem::Scheme)?;
        if rest.chars().any(is_blank) {
            return Err(UrlProblem::Character);
        }
        let (authority, tail) = before(rest, |byte| matches!(byte, b'/' | b'?' | b'#'));
        let (path, _) = before(tail, |byte| matches!(byte, b'?' | b'#'));
        let address = authority.rsplit_once('@').map_or(authority, |(_, address)| address);
        Ok(Self { is_https, host: host(address)?, path })
    }

    /// Whether the host is a loopback host.
    pub(crate) fn is_loopback(&self) -> bool {
        let host = self.host.trim_end_matches('.');
        let is_local = |name: &str| name.eq_ignore_ascii_case("localhost");
        is_local(host)
            || host.rsplit_once('.').is_some_and(|(_, last)| is_local(last))
            || host == "[::1]"
            || host.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback())
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

    /// The last segment of the path, if it is not empty.
    pub(crate) fn last_segment(&self) -> Option<&'a str> {
        self.path.rsplit_once('/').map(|(_, segment)| segment).filter(|segment| !segment.is_empty())
    }
}

/// Checks an absolute http or https URL to whose path a client adds those of the operations. It writes a host that is not ASCII
/// in Punycode. User name and password would be sent to no one: the keys are settings of their own.
pub(crate) fn check_address(text: &str) -> Result<(), UrlProblem> {
    let with_letter =
        |character: char| if character.is_ascii() || is_blank(character) { character } else { 'a' };
    Url::parse(&text.chars().map(with_letter).collect::<String>())?;
    match text.contains(['?', '#']) {
        true => Err(UrlProblem::QueryOrFragment),
        false => without_credentials(text),
    }
}

fn without_credentials(text: &str) -> Result<(), UrlProblem> {
    let authority = text.split_once('/').and_then(|(_, rest)| rest.split(['/', '?', '#']).nth(1));
    match authority.is_some_and(|authority| authority.contains('@')) {
        true => Err(UrlProblem::Credentials),
        false => Ok(()),
    }
}

/// Checks an absolute http or https URL without user information, because every delivery report would contain it.
pub(crate) fn check_callback(text: &str) -> Result<(), UrlProblem> {
    Url::parse(text)?;
    without_credentials(text)
}

/// Checks an absolute http or https URL, or a URI with another scheme and at least one character after it.
pub(crate) fn check_action(text: &str) -> Result<(), UrlProblem> {
    let (scheme, rest) = text.split_once(':').ok_or(UrlProblem::Other)?;
    if scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https") {
        return Url::parse(text).map(drop);
    }
    let mut bytes = scheme.bytes();
    let is_uri = bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        && !rest.is_empty();
    match (is_uri, rest.chars().any(is_blank)) {
        (false, _) => Err(UrlProblem::Other),
        (true, true) => Err(UrlProblem::Character),
        (true, false) => Ok(()),
    }
}

/// Checks a URL that may be registered as a webhook: https, or http for a loopback host.
pub(crate) fn check_webhook(text: &str) -> Result<(), UrlProblem> {
    let url = Url::parse(text)?;
    match url.is_https || url.is_loopback() {
        true => Ok(()),
        false => Err(UrlProblem::Other),
    }
}

/// Whether a path segment, before it is percent-encoded, would change the path: URL parsers remove `.` and `..`, also if
/// they are percent-encoded.
pub(crate) fn is_dot_segment(segment: &str) -> bool {
    matches!(segment, "." | "..")
}

/// Splits before the first byte that matches, which must be ASCII.
fn before(text: &str, is: impl Fn(u8) -> bool) -> (&str, &str) {
    text.split_at_checked(text.bytes().position(is).unwrap_or(text.len())).unwrap_or((text, ""))
}

fn after_scheme<'a>(text: &'a str, scheme: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(scheme.len())?;
    head.eq_ignore_ascii_case(scheme).then_some(rest)
}

fn is_blank(character: char) -> bool {
    character.is_control() || character.is_whitespace()
}

/// The host of an authority without user information, if its port is valid.
fn host(address: &str) -> Result<&str, UrlProblem> {
    let end = if address.as_bytes().first() == Some(&b'[') { b']' } else { b':' };
    let mut at = address.bytes().position(|byte| byte == end).unwrap_or(address.len());
    at += usize::from(end == b']');
    let (host, port) = address.split_at_checked(at).ok_or(UrlProblem::Host)?;
    let has_port = match port.as_bytes() {
        [] => true,
        [b':', digits @ ..] => {
            let number = port.get(1..).and_then(|digits| digits.parse().ok());
            digits.iter().all(u8::is_ascii_digit) && matches!(number, Some(1_u16..))
        }
        _ => false,
    };
    match host {
        "" => Err(UrlProblem::NoHost),
        _ if !host.is_ascii() => Err(UrlProblem::NotAscii),
        _ if !is_host(host) => Err(UrlProblem::Host),
        _ if !has_port => Err(UrlProblem::Port),
        _ => Ok(host),
    }
}

/// Whether a string is a host.
pub(crate) fn is_host(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return address.parse::<Ipv6Addr>().is_ok();
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    if name.rsplit('.').next().is_some_and(is_number) {
        return name.parse::<Ipv4Addr>().is_ok();
    }
    name.split('.').all(is_label)
}

/// Whether a URL parser reads the last label of a host as a number, and the host as an IPv4 address.
fn is_number(label: &str) -> bool {
    let (head, rest) = label.split_at_checked(2).unwrap_or_default();
    let is_hexadecimal = head.eq_ignore_ascii_case("0x") && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hexadecimal || !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_label(label: &str) -> bool {
    let is_named = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let encoded = label.split_at_checked(4).filter(|(head, _)| head.eq_ignore_ascii_case("xn--"));
    !label.is_empty()
        && label.bytes().all(is_named)
        && encoded.is_none_or(|(_, rest)| punycode::is_encoded(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_absolute(text: &str) -> bool {
        Url::parse(text).is_ok()
    }

    #[test]
    fn absolute_urls_are_recognized() {
        for valid in [
            "https://a.b/c.png",
            "HTTP://a",
            "http://u:p@a.b:8080?x=/",
            "https://[::1]:1/",
            "https://xn--mnchen-3ya.example/ä",
            "https://[2001:db8::1.2.3.4]/",
            "http://192.168.0.1.:80",
            "http://256.com",
            "https://a.b./#x",
            "https://a.b/%20?u=https://c.d/",
        ] {
            assert!(is_absolute(valid), "{valid}");
        }
        for invalid in [
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
            "https://münchen.example/",
            "https://xn--.example/",
            "https://a.xn--pokxncvks/",
            "https://1.2.3/",
            "https://1.2.3.256/",
            "https://1.2.3.04/",
            "https://a.0x/",
            "https://[1::2::3]/",
            "https://a%41/",
        ] {
            assert!(!is_absolute(invalid), "{invalid}");
        }
    }

    #[test]
    fn a_refused_url_has_its_reason() {
        for (text, reason) in [
            ("", UrlProblem::Other),
            ("ftp://a.b", UrlProblem::Scheme),
            ("https:/a.b", UrlProblem::Scheme),
            ("https://a.b/c d", UrlProblem::Character),
            ("https://a.b/\u{85}", UrlProblem::Character),
            ("https://a.b/\u{A0}", UrlProblem::Character),
            ("https://a.b/\u{2028}", UrlProblem::Character),
            ("https://a.b/\u{3000}", UrlProblem::Character),
            ("https:///c", UrlProblem::NoHost),
            ("https://u@:80/c", UrlProblem::NoHost),
            ("https://münchen.example", UrlProblem::NotAscii),
            ("https://a<b/", UrlProblem::Host),
            ("https://[::1", UrlProblem::Host),
            ("https://256.1.1.1/", UrlProblem::Host),
            ("https://a.b:65536/", UrlProblem::Port),
            ("https://a.b:80:90/", UrlProblem::Port),
        ] {
            assert_eq!(Url::parse(text), Err(reason), "{text}");
        }
        assert_eq!(check_callback("https://u:p@a.b/"), Err(UrlProblem::Credentials));
        assert_eq!(check_callback("https://a.b/@"), Ok(()));
        assert_eq!(check_action("tel:1\u{A0}2"), Err(UrlProblem::Character));
        assert_eq!(check_webhook("http://a.b/"), Err(UrlProblem::Other));
    }

    #[test]
    fn actions_and_webhooks_are_recognized() {
        let is_action = |text| check_action(text).is_ok();
        let is_webhook = |text| check_webhook(text).is_ok();
        assert!(is_action("viber://pa?chatURI=x") && is_action("tel:+30691") && is_action("https://a.b"));
        assert!(
            !is_action("open")
                && !is_action("https://")
                && !is_action(":x")
                && !is_action("tel:")
                && !is_action("1a:x")
        );
        for valid in [
            "https://a.b/h",
            "http://localhost:1/",
            "http://127.0.0.9/",
            "http://[::1]/",
            "http://a.LOCALHOST./",
        ] {
            assert!(is_webhook(valid), "{valid}");
        }
        for invalid in [
            "http://a.b/h",
            "http://127.0.0.1.evil.example/",
            "http://localhost.example/",
            "shop.example",
            "",
        ] {
            assert!(!is_webhook(invalid), "{invalid}");
        }
    }

    #[test]
    fn a_url_is_split_into_its_parts() {
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
