//! Codes of `messenger_a` (D1).

use crate::problem::code::codes;

codes! {
    MESSENGER_A_TYPE_UNKNOWN = "messenger_a.type.unknown", Warning, "spec D1", "unknown message type";
    MESSENGER_A_REGULAR_REQUIRED = "messenger_a.regular.required", Error, "spec D1", "must not be missing when the type is `regular`";
    MESSENGER_A_REGULAR_TYPE_UNKNOWN = "messenger_a.regular.type.unknown", Warning, "spec D1", "unknown content type";
    MESSENGER_A_TEXT_REQUIRED = "messenger_a.text.required", Error, "spec D1", "must not be missing or empty";
    MESSENGER_A_TEXT_LONG = "messenger_a.text.long", Warning, "field 4096", "the text may be too long for the channel";
}
