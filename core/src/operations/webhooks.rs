//! Registration of the chat channels' webhooks (E).

pub mod messenger_b;
pub mod messenger_c;
