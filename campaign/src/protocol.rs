//! The protocol, without I/O: permits, outcomes, and the states of rows that follow from them.
//!
//! | Rule | Where |
//! |---|---|
//! | The permits of a chunk are an append-only chain | [`History::append`] |
//! | A row is eligible when no permit names it, or its last permit is settled or resolved as not sent, or is a rejection that is retried, and no report exists | [`History::state`] |
//! | The state of a row without an outcome is derived, never stored | [`RowState::Open`] |
//! | A report proves acceptance and overrides every outcome and resolution | [`History::state`] |
//! | The first permit names one row, and the size doubles. A failure of the setup resets the size to one row; three consecutive failures halt the campaign | [`Ramp`] |
//! | Bad results add to a score of the campaign. While it is high, all workers together send one row at a time. It never makes a row eligible | [`Outage`] |

mod history;
mod outage;
mod outcome;
mod permit;
mod ramp;
#[cfg(test)]
mod state_space;

pub use history::{ChainError, CreationDecision, History, RowState};
pub(crate) use outage::Permission;
pub use outage::{Health, Outage, Phase, ProbeTimes};
pub use outcome::{Resolution, RowOutcome};
pub(crate) use permit::PERMIT_MAX_AGE;
pub use permit::{Permit, PermitRow, Token};
pub(crate) use ramp::LARGEST_PERMIT;
pub use ramp::{Ramp, Signal};
