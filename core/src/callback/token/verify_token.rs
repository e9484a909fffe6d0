//! Verification of tokens.

use subtle::ConstantTimeEq as _;

use super::format::{self, Head, Parts};
use super::mac::{self, Marks};
use super::{CLOCK_LEEWAY, Claims, Nonce, Purpose, RejectionReason};
use crate::callback::keyring::{Key, Keyring};

impl Keyring {
    /// Verifies a token for a purpose, an audience and a reference; `now` is in Unix seconds.
    ///
    /// The tag is compared in constant time, before the claims are used. `issued` may be at most [`CLOCK_LEEWAY`] seconds ahead
    /// of `now`; `expires` is the first invalid second.
    ///
    /// # Errors
    /// The [`RejectionReason`], for the log and not for the response.
    pub fn verify(
        &self,
        token: &str,
        purpose: Purpose,
        audience: &str,
        reference: &str,
        now: u64,
    ) -> Result<Claims, RejectionReason> {
        let claims = self.authenticate(token, audience, reference)?;
        if claims.purpose != purpose {
            return Err(RejectionReason::OtherPurpose);
        }
        if claims.issued > now.saturating_add(CLOCK_LEEWAY) {
            return Err(RejectionReason::NotYetValid);
        }
        match claims.expires {
            Some(expires) if now >= expires => Err(RejectionReason::Expired),
            _ => Ok(claims),
        }
    }

    /// The claims of a token with a valid tag, for any purpose and time.
    pub(in crate::callback) fn authenticate(
        &self,
        token: &str,
        audience: &str,
        reference: &str,
    ) -> Result<Claims, RejectionReason> {
        if token.is_empty() {
            return Err(RejectionReason::Absent);
        }
        let parts = format::parse(token).ok_or(RejectionReason::Malformed)?;
        let key = self.key(parts.kid).ok_or(RejectionReason::UnknownKey)?;
        let expected = mac::tag(key, &parts.head, audience, reference);
        if !bool::from(expected.ct_eq(&parts.tag)) {
            return Err(rejection_reason(key, &parts.head, audience, reference));
        }
        claims(&parts).ok_or(RejectionReason::Malformed)
    }
}

/// The reason for an invalid tag, for the log. All marks are always computed, so that the time does not reveal which part of a
/// token is invalid.
fn rejection_reason(key: &Key, head: &Head, audience: &str, reference: &str) -> RejectionReason {
    let Some((front, marks)) = Marks::read(head) else {
        return RejectionReason::Altered;
    };
    let is_own_head = marks.match_head(key, front);
    let expected = Marks::new(key, front, audience, reference);
    match (is_own_head, marks.audience == expected.audience, marks.reference == expected.reference) {
        (true, false, _) => RejectionReason::OtherAudience,
        (true, true, false) => RejectionReason::OtherReference,
        _ => RejectionReason::Altered,
    }
}

/// The purpose that a token claims, not verified. An unknown purpose means that the token was altered.
pub(in crate::callback) fn claimed_purpose(token: &str) -> Result<Purpose, RejectionReason> {
    let parts = format::parse(token).ok_or(RejectionReason::Malformed)?;
    claims(&parts).map(|claims| claims.purpose).ok_or(RejectionReason::Altered)
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
