//! The provider's codes in words: the documented ones, and those with which the sandbox responds by a labelled
//! assumption. The provider may use others; [`find`] returns `None` for them.

use serde::Serialize;

use crate::operation::Family;

/// A code of the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ProviderCode {
    /// The family: `otp`, `sms` or `lookup`.
    pub family: &'static str,
    /// The code.
    pub code: i64,
    /// What it means.
    pub meaning: &'static str,
    /// What to do.
    pub advice: &'static str,
    /// The specification, or the assumption of the sandbox.
    pub source: &'static str,
}

/// All codes, by family and code.
#[must_use]
pub const fn all() -> &'static [ProviderCode] {
    TABLE
}

/// The row of a code; `None` for an undocumented code and for a family without a table.
#[must_use]
pub fn find(family: Family, code: i64) -> Option<&'static ProviderCode> {
    let name = match family {
        Family::Otp => "otp",
        Family::Sms => "sms",
        Family::Lookup => "lookup",
        _ => return None,
    };
    TABLE.iter().find(|row| row.family == name && row.code == code)
}

macro_rules! table {
    ($( $family:literal $code:literal $source:literal $meaning:literal $advice:literal )*) => {
        &[$( ProviderCode { family: $family, code: $code, meaning: $meaning, advice: $advice, source: $source } ),*]
    };
}

const TABLE: &[ProviderCode] = table! {
    "otp" 400 "D15" "the request is invalid" "correct the request"
    "otp" 401 "D23" "the credentials are invalid" "check `account_sid` and `api_key`"
    "otp" 403 "D24" "the provider does not allow this IP address" "ask the provider to allow the address of this machine"
    "otp" 404 "D03" "no passcode has this id and service" "check the request id and the service"
    "otp" 410 "D04" "the passcode is expired, cancelled or already used" "send a new passcode"
    "otp" 429 "D13" "a limit is reached" "wait, then try again"
    "otp" 492 "specification" "a limit with this name already exists" "update the existing limit or choose another name"
    "otp" 493 "specification" "no limit has this id" "check the id of the limit"
    "otp" 495 "specification" "a workflow with this name already exists" "update the existing workflow or choose another name"
    "otp" 499 "specification" "no workflow has this id" "check the id of the workflow"
    "sms" 901 "D27" "the credentials are invalid" "check `sms_key`, or `api_key` in its place"
    "sms" 902 "D27" "a number is invalid" "send 7 to 15 digits with the country code, without `+`"
    "sms" 903 "D27" "the provider does not allow this IP address" "ask the provider to allow the address of this machine"
    "sms" 904 "D27" "the sender is invalid or not allowed" "use a sender that is registered for the account"
    "sms" 905 "D27" "the text is missing or invalid" "correct the text"
    "sms" 906 "D27" "too many requests" "wait, then try again"
    "sms" 907 "D27" "the callback URL is invalid" "correct `callback`"
    "sms" 910 "D27" "the feature is not enabled for the account" "ask the provider to enable the feature"
    "sms" 911 "D27" "no message has this id" "check the id of the message"
    "sms" 912 "D27" "a date is invalid" "write dates in the documented form"
    "sms" 990 "D27" "the provider could not process the request" "try again later"
    "lookup" 901 "D27" "the credentials are invalid" "check `lookup_key`, or `api_key` in its place"
    "lookup" 902 "D38" "a number is invalid or not assigned" "send 7 to 15 digits with the country code, without `+`"
    "lookup" 903 "D27" "the provider does not allow this IP address" "ask the provider to allow the address of this machine"
    "lookup" 906 "D27" "too many requests" "wait, then try again"
    "lookup" 910 "D27" "the feature is not enabled for the account" "ask the provider to enable the feature"
    "lookup" 990 "D27" "the provider could not process the request" "try again later"
};
