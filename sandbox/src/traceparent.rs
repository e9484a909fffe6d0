//! The header `traceparent` (W3C Trace Context), which connects a message with the call that sent it.

use std::fmt;

use axum::http::HeaderMap;

/// The members of a valid header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Traceparent {
    trace: u128,
    parent: u64,
    flags: u8,
}

impl Traceparent {
    /// The header of a request; `None` if it is absent, repeated or invalid.
    pub(crate) fn of(headers: &HeaderMap) -> Option<Self> {
        let mut found = headers.get_all("traceparent").iter();
        let header = found.next()?.to_str().ok()?;
        if found.next().is_some() { None } else { Self::parse(header) }
    }

    /// Reads the version 00. A later version may append members.
    fn parse(text: &str) -> Option<Self> {
        let mut members = text.split('-');
        let version = hexadecimal(members.next()?, 2)?;
        let trace = hexadecimal(members.next()?, 32)?;
        let parent = u64::try_from(hexadecimal(members.next()?, 16)?).ok()?;
        let flags = u8::try_from(hexadecimal(members.next()?, 2)?).ok()?;
        let is_valid = trace != 0
            && parent != 0
            && match version {
                0 => members.next().is_none(),
                255 => false,
                _ => true,
            };
        is_valid.then_some(Self { trace, parent, flags })
    }
}

impl fmt::Display for Traceparent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00-{:032x}-{:016x}-{:02x}", self.trace, self.parent, self.flags)
    }
}

/// The value of a number of lower-case hexadecimal digits.
fn hexadecimal(text: &str, digits: usize) -> Option<u128> {
    let is_hexadecimal = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_valid = text.len() == digits && text.bytes().all(is_hexadecimal);
    is_valid.then(|| u128::from_str_radix(text, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    const PARENT: &str = "b7ad6b7169203331";

    #[test]
    fn a_valid_header_is_shown_as_it_was_sent() {
        for flags in ["00", "01", "03", "ff"] {
            let header = format!("00-{TRACE}-{PARENT}-{flags}");
            assert_eq!(Traceparent::parse(&header).unwrap().to_string(), header);
        }
        let later = Traceparent::parse(&format!("cc-{TRACE}-{PARENT}-01-more")).unwrap();
        assert_eq!(later.to_string(), format!("00-{TRACE}-{PARENT}-01"));
    }

    #[test]
    fn an_invalid_header_is_ignored() {
        let zeros = "0".repeat(32);
        for header in [
            String::new(),
            TRACE.to_owned(),
            format!("00-{TRACE}-{PARENT}"),
            format!("00-{TRACE}-{PARENT}-01-more"),
            format!("ff-{TRACE}-{PARENT}-01"),
            format!("00-{zeros}-{PARENT}-01"),
            format!("00-{TRACE}-0000000000000000-01"),
            format!("00-{}-{PARENT}-01", TRACE.to_uppercase()),
            format!("00-+{}-{PARENT}-01", TRACE.trim_start_matches('0')),
            format!("00-{TRACE}0-{PARENT}-01"),
            format!("0-{TRACE}-{PARENT}-01"),
            format!("00-{TRACE}-{PARENT}-λ"),
        ] {
            assert_eq!(Traceparent::parse(&header), None, "{header}");
        }
    }

    #[test]
    fn a_repeated_header_is_ignored() {
        let mut headers = HeaderMap::new();
        assert_eq!(Traceparent::of(&headers), None);
        let value = format!("00-{TRACE}-{PARENT}-01").parse().unwrap();
        headers.append("traceparent", value);
        assert!(Traceparent::of(&headers).is_some());
        headers.append("traceparent", headers["traceparent"].clone());
        assert_eq!(Traceparent::of(&headers), None);
    }
}
