//! The meanings of the provider's codes: the documented codes, and those that the sandbox uses by a labeled assumption. The
//! provider may use other codes; [`find`] returns `None` for them.

use serde::Serialize;

use crate::operation::Family;

/// A code of the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ProviderCode {
    /// The family of the operation; `otp.verify` for a code that means something else there; or `report` for the error codes of
    /// delivery reports.
    pub family: &'static str,
    /// The code.
    pub code: i64,
    /// The meaning.
    pub meaning: &'static str,
    /// The advice.
    pub advice: &'static str,
    /// `specification`, or the number of the sandbox's assumption.
    pub source: &'static str,
}

impl ProviderCode {
    /// The row as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// All codes, by family and code.
#[must_use]
pub const fn all() -> &'static [ProviderCode] {
    TABLE
}

/// The row of a code; `None` for a code that is not in the table.
#[must_use]
pub fn find(family: Family, code: i64) -> Option<&'static ProviderCode> {
    find_by_name(family.as_str(), code)
}

/// The row of a code by the family's name in the table, such as `sms`, `otp.verify` or `report`.
#[must_use]
pub fn find_by_name(family: &str, code: i64) -> Option<&'static ProviderCode> {
    TABLE.iter().find(|row| row.family == family && row.code == code)
}

/// The row of a code in the response to an operation.
#[cfg(feature = "call")]
pub(crate) fn find_of_operation(operation: &str, family: Family, code: i64) -> Option<&'static ProviderCode> {
    find_by_name(operation, code).or_else(|| find(family, code))
}

/// Whether `code` of the family `messaging` reports a failure. The member is undocumented; 0 and the statuses of success are not failures.
pub(crate) const fn is_messaging_failure(code: i64) -> bool {
    code != 0 && !matches!(code, 200..=299)
}

/// Whether a code is known and will not pass by itself, unlike a limit or a failure of the provider.
#[cfg(feature = "call")]
pub(crate) fn is_permanent(family: Family, code: Option<i64>) -> bool {
    let passes = match family {
        Family::Otp | Family::Messaging | Family::MessengerC => [429, 429],
        Family::Sms | Family::Lookup => [906, 990],
        Family::MessengerB => [429, 429],
    };
    code.is_some_and(|code| !passes.contains(&code) && find(family, code).is_some())
}

/// `otp.verify`, `cancel` and `get`: no passcode has this id and service.
pub(crate) const UNKNOWN_PASSCODE: i64 = 404;
/// `otp.limits.create`: a limit with this name already exists.
pub const LIMIT_EXISTS: i64 = 492;
/// `otp.limits.*`: no limit has this id.
pub const UNKNOWN_LIMIT: i64 = 493;
/// `otp.workflows.create`: a workflow with this name already exists.
pub const WORKFLOW_EXISTS: i64 = 495;
/// `otp.workflows.*`: no workflow has this id.
pub const UNKNOWN_WORKFLOW: i64 = 499;

/// The codes of the OTP operations that the specification documents, with the names of their constants.
#[doc(hidden)]
pub const DOCUMENTED_OTP_CODES: [(&str, i64); 4] = [
    ("LIMIT_EXISTS", LIMIT_EXISTS),
    ("UNKNOWN_LIMIT", UNKNOWN_LIMIT),
    ("WORKFLOW_EXISTS", WORKFLOW_EXISTS),
    ("UNKNOWN_WORKFLOW", UNKNOWN_WORKFLOW),
];

macro_rules! table {
    ($( $family:literal $code:tt $source:literal $meaning:literal $advice:literal )*) => {
        &[$( ProviderCode { family: $family, code: $code, meaning: $meaning, advice: $advice, source: $source } ),*]
    };
}

const TABLE: &[ProviderCode] = table! {
    "otp" 400 "D15" "the request is invalid" "correct the request"
    "otp" 401 "D23" "the credentials are invalid" "check `account_sid` and `api_key`"
    "otp" 403 "D24" "the provider does not allow this IP address" "ask the provider to allow the address of this machine"
    "otp" UNKNOWN_PASSCODE "D03" "no passcode has this id and service" "check the request id and the service"
    "otp" 410 "D04" "the passcode is expired, cancelled or already used" "send a new passcode"
    "otp" 413 "D31" "the request is too large" "send at most 8 MiB in one request"
    "otp" 415 "D66" "the body is not JSON" "send `Content-Type: application/json`"
    "otp" 429 "D13" "a limit is reached" "wait, then try again"
    "otp" LIMIT_EXISTS "specification" "a limit with this name already exists" "update the existing limit or choose another name"
    "otp" UNKNOWN_LIMIT "specification" "no limit has this id" "check the id of the limit"
    "otp" WORKFLOW_EXISTS "specification" "a workflow with this name already exists" "update the existing workflow or choose another name"
    "otp" UNKNOWN_WORKFLOW "specification" "no workflow has this id" "check the id of the workflow"
    "otp.verify" 400 "D15" "the passcode is wrong, or the request is invalid" "ask for the passcode again, or correct the request"
    "sms" 413 "D31" "the request is too large" "send fewer numbers in one request"
    "sms" 901 "D27" "the credentials are invalid" "check `sms_key`, or `api_key` in its place"
    "sms" 902 "D27" "a number is invalid" "send 7 to 15 digits with the country code, without `+`"
    "sms" 903 "D27" "the provider does not allow this IP address" "ask the provider to allow the address of this machine"
    "sms" 904 "D27" "the sender is invalid or not allowed" "use a sender that is registered for the account"
    "sms" 905 "D27" "the text is missing or invalid" "correct the text"
    "sms" 906 "D27" "too many requests" "wait, then try again"
    "sms" 907 "D27" "the callback URL is invalid" "correct `callback`"
    "sms" 908 "D27" "a member is missing or invalid, or the body is not JSON" "correct the request"
    "sms" 910 "D27" "the feature is not enabled for the account" "ask the provider to enable the feature"
    "sms" 911 "D27" "no message has this id" "check the id of the message"
    "sms" 912 "D27" "a date is invalid" "write dates in the documented form"
    "sms" 990 "D27" "the provider could not process the request" "try again later"
    "lookup" 413 "D31" "the request is too large" "look up fewer numbers in one request"
    "lookup" 415 "D66" "the body is not JSON" "send `Content-Type: application/json`"
    "lookup" 901 "D27" "the credentials are invalid" "check `lookup_key`, or `api_key` in its place"
    "lookup" 902 "D38" "a number is invalid or not assigned" "send 7 to 15 digits with the country code, without `+`"
    "lookup" 903 "D27" "the provider does not allow this IP address" "ask the provider to allow the address of this machine"
    "lookup" 906 "D27" "too many requests" "wait, then try again"
    "lookup" 908 "D27" "a member is missing or invalid" "correct the request"
    "lookup" 910 "D27" "the feature is not enabled for the account" "ask the provider to enable the feature"
    "lookup" 990 "D27" "the provider could not process the request" "try again later"
    "messaging" 400 "D41" "the request is invalid, or the device cannot show the message and there is no fallback" "correct the request or add `fallback`"
    "messaging" 401 "D25" "the credentials are invalid" "check `messaging_key`, or `sms_key` or `api_key` in its place"
    "messaging" 403 "D24" "the provider does not allow this IP address" "ask the provider to allow the address of this machine"
    "messaging" 404 "D45" "no traffic account has this id, or the version has no such operation" "check `traffic_account_id`, and use version 1.1 or later for bulk messages"
    "messaging" 413 "D31" "the request is too large" "send fewer destinations in one request"
    "messaging" 415 "D66" "the body is not JSON" "send `Content-Type: application/json`"
    "messaging" 429 "D50" "too many requests" "wait, then try again"
    "messenger_b" 1 "specification" "the webhook's URL did not answer the check with HTTP 200" "make the URL answer with HTTP 200, then register it again"
    "messenger_b" 2 "D56" "the token is invalid" "check `messenger_b_token`"
    "messenger_b" 3 "D58" "the request is invalid, or names two different traffic accounts" "correct the request"
    "messenger_b" 4 "D58" "the webhook's URL is invalid" "correct `url`"
    "messenger_b" 5 "D66" "an event type is unknown" "correct `event_types`"
    "messenger_b" 403 "D24" "the provider does not allow this IP address" "ask the provider to allow the address of this machine"
    "messenger_c" 400 "D57" "the request is invalid" "correct the request"
    "messenger_c" 401 "D57" "no bot has this id" "check the bot's id"
    "messenger_c" 403 "D24" "the provider does not allow this IP address" "ask the provider to allow the address of this machine"
    "messenger_c" 404 "D45" "no traffic account has this id" "check the traffic account of the webhook's URL"
    "messenger_c" 429 "D50" "too many requests" "wait, then try again"
    "report" 902 "D53" "the message was rejected" "check the number and the sender"
    "report" 911 "D53" "the message was not delivered: the recipient was not reached" "try again later or use another channel"
    "report" 912 "D53" "the message expired before it was delivered" "try again later or use another channel"
    "report" 913 "D53" "the recipient has not subscribed to the sender" "use another channel, such as `sms`"
    "report" 914 "D47" "the session has ended because the recipient did not reply" "wait for a reply or use another channel"
    "report" 990 "D53" "the delivery failed" "try again later or use another channel"
};
