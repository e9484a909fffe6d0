//! Codes of the requests of family B beside sender and text (B1, B3-B5).

use crate::problem::code::codes;

codes! {
    SMS_TO_NOT_DIGITS = "sms.to.not_digits", Error, "spec B1", "a recipient is written in digits alone, without plus sign; several, in bulk, are separated by commas";
    SMS_TO_LENGTH = "sms.to.length", Warning, "field", "a phone number has 7 to 15 digits";
    SMS_TYPE_UNKNOWN = "sms.type.unknown", Warning, "spec B1", "the specification shows `auto` and no other type";
    SMS_CALLBACK_INVALID = "sms.callback.invalid", Error, "spec B1", "the callback is not an absolute http or https URL";
    SMS_DATE_INVALID = "sms.date.invalid", Error, "spec B4", "not a day of the calendar in the form YYYY-MM-DD";
    SMS_DATE_ORDER = "sms.date.order", Warning, "field", "the range ends before it begins";
    SMS_USAGE_MISSING = "sms.usage.missing", Warning, "spec B4", "the specification shows this member in every request of usage by country";
    SMS_MESSAGE_ID_REQUIRED = "sms.message_id.required", Error, "spec B5", "the id of the message is missing or blank";
}
