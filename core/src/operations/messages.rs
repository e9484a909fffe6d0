//! Family D: one message, failover and bulk.

mod send;

pub use send::{Conversation, Message, Participant, Send};
