//! Checks and extends the URLs of callbacks.

use axum::http::Uri;

/// Whether a URL is absolute, http or https, with a host and without user information.
pub(crate) fn is_callable(url: &str) -> bool {
    let Some(scheme) = url.find("://").map(|at| at + 3) else { return false };
    let rest = url.get(scheme..).unwrap_or_default();
    // A template may have variables after the authority, which `Uri` would reject.
    let end = scheme + rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let Some(Ok(origin)) = url.get(..end).map(str::parse::<Uri>) else { return false };
    let is_web = matches!(origin.scheme_str(), Some("http" | "https"));
    let has_host = origin.host().is_some_and(|host| !host.is_empty());
    let plain = !url.chars().any(|c| c.is_control() || c == ' ' || c == '\\') && !rest.is_empty();
    let has_user = origin.authority().is_some_and(|authority| authority.as_str().contains('@'));
    is_web && has_host && plain && !has_user && port_is_valid(&origin)
}

/// A missing port is valid; `Uri` reads a malformed one as missing.
fn port_is_valid(origin: &Uri) -> bool {
    let authority = origin.authority().map_or("", |authority| authority.as_str());
    match authority.rsplit_once(':') {
        Some((_, port)) if !port.ends_with(']') => port.parse::<u16>().is_ok_and(|port| port > 0),
        _ => true,
    }
}

/// Adds `name=value` pairs to the query, before a fragment; the rest of the URL does not change.
pub(crate) fn append(url: &str, pairs: &str) -> String {
    if pairs.is_empty() {
        return url.to_owned();
    }
    let (head, fragment) = match url.split_once('#') {
        Some((head, fragment)) => (head, Some(fragment)),
        None => (url, None),
    };
    let separator = match head.split_once('?') {
        None => "?",
        Some((_, query)) if query.is_empty() || query.ends_with('&') => "",
        Some(_) => "&",
    };
    let tail = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
    format!("{head}{separator}{pairs}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_absolute_urls_can_be_called() {
        for good in ["http://a/", "https://a.b:8443/x?y=1#z", "HTTP://[::1]:80/", "http://127.0.0.1"] {
            assert!(is_callable(good), "{good}");
        }
        for bad in [
            "",
            "a",
            "/x",
            "ftp://a/",
            "http://",
            "http://u:p@a/",
            "http://a:0/",
            "http://a b/",
            "http://a:x/",
        ] {
            assert!(!is_callable(bad), "{bad}");
        }
    }

    #[test]
    fn parameters_are_added_before_the_fragment() {
        assert_eq!(append("http://a/x?b=%20#f", "c=1"), "http://a/x?b=%20&c=1#f");
        assert_eq!(append("http://a/x", "c=1"), "http://a/x?c=1");
        assert_eq!(append("http://a/x?", ""), "http://a/x?");
    }
}
