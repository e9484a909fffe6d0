//! The outcome of one row, as a worker reports it.

use crate::protocol::{Health, RowOutcome};

/// The outcome of one row under one permit.
#[derive(Clone, PartialEq)]
pub struct Settlement {
    /// The chunk.
    pub chunk: u32,
    /// The permit's sequence.
    pub sequence: u32,
    /// The row's index in the chunk.
    pub row: u16,
    /// The outcome.
    pub outcome: RowOutcome,
    /// The reason of the outcome.
    pub reason: Option<String>,
    /// The provider's id of the message.
    pub message_id: Option<String>,
    /// The response or error record, where the campaign keeps them.
    pub detail: Option<String>,
    /// The price that was reserved.
    pub price: i64,
    /// What the outcome shows about the provider.
    pub health: Health,
}

/// `Debug` shows no id, reason, response or error.
impl std::fmt::Debug for Settlement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settlement")
            .field("chunk", &self.chunk)
            .field("sequence", &self.sequence)
            .field("row", &self.row)
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}
