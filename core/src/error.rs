//! The error of a call that was not accepted: its record has the same members in every language.

mod effect;
mod record_json;

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::newtypes::RequestId;
use crate::printable::{MAX_MESSAGE, MAX_NAME, printable};
use crate::problem::Problem;
use crate::util::named_enum;

pub(crate) use effect::CallFacts;
use effect::Facts;

named_enum! {
    /// The outcome of a call that was not accepted. The set is closed; an accepted call returns its response.
    pub enum Outcome {
        /// The request or the configuration is invalid; nothing was sent.
        Invalid = "invalid",
        /// The provider rejected the request.
        Rejected = "rejected",
        /// Proof that no byte of the request was processed.
        NotSent = "not_sent",
        /// The request may have been processed. A send is then not retried unless the caller opts in.
        Unknown = "unknown",
        /// The request was accepted, but the response with its id was lost or incomplete.
        AcceptedIdUnknown = "accepted_id_unknown",
    }
}

named_enum! {
    /// Whether the request reached the provider.
    pub enum SentState {
        /// No: there is proof.
        No = "no",
        /// Unknown.
        Maybe = "maybe",
        /// Yes.
        Yes = "yes",
    }
}

named_enum! {
    /// Whether a request took effect at the provider.
    pub enum Processed {
        /// No: there is proof.
        No = "no",
        /// Unknown.
        Maybe = "maybe",
        /// Yes.
        Yes = "yes",
    }
}

named_enum! {
    /// Why a call failed.
    #[non_exhaustive]
    pub enum Reason {
        /// The request is invalid.
        Validation = "validation",
        /// The configuration is incomplete or invalid.
        Config = "config",
        /// The host name could not be resolved.
        Dns = "dns",
        /// The connection could not be made.
        Connect = "connect",
        /// The TLS handshake failed.
        Tls = "tls",
        /// The proxy could not be reached, requires other credentials, or opened no tunnel to the provider.
        Proxy = "proxy",
        /// One attempt exceeded its time limit.
        Timeout = "timeout",
        /// The call exceeded its deadline.
        Deadline = "deadline",
        /// The connection was reset or closed.
        Reset = "reset",
        /// The HTTP status or the body is a rejection, or does not show whether the request was processed.
        Http = "http",
        /// The response is not valid.
        Decode = "decode",
        /// The caller cancelled the call.
        Cancelled = "cancelled",
        /// The response belongs to another request, or has an id of another call.
        Mismatch = "mismatch",
        /// The response exceeds `max_response_bytes`, has too many values, or has too large a head.
        TooLarge = "too_large",
        /// No async runtime is running, it has no timers or no I/O, or it is shutting down.
        Runtime = "runtime",
        /// The process has run out of file descriptors or another resource.
        Resources = "resources",
        /// The passcode is wrong, expired, cancelled or already used, or no passcode has this id and service: the rejection of a typed
        /// `otp.verify`; `code` shows which.
        NotVerified = "not_verified",
        _ =>
        /// The reason of a stored record that this version of the library does not know; [`Record::reason_name`] returns its name.
        Other = "other",
    }
}

/// What a reason says about every call. A new reason does not compile without its answers.
impl Reason {
    /// Whether a transport of the program may report it: what can happen to one attempt on the network. The library alone finds the
    /// others.
    pub(crate) const fn is_transport_failure(self) -> bool {
        match self {
            Self::Dns
            | Self::Connect
            | Self::Tls
            | Self::Proxy
            | Self::Timeout
            | Self::Reset
            | Self::Decode
            | Self::Resources => true,
            Self::Validation
            | Self::Config
            | Self::Deadline
            | Self::Http
            | Self::Cancelled
            | Self::Mismatch
            | Self::TooLarge
            | Self::Runtime
            | Self::NotVerified
            | Self::Other => false,
        }
    }

    /// Whether the message of a request that was not sent names no host, because the cause is in this process. The message of a failed
    /// validation or of a cancellation never has a place.
    #[cfg_attr(not(feature = "call"), allow(dead_code, reason = "the client uses it"))]
    pub(crate) const fn is_local(self) -> bool {
        match self {
            Self::Config | Self::Runtime | Self::Resources => true,
            Self::Validation
            | Self::Dns
            | Self::Connect
            | Self::Tls
            | Self::Proxy
            | Self::Timeout
            | Self::Deadline
            | Self::Reset
            | Self::Http
            | Self::Decode
            | Self::Cancelled
            | Self::Mismatch
            | Self::TooLarge
            | Self::NotVerified
            | Self::Other => false,
        }
    }

    /// Whether a call that was not sent fails again until the program changes. What is invalid never becomes "not sent", unless a
    /// transport of the program says so.
    pub(crate) const fn is_permanent(self) -> bool {
        match self {
            Self::Runtime => true,
            Self::Validation
            | Self::Config
            | Self::Dns
            | Self::Connect
            | Self::Tls
            | Self::Proxy
            | Self::Timeout
            | Self::Deadline
            | Self::Reset
            | Self::Http
            | Self::Decode
            | Self::Cancelled
            | Self::Mismatch
            | Self::TooLarge
            | Self::Resources
            | Self::NotVerified
            | Self::Other => false,
        }
    }
}

/// The error record. As JSON it also has the members `processed` and `retryable`, from [`Record::processed`] and
/// [`Record::retryable`].
///
/// A stored record is read by serde and written as the same bytes. Names that this version of the library does not know are kept: those of
/// operations, of codes and their meanings, of fixes, and of reasons ([`Reason::Other`]). The names of an outcome, of `sent`, of `processed`
/// and of a severity are closed: another one is an error. So are `processed` and `retryable` that no call with the outcome, the status and
/// the code of the record has, such as `"no"` after an unknown outcome. Unknown members are ignored. The error of serde_json may quote a value.
///
/// ```
/// use cpaas::error::{Reason, Record};
///
/// let stored = r#"{"outcome":"rejected","sent":"yes","reason":"quota","operation":"sms.send","message":"rejected",
///     "processed":"no","retryable":false,"attempts":1}"#;
/// let record: Record = serde_json::from_str(stored)?;
/// match &*record.operation {
///     "sms.send" => assert_eq!((record.reason, record.reason_name()), (Reason::Other, "quota")),
///     _ => unreachable!(),
/// }
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Record {
    /// The outcome.
    pub outcome: Outcome,
    /// Whether the request reached the provider. A rejection reached it; see [`Record::processed`] for whether it took effect.
    pub sent: SentState,
    /// Why the call failed.
    pub reason: Reason,
    /// The name of the operation; empty for an invalid configuration.
    pub operation: Cow<'static, str>,
    /// A message: the cause, whether the request was sent, and advice.
    pub message: String,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The provider's own code.
    pub code: Option<i64>,
    /// The provider's code in words, if it is in the table of codes.
    pub code_meaning: Option<Cow<'static, str>>,
    /// The provider's own message. It may quote the request, so `Display` and `Debug` omit it; keys of the client,
    /// passcodes and tokens of bots are `[secret]`.
    pub provider_message: Option<String>,
    /// The provider's id of the request.
    pub request_id: Option<RequestId>,
    /// After an unknown outcome: what was found in the provider's records, if it does not settle the outcome.
    pub evidence: Option<String>,
    /// The wait that the provider requests before a retry, in milliseconds.
    pub retry_after_ms: Option<u64>,
    /// The number of attempts.
    pub attempts: u32,
    /// The id of the call, the same as in its log lines and in the events of hooks: 32 hexadecimal digits. `None` for an error without a
    /// call.
    pub call_id: Option<String>,
    /// The caller's reference of the request.
    pub reference: Option<String>,
    /// All problems that validation found: errors and warnings for an invalid request, otherwise warnings only.
    pub problems: Vec<Problem>,
    /// The name of a stored reason that is [`Reason::Other`].
    other_reason: Option<Box<str>>,
    /// What `processed` and `retryable` depend on, besides the members above.
    facts: Facts,
}

/// Compares all members, and `processed` and `retryable`, except for the id of the call: two calls that fail alike have equal records.
impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.outcome == other.outcome
            && self.sent == other.sent
            && self.reason_name() == other.reason_name()
            && self.operation == other.operation
            && self.message == other.message
            && self.status == other.status
            && self.code == other.code
            && self.code_meaning == other.code_meaning
            && self.provider_message == other.provider_message
            && self.request_id == other.request_id
            && self.evidence == other.evidence
            && self.retry_after_ms == other.retry_after_ms
            && self.attempts == other.attempts
            && self.reference == other.reference
            && self.problems == other.problems
            && self.processed() == other.processed()
            && self.retryable() == other.retryable()
    }
}

/// The error of a call that was not accepted. Dereferences to its [`Record`].
///
/// `Display` and `Debug` show nothing of the request. Serializes as its record, the same as [`Error::to_json`]. The size is that of
/// one pointer. `Send` and `Sync`.
///
/// [`std::error::Error::source`] is the error of the transport, down to that of the operating system. It contains no URL, key, text
/// or number. If a store of the program failed, it is the error of the store, with its text. It is not part of `==` and not serialized.
#[derive(Clone)]
pub struct Error(Box<RecordAndSource>);

#[derive(Clone)]
struct RecordAndSource {
    record: Record,
    source: Option<Source>,
}

/// The error that caused another one; shared, so that an error can be cloned.
pub type Source = Arc<dyn StdError + Send + Sync>;

impl Error {
    /// An error with the required members of its record. The message is for a person: see [`printable`]. For an unknown outcome,
    /// `retryable` is false: only the client knows whether the request may be repeated.
    #[must_use]
    pub fn new(
        outcome: Outcome,
        sent: SentState,
        reason: Reason,
        operation: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
    ) -> Self {
        let record = Record {
            outcome,
            sent,
            reason,
            operation: operation.into(),
            message: printable(&message.into(), MAX_MESSAGE).into_owned(),
            status: None,
            code: None,
            code_meaning: None,
            provider_message: None,
            request_id: None,
            evidence: None,
            retry_after_ms: None,
            attempts: 0,
            call_id: None,
            reference: None,
            problems: Vec::new(),
            other_reason: None,
            facts: Facts::default(),
        };
        Self::from_record(record)
    }

    /// The error with this record, for example a stored one.
    #[must_use]
    pub fn from_record(record: Record) -> Self {
        Self(Box::new(RecordAndSource { record, source: None }))
    }

    /// The error of an invalid request.
    #[must_use]
    pub fn invalid(operation: impl Into<Cow<'static, str>>, problems: Vec<Problem>) -> Self {
        let cause = Problem::causes(&problems).unwrap_or_else(|| "the request is invalid".to_owned());
        let message = format!("nothing was sent: {cause}");
        let mut error = Self::new(Outcome::Invalid, SentState::No, Reason::Validation, operation, message);
        error.0.record.problems = problems;
        error
    }

    /// The error of an invalid configuration.
    #[must_use]
    pub fn config(message: impl Into<String>) -> Self {
        Self::new(Outcome::Invalid, SentState::No, Reason::Config, "", message)
    }

    /// The record.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.0.record
    }

    /// The record, mutable. `processed` and `retryable` follow from its members and cannot be set.
    pub fn record_mut(&mut self) -> &mut Record {
        &mut self.0.record
    }

    /// Sets the error that caused this one, see [`std::error::Error::source`]. Its text must show nothing of the request.
    #[must_use]
    pub fn caused_by(mut self, source: Option<Source>) -> Self {
        self.0.source = source;
        self
    }

    /// Sets the caller's reference.
    #[must_use]
    pub fn with_reference(mut self, reference: Option<String>) -> Self {
        self.0.record.reference = reference;
        self
    }

    /// Sets the number of attempts.
    #[must_use]
    pub fn with_attempts(mut self, attempts: u32) -> Self {
        self.0.record.attempts = attempts;
        self
    }

    /// The record as JSON; the same bytes in every language.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl std::ops::Deref for Error {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.0.record
    }
}

impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        self.0.record == other.0.record
    }
}

/// Reads a stored record, see [`Record`].
impl<'de> Deserialize<'de> for Error {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Record::deserialize(deserializer).map(Self::from_record)
    }
}

impl Serialize for Error {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.record.serialize(serializer)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.operation.is_empty() {
            f.write_str(&self.printable_message())
        } else {
            write!(f, "{}: {}", printable(&self.operation, MAX_NAME), self.printable_message())
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.debug("Error", f)
    }
}

/// `Debug` omits ids, the reference and the provider's message.
impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.debug("Record", f)
    }
}

impl Record {
    /// The name of the reason: that of [`Record::reason`], or the stored name of a reason that this version of the library does not know.
    #[must_use]
    pub fn reason_name(&self) -> &str {
        match (self.reason, &self.other_reason) {
            (Reason::Other, Some(name)) => name,
            (reason, _) => reason.as_str(),
        }
    }

    /// The message of a stored record may have been changed.
    fn printable_message(&self) -> Cow<'_, str> {
        printable(&self.message, MAX_MESSAGE)
    }

    #[cfg_attr(not(feature = "call"), allow(dead_code, reason = "the client uses it"))]
    pub(crate) fn call_facts(&self) -> CallFacts {
        match self.facts {
            Facts::OfCall(facts) => facts,
            Facts::Stored { .. } => CallFacts::default(),
        }
    }

    #[cfg_attr(not(feature = "call"), allow(dead_code, reason = "the client uses it"))]
    pub(crate) const fn set_facts(&mut self, facts: CallFacts) {
        self.facts = Facts::OfCall(facts);
    }

    fn debug(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(name)
            .field("outcome", &self.outcome)
            .field("sent", &self.sent)
            .field("processed", &self.processed())
            .field("retryable", &self.retryable())
            .field("reason", &self.reason)
            .field("operation", &printable(&self.operation, MAX_NAME))
            .field("message", &self.printable_message())
            .field("status", &self.status)
            .field("code", &self.code)
            .field("attempts", &self.attempts)
            .field("call_id", &self.call_id)
            .field("problems", &self.problems)
            .finish_non_exhaustive()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}
