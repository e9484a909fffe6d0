//! The error of a call that was not accepted: its record has the same members in every language.

use std::fmt;

use serde::Serialize;

use crate::problem::Problem;

/// The outcome of a call that was not accepted. The set is closed; an accepted call returns its response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The request or the configuration is invalid; nothing was sent.
    Invalid,
    /// The provider rejected the request.
    Rejected,
    /// Proof that no byte of the request was processed.
    NotSent,
    /// The request may have been processed. A send is then not retried unless the caller opts in.
    Unknown,
    /// The request was accepted, but the response with its id was lost or incomplete.
    AcceptedIdUnknown,
}

impl Outcome {
    /// The name of the outcome in the record.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Rejected => "rejected",
            Self::NotSent => "not_sent",
            Self::Unknown => "unknown",
            Self::AcceptedIdUnknown => "accepted_id_unknown",
        }
    }
}

/// Whether the request reached the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SentState {
    /// No: there is proof.
    No,
    /// Unknown.
    Maybe,
    /// Yes.
    Yes,
}

impl SentState {
    /// The name in the record.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Maybe => "maybe",
            Self::Yes => "yes",
        }
    }
}

/// Why a call failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reason {
    /// The request is invalid.
    Validation,
    /// The configuration is incomplete or invalid.
    Config,
    /// The host name could not be resolved.
    Dns,
    /// The connection could not be made.
    Connect,
    /// The TLS handshake failed.
    Tls,
    /// The proxy could not be reached, requires other credentials, or opened no tunnel to the provider.
    Proxy,
    /// One attempt exceeded its time limit.
    Timeout,
    /// The call exceeded its deadline.
    Deadline,
    /// The connection was reset or closed.
    Reset,
    /// The HTTP status or the body is a rejection, or does not show whether the request was processed.
    Http,
    /// The response is not valid.
    Decode,
    /// The caller cancelled the call.
    Cancelled,
    /// The response belongs to another request, or has an id of another call.
    Mismatch,
    /// The response is larger than `max_response_bytes`.
    TooLarge,
    /// No async runtime is running, or it is shutting down.
    Runtime,
    /// The process has run out of file descriptors or another resource.
    Resources,
}

/// The error record.
#[derive(Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Record {
    /// The outcome.
    pub outcome: Outcome,
    /// Whether the request reached the provider.
    pub sent: SentState,
    /// Why the call failed.
    pub reason: Reason,
    /// The name of the operation; empty for an invalid configuration.
    pub operation: &'static str,
    /// A message: the cause, whether the request was sent, and advice.
    pub message: String,
    /// The HTTP status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The provider's own code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<i64>,
    /// The provider's code in words, if it is in the table of codes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code_meaning: Option<&'static str>,
    /// The provider's own message. It may quote the request, so `Display` and `Debug` omit it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_message: Option<String>,
    /// The provider's id of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// After an unknown outcome: what was found in the provider's records, if it does not settle the outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The wait that the provider requests before a retry, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// The number of attempts.
    pub attempts: u32,
    /// The caller's reference of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// All problems that validation found: errors and warnings for an invalid request, otherwise warnings only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
}

/// The error of a call that was not accepted. Dereferences to its [`Record`].
///
/// `Display` and `Debug` show nothing of the request. The size is that of one pointer. `Send` and `Sync`.
#[derive(Clone, PartialEq)]
pub struct Error(Box<Record>);

impl Error {
    /// An error with the required members of its record.
    #[must_use]
    pub fn new(
        outcome: Outcome,
        sent: SentState,
        reason: Reason,
        operation: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self(Box::new(Record {
            outcome,
            sent,
            reason,
            operation,
            message: message.into(),
            status: None,
            code: None,
            code_meaning: None,
            provider_message: None,
            request_id: None,
            evidence: None,
            retry_after_ms: None,
            attempts: 0,
            reference: None,
            problems: Vec::new(),
        }))
    }

    /// The error of an invalid request.
    #[must_use]
    pub fn invalid(operation: &'static str, problems: Vec<Problem>) -> Self {
        let has_errors = problems.iter().any(Problem::is_error);
        let mut causes = problems.iter().filter(|problem| problem.is_error() == has_errors);
        let message = match (causes.next(), causes.count()) {
            (Some(first), 0) => format!("nothing was sent: {first}"),
            (Some(first), more) => format!("nothing was sent: {first}, and {more} more"),
            (None, _) => "nothing was sent: the request is invalid".to_owned(),
        };
        let mut error = Self::new(Outcome::Invalid, SentState::No, Reason::Validation, operation, message);
        error.0.problems = problems;
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
        &self.0
    }

    /// The record, mutable.
    pub fn record_mut(&mut self) -> &mut Record {
        &mut self.0
    }

    /// Sets the caller's reference.
    #[must_use]
    pub fn with_reference(mut self, reference: Option<String>) -> Self {
        self.0.reference = reference;
        self
    }

    /// Sets the number of attempts.
    #[must_use]
    pub fn with_attempts(mut self, attempts: u32) -> Self {
        self.0.attempts = attempts;
        self
    }

    /// The record as JSON; the same bytes in every language.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(&self.0).unwrap_or_default()
    }
}

impl std::ops::Deref for Error {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.operation.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.operation, self.message)
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("outcome", &self.outcome)
            .field("sent", &self.sent)
            .field("reason", &self.reason)
            .field("operation", &self.operation)
            .field("message", &self.message)
            .field("status", &self.status)
            .field("code", &self.code)
            .field("attempts", &self.attempts)
            .field("problems", &self.problems)
            .finish_non_exhaustive()
    }
}

impl std::error::Error for Error {}
