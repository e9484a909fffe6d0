//! How operations may be retried. It imports nothing, so that error records can use it.

/// How an operation may be retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RetrySafety {
    /// Reads: retried after any temporary failure.
    Read,
    /// Reads that are charged: retried like `Send`.
    Lookup,
    /// Creates a named record: after an unknown outcome, the records are searched for the name.
    Create,
    /// Sets or deletes: idempotent.
    Idempotent,
    /// Appends to a record: after an unknown outcome, the record is read instead of a retry.
    Append,
    /// Cancels: retried; if a retry is rejected or the outcome stays unknown, the record is read.
    Cancel,
    /// Verifies a code: after an unknown outcome, the record is read instead of a retry.
    Verify,
    /// Sends something: retried only if it was definitively not sent or the provider limits the rate.
    Send,
}

impl RetrySafety {
    /// Whether a second request changes nothing, so that it may follow an unknown outcome.
    #[must_use]
    pub const fn is_repeatable(self) -> bool {
        matches!(self, Self::Read | Self::Idempotent | Self::Cancel)
    }
}
