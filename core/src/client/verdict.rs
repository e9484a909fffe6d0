//! What an answer means: the body decides in families A and B and for the webhook calls, each
//! element stands for itself in family C, the HTTP status decides in family D.

use std::time::{Duration, SystemTime};

use super::retry::Failure;
use super::scan::{Seen, looks_like_json, scan};
use crate::clock::retry_after;
use crate::error::{Error, Outcome, Reason, Sent};
use crate::http::HttpResponse;
use crate::operation::{Family, Meta, Safety};
use crate::shape::Kind;

/// What a call is about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject {
    pub(crate) operation: &'static str,
    pub(crate) family: Family,
    pub(crate) safety: Safety,
    /// The kind of its answer; none for a call that the specification does not show.
    pub(crate) output: Option<Kind>,
}

/// How far an answer was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Read {
    /// It is of its shape, and the shape alone proves success.
    Proven,
    /// It is of its shape.
    Shaped,
    /// It is not of its shape.
    Unreadable,
    /// It ended too early.
    Cut(Reason),
}

/// Why an attempt did not succeed, for the caller and for the strategy.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) error: Error,
    pub(crate) failure: Failure,
}

impl Subject {
    pub(crate) const fn of(meta: &Meta) -> Self {
        Self { operation: meta.id, family: meta.family, safety: meta.safety, output: Some(meta.output) }
    }

    /// Judges an answer.
    pub(crate) fn judge(&self, response: &HttpResponse, read: Read) -> Result<(), Box<Failed>> {
        let success = success(response.status);
        if success && read == Read::Proven {
            return Ok(());
        }
        let seen = scan(&response.body);
        if self.is_answer_of_verify(response.status, &seen, read) {
            return Ok(());
        }
        let verdict = self.verdict(response, &seen, read);
        match verdict {
            Verdict::Accepted => Ok(()),
            other => Err(Box::new(self.explain(other, response, seen))),
        }
    }

    fn verdict(&self, response: &HttpResponse, seen: &Seen, read: Read) -> Verdict {
        let status = response.status;
        let wish = response.header("retry-after").and_then(|value| retry_after(value, SystemTime::now()));
        let code = self.code(seen);
        if status == 429 || self.family == Family::Otp && code == Some(429) || status == 503 && wish.is_some()
        {
            return Verdict::Throttled(wish);
        }
        if self.refused(seen) {
            return match read {
                // A cut answer of verify may have been a plain "wrong code".
                Read::Cut(reason) if self.safety == Safety::Verify && !is_fault(code) => {
                    Verdict::Unknown(reason)
                }
                _ => Verdict::Refused,
            };
        }
        match status {
            200..=299 => self.success(response, seen, read),
            501 | 300..=407 | 409..=499 => Verdict::Refused,
            _ => Verdict::Unknown(Reason::Http),
        }
    }

    fn success(&self, response: &HttpResponse, seen: &Seen, read: Read) -> Verdict {
        let reason = match read {
            Read::Proven | Read::Shaped if seen.known && self.is_stated(seen) => return Verdict::Accepted,
            Read::Cut(reason) => reason,
            _ => Reason::Decode,
        };
        let decided = match self.family {
            Family::Messaging => response.body.is_empty() || looks_like_json(&response.body),
            _ => !matches!(self.safety, Safety::Read | Safety::Lookup) && self.succeeded(seen),
        };
        if decided { Verdict::IdLost(reason) } else { Verdict::Unknown(reason) }
    }

    /// Whether the answer says what it must say to be a success.
    fn is_stated(&self, seen: &Seen) -> bool {
        let Some(output) = self.output else { return true };
        match self.family {
            Family::Otp => self.safety == Safety::Read || self.succeeded(seen),
            Family::Sms => self.succeeded(seen) || !requires(output, "responseCode"),
            Family::MessengerB => self.succeeded(seen),
            Family::Messaging => seen.id,
            Family::Lookup => !seen.object || seen.response_code.is_some(),
            Family::Bot => true,
        }
    }

    /// Whether the member that decides says yes.
    fn succeeded(&self, seen: &Seen) -> bool {
        match self.family {
            Family::Otp => seen.code == Some(200),
            Family::Sms => seen.response_code == Some(0),
            Family::MessengerB => seen.status == Some(0),
            Family::Bot => seen.ok == Some(true),
            Family::Lookup | Family::Messaging => false,
        }
    }

    /// Whether the member that decides says no.
    fn refused(&self, seen: &Seen) -> bool {
        match self.family {
            Family::Otp => seen.code.is_some_and(|code| code != 200),
            Family::Sms => seen.response_code.is_some_and(|code| code != 0),
            Family::MessengerB => seen.status.is_some_and(|code| code != 0),
            Family::Bot => seen.ok == Some(false),
            Family::Lookup | Family::Messaging => false,
        }
    }

    fn code(&self, seen: &Seen) -> Option<i64> {
        match self.family {
            Family::Sms | Family::Lookup => seen.response_code,
            Family::MessengerB => seen.status,
            Family::Otp | Family::Messaging | Family::Bot => seen.code,
        }
    }

    /// A wrong code is an answer, not a fault; 401, 403 and 429 are faults.
    fn is_answer_of_verify(&self, status: u16, seen: &Seen, read: Read) -> bool {
        self.safety == Safety::Verify
            && matches!(read, Read::Proven | Read::Shaped)
            && seen.object
            && (seen.message.is_some() || seen.request_id.is_some())
            && !is_fault(Some(i64::from(status)))
            && !is_fault(seen.code)
            && seen.code.is_some_and(|code| code != 200 || success(status))
    }

    fn explain(&self, verdict: Verdict, response: &HttpResponse, seen: Seen) -> Failed {
        let status = response.status;
        let (outcome, sent, reason, failure) = match verdict {
            Verdict::Accepted | Verdict::Refused => {
                (Outcome::Rejected, Sent::Yes, Reason::Http, Failure::Final)
            }
            Verdict::Throttled(wish) => {
                (Outcome::Rejected, Sent::Yes, Reason::Http, Failure::Throttled(wish))
            }
            Verdict::Unknown(reason) => (Outcome::Unknown, Sent::Maybe, reason, Failure::Unknown),
            Verdict::IdLost(reason) => (Outcome::AcceptedIdUnknown, Sent::Yes, reason, Failure::Final),
        };
        let code = self.code(&seen);
        let mut error =
            Error::new(outcome, sent, reason, self.operation, message(verdict, self.family, status, code));
        let record = error.record_mut();
        record.status = Some(status);
        record.code = code;
        record.provider_message = seen.message;
        record.request_id = seen.request_id;
        if let Verdict::Throttled(Some(wish)) = verdict {
            record.retry_after_ms = u64::try_from(wish.as_millis()).ok();
        }
        Failed { error, failure }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Accepted,
    Refused,
    Throttled(Option<Duration>),
    Unknown(Reason),
    IdLost(Reason),
}

/// The codes of verify that raise.
const fn is_fault(code: Option<i64>) -> bool {
    matches!(code, Some(401 | 403 | 429))
}

const fn success(status: u16) -> bool {
    matches!(status, 200..=299)
}

fn requires(output: Kind, wire: &str) -> bool {
    match output {
        Kind::Object(shape) => shape.fields.iter().any(|field| field.wire == wire && field.required),
        _ => false,
    }
}

fn message(verdict: Verdict, family: Family, status: u16, code: Option<i64>) -> String {
    let code = code.map_or_else(String::new, |code| format!(", code {code}"));
    match verdict {
        Verdict::Accepted | Verdict::Refused => {
            format!(
                "refused by the provider (HTTP {status}{code}), nothing was done; {}",
                advice(family, status)
            )
        }
        Verdict::Throttled(None) => {
            format!("refused for now (HTTP {status}{code}), nothing was done; try again later")
        }
        Verdict::Throttled(Some(wish)) => format!(
            "refused for now (HTTP {status}{code}), nothing was done; try again in {} s",
            wish.as_secs()
        ),
        Verdict::IdLost(_) => format!(
            "accepted (HTTP {status}), but the answer was lost or cannot be read, so the id is unknown; do not send again"
        ),
        Verdict::Unknown(Reason::Http) => format!(
            "the provider failed (HTTP {status}), the request may have been processed; look for its effect before sending again"
        ),
        Verdict::Unknown(_) => format!(
            "the answer (HTTP {status}) was lost or cannot be read, the request may have been processed; look for its effect before sending again"
        ),
    }
}

const fn advice(family: Family, status: u16) -> &'static str {
    match status {
        300..=399 => "the address redirects, and redirects are never followed: configure the final address",
        401 => credentials(family),
        403 => "check that this machine's address is whitelisted with the provider",
        404 => "check the address of this family and the id",
        _ => "correct the request, see `code` and `provider_message`",
    }
}

const fn credentials(family: Family) -> &'static str {
    match family {
        Family::Otp => "check `account_sid` and `api_key`",
        Family::Sms => "check `sms_key`, or `api_key` in its place",
        Family::Lookup => "check `lookup_key`, or `api_key` in its place",
        Family::Messaging => "check `messaging_key`, or `sms_key` or `api_key` in its place",
        Family::MessengerB => "check `messenger_b_token`",
        Family::Bot => "check the bot's id",
    }
}

/// An answer that passed and was not kept; no reader does that.
pub(crate) fn unreadable(subject: Subject, passed: &super::road::Passed) -> Error {
    let text = message(Verdict::Unknown(Reason::Decode), subject.family, passed.response.status, None);
    Error::new(Outcome::Unknown, Sent::Maybe, Reason::Decode, subject.operation, text)
}
