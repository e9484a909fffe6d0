//! Family D: one message, failover and bulk.

mod fields;
mod send;
mod send_bulk;
mod send_failover;

pub use send::{Conversation, Message, Participant, Send};
pub use send_bulk::{BulkMessage, BulkMessages, SendBulk};
pub use send_failover::SendFailover;

/// The neutral form of a message from the wire; `messengerA`, the bulk sample's form, is read in all three.
fn neutral<'a>(
    request: &crate::wire::WireRequest<'a>,
) -> Result<std::borrow::Cow<'a, str>, crate::wire::DecodeError> {
    let mut members = request.members()?;
    for (name, value) in request.path {
        members.set(name, *value);
    }
    members.rename("messengerA", "messenger_a");
    members.into_json()
}
