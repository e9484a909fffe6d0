//! Codes of `messenger_b` (D2).

use crate::problem::code::codes;

codes! {
    MESSENGER_B_CONTENT_MISSING = "messenger_b.content.missing", Error, "spec D2", "the message has no content: text, media or file";
    MESSENGER_B_TYPE_UNKNOWN = "messenger_b.type.unknown", Error, "spec D2", "the type is none of those that the specification shows";
    MESSENGER_B_TYPE_MISSING = "messenger_b.type.missing", Warning, "field", "the message has no `type`";
    MESSENGER_B_TTL_NOT_INTEGER = "messenger_b.ttl.not_integer", Error, "spec D2", "the time to live is a whole number of seconds";
    MESSENGER_B_TTL_TOO_SMALL = "messenger_b.ttl.too_small", Error, "spec Limits", "the time to live is too short";
    MESSENGER_B_TTL_TOO_LARGE = "messenger_b.ttl.too_large", Error, "spec Limits", "the time to live is too long";
    MESSENGER_B_TTL_BELOW_RECOMMENDED = "messenger_b.ttl.below_recommended", Warning, "spec Limits", "the time to live is shorter than recommended";
    MESSENGER_B_TEXT_LONG = "messenger_b.text.long", Warning, "field 1000", "the text is longer than the channel is known to take";
    MESSENGER_B_MEDIA_URL_INVALID = "messenger_b.media_url.invalid", Error, "spec D2", "the media URL is not an absolute http or https URL";
    MESSENGER_B_MEDIA_URL_LONG = "messenger_b.media_url.long", Warning, "field 1000", "the media URL is longer than the channel is known to take";
    MESSENGER_B_MEDIA_URL_NOT_IMAGE = "messenger_b.media_url.not_image", Warning, "spec D2", "the media URL does not look like an image: jpg, jpeg or png";
    MESSENGER_B_BUTTON_INCOMPLETE = "messenger_b.button.incomplete", Warning, "inferred", "a button needs a caption and an action";
    MESSENGER_B_BUTTON_CAPTION_LONG = "messenger_b.button.caption.long", Warning, "field 30", "the caption is longer than the channel is known to take";
    MESSENGER_B_BUTTON_ACTION_INVALID = "messenger_b.button.action.invalid", Error, "spec D2", "the action is neither an http or https URL nor a scheme of the channel followed by a colon";
    MESSENGER_B_BUTTON_ACTION_LONG = "messenger_b.button.action.long", Warning, "field 1000", "the action is longer than the channel is known to take";
    MESSENGER_B_BUTTON_WITHOUT_TEXT = "messenger_b.button.without_text", Warning, "field", "a button needs a text beside it";
    MESSENGER_B_FILE_MEDIA_URL_REQUIRED = "messenger_b.file.media_url.required", Error, "spec D2", "the file's URL is missing or not an absolute http or https URL";
    MESSENGER_B_FILE_NAME_UNDERIVABLE = "messenger_b.file.name.underivable", Error, "spec D2", "the file needs a name: its URL ends in none";
    MESSENGER_B_FILE_NAME_TOO_LONG = "messenger_b.file.name.too_long", Error, "spec D2", "the file name is too long";
    MESSENGER_B_FILE_NAME_DERIVED_TOO_LONG = "messenger_b.file.name.derived_too_long", Error, "spec D2", "the file name taken from the URL is too long: set `fileName`";
    MESSENGER_B_FILE_NAME_EXTENSION_MISSING = "messenger_b.file.name.extension_missing", Warning, "field", "the file name has no extension";
    MESSENGER_B_FILE_EXTENSION = "messenger_b.file.extension", Warning, "field list of 21", "the extension is none of the document formats that the channel is known to take";
    MESSENGER_B_FILE_NOT_ALONE = "messenger_b.file.not_alone", Warning, "field", "a file is sent alone, without text, media or button";
    MESSENGER_B_FILE_BYTES = "messenger_b.file.bytes", Error, "spec Limits", "the file is too large";
    MESSENGER_B_TRANSACTIONAL_MEDIA = "messenger_b.transactional.media", Warning, "spec D2", "a transactional message is a text with an optional related URL, without media";
}
