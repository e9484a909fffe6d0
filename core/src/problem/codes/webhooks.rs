//! Codes of the webhook registrations (E).

use crate::problem::code::codes;

codes! {
    WEBHOOK_MESSENGER_B_URL = "webhook.messenger_b.url", Error, "spec E", "must be an https URL; http for a loopback host only; an empty string removes the webhook";
    WEBHOOK_MESSENGER_B_EMPTY_URL = "webhook.messenger_b.empty_url", Warning, "spec Endpoints", "an empty URL removes the webhook and disables the one-to-one conversation";
    WEBHOOK_MESSENGER_B_EVENT_TYPES = "webhook.messenger_b.event_types", Error, "spec Events", "must be a documented event";
    WEBHOOK_TA_MISSING = "webhook.ta.missing", Warning, "spec E", "no traffic account is set";
    WEBHOOK_TA_NOT_UUID = "webhook.ta.not_uuid", Warning, "spec E", "should be a UUID";
    WEBHOOK_MESSENGER_C_URL = "webhook.messenger_c.url", Error, "spec Endpoints", "must be an https URL; http for a loopback host only";
    WEBHOOK_MESSENGER_C_BOT_ID_REQUIRED = "webhook.messenger_c.bot_id.required", Error, "spec Endpoints", "must not be missing or blank";
    WEBHOOK_MESSENGER_C_BOT_ID_DOTS = "webhook.messenger_c.bot_id.dots", Error, "RFC 3986", "must not be `.` or `..`, which change the path of the URL";
    WEBHOOK_MESSENGER_C_BOT_ID = "webhook.messenger_c.bot_id", Warning, "spec Endpoints", "one of the two documented forms starts with `bot`";
}
