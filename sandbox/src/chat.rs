//! Family D: one message over the channels of chat and SMS.

mod bulk_messages;
mod card;
mod delivery;
mod envelope;
mod failover;
mod presentation;
mod send_message;
mod session;

pub(crate) use bulk_messages::send as send_bulk;
pub(crate) use delivery::Chain;
pub(crate) use failover::Failover;
pub(crate) use send_message::send;
pub(crate) use session::Session;
