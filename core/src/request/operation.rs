//! The trait of operations: one call of the provider as a typed value, without I/O.

use std::borrow::Cow;

use serde::{Serialize, de::DeserializeOwned};

pub use super::metadata::{Evidence, Meta, RetrySafety};
pub use super::response_reader::ResponseDecodeError;
pub use crate::http::{Family, Method};
use crate::json::fill::Request;
use crate::problem::Problems;
pub use crate::problem::Validate;
use crate::schema::{HasKind, Model};
use crate::{
    error::Error,
    http::{HttpRequest, HttpResponse},
    reconcile::Reconcile,
    request::{DecodeError, IncomingRequest, RequestContext},
};

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

/// The numbers of a request, in a form that is the same for each spelling of a number.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Recipients(Vec<String>);

impl Recipients {
    /// Of these recipients; those that are not numbers do not count.
    pub fn new<'a>(recipients: impl IntoIterator<Item = &'a str>) -> Self {
        let mut keys: Vec<String> = recipients.into_iter().filter_map(number_key).collect();
        keys.sort_unstable();
        Self(keys)
    }

    /// Whether a recipient of a response may be one of these. Only another number is a mismatch.
    pub(crate) fn include(&self, recipient: Option<&str>) -> bool {
        let key = recipient.filter(|_| !self.0.is_empty()).and_then(number_key);
        key.is_none_or(|key| self.0.binary_search(&key).is_ok())
    }
}

/// The last seven digits of a number, whose prefix has several spellings; `None` for text that is not a phone number.
fn number_key(recipient: &str) -> Option<String> {
    let is_number = recipient.chars().all(|one| one.is_ascii_digit() || "+-() .".contains(one));
    let digits: String = recipient.chars().filter(char::is_ascii_digit).collect();
    let last = digits.get(digits.len().checked_sub(7)?..)?;
    is_number.then(|| last.to_owned())
}

impl Expected {
    /// The response must name this record.
    pub(crate) fn record(id: &str) -> Self {
        Self { id: Some(id.to_owned()), ..Self::default() }
    }

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

/// Why a response that reports success does not confirm it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Doubt {
    /// The deciding member is missing or unreadable: unknown.
    Missing,
    /// It names another request: unknown.
    Mismatch,
    /// It was accepted, and the id is missing.
    IdMissing,
    /// Every element is a rejection, the first one with this code: rejected.
    AllRejected(Option<i64>),
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
    /// Its path; `{name}` is a member of the request.
    const PATH: &'static str;
    /// How it may be retried.
    const SAFETY: RetrySafety;
    /// Which member of a response confirms that the request was accepted.
    const EVIDENCE: Evidence;
    /// The section of the specification.
    const SECTION: &'static str;
    /// The content of a successful response.
    type Output: Serialize + DeserializeOwned + HasKind + Send + 'static;

    /// The constants above as data.
    const META: Meta = Meta::of::<Self>();

    /// Sets absent members from the configuration: the traffic account, for example.
    fn apply_defaults(&mut self, _context: &RequestContext) {}

    /// Signs what a receiver will verify: the callback URL of an SMS, where a keyring is configured. Runs
    /// after the checks.
    ///
    /// # Errors
    /// `invalid` when the URL cannot carry a token.
    fn sign(&mut self, _context: &RequestContext) -> Result<(), Error> {
        Ok(())
    }

    /// The HTTP request: each member travels where its field says. Overridden only by operations with an exception.
    ///
    /// # Errors
    /// When the configuration lacks an address or a key that the operation needs.
    fn prepare(&self, context: &RequestContext) -> Result<HttpRequest, Error> {
        context.encode(&Self::META, self)
    }

    /// Reads a response that was classified as successful. Missing and unreadable members are added to `warnings`.
    ///
    /// # Errors
    /// When the body is not a documented response.
    fn parse(
        _context: &RequestContext,
        response: &HttpResponse,
        warnings: &mut Problems,
    ) -> Result<Self::Output, ResponseDecodeError> {
        crate::request::response_reader::read(&response.body, warnings)
    }

    /// How this request may be retried.
    fn safety(&self) -> RetrySafety {
        Self::SAFETY
    }

    /// What the response to this request must agree with.
    fn expected(&self) -> Expected {
        Expected::default()
    }

    /// Whether a successful response belongs to this request and is complete enough to confirm success. Sets the outcome
    /// of each element of a bulk response.
    ///
    /// # Errors
    /// When it does not confirm success.
    fn confirm(
        _output: &mut Self::Output,
        _expected: &Expected,
        _warnings: &mut Problems,
    ) -> Result<(), Doubt> {
        Ok(())
    }

    /// The ids that the provider created for this request.
    fn ids(_output: &Self::Output) -> Vec<&str> {
        Vec::new()
    }

    /// The reverse of [`Operation::prepare`], for a server: the JSON of a received request, which
    /// `serde_json::from_str` and [`crate::OperationId::validate_json`] read. Members of path, query and headers
    /// are merged in, a string that must contain a JSON array becomes the array, and provider-specific names
    /// become the names of this library. Undocumented members are kept. Types are not checked.
    ///
    /// # Errors
    /// When a body that must be changed is not a JSON object, or a string that must contain a JSON array does not.
    fn decode_request<'a>(request: &IncomingRequest<'a>) -> Result<Cow<'a, str>, DecodeError> {
        request.decode(&Self::META)
    }

    /// How the provider's records show, after an unknown outcome, whether it was done.
    fn reconcile(&self, _context: &RequestContext) -> Option<Box<dyn Reconcile>> {
        None
    }

    /// The caller's own tag, for the error record.
    fn reference(&self) -> Option<&str> {
        None
    }
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
