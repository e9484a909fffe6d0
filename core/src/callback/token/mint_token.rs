//! Minting of tokens.

use super::format::{self, HEAD_BYTES, Head};
use super::mac::{self, Marks, RANDOM_BYTES};
use super::{DEFAULT_LIFETIME, MIN_LIFETIME, Purpose};
use crate::callback::keyring::Keyring;
use crate::util::system_random;

/// The lifetime of a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lifetime {
    /// 72 hours for a delivery report, no expiry for tokens on a registered URL.
    #[default]
    Default,
    /// A number of seconds: at least 60, and at most 61 days or [`Keyring::longest_lifetime`].
    Seconds(u32),
    /// No expiry: removing its key from the keyring invalidates the token.
    Never,
}

/// Why a token cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MintError {
    /// The lifetime is not within 60 seconds to 61 days, or exceeds the keyring's longest lifetime.
    #[error("the lifetime must be at least 60 seconds and at most the keyring's longest lifetime")]
    Lifetime,
    /// The keyring makes only tokens that expire.
    #[error("the token must expire: the keyring allows no token without an expiry")]
    Never,
    /// The current time or the expiry does not fit into 32 bits of seconds (the year 2106).
    #[error("the time must be before the year 2106")]
    Clock,
    /// The operating system returned no random bytes.
    #[error("the operating system returned no random bytes")]
    Random,
    /// A token for the delivery reports of an SMS must have the `reference` of the message: without a reference, the token
    /// would be valid for every message.
    #[error("a token for the delivery reports of an SMS must have the message's reference")]
    Reference,
}

impl Keyring {
    /// Makes a token with the first key, for an audience and a reference; `now` is in Unix seconds. The audience is any string
    /// that identifies the receiving application. A token for delivery reports must have the `reference` of the message. Tokens
    /// for chat reports and inbound events are bound to the audience only; their reference must be empty.
    ///
    /// # Errors
    /// [`MintError`].
    pub fn mint(
        &self,
        purpose: Purpose,
        audience: &str,
        reference: &str,
        lifetime: Lifetime,
        now: u64,
    ) -> Result<String, MintError> {
        self.mint_with(purpose, audience, reference, lifetime, now, random()?)
    }

    /// Makes a token that is not bound to a reference: for sources other than SMS reports, and for
    /// [`Endpoint::without_reference`](crate::callback::Endpoint).
    pub(in crate::callback) fn mint_unbound(
        &self,
        purpose: Purpose,
        audience: &str,
        lifetime: Lifetime,
        now: u64,
    ) -> Result<String, MintError> {
        self.make(purpose, audience, "", lifetime, now, random()?)
    }

    /// As [`Keyring::mint`], with given random bytes, for tests that compare whole tokens. Two tokens that are minted in the same
    /// second with the same arguments are equal, and their reports count as repeats.
    ///
    /// # Errors
    /// [`MintError`].
    pub fn mint_with(
        &self,
        purpose: Purpose,
        audience: &str,
        reference: &str,
        lifetime: Lifetime,
        now: u64,
        random: [u8; RANDOM_BYTES],
    ) -> Result<String, MintError> {
        if purpose == Purpose::DeliveryReport && reference.trim().is_empty() {
            return Err(MintError::Reference);
        }
        self.make(purpose, audience, reference, lifetime, now, random)
    }

    fn make(
        &self,
        purpose: Purpose,
        audience: &str,
        reference: &str,
        lifetime: Lifetime,
        now: u64,
        random: [u8; RANDOM_BYTES],
    ) -> Result<String, MintError> {
        let issued = u32::try_from(now).map_err(|_| MintError::Clock)?;
        let expires = self.expires(purpose, lifetime, issued)?;
        let key = &self.signing;
        let front = join(&[&[purpose.byte()], &issued.to_be_bytes(), &expires.to_be_bytes(), &random]);
        let front = front.get(..mac::RANDOM.end).unwrap_or_default();
        let marks = Marks::new(key, front, audience, reference);
        let head = join(&[front, &marks.audience, &marks.reference, &marks.head]);
        Ok(format::write(&key.kid, &head, &mac::tag(key, &head, audience, reference)))
    }

    /// The time of expiry in Unix seconds; 0 if the token never expires.
    fn expires(&self, purpose: Purpose, lifetime: Lifetime, issued: u32) -> Result<u32, MintError> {
        let seconds = match lifetime {
            Lifetime::Seconds(seconds) => seconds,
            Lifetime::Default if purpose == Purpose::DeliveryReport => {
                DEFAULT_LIFETIME.min(self.longest_lifetime)
            }
            Lifetime::Default | Lifetime::Never if self.expiring_only => {
                return Err(MintError::Never);
            }
            Lifetime::Default | Lifetime::Never => return Ok(0),
        };
        if !(MIN_LIFETIME..=self.longest_lifetime).contains(&seconds) {
            return Err(MintError::Lifetime);
        }
        issued.checked_add(seconds).ok_or(MintError::Clock)
    }
}

/// The random bytes of a token, from the operating system.
pub(crate) fn random() -> Result<[u8; RANDOM_BYTES], MintError> {
    let mut random = [0; RANDOM_BYTES];
    if system_random::fill(&mut random) { Ok(random) } else { Err(MintError::Random) }
}

/// Concatenates the parts; the rest of the head is zero.
fn join(parts: &[&[u8]]) -> Head {
    let mut head = [0; HEAD_BYTES];
    for (target, byte) in head.iter_mut().zip(parts.iter().copied().flatten()) {
        *target = *byte;
    }
    head
}
