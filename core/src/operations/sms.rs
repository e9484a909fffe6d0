//! Family B: SMS, bulk SMS, usage by country and conversion tracking.

mod send;

pub use send::{Send, Sent};
