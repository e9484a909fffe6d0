//! Codes of the requests of family B beside sender and text (B1, B3-B5).

use crate::problem::code::codes;

codes! {
    SMS_TO_NOT_DIGITS = "sms.to.not_digits", Error, "spec B1", "must be digits only, without a plus sign; in bulk, several numbers separated by commas";
    SMS_TO_LENGTH = "sms.to.length", Warning, "field", "a phone number should have 7 to 15 digits";
    SMS_TYPE_UNKNOWN = "sms.type.unknown", Warning, "spec B1", "unknown type; documented value: `auto`";
    SMS_CALLBACK_INVALID = "sms.callback.invalid", Error, "spec B1", "must be an absolute http or https URL";
    SMS_DATE_INVALID = "sms.date.invalid", Error, "spec B4", "must be a calendar date in the form YYYY-MM-DD";
    SMS_DATE_ORDER = "sms.date.order", Warning, "field", "the end date must not be before the start date";
    SMS_USAGE_MISSING = "sms.usage.missing", Warning, "spec B4", "this field should be set: every documented request of usage by country has it";
    SMS_MESSAGE_ID_REQUIRED = "sms.message_id.required", Error, "spec B5", "must not be missing or blank";
}
