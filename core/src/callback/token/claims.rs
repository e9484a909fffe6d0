//! What a token says, and why one is refused.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

/// What a token may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Purpose {
    /// SMS delivery reports: the token stands on the message's own `callback`.
    DeliveryReport,
    /// Inbound SMS and the events of the chat channels: the token stands on a registered URL.
    Inbound,
    /// Chat delivery reports: the token stands on a registered URL.
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

/// The 12 bytes that tell one token from another; as text, 16 characters of base64url.
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

/// What an accepted token says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Claims {
    /// The id of the key that signed it.
    pub kid: String,
    /// What it may be used for.
    pub purpose: Purpose,
    /// When it was made, Unix seconds.
    pub issued: u64,
    /// The first second at which it is refused, Unix seconds; `None` = never.
    pub expires: Option<u64>,
    /// What tells it from other tokens.
    pub nonce: Nonce,
}

/// Why a callback is refused. For the log of the receiving side only: outside every refusal looks the same, see
/// [`Refused`](crate::callback::Refused).
///
/// Whether a token is accepted depends on its tag alone, and the tag covers audience and reference, so that a wrong tag by
/// itself cannot say what differs. The marks in the nonce say it: `OtherAudience` and `OtherReference` mean that the head is
/// as a key of the keyring made it and that the audience differs (and the reference, perhaps), or the reference only;
/// any other wrong tag is `Altered`. The mark of the head has 24 bits, those of audience and reference have 16: so rarely is
/// a reason named wrongly. A token with a nonce made elsewhere has no marks and is `Altered` in all these cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, thiserror::Error)]
#[error("{}", self.as_str())]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Refusal {
    /// There is no token.
    Absent,
    /// The token is not of the form `v1.<kid>.<head>.<tag>` in canonical base64url, or there are several.
    Malformed,
    /// No key of the keyring has its key id.
    UnknownKey,
    /// The tag does not fit the token.
    Altered,
    /// It was good until `expires`.
    Expired,
    /// `issued` lies ahead of the clock by more than the leeway.
    NotYetValid,
    /// It is good for another purpose.
    OtherPurpose,
    /// It is good for another audience.
    OtherAudience,
    /// It is good for another message.
    OtherReference,
    /// The request is neither GET nor POST.
    Method,
    /// No endpoint of the receiver has the path of the request.
    Endpoint,
    /// The body was too large or broke off; given by adapters, which read it.
    Body,
}

impl Refusal {
    /// The reason as a stable word, as in JSON: `absent`, `unknown_key`, `other_reference` …
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
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
    }
}
