//! Webhooks of the chat channels: their registration and the events that they receive.

mod events;
mod messenger_b;
mod messenger_c;

pub(crate) use events::{Inbound, Report};
pub(crate) use messenger_b::set as set_b;
pub(crate) use messenger_c::{delete as delete_c, info as info_c, set as set_c};
