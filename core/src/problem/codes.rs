//! The table of problem codes, by the part of the specification that they come from.

use super::Code;

/// Declares the codes and the table of all codes.
macro_rules! codes {
    ($( $name:ident = $id:literal, $severity:ident, $source:literal, $message:literal; )*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $message)]
            pub static $name: $crate::problem::Code = $crate::problem::Code {
                id: $id,
                severity: $crate::problem::Severity::$severity,
                source: $source,
                message: $message,
            };
        )*
        /// All codes, in the order of the table.
        static TABLE: &[&$crate::problem::Code] = &[$(&$name),*];
    };
}

codes! {
    // Codes that any request can have.
    JSON_SYNTAX = "json.syntax", Error, "conventions", "must be valid JSON";
    JSON_TOO_DEEP = "json.too_deep", Error, "conventions", "too deep: at most 127 nested arrays and objects";
    JSON_DUPLICATE_MEMBER = "json.duplicate_member", Warning, "conventions", "duplicate field: the last value counts";
    MSG_FIELD_TYPE = "msg.field.type", Error, "spec", "wrong JSON type";
    MSG_FIELD_UNKNOWN = "msg.field.unknown", Warning, "field", "unknown field; sent as it is";
    MSG_FIELD_MISSPELLED = "msg.field.misspelled", Error, "conventions", "unknown field that means or resembles a missing one; set it in `extra` to send it as it is";
    MSG_FIELD_MORE = "msg.field.more", Warning, "field", "more than 100 unknown fields: only 100 are listed, and all are sent as they are";
    EXTRA_KNOWN_FIELD = "extra.known_field", Error, "conventions", "this is a documented field: set it directly, not in `extra`";

    // Codes of the recipients of any request, and of the policy of the configuration.
    NUMBER_NORMALIZED = "number.normalized", Info, "conventions", "the number is sent in its canonical form, as the setting `normalize` says";
    NUMBER_INVALID = "number.invalid", Error, "conventions", "must be a phone number";
    NUMBER_PREMIUM_RATE = "number.premium_rate", Warning, "protocol", "premium-rate number: a message may be expensive, or not arrive";
    NUMBER_SHARED_COST = "number.shared_cost", Warning, "protocol", "shared-cost number: a message may be expensive, or not arrive";
    NUMBER_SATELLITE = "number.satellite", Warning, "protocol", "number of a satellite or international network: a message may be expensive, or not arrive";
    POLICY_COUNTRY = "policy.country", Error, "conventions", "must be a number of a country in the setting `allow_countries`";
    POLICY_TYPE = "policy.type", Error, "conventions", "must be a number of a type in the setting `allow_types`";

    // Codes of one-time passcodes, limits and workflows (A1-A9).
    OTP_SERVICE_REQUIRED = "otp.service.required", Error, "spec A1", "must not be missing or blank";
    OTP_FROM_REQUIRED = "otp.from.required", Error, "spec A1", "must not be missing or blank";
    OTP_TO_REQUIRED = "otp.to.required", Error, "spec A1", "must not be missing or blank";
    OTP_TO_NOT_PHONE = "otp.to.not_phone", Warning, "field", "should be a phone number of 7 to 15 digits, as `normalize_number` returns it; the setting `normalize` accepts any notation";
    OTP_BODY_REQUIRED = "otp.body.required", Error, "spec A1", "must not be missing or blank";
    OTP_BODY_NO_CODE = "otp.body.no_code", Warning, "spec A1", "the text has no `{code}`, which is replaced by the passcode";
    OTP_BODY_CODE_BRACES = "otp.body.code_braces", Warning, "spec A1", "only `{code}` is replaced by the passcode; more braces around it are sent";
    OTP_BODY_AUTOFILL_LAST_LINE = "otp.body.autofill.last_line", Warning, "protocol", "the code does not fill itself in: `@host #{code}` must be the last line, without a line break after it";
    OTP_BODY_AUTOFILL_FORMAT = "otp.body.autofill.format", Warning, "protocol", "the code does not fill itself in: the last line must be `@host #{code}`, with one space between them and nothing before";
    OTP_BODY_AUTOFILL_HOST = "otp.body.autofill.host", Warning, "protocol", "the code does not fill itself in: after `@`, the last line must have a domain name in ASCII, without scheme, port and path";
    OTP_BODY_AUTOFILL_CODE = "otp.body.autofill.code", Warning, "protocol", "the code does not fill itself in: after `#`, the last line must have `{code}` alone; in a message without it, 4 to 10 letters and digits with at least one digit";
    OTP_BODY_AUTOFILL_APP_HASH = "otp.body.autofill.app_hash", Warning, "protocol", "the app does not receive the code: after `<#>`, the text must end with the 11-character hash of the app";
    OTP_BODY_AUTOFILL_BYTES = "otp.body.autofill.bytes", Warning, "protocol", "the app does not receive the code: a text with the hash of an app is too long";
    OTP_BODY_AUTOFILL_CALL = "otp.body.autofill.call", Warning, "inferred", "a call speaks the line that fills the code in";
    OTP_CHANNEL_UNKNOWN = "otp.channel.unknown", Warning, "spec A1", "unknown channel";
    OTP_LIMITS_EMPTY = "otp.limits.empty", Warning, "spec A1", "the name of a limit and the value that it counts must not be empty";
    OTP_GUARD_TIME_INVALID = "otp.guard_time.invalid", Warning, "spec A1", "must be an integer of 0 or more, as a number or a numeric string; the unit is not documented";
    OTP_REQUEST_ID_REQUIRED = "otp.request_id.required", Error, "spec A3", "must not be missing or blank";
    OTP_REQUEST_ID_PREFIX = "otp.request_id.prefix", Warning, "spec Conventions", "a passcode id should start with `OTP`";
    OTP_CODE_REQUIRED = "otp.code.required", Error, "spec A3", "must not be missing or blank";
    OTP_ACCOUNT_SID_REQUIRED = "otp.account_sid.required", Error, "spec A4", "must not be missing or blank";
    OTP_ACCOUNT_SID_PREFIX = "otp.account_sid.prefix", Warning, "spec Conventions", "an account id should start with `AC`";
    OTP_SID_REQUIRED = "otp.sid.required", Error, "spec Endpoints", "must not be missing or blank";
    OTP_SID_DOTS = "otp.sid.dots", Error, "RFC 3986", "must not be `.` or `..`, which change the path of the URL";
    OTP_SID_PREFIX = "otp.sid.prefix", Warning, "spec Conventions", "the id should start with the prefix of its kind";
    OTP_PAGE_SIZE = "otp.page_size", Warning, "field", "must be 1 or greater";
    OTP_PAGE = "otp.page", Warning, "field", "must be 0 or greater";
    OTP_DATE_INVALID = "otp.date.invalid", Error, "spec Endpoints", "must be a calendar date in the form YYYY-MM-DD";
    OTP_DATE_ORDER = "otp.date.order", Warning, "field", "the end date must not be before the start date";
    OTP_LIST_TYPE = "otp.list.type", Error, "spec A8/A9", "must be a JSON array, or a string that holds one";
    OTP_LIMIT_NAME_REQUIRED = "otp.limit.name.required", Error, "spec A8", "must not be missing or blank";
    OTP_LIMIT_BUCKETS_REQUIRED = "otp.limit.buckets.required", Error, "spec A8", "must contain at least one bucket";
    OTP_LIMIT_DESCRIPTION_REQUIRED = "otp.limit.description.required", Error, "spec A8", "must not be missing or blank";
    OTP_BUCKET_NAME_REQUIRED = "otp.bucket.name.required", Error, "spec A8", "must not be missing or blank";
    OTP_BUCKET_MAX_REQUIRED = "otp.bucket.max.required", Error, "spec A8", "must not be missing or blank";
    OTP_BUCKET_INTERVAL_REQUIRED = "otp.bucket.interval.required", Error, "spec A8", "must not be missing or blank";
    OTP_BUCKET_NUMBER = "otp.bucket.number", Warning, "field", "must be a positive integer, written as a string";
    OTP_WORKFLOW_NAME_REQUIRED = "otp.workflow.name.required", Error, "spec Endpoints", "must not be missing or blank";
    OTP_WORKFLOW_CHANNELS_REQUIRED = "otp.workflow.channels.required", Error, "spec Endpoints", "must contain at least one step";
    OTP_WORKFLOW_CHANNEL_REQUIRED = "otp.workflow.channel.required", Error, "spec A9", "must not be missing";
    OTP_WORKFLOW_CHANNEL_UNKNOWN = "otp.workflow.channel.unknown", Error, "spec A9", "must be a documented channel";
    OTP_WORKFLOW_INTERVAL_REQUIRED = "otp.workflow.interval.required", Error, "spec A9", "must not be missing";
    OTP_WORKFLOW_INTERVAL = "otp.workflow.interval", Warning, "field", "must be an integer of 0 or more, written as a string";
    OTP_UPDATE_EMPTY = "otp.update.empty", Warning, "field", "the request changes nothing";

    // Codes of SMS, single and bulk (B1, B3) and as a channel (D1).
    SMS_TEXT_REQUIRED = "sms.text.required", Error, "spec D1", "must not be missing or empty";
    SMS_FROM_REQUIRED = "sms.from.required", Error, "spec B1", "must not be missing or empty";
    SMS_TO_REQUIRED = "sms.to.required", Error, "spec B1", "must not be missing or empty";
    SMS_SENDER_MISSING = "sms.sender.missing", Warning, "field", "no sender is set: the provider chooses what recipients see";
    SMS_SENDER_EMPTY = "sms.sender.empty", Error, "spec Limits", "must be 1 to 16 digits, or 1 to 11 letters and digits, got an empty string";
    SMS_SENDER_NUMERIC_TOO_LONG = "sms.sender.numeric_too_long", Error, "spec Limits", "numeric sender too long";
    SMS_SENDER_ALNUM_TOO_LONG = "sms.sender.alnum_too_long", Error, "spec Limits", "alphanumeric sender too long";
    SMS_SENDER_CHARSET = "sms.sender.charset", Error, "spec D1", "must contain letters and digits only";
    SMS_SENDER_PUNCTUATION = "sms.sender.punctuation", Warning, "field", "some networks do not accept punctuation or spaces in a sender";
    SMS_SENDER_PLUS = "sms.sender.plus", Warning, "field", "a numeric sender should not start with a plus sign, which is not counted as a digit";
    SMS_SENDER_NON_ASCII = "sms.sender.non_ascii", Warning, "field", "some networks do not accept letters outside ASCII in a sender";
    SMS_SENDER_SEPTETS = "sms.sender.septets", Warning, "protocol", "the sender may be truncated, because some of its characters take two septets";
    SMS_TEXT_PARTS = "sms.text.parts", Info, "spec Limits", "the text is sent as a multipart message";
    SMS_TEXT_UNICODE_CAUSE = "sms.text.unicode_cause", Warning, "field", "characters outside the GSM 7-bit default alphabet force UCS-2: 70 characters in a single SMS, 67 in each part of a longer one";
    SMS_TEXT_MANY_PARTS = "sms.text.many_parts", Warning, "field", "unusually many parts";
    SMS_TEXT_PARTS_OVER_255 = "sms.text.parts_over_255", Error, "protocol", "too many parts";

    // Codes of the other members of the family `sms` (B1, B3-B5).
    SMS_TO_NOT_DIGITS = "sms.to.not_digits", Error, "spec B1", "must be digits only, without a plus sign, as `normalize_number` returns them; the setting `normalize` accepts any notation";
    SMS_TO_PREFIX = "sms.to.prefix", Error, "spec B1", "must start with the country code, not with 00, as `normalize_number` returns it; the setting `normalize` accepts any notation";
    SMS_TO_LENGTH = "sms.to.length", Warning, "field", "a phone number should have 7 to 15 digits";
    SMS_TYPE_UNKNOWN = "sms.type.unknown", Warning, "spec B1", "unknown type; documented value: `auto`";
    SMS_CALLBACK_INVALID = "sms.callback.invalid", Error, "spec B1", "must be an absolute http or https URL";
    SMS_DATE_INVALID = "sms.date.invalid", Error, "spec B4", "must be a calendar date in the form YYYY-MM-DD";
    SMS_DATE_ORDER = "sms.date.order", Warning, "field", "the end date must not be before the start date";
    SMS_USAGE_MISSING = "sms.usage.missing", Warning, "spec B4", "this field should be set: every documented request of usage by country has it";
    SMS_MESSAGE_ID_REQUIRED = "sms.message_id.required", Error, "spec B5", "must not be missing or blank";

    // Codes of number lookup (C1).
    LOOKUP_MSISDN_REQUIRED = "lookup.msisdn.required", Error, "spec Endpoints", "must be a phone number that is not blank";
    LOOKUP_MSISDN_NOT_PHONE = "lookup.msisdn.not_phone", Warning, "field", "should be a phone number of 7 to 15 digits, as `normalize_number` returns it; the setting `normalize` accepts any notation";

    // Codes of the envelope of the messaging API (D1, D5, D6).
    MSG_TRAFFIC_ACCOUNT_ID_REQUIRED = "msg.traffic_account_id.required", Error, "spec D1", "must not be missing";
    MSG_TRAFFIC_ACCOUNT_ID_NOT_UUID = "msg.traffic_account_id.not_uuid", Error, "spec D1", "must be a UUID: hexadecimal digits in groups of 8-4-4-4-12";
    MSG_DESTINATION_REQUIRED = "msg.destination.required", Error, "spec D1", "must not be missing or blank";
    MSG_DESTINATION_NOT_PHONE = "msg.destination.not_phone", Warning, "field", "should be a phone number for this channel: 7 to 15 digits, optionally after a plus sign, as `normalize_number` returns it; the setting `normalize` accepts any notation";
    MSG_DESTINATION_NOT_NUMBER = "msg.destination.not_number", Error, "spec D1", "must be a phone number for `sms`: digits, optionally after a plus sign";
    MSG_CHANNEL_MISSING = "msg.channel.missing", Error, "spec D1", "the message must have a channel object";
    MSG_CHANNEL_MULTIPLE = "msg.channel.multiple", Error, "spec D1", "a message without `failover` must have one channel object";
    MSG_CHANNEL_NOT_IN_BULK = "msg.channel.not_in_bulk", Warning, "spec D6", "the bulk operation does not document this channel";
    BULK_DESTINATIONS_EMPTY = "bulk.destinations.empty", Error, "spec D6", "must contain at least one destination";
    BULK_DESTINATION_BLANK = "bulk.destination.blank", Error, "spec D6", "must not be blank";
    BULK_DESTINATIONS_DUPLICATE = "bulk.destinations.duplicate", Warning, "spec B3/D6", "duplicate number: it receives one message for each occurrence";
    BULK_VERSION = "bulk.version", Error, "spec Versioning", "must be 1.1 or later: the bulk operation exists since version 1.1";
    FAILOVER_REQUIRED = "failover.required", Error, "spec D5", "must not be missing";
    FAILOVER_TYPE_MISSING = "failover.type.missing", Warning, "spec D5", "the failover has no `type`; documented value: `Timeout`";
    FAILOVER_TYPE_UNKNOWN = "failover.type.unknown", Warning, "spec D5", "unknown failover type";
    FAILOVER_TIMEOUT_REQUIRED = "failover.timeout.required", Error, "spec D5", "must not be missing when the type is `Timeout`";
    FAILOVER_TIMEOUT_SECONDS = "failover.timeout.seconds", Error, "spec D5", "must be a positive integer number of seconds";
    FAILOVER_TIMEOUT_STATUS = "failover.timeout.status", Warning, "spec D5", "unknown failover status";
    FAILOVER_TIMEOUT_ACCOUNTS = "failover.timeout.accounts", Error, "spec D5", "must contain one UUID for each channel";
    FAILOVER_CHANNELS_COUNT = "failover.channels.count", Warning, "inferred", "a failover should have at least two channel objects, and a traffic account for each";
    FAILOVER_CHANNEL_UNKNOWN = "failover.channel.unknown", Error, "spec D5", "unknown channel: the failover would skip it";
    FAILOVER_TTL_OVER_TIMEOUT = "failover.ttl_over_timeout", Warning, "inferred", "the time to live should not exceed the timeout of the failover, or the message can arrive on both channels";
    FAILOVER_MESSENGER_C_NEVER_DELIVERED = "failover.messenger_c.never_delivered", Warning, "spec Events", "messenger_c does not report `Delivered`: a failover that waits for it always moves to the next channel";

    // Codes of `messenger_a` (D1).
    MESSENGER_A_TYPE_UNKNOWN = "messenger_a.type.unknown", Warning, "spec D1", "unknown message type";
    MESSENGER_A_REGULAR_REQUIRED = "messenger_a.regular.required", Error, "spec D1", "must not be missing when the type is `regular`";
    MESSENGER_A_REGULAR_TYPE_UNKNOWN = "messenger_a.regular.type.unknown", Warning, "spec D1", "unknown content type";
    MESSENGER_A_TEXT_REQUIRED = "messenger_a.text.required", Error, "spec D1", "must not be missing or empty";
    MESSENGER_A_TEXT_LONG = "messenger_a.text.long", Warning, "field 4096", "the text may be too long for the channel";

    // Codes of `messenger_b` (D2).
    MESSENGER_B_CONTENT_MISSING = "messenger_b.content.missing", Error, "spec D2", "the message must have a text, a media URL or a file";
    MESSENGER_B_TYPE_UNKNOWN = "messenger_b.type.unknown", Error, "spec D2", "must be a documented message type";
    MESSENGER_B_TYPE_MISSING = "messenger_b.type.missing", Warning, "field", "the message has no `type`";
    MESSENGER_B_TTL_NOT_INTEGER = "messenger_b.ttl.not_integer", Error, "spec D2", "must be an integer number of seconds";
    MESSENGER_B_TTL_TOO_SMALL = "messenger_b.ttl.too_small", Error, "spec Limits", "time to live too short";
    MESSENGER_B_TTL_TOO_LARGE = "messenger_b.ttl.too_large", Error, "spec Limits", "time to live too long";
    MESSENGER_B_TTL_BELOW_RECOMMENDED = "messenger_b.ttl.below_recommended", Warning, "spec Limits", "the time to live is shorter than recommended";
    MESSENGER_B_TEXT_LONG = "messenger_b.text.long", Warning, "field 1000", "the text may be too long for the channel";
    MESSENGER_B_MEDIA_URL_INVALID = "messenger_b.media_url.invalid", Error, "spec D2", "must be an absolute http or https URL";
    MESSENGER_B_MEDIA_URL_LONG = "messenger_b.media_url.long", Warning, "field 1000", "the URL may be too long for the channel";
    MESSENGER_B_MEDIA_URL_NOT_IMAGE = "messenger_b.media_url.not_image", Warning, "spec D2", "should be the URL of an image: jpg, jpeg or png";
    MESSENGER_B_BUTTON_INCOMPLETE = "messenger_b.button.incomplete", Warning, "inferred", "a button should have a caption and an action";
    MESSENGER_B_BUTTON_CAPTION_LONG = "messenger_b.button.caption.long", Warning, "field 30", "the caption may be too long for the channel";
    MESSENGER_B_BUTTON_ACTION_INVALID = "messenger_b.button.action.invalid", Error, "spec D2", "must be an http or https URL, or a URI with a scheme of the channel";
    MESSENGER_B_BUTTON_ACTION_LONG = "messenger_b.button.action.long", Warning, "field 1000", "the action may be too long for the channel";
    MESSENGER_B_BUTTON_WITHOUT_TEXT = "messenger_b.button.without_text", Warning, "field", "a message with a button should have a text";
    MESSENGER_B_FILE_MEDIA_URL_REQUIRED = "messenger_b.file.media_url.required", Error, "spec D2", "must be an absolute http or https URL";
    MESSENGER_B_FILE_NAME_UNDERIVABLE = "messenger_b.file.name.underivable", Error, "spec D2", "must be set when the URL does not end in a file name";
    MESSENGER_B_FILE_NAME_TOO_LONG = "messenger_b.file.name.too_long", Error, "spec D2", "file name too long";
    MESSENGER_B_FILE_NAME_DERIVED_TOO_LONG = "messenger_b.file.name.derived_too_long", Error, "spec D2", "the file name from the URL is too long; set `fileName`";
    MESSENGER_B_FILE_NAME_EXTENSION_MISSING = "messenger_b.file.name.extension_missing", Warning, "field", "the file name has no extension";
    MESSENGER_B_FILE_EXTENSION = "messenger_b.file.extension", Warning, "field list of 21", "the file extension may not be accepted by the channel";
    MESSENGER_B_FILE_NOT_ALONE = "messenger_b.file.not_alone", Warning, "field", "a file should be sent alone, without text, media or button";
    MESSENGER_B_FILE_BYTES = "messenger_b.file.bytes", Error, "spec Limits", "file too large";
    MESSENGER_B_TRANSACTIONAL_MEDIA = "messenger_b.transactional.media", Warning, "spec D2", "a transactional message should be text with an optional URL, without media";

    // Codes of `messenger_c` (D3).
    MESSENGER_C_CONTENT_MISSING = "messenger_c.content.missing", Error, "spec D3", "the message must have a text, photo, document, video, voice note or location";
    MESSENGER_C_CONTENT_MULTIPLE = "messenger_c.content.multiple", Warning, "inferred", "the message should have one content, got several";
    MESSENGER_C_TEXT_EMPTY = "messenger_c.text.empty", Error, "spec D3", "must contain text that remains after its markup is parsed and white space is trimmed";
    MESSENGER_C_TEXT_TOO_LONG = "messenger_c.text.too_long", Error, "spec D3", "text too long after its markup is parsed";
    MESSENGER_C_TEXT_UTF16_OVER = "messenger_c.text.utf16_over", Warning, "inferred", "the text is within the limit in characters, but may be too long for a client that counts UTF-16 units";
    MESSENGER_C_TEXT_RAW_TOO_LARGE = "messenger_c.text.raw_too_large", Warning, "field 32768 B", "the text with its markup may be too large for the channel";
    MESSENGER_C_CAPTION_TOO_LONG = "messenger_c.caption.too_long", Error, "spec D3", "caption too long after its markup is parsed";
    MESSENGER_C_PARSE_MODE_UNKNOWN = "messenger_c.parse_mode.unknown", Error, "spec D3", "must be a documented parse mode";
    MESSENGER_C_PARSE_MODE_CASE = "messenger_c.parse_mode.case", Warning, "field", "a parse mode should have the documented capitalization";
    MESSENGER_C_MEDIA_URL_REQUIRED = "messenger_c.media.url.required", Error, "spec D3", "must be an absolute http or https URL";
    MESSENGER_C_DOCUMENT_EXTENSION = "messenger_c.document.extension", Error, "spec Limits", "must be the URL of a .gif, .pdf or .zip file";
    MESSENGER_C_VIDEO_EXTENSION = "messenger_c.video.extension", Error, "spec Limits", "must be the URL of an .mp4 file; .ogg is partly supported";
    MESSENGER_C_VIDEO_OGG = "messenger_c.video.ogg", Warning, "spec Limits", "a video in .ogg is only partly supported";
    MESSENGER_C_VOICE_EXTENSION = "messenger_c.voice.extension", Error, "spec Limits", "must be the URL of an .ogg (OPUS) or .mp3 file";
    MESSENGER_C_PHOTO_BYTES = "messenger_c.photo.bytes", Error, "spec Limits", "photo too large";
    MESSENGER_C_PHOTO_DIMENSIONS = "messenger_c.photo.dimensions", Error, "spec Limits", "width plus height of the photo too large";
    MESSENGER_C_PHOTO_RATIO = "messenger_c.photo.ratio", Error, "spec Limits", "the longer side of the photo must be at most 20 times the shorter";
    MESSENGER_C_THUMB_IGNORED = "messenger_c.thumb.ignored", Warning, "spec D3", "the service ignores `thumb`";
    MESSENGER_C_LOCATION_LATITUDE = "messenger_c.location.latitude", Error, "inferred", "must be a number from -90 to 90";
    MESSENGER_C_LOCATION_LONGITUDE = "messenger_c.location.longitude", Error, "inferred", "must be a number from -180 to 180";
    MESSENGER_C_BOT_USERNAME = "messenger_c.bot_username", Error, "spec Limits", "must have 5 to 32 characters and end in `bot`";

    // Codes of the markup of `messenger_c` (D3, "after parsing").
    MARKUP_UNCLOSED_ENTITY = "messenger_c.markup.unclosed_entity", Error, "protocol (spec D3)", "a mark that opens a style must be closed";
    MARKUP_RESERVED_CHARACTER = "messenger_c.markup.reserved_character", Error, "protocol (spec D3)", "a reserved character must be escaped with a backslash";
    MARKUP_UNCLOSED_URL = "messenger_c.markup.unclosed_url", Error, "protocol (spec D3)", "the URL of a link must end with a closing parenthesis";
    MARKUP_CUSTOM_EMOJI = "messenger_c.markup.custom_emoji", Error, "protocol (spec D3)", "a custom emoji must have a valid id; MarkdownV2 expects tg://emoji?id=ID or tg://time?unix=TIME";
    MARKUP_UNSUPPORTED_TAG = "messenger_c.markup.unsupported_tag", Error, "protocol (spec D3)", "unsupported tag; a literal `<` must be written as `&lt;`";
    MARKUP_UNCLOSED_TAG = "messenger_c.markup.unclosed_tag", Error, "protocol (spec D3)", "a tag must be complete and have an end tag";
    MARKUP_UNMATCHED_END_TAG = "messenger_c.markup.unmatched_end_tag", Error, "protocol (spec D3)", "an end tag must match the innermost open tag";
    MARKUP_UNEXPECTED_END_TAG = "messenger_c.markup.unexpected_end_tag", Error, "protocol (spec D3)", "an end tag must have a start tag";
    MARKUP_ATTRIBUTE = "messenger_c.markup.attribute", Error, "protocol (spec D3)", "an attribute must have a name, and its value may need quotes";
    MARKUP_SPAN_CLASS = "messenger_c.markup.span_class", Error, "protocol (spec D3)", "a span must have the class `tg-spoiler`";
    MARKUP_INVALID_UNICODE = "messenger_c.markup.invalid_unicode", Error, "protocol (spec D3)", "a numeric reference must not be a lone surrogate";
    MARKUP_DATE_FORMAT = "messenger_c.markup.date_format", Error, "protocol (spec D3)", "the format of a time must be `r` alone, or letters of tTdDwW";
    MARKUP_LINK_DROPPED = "messenger_c.markup.link_dropped", Warning, "field", "the channel does not accept the URL of the link and sends the label without it";
    MARKUP_LITERAL_ENTITY = "messenger_c.markup.literal_entity", Warning, "field", "the channel supports only &lt; &gt; &amp; and &quot; and shows this reference literally";
    MARKUP_WORD_UNDERSCORE = "messenger_c.markup.word_underscore", Warning, "field", "a mark inside a word opens a style and is not shown";
    MARKUP_LEGACY = "messenger_c.markup.legacy", Info, "field", "`Markdown` is the legacy mode: `MarkdownV2` supports nesting and reports errors precisely";
    MARKUP_NOT_PARSED = "messenger_c.markup.not_parsed", Warning, "field", "the text looks like markup but is sent literally";
    MARKUP_CODE_NESTED = "messenger_c.markup.code_nested", Warning, "field", "code and another style overlap: the channel drops one of them";
    MARKUP_MANY_ENTITIES = "messenger_c.markup.many_entities", Warning, "field 100", "the text has more than 100 styles: the channel ignores the rest";
    MARKUP_DOUBLE_STAR = "messenger_c.markup.double_star", Warning, "field", "two stars are an empty bold style: bold is written with one star";

    // Codes of `business_chat` (D4).
    BUSINESS_CHAT_CONTENT_MISSING = "business_chat.content.missing", Error, "spec D4", "the message must have text, image, standaloneCard or carouselCard";
    BUSINESS_CHAT_CONTENT_MULTIPLE = "business_chat.content.multiple", Warning, "inferred", "the message should have one content, got several";
    BUSINESS_CHAT_TEXT_EMPTY = "business_chat.text.empty", Error, "spec D4", "must not be missing or empty";
    BUSINESS_CHAT_TEXT_LONG = "business_chat.text.long", Warning, "field 3072", "the text may be too long for the channel";
    BUSINESS_CHAT_RICH_TEXT_MISPLACED = "business_chat.rich_text.misplaced", Error, "spec D4", "`containsRichText` is valid only in the text object";
    BUSINESS_CHAT_RICH_TEXT_LITERAL = "business_chat.rich_text.literal", Warning, "spec D4", "markup in this field is shown literally";
    BUSINESS_CHAT_RICH_TEXT_MALFORMED = "business_chat.rich_text.malformed", Warning, "field", "a style or a link in the text is not closed";
    BUSINESS_CHAT_RICH_TEXT_FLAG_MISSING = "business_chat.rich_text.flag_missing", Warning, "field", "the text has markup, which is shown literally unless `containsRichText` is true";
    BUSINESS_CHAT_IMAGE_FILE_URL_INVALID = "business_chat.image.file_url.invalid", Error, "spec D4", "must be an absolute http or https URL";
    BUSINESS_CHAT_MEDIA_NOT_HTTPS = "business_chat.media.not_https", Warning, "field", "should be an https URL: the channel is known to fetch no others";
    BUSINESS_CHAT_MEDIA_EXTENSION = "business_chat.media.extension", Warning, "field", "the file type may not be supported by the channel";
    BUSINESS_CHAT_MEDIA_ALT_TEXT = "business_chat.media.alt_text", Warning, "field", "no alternative text for screen readers";
    BUSINESS_CHAT_MEDIA_THUMBNAIL_URL = "business_chat.media.thumbnail_url", Warning, "inferred", "should be an absolute http or https URL";
    BUSINESS_CHAT_SUGGESTIONS_TOO_MANY = "business_chat.suggestions.too_many", Error, "spec Limits", "too many suggestions";
    BUSINESS_CHAT_SUGGESTIONS_OVER_11 = "business_chat.suggestions.over_11", Warning, "field 11", "the channel may not show all suggestions";
    BUSINESS_CHAT_SUGGESTION_KIND = "business_chat.suggestion.kind", Error, "spec D4", "a suggestion must have a reply or an action";
    BUSINESS_CHAT_SUGGESTION_TEXT_EMPTY = "business_chat.suggestion.text.empty", Warning, "inferred", "the suggestion has no text";
    BUSINESS_CHAT_SUGGESTION_TEXT_TOO_LONG = "business_chat.suggestion.text.too_long", Error, "spec Limits", "suggestion text too long";
    BUSINESS_CHAT_SUGGESTION_TEXT_UTF16_OVER = "business_chat.suggestion.text.utf16_over", Warning, "inferred", "the suggestion text is within the limit in characters, but may be too long for a client that counts UTF-16 units";
    BUSINESS_CHAT_SUGGESTION_POSTBACK_MISSING = "business_chat.suggestion.postback.missing", Warning, "field", "without postback data the webhook cannot identify which suggestion was tapped";
    BUSINESS_CHAT_SUGGESTION_POSTBACK_LONG = "business_chat.suggestion.postback.long", Warning, "field 2048", "the postback data may be too long for the channel";
    BUSINESS_CHAT_SUGGESTION_DUPLICATE = "business_chat.suggestion.duplicate", Warning, "field", "suggestions should differ in text and in postback data";
    BUSINESS_CHAT_CARD_EMPTY = "business_chat.card.empty", Error, "spec Limits", "a card must have media or a title";
    BUSINESS_CHAT_CARD_TITLE_LONG = "business_chat.card.title.long", Warning, "field 200", "the title may be too long for the channel";
    BUSINESS_CHAT_CARD_DESCRIPTION_LONG = "business_chat.card.description.long", Warning, "field 2000", "the description may be too long for the channel";
    BUSINESS_CHAT_CARD_SUGGESTIONS_TOO_MANY = "business_chat.card.suggestions.too_many", Error, "spec Limits", "too many suggestions in a card";
    BUSINESS_CHAT_CARD_MEDIA_HEIGHT_UNKNOWN = "business_chat.card.media.height.unknown", Error, "spec D4", "must be a documented media height";
    BUSINESS_CHAT_CARD_MEDIA_HEIGHT_MISSING = "business_chat.card.media.height.missing", Warning, "field", "the media has no height";
    BUSINESS_CHAT_CARD_MEDIA_FILE_URL = "business_chat.card.media.file_url", Error, "spec D4", "must be an absolute http or https URL";
    BUSINESS_CHAT_CARD_HEIGHT = "business_chat.card.height", Error, "spec Limits", "card height out of range";
    BUSINESS_CHAT_CAROUSEL_TOO_FEW = "business_chat.carousel.too_few", Error, "spec Limits", "too few cards in the carousel";
    BUSINESS_CHAT_CAROUSEL_TOO_MANY = "business_chat.carousel.too_many", Error, "spec Limits", "too many cards in the carousel";
    BUSINESS_CHAT_CAROUSEL_WIDTH_UNKNOWN = "business_chat.carousel.width.unknown", Error, "spec D4", "must be a documented card width";
    BUSINESS_CHAT_CAROUSEL_WIDTH_MISSING = "business_chat.carousel.width.missing", Warning, "field", "the carousel has no card width";
    BUSINESS_CHAT_CAROUSEL_SMALL_TALL = "business_chat.carousel.small_tall", Error, "spec Limits", "must not be TALL in a carousel whose card width is SMALL";
    BUSINESS_CHAT_CAROUSEL_MIXED_HEIGHTS = "business_chat.carousel.mixed_heights", Warning, "field", "the cards should have media of the same height";
    BUSINESS_CHAT_CAROUSEL_NESTED = "business_chat.carousel.nested", Error, "spec D4", "a card of a carousel must not contain a card or a carousel";
    BUSINESS_CHAT_FALLBACK_MISSING = "business_chat.fallback.missing", Warning, "spec Errors", "without a fallback the provider rejects the message with HTTP 400 if the device cannot show it";
    BUSINESS_CHAT_FALLBACK_LONG = "business_chat.fallback.long", Warning, "field 3072", "the fallback may be too long for the channel";
    BUSINESS_CHAT_FORCE_FALLBACK_WITHOUT_FALLBACK = "business_chat.force_fallback.without_fallback", Warning, "inferred", "must not be true without a fallback";
    BUSINESS_CHAT_FORCE_FALLBACK_ON = "business_chat.force_fallback.on", Warning, "spec D4", "the fallback is shown instead of the content; meant for testing";
    BUSINESS_CHAT_REPRESENTATIVE_TYPE = "business_chat.representative.type", Error, "spec D4", "must be a documented representative type";
    BUSINESS_CHAT_REPRESENTATIVE_AVATAR = "business_chat.representative.avatar", Error, "spec D4", "must be an absolute http or https URL";
    BUSINESS_CHAT_PAYLOAD_LARGE = "business_chat.payload.large", Warning, "field 250 KB", "the message may be too large for the channel";

    // Codes of the webhook registrations (E).
    WEBHOOK_MESSENGER_B_URL = "webhook.messenger_b.url", Error, "spec E", "must be an https URL; http for a loopback host only; an empty string removes the webhook";
    WEBHOOK_MESSENGER_B_EMPTY_URL = "webhook.messenger_b.empty_url", Warning, "spec Endpoints", "an empty URL removes the webhook and disables the one-to-one conversation";
    WEBHOOK_MESSENGER_B_EVENT_TYPES = "webhook.messenger_b.event_types", Error, "spec Events", "must be a documented event";
    WEBHOOK_TA_MISSING = "webhook.ta.missing", Warning, "spec E", "no traffic account is set";
    WEBHOOK_TA_NOT_UUID = "webhook.ta.not_uuid", Warning, "spec E", "should be a UUID";
    WEBHOOK_MESSENGER_C_URL = "webhook.messenger_c.url", Error, "spec Endpoints", "must be an https URL; http for a loopback host only";
    WEBHOOK_MESSENGER_C_BOT_ID_REQUIRED = "webhook.messenger_c.bot_id.required", Error, "spec Endpoints", "must not be missing or blank";
    WEBHOOK_MESSENGER_C_BOT_ID_DOTS = "webhook.messenger_c.bot_id.dots", Error, "RFC 3986", "must not be `.` or `..`, which change the path of the URL";
    WEBHOOK_MESSENGER_C_BOT_ID = "webhook.messenger_c.bot_id", Warning, "spec Endpoints", "must start with `bot` in one of the two documented forms";

    // Codes of stores that a client consults before it sends.
    SUPPRESSED = "suppressed", Error, "conventions", "the suppression store contains this number: it gets no message";
    SUPPRESSION_UNAVAILABLE = "suppression.unavailable", Error, "conventions", "the suppression store failed or did not answer in time";
    GUARD_RECIPIENT = "guard.recipient", Error, "conventions", "too many messages to this number within a short time";
    GUARD_SEQUENCE = "guard.sequence", Error, "conventions", "too many messages to consecutive numbers within a short time";
    GUARD_RANGE = "guard.range", Error, "conventions", "too many messages to numbers that differ in their last four digits only within a short time";
    GUARD_PREFIX = "guard.prefix", Error, "conventions", "too many messages to numbers that differ in their last seven digits only within a short time";
    GUARD_COUNTRY = "guard.country", Error, "conventions", "too many messages to numbers with the same country code within a short time";
    GUARD_CONVERSION = "guard.conversion", Error, "conventions", "too few passcodes of the numbers with this prefix are entered";
    GUARD_UNAVAILABLE = "guard.unavailable", Error, "conventions", "the store of the guard failed or did not answer in time";
    // Codes of rows of a campaign: why a row is not sent.
    CAMPAIGN_FREQUENCY_CAP = "campaign.frequency_cap", Error, "campaign", "the recipient had as many messages of earlier campaigns as the frequency cap permits";

    // Codes of responses: missing or unreadable members, and results from the provider's records.
    RESPONSE_MEMBER_MISSING = "response.member.missing", Warning, "response", "the response lacks this documented field";
    RESPONSE_MEMBER_UNREADABLE = "response.member.unreadable", Warning, "response", "this field of the response does not have the documented type; see `raw`";
    RESPONSE_ELEMENTS_MISSING = "response.elements.missing", Warning, "response", "the response has fewer elements than were requested";
    RESPONSE_ELEMENTS_ORDER = "response.elements.order", Warning, "response", "the elements are not in the order of the request: match them by number";
    RESPONSE_ID_REPEATED = "response.id.repeated", Warning, "response", "the response repeats the id of another call";
    RESPONSE_RECONCILED = "response.reconciled", Warning, "response", "the response was lost; the result was read from the provider's records and matches the request, but another call may have caused it";
    RESPONSE_PAGES_TOTAL = "response.pages.total", Warning, "response", "the pages of the list contain more or fewer records than `total`";
    RESPONSE_MORE = "response.more", Warning, "response", "more fields of the response are missing or unreadable";
}

/// All codes, in the order of the table.
#[must_use]
pub fn all() -> Vec<&'static Code> {
    TABLE.to_vec()
}

/// The code with this name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Code> {
    TABLE.iter().copied().find(|code| code.id == id)
}
