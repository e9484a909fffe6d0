//! The list of operations. [`table_json`], the entry points for JSON, the schemas, the routes of the sandbox and the generated
//! bindings are derived from the list.

mod bulk_elements;
pub mod lookup;

/// One-time passcodes by SMS and voice, their records, usage, limits and workflows.
pub mod otp {
    pub mod limits;
    mod otp_rules;
    mod passcode_records;
    mod passcode_usage;
    mod passcodes;
    mod record_creation;
    mod record_list;
    pub mod workflows;

    pub use crate::model::newtypes::{Code, RequestId};
    pub use passcode_records::*;
    pub use passcode_usage::*;
    pub use passcodes::*;
}

/// SMS, bulk SMS, usage by country and conversion tracking.
pub mod sms {
    mod send_bulk_sms;
    mod send_sms;
    mod sms_conversion;
    mod sms_rules;
    mod sms_usage;

    pub use super::ElementOutcome;
    pub use send_bulk_sms::*;
    pub use send_sms::*;
    pub use sms_conversion::*;
    pub use sms_usage::*;
}

/// One message, failover and bulk.
pub mod messages {
    mod message_fields;
    mod send_bulk_message;
    mod send_failover_message;
    mod send_message;

    pub use send_bulk_message::*;
    pub use send_failover_message::*;
    pub use send_message::*;
}

/// Registration of the chat channels' webhooks (E).
pub mod webhooks {
    mod messenger_b_webhook;
    mod messenger_c_webhook;

    /// The webhook of `messenger_b` (E).
    pub mod messenger_b {
        pub use super::messenger_b_webhook::*;
    }

    /// The webhook of a `messenger_c` bot.
    pub mod messenger_c {
        pub use super::messenger_c_webhook::*;
    }
}

pub use bulk_elements::ElementOutcome;

use crate::config::InvalidNormalize;
use crate::operation::Meta;
use crate::problem::Report;
use crate::request::{NumberSettings, RequestContext};
use crate::validate;
use crate::{error::Error, http::HttpResponse, prepared, response::confirm_response};

macro_rules! operations {
    ($( $variant:ident = $operation:ty ),* $(,)?) => {
        /// An operation by name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum OperationId {
            $( #[doc = concat!("[`", stringify!($operation), "`]")] $variant, )*
        }

        impl OperationId {
            /// Every operation, in the order of the specification.
            pub const ALL: &'static [Self] = &[$( Self::$variant ),*];

            /// The names of all operations, in the same order.
            pub const NAMES: &'static [&'static str] =
                &[$( <$operation as crate::operation::Operation>::ID ),*];

            /// The properties of the operation.
            #[must_use]
            pub fn meta(self) -> &'static Meta {
                match self { $( Self::$variant => { static META: Meta = Meta::of::<$operation>(); &META } )* }
            }

            /// Validates a request that is given as JSON; finds all problems in one pass.
            #[must_use]
            pub fn validate_json(self, request: &str) -> Report {
                self.report(request, &NumberSettings::default(), usize::MAX)
            }

            /// As [`validate_json`](Self::validate_json), but lists at most `limit` problems, the most severe ones;
            /// [`more`](Report::more) is the number of the others. A report without a limit can need a thousand times the memory of
            /// its request. Of more than 1,000 problems with one severity, those are listed that are found first; after 1,000 wrong
            /// types, or `limit` if it is larger, the other rules are not checked.
            #[must_use]
            pub fn validate_json_limited(self, request: &str, limit: usize) -> Report {
                self.report(request, &NumberSettings::default(), limit)
            }

            fn report(self, request: &str, numbers: &NumberSettings, limit: usize) -> Report {
                match self { $( Self::$variant => validate::report::<$operation>(request, numbers, limit), )* }
            }

            /// As [`validate_json`](Self::validate_json), with the defaults that a call gets from its configuration, such as the
            /// traffic account.
            #[must_use]
            pub fn validate_json_with_defaults(self, request: &str, context: &RequestContext) -> Report {
                Report::new(match self {
                    $( Self::$variant => validate::problems_with_defaults::<$operation>(request, context), )*
                })
            }

            /// The first error of [`validate_json`](Self::validate_json), with its code, pointer and message only. Faster than
            /// the whole report if a request has warnings.
            #[must_use]
            pub fn first_error(self, request: &str) -> Option<crate::problem::Problem> {
                match self { $( Self::$variant => validate::first_error::<$operation>(request), )* }
            }

            /// Validates a request that is given as JSON, and encodes it as an HTTP request.
            ///
            /// # Errors
            /// `invalid` with all problems, or with the reason `config` if the configuration lacks an address or a key.
            pub fn prepare_json(self, request: &str, context: &RequestContext) -> Result<prepared::Prepared, Error> {
                match self { $( Self::$variant => prepared::prepare_json::<$operation>(request, context), )* }
            }

            /// The JSON of a received request; see [`crate::operation::Operation::decode_request`].
            ///
            /// # Errors
            /// [`RequestDecodeError`](crate::request::RequestDecodeError), as in [`crate::operation::Operation::decode_request`].
            pub fn decode_request<'a>(
                self,
                request: &crate::request::IncomingRequest<'a>,
            ) -> Result<std::borrow::Cow<'a, str>, crate::request::RequestDecodeError> {
                match self { $( Self::$variant => <$operation as crate::operation::Operation>::decode_request(request), )* }
            }

            /// Reads a successful response and returns it as JSON.
            ///
            /// # Errors
            /// When the body is not a documented response.
            pub fn parse_json(
                self,
                context: &RequestContext,
                response: &HttpResponse,
            ) -> Result<String, crate::operation::ResponseDecodeError> {
                match self { $( Self::$variant => confirm_response::parse::<$operation>(context, response), )* }
            }

            /// Whether this response, as JSON, reports that a passcode is not valid.
            #[must_use]
            pub fn is_not_verified(self, response: &str) -> bool {
                match self { $( Self::$variant => confirm_response::is_not_verified::<$operation>(response), )* }
            }

            /// The id of the message or the record in a successful response, as JSON: for several messages that of the bulk
            /// message, otherwise none.
            #[must_use]
            pub fn response_id(self, response: &str) -> Option<String> {
                match self { $( Self::$variant => confirm_response::id::<$operation>(response), )* }
            }

            /// Reads a successful response, compares it with the request, and returns it as JSON.
            #[cfg(feature = "call")]
            pub(crate) fn confirm_json(
                self,
                context: &RequestContext,
                response: &HttpResponse,
                expected: &crate::operation::ResponseExpectation,
            ) -> Result<(String, confirm_response::Confirmed), crate::operation::Unconfirmed> {
                match self { $( Self::$variant => confirm_response::confirm_json::<$operation>(context, response, expected), )* }
            }

            /// As `confirm_json`, with a value without its concrete type.
            #[cfg(feature = "__erased")]
            pub(crate) fn confirm_erased(
                self,
                context: &RequestContext,
                response: &HttpResponse,
                expected: &crate::operation::ResponseExpectation,
            ) -> Result<(confirm_response::ErasedValue, confirm_response::Confirmed), crate::operation::Unconfirmed> {
                match self { $( Self::$variant => confirm_response::confirm_erased::<$operation>(context, response, expected), )* }
            }
        }
    };
}

/// Passes the list of operations to a macro: `Variant = Type` for each, in the order of the specification.
#[doc(hidden)]
#[macro_export]
macro_rules! with_operations {
    ($macro:ident) => {
        $macro! {
            OtpSend = $crate::otp::SendPasscode,
            OtpVerify = $crate::otp::VerifyPasscode,
            OtpCancel = $crate::otp::CancelPasscode,
            OtpSearch = $crate::otp::SearchPasscodes,
            OtpGet = $crate::otp::GetPasscode,
            OtpUsage = $crate::otp::GetUsage,
            OtpUsageDaily = $crate::otp::GetDailyUsage,
            OtpLimitsCreate = $crate::otp::limits::CreateLimit,
            OtpLimitsUpdate = $crate::otp::limits::UpdateLimit,
            OtpLimitsDelete = $crate::otp::limits::DeleteLimit,
            OtpLimitsList = $crate::otp::limits::ListLimits,
            OtpLimitsGet = $crate::otp::limits::GetLimit,
            OtpWorkflowsCreate = $crate::otp::workflows::CreateWorkflow,
            OtpWorkflowsUpdate = $crate::otp::workflows::UpdateWorkflow,
            OtpWorkflowsDelete = $crate::otp::workflows::DeleteWorkflow,
            OtpWorkflowsList = $crate::otp::workflows::ListWorkflows,
            OtpWorkflowsGet = $crate::otp::workflows::GetWorkflow,
            SmsSend = $crate::sms::SendSms,
            SmsSendBulk = $crate::sms::SendBulkSms,
            SmsUsageByCountry = $crate::sms::GetUsageByCountry,
            SmsConvert = $crate::sms::ConvertSms,
            LookupNumbers = $crate::lookup::LookUpNumbers,
            LookupNumbersByQuery = $crate::lookup::LookUpNumbersByQuery,
            MessagesSend = $crate::messages::SendMessage,
            MessagesSendFailover = $crate::messages::SendFailoverMessage,
            MessagesSendBulk = $crate::messages::SendBulkMessage,
            WebhooksMessengerBSet = $crate::webhooks::messenger_b::SetMessengerBWebhook,
            WebhooksMessengerCSet = $crate::webhooks::messenger_c::SetMessengerCWebhook,
            WebhooksMessengerCDelete = $crate::webhooks::messenger_c::DeleteMessengerCWebhook,
            WebhooksMessengerCInfo = $crate::webhooks::messenger_c::GetMessengerCWebhookInfo,
        }
    };
}

with_operations!(operations);

/// The operations as JSON: an array of `{"id", "family", "method", "path", "section"}`, in the order of the specification.
#[must_use]
pub fn table_json() -> String {
    let rows: Vec<Row> = OperationId::ALL.iter().map(|operation| Row::of(operation.meta())).collect();
    crate::value::to_json(&rows)
}

#[derive(serde::Serialize)]
struct Row {
    id: &'static str,
    family: &'static str,
    method: &'static str,
    path: &'static str,
    section: &'static str,
}

impl Row {
    const fn of(meta: &Meta) -> Self {
        Self {
            id: meta.id,
            family: meta.family.as_str(),
            method: meta.method.as_str(),
            path: meta.path,
            section: meta.section,
        }
    }
}

impl OperationId {
    /// As [`validate_json`](Self::validate_json) with the setting `normalize` of a client, without its other settings:
    /// `international` or a region.
    ///
    /// # Errors
    /// The setting is invalid, or requires numbering plans that are not in this build.
    pub fn validate_json_normalized(
        self,
        request: &str,
        normalize: &str,
    ) -> Result<Report, InvalidNormalize> {
        Ok(self.report(request, &NumberSettings::normalizing(normalize)?, usize::MAX))
    }

    /// The operation with this name.
    #[must_use]
    pub fn find(id: &str) -> Option<Self> {
        let index = Self::NAMES.iter().position(|name| *name == id)?;
        Self::ALL.get(index).copied()
    }
}

impl std::fmt::Display for OperationId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.meta().id)
    }
}

impl std::str::FromStr for OperationId {
    type Err = UnknownOperation;

    fn from_str(id: &str) -> Result<Self, UnknownOperation> {
        Self::find(id).ok_or_else(|| UnknownOperation::new(id))
    }
}

/// Validates a request that is given as JSON: finds all problems in one pass and returns them in field order. Thread-safe. The
/// time is linear in the length of the request.
///
/// ```
/// let report = cpaas::validate_json("sms.send", r#"{"from":"Acme","to":"306912345678","text":"Hi"}"#)?;
/// assert!(report.ok && report.warnings.is_empty());
/// # Ok::<(), cpaas::UnknownOperation>(())
/// ```
///
/// # Errors
/// When no operation has this name.
pub fn validate_json(id: &str, request: &str) -> Result<Report, UnknownOperation> {
    match OperationId::find(id) {
        Some(operation) => Ok(operation.validate_json(request)),
        None => Err(UnknownOperation::new(id)),
    }
}

/// The error for a name that no operation has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownOperation {
    /// The operation with the most similar name.
    pub suggestion: Option<&'static str>,
}

impl UnknownOperation {
    /// Creates the error for a name that no operation has.
    #[must_use]
    pub fn new(id: &str) -> Self {
        Self { suggestion: crate::util::nearest(id, &mut OperationId::NAMES.iter().copied()) }
    }
}

impl UnknownOperation {
    /// The message.
    #[must_use]
    pub fn message(&self) -> String {
        match self.suggestion {
            Some(name) => format!("unknown operation; did you mean `{name}`?"),
            None => "unknown operation".to_owned(),
        }
    }
}

impl std::fmt::Display for UnknownOperation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for UnknownOperation {}

#[cfg(all(test, feature = "call"))]
mod tests {
    use super::sms::SendSms;
    use crate::Config;
    use crate::prepared::prepare_typed;
    use crate::request::RequestContext;

    #[test]
    fn the_recipients_are_copied_only_for_a_client_with_a_store() {
        let config = Config::default().sms_url("https://sms.example").sms_key("key");
        let mut context = RequestContext::new(&config).unwrap();
        let recipients = |context: &RequestContext| {
            prepare_typed(SendSms::new("Acme", "306912345678", "Hi"), context).unwrap().sms_recipients
        };
        assert!(recipients(&context).is_empty());
        context.keeps_sms_recipients = true;
        let numbers: Vec<_> = recipients(&context).into_iter().map(|one| (one.pointer, one.number)).collect();
        assert_eq!(numbers, [("/to".to_owned(), "306912345678".to_owned())]);
    }
}
