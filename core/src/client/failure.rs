//! What a fault of the transport means.

use super::retry::Failure;
use super::transport::TransportError;
use super::verdict::{Failed, Read, Subject};
use crate::error::{Error, Outcome, Reason, SentState};

impl Subject {
    /// Makes an error record of a fault. `last` says that no time was left beyond this attempt.
    pub(crate) fn fault(&self, fault: TransportError, elsewhere: bool, last: bool) -> Box<Failed> {
        let reason = match fault.reason {
            Reason::Timeout if last => Reason::Deadline,
            reason => reason,
        };
        if let (Some(partial), SentState::Maybe | SentState::Yes) = (&fault.partial, fault.sent)
            && let Err(failed) = self.judge(partial, Read::Cut(reason))
        {
            return failed;
        }
        let (outcome, sent, failure) = match fault.sent {
            SentState::No if reason == Reason::Config => (Outcome::Invalid, SentState::No, Failure::Final),
            // No other attempt can be better off, and nothing is there to wait with.
            SentState::No if reason == Reason::Runtime => (Outcome::NotSent, SentState::No, Failure::Final),
            SentState::No => (Outcome::NotSent, SentState::No, Failure::NotSent { elsewhere }),
            SentState::Maybe | SentState::Yes => (Outcome::Unknown, SentState::Maybe, Failure::Unknown),
        };
        let error = Error::new(outcome, sent, reason, self.operation, message(reason, sent));
        Box::new(Failed { error, failure, retry_after: None })
    }
}

fn message(reason: Reason, sent: SentState) -> String {
    let what = match reason {
        Reason::Dns => "the provider's host name was not resolved",
        Reason::Connect => "the provider was not reached",
        Reason::Tls => "the TLS handshake failed: check the trust roots (`ca_bundle`) and the clock",
        Reason::Proxy => "the proxy refused: check `proxy`",
        Reason::Timeout => "the attempt took too long",
        Reason::Deadline => "the deadline of the call passed",
        Reason::Decode => "the answer was no HTTP",
        Reason::TooLarge => "the response is larger than the configuration allows (`max_response_bytes`)",
        Reason::Runtime => "no async runtime is running, or it is shutting down: call inside a tokio runtime",
        Reason::Resources => {
            "the process has run out of file descriptors: raise its limit or lower `max_connections`"
        }
        Reason::Config => "the request cannot be made: check the configured address and keys",
        _ => "the connection was lost",
    };
    match sent {
        SentState::No => format!("not sent: {what}; it is safe to try again"),
        _ => format!(
            "{what} after the request was written, so it may have been processed; look for its effect before sending again"
        ),
    }
}
