//! The stores that clients consult before they send: the numbers that get no SMS, and the counters of a guard.

mod database;
mod guard_store;
mod suppression_store;

pub use database::has_password;
pub use guard_store::SqlGuardStore;
pub use suppression_store::SqlSuppressionStore;
