//! The one table of codes, by the part of the specification that they guard.

mod messages;
mod request;
mod sms;

pub use messages::*;
pub use request::*;
pub use sms::*;

use super::Code;

/// All codes, in the order of the tables.
#[must_use]
pub fn all() -> Vec<&'static Code> {
    [request::TABLE, sms::TABLE, messages::TABLE].concat()
}

/// The code with this name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Code> {
    all().into_iter().find(|code| code.id == id)
}
