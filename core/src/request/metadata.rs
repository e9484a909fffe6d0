//! The properties of an operation as data, for the table, for encoding and for retries.

use crate::http::{Family, Method};
use crate::retry_safety::RetrySafety;
use crate::schema::{Kind, Schema};

/// The member of a response that shows that the request was accepted. Without it the outcome is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SuccessMarker {
    /// `code` is 200 (family `otp`).
    Code,
    /// `responseCode` is 0 (family `sms`).
    ResponseCode,
    /// `status` is 0 (webhook of `messenger_b`).
    Status,
    /// An element has an integer `response` (family `lookup`).
    Elements,
    /// A success status, and `messageId` or `id` (family `messaging`).
    Id,
    /// A success status, and `bulkId` or `messages` (family `messaging`).
    IdOrMessages,
    /// A success status, and an array with an id (family `messaging`).
    Ids,
    /// The requested record or list.
    Record,
    /// The response is undocumented: a success status, unless the body is a rejection.
    Nothing,
}

/// The properties of an operation: one row of the table of operations.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Meta {
    /// The operation's name.
    pub id: &'static str,
    /// Its family.
    pub family: Family,
    /// Its HTTP method.
    pub method: Method,
    /// Its path.
    pub path: &'static str,
    /// How it may be retried.
    pub safety: RetrySafety,
    /// The member of a response that confirms that the request was accepted.
    pub success_marker: SuccessMarker,
    /// The section of the specification.
    pub section: &'static str,
    /// The member that contains the recipients: a string, several separated by commas, or an array.
    pub recipients: Option<&'static str>,
    /// The pointer of the text that is sent as an SMS, and whose parts are counted.
    pub sms_text: Option<&'static str>,
    /// Whether requests have a reference, which delivery reports return.
    pub has_reference: bool,
    /// The statuses of errors that not every operation has.
    pub statuses: &'static [u16],
    /// The members of its request.
    pub input: Schema,
    /// The kind of its response.
    pub output: Kind,
}
