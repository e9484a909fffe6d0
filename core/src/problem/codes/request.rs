//! Codes that any request can have.

use crate::problem::code::codes;

codes! {
    JSON_SYNTAX = "json.syntax", Error, "conventions", "not a JSON object";
    MSG_FIELD_TYPE = "msg.field.type", Error, "spec", "the JSON type differs from the specification's";
    MSG_FIELD_UNKNOWN = "msg.field.unknown", Warning, "field", "the specification does not show this member";
    EXTRA_KNOWN_FIELD = "extra.known_field", Error, "conventions", "a member that the specification shows does not belong into `extra`";
}
