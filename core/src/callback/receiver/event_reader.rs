//! Reads events from the parts of a request.

use serde_json::Value;

use super::Endpoint;
use crate::callback::event::{
    BusinessChat, ChatReport, Event, Fields, InboundSms, MessengerB, MessengerC, SmsReport, Source, Unknown,
    fields,
};
use crate::callback::template::{Template, TemplateFormat, Values};
use crate::callback::token::Purpose;

pub(super) struct Request<'r> {
    pub(super) url: &'r str,
    pub(super) query: &'r str,
    pub(super) headers: &'r [(&'r str, &'r str)],
    pub(super) body: &'r [u8],
}

impl Request<'_> {
    fn content_type(&self) -> &str {
        let found = self.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        found.map_or("", |(_, value)| value)
    }

    fn payload(&self) -> (Value, Option<Fields>) {
        fields(self.query, self.content_type(), self.body)
    }
}

/// Reads a report by its template, or by the usual names if there is no template or the template does not match. A template that
/// was changed after the message was sent does not match.
pub(super) fn sms_report(endpoint: &Endpoint, request: &Request<'_>) -> SmsReport {
    match endpoint.template.as_ref().and_then(|template| templated(template, request)) {
        Some((values, rest)) => SmsReport::read(values, rest),
        None => SmsReport::read(Values::new(), request.payload().1.unwrap_or_default()),
    }
}

/// The values of the template, and all other parameters.
fn templated(template: &Template, request: &Request<'_>) -> Option<(Values, Fields)> {
    let values = match template.format() {
        TemplateFormat::Url => template.read(request.url)?,
        TemplateFormat::Json | TemplateFormat::Form => {
            template.read(std::str::from_utf8(request.body).ok()?)?
        }
    };
    let mut rest = fields(request.query, "", b"").1.unwrap_or_default();
    if template.format() == TemplateFormat::Url {
        for name in template.parameters() {
            rest.members.remove(name);
        }
    }
    Some((values, rest))
}

/// The event of an SMS report; [`Event::Unknown`] if the report has no known member.
pub(super) fn known_or_raw(report: SmsReport, request: &Request<'_>) -> Event {
    let nothing = SmsReport { extra: report.extra.clone(), ..SmsReport::default() };
    if report != nothing {
        return Event::SmsReport(report);
    }
    Event::Unknown(Unknown { source: Some(Source::SmsReport), raw: request.payload().0 })
}

/// The event of a request whose token has the purpose `purpose`.
pub(super) fn event(endpoint: &Endpoint, purpose: Purpose, request: &Request<'_>) -> Event {
    let (raw, members) = request.payload();
    let candidates: Vec<Source> = endpoint.sources().filter(|source| source.purpose() == purpose).collect();
    let only = match candidates.as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    let Some(members) = members else {
        return Event::Unknown(Unknown { source: only, raw });
    };
    match only.or_else(|| source_by_members(&candidates, &members)) {
        Some(source) => typed(source, members, raw),
        None => Event::Unknown(Unknown { source: None, raw }),
    }
}

fn typed(source: Source, members: Fields, raw: Value) -> Event {
    match source {
        Source::SmsReport => Event::SmsReport(SmsReport::read(Values::new(), members)),
        Source::ChatReport => Event::ChatReport(ChatReport::read(members)),
        Source::InboundSms => Event::InboundSms(InboundSms::read(members)),
        Source::MessengerB => Event::MessengerB(MessengerB::read(&members, raw)),
        Source::MessengerC => Event::MessengerC(MessengerC::read(&members, raw)),
        Source::BusinessChat => Event::BusinessChat(BusinessChat::read(&members, raw)),
    }
}

/// The source of a payload by its members, among the sources that share the endpoint.
fn source_by_members(candidates: &[Source], members: &Fields) -> Option<Source> {
    candidates.iter().copied().find(|source| match source {
        Source::SmsReport | Source::ChatReport => true,
        Source::MessengerC => members.has("update_id"),
        Source::BusinessChat => members.has("suggestionResponse") || members.has("conversationId"),
        Source::MessengerB => members.has("event"),
        Source::InboundSms => members.has("from") && members.has("to"),
    })
}
