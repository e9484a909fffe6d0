//! The limits and options of a call: time limits, the number of attempts, retries and validation.

use std::borrow::Cow;
use std::time::Duration;

use crate::config::{Config, Validation, out_of_range};
use crate::error::Error;

/// The limits of a client's calls; all are finite.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallLimits {
    pub(crate) attempt: Duration,
    pub(crate) deadline: Duration,
    pub(crate) attempts: u32,
    pub(crate) retry_unknown: bool,
    pub(crate) strict_rejections: bool,
    pub(crate) accept_repeated_ids: bool,
    pub(crate) send_traceparent: bool,
}

impl CallLimits {
    pub(crate) fn new(config: &Config) -> Result<Self, Error> {
        // A custom transport ignores these two members, but an invalid value is still an error.
        count("max_connections", config.max_connections, 1)?;
        max_response_bytes(config)?;
        Ok(Self {
            attempt: time_limit("timeout", config.timeout, 20)?,
            deadline: time_limit("deadline", config.deadline, 60)?,
            attempts: count("max_attempts", config.max_attempts, 3)?,
            retry_unknown: config.retry_unknown.unwrap_or_default(),
            strict_rejections: config.strict_rejections.unwrap_or_default(),
            accept_repeated_ids: config.accept_repeated_ids.unwrap_or_default(),
            send_traceparent: config.send_traceparent.unwrap_or_default(),
        })
    }

    /// Refuses a zero of [`CallOptions`], as [`CallLimits::new`] refuses that of a configuration.
    pub(crate) fn check(&self, operation: &'static str) -> Result<(), Error> {
        let limits = [
            ("timeout", self.attempt.is_zero()),
            ("deadline", self.deadline.is_zero()),
            ("max_attempts", self.attempts == 0),
        ];
        let Some((name, _)) = limits.into_iter().find(|(_, is_zero)| *is_zero) else { return Ok(()) };
        let mut error = out_of_range(name);
        let record = error.record_mut();
        record.operation = Cow::Borrowed(operation);
        record.message.insert_str(0, "nothing was sent: ");
        Err(error)
    }

    pub(crate) fn with(mut self, options: &CallOptions) -> Self {
        self.attempt = options.timeout.unwrap_or(self.attempt);
        self.deadline = options.deadline.unwrap_or(self.deadline);
        self.attempts = options.max_attempts.unwrap_or(self.attempts);
        self.retry_unknown = options.retry_unknown.unwrap_or(self.retry_unknown);
        self
    }
}

/// A time limit from the configuration; the default is in seconds.
pub(crate) fn time_limit(name: &str, value: Option<Duration>, default: u64) -> Result<Duration, Error> {
    let limit = value.unwrap_or(Duration::from_secs(default));
    if limit.is_zero() { Err(out_of_range(name)) } else { Ok(limit) }
}

/// A positive integer from the configuration.
pub(crate) fn count<T: PartialEq + Default>(name: &str, value: Option<T>, default: T) -> Result<T, Error> {
    let count = value.unwrap_or(default);
    if count == T::default() { Err(out_of_range(name)) } else { Ok(count) }
}

/// The maximum size of the body of a response.
pub(crate) fn max_response_bytes(config: &Config) -> Result<usize, Error> {
    count("max_response_bytes", config.max_response_bytes, 8 << 20)
}

/// Options that replace those of the client, for one call or several; see [`super::Client::with`].
#[derive(Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct CallOptions {
    pub(crate) timeout: Option<Duration>,
    pub(crate) deadline: Option<Duration>,
    pub(crate) max_attempts: Option<u32>,
    pub(crate) retry_unknown: Option<bool>,
    pub(crate) validation: Option<Validation>,
    pub(crate) keeps_recipients: bool,
    pub(crate) finds_passcodes: bool,
    pub(crate) headers: Vec<(String, String)>,
}

impl CallOptions {
    /// Options that change nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The time limit of one attempt. A call with a limit of zero is invalid; nothing is sent.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// As [`timeout`](Self::timeout) for an optional value; `None` keeps the value of the client.
    #[must_use]
    pub const fn maybe_timeout(mut self, timeout: Option<Duration>) -> Self {
        self.timeout = timeout;
        self
    }

    /// The time limit of the whole call: all attempts, waits and lookups in the provider's records. A call with a limit of zero is
    /// invalid; nothing is sent.
    #[must_use]
    pub const fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// As [`deadline`](Self::deadline) for an optional value; `None` keeps the value of the client.
    #[must_use]
    pub const fn maybe_deadline(mut self, deadline: Option<Duration>) -> Self {
        self.deadline = deadline;
        self
    }

    /// The maximum number of attempts. A call with 0 is invalid; nothing is sent.
    #[must_use]
    pub const fn max_attempts(mut self, attempts: u32) -> Self {
        self.max_attempts = Some(attempts);
        self
    }

    /// As [`max_attempts`](Self::max_attempts) for an optional value; `None` keeps the value of the client.
    #[must_use]
    pub const fn maybe_max_attempts(mut self, attempts: Option<u32>) -> Self {
        self.max_attempts = attempts;
        self
    }

    /// Whether to retry after an unknown outcome, which may send a message twice.
    #[must_use]
    pub const fn retry_unknown(mut self, retry: bool) -> Self {
        self.retry_unknown = Some(retry);
        self
    }

    /// As [`retry_unknown`](Self::retry_unknown) for an optional value; `None` keeps the value of the client.
    #[must_use]
    pub const fn maybe_retry_unknown(mut self, retry: Option<bool>) -> Self {
        self.retry_unknown = retry;
        self
    }

    /// How requests are validated before they are sent.
    #[must_use]
    pub const fn validation(mut self, validation: Validation) -> Self {
        self.validation = Some(validation);
        self
    }

    /// As [`validation`](Self::validation) for an optional value; `None` keeps the value of the client.
    #[must_use]
    pub const fn maybe_validation(mut self, validation: Option<Validation>) -> Self {
        self.validation = validation;
        self
    }

    /// Sends recipients as they are, whatever the setting `normalize` is: for requests that are already in the form that is sent,
    /// because a region may read the digits of such a number as another one.
    #[doc(hidden)]
    #[must_use]
    pub const fn keep_recipients(mut self) -> Self {
        self.keeps_recipients = true;
        self
    }

    /// After the response to an `otp.send` was lost, searches the records for the only passcode that was sent since the call began
    /// with the same service, sender and recipient: then the call is accepted, with the warning `response.reconciled`. A record has
    /// no reference, so it may be that of such a call of another process: use it if only this client sends passcodes of the service
    /// to the recipient.
    #[must_use]
    pub const fn find_passcodes(mut self) -> Self {
        self.finds_passcodes = true;
        self
    }

    /// Adds a header to every request of the call. A call with a header that the client sets itself, or that contains
    /// credentials, is invalid.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }
}

/// `Debug` omits the headers.
impl std::fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CallOptions")
            .field("timeout", &self.timeout)
            .field("deadline", &self.deadline)
            .field("max_attempts", &self.max_attempts)
            .field("retry_unknown", &self.retry_unknown)
            .field("validation", &self.validation)
            .field("keeps_recipients", &self.keeps_recipients)
            .field("finds_passcodes", &self.finds_passcodes)
            .finish_non_exhaustive()
    }
}
