//! What a response means. A status proves nothing by itself: the body decides in families A and B and for the webhook
//! calls, each element decides for itself in family C, and in family D a success status and an id decide together.

use std::time::{Duration, SystemTime};

use super::retry::Failure;
use super::scan::{Deciding, Name, Seen, is_crowded, looks_like_json, scan};
use crate::clock::retry_after;
use crate::error::{Error, Outcome, Reason, SentState};
use crate::http::HttpResponse;
use crate::operation::{Evidence, Family, Meta, RetrySafety};

/// What a call is about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject {
    pub(crate) operation: &'static str,
    pub(crate) family: Family,
    pub(crate) safety: RetrySafety,
    /// What proves a success; none for a call that the specification does not show.
    pub(crate) evidence: Option<Evidence>,
    /// Whether a refusal that is not in the provider's own form leaves the outcome unknown.
    pub(crate) strict_refusals: bool,
}

/// How far a response was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Read {
    /// To its end.
    Whole,
    /// It ended too early.
    Cut(Reason),
}

/// Why an attempt did not succeed, for the caller and for the strategy.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) error: Error,
    pub(crate) failure: Failure,
    /// How long the provider asks to wait; never zero.
    pub(crate) retry_after: Option<Duration>,
}

/// What a response says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Accepted,
    /// The provider's own refusal.
    Refused,
    /// A status of refusal; the response is not the provider's own.
    RefusedByStatus,
    /// The provider's own refusal for now.
    Throttled,
    Unknown(Reason),
    /// Accepted; the id was not received.
    IdLost(Reason),
}

impl Subject {
    pub(crate) const fn of(meta: &Meta, strict_refusals: bool) -> Self {
        Self {
            operation: meta.id,
            family: meta.family,
            safety: meta.safety,
            evidence: Some(meta.evidence),
            strict_refusals,
        }
    }

    /// Judges a response by what decides in it. What it holds beyond that is read afterwards.
    pub(crate) fn judge(&self, response: &HttpResponse, read: Read) -> Result<(), Box<Failed>> {
        if read == Read::Whole && is_crowded(&response.body) {
            return Err(self.failed(Verdict::Unknown(Reason::TooLarge), response, Seen::default()));
        }
        let seen = scan(beginning(&response.body, read));
        // A body that ends with the connection may have been cut without a trace in HTTP.
        let read = if read == Read::Whole && seen.truncated { Read::Cut(Reason::Decode) } else { read };
        match self.verdict(response, &seen, read) {
            Verdict::Accepted => Ok(()),
            verdict => Err(self.failed(verdict, response, seen)),
        }
    }

    fn verdict(&self, response: &HttpResponse, seen: &Seen, read: Read) -> Verdict {
        let status = response.status;
        let verdict = match status {
            200..=299 => self.of_success(response, seen, read),
            408 | 429 | 499 | 500..=599 => self.of_trouble(response, seen, read),
            300..=498 => self.of_refusal(status, seen, read),
            _ => Verdict::Unknown(Reason::Decode),
        };
        match verdict {
            Verdict::RefusedByStatus if self.strict_refusals => Verdict::Unknown(Reason::Http),
            verdict => verdict,
        }
    }

    /// 2xx: accepted when the deciding member says so.
    fn of_success(&self, response: &HttpResponse, seen: &Seen, read: Read) -> Verdict {
        if seen.contradicts {
            return Verdict::Unknown(Reason::Decode);
        }
        if self.is_not_verified(200, seen, read) {
            return Verdict::Accepted;
        }
        if self.throttles(response, seen) && read == Read::Whole {
            return Verdict::Throttled;
        }
        if self.refuses(seen) {
            return self.refusal_in_success(seen, read);
        }
        match read {
            Read::Whole if !seen.known => Verdict::Unknown(Reason::Decode),
            Read::Whole if self.accepts(seen) => Verdict::Accepted,
            Read::Whole => Verdict::Unknown(Reason::Decode),
            Read::Cut(reason) if self.is_accepted_when_cut(response, seen) => Verdict::IdLost(reason),
            Read::Cut(reason) => Verdict::Unknown(reason),
        }
    }

    fn refusal_in_success(&self, seen: &Seen, read: Read) -> Verdict {
        let is_failure = self.family == Family::Otp
            && (seen.code.value().is_some_and(|code| code >= 500) && seen.request_id != Name::Null);
        match read {
            // A cut response of verify may have been a plain "wrong code".
            Read::Cut(reason) if self.safety == RetrySafety::Verify && !is_raised(seen.code) => {
                Verdict::Unknown(reason)
            }
            // A code of 500 or more reports that something failed, which is no refusal.
            _ if is_failure => Verdict::Unknown(Reason::Http),
            // A refusal with the id of what was made contradicts itself.
            _ if self.family == Family::Otp && matches!(seen.request_id, Name::Is(_)) => {
                Verdict::Unknown(Reason::Decode)
            }
            _ => Verdict::Refused,
        }
    }

    /// 5xx, 408, 499 and 429: an edge writes them too, after it forwarded the request.
    fn of_trouble(&self, response: &HttpResponse, seen: &Seen, read: Read) -> Verdict {
        let reason = match read {
            Read::Cut(reason) => return Verdict::Unknown(reason),
            Read::Whole => Reason::Http,
        };
        if seen.contradicts {
            Verdict::Unknown(reason)
        } else if self.throttles(response, seen) {
            Verdict::Throttled
        } else if !is_cached(response) && self.is_beyond_a_gateway(seen) {
            if self.is_not_verified(response.status, seen, read) {
                Verdict::Accepted
            } else {
                Verdict::Refused
            }
        } else if self.is_proof(seen) {
            Verdict::Accepted
        } else {
            Verdict::Unknown(reason)
        }
    }

    /// Other 4xx and 3xx.
    fn of_refusal(&self, status: u16, seen: &Seen, read: Read) -> Verdict {
        if seen.contradicts {
            Verdict::RefusedByStatus
        } else if self.is_not_verified(status, seen, read) {
            Verdict::Accepted
        } else if read == Read::Whole && self.is_proof(seen) {
            // The status says no and the body yes.
            Verdict::Unknown(Reason::Decode)
        } else if self.is_own_refusal(seen) {
            Verdict::Refused
        } else {
            Verdict::RefusedByStatus
        }
    }

    /// Whether what decides says yes.
    fn accepts(&self, seen: &Seen) -> bool {
        let Some(evidence) = self.evidence else { return true };
        match evidence {
            Evidence::Code => seen.code == Deciding::Is(200),
            Evidence::ResponseCode => seen.response_code == Deciding::Is(0),
            Evidence::Status => seen.status == Deciding::Is(0),
            Evidence::Elements => {
                seen.elements.accepted + seen.elements.refused > 0 || seen.response_code == Deciding::Is(0)
            }
            // `id` beside `code` may be that of a gateway's error.
            Evidence::Id => seen.message_id || seen.id && seen.code == Deciding::Absent,
            Evidence::IdOrMessages => seen.message_id || seen.messages,
            Evidence::Ids => seen.elements.ids > 0,
            Evidence::Record => seen.object,
            // Nothing is documented: what looks like an error proves nothing.
            Evidence::Nothing => {
                let is_error = seen.error || seen.code != Deciding::Absent && seen.message.is_some();
                !seen.unreadable && !is_error
            }
        }
    }

    /// Whether the response alone, whatever its status, proves that the request was accepted.
    fn is_proof(&self, seen: &Seen) -> bool {
        let proves = match self.evidence {
            None | Some(Evidence::Nothing | Evidence::Record) => false,
            Some(Evidence::Id | Evidence::IdOrMessages) => seen.message_id,
            Some(Evidence::Elements) => seen.elements.accepted > 0,
            Some(_) => true,
        };
        proves && seen.known && self.safety != RetrySafety::Read && !self.refuses(seen) && self.accepts(seen)
    }

    /// The bytes received hold the success member; in family D the status decides.
    fn is_accepted_when_cut(&self, response: &HttpResponse, seen: &Seen) -> bool {
        if matches!(self.safety, RetrySafety::Read | RetrySafety::Lookup)
            || self.safety == RetrySafety::Verify
        {
            return false;
        }
        match self.evidence {
            Some(Evidence::Id | Evidence::IdOrMessages | Evidence::Ids) => {
                let is_json = if response.body.is_empty() {
                    claims_json(response)
                } else {
                    looks_like_json(&response.body)
                };
                is_json && seen.code == Deciding::Absent
            }
            Some(Evidence::Code | Evidence::ResponseCode | Evidence::Status) => self.accepts(seen),
            Some(Evidence::Nothing) => seen.response_code == Deciding::Is(0) || seen.ok == Some(true),
            _ => false,
        }
    }

    /// Whether the deciding member says no.
    fn refuses(&self, seen: &Seen) -> bool {
        match self.family {
            Family::Otp => seen.code.refuses(200),
            Family::Sms => seen.response_code.refuses(0),
            Family::Lookup => seen.object && seen.response_code.refuses(0),
            Family::MessengerB => seen.status.refuses(0),
            Family::MessengerC => seen.ok == Some(false),
            Family::Messaging => false,
        }
    }

    /// Whether the response has the form in which the family refuses.
    fn is_own_refusal(&self, seen: &Seen) -> bool {
        match self.family {
            Family::Otp => {
                seen.code_is_integer
                    && seen.code.refuses(200)
                    && seen.message.is_some()
                    && matches!(seen.request_id, Name::Absent | Name::Null)
            }
            Family::Sms => seen.response_code.refuses(0) && !seen.id && !seen.messages,
            Family::Lookup => {
                let all = seen.elements.count > 0 && seen.elements.refused == seen.elements.count;
                seen.elements.with_id == 0 && !seen.id && (self.refuses(seen) || all)
            }
            Family::Messaging => {
                seen.object
                    && seen.code != Deciding::Absent
                    && seen.message.is_some()
                    && !seen.id
                    && !seen.messages
            }
            Family::MessengerB | Family::MessengerC => self.refuses(seen),
        }
    }

    /// Whether it is a refusal that no gateway writes.
    fn is_beyond_a_gateway(&self, seen: &Seen) -> bool {
        match self.family {
            Family::Otp => self.is_own_refusal(seen) && seen.request_id == Name::Null,
            Family::Sms | Family::Lookup => self.is_own_refusal(seen),
            Family::Messaging | Family::MessengerB | Family::MessengerC => false,
        }
    }

    /// Whether the provider itself refuses for now.
    fn throttles(&self, response: &HttpResponse, seen: &Seen) -> bool {
        let says_so = response.status == 429
            || matches!(response.status, 200..=299)
                && self.family == Family::Otp
                && seen.code == Deciding::Is(429);
        says_so && seen.known && !is_cached(response) && self.is_own_refusal(seen)
    }

    /// A wrong code is a result of verify and not an error. Codes that say something else are errors: 401, 403, 408, 429,
    /// those of limits and workflows, and 500 or more.
    fn is_not_verified(&self, status: u16, seen: &Seen, read: Read) -> bool {
        let is_plain = |code: i64| matches!(code, 1..=491) && !matches!(code, 401 | 403 | 408 | 429);
        let shaped = if status == 200 { seen.object } else { self.is_own_refusal(seen) };
        self.safety == RetrySafety::Verify
            && read == Read::Whole
            && seen.known
            && shaped
            && is_plain(i64::from(status))
            && seen.code.refuses(200)
            && seen.code.value().is_some_and(is_plain)
    }

    fn code(&self, seen: &Seen) -> Option<i64> {
        match self.family {
            Family::Sms => seen.response_code.value(),
            Family::Lookup if seen.array => seen.elements.first.value(),
            Family::Lookup => seen.response_code.value(),
            Family::MessengerB => seen.status.value(),
            Family::MessengerC => seen.error_code.value().or(seen.code.value()),
            Family::Otp | Family::Messaging => seen.code.value(),
        }
    }

    /// The error for a verdict that is not a success.
    pub(crate) fn failed(&self, verdict: Verdict, response: &HttpResponse, seen: Seen) -> Box<Failed> {
        let (outcome, sent, reason, failure) = match verdict {
            Verdict::Throttled => (Outcome::Rejected, SentState::Yes, Reason::Http, Failure::Throttled),
            Verdict::Unknown(reason) => (Outcome::Unknown, SentState::Maybe, reason, Failure::Unknown),
            Verdict::IdLost(reason) => (Outcome::AcceptedIdUnknown, SentState::Yes, reason, Failure::Final),
            _ => (Outcome::Rejected, SentState::Yes, Reason::Http, Failure::Final),
        };
        // Reads are tried again on each of these, whoever wrote them.
        let failure = match response.status {
            408 | 500.. if self.safety == RetrySafety::Read => Failure::Unknown,
            _ => failure,
        };
        let code = self.code(&seen);
        let wait = retry_after_of(response);
        let text = super::explain::message(verdict, self.family, response.status, code, wait);
        let mut error = Error::new(outcome, sent, reason, self.operation, text);
        let record = error.record_mut();
        record.status = Some(response.status);
        record.code = code;
        record.provider_message = seen.message;
        record.request_id = match seen.request_id {
            Name::Is(id) => Some(id),
            _ => None,
        };
        record.retry_after_ms = wait.and_then(|wait| u64::try_from(wait.as_millis()).ok());
        Box::new(Failed { error, failure, retry_after: wait })
    }
}

/// As much of a cut body as may decide: a large one would take time that the deadline does not have.
fn beginning(body: &[u8], read: Read) -> &[u8] {
    const ENOUGH: usize = 65_536;
    match read {
        Read::Whole => body,
        Read::Cut(_) => body.get(..ENOUGH).unwrap_or(body),
    }
}

/// The codes of verify that raise.
const fn is_raised(code: Deciding) -> bool {
    matches!(code, Deciding::Is(401 | 403 | 429))
}

/// A response out of a cache belongs to another request.
fn is_cached(response: &HttpResponse) -> bool {
    response.header("age").is_some_and(|age| age.trim().parse::<u64>() != Ok(0))
}

fn claims_json(response: &HttpResponse) -> bool {
    response.header("content-type").is_none_or(|kind| kind.to_ascii_lowercase().contains("json"))
}

/// How long the provider asks to wait: zero, a past date and nonsense ask for nothing.
fn retry_after_of(response: &HttpResponse) -> Option<Duration> {
    let wait = retry_after(response.header("retry-after")?, SystemTime::now());
    wait.filter(|wait| !wait.is_zero())
}
