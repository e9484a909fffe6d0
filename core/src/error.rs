//! What a call says when it was not accepted: the error record, the same in every language.

use std::fmt;

use serde::Serialize;

use crate::problem::Problem;

/// The closed set of outcomes; `accepted` is the return value and no error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Our own rules refused it; nothing left the machine.
    Invalid,
    /// The provider refused it.
    Rejected,
    /// Proof that no byte of the request was processed.
    NotSent,
    /// It may have been processed; never retried unless the caller opts in.
    Unknown,
    /// A success status was seen and the body lost (family D).
    AcceptedIdUnknown,
}

impl Outcome {
    /// The outcome's name, as in the record.
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

impl SentState {
    /// The word in the record.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Maybe => "maybe",
            Self::Yes => "yes",
        }
    }
}

/// Whether the request reached the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SentState {
    /// It did not.
    No,
    /// Nobody can know.
    Maybe,
    /// It did.
    Yes,
}

/// Why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reason {
    /// The request breaks a rule.
    Validation,
    /// The configuration lacks something or is contradictory.
    Config,
    /// The name of the host was not resolved.
    Dns,
    /// No connection.
    Connect,
    /// The TLS handshake failed.
    Tls,
    /// The proxy refused.
    Proxy,
    /// One attempt took too long.
    Timeout,
    /// All attempts together took too long.
    Deadline,
    /// The connection was reset or closed.
    Reset,
    /// The provider answered with a refusal.
    Http,
    /// The answer cannot be read.
    Decode,
    /// The caller gave up.
    Cancelled,
    /// The response names another request, or an id that belongs to another call.
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
    /// Which of the closed set.
    pub outcome: Outcome,
    /// Whether the request reached the provider.
    pub sent: SentState,
    /// Why.
    pub reason: Reason,
    /// The operation's name; empty for an error of configuration.
    pub operation: &'static str,
    /// What happened, whether something was sent, and what to do.
    pub message: String,
    /// The HTTP status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The provider's own code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<i64>,
    /// What the provider says; it may hold what was sent and stands in no log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_message: Option<String>,
    /// The provider's id of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// What the provider's records show after an unknown outcome, when they prove nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// When the provider wants to be asked again, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// How often the request was attempted.
    pub attempts: u32,
    /// The caller's own tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Everything that validation found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
}

/// A call that was not accepted. One pointer wide; `Display` and `Debug` show no input.
#[derive(Clone, PartialEq)]
pub struct Error(Box<Record>);

impl Error {
    /// An error from its record.
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
            provider_message: None,
            request_id: None,
            evidence: None,
            retry_after_ms: None,
            attempts: 0,
            reference: None,
            problems: Vec::new(),
        }))
    }

    /// A request that breaks rules.
    #[must_use]
    pub fn invalid(operation: &'static str, problems: Vec<Problem>) -> Self {
        let mut errors = problems.iter().filter(|problem| problem.is_error());
        let message = match (errors.next(), errors.count()) {
            (Some(first), 0) => format!("nothing was sent: {first}"),
            (Some(first), more) => format!("nothing was sent: {first}, and {more} more"),
            (None, _) => "nothing was sent: the request is invalid".to_owned(),
        };
        let mut error = Self::new(Outcome::Invalid, SentState::No, Reason::Validation, operation, message);
        error.0.problems = problems;
        error
    }

    /// A configuration that lacks something.
    #[must_use]
    pub fn config(message: impl Into<String>) -> Self {
        Self::new(Outcome::Invalid, SentState::No, Reason::Config, "", message)
    }

    /// The record.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.0
    }

    /// The record, to change.
    pub fn record_mut(&mut self) -> &mut Record {
        &mut self.0
    }

    /// Adds the caller's own tag.
    #[must_use]
    pub fn with_reference(mut self, reference: Option<String>) -> Self {
        self.0.reference = reference;
        self
    }

    /// Sets how often the request was attempted.
    #[must_use]
    pub fn with_attempts(mut self, attempts: u32) -> Self {
        self.0.attempts = attempts;
        self
    }

    /// The record as JSON, the same bytes in every language.
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
