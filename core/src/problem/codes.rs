//! The one table of codes, by the part of the specification that they guard.

mod business_chat;
mod markup;
mod messages;
mod messenger_a;
mod messenger_b;
mod messenger_c;
mod request;
mod sms;
mod webhooks;

pub use business_chat::*;
pub use markup::*;
pub use messages::*;
pub use messenger_a::*;
pub use messenger_b::*;
pub use messenger_c::*;
pub use request::*;
pub use sms::*;
pub use webhooks::*;

use super::Code;

/// All codes, in the order of the tables.
#[must_use]
pub fn all() -> Vec<&'static Code> {
    [
        request::TABLE,
        sms::TABLE,
        messages::TABLE,
        messenger_a::TABLE,
        messenger_b::TABLE,
        messenger_c::TABLE,
        markup::TABLE,
        business_chat::TABLE,
        webhooks::TABLE,
    ]
    .concat()
}

/// The code with this name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Code> {
    all().into_iter().find(|code| code.id == id)
}
