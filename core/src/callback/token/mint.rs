//! Making a token.

use std::fmt;

use super::format::{self, HEAD_BYTES, Head};
use super::mac::{self, Marks, RANDOM_BYTES};
use super::{DEFAULT_LIFETIME, MIN_LIFETIME, Purpose};
use crate::callback::keyring::Keyring;

/// How long a token is good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lifetime {
    /// 72 hours for a delivery report, no expiry for the purposes whose token stands on a registered URL.
    #[default]
    Default,
    /// So many seconds: 60 to 61 days, or to what [`Keyring::longest_lifetime`] promises.
    Seconds(u32),
    /// No expiry: ended by taking its key out of the keyring.
    Never,
}

/// Why a token cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MintError {
    /// The lifetime is outside 60 seconds to 61 days, or the keyring promises shorter ones.
    Lifetime,
    /// The keyring promises that every token expires.
    Never,
    /// The clock, or the expiry, is past what 32 bits of seconds hold (the year 2106).
    Clock,
    /// The system has no random bytes to give.
    Random,
    /// A token for the delivery reports of an SMS needs the `reference` of the message: without one it would fit every
    /// message.
    Reference,
}

impl fmt::Display for MintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lifetime => "the lifetime is outside 60 seconds to the keyring's longest lifetime",
            Self::Never => "the keyring makes only tokens that expire",
            Self::Clock => "the clock is outside the range of a token",
            Self::Random => "the system gave no random bytes",
            Self::Reference => "a token for the delivery reports of an SMS needs the message's reference",
        })
    }
}

impl std::error::Error for MintError {}

impl Keyring {
    /// Makes a token with the first key, for one audience (the receiving application: any text, the same on both sides) and
    /// one message: its `reference`, which a delivery report must have; chat reports and inbound events are bound to the audience
    /// alone, so theirs is the empty text. `now` in Unix seconds.
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

    /// A token for delivery reports that return no reference ([`Endpoint::without_reference`](crate::callback::Endpoint)).
    pub(in crate::callback) fn mint_unbound(
        &self,
        purpose: Purpose,
        audience: &str,
        lifetime: Lifetime,
        now: u64,
    ) -> Result<String, MintError> {
        self.make(purpose, audience, "", lifetime, now, random()?)
    }

    /// As [`Keyring::mint`], with the random bytes given: for tests that compare whole tokens. Two tokens of the same second
    /// with the same bytes are the same token, so their reports look like repeats of one another.
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

    /// The second of expiry, 0 = never.
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

fn random() -> Result<[u8; RANDOM_BYTES], MintError> {
    let mut random = [0; RANDOM_BYTES];
    getrandom::fill(&mut random).map_err(|_| MintError::Random)?;
    Ok(random)
}

/// The parts one after another; what is left of the head stays zero.
fn join(parts: &[&[u8]]) -> Head {
    let mut head = [0; HEAD_BYTES];
    for (slot, byte) in head.iter_mut().zip(parts.iter().copied().flatten()) {
        *slot = *byte;
    }
    head
}
