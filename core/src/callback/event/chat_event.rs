//! Events of the chat channels. Their payloads are undocumented, so the members are read by common names.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Fields;

const USER_ID: &[&str] = &["/user_id", "/userId", "/user/id", "/sender/id"];

/// A webhook event of messenger_b: `delivered`, `seen`, `failed`, `subscribed`, `unsubscribed`, `conversation_started`, the
/// check after registration, or another; `event` is its name.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct MessengerB {
    /// The name of the event, as received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The message: `message_id`, `messageId` or `message_token`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The user: `user_id` or `userId`, or `id` of `user` or `sender`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// The user's name, sent when the webhook was registered with `send_name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_name: Option<String>,
    /// The user's picture, sent when the webhook was registered with `send_photo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_photo: Option<String>,
    /// The text of a user message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The reason of a failure: `desc`, `description` or `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The time of the event, as received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// The whole payload.
    pub raw: Value,
}

impl MessengerB {
    pub(in crate::callback) fn read(fields: &Fields, raw: Value) -> Self {
        Self {
            event: fields.at("/event"),
            message_id: fields.first_at(&["/message_id", "/messageId", "/message_token"]),
            user_id: fields.first_at(USER_ID),
            user_name: fields.first_at(&["/user/name", "/sender/name", "/name"]),
            user_photo: fields.first_at(&["/user/photo", "/user/avatar", "/sender/avatar", "/photo"]),
            text: fields.first_at(&["/message/text", "/text"]),
            description: fields.first_at(&["/desc", "/description", "/error"]),
            timestamp: fields.at("/timestamp"),
            raw,
        }
    }

    /// Whether the event is one of the six that a webhook can be registered for.
    #[must_use]
    pub fn is_known(&self) -> bool {
        const KNOWN: [&str; 6] =
            ["delivered", "seen", "failed", "subscribed", "unsubscribed", "conversation_started"];
        self.event.as_deref().is_some_and(|event| KNOWN.contains(&event))
    }
}

/// An update of messenger_c, which contains user messages only, not delivery or read notifications.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct MessengerC {
    /// The id of the update.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update_id: Option<String>,
    /// The id of the message in its chat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The user: `message.from.id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// The chat to reply to: `message.chat.id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat_id: Option<String>,
    /// The text of the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The whole payload.
    pub raw: Value,
}

impl MessengerC {
    pub(in crate::callback) fn read(fields: &Fields, raw: Value) -> Self {
        Self {
            update_id: fields.at("/update_id"),
            message_id: fields.first_at(&[
                "/message/message_id",
                "/edited_message/message_id",
                "/message_id",
            ]),
            user_id: fields.first_at(&[
                "/message/from/id",
                "/edited_message/from/id",
                "/callback_query/from/id",
            ]),
            chat_id: fields.first_at(&["/message/chat/id", "/edited_message/chat/id"]),
            text: fields.first_at(&["/message/text", "/edited_message/text", "/callback_query/data"]),
            raw,
        }
    }
}

/// A user message or a tap on a suggestion of business_chat.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct BusinessChat {
    /// The kind of event.
    pub event: BusinessChatEvent,
    /// The message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<String>,
    /// The user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// The text of the user, or of the suggestion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The postback data of the suggestion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postback_data: Option<String>,
    /// The time of the event, as received: `timestamp` or `sendTime`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// The whole payload.
    pub raw: Value,
}

/// The kind of a business_chat event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BusinessChatEvent {
    /// A message of the user.
    Message,
    /// A tap on a suggested reply or action.
    Suggestion,
    /// Anything else: see `raw`.
    #[default]
    #[serde(other)]
    Other,
}

impl BusinessChatEvent {
    /// The event as in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Suggestion => "suggestion",
            Self::Other => "other",
        }
    }
}

impl BusinessChat {
    pub(in crate::callback) fn read(fields: &Fields, raw: Value) -> Self {
        let postback_data =
            fields.first_at(&["/suggestionResponse/postbackData", "/reply/postbackData", "/postbackData"]);
        let text = fields.first_at(&["/suggestionResponse/text", "/reply/text", "/message/text", "/text"]);
        let event = match (&postback_data, &text) {
            (Some(_), _) => BusinessChatEvent::Suggestion,
            (None, Some(_)) => BusinessChatEvent::Message,
            (None, None) => BusinessChatEvent::Other,
        };
        Self {
            event,
            message_id: fields.first_at(&["/messageId", "/message/messageId", "/requestId"]),
            conversation_id: fields.at("/conversationId"),
            user_id: fields.first_at(USER_ID),
            text,
            postback_data,
            timestamp: fields.first_at(&["/timestamp", "/sendTime"]),
            raw,
        }
    }
}
