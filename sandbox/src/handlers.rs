//! Which function answers which operation.

use std::pin::Pin;

use crate::call::Call;
use crate::refusal::Outcome;
use crate::reply::Reply;
use crate::{chat, sms};

pub(crate) type Later<'a> = Pin<Box<dyn Future<Output = Outcome<Reply>> + Send + 'a>>;

/// Answers a call at once, or after it has called someone else.
pub(crate) enum Handler {
    Now(fn(&mut Call<'_>) -> Outcome<Reply>),
    Later(for<'a, 'c> fn(&'a mut Call<'c>) -> Later<'a>),
}

pub(crate) fn handler(operation: &str) -> Option<Handler> {
    Some(Handler::Now(match operation {
        "sms.send" => sms::send,
        "sms.send_bulk" => sms::send_bulk,
        "sms.usage_by_country" => sms::by_country,
        "sms.convert" => sms::convert,
        "messages.send" | "messages.send_failover" => chat::send,
        _ => return None,
    }))
}
