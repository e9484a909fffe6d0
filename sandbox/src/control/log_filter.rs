//! The filters of the logs: `/requests`, `/callbacks` and `/events`. `/messages` has the same `operation`, `after` and `before`.

use super::ControlRequest;
use crate::callbacks::{Attempt, KINDS};
use crate::ledger::SendOperation;
use crate::log_entries::{Event, LoggedRequest};
use crate::origin_check::Source;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::snippets::redact_body;
use crate::time_text::parse_time;

/// Selects entries of a log; an absent member matches all.
#[derive(Debug, Default)]
pub(super) struct LogFilter {
    status: Option<StatusFilter>,
    operation: Option<String>,
    kind: Option<String>,
    subject: Option<String>,
    period: Period,
    /// In lower case.
    text: Option<String>,
    /// Whether the responses of callback targets are searched.
    own: bool,
}

/// The status of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StatusFilter {
    Is(u16),
    /// The hundreds of `4xx`.
    Class(u16),
    /// There was no complete response.
    NoResponse,
    /// There was no response with 2xx.
    Failed,
}

/// A period of the account's clock, without its end.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Period {
    after: Option<u64>,
    before: Option<u64>,
}

impl Period {
    pub(super) fn of(request: &ControlRequest) -> ProviderResult<Self> {
        let time = |name: &'static str| {
            let error = || {
                let text = format!("`{name}` must be a time such as 2026-01-31T12:00:00Z");
                ProviderError::plain(400, text).at(name)
            };
            request.param(name).map(|text| parse_time(&text).ok_or_else(error)).transpose()
        };
        Ok(Self { after: time("after")?, before: time("before")? })
    }

    pub(super) fn contains(self, at: u64) -> bool {
        self.after.is_none_or(|after| at >= after) && self.before.is_none_or(|before| at < before)
    }
}

impl StatusFilter {
    fn parse(text: &str) -> Option<Self> {
        if text == "none" {
            return Some(Self::NoResponse);
        }
        if text == "failed" {
            return Some(Self::Failed);
        }
        match *text.as_bytes() {
            [class @ b'1'..=b'9', b'x', b'x'] => Some(Self::Class(u16::from(class - b'0'))),
            [b'1'..=b'9', _, _] => text.parse().ok().map(Self::Is),
            _ => None,
        }
    }

    fn fits(self, status: Option<u16>) -> bool {
        match self {
            Self::Is(expected) => status == Some(expected),
            Self::Class(class) => status.is_some_and(|status| status / 100 == class),
            Self::NoResponse => status.is_none(),
            Self::Failed => !Self::Class(2).fits(status),
        }
    }
}

impl LogFilter {
    /// The filter of `/requests`.
    pub(super) fn of_requests(request: &ControlRequest) -> ProviderResult<Self> {
        let operation = one_of(request, "operation", &operations())?;
        Self { operation, ..Self::common(request)? }.with_status(request)
    }

    /// The filter of `/callbacks`.
    pub(super) fn of_callbacks(request: &ControlRequest) -> ProviderResult<Self> {
        let kind = one_of(request, "kind", &KINDS)?;
        let own = request.source == Source::Own;
        Self { kind, own, ..Self::common(request)? }.with_status(request)
    }

    /// The filter of `/events`, whose kinds are open: an unknown one matches nothing.
    pub(super) fn of_events(request: &ControlRequest) -> ProviderResult<Self> {
        Ok(Self { kind: request.param("kind"), ..Self::common(request)? })
    }

    fn common(request: &ControlRequest) -> ProviderResult<Self> {
        Ok(Self {
            subject: request.param("subject"),
            period: Period::of(request)?,
            text: request.param("text").map(|text| text.trim().to_lowercase()),
            ..Self::default()
        })
    }

    fn with_status(mut self, request: &ControlRequest) -> ProviderResult<Self> {
        let error = || {
            let text = "`status` must be a status such as 404, a class such as 4xx, none or failed";
            ProviderError::plain(400, text).at("status")
        };
        let status = request.param("status");
        self.status = status.map(|text| StatusFilter::parse(&text).ok_or_else(error)).transpose()?;
        Ok(self)
    }

    fn has_status(&self, status: Option<u16>) -> bool {
        self.status.is_none_or(|expected| expected.fits(status))
    }

    fn has_text<T: AsRef<str>>(&self, texts: impl FnOnce() -> Vec<T>) -> bool {
        let Some(text) = &self.text else { return true };
        texts().iter().any(|given| given.as_ref().to_lowercase().contains(text))
    }

    /// Whether a request fits. Its status is the one that the caller received; its texts are searched without their secrets.
    pub(super) fn fits_request(&self, one: &LoggedRequest) -> bool {
        let response = one.response.as_ref();
        self.has_status(response.map(|response| response.status))
            && self.operation.as_deref().is_none_or(|operation| one.operation == Some(operation))
            && self.period.contains(one.at)
            && self.has_text(|| {
                let answer = response.map(|response| redact_body(&response.body)).unwrap_or_default();
                let mut texts = vec![one.target.to_string(), redact_body(&one.body), answer];
                texts.extend(one.warnings.iter().cloned());
                texts
            })
    }

    pub(super) fn fits_attempt(&self, one: &Attempt) -> bool {
        self.has_status(one.status())
            && self.kind.as_deref().is_none_or(|kind| one.kind() == kind)
            && self.subject.as_deref().is_none_or(|subject| one.subject() == subject)
            && self.period.contains(one.at())
            && self.has_text(|| one.texts(self.own).to_vec())
    }

    pub(super) fn fits_event(&self, one: &Event) -> bool {
        self.kind.as_deref().is_none_or(|kind| one.kind == kind)
            && self.subject.as_deref().is_none_or(|subject| one.subject.as_deref() == Some(subject))
            && self.period.contains(one.at)
            && self.has_text(|| {
                let detail = one.detail.as_ref().map(|detail| detail.to_string()).unwrap_or_default();
                let subject = one.subject.as_deref().unwrap_or_default().to_owned();
                vec![one.kind.to_owned(), subject, detail]
            })
    }
}

/// The operations of messages: those that send, and `inbound` for a user's message.
pub(super) fn message_operations() -> Vec<&'static str> {
    SendOperation::ALL.iter().map(|one| one.name()).chain(["inbound"]).collect()
}

/// The ids of all operations.
pub(super) fn operations() -> Vec<&'static str> {
    cpaas::OperationId::ALL.iter().map(|one| one.meta().id).collect()
}

/// A parameter with a known value, whatever its case. A misspelt one would match nothing.
pub(super) fn one_of(
    request: &ControlRequest,
    name: &'static str,
    known: &[&str],
) -> ProviderResult<Option<String>> {
    let Some(value) = request.param(name) else { return Ok(None) };
    if let Some(known) = known.iter().find(|known| known.eq_ignore_ascii_case(&value)) {
        return Ok(Some((*known).to_owned()));
    }
    let text = format!("`{name}` must be one of {}", known.join(", "));
    Err(ProviderError::plain(400, text).at(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_a_number_a_class_or_none() {
        assert_eq!(StatusFilter::parse("404"), Some(StatusFilter::Is(404)));
        assert_eq!(StatusFilter::parse("4xx"), Some(StatusFilter::Class(4)));
        assert_eq!(StatusFilter::parse("none"), Some(StatusFilter::NoResponse));
        for bad in ["", "xx", "0xx", "40x", "44xx", "-10", "99", "1000", "+5xx", "+50", "4.4", "None"] {
            assert_eq!(StatusFilter::parse(bad), None, "{bad}");
        }
        assert!(StatusFilter::Class(4).fits(Some(499)) && !StatusFilter::Class(4).fits(Some(500)));
        assert!(!StatusFilter::Class(4).fits(None) && StatusFilter::NoResponse.fits(None));
        assert_eq!(StatusFilter::parse("failed"), Some(StatusFilter::Failed));
        assert!(StatusFilter::Failed.fits(None) && StatusFilter::Failed.fits(Some(302)));
        assert!(!StatusFilter::Failed.fits(Some(204)));
    }
}
