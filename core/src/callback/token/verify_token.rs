//! Verification of tokens.

use subtle::ConstantTimeEq as _;

use super::format::{self, Head, Parts};
use super::mac::{self, Marks};
use super::{CLOCK_LEEWAY, Claims, Nonce, Purpose, Refusal};
use crate::callback::keyring::{Key, Keyring};

impl Keyring {
    /// Verifies a token for a purpose, an audience and a reference; `now` is in Unix seconds.
    ///
    /// The tag is compared in constant time, before the head is used. `issued` may be [`CLOCK_LEEWAY`] seconds ahead; `expires` is
    /// the first invalid second.
    ///
    /// # Errors
    /// The [`Refusal`], for the log and not for the response.
    pub fn verify(
        &self,
        token: &str,
        purpose: Purpose,
        audience: &str,
        reference: &str,
        now: u64,
    ) -> Result<Claims, Refusal> {
        let claims = self.authenticate(token, audience, reference)?;
        if claims.purpose != purpose {
            return Err(Refusal::OtherPurpose);
        }
        if claims.issued > now.saturating_add(CLOCK_LEEWAY) {
            return Err(Refusal::NotYetValid);
        }
        match claims.expires {
            Some(expires) if now >= expires => Err(Refusal::Expired),
            _ => Ok(claims),
        }
    }

    /// The claims of a token with a valid tag, for any purpose and time.
    pub(in crate::callback) fn authenticate(
        &self,
        token: &str,
        audience: &str,
        reference: &str,
    ) -> Result<Claims, Refusal> {
        if token.is_empty() {
            return Err(Refusal::Absent);
        }
        let parts = format::parse(token).ok_or(Refusal::Malformed)?;
        let key = self.key(parts.kid).ok_or(Refusal::UnknownKey)?;
        let expected = mac::tag(key, &parts.head, audience, reference);
        if !bool::from(expected.ct_eq(&parts.tag)) {
            return Err(rejection_reason(key, &parts.head, audience, reference));
        }
        claims(&parts).ok_or(Refusal::Malformed)
    }
}

/// The reason for an invalid tag, for the log. All marks are always computed, so that the time does not reveal which part of a
/// token is invalid.
fn rejection_reason(key: &Key, head: &Head, audience: &str, reference: &str) -> Refusal {
    let Some((front, marks)) = Marks::read(head) else {
        return Refusal::Altered;
    };
    let sealed = marks.seals(key, front);
    let expected = Marks::new(key, front, audience, reference);
    match (sealed, marks.audience == expected.audience, marks.reference == expected.reference) {
        (true, false, _) => Refusal::OtherAudience,
        (true, true, false) => Refusal::OtherReference,
        _ => Refusal::Altered,
    }
}

/// The purpose that a token claims, not verified. An unknown purpose means that the token was altered.
pub(in crate::callback) fn claimed_purpose(token: &str) -> Result<Purpose, Refusal> {
    let parts = format::parse(token).ok_or(Refusal::Malformed)?;
    claims(&parts).map(|claims| claims.purpose).ok_or(Refusal::Altered)
}

fn claims(parts: &Parts<'_>) -> Option<Claims> {
    let [purpose, i0, i1, i2, i3, e0, e1, e2, e3, nonce @ ..] = parts.head;
    let expires = u32::from_be_bytes([e0, e1, e2, e3]);
    Some(Claims {
        kid: parts.kid.to_owned(),
        purpose: Purpose::from_byte(purpose)?,
        issued: u32::from_be_bytes([i0, i1, i2, i3]).into(),
        expires: (expires != 0).then_some(expires.into()),
        nonce: Nonce(nonce),
    })
}
