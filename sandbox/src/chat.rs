//! Family D: one message over the channels of chat and SMS.

mod bulk_messages;
mod delivery;
mod envelope;
mod failover;
mod presentation;
mod send_message;
mod session;

pub(crate) use bulk_messages::send as send_bulk;
pub(crate) use failover::send as send_failover;
pub(crate) use send_message::send;
