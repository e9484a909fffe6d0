//! Codes of SMS, single and bulk (B1, B3) and as a channel (D1).

use crate::problem::code::codes;

codes! {
    SMS_TEXT_REQUIRED = "sms.text.required", Error, "spec D1", "the text is missing or empty";
    SMS_FROM_REQUIRED = "sms.from.required", Error, "spec B1", "the sender is missing or empty";
    SMS_TO_REQUIRED = "sms.to.required", Error, "spec B1", "the recipient's number is missing or empty";
}
