//! The webhook of `messenger_b` (E).

mod set;

pub use set::{EventType, Registered, Set};
