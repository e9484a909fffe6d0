//! Codes of `business_chat` (D4).

use crate::problem::code::codes;

codes! {
    BUSINESS_CHAT_CONTENT_MISSING = "business_chat.content.missing", Error, "spec D4", "the message has no content: text, image, standaloneCard or carouselCard";
    BUSINESS_CHAT_CONTENT_MULTIPLE = "business_chat.content.multiple", Warning, "inferred", "the message has more than one content";
    BUSINESS_CHAT_TEXT_EMPTY = "business_chat.text.empty", Error, "spec D4", "the text is missing or empty";
    BUSINESS_CHAT_TEXT_LONG = "business_chat.text.long", Warning, "field 3072", "the text is longer than the channel is known to take";
    BUSINESS_CHAT_RICH_TEXT_MISPLACED = "business_chat.rich_text.misplaced", Error, "spec D4", "`containsRichText` belongs to the text only";
    BUSINESS_CHAT_RICH_TEXT_LITERAL = "business_chat.rich_text.literal", Warning, "spec D4", "markup is shown as it stands here";
    BUSINESS_CHAT_RICH_TEXT_MALFORMED = "business_chat.rich_text.malformed", Warning, "field", "a star or a link is not closed";
    BUSINESS_CHAT_RICH_TEXT_FLAG_MISSING = "business_chat.rich_text.flag_missing", Warning, "field", "the text has markup, which is shown as it stands unless `containsRichText` is true";
    BUSINESS_CHAT_IMAGE_FILE_URL_INVALID = "business_chat.image.file_url.invalid", Error, "spec D4", "the image's URL is missing or not an absolute http or https URL";
    BUSINESS_CHAT_MEDIA_NOT_HTTPS = "business_chat.media.not_https", Warning, "field", "the channel is known to fetch https URLs only";
    BUSINESS_CHAT_MEDIA_EXTENSION = "business_chat.media.extension", Warning, "field", "the file does not look like one that the channel shows";
    BUSINESS_CHAT_MEDIA_ALT_TEXT = "business_chat.media.alt_text", Warning, "field", "no text for those who cannot see the picture";
    BUSINESS_CHAT_MEDIA_THUMBNAIL_URL = "business_chat.media.thumbnail_url", Warning, "inferred", "the thumbnail's URL is not an absolute http or https URL";
    BUSINESS_CHAT_SUGGESTIONS_TOO_MANY = "business_chat.suggestions.too_many", Error, "spec Limits", "the message has too many suggestions";
    BUSINESS_CHAT_SUGGESTIONS_OVER_11 = "business_chat.suggestions.over_11", Warning, "field 11", "the message has more suggestions than the channel is known to show";
    BUSINESS_CHAT_SUGGESTION_KIND = "business_chat.suggestion.kind", Error, "spec D4", "the suggestion holds neither a reply nor an action";
    BUSINESS_CHAT_SUGGESTION_TEXT_EMPTY = "business_chat.suggestion.text.empty", Warning, "inferred", "the suggestion has no text";
    BUSINESS_CHAT_SUGGESTION_TEXT_TOO_LONG = "business_chat.suggestion.text.too_long", Error, "spec Limits", "the suggestion's text is too long";
    BUSINESS_CHAT_SUGGESTION_TEXT_UTF16_OVER = "business_chat.suggestion.text.utf16_over", Warning, "inferred", "the suggestion's text is within the limit in code points, but not for those who count UTF-16 units";
    BUSINESS_CHAT_SUGGESTION_POSTBACK_MISSING = "business_chat.suggestion.postback.missing", Warning, "field", "without postback data the webhook cannot tell which suggestion was tapped";
    BUSINESS_CHAT_SUGGESTION_POSTBACK_LONG = "business_chat.suggestion.postback.long", Warning, "field 2048", "the postback data is longer than the channel is known to take";
    BUSINESS_CHAT_SUGGESTION_DUPLICATE = "business_chat.suggestion.duplicate", Warning, "field", "two suggestions have the same text or the same postback data";
    BUSINESS_CHAT_CARD_EMPTY = "business_chat.card.empty", Error, "spec Limits", "a card needs media or a title";
    BUSINESS_CHAT_CARD_TITLE_LONG = "business_chat.card.title.long", Warning, "field 200", "the title is longer than the channel is known to take";
    BUSINESS_CHAT_CARD_DESCRIPTION_LONG = "business_chat.card.description.long", Warning, "field 2000", "the description is longer than the channel is known to take";
    BUSINESS_CHAT_CARD_SUGGESTIONS_TOO_MANY = "business_chat.card.suggestions.too_many", Error, "spec Limits", "the card has too many suggestions";
    BUSINESS_CHAT_CARD_MEDIA_HEIGHT_UNKNOWN = "business_chat.card.media.height.unknown", Error, "spec D4", "the height is none of those that the specification shows";
    BUSINESS_CHAT_CARD_MEDIA_HEIGHT_MISSING = "business_chat.card.media.height.missing", Warning, "field", "the media has no height";
    BUSINESS_CHAT_CARD_MEDIA_FILE_URL = "business_chat.card.media.file_url", Error, "spec D4", "the media's URL is missing or not an absolute http or https URL";
    BUSINESS_CHAT_CARD_HEIGHT = "business_chat.card.height", Error, "spec Limits", "the card's height is outside 112 to 344 DP";
    BUSINESS_CHAT_CAROUSEL_TOO_FEW = "business_chat.carousel.too_few", Error, "spec Limits", "the carousel has too few cards";
    BUSINESS_CHAT_CAROUSEL_TOO_MANY = "business_chat.carousel.too_many", Error, "spec Limits", "the carousel has too many cards";
    BUSINESS_CHAT_CAROUSEL_WIDTH_UNKNOWN = "business_chat.carousel.width.unknown", Error, "spec D4", "the width is none of those that the specification shows";
    BUSINESS_CHAT_CAROUSEL_WIDTH_MISSING = "business_chat.carousel.width.missing", Warning, "field", "the carousel has no card width";
    BUSINESS_CHAT_CAROUSEL_SMALL_TALL = "business_chat.carousel.small_tall", Error, "spec Limits", "cards of width SMALL take no TALL media";
    BUSINESS_CHAT_CAROUSEL_MIXED_HEIGHTS = "business_chat.carousel.mixed_heights", Warning, "field", "the cards have media of different heights";
    BUSINESS_CHAT_CAROUSEL_NESTED = "business_chat.carousel.nested", Error, "spec D4", "a card of a carousel holds no card or carousel of its own";
    BUSINESS_CHAT_FALLBACK_MISSING = "business_chat.fallback.missing", Warning, "spec Errors", "without a fallback the provider refuses the message with HTTP 400 when the device cannot show it";
    BUSINESS_CHAT_FALLBACK_LONG = "business_chat.fallback.long", Warning, "field 3072", "the fallback is longer than the channel is known to take";
    BUSINESS_CHAT_FORCE_FALLBACK_WITHOUT_FALLBACK = "business_chat.force_fallback.without_fallback", Warning, "inferred", "the fallback is forced, and there is none";
    BUSINESS_CHAT_FORCE_FALLBACK_ON = "business_chat.force_fallback.on", Warning, "spec D4", "the fallback is forced, which is meant for testing: the content is not shown";
    BUSINESS_CHAT_REPRESENTATIVE_TYPE = "business_chat.representative.type", Error, "spec D4", "the type is none of those that the specification shows";
    BUSINESS_CHAT_REPRESENTATIVE_AVATAR = "business_chat.representative.avatar", Error, "spec D4", "the avatar is not an absolute http or https URL";
    BUSINESS_CHAT_PAYLOAD_LARGE = "business_chat.payload.large", Warning, "field 250 KB", "the message is larger than the channel is known to take";
}
