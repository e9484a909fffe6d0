//! Where a request goes: the parts of its URL, as they are written. Hosts are ASCII.

/// The parts of an `http` or `https` URL. User information is not sent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Target<'a> {
    /// Scheme and authority: what connections are told apart by.
    pub(crate) origin: &'a str,
    pub(crate) tls: bool,
    /// Host and port.
    pub(crate) authority: &'a str,
    /// Path and query, which may be empty.
    pub(crate) path: &'a str,
}

impl<'a> Target<'a> {
    pub(crate) fn read(url: &'a str) -> Option<Self> {
        let (tls, start) = scheme(url)?;
        let rest = url.get(start..)?;
        let length = rest.bytes().position(|byte| matches!(byte, b'/' | b'?' | b'#'));
        let (origin, path) = url.split_at_checked(start + length.unwrap_or(rest.len()))?;
        let authority = origin.get(start..)?;
        let authority = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
        let path = path.split_once('#').map_or(path, |(path, _)| path);
        (!authority.is_empty()).then_some(Self { origin, tls, authority, path })
    }

    /// The host, without the brackets of an address, and the port; none where a character may not stand in a host.
    pub(crate) fn place(&self) -> Option<(&'a str, u16)> {
        place(self.authority, if self.tls { 443 } else { 80 })
    }
}

/// Splits `host:port`.
pub(crate) fn place(authority: &str, default: u16) -> Option<(&str, u16)> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => rest.split_once(']').filter(|(host, _)| host.contains(':'))?,
        None => authority.split_at_checked(authority.find(':').unwrap_or(authority.len()))?,
    };
    let port = match port.strip_prefix(':') {
        Some("") => default,
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse().ok()?,
        None if port.is_empty() => default,
        _ => return None,
    };
    (!host.is_empty() && host.bytes().all(is_of_host)).then_some((host, port))
}

const fn is_of_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b':')
}

/// Whether the scheme, written in any case, is https, and where the authority begins.
fn scheme(url: &str) -> Option<(bool, usize)> {
    let begins = |scheme: &str| {
        url.as_bytes().get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme.as_bytes()))
    };
    let (https, http) = ("https://", "http://");
    if begins(https) { Some((true, https.len())) } else { begins(http).then_some((false, http.len())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_url() {
        let target = Target::read("https://u:p@a.example:8443/x/y?z=1#end").unwrap();
        assert_eq!(target.origin, "https://u:p@a.example:8443");
        assert_eq!((target.tls, target.authority, target.path), (true, "a.example:8443", "/x/y?z=1"));
        let target = Target::read("HTTP://a.example?z").unwrap();
        assert_eq!((target.tls, target.authority, target.path), (false, "a.example", "?z"));
        assert_eq!(Target::read("http://a").unwrap().path, "");
        for wrong in ["", "a.example", "ftp://a", "http:/a", "http://", "https:///x", "http://u@/"] {
            assert_eq!(Target::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn hosts_and_ports() {
        let of = |url| Target::read(url).unwrap().place();
        assert_eq!(of("https://a.example/x"), Some(("a.example", 443)));
        assert_eq!(of("http://a_b.example:"), Some(("a_b.example", 80)));
        assert_eq!(of("http://[::1]:81"), Some(("::1", 81)));
        assert_eq!(of("https://[::1]"), Some(("::1", 443)));
        for wrong in [
            "http://:80",
            "http://a:x",
            "http://a:65536",
            "http://a:+1",
            "http://[::1",
            "http://[1]",
            "http://é",
            "http://a b",
            "http://a:1:2",
            "http://[::1]x",
        ] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
