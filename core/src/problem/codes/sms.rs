//! Codes of SMS, single and bulk (B1, B3) and as a channel (D1).

use crate::problem::code::codes;

codes! {
    SMS_TEXT_REQUIRED = "sms.text.required", Error, "spec D1", "must not be missing or empty";
    SMS_FROM_REQUIRED = "sms.from.required", Error, "spec B1", "must not be missing or empty";
    SMS_TO_REQUIRED = "sms.to.required", Error, "spec B1", "must not be missing or empty";
    SMS_SENDER_MISSING = "sms.sender.missing", Warning, "field", "no sender is set: the provider chooses what recipients see";
    SMS_SENDER_EMPTY = "sms.sender.empty", Error, "spec Limits", "must be 1 to 16 digits, or 1 to 11 letters and digits, got an empty string";
    SMS_SENDER_NUMERIC_TOO_LONG = "sms.sender.numeric_too_long", Error, "spec Limits", "numeric sender too long";
    SMS_SENDER_ALNUM_TOO_LONG = "sms.sender.alnum_too_long", Error, "spec Limits", "alphanumeric sender too long";
    SMS_SENDER_CHARSET = "sms.sender.charset", Error, "spec D1", "must contain letters and digits only";
    SMS_SENDER_PUNCTUATION = "sms.sender.punctuation", Warning, "field", "some networks do not accept punctuation or spaces in a sender";
    SMS_SENDER_PLUS = "sms.sender.plus", Warning, "field", "a numeric sender should not start with a plus sign, which does not count";
    SMS_SENDER_NON_ASCII = "sms.sender.non_ascii", Warning, "field", "some networks do not accept letters outside ASCII in a sender";
    SMS_SENDER_SEPTETS = "sms.sender.septets", Warning, "protocol", "the sender may be truncated, because some of its characters take two septets";
    SMS_TEXT_PARTS = "sms.text.parts", Info, "spec Limits", "the text is sent as a multipart message";
    SMS_TEXT_UNICODE_CAUSE = "sms.text.unicode_cause", Warning, "field", "characters outside the GSM 7-bit default alphabet force UCS-2: 70 characters in a single SMS, 67 in each part of a longer one";
    SMS_TEXT_MANY_PARTS = "sms.text.many_parts", Warning, "field", "unusually many parts";
    SMS_TEXT_PARTS_OVER_255 = "sms.text.parts_over_255", Error, "protocol", "too many parts";
}
