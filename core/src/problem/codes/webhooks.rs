//! Codes of the webhook registrations (E).

use crate::problem::code::codes;

codes! {
    WEBHOOK_MESSENGER_B_URL = "webhook.messenger_b.url", Error, "spec E", "the webhook's URL is missing or not https; http only for a loopback host, an empty text to remove the webhook";
    WEBHOOK_MESSENGER_B_EMPTY_URL = "webhook.messenger_b.empty_url", Warning, "spec Endpoints", "an empty URL removes the webhook and disables the one-to-one conversation";
    WEBHOOK_MESSENGER_B_EVENT_TYPES = "webhook.messenger_b.event_types", Error, "spec Events", "the event is none of those that the specification shows";
    WEBHOOK_TA_MISSING = "webhook.ta.missing", Warning, "spec E", "no traffic account is named";
    WEBHOOK_TA_NOT_UUID = "webhook.ta.not_uuid", Warning, "spec E", "the traffic account is not a UUID";
    WEBHOOK_MESSENGER_C_URL = "webhook.messenger_c.url", Error, "spec Endpoints", "the webhook's URL is missing or not https; http only for a loopback host";
    WEBHOOK_MESSENGER_C_BOT_ID_REQUIRED = "webhook.messenger_c.bot_id.required", Error, "spec Endpoints", "the bot's id is missing or blank";
    WEBHOOK_MESSENGER_C_BOT_ID_DOTS = "webhook.messenger_c.bot_id.dots", Error, "RFC 3986", "`.` and `..` lead to another path: the bot's id must be neither";
    WEBHOOK_MESSENGER_C_BOT_ID = "webhook.messenger_c.bot_id", Warning, "spec Endpoints", "one of the two forms that the specification shows starts with `bot`";
}
