//! Sessions of `messenger_b`: at most 24 hours, 60 messages of the business, and 5 consecutive messages without a reply.

use super::delivery::SESSION_ENDED;
use super::send_message::OutgoingChat;
use crate::account_state::State;
use crate::account_state::chat_progress::Session;
use crate::ledger::fnv;
use crate::log_entries::Event;
use crate::message::Message;
use crate::time_text::DAY;

const MAX_MESSAGES_PER_SESSION: u32 = 60;
const MAX_UNANSWERED: u32 = 5;

impl State {
    /// Counts a session message. Returns the error code if the session has ended (D47).
    pub(super) fn session(&mut self, outgoing: &OutgoingChat<'_>, message: &mut Message) -> Option<i64> {
        let kind = outgoing.content.get("type").and_then(serde_json::Value::as_str);
        if outgoing.channel != "messenger_b" || kind != Some("session") {
            return None;
        }
        let now = self.clock.now();
        let session = self.sessions.entry(fnv(outgoing.to.as_bytes())).or_insert(Session {
            number: 0,
            started: 0,
            sent: MAX_MESSAGES_PER_SESSION,
            unanswered: 0,
        });
        let over = session.number > 0 && now >= session.started + DAY;
        if session.unanswered >= MAX_UNANSWERED && !over {
            message.add_member("session", session.number);
            message.assumed.add(crate::assumptions::AssumptionId(47));
            let id = message.id.to_string();
            self.event(Event::new(now, "session.ended").about(id));
            return Some(SESSION_ENDED);
        }
        if over || session.sent >= MAX_MESSAGES_PER_SESSION {
            let unanswered = if over { 0 } else { session.unanswered };
            *session = Session { number: session.number + 1, started: now, sent: 0, unanswered };
        }
        session.sent += 1;
        session.unanswered += 1;
        message.add_member("session", session.number);
        None
    }

    /// Resets the count of unanswered messages, because the user wrote.
    pub(crate) fn session_reply(&mut self, user: &str) {
        if let Some(session) = self.sessions.get_mut(&fnv(user.as_bytes())) {
            session.unanswered = 0;
        }
    }
}
