//! Codes of `messenger_a` (D1).

use crate::problem::code::codes;

codes! {
    MESSENGER_A_TYPE_UNKNOWN = "messenger_a.type.unknown", Warning, "spec D1", "the specification shows no message of this type, only `regular`";
    MESSENGER_A_REGULAR_REQUIRED = "messenger_a.regular.required", Error, "spec D1", "a message of type `regular` needs the object `regular`";
    MESSENGER_A_REGULAR_TYPE_UNKNOWN = "messenger_a.regular.type.unknown", Warning, "spec D1", "the specification shows no content of this type, only `text`";
    MESSENGER_A_TEXT_REQUIRED = "messenger_a.text.required", Error, "spec D1", "the text is missing or empty";
    MESSENGER_A_TEXT_LONG = "messenger_a.text.long", Warning, "field 4096", "the text is longer than the channel is known to take";
}
