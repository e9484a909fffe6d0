//! Codes of `messenger_b` (D2).

use crate::problem::code::codes;

codes! {
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
}
