//! The tag of a token and the marks in its nonce.

use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::format::{Head, TAG_BYTES};
use crate::callback::keyring::Key;

const DOMAIN: &[u8] = b"cpaas-cb-v1";
/// Where the random bytes of the nonce end, in the head.
pub(super) const RANDOM: std::ops::Range<usize> = 9..14;
/// The random bytes of the nonce.
pub(super) const RANDOM_BYTES: usize = 5;

/// HMAC-SHA256 over the parts, each preceded by its length.
fn mac(key: &Key, parts: &[&[u8]]) -> Hmac<Sha256> {
    let mut mac = key.mac.clone();
    for part in parts {
        let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
        mac.update(&length.to_be_bytes());
        mac.update(part);
    }
    mac
}

pub(super) fn tag(key: &Key, head: &Head, audience: &str, reference: &str) -> [u8; TAG_BYTES] {
    let parts = [DOMAIN, key.kid.as_bytes(), head, audience.as_bytes(), reference.as_bytes()];
    mac(key, &parts).finalize().into_bytes().into()
}

/// The keyed marks that fill the nonce after its random bytes: of the audience, of the reference, of the head before them.
/// A mark is the first two bytes (three for the head) of a MAC over five parts, of which those that are not needed are empty:
/// ("cpaas-cb-v1 audience", random, audience), ("cpaas-cb-v1 reference", random, reference),
/// ("cpaas-cb-v1 head", kid, head up to the marks, audience mark, reference mark).
pub(super) struct Marks {
    pub(super) audience: [u8; 2],
    pub(super) reference: [u8; 2],
    pub(super) head: [u8; 3],
}

impl Marks {
    pub(super) fn new(key: &Key, front: &[u8], audience: &str, reference: &str) -> Self {
        let random = front.get(RANDOM).unwrap_or_default();
        let audience = mark(key, b"cpaas-cb-v1 audience", &[random, audience.as_bytes()]);
        let reference = mark(key, b"cpaas-cb-v1 reference", &[random, reference.as_bytes()]);
        Self { audience, reference, head: head_mark(key, front, audience, reference) }
    }

    /// The marks that a head carries.
    pub(super) fn read(head: &Head) -> Option<(&[u8], Self)> {
        let (front, marks) = head.split_at_checked(RANDOM.end)?;
        let [a, b, c, d, e, f, g] = *marks else {
            return None;
        };
        Some((front, Self { audience: [a, b], reference: [c, d], head: [e, f, g] }))
    }

    /// Whether the head is, with its marks, as this key made it.
    pub(super) fn seals(&self, key: &Key, front: &[u8]) -> bool {
        self.head == head_mark(key, front, self.audience, self.reference)
    }
}

fn head_mark(key: &Key, front: &[u8], audience: [u8; 2], reference: [u8; 2]) -> [u8; 3] {
    mark(key, b"cpaas-cb-v1 head", &[key.kid.as_bytes(), front, &audience, &reference])
}

fn mark<const N: usize>(key: &Key, domain: &[u8], parts: &[&[u8]]) -> [u8; N] {
    let mut input: [&[u8]; 5] = [domain, &[], &[], &[], &[]];
    for (slot, part) in input.iter_mut().skip(1).zip(parts) {
        *slot = part;
    }
    let mut mark = [0; N];
    for (slot, byte) in mark.iter_mut().zip(mac(key, &input).finalize().into_bytes()) {
        *slot = byte;
    }
    mark
}
