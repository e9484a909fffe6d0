//! Messages over chat channels and SMS, with failover and bulk.

mod bulk_messages;
mod chat_request;
mod delivery;
mod failover;
mod presentation;
mod send_message;
mod session;

use cpaas::messages;

use crate::handlers::Handler::Now;
use crate::handlers::handles;

handles! {
    messages::SendMessage => Now(send_message::send),
    messages::SendFailoverMessage => Now(failover::send),
    messages::SendBulkMessage => Now(bulk_messages::send),
}
