//! Codes of `messenger_c` (D3).

use crate::problem::code::codes;

codes! {
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
}
