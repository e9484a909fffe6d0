//! The registered webhooks of the chat channels.

use cpaas::bindings::append_traffic_account;

/// The events that can be subscribed to.
pub(crate) const EVENTS: [&str; 6] =
    ["delivered", "seen", "failed", "subscribed", "unsubscribed", "conversation_started"];

/// A registered webhook.
#[derive(Debug, Clone)]
pub(crate) struct Hook {
    pub(crate) url: String,
    pub(crate) events: Vec<&'static str>,
    pub(crate) name: bool,
    pub(crate) photo: bool,
}

/// A bot's webhook.
#[derive(Debug, Clone)]
pub(crate) struct Bot {
    pub(crate) url: String,
    pub(crate) ta: Option<String>,
}

impl Bot {
    /// The URL that is called.
    pub(crate) fn target(&self) -> String {
        append_traffic_account(&self.url, self.ta.as_deref())
    }
}
