//! The first word of the reason of a row, where it is neither the reason of an error nor the code of a problem.

use crate::named_enum::named_enum;

named_enum! {
    /// The first word of a row's reason, if it is neither a [`cpaas::error::Reason`] nor the code of a problem. A status or a code
    /// of the provider, or the position of a recipient, may follow it.
    #[non_exhaustive]
    pub enum RowReason {
        /// Rejected because of the key or the address.
        Setup = "setup",
        /// The provider itself failed, so it may have processed the row.
        ProviderFailure = "provider_5xx",
        /// The provider's limit: the row is sent later.
        Throttled = "throttled",
        /// The campaign was paused.
        Paused = "paused",
        /// The campaign halted.
        Halted = "halted",
        /// The send window closed.
        Window = "window",
        /// The provider fails, and only one row at a time is sent.
        Outage = "outage",
        /// The permit is too old.
        Stale = "stale",
        /// The run ended first, or a copy of the journal has taken the campaign over.
        Stopped = "stopped",
        /// The worker was killed before it began to send the row.
        NotBegun = "not_begun",
        /// The recipient is suppressed.
        Suppressed = "suppressed",
        /// One of several recipients of the row was in an earlier row, or earlier in this one. Its position, from 1, follows.
        Duplicate = "duplicate",
        /// The campaign was cancelled, or the call of `send_once` was dropped.
        Cancelled = "cancelled",
        /// The file of the worker could not be written, so the row was not sent.
        NotMarked = "not_marked",
        /// The lock file of the journal could not be written, so the row was not sent.
        NotRecorded = "not_recorded",
        /// The journal was restored, and the original may have sent the row.
        Restored = "restored",
    }
}
