//! The short way for URLs of which nothing is left to ask; any other goes the long one.

use super::{Url, is_blank};

impl<'a> Url<'a> {
    /// What nearly all URLs are: https, a host of ASCII letters, digits, hyphens and full stops with nothing else in the
    /// authority, and a path alone behind it.
    pub(super) fn plain(text: &'a str) -> Option<Self> {
        let (host, path) = plain_host(text.strip_prefix("https://")?)?;
        let is_more = |byte| is_blank(byte) | (byte == b'?') | (byte == b'#');
        (!any(path, is_more)).then_some(Self { is_https: true, host, path })
    }
}

/// Both sides of the end of such a host.
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

fn any(text: &str, is: impl Fn(u8) -> bool) -> bool {
    text.bytes().any(is)
}

#[cfg(test)]
mod tests {
    use super::any;

    #[test]
    fn a_byte_is_found_at_every_place_of_every_length() {
        for length in 0..70 {
            let plain = "a".repeat(length);
            assert!(!any(&plain, |byte| byte == b'*'), "{length}");
            for place in 0..length {
                let text = format!("{}*{}", "a".repeat(place), "a".repeat(length - place - 1));
                assert!(any(&text, |byte| byte == b'*'), "{place} of {length}");
            }
        }
    }
}
