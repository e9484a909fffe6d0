//! Family D: messages over chat channels and SMS, with failover and bulk.

mod bulk_messages;
mod chat_request;
mod delivery;
mod failover;
mod presentation;
mod send_message;
mod session;

pub(crate) use bulk_messages::send as send_bulk;
pub(crate) use failover::send as send_failover;
pub(crate) use send_message::send;
