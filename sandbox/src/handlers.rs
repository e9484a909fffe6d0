//! The handler of each operation.

use axum::response::Response;
use cpaas::OperationId;

use crate::call::{Call, Later};
use crate::otp::{self, LimitRequest, WorkflowRequest};
use crate::provider_error::Outcome;
use crate::{chat, lookup, sms, webhooks};

/// Handles a call immediately, or after a call to another server.
pub(crate) enum Handler {
    Now(fn(&mut Call<'_>) -> Outcome<Response>),
    Later(for<'a, 'c> fn(&'a mut Call<'c>) -> Later<'a>),
}

pub(crate) fn handler(operation: OperationId) -> Option<Handler> {
    if operation == OperationId::WebhooksMessengerBSet {
        return Some(Handler::Later(webhooks::set_b));
    }
    Some(Handler::Now(match operation {
        OperationId::OtpSend => otp::send,
        OperationId::OtpVerify => otp::verify,
        OperationId::OtpCancel => otp::cancel,
        OperationId::OtpSearch => otp::search,
        OperationId::OtpGet => otp::get,
        OperationId::OtpUsage => otp::records,
        OperationId::OtpUsageDaily => otp::daily,
        OperationId::OtpLimitsCreate => |call| otp::limit(call, LimitRequest::Create),
        OperationId::OtpLimitsUpdate => |call| otp::limit(call, LimitRequest::Update),
        OperationId::OtpLimitsDelete => |call| otp::limit(call, LimitRequest::Delete),
        OperationId::OtpLimitsList => |call| otp::limit(call, LimitRequest::List),
        OperationId::OtpLimitsGet => |call| otp::limit(call, LimitRequest::Get),
        OperationId::OtpWorkflowsCreate => |call| otp::workflow(call, WorkflowRequest::Create),
        OperationId::OtpWorkflowsUpdate => |call| otp::workflow(call, WorkflowRequest::Update),
        OperationId::OtpWorkflowsDelete => |call| otp::workflow(call, WorkflowRequest::Delete),
        OperationId::OtpWorkflowsList => |call| otp::workflow(call, WorkflowRequest::List),
        OperationId::OtpWorkflowsGet => |call| otp::workflow(call, WorkflowRequest::Get),
        OperationId::LookupNumbers => lookup::by_body,
        OperationId::LookupNumbersByQuery => lookup::by_query,
        OperationId::MessagesSendBulk => chat::send_bulk,
        OperationId::SmsSend => sms::send,
        OperationId::SmsSendBulk => sms::send_bulk,
        OperationId::SmsUsageByCountry => sms::by_country,
        OperationId::SmsConvert => sms::convert,
        OperationId::MessagesSend => chat::send,
        OperationId::MessagesSendFailover => chat::send_failover,
        OperationId::WebhooksMessengerCSet => webhooks::set_c,
        OperationId::WebhooksMessengerCDelete => webhooks::delete_c,
        OperationId::WebhooksMessengerCInfo => webhooks::info_c,
        _ => return None,
    }))
}
