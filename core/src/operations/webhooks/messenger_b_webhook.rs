//! The webhook of `messenger_b` (E).

use crate::member_types::ExplicitString;
use crate::model::{model, open_enum};
use crate::operation::{Family, Method, Operation, RetrySafety, SuccessMarker};
use crate::problem::{Pointer, Problems, Validate, codes};
use crate::request::RequestContext;
use crate::rules::{allowed_values, unknown_members, url, webhook};

open_enum! {
    /// An event that the webhook of `messenger_b` receives.
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
    /// Registers the webhook of `messenger_b` (E). The provider calls the URL immediately, and the registration fails unless the URL
    /// returns 200.
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::webhooks::messenger_b::SetMessengerBWebhook;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// // Removes the webhook.
    /// let registered = client.call(SetMessengerBWebhook::new("")).await?;
    /// # assert_eq!(registered.status, 0);
    /// # Ok(())
    /// # }
    /// ```
    pub struct SetMessengerBWebhook {
        required {
            /// The URL of the webhook; an empty string removes the webhook and disables the one-to-one conversation.
            url: ExplicitString = "url",
        }
        optional {
            /// The events to receive; all events if absent.
            event_types: Vec<EventType> = "event_types" where Shown & Closed,
            /// Whether events contain the user's name (default false).
            send_name: bool = "send_name",
            /// Whether events contain the user's photo (default false).
            send_photo: bool = "send_photo",
            /// The traffic account, a query parameter; that of the configuration if absent.
            ta: String = "ta" in query,
        }
    }
}

model! {
    /// The response to the registration (E).
    pub struct Registered {
        verdict {
            /// 0 on success.
            status: i64 = "status",
        }
        optional {
            /// The provider's message.
            status_message: String = "status_message",
            /// The events that the webhook receives.
            event_types: Vec<EventType> = "event_types" where Shown,
        }
    }
}

impl Operation for SetMessengerBWebhook {
    const ID: &'static str = "webhooks.messenger_b.set";
    const FAMILY: Family = Family::MessengerB;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/pa/set_webhook";
    const SAFETY: RetrySafety = RetrySafety::Idempotent;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Status;
    const SECTION: &'static str = "E";
    type Output = Registered;

    fn apply_defaults(&mut self, context: &RequestContext) {
        context.fill_traffic_account(&mut self.ta);
    }
}

impl Validate for SetMessengerBWebhook {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        match self.url.as_str() {
            Some("") => problems.add_key(&codes::WEBHOOK_MESSENGER_B_EMPTY_URL, at, "url"),
            Some(text) => {
                if let Err(problem) = url::check_webhook(text) {
                    problem.report(&codes::WEBHOOK_MESSENGER_B_URL, at, "url", problems);
                }
            }
            None => problems.add_key(&codes::WEBHOOK_MESSENGER_B_URL, at, "url"),
        }
        for (index, event) in self.event_types.iter().flatten().enumerate() {
            if let EventType::Other(event) = event {
                let at = at.key("event_types");
                let code = &codes::WEBHOOK_MESSENGER_B_EVENT_TYPES;
                allowed_values::unknown_at(code, event, EventType::VALUES, &at.index(index), problems);
            }
        }
        webhook::traffic_account(self.ta.as_deref(), at, problems);
        unknown_members::unknown(self, at, problems);
    }
}
