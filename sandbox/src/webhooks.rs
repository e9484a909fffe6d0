//! Webhooks of the chat channels: their registration and the events that they receive.

mod events;
mod messenger_b;
mod messenger_c;

pub(crate) use events::{Inbound, Report};

use cpaas::webhooks;

use crate::handlers::Handler::{Later, Now};
use crate::handlers::handles;

handles! {
    webhooks::messenger_b::SetMessengerBWebhook => Later(messenger_b::set),
    webhooks::messenger_c::SetMessengerCWebhook => Now(messenger_c::set),
    webhooks::messenger_c::DeleteMessengerCWebhook => Now(messenger_c::delete),
    webhooks::messenger_c::GetMessengerCWebhookInfo => Now(messenger_c::info),
}
