//! The members of payloads, as the OpenAPI document describes them.

use super::Source;

/// A member of a payload. Its value is a string, a number or a boolean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PayloadMember {
    /// Its JSON pointer.
    pub pointer: &'static str,
    /// Whether the specification documents it (section E).
    pub is_documented: bool,
    /// What it contains.
    pub description: &'static str,
}

const fn documented(pointer: &'static str, description: &'static str) -> PayloadMember {
    PayloadMember { pointer, is_documented: true, description }
}

const fn usual(pointer: &'static str, description: &'static str) -> PayloadMember {
    PayloadMember { pointer, is_documented: false, description }
}

impl Source {
    /// The members that the receiver reads by their first name. Reports of SMS have the members of their template; these are the
    /// names without a template.
    #[must_use]
    pub const fn payload(self) -> &'static [PayloadMember] {
        match self {
            Self::SmsReport => {
                const {
                    &[
                        documented("/msgid", "The id that the send call returned."),
                        documented("/mcc", "The mobile country code."),
                        documented("/mnc", "The mobile network code."),
                        documented("/rate", "The price in the account's currency, as decimal text."),
                        documented("/reference", "The reference given with the message."),
                        usual("/status", "The delivery status."),
                        usual("/errorcode", "The reason of a failure."),
                        usual("/to", "The recipient."),
                        usual("/from", "The sender."),
                        usual("/timestamp", "The time of the status."),
                    ]
                }
            }
            Self::ChatReport => {
                const {
                    &[
                        documented("/messageId", "The id that the send call returned."),
                        documented("/status", "The delivery status."),
                        documented("/errorcode", "The reason of a failure, a number or a string."),
                    ]
                }
            }
            Self::InboundSms => {
                const {
                    &[
                        usual("/messageId", "The id of the message."),
                        usual("/text", "The text."),
                        usual("/from", "The number of the user."),
                        usual("/to", "The two-way number."),
                        usual("/timestamp", "The time of sending."),
                    ]
                }
            }
            Self::MessengerB => {
                const {
                    &[
                        documented(
                            "/event",
                            "`delivered`, `seen`, `failed`, `subscribed`, `unsubscribed`, `conversation_started`, `message`, or `webhook` for the check after registration.",
                        ),
                        usual("/message_id", "The message."),
                        usual("/user/id", "The user."),
                        usual(
                            "/user/name",
                            "The user's name, if the webhook was registered with `send_name`.",
                        ),
                        usual(
                            "/user/photo",
                            "The user's picture, if the webhook was registered with `send_photo`.",
                        ),
                        usual("/message/text", "The text of a user message."),
                        usual("/desc", "The reason of a failure."),
                        usual("/timestamp", "The time of the event."),
                    ]
                }
            }
            Self::MessengerC => {
                const {
                    &[
                        usual("/update_id", "The id of the update."),
                        usual("/message/message_id", "The id of the message in its chat."),
                        usual("/message/from/id", "The user."),
                        usual("/message/chat/id", "The chat to reply to."),
                        usual("/message/text", "The text of the user."),
                    ]
                }
            }
            Self::BusinessChat => {
                const {
                    &[
                        usual("/messageId", "The message."),
                        usual("/conversationId", "The conversation."),
                        usual("/userId", "The user."),
                        usual("/text", "The text of the user."),
                        usual("/suggestionResponse/text", "The text of the suggestion that the user tapped."),
                        usual("/suggestionResponse/postbackData", "The postback data of the suggestion."),
                        usual("/timestamp", "The time of the event."),
                    ]
                }
            }
        }
    }
}
