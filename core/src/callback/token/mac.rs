//! The tag of a token and the marks in its nonce.

use std::hash::Hasher as _;

use hmac::Mac;

use super::format::{Head, TAG_BYTES};
use crate::callback::keyring::Key;

const DOMAIN: &[u8] = b"cpaas-cb-v1";
/// The range of the random bytes of the nonce in the head.
pub(super) const RANDOM: std::ops::Range<usize> = 9..14;
/// The number of random bytes of the nonce.
pub(crate) const RANDOM_BYTES: usize = 5;

/// HMAC-SHA256 over the parts, each preceded by its length.
pub(super) fn tag(key: &Key, head: &Head, audience: &str, reference: &str) -> [u8; TAG_BYTES] {
    let mut mac = key.mac.clone();
    for part in [DOMAIN, key.kid.as_bytes(), head, audience.as_bytes(), reference.as_bytes()] {
        mac.update(&length(part));
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

fn length(part: &[u8]) -> [u8; 4] {
    u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes()
}

/// The marks: three short keyed hashes after the random bytes of the nonce. They cover the audience, the reference, and
/// everything before the third mark (key id, start of the head, the other two marks).
///
/// They are used for the log only, so a short and fast hash is sufficient. A mark consists of the first bytes (little-endian)
/// of SipHash-2-4 over these parts, each preceded by its length: ("audience", random, audience), ("reference", random,
/// reference), ("head", kid, head up to the marks, audience mark, reference mark).
pub(super) struct Marks {
    pub(super) audience: [u8; 2],
    pub(super) reference: [u8; 2],
    pub(super) head: [u8; 3],
}

impl Marks {
    pub(super) fn new(key: &Key, front: &[u8], audience: &str, reference: &str) -> Self {
        let random = front.get(RANDOM).unwrap_or_default();
        let [a, b, ..] = mark(key, &[b"audience", random, audience.as_bytes()]);
        let [c, d, ..] = mark(key, &[b"reference", random, reference.as_bytes()]);
        Self { audience: [a, b], reference: [c, d], head: head_mark(key, front, [a, b], [c, d]) }
    }

    /// The head before the marks, and its marks.
    pub(super) fn read(head: &Head) -> Option<(&[u8], Self)> {
        let (front, marks) = head.split_at_checked(RANDOM.end)?;
        let [a, b, c, d, e, f, g] = *marks else { return None };
        Some((front, Self { audience: [a, b], reference: [c, d], head: [e, f, g] }))
    }

    /// Whether the mark of the head was made with this key.
    pub(super) fn match_head(&self, key: &Key, front: &[u8]) -> bool {
        self.head == head_mark(key, front, self.audience, self.reference)
    }
}

fn head_mark(key: &Key, front: &[u8], audience: [u8; 2], reference: [u8; 2]) -> [u8; 3] {
    let [a, b, c, ..] = mark(key, &[b"head", key.kid.as_bytes(), front, &audience, &reference]);
    [a, b, c]
}

fn mark(key: &Key, parts: &[&[u8]]) -> [u8; 8] {
    let mut hash = key.mark_hash();
    for part in parts {
        hash.write(&length(part));
        hash.write(part);
    }
    hash.finish().to_le_bytes()
}
