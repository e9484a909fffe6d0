//! The one table of codes, by the part of the specification that they guard.

mod business_chat;
mod lookup;
mod markup;
mod messages;
mod messenger_a;
mod messenger_b;
mod messenger_c;
mod otp;
mod request;
mod response;
mod sms;
mod sms_request;
mod webhooks;

pub use business_chat::*;
pub use lookup::*;
pub use markup::*;
pub use messages::*;
pub use messenger_a::*;
pub use messenger_b::*;
pub use messenger_c::*;
pub use otp::*;
pub use request::*;
pub use response::*;
pub use sms::*;
pub use sms_request::*;
pub use webhooks::*;

use super::Code;

/// All codes, in the order of the tables.
#[must_use]
pub fn all() -> Vec<&'static Code> {
    [
        request::TABLE,
        otp::TABLE,
        sms::TABLE,
        sms_request::TABLE,
        lookup::TABLE,
        messages::TABLE,
        messenger_a::TABLE,
        messenger_b::TABLE,
        messenger_c::TABLE,
        markup::TABLE,
        business_chat::TABLE,
        webhooks::TABLE,
        response::TABLE,
    ]
    .concat()
}

/// The code with this name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Code> {
    all().into_iter().find(|code| code.name() == id)
}
