//! Callbacks as typed events.
//!
//! # The JSON shape
//! Every event is one object with `kind` and the members of its type in snake case; a member without a value is left out.
//!
//! | `kind` | Type | Members |
//! |---|---|---|
//! | `sms_report` | [`SmsReport`] | `message_id status error_code mcc mnc rate to from reference timestamp extra` |
//! | `chat_report` | [`ChatReport`] | `message_id status error_code extra` |
//! | `inbound_sms` | [`InboundSms`] | `message_id text from to timestamp extra` |
//! | `messenger_b` | [`MessengerB`] | `event message_id user_id user_name user_photo text description timestamp raw` |
//! | `messenger_c` | [`MessengerC`] | `update_id message_id user_id chat_id text raw` |
//! | `business_chat` | [`BusinessChat`] | `event message_id conversation_id user_id text postback_data timestamp raw` |
//! | `unknown` | [`Unknown`] | `source raw` |
//!
//! All members but `extra` and `raw` are strings; a number is converted to its text as written, a boolean to `true` or `false`.
//! In `raw` and `extra`, an integer beyond 64 bits is the nearest 64-bit float. `Debug` shows the kind, the message id, the state
//! and the error code of an event, but no text, number or name.
//!
//! Only the payloads of the two reports are documented. The others are read by commonly used names, and no member is
//! required: `raw` is always the whole payload, and `extra` contains all other members.

mod chat_event;
mod delivery_report;
mod payload_fields;
mod payload_schema;
mod status;

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::token::{Claims, Purpose};

pub use chat_event::{BusinessChat, BusinessChatEvent, MessengerB, MessengerC};
pub use delivery_report::{ChatReport, InboundSms, SmsReport};
pub(super) use payload_fields::{Fields, fields};
pub use payload_schema::PayloadMember;
pub use status::{Status, StatusKind};

/// The kind of event for which a callback URL was registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Source {
    /// Delivery reports of SMS.
    SmsReport,
    /// Delivery reports of chat messages.
    ChatReport,
    /// SMS from users to a two-way number.
    InboundSms,
    /// Webhook events of messenger_b.
    MessengerB,
    /// Updates of messenger_c.
    MessengerC,
    /// User messages and suggestion taps of business_chat.
    BusinessChat,
}

impl Source {
    /// Every source.
    pub const ALL: [Self; 6] = [
        Self::SmsReport,
        Self::ChatReport,
        Self::InboundSms,
        Self::MessengerB,
        Self::MessengerC,
        Self::BusinessChat,
    ];

    /// The purpose that a token for this source must have.
    #[must_use]
    pub const fn purpose(self) -> Purpose {
        match self {
            Self::SmsReport => Purpose::DeliveryReport,
            Self::ChatReport => Purpose::ChatReport,
            Self::InboundSms | Self::MessengerB | Self::MessengerC | Self::BusinessChat => Purpose::Inbound,
        }
    }
}

/// A typed callback. More kinds may be added; see the module documentation for the JSON shape.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// The delivery report of an SMS.
    SmsReport(SmsReport),
    /// The delivery report of a chat message.
    ChatReport(ChatReport),
    /// An SMS from a user.
    InboundSms(InboundSms),
    /// A webhook event of messenger_b.
    MessengerB(MessengerB),
    /// An update of messenger_c.
    MessengerC(MessengerC),
    /// A user message or a suggestion tap of business_chat.
    BusinessChat(BusinessChat),
    /// An authentic callback with other content.
    Unknown(Unknown),
}

/// An authentic callback whose content is not an event that its endpoint receives.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Unknown {
    /// The source, if the endpoint receives only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The payload: JSON, the parameters of a form or a query as an object, or else the text.
    pub raw: Value,
}

impl Event {
    /// The kind of the event, as in JSON.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::SmsReport(_) => "sms_report",
            Self::ChatReport(_) => "chat_report",
            Self::InboundSms(_) => "inbound_sms",
            Self::MessengerB(_) => "messenger_b",
            Self::MessengerC(_) => "messenger_c",
            Self::BusinessChat(_) => "business_chat",
            Self::Unknown(_) => "unknown",
        }
    }

    /// The id of the message, or of the update for messenger_c; `None` if the event has none.
    #[must_use]
    pub fn message_id(&self) -> Option<&str> {
        match self {
            Self::SmsReport(event) => event.message_id.as_deref(),
            Self::ChatReport(event) => event.message_id.as_deref(),
            Self::InboundSms(event) => event.message_id.as_deref(),
            Self::MessengerB(event) => event.message_id.as_deref(),
            Self::MessengerC(event) => event.update_id.as_deref().or(event.message_id.as_deref()),
            Self::BusinessChat(event) => event.message_id.as_deref(),
            Self::Unknown(_) => None,
        }
    }

    /// The status of a report.
    #[must_use]
    pub fn status(&self) -> Option<&Status> {
        match self {
            Self::SmsReport(event) => event.status.as_ref(),
            Self::ChatReport(event) => event.status.as_ref(),
            _ => None,
        }
    }

    /// The reference of the message, as an SMS report returns it.
    #[must_use]
    pub fn reference(&self) -> Option<&str> {
        match self {
            Self::SmsReport(event) => event.reference.as_deref(),
            _ => None,
        }
    }

    /// The state of a message: (status or event name, error code or postback data). Different states have different values.
    pub(super) fn state(&self) -> (&str, &str) {
        match self {
            Self::SmsReport(event) => {
                (text(event.status.as_ref()), event.error_code.as_deref().unwrap_or_default())
            }
            Self::ChatReport(event) => {
                (text(event.status.as_ref()), event.error_code.as_deref().unwrap_or_default())
            }
            Self::MessengerB(event) => (event.event.as_deref().unwrap_or_default(), ""),
            Self::BusinessChat(event) => {
                (event.event.as_str(), event.postback_data.as_deref().unwrap_or_default())
            }
            _ => ("", ""),
        }
    }
}

fn text(status: Option<&Status>) -> &str {
    status.map_or("", Status::as_str)
}

/// An authentic callback: the event and the claims of its token. As JSON, the object of the event with the additional member
/// `claims` (`kid`, `purpose`, `issued`, `expires`, `nonce`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Received {
    /// The event.
    #[serde(flatten)]
    pub event: Event,
    /// The claims of its token.
    pub claims: Claims,
}

/// Formats an event for `Debug`: ids, statuses and error codes, but no text, phone numbers or names.
fn show(f: &mut fmt::Formatter<'_>, name: &str, fields: &[(&str, &dyn fmt::Debug)]) -> fmt::Result {
    let mut out = f.debug_struct(name);
    for (field, value) in fields {
        out.field(field, value);
    }
    out.finish_non_exhaustive()
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

impl fmt::Debug for SmsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(
            f,
            "SmsReport",
            &[("message_id", &self.message_id), ("status", &self.status), ("error_code", &self.error_code)],
        )
    }
}

impl fmt::Debug for ChatReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(
            f,
            "ChatReport",
            &[("message_id", &self.message_id), ("status", &self.status), ("error_code", &self.error_code)],
        )
    }
}

impl fmt::Debug for InboundSms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, "InboundSms", &[("message_id", &self.message_id)])
    }
}

impl fmt::Debug for MessengerB {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, "MessengerB", &[("event", &self.event), ("message_id", &self.message_id)])
    }
}

impl fmt::Debug for MessengerC {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, "MessengerC", &[("update_id", &self.update_id), ("message_id", &self.message_id)])
    }
}

impl fmt::Debug for BusinessChat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, "BusinessChat", &[("event", &self.event), ("message_id", &self.message_id)])
    }
}

impl fmt::Debug for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, "Unknown", &[("source", &self.source)])
    }
}
