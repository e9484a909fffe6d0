//! Family D: one message over the channels of chat and SMS.

mod answer;
mod bulk;
mod card;
mod deliver;
mod failover;
mod request;
mod send;
mod session;

pub(crate) use bulk::send as send_bulk;
pub(crate) use deliver::Chain;
pub(crate) use failover::Failover;
pub(crate) use send::send;
pub(crate) use session::Session;
