//! Rules of webhook registrations (E).

use super::formats::is_uuid;
use super::url::is_dot_segment;
use crate::problem::{Pointer, Problems, codes};

/// Checks the traffic account in the query.
pub(crate) fn traffic_account(ta: Option<&str>, at: &Pointer<'_>, problems: &mut Problems) {
    match ta {
        None | Some("") => problems.add_key(&codes::WEBHOOK_TA_MISSING, at, "ta"),
        Some(ta) if !is_uuid(ta) => problems.add_key(&codes::WEBHOOK_TA_NOT_UUID, at, "ta"),
        Some(_) => {}
    }
}

/// Checks the id of a bot, a segment of the path; one of the two documented forms starts with `bot`.
pub(crate) fn bot_id(bot_id: &str, at: &Pointer<'_>, problems: &mut Problems) {
    if bot_id.trim().is_empty() {
        problems.add_key(&codes::WEBHOOK_MESSENGER_C_BOT_ID_REQUIRED, at, "bot_id");
    } else if is_dot_segment(bot_id) {
        problems.add_key(&codes::WEBHOOK_MESSENGER_C_BOT_ID_DOTS, at, "bot_id");
    } else if !bot_id.starts_with("bot") {
        problems.add_key(&codes::WEBHOOK_MESSENGER_C_BOT_ID, at, "bot_id");
    }
}
