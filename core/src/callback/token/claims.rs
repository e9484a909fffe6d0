//! The claims of a token, and the reasons for rejecting it.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::util::error_codes;

/// The purpose of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Purpose {
    /// SMS delivery reports: the token is on the `callback` of the message.
    DeliveryReport,
    /// Inbound SMS and the events of the chat channels: the token is on a registered URL.
    Inbound,
    /// Chat delivery reports: the token is on a registered URL.
    ChatReport,
}

impl Purpose {
    pub(super) const fn byte(self) -> u8 {
        match self {
            Self::DeliveryReport => 1,
            Self::Inbound => 2,
            Self::ChatReport => 3,
        }
    }

    pub(super) const fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            1 => Some(Self::DeliveryReport),
            2 => Some(Self::Inbound),
            3 => Some(Self::ChatReport),
            _ => None,
        }
    }

    /// The purpose as text: `delivery_report`, `inbound` or `chat_report`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DeliveryReport => "delivery_report",
            Self::Inbound => "inbound",
            Self::ChatReport => "chat_report",
        }
    }
}

/// The 12 bytes that distinguish tokens; as text, 16 characters of base64url.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Nonce(pub(super) [u8; 12]);

impl Nonce {
    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 12] {
        &self.0
    }
}

impl fmt::Display for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&URL_SAFE_NO_PAD.encode(self.0))
    }
}

impl fmt::Debug for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Nonce({self})")
    }
}

impl From<Nonce> for String {
    fn from(nonce: Nonce) -> Self {
        nonce.to_string()
    }
}

impl TryFrom<String> for Nonce {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| bytes.try_into().ok());
        bytes.map(Self).ok_or("a nonce must be 16 characters of base64url")
    }
}

/// The claims of an accepted token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Claims {
    /// The id of the key that signed the token.
    pub kid: String,
    /// The purpose.
    pub purpose: Purpose,
    /// The time of issue, Unix seconds.
    pub issued: u64,
    /// The first second at which the token is invalid, Unix seconds; `None` if it never expires.
    pub expires: Option<u64>,
    /// The nonce.
    pub nonce: Nonce,
}

/// The reason for rejecting a callback. It is for the log of the receiver only: all responses are the same, see
/// [`CallbackRejected`](crate::callback::CallbackRejected).
///
/// Only the tag determines whether a token is accepted. The tag covers both the audience and the reference, so an invalid tag
/// does not show which of them differs; the marks in the nonce show it. `OtherAudience` and `OtherReference` mean that a key of
/// the keyring made the head of the token: for `OtherAudience` the audience differs (and perhaps the reference), for
/// `OtherReference` only the reference. Any other invalid tag is `Altered`. The mark of the head has 24 bits and those of
/// audience and reference have 16, so a wrong reason is rare. A token from another implementation has no marks; if its tag is
/// invalid, the reason is `Altered`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, thiserror::Error)]
#[error("{}", self.as_str())]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RejectionReason {
    /// There is no token.
    Absent,
    /// The token is not of the form `v1.<kid>.<head>.<tag>` in canonical base64url, or the URL has several tokens.
    Malformed,
    /// No key of the keyring has the key id of the token.
    UnknownKey,
    /// The tag does not match the token.
    Altered,
    /// The token has expired.
    Expired,
    /// `issued` is ahead of the clock by more than the leeway.
    NotYetValid,
    /// The token is for another purpose.
    OtherPurpose,
    /// The token is for another audience.
    OtherAudience,
    /// The token is for another message.
    OtherReference,
    /// The request is neither GET nor POST.
    Method,
    /// No endpoint of the receiver has the path of the request. A receiver with one endpoint, or without any, ignores the path.
    Endpoint,
    /// The body was too large or incomplete. Only adapters that read the body report this reason.
    Body,
}

error_codes!(
    pub(crate) RejectionReason,
    as_str,
    self: Self,
    "The stable name of the reason, as in JSON: `absent`, `unknown_key`, `other_reference` …",
    {
        Self::Absent => "absent",
        Self::Malformed => "malformed",
        Self::UnknownKey => "unknown_key",
        Self::Altered => "altered",
        Self::Expired => "expired",
        Self::NotYetValid => "not_yet_valid",
        Self::OtherPurpose => "other_purpose",
        Self::OtherAudience => "other_audience",
        Self::OtherReference => "other_reference",
        Self::Method => "method",
        Self::Endpoint => "endpoint",
        Self::Body => "body",
    }
);
