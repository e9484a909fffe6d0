//! Outcomes and resolutions of rows that a permit names.

/// The durable outcome of one row of one permit. Only the permit's owner stores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RowOutcome {
    /// The provider accepted it. The id of the message may have been lost.
    Accepted,
    /// The provider rejected it.
    Rejected,
    /// The library rejected it just before sending; nothing was sent.
    Invalid,
    /// It is proven that the provider did not process it; the row is eligible again.
    NotSent,
    /// The recipient was suppressed after the campaign was created; nothing was sent.
    Suppressed,
    /// The provider may have processed it.
    Unknown,
}

impl RowOutcome {
    const NAMES: [(Self, &'static str); 6] = [
        (Self::Accepted, "accepted"),
        (Self::Rejected, "rejected"),
        (Self::Invalid, "invalid"),
        (Self::NotSent, "not_sent"),
        (Self::Suppressed, "suppressed"),
        (Self::Unknown, "unknown"),
    ];

    /// The name in the journal and in exports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Self::NAMES.iter().find(|(settled, _)| *settled == self).map_or("unknown", |(_, name)| name)
    }

    /// The names of all outcomes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::NAMES.iter().map(|(_, name)| *name)
    }

    /// The outcome with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|(settled, _)| *settled)
    }
}

/// What the user decided about a row whose outcome is unknown, or that was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Resolution {
    /// Counts as accepted.
    Accepted,
    /// Counts as not sent: the row is eligible again, and may be sent twice if this is wrong.
    NotSent,
    /// A rejected row is eligible again. Of other rows it changes nothing.
    Retry,
}

impl Resolution {
    /// The name in the journal: `accepted`, `not_sent` or `retry`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::NotSent => "not_sent",
            Self::Retry => "retry",
        }
    }

    /// The resolution with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Accepted, Self::NotSent, Self::Retry].into_iter().find(|known| known.as_str() == name)
    }
}
