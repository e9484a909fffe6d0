//! URLs that callbacks go to.

/// Whether a URL is absolute, http or https, with a host and without user information.
pub(crate) fn is_callable(url: &str) -> bool {
    let Some(rest) = strip_scheme(url, "http://").or_else(|| strip_scheme(url, "https://")) else {
        return false;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let plain = !url.chars().any(|c| c.is_control() || c == ' ' || c == '\\');
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    let port_fits = port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0));
    plain && !authority.contains('@') && !host.is_empty() && port_fits
}

fn strip_scheme<'a>(url: &'a str, scheme: &str) -> Option<&'a str> {
    let head = url.get(..scheme.len())?;
    head.eq_ignore_ascii_case(scheme).then(|| url.get(scheme.len()..)).flatten()
}

/// Adds `name=value` to the query, before a fragment; what is there stays byte for byte.
pub(crate) fn append(url: &str, pairs: &str) -> String {
    if pairs.is_empty() {
        return url.to_owned();
    }
    let (head, fragment) = match url.split_once('#') {
        Some((head, fragment)) => (head, Some(fragment)),
        None => (url, None),
    };
    let joint = match head.split_once('?') {
        None => "?",
        Some((_, query)) if query.is_empty() || query.ends_with('&') => "",
        Some(_) => "&",
    };
    let tail = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
    format!("{head}{joint}{pairs}{tail}")
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
