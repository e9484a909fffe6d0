//! What a callback says, as typed events.
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
//! | `business_chat` | [`BusinessChat`] | `event message_id conversation_id user_id text postback_data raw` |
//! | `unknown` | [`Unknown`] | `source raw` |
//!
//! All but `extra` and `raw` are strings; numbers and truth values are written as text (beyond 64 bits an integer is the
//! nearest 64-bit float).
//! `Debug` shows the kind, the message id, the state and the error code of an event: texts, numbers and names are for the
//! application, not for its log.
//!
//! The specification shows the payloads of the two reports only. The others are read by the names that such services
//! commonly use, and nothing in them is required: `raw` is always the whole payload, `extra` what no member names.

mod channel;
mod debug;
mod fields;
mod report;
mod status;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::token::{Claims, Purpose};

pub use channel::{BusinessChat, BusinessChatEvent, MessengerB, MessengerC};
pub(super) use fields::{Fields, fields};
pub use report::{ChatReport, InboundSms, SmsReport};
pub use status::{Status, StatusKind};

/// Where a callback comes from: what the endpoint was registered for.
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

    /// The purpose that a token on such a callback must have.
    #[must_use]
    pub const fn purpose(self) -> Purpose {
        match self {
            Self::SmsReport => Purpose::DeliveryReport,
            Self::ChatReport => Purpose::ChatReport,
            Self::InboundSms | Self::MessengerB | Self::MessengerC | Self::BusinessChat => Purpose::Inbound,
        }
    }
}

/// One callback, typed. More kinds may come; see the module documentation for the JSON shape.
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
    /// A good callback whose content is none of the above: nothing is lost.
    Unknown(Unknown),
}

/// A callback that is authentic and whose content could not be read as any event that its endpoint receives.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Unknown {
    /// What the endpoint receives, when that is one thing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The payload: JSON when it was JSON, the parameters of a form or a query as an object, else the text.
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

    /// The message that the event is about, when it names one.
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

    /// The tag given with the message, as an SMS report returns it.
    #[must_use]
    pub fn reference(&self) -> Option<&str> {
        match self {
            Self::SmsReport(event) => event.reference.as_deref(),
            _ => None,
        }
    }

    /// What tells a state from the message's other states: (status or event name, error code).
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

/// An authentic callback: the event and what its token said. As JSON the event's object with one more member, `claims`
/// (`kid`, `purpose`, `issued`, `expires`, `nonce`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Received {
    /// What the callback says.
    #[serde(flatten)]
    pub event: Event,
    /// What its token said.
    pub claims: Claims,
}
