//! The key of an event, equal for every repeat of its callback.

use sha2::{Digest, Sha256};

use super::event::{Event, Received};
use crate::util::hex::{hex, is_hex};

/// The start of every key. The number is the version of the hashed parts.
const PREFIX: &str = "cpaas:2:";
const HASH_BYTES: usize = 16;

impl Received {
    /// The key of the event: `cpaas:2:` and 32 hexadecimal digits, without personal data. Each repeat of a callback has the same
    /// key, and different events have different keys. `None` if the event has neither a message id nor an update id: such an event
    /// cannot be recognized.
    #[must_use]
    pub fn key(&self) -> Option<String> {
        self.event.message_id()?;
        let mut hash = Sha256::new();
        let nonce = self.claims.nonce.to_string();
        for part in [self.event.kind(), &nonce].into_iter().chain(parts(&self.event)) {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        let digest = hash.finalize();
        let half = digest.get(..HASH_BYTES).unwrap_or_default();
        Some(format!("{PREFIX}{}", hex(half)))
    }
}

/// Whether a text has the form of a key.
#[doc(hidden)]
#[must_use]
pub fn is_key(text: &str) -> bool {
    text.strip_prefix(PREFIX).is_some_and(|digits| is_hex(digits, HASH_BYTES))
}

/// Update id, message id, chat, conversation and user id, status or event name, error code, and postback data.
fn parts(event: &Event) -> [&str; 8] {
    fn text(part: Option<&String>) -> &str {
        part.map_or("", String::as_str)
    }
    let (state, detail) = event.state();
    match event {
        Event::SmsReport(it) => ["", text(it.message_id.as_ref()), "", "", "", state, detail, ""],
        Event::ChatReport(it) => ["", text(it.message_id.as_ref()), "", "", "", state, detail, ""],
        Event::InboundSms(it) => ["", text(it.message_id.as_ref()), "", "", "", "", "", ""],
        Event::MessengerB(it) => {
            ["", text(it.message_id.as_ref()), "", "", text(it.user_id.as_ref()), state, "", ""]
        }
        Event::MessengerC(it) => [
            text(it.update_id.as_ref()),
            text(it.message_id.as_ref()),
            text(it.chat_id.as_ref()),
            "",
            text(it.user_id.as_ref()),
            "",
            "",
            "",
        ],
        Event::BusinessChat(it) => [
            "",
            text(it.message_id.as_ref()),
            "",
            text(it.conversation_id.as_ref()),
            text(it.user_id.as_ref()),
            state,
            "",
            detail,
        ],
        Event::Unknown(_) => [""; 8],
    }
}
