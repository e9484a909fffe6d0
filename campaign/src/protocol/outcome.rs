//! Outcomes and resolutions of rows that a permit names.

use crate::named_enum::named_enum;

named_enum! {
    /// The durable outcome of one row of one permit. Only the permit's owner stores it. The names are those of the journal and of exports.
    #[derive(Hash)]
    #[non_exhaustive]
    pub enum RowOutcome {
        /// The provider accepted it. The id of the message may have been lost.
        Accepted = "accepted",
        /// The provider rejected it.
        Rejected = "rejected",
        /// The library rejected it just before sending; nothing was sent.
        Invalid = "invalid",
        /// It is proven that the provider did not process it; the row is eligible again.
        NotSent = "not_sent",
        /// The recipient was suppressed after the campaign was created; nothing was sent.
        Suppressed = "suppressed",
        /// The provider may have processed it.
        Unknown = "unknown",
    }
}

named_enum! {
    /// What the user decided about a row whose outcome is unknown, or that was rejected. The names are those of the journal.
    #[derive(Hash)]
    pub enum Resolution {
        /// Counts as accepted.
        Accepted = "accepted",
        /// Counts as not sent: the row is eligible again, and may be sent twice if this is wrong.
        NotSent = "not_sent",
        /// A rejected row is eligible again. Of other rows it changes nothing.
        Retry = "retry",
    }
}
