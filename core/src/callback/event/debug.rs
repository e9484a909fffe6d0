//! `Debug` of events: what identifies a message and a state, never a text, a number or a name.

use std::fmt::{Debug, Formatter, Result};

use super::{BusinessChat, ChatReport, Event, InboundSms, MessengerB, MessengerC, SmsReport, Unknown};

fn show(f: &mut Formatter<'_>, name: &str, fields: &[(&str, &dyn Debug)]) -> Result {
    let mut out = f.debug_struct(name);
    for (field, value) in fields {
        out.field(field, value);
    }
    out.finish_non_exhaustive()
}

impl Debug for Event {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::SmsReport(event) => event.fmt(f),
            Self::ChatReport(event) => event.fmt(f),
            Self::InboundSms(event) => event.fmt(f),
            Self::MessengerB(event) => event.fmt(f),
            Self::MessengerC(event) => event.fmt(f),
            Self::BusinessChat(event) => event.fmt(f),
            Self::Unknown(event) => event.fmt(f),
        }
    }
}

impl Debug for SmsReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        show(
            f,
            "SmsReport",
            &[("message_id", &self.message_id), ("status", &self.status), ("error_code", &self.error_code)],
        )
    }
}

impl Debug for ChatReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        show(
            f,
            "ChatReport",
            &[("message_id", &self.message_id), ("status", &self.status), ("error_code", &self.error_code)],
        )
    }
}

impl Debug for InboundSms {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        show(f, "InboundSms", &[("message_id", &self.message_id)])
    }
}

impl Debug for MessengerB {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        show(f, "MessengerB", &[("event", &self.event), ("message_id", &self.message_id)])
    }
}

impl Debug for MessengerC {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        show(f, "MessengerC", &[("update_id", &self.update_id), ("message_id", &self.message_id)])
    }
}

impl Debug for BusinessChat {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        show(f, "BusinessChat", &[("event", &self.event), ("message_id", &self.message_id)])
    }
}

impl Debug for Unknown {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        show(f, "Unknown", &[("source", &self.source)])
    }
}
