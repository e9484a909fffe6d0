use std::borrow::Cow;

use crate::{
    error::Error,
    http::HttpRequest,
    wire::RequestContext,
    wire::{DecodeError, WireRequest, build},
};
use crate::{
    macros::{model, open_enum},
    operation::{Evidence, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems, codes},
    rules::{allowed_values, members, url, webhook},
    values::ExplicitString,
};

open_enum! {
    /// An event that the webhook of `messenger_b` is told of.
    pub enum EventType {
        /// A message reached the user.
        Delivered = "delivered",
        /// A message was seen.
        Seen = "seen",
        /// A message failed.
        Failed = "failed",
        /// A user subscribed.
        Subscribed = "subscribed",
        /// A user unsubscribed.
        Unsubscribed = "unsubscribed",
        /// A user opened the conversation.
        ConversationStarted = "conversation_started",
    }
}

model! {
    /// Registers the webhook of `messenger_b` (E). The provider calls the URL at once and succeeds only on 200.
    pub struct Set {
        required {
            /// The webhook; the empty string removes it and disables the one-to-one conversation.
            url: ExplicitString = "url",
        }
        optional {
            /// The events to be told of; all when absent.
            event_types: Vec<EventType> = "event_types",
            /// Whether events carry the user's name (default false).
            send_name: bool = "send_name",
            /// Whether events carry the user's photo (default false).
            send_photo: bool = "send_photo",
            /// The traffic account, a query parameter; the configuration's when absent.
            ta: String = "ta",
        }
    }
}

model! {
    /// The answer of the registration (E).
    pub struct Registered {
        decides {
            /// 0 on success.
            status: i64 = "status",
        }
        optional {
            /// What the provider says.
            status_message: String = "status_message",
            /// The events that the webhook is told of.
            event_types: Vec<EventType> = "event_types",
        }
    }
}

impl Operation for Set {
    const ID: &'static str = "webhooks.messenger_b.set";
    const FAMILY: Family = Family::MessengerB;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/pa/set_webhook";
    const SAFETY: RetrySafety = RetrySafety::Idempotent;
    const EVIDENCE: Evidence = Evidence::Status;
    const SECTION: &'static str = "E";
    type Output = Registered;

    fn complete(&mut self, wire: &RequestContext) {
        wire.fill_traffic_account(&mut self.ta);
    }

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        let mut body = build::members(self);
        body.remove("ta");
        let query = self.ta.as_ref().map(|ta| format!("?ta={}", build::encode(ta))).unwrap_or_default();
        wire.request::<Self>(&format!("{}{query}", Self::PATH))?.json(&body)
    }

    fn decode_request<'a>(request: &WireRequest<'a>) -> Result<Cow<'a, str>, DecodeError> {
        let mut members = request.members()?;
        members.set_from_query(request, "ta");
        members.into_json()
    }
}

impl Validate for Set {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        match self.url.as_str() {
            Some("") => problems.add_key(&codes::WEBHOOK_MESSENGER_B_EMPTY_URL, at, "url"),
            Some(text) if url::is_webhook(text) => {}
            _ => problems.add_key(&codes::WEBHOOK_MESSENGER_B_URL, at, "url"),
        }
        for (index, event) in self.event_types.iter().flatten().enumerate() {
            if let EventType::Other(event) = event {
                let at = at.key("event_types");
                let code = &codes::WEBHOOK_MESSENGER_B_EVENT_TYPES;
                allowed_values::unknown_at(code, event, EventType::VALUES, &at.index(index), problems);
            }
        }
        webhook::traffic_account(self.ta.as_deref(), at, problems);
        members::unknown(self, at, problems);
    }
}
