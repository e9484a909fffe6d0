//! Codes of SMS, single and bulk (B1, B3) and as a channel (D1).

use crate::problem::code::codes;

codes! {
    SMS_TEXT_REQUIRED = "sms.text.required", Error, "spec D1", "the text is missing or empty";
    SMS_FROM_REQUIRED = "sms.from.required", Error, "spec B1", "the sender is missing or empty";
    SMS_TO_REQUIRED = "sms.to.required", Error, "spec B1", "the recipient's number is missing or empty";
    SMS_SENDER_MISSING = "sms.sender.missing", Warning, "field", "no sender is set: what recipients see is up to the provider";
    SMS_SENDER_EMPTY = "sms.sender.empty", Error, "spec Limits", "the sender is empty: 1 to 16 digits, or 1 to 11 letters and digits";
    SMS_SENDER_NUMERIC_TOO_LONG = "sms.sender.numeric_too_long", Error, "spec Limits", "the numeric sender is too long";
    SMS_SENDER_ALNUM_TOO_LONG = "sms.sender.alnum_too_long", Error, "spec Limits", "the alphanumeric sender is too long";
    SMS_SENDER_CHARSET = "sms.sender.charset", Error, "spec D1", "the sender has characters other than letters and digits";
    SMS_SENDER_PUNCTUATION = "sms.sender.punctuation", Warning, "field", "not every network takes punctuation or spaces in a sender";
    SMS_SENDER_PLUS = "sms.sender.plus", Warning, "field", "a numeric sender is written without the leading plus, which does not count";
    SMS_SENDER_NON_ASCII = "sms.sender.non_ascii", Warning, "field", "not every network takes letters outside ASCII in a sender";
    SMS_SENDER_SEPTETS = "sms.sender.septets", Warning, "protocol", "the sender may be cut: networks carry 11 septets, and some characters cost two";
    SMS_TEXT_PARTS = "sms.text.parts", Info, "spec Limits", "the text is sent in several parts";
    SMS_TEXT_UNICODE_CAUSE = "sms.text.unicode_cause", Warning, "field", "a few characters outside the default alphabet cut the room to 70 units, 67 in each of several parts";
    SMS_TEXT_MANY_PARTS = "sms.text.many_parts", Warning, "field", "the text has many parts";
    SMS_TEXT_PARTS_OVER_255 = "sms.text.parts_over_255", Error, "protocol", "the text has too many parts";
}
