//! What an operation is: one call of the provider as a typed value, without I/O.

use std::borrow::Cow;

use serde::{Serialize, de::DeserializeOwned};

use crate::json::fill::Request;
use crate::problem::{Pointer, Problems};
use crate::schema::{HasKind, Kind, Model, Schema};
use crate::{
    error::Error,
    http::{HttpRequest, HttpResponse},
    reconcile::Reconcile,
    wire::{DecodeError, RequestContext, WireRequest},
};

/// The families of the provider's interface; each has an address and an authentication scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// A: one-time passcodes and voice.
    Otp,
    /// B: SMS.
    Sms,
    /// C: number lookup.
    Lookup,
    /// D: the multi-channel messaging API.
    Messaging,
    /// Webhook registration of `messenger_b`.
    MessengerB,
    /// Webhook registration of `messenger_c`.
    MessengerC,
}

impl Family {
    const ALL: [Self; 6] =
        [Self::Otp, Self::Sms, Self::Lookup, Self::Messaging, Self::MessengerB, Self::MessengerC];

    /// The family's name, the same in every language.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Otp => "otp",
            Self::Sms => "sms",
            Self::Lookup => "lookup",
            Self::Messaging => "messaging",
            Self::MessengerB => "messenger_b",
            Self::MessengerC => "bot",
        }
    }

    /// The family of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.as_str() == name)
    }
}

/// The HTTP methods in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// `GET`
    Get,
    /// `POST`
    Post,
    /// `PUT`
    Put,
    /// `DELETE`
    Delete,
}

impl Method {
    const ALL: [Self; 4] = [Self::Get, Self::Post, Self::Put, Self::Delete];

    /// The method of this name, in capitals or not.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.as_str().eq_ignore_ascii_case(name))
    }

    /// The method's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }
}

/// How an operation may be retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RetrySafety {
    /// Reads: retried fully.
    Read,
    /// Reads that are charged: sent again only as sends are.
    Lookup,
    /// Creates a named record: after an unknown outcome it is looked for by name.
    Create,
    /// Sets or deletes: the same again does no harm.
    Idempotent,
    /// Appends to a record: never sent again after an unknown outcome, but looked for.
    Append,
    /// Cancels: an error on its retry is looked into.
    Cancel,
    /// Verifies a code: looked into after an unknown outcome.
    Verify,
    /// Sends something: sent again on proof of not sent only.
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
    /// The record or list that was asked for.
    Record,
    /// The specification shows no response: a success status, unless the body refuses.
    Nothing,
}

/// What the response to one request must agree with.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expected {
    /// The id that the request names: a `requestID` or `sid`.
    pub id: Option<String>,
    /// How many elements the request asks for.
    pub elements: Option<usize>,
    /// The recipients of the request.
    pub recipients: Recipients,
    /// Whether the request is a test, whose ids may repeat.
    pub test: bool,
}

/// The numbers of a request, in a form in which a number is the same however it is written.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Recipients(Vec<String>);

impl Recipients {
    /// Of these recipients; those that are not numbers do not count.
    pub fn new<'a>(recipients: impl IntoIterator<Item = &'a str>) -> Self {
        let mut keys: Vec<String> = recipients.into_iter().filter_map(number_key).collect();
        keys.sort_unstable();
        Self(keys)
    }

    /// Whether a recipient that a response names may be one of these. Only another number may not.
    pub(crate) fn include(&self, recipient: Option<&str>) -> bool {
        let key = recipient.filter(|_| !self.0.is_empty()).and_then(number_key);
        key.is_none_or(|key| self.0.binary_search(&key).is_ok())
    }
}

/// The last seven digits of a number, whose prefix may be written in several ways; none for a text that is no whole number.
fn number_key(recipient: &str) -> Option<String> {
    let is_number = recipient.chars().all(|one| one.is_ascii_digit() || "+-() .".contains(one));
    let digits: String = recipient.chars().filter(char::is_ascii_digit).collect();
    let last = digits.get(digits.len().checked_sub(7)?..)?;
    is_number.then(|| last.to_owned())
}

impl Expected {
    /// Whether an id in the response is the one that the request named.
    pub(crate) fn names(&self, id: &str) -> Result<(), Doubt> {
        match &self.id {
            Some(expected) if expected != id => Err(Doubt::Mismatch),
            _ => Ok(()),
        }
    }
}

impl std::fmt::Debug for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Expected")
            .field("elements", &self.elements)
            .field("test", &self.test)
            .finish_non_exhaustive()
    }
}

/// Why a response that reports success does not prove it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Doubt {
    /// The member that decides is missing or unreadable: unknown.
    Missing,
    /// It names another request: unknown.
    Mismatch,
    /// It was accepted, and the id is missing.
    IdMissing,
    /// Every element is a refusal, the first one with this code: rejected.
    AllRejected(Option<i64>),
}

/// A check of a model against the rules of the specification.
pub trait Validate {
    /// Adds everything wrong below `at`, in field order.
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems);
}

/// One call of the provider.
pub trait Operation:
    Model + Request + Default + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The operation's name, the same in every language.
    const ID: &'static str;
    /// Its family.
    const FAMILY: Family;
    /// Its HTTP method.
    const METHOD: Method;
    /// Its path; `{name}` stands for a member of the request.
    const PATH: &'static str;
    /// How it may be retried.
    const SAFETY: RetrySafety;
    /// What in a response proves that the request was accepted.
    const EVIDENCE: Evidence;
    /// The section of the specification.
    const SECTION: &'static str;
    /// What an answer of success holds.
    type Output: Serialize + DeserializeOwned + HasKind + Send + 'static;

    /// Fills what the configuration provides: the traffic account, for one.
    fn complete(&mut self, _wire: &RequestContext) {}

    /// Signs what a receiver will verify: the callback URL of an SMS, where a keyring is configured. Runs
    /// after the checks.
    ///
    /// # Errors
    /// `invalid` when the URL cannot carry a token.
    fn sign(&mut self, _wire: &RequestContext) -> Result<(), Error> {
        Ok(())
    }

    /// The request as it goes over the wire.
    ///
    /// # Errors
    /// When the configuration lacks an address or a key that the operation needs.
    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error>;

    /// Reads a successful response; the verdict on it was given before. What is missing or unreadable in it goes into
    /// `warnings`.
    ///
    /// # Errors
    /// When the body is not of the shape that the specification shows.
    fn parse(
        _wire: &RequestContext,
        response: &HttpResponse,
        warnings: &mut Problems,
    ) -> Result<Self::Output, ResponseDecodeError> {
        crate::answer::read(&response.body, warnings)
    }

    /// How this request may be retried.
    fn safety(&self) -> RetrySafety {
        Self::SAFETY
    }

    /// What the response to this request must agree with.
    fn expected(&self) -> Expected {
        Expected::default()
    }

    /// Whether a successful response, as it was read, is the response to this request, and whole enough to prove
    /// it. Counts what the elements of a bulk response say.
    ///
    /// # Errors
    /// When it does not prove it.
    fn confirm(
        _output: &mut Self::Output,
        _expected: &Expected,
        _warnings: &mut Problems,
    ) -> Result<(), Doubt> {
        Ok(())
    }

    /// The ids that the provider made for this request; none for an operation that makes none.
    fn ids(_output: &Self::Output) -> Vec<&str> {
        Vec::new()
    }

    /// The reading side, for a server: the neutral JSON of a request that came over the wire, which
    /// `serde_json::from_str` and [`crate::OperationId::validate_json`] take. Members of path and query
    /// are merged in, a string that must hold a JSON array becomes the array, and the names on the wire
    /// become the neutral ones; undocumented members stay. Errors of type are left to validation, and so is
    /// the syntax of a body that needs no change.
    ///
    /// # Errors
    /// When a body that needs a change is no JSON object, or a string that must hold a JSON array does not.
    fn decode_request<'a>(request: &WireRequest<'a>) -> Result<Cow<'a, str>, DecodeError> {
        request.plain::<Self>()
    }

    /// How the provider's records tell, after an unknown outcome, whether it was done.
    fn reconcile(&self, _wire: &RequestContext) -> Option<Box<dyn Reconcile>> {
        None
    }

    /// The caller's own tag, for the error record.
    fn reference(&self) -> Option<&str> {
        None
    }
}

/// An answer that is not of the shape that the specification shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResponseDecodeError;

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
    /// Its path; empty in the browser's module.
    pub path: &'static str,
    /// How it may be retried.
    pub safety: RetrySafety,
    /// What in a response proves that the request was accepted.
    pub evidence: Evidence,
    /// The section of the specification.
    pub section: &'static str,
    /// The members of its request.
    pub input: Schema,
    /// The kind of its response.
    pub output: Kind,
}

impl Meta {
    /// The row of an operation.
    #[must_use]
    pub const fn of<O: Operation>() -> Self {
        Self {
            id: O::ID,
            family: O::FAMILY,
            method: O::METHOD,
            path: O::PATH,
            safety: O::SAFETY,
            evidence: O::EVIDENCE,
            section: O::SECTION,
            input: O::SCHEMA,
            output: <O::Output as HasKind>::KIND,
        }
    }
}
