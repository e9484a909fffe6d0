//! Codes of `messenger_c` (D3).

use crate::problem::code::codes;

codes! {
    MESSENGER_C_CONTENT_MISSING = "messenger_c.content.missing", Error, "spec D3", "the message has no content: text, photo, document, video, voice or location";
    MESSENGER_C_CONTENT_MULTIPLE = "messenger_c.content.multiple", Warning, "inferred", "the message has more than one content";
    MESSENGER_C_TEXT_EMPTY = "messenger_c.text.empty", Error, "spec D3", "nothing is left of the text once its markup is parsed and its ends are trimmed";
    MESSENGER_C_TEXT_TOO_LONG = "messenger_c.text.too_long", Error, "spec D3", "the text is too long once parsed";
    MESSENGER_C_TEXT_UTF16_OVER = "messenger_c.text.utf16_over", Warning, "inferred", "the text is within the limit in code points, but not for those who count UTF-16 units";
    MESSENGER_C_TEXT_RAW_TOO_LARGE = "messenger_c.text.raw_too_large", Warning, "field 32768 B", "the text with its markup is larger than the channel is known to take";
    MESSENGER_C_CAPTION_TOO_LONG = "messenger_c.caption.too_long", Error, "spec D3", "the caption is too long once parsed";
    MESSENGER_C_PARSE_MODE_UNKNOWN = "messenger_c.parse_mode.unknown", Error, "spec D3", "the parse mode is none of those that the specification shows";
    MESSENGER_C_PARSE_MODE_CASE = "messenger_c.parse_mode.case", Warning, "field", "the parse mode is the right word in the wrong case";
    MESSENGER_C_MEDIA_URL_REQUIRED = "messenger_c.media.url.required", Error, "spec D3", "the URL is missing or not an absolute http or https URL";
    MESSENGER_C_DOCUMENT_EXTENSION = "messenger_c.document.extension", Error, "spec Limits", "a document is a .gif, .pdf or .zip file";
    MESSENGER_C_VIDEO_EXTENSION = "messenger_c.video.extension", Error, "spec Limits", "a video is an .mp4 file, partly .ogg";
    MESSENGER_C_VIDEO_OGG = "messenger_c.video.ogg", Warning, "spec Limits", "a video in .ogg is supported only partly";
    MESSENGER_C_VOICE_EXTENSION = "messenger_c.voice.extension", Error, "spec Limits", "a voice note is an .ogg (OPUS) or .mp3 file";
    MESSENGER_C_PHOTO_BYTES = "messenger_c.photo.bytes", Error, "spec Limits", "the photo is too large";
    MESSENGER_C_PHOTO_DIMENSIONS = "messenger_c.photo.dimensions", Error, "spec Limits", "width plus height of the photo is too much";
    MESSENGER_C_PHOTO_RATIO = "messenger_c.photo.ratio", Error, "spec Limits", "the photo is too narrow: its longer side is more than 20 times the shorter";
    MESSENGER_C_THUMB_IGNORED = "messenger_c.thumb.ignored", Warning, "spec D3", "the service ignores `thumb`";
    MESSENGER_C_LOCATION_LATITUDE = "messenger_c.location.latitude", Error, "inferred", "the latitude is missing or outside -90 to 90 degrees";
    MESSENGER_C_LOCATION_LONGITUDE = "messenger_c.location.longitude", Error, "inferred", "the longitude is missing or outside -180 to 180 degrees";
    MESSENGER_C_BOT_USERNAME = "messenger_c.bot_username", Error, "spec Limits", "a bot's username has 5 to 32 characters and ends in `bot`";
}
