//! The one list of operations.
//!
//! It yields the table, the JSON entries and the schemas; the sandbox routes from it, the bindings
//! are generated from it.

mod elements;
pub mod lookup;
pub mod messages;
pub mod otp;
pub mod sms;
pub mod webhooks;

pub use elements::ElementOutcome;

use crate::digits::joined;
use crate::operation::Meta;
use crate::problem::Report;
use crate::validate;
use crate::{error::Error, http::HttpResponse, prepared, wire::RequestContext};

macro_rules! operations {
    ($( $variant:ident = $operation:ty ),* $(,)?) => {
        /// An operation by name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum OperationId {
            $( #[doc = concat!("[`", stringify!($operation), "`]")] $variant, )*
        }

        impl OperationId {
            /// Every operation, in the order of the specification.
            pub const ALL: &'static [Self] = &[$( Self::$variant ),*];

            /// Their names, in the same order.
            pub const NAMES: &'static [&'static str] =
                &[$( <$operation as crate::operation::Operation>::ID ),*];

            /// The row of the table.
            #[must_use]
            pub fn meta(self) -> &'static Meta {
                match self { $( Self::$variant => { static META: Meta = Meta::of::<$operation>(); &META } )* }
            }

            /// Checks a request given as JSON: everything wrong in one pass.
            #[must_use]
            pub fn validate_json(self, request: &str) -> Report {
                Report::new(match self { $( Self::$variant => validate::problems::<$operation>(request), )* })
            }

            /// Checks a request given as JSON and makes the HTTP request of it.
            ///
            /// # Errors
            /// `invalid` with all problems, or a configuration without the address or key needed.
            pub fn prepare_json(self, request: &str, wire: &RequestContext) -> Result<prepared::Prepared, Error> {
                match self { $( Self::$variant => prepared::prepare::<$operation>(request, wire), )* }
            }

            /// The neutral JSON of a request that came over the wire; see [`crate::operation::Operation::decode_request`].
            ///
            /// # Errors
            /// As there.
            pub fn decode_request<'a>(
                self,
                request: &crate::wire::WireRequest<'a>,
            ) -> Result<std::borrow::Cow<'a, str>, crate::wire::DecodeError> {
                match self { $( Self::$variant => <$operation as crate::operation::Operation>::decode_request(request), )* }
            }

            /// Reads an answer of success and gives it back as JSON.
            ///
            /// # Errors
            /// When the body is not of the shape that the specification shows.
            pub fn parse_json(
                self,
                wire: &RequestContext,
                response: &HttpResponse,
            ) -> Result<String, crate::operation::ResponseDecodeError> {
                match self { $( Self::$variant => prepared::parse::<$operation>(wire, response), )* }
            }

            /// Reads a successful response, holds it to the request, and gives it back as JSON.
            #[cfg(feature = "http")]
            pub(crate) fn confirm_json(
                self,
                wire: &RequestContext,
                response: &HttpResponse,
                expected: &crate::operation::Expected,
            ) -> Result<(String, prepared::Confirmed), crate::operation::Doubt> {
                match self { $( Self::$variant => prepared::confirm_json::<$operation>(wire, response, expected), )* }
            }
        }
    };
}

operations! {
    OtpSend = otp::Send,
    OtpVerify = otp::Verify,
    OtpCancel = otp::Cancel,
    OtpSearch = otp::Search,
    OtpGet = otp::Get,
    OtpUsage = otp::Usage,
    OtpUsageDaily = otp::UsageDaily,
    OtpLimitsCreate = otp::limits::Create,
    OtpLimitsUpdate = otp::limits::Update,
    OtpLimitsDelete = otp::limits::Delete,
    OtpLimitsList = otp::limits::List,
    OtpLimitsGet = otp::limits::Get,
    OtpWorkflowsCreate = otp::workflows::Create,
    OtpWorkflowsUpdate = otp::workflows::Update,
    OtpWorkflowsDelete = otp::workflows::Delete,
    OtpWorkflowsList = otp::workflows::List,
    OtpWorkflowsGet = otp::workflows::Get,
    SmsSend = sms::Send,
    SmsSendBulk = sms::SendBulk,
    SmsUsageByCountry = sms::UsageByCountry,
    SmsConvert = sms::Convert,
    LookupNumbers = lookup::Numbers,
    LookupNumbersByQuery = lookup::NumbersByQuery,
    MessagesSend = messages::Send,
    MessagesSendFailover = messages::SendFailover,
    MessagesSendBulk = messages::SendBulk,
    WebhooksMessengerBSet = webhooks::messenger_b::Set,
    WebhooksMessengerCSet = webhooks::messenger_c::Set,
    WebhooksMessengerCDelete = webhooks::messenger_c::Delete,
    WebhooksMessengerCInfo = webhooks::messenger_c::Info,
}

/// The table as JSON: an array of `{"id", "family", "method", "path", "section"}`, in the order of the specification.
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
    /// The operation with this name.
    #[must_use]
    pub fn find(id: &str) -> Option<Self> {
        let place = Self::NAMES.iter().position(|name| *name == id)?;
        Self::ALL.get(place).copied()
    }
}

/// Checks a request given as JSON: everything wrong in one pass, in field order. Thread-safe; linear in
/// the request.
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

/// No operation has that name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownOperation {
    /// The operation that was probably meant.
    pub suggestion: Option<&'static str>,
}

impl UnknownOperation {
    /// For a name that is no operation's.
    #[must_use]
    pub fn new(id: &str) -> Self {
        Self { suggestion: crate::util::nearest(id, &mut OperationId::NAMES.iter().copied()) }
    }
}

impl UnknownOperation {
    /// The sentence, without a formatter.
    #[must_use]
    pub fn message(&self) -> String {
        match self.suggestion {
            Some(name) => joined(&["unknown operation; did you mean `", name, "`?"]),
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
