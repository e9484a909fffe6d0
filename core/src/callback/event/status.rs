//! Delivery statuses.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A delivery status as received from the provider, known or unknown. As JSON, the string itself.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Status(String);

/// The meaning of a [`Status`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StatusKind {
    /// `Ready`: accepted.
    Ready,
    /// `Created`: accepted but not sent.
    Created,
    /// `Sent`: sent to the network.
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
    /// An unknown status.
    Other,
}

/// `Debug` shows known statuses only, because an unknown status may be any text.
impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            StatusKind::Other => f.write_str("…"),
            _ => self.0.fmt(f),
        }
    }
}

impl Status {
    /// Creates a status.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text as received.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The meaning of the text, in upper or lower case.
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

    /// Whether the status is final. (A late `Delivered` may still follow a failure.)
    #[must_use]
    pub fn is_final(&self) -> bool {
        self.rank() >= 3
    }

    /// The progress of a message, to order reports that arrive out of order.
    #[must_use]
    pub fn rank(&self) -> u8 {
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
