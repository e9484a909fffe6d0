//! Delivery statuses, as an open list.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A delivery status exactly as the provider wrote it, known or not. As JSON the text itself.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Status(String);

/// What a [`Status`] means, whatever its spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StatusKind {
    /// `Ready`: accepted.
    Ready,
    /// `Created`: taken in, not sent.
    Created,
    /// `Sent`: on its way.
    Sent,
    /// `Delivered`.
    Delivered,
    /// `Seen` by the user.
    Seen,
    /// `Failed`.
    Failed,
    /// `Undelivered`.
    Undelivered,
    /// `Expired`: not delivered within its lifetime.
    Expired,
    /// `Rejected`.
    Rejected,
    /// A status that this version does not know.
    Other,
}

/// `Debug` shows a known status; another one may be any text.
impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            StatusKind::Other => f.write_str("…"),
            _ => self.0.fmt(f),
        }
    }
}

impl Status {
    /// A status of this text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text as the provider wrote it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the text means; capitals do not matter.
    #[must_use]
    pub fn kind(&self) -> StatusKind {
        const KNOWN: [(&str, StatusKind); 9] = [
            ("ready", StatusKind::Ready),
            ("created", StatusKind::Created),
            ("sent", StatusKind::Sent),
            ("delivered", StatusKind::Delivered),
            ("seen", StatusKind::Seen),
            ("failed", StatusKind::Failed),
            ("undelivered", StatusKind::Undelivered),
            ("expired", StatusKind::Expired),
            ("rejected", StatusKind::Rejected),
        ];
        let known = KNOWN.into_iter().find(|(text, _)| self.0.eq_ignore_ascii_case(text));
        known.map_or(StatusKind::Other, |(_, kind)| kind)
    }

    /// Whether no other outcome is to be expected after it. (A late `Delivered` may still follow a failure.)
    #[must_use]
    pub fn is_final(&self) -> bool {
        self.rank() >= 3
    }

    /// How far along a message is, to put reports in order that arrived out of it.
    pub(in crate::callback) fn rank(&self) -> u8 {
        match self.kind() {
            StatusKind::Other => 0,
            StatusKind::Ready | StatusKind::Created => 1,
            StatusKind::Sent => 2,
            StatusKind::Failed | StatusKind::Undelivered | StatusKind::Expired | StatusKind::Rejected => 3,
            StatusKind::Delivered => 4,
            StatusKind::Seen => 5,
        }
    }
}
