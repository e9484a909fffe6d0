//! The log lines of calls. They contain no message text, phone number, code or key.

use std::borrow::Cow;
use std::time::Duration;

use super::call_environment::CallEnvironment;
use super::hooks::{CallEnd, Event};
use crate::error::{Error, Outcome, Reason};
use crate::printable::{MAX_NAME, printable};
use crate::problem::Severity;
use crate::text::msisdn::MIN_DIGITS;

/// A reference for a log line; `None` if a phone number may be in it. A hash in its place could be reversed, because there are few
/// phone numbers. The id of the call identifies the call in its place.
pub(crate) fn shown_reference(reference: &str) -> Option<Cow<'_, str>> {
    let mut digits = 0;
    for character in reference.chars() {
        if character.is_numeric() {
            digits += 1;
        } else if character.is_alphabetic() {
            digits = 0;
        }
        if digits == MIN_DIGITS {
            return None;
        }
    }
    Some(printable(reference, MAX_NAME))
}

/// Logs the end of a call. An unknown outcome is a warning, because the caller must find out whether the request was processed.
pub(crate) fn call_ended(event: &Event<'_>, error: Option<&Error>) {
    let (call_id, operation, attempts) = (event.call_id, event.operation, event.attempts);
    let reference = event.reference.and_then(shown_reference);
    let reference = reference.as_deref();
    let (ending, sent) = (event.ending.as_str(), event.sent.as_str());
    let (reason, status) = (event.reason.map(Reason::as_str), event.status);
    let code = error.and_then(|error| error.code);
    let mut problems = error.iter().flat_map(|error| &error.problems);
    let problem = problems.find(|problem| problem.severity == Severity::Error);
    let problem = problem.map(|problem| &*problem.code);
    let elapsed_ms = u64::try_from(event.elapsed.as_millis()).ok();
    match event.ending {
        CallEnd::Failed(Outcome::Unknown | Outcome::AcceptedIdUnknown) => {
            tracing::warn!(
                call_id,
                operation,
                reference,
                ending,
                sent,
                attempts,
                reason,
                status,
                code,
                problem,
                elapsed_ms,
                "call ended"
            );
        }
        CallEnd::Failed(_) => {
            tracing::info!(
                call_id,
                operation,
                reference,
                ending,
                sent,
                attempts,
                reason,
                status,
                code,
                problem,
                elapsed_ms,
                "call ended"
            );
        }
        CallEnd::Accepted | CallEnd::NotVerified | CallEnd::Abandoned => {
            tracing::debug!(
                call_id,
                operation,
                reference,
                ending,
                sent,
                attempts,
                reason,
                status,
                code,
                elapsed_ms,
                "call ended"
            );
        }
    }
}

impl CallEnvironment {
    /// Logs and reports a call that was refused before its first request; returns its error with the id of the call.
    pub(crate) fn invalid(&self, mut error: Error) -> Error {
        let call_id = self.call_id();
        let event = Event {
            call_id: &call_id,
            // Always borrowed: only the name of a stored record is owned.
            operation: if let Cow::Borrowed(name) = error.operation { name } else { "" },
            reference: error.reference.as_deref(),
            ending: CallEnd::Failed(error.outcome),
            sent: error.sent,
            reason: Some(error.reason),
            status: None,
            attempts: 0,
            elapsed: Duration::ZERO,
            facts: error.call_facts(),
        };
        call_ended(&event, Some(&error));
        self.hooks().report(&event);
        error.record_mut().call_id = Some(call_id);
        error
    }
}

#[cfg(test)]
mod tests {
    use super::shown_reference;

    #[test]
    fn a_reference_that_may_contain_a_phone_number_is_not_shown() {
        for shown in ["booking-7", "a 123456 b", "A1B2C3D4E5F6G7H8", "", "2024-12"] {
            assert_eq!(shown_reference(shown).as_deref(), Some(shown));
        }
        for hidden in ["306912345678", "to:+30 691 234 5678!", "1234567", "(0)30-1234-56", "x٣٠٦٩١٢٣٤y"]
        {
            assert_eq!(shown_reference(hidden), None, "{hidden}");
        }
    }
}
