//! Delivery reports and inbound SMS.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Fields, Status};
use crate::callback::template::{Values, Variable};

const MESSAGE_ID: &[&str] = &["msgid", "messageId", "message_id", "id"];
const ERROR_CODE: &[&str] = &["errorcode", "errorCode", "error_code"];
const TIMESTAMP: &[&str] = &["timestamp", "date"];

/// The delivery report of an SMS (section E): the fields of the template.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct SmsReport {
    /// The id that the send call returned (`msgid`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The delivery status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// The reason of a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<String>,
    /// The mobile country code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcc: Option<String>,
    /// The mobile network code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mnc: Option<String>,
    /// The price in the account's currency, as decimal text exactly as received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<String>,
    /// The recipient.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The sender.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The reference given with the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The time of the status, as received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// All other members that were received.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

impl SmsReport {
    /// Reads the values of the template first, then the members with their usual names.
    pub(in crate::callback) fn read(mut values: Values, mut fields: Fields) -> Self {
        let mut get = |variable: Variable, names: &[&str]| {
            values.remove(&variable).or_else(|| fields.take(names)).filter(|text| !text.is_empty())
        };
        Self {
            message_id: get(Variable::MessageId, MESSAGE_ID),
            status: get(Variable::Status, &["status"]).map(Status::new),
            error_code: get(Variable::ErrorCode, ERROR_CODE),
            mcc: get(Variable::Mcc, &["mcc"]),
            mnc: get(Variable::Mnc, &["mnc"]),
            rate: get(Variable::Rate, &["rate"]),
            to: get(Variable::To, &["to"]),
            from: get(Variable::From, &["from"]),
            reference: get(Variable::Reference, &["reference"]),
            timestamp: get(Variable::Timestamp, TIMESTAMP),
            extra: fields.members,
        }
    }
}

/// The delivery report of a chat message (section E): `messageId`, `status`, `errorcode`.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ChatReport {
    /// The id that the send call returned (`messageId`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The delivery status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// `errorcode`, a number or a string in the payload, as a string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<String>,
    /// All other members that were received.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

impl ChatReport {
    pub(in crate::callback) fn read(mut fields: Fields) -> Self {
        Self {
            message_id: fields.take(&["messageId", "message_id", "msgid"]),
            status: fields.take(&["status"]).map(Status::new),
            error_code: fields.take(ERROR_CODE),
            extra: fields.members,
        }
    }
}

/// An SMS from a user to a number set up for two-way use. The payload is undocumented.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct InboundSms {
    /// The id of the message: `msgid`, `messageId`, `message_id` or `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The text: `text` or `body`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The number of the user: `from` or `sender`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The two-way number: `to` or `recipient`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The time of sending, as received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// All other members that were received.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

impl InboundSms {
    pub(in crate::callback) fn read(mut fields: Fields) -> Self {
        Self {
            message_id: fields.take(MESSAGE_ID),
            text: fields.take(&["text", "body"]),
            from: fields.take(&["from", "sender"]),
            to: fields.take(&["to", "recipient"]),
            timestamp: fields.take(TIMESTAMP),
            extra: fields.members,
        }
    }
}
