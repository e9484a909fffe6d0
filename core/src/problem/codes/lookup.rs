//! Codes of number lookup (C1).

use crate::problem::code::codes;

codes! {
    LOOKUP_MSISDN_REQUIRED = "lookup.msisdn.required", Error, "spec Endpoints", "the number is missing or blank";
    LOOKUP_MSISDN_NOT_PHONE = "lookup.msisdn.not_phone", Warning, "field", "does not look like a phone number: 7 to 15 digits";
}
