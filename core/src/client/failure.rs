use super::transport::TransportError;
use crate::error::{Error, Outcome, Sent};
use crate::http::HttpRequest;
use crate::operation::Family;

/// Makes an error record of a fault of the transport.
pub(crate) fn explain(request: &HttpRequest, fault: &TransportError) -> Error {
    let success = fault.partial.as_ref().is_some_and(|head| (200..300).contains(&head.status));
    let (outcome, message) = match fault.sent {
        Sent::No => (Outcome::NotSent, "not sent: the provider was not reached; it is safe to try again"),
        _ if success && request.family == Family::Messaging => (
            Outcome::AcceptedIdUnknown,
            "accepted, but the answer was lost on the way back; the id is unknown: do not send again",
        ),
        _ => (
            Outcome::Unknown,
            "the request may have been processed, the answer was lost; ask for its delivery report before sending again",
        ),
    };
    let sent = if outcome == Outcome::AcceptedIdUnknown { Sent::Yes } else { fault.sent };
    let mut error = Error::new(outcome, sent, fault.reason, request.operation, message);
    error.record_mut().status = fault.partial.as_ref().map(|head| head.status);
    error
}
