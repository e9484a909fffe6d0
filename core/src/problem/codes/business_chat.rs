//! Codes of `business_chat` (D4).

use crate::problem::code::codes;

codes! {
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
}
