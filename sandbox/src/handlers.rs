//! Which function answers which operation.

use std::pin::Pin;

use crate::call::Call;
use crate::otp::{self, LimitOrder, WorkflowOrder};
use crate::provider_error::Outcome;
use crate::reply::Reply;
use crate::{chat, lookup, sms, webhooks};

pub(crate) type Later<'a> = Pin<Box<dyn Future<Output = Outcome<Reply>> + Send + 'a>>;

/// Answers a call at once, or after it has called someone else.
pub(crate) enum Handler {
    Now(fn(&mut Call<'_>) -> Outcome<Reply>),
    Later(for<'a, 'c> fn(&'a mut Call<'c>) -> Later<'a>),
}

pub(crate) fn handler(operation: &str) -> Option<Handler> {
    if operation == "webhooks.messenger_b.set" {
        return Some(Handler::Later(webhooks::set_b));
    }
    Some(Handler::Now(match operation {
        "otp.send" => otp::send,
        "otp.verify" => otp::verify,
        "otp.cancel" => otp::cancel,
        "otp.search" => otp::search,
        "otp.get" => otp::get,
        "otp.usage" => otp::records,
        "otp.usage_daily" => otp::daily,
        "otp.limits.create" => |call| otp::limit(call, LimitOrder::Create),
        "otp.limits.update" => |call| otp::limit(call, LimitOrder::Update),
        "otp.limits.delete" => |call| otp::limit(call, LimitOrder::Delete),
        "otp.limits.list" => |call| otp::limit(call, LimitOrder::List),
        "otp.limits.get" => |call| otp::limit(call, LimitOrder::Get),
        "otp.workflows.create" => |call| otp::workflow(call, WorkflowOrder::Create),
        "otp.workflows.update" => |call| otp::workflow(call, WorkflowOrder::Update),
        "otp.workflows.delete" => |call| otp::workflow(call, WorkflowOrder::Delete),
        "otp.workflows.list" => |call| otp::workflow(call, WorkflowOrder::List),
        "otp.workflows.get" => |call| otp::workflow(call, WorkflowOrder::Get),
        "lookup.numbers" => lookup::by_body,
        "lookup.numbers_by_query" => lookup::by_query,
        "messages.send_bulk" => chat::send_bulk,
        "sms.send" => sms::send,
        "sms.send_bulk" => sms::send_bulk,
        "sms.usage_by_country" => sms::by_country,
        "sms.convert" => sms::convert,
        "messages.send" | "messages.send_failover" => chat::send,
        "webhooks.messenger_c.set" => webhooks::set_c,
        "webhooks.messenger_c.delete" => webhooks::delete_c,
        "webhooks.messenger_c.info" => webhooks::info_c,
        _ => return None,
    }))
}
