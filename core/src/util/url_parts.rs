//! Splits URLs without validation or normalization. `rules::url` validates them.

/// The parts of a URL (RFC 3986, appendix B).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UrlParts<'a> {
    /// The text before `://`; `None` for a URL that starts with its path.
    pub(crate) scheme: Option<&'a str>,
    /// The user information, the host and the port; empty without a scheme.
    authority: &'a str,
    /// The path with its first slash; `/` if it is empty.
    pub(crate) path: &'a str,
    /// The query, without `?`.
    pub(crate) query: Option<&'a str>,
    /// The fragment, with `#`; empty if there is none.
    pub(crate) fragment: &'a str,
}

impl<'a> UrlParts<'a> {
    pub(crate) fn split(url: &'a str) -> Self {
        let target = without_fragment(url);
        let fragment = url.strip_prefix(target).unwrap_or_default();
        let (front, query) = match target.split_once('?') {
            Some((front, query)) => (front, Some(query)),
            None => (target, None),
        };
        let absolute = if front.starts_with('/') { None } else { front.split_once("://") };
        let (scheme, authority, path) = match absolute {
            Some((scheme, rest)) => {
                let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
                (Some(scheme), authority, path)
            }
            None => (None, "", front),
        };
        let path = if path.is_empty() { "/" } else { path };
        Self { scheme, authority, path, query, fragment }
    }

    /// The host and the port, without user information, which may contain a password.
    pub(crate) fn host_and_port(&self) -> &'a str {
        self.authority.rsplit_once('@').map_or(self.authority, |(_, host)| host)
    }

    /// As [`UrlParts::host_and_port`], with the default port of `https` or `http` if the URL has none.
    #[cfg(feature = "call")]
    pub(crate) fn host_with_port(&self) -> String {
        let host = self.host_and_port();
        let port = if self.scheme == Some("https") { 443 } else { 80 };
        // The colons of an IPv6 address are between brackets.
        let has_port = host.rsplit(']').next().is_some_and(|end| end.contains(':'));
        if has_port { host.to_owned() } else { format!("{host}:{port}") }
    }
}

/// The URL without its fragment.
pub(crate) fn without_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(front, _)| front)
}

#[cfg(test)]
mod tests {
    use super::UrlParts;

    #[test]
    fn a_url_is_split_at_its_delimiters() {
        let url = UrlParts::split("https://u:p@a.b:9/x/y?q=://&r=?#f?#g");
        assert_eq!((url.scheme, url.host_and_port(), url.path), (Some("https"), "a.b:9", "/x/y"));
        assert_eq!((url.query, url.fragment), (Some("q=://&r=?"), "#f?#g"));
        let bare = UrlParts::split("http://a.b");
        assert_eq!((bare.host_and_port(), bare.path, bare.query, bare.fragment), ("a.b", "/", None, ""));
        let query = UrlParts::split("http://a.b?x@y");
        assert_eq!((query.host_and_port(), query.query), ("a.b", Some("x@y")));
    }

    #[cfg(feature = "call")]
    #[test]
    fn a_host_has_the_port_of_the_url_or_of_its_scheme() {
        for (url, host) in [
            ("https://u:p@a.b/x?y", "a.b:443"),
            ("http://a.b", "a.b:80"),
            ("https://a.b:9/x", "a.b:9"),
            ("http://[::1]/x", "[::1]:80"),
            ("http://[::1]:9", "[::1]:9"),
        ] {
            assert_eq!(UrlParts::split(url).host_with_port(), host);
        }
    }

    #[test]
    fn a_url_without_a_scheme_starts_with_its_path() {
        for path in ["/hooks", "//other.example/hooks", "/a://b", "hooks"] {
            let url = UrlParts::split(path);
            assert_eq!((url.scheme, url.host_and_port(), url.path), (None, "", path));
        }
        assert_eq!(UrlParts::split("").path, "/");
    }
}
