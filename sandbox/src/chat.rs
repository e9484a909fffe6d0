//! Family D: one message over the channels of chat and SMS.

mod answer;
mod deliver;
mod failover;
mod request;
mod send;
mod session;

pub(crate) use deliver::Chain;
pub(crate) use failover::Failover;
pub(crate) use send::send;
pub(crate) use session::Session;
