//! The operation trait: one call of the provider as a typed value, without I/O.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use serde::{Serialize, de::DeserializeOwned};

pub(crate) use crate::http::{Family, Method};
use crate::json::fill_model::FillRequest;
use crate::problem::Problems;
pub use crate::request::metadata::{Meta, SuccessMarker};
pub use crate::response::response_reader::ResponseDecodeError;
pub use crate::retry_safety::RetrySafety;
use crate::schema::{HasKind, Model};
use crate::secret::Secret;
use crate::{
    error::Error,
    http::{HttpRequest, HttpResponse},
    reconcile::Reconcile,
    request::{IncomingRequest, RequestContext, RequestDecodeError},
};

/// The facts about a request that its response must agree with.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResponseExpectation {
    /// The id in the request: a `requestID` or `sid`.
    pub id: Option<String>,
    /// The number of requested elements.
    pub elements: Option<usize>,
    /// The recipients of the request.
    pub recipients: Recipients,
    /// Whether the request is a test, whose ids may repeat.
    pub test: bool,
    /// Whether ids may repeat, because the configuration accepts them.
    pub repeated_ids: bool,
    /// The passcode or the token in the request, which no error contains.
    pub secret: Secret,
}

/// The recipients of a request, each with its indices. Phone numbers have a form that is independent of their spelling.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Recipients {
    indices: BTreeMap<String, VecDeque<usize>>,
    has_number: bool,
}

/// A recipient in a response, compared with those of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecipientMatch {
    /// It is the recipient with this index; `None` for a text that does not show which one, such as a masked number.
    Possible(Option<usize>),
    /// It occurs more often than in the request.
    Repeated,
    /// It is a phone number that is not in the request.
    Foreign,
}

/// `Debug` shows the number of recipients.
impl fmt::Debug for Recipients {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count: usize = self.indices.values().map(VecDeque::len).sum();
        f.debug_struct("Recipients").field("count", &count).finish_non_exhaustive()
    }
}

impl Recipients {
    /// Creates the list from recipients.
    pub fn new<'a>(recipients: impl IntoIterator<Item = &'a str>) -> Self {
        let mut list = Self::default();
        for (index, recipient) in recipients.into_iter().enumerate() {
            let number = number_key(recipient);
            list.has_number |= number.is_some();
            let key = number.unwrap_or_else(|| recipient.trim().to_owned());
            list.indices.entry(key).or_default().push_back(index);
        }
        list
    }

    /// Compares a recipient in a response, and removes it from the list.
    pub(crate) fn take(&mut self, recipient: Option<&str>) -> RecipientMatch {
        let Some(recipient) = recipient else { return RecipientMatch::Possible(None) };
        let number = number_key(recipient);
        let is_number = number.is_some();
        let key = number.unwrap_or_else(|| recipient.trim().to_owned());
        match self.indices.get_mut(&key) {
            Some(left) => match left.pop_front() {
                Some(index) => RecipientMatch::Possible(Some(index)),
                None => RecipientMatch::Repeated,
            },
            None if is_number && self.has_number => RecipientMatch::Foreign,
            None => RecipientMatch::Possible(None),
        }
    }

    /// Whether a recipient of a response may be one of these: false only if it is a phone number that the list does not contain.
    pub(crate) fn include(&self, recipient: Option<&str>) -> bool {
        self.clone().take(recipient) != RecipientMatch::Foreign
    }
}

/// The last seven digits of a phone number, because its prefix has several spellings; `None` for other text.
fn number_key(recipient: &str) -> Option<String> {
    let is_number = recipient.chars().all(|one| one.is_ascii_digit() || "+-() .".contains(one));
    let digits: String = recipient.chars().filter(char::is_ascii_digit).collect();
    let last = digits.get(digits.len().checked_sub(7)?..)?;
    is_number.then(|| last.to_owned())
}

impl ResponseExpectation {
    /// Expects a response with the id of this record.
    pub(crate) fn record(id: &str) -> Self {
        Self { id: Some(id.to_owned()), ..Self::default() }
    }

    /// Expects a response to a request with this passcode or token.
    pub(crate) fn with_secret(secret: &str) -> Self {
        Self { secret: Secret::new(secret), ..Self::default() }
    }

    /// Checks the id in a response: it may be missing, but must not differ from that of the request.
    pub(crate) fn check_optional_id(&self, id: Option<&str>) -> Result<(), Unconfirmed> {
        match (&self.id, id) {
            (Some(expected), Some(id)) if expected != id => Err(Unconfirmed::Mismatch),
            _ => Ok(()),
        }
    }

    /// Checks that a response contains the id of the request.
    pub(crate) fn check_id(&self, id: Option<&str>) -> Result<(), Unconfirmed> {
        match id {
            Some(_) => self.check_optional_id(id),
            None => Err(Unconfirmed::Missing),
        }
    }
}

impl std::fmt::Debug for ResponseExpectation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ResponseExpectation")
            .field("elements", &self.elements)
            .field("test", &self.test)
            .finish_non_exhaustive()
    }
}

/// Why a response that reports success does not confirm it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unconfirmed {
    /// The deciding member is missing or unreadable: unknown.
    Missing,
    /// The response belongs to another request: unknown.
    Mismatch,
    /// The response has an id that an earlier call of the client received: unknown.
    RepeatedId,
    /// The request was accepted, but the id is missing.
    IdMissing,
    /// Every element is a rejection, the first one with this code: rejected.
    AllRejected(Option<i64>),
}

/// An operation whose response is a page of records: `Client::pages` reads one page after the other.
///
/// ```compile_fail,E0277
/// # use cpaas::{client::Client, sms};
/// # fn f(client: Client) {
/// client.pages(sms::SendSms::new("Acme", "306912345678", "Hi")); // not a list
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list operation",
    label = "its response is not a page of records",
    note = "make one call with `Client::call`"
)]
pub trait ListOperation: Operation {}

/// One call of the provider. The trait is sealed by its supertrait `FillRequest`, which is not public: only the models of this crate
/// implement it. `client::RawCall` calls an undocumented endpoint.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operation",
    label = "expected an operation by value, such as `sms::SendSms::new(…)`",
    note = "the operations are in `otp`, `sms`, `lookup`, `messages` and `webhooks`; `Client::call_raw` calls other endpoints"
)]
pub trait Operation:
    Model + FillRequest + Default + Serialize + DeserializeOwned + Send + Sync + 'static
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
    /// The member of a response that confirms that the request was accepted.
    const SUCCESS_MARKER: SuccessMarker;
    /// The section of the specification.
    const SECTION: &'static str;
    /// The pointer of the text that is sent as an SMS, and whose parts are counted.
    const SMS_TEXT: Option<&'static str> = None;
    /// The caller's reference of a request, which delivery reports and the error record contain.
    const REFERENCE: Option<fn(&Self) -> Option<&str>> = None;
    /// Whether a successful response reports that a passcode is not valid. A typed call then returns an error with the reason
    /// [`crate::error::Reason::NotVerified`].
    const IS_NOT_VERIFIED: Option<fn(&Self::Output) -> bool> = None;
    /// The statuses of errors that not every operation has.
    const STATUSES: &'static [u16] = &[];
    /// The content of a successful response.
    type Output: Serialize + DeserializeOwned + HasKind + Send + 'static;

    /// The constants above as data.
    const META: Meta = Meta::of::<Self>();

    /// Sets absent members from the configuration, for example the traffic account.
    fn apply_defaults(&mut self, _context: &RequestContext) {}

    /// Signs the callback URL of an SMS if a keyring is configured. Called after validation.
    ///
    /// # Errors
    /// `invalid` if no token can be added to the URL.
    fn sign(&mut self, _context: &RequestContext) -> Result<(), Error> {
        Ok(())
    }

    /// Encodes the HTTP request: each member is added at its location. Override it only if the fields do not define the encoding.
    ///
    /// # Errors
    /// When the configuration lacks an address or a key that the operation needs.
    fn encode_request(&self, context: &RequestContext) -> Result<HttpRequest, Error> {
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
        crate::response::response_reader::read(&response.body, warnings)
    }

    /// How this request may be retried.
    fn safety(&self) -> RetrySafety {
        Self::SAFETY
    }

    /// The facts that the response to this request must agree with.
    fn expected(&self) -> ResponseExpectation {
        ResponseExpectation::default()
    }

    /// Checks that a successful response belongs to this request and is complete enough to confirm success. Sets the outcome of
    /// each element of a bulk response.
    ///
    /// # Errors
    /// [`Unconfirmed`] if the response does not confirm success.
    fn confirm(
        _output: &mut Self::Output,
        _expected: &ResponseExpectation,
        _warnings: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        Ok(())
    }

    /// The ids that the provider created for this request.
    fn ids(_output: &Self::Output) -> Vec<&str> {
        Vec::new()
    }

    /// The id that names the whole request: that of the bulk message, or the only id of [`Operation::ids`].
    fn id(output: &Self::Output) -> Option<&str> {
        let mut ids = Self::ids(output).into_iter().filter(|id| !id.is_empty());
        let first = ids.next()?;
        ids.next().is_none().then_some(first)
    }

    /// Decodes a received request on a server: the reverse of [`Operation::encode_request`]. The result is JSON for
    /// `serde_json::from_str` and [`crate::OperationId::validate_json`].
    ///
    /// Members of path, query and headers are added to those of the body. A string that must contain a JSON array becomes the
    /// array, and names of the provider become names of this library. Undocumented members are kept. Types are not checked.
    ///
    /// # Errors
    /// When the body is not UTF-8, when members must be added or converted and the body is not a JSON object, or when a string that
    /// must contain a JSON array does not.
    fn decode_request<'a>(request: &IncomingRequest<'a>) -> Result<Cow<'a, str>, RequestDecodeError> {
        request.decode(&Self::META)
    }

    /// The reconciliation that finds out after an unknown outcome whether the request was processed; `None` if there is none.
    fn reconcile(&self, _context: &RequestContext) -> Option<Box<dyn Reconcile>> {
        None
    }
}

impl Meta {
    /// The properties of an operation.
    #[must_use]
    pub const fn of<O: Operation>() -> Self {
        Self {
            id: O::ID,
            family: O::FAMILY,
            method: O::METHOD,
            path: O::PATH,
            safety: O::SAFETY,
            success_marker: O::SUCCESS_MARKER,
            section: O::SECTION,
            recipients: O::SCHEMA.recipients(),
            sms_text: O::SMS_TEXT,
            has_reference: O::REFERENCE.is_some(),
            statuses: O::STATUSES,
            input: O::SCHEMA,
            output: <O::Output as HasKind>::KIND,
        }
    }
}
