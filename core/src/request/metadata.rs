//! The properties of an operation as data: what a table, a request and a retry need to know of it.

use crate::http::{Family, Method};
use crate::schema::{Kind, Schema};

/// How an operation may be retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RetrySafety {
    /// Reads: retried fully.
    Read,
    /// Reads that are charged: sent again only as sends are.
    Lookup,
    /// Creates a named record: after an unknown outcome it is searched for by name.
    Create,
    /// Sets or deletes: idempotent.
    Idempotent,
    /// Appends to a record: never sent again after an unknown outcome; the record is read instead.
    Append,
    /// Cancels: an error on its retry is compared with the record.
    Cancel,
    /// Verifies a code: after an unknown outcome the record is read.
    Verify,
    /// Sends something: retried only when it was definitively not sent.
    Send,
}

/// Which member of a response shows that the request was accepted; without it the outcome is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Evidence {
    /// `code` is 200 (family A).
    Code,
    /// `responseCode` is 0 (family B).
    ResponseCode,
    /// `status` is 0 (webhook of `messenger_b`).
    Status,
    /// An element has an integer `response` (family C).
    Elements,
    /// A success status, and `messageId` or `id` (family D).
    Id,
    /// A success status, and `bulkId` or `messages` (family D).
    IdOrMessages,
    /// A success status, and an array with an id (family D).
    Ids,
    /// The requested record or list.
    Record,
    /// The response is undocumented: a success status, unless the body is a rejection.
    Nothing,
}

/// A row of the table of operations.
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
    /// Which member of a response confirms that the request was accepted.
    pub evidence: Evidence,
    /// The section of the specification.
    pub section: &'static str,
    /// The members of its request.
    pub input: Schema,
    /// The kind of its response.
    pub output: Kind,
}
