//! Codes of number lookup (C1).

use crate::problem::code::codes;

codes! {
    LOOKUP_MSISDN_REQUIRED = "lookup.msisdn.required", Error, "spec Endpoints", "must be a phone number that is not blank";
    LOOKUP_MSISDN_NOT_PHONE = "lookup.msisdn.not_phone", Warning, "field", "should be a phone number of 7 to 15 digits";
}
