//! The text form of a token.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::callback::keyring::is_kid;

/// The version, which is the first part of every token.
const VERSION: &str = "v1";
pub(super) const HEAD_BYTES: usize = 21;
pub(super) const TAG_BYTES: usize = 32;
const HEAD_TEXT: usize = 28;
const TAG_TEXT: usize = 43;

pub(super) type Head = [u8; HEAD_BYTES];

/// Whether a token may contain this byte.
pub(in crate::callback) fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// The parts of a token, not verified.
pub(super) struct Parts<'t> {
    pub(super) kid: &'t str,
    pub(super) head: Head,
    pub(super) tag: [u8; TAG_BYTES],
}

/// Splits a token into its parts; `None` if it does not have the form of a token.
pub(super) fn parse(token: &str) -> Option<Parts<'_>> {
    let mut parts = token.splitn(4, '.');
    let (version, kid, head, tag) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    if version != VERSION || !is_kid(kid) {
        return None;
    }
    Some(Parts { kid, head: decode(head, HEAD_TEXT)?, tag: decode(tag, TAG_TEXT)? })
}

/// Decodes exactly `N` bytes. The decoder accepts neither padding nor trailing bits, so that the encoding is unique.
fn decode<const N: usize>(text: &str, length: usize) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let written = (text.len() == length).then(|| URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).ok())??;
    (written == N).then_some(bytes)
}

pub(super) fn write(kid: &str, head: &Head, tag: &[u8; TAG_BYTES]) -> String {
    let mut out = String::with_capacity(VERSION.len() + kid.len() + HEAD_TEXT + TAG_TEXT + 3);
    out.push_str(VERSION);
    out.push('.');
    out.push_str(kid);
    out.push('.');
    URL_SAFE_NO_PAD.encode_string(head, &mut out);
    out.push('.');
    URL_SAFE_NO_PAD.encode_string(tag, &mut out);
    out
}
