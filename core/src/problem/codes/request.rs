//! Codes that any request can have.

use crate::problem::code::codes;

codes! {
    JSON_SYNTAX = "json.syntax", Error, "conventions", "must be valid JSON";
    JSON_DUPLICATE_MEMBER = "json.duplicate_member", Warning, "conventions", "duplicate field: the last value counts";
    MSG_FIELD_TYPE = "msg.field.type", Error, "spec", "wrong JSON type";
    MSG_FIELD_UNKNOWN = "msg.field.unknown", Warning, "field", "unknown field; sent as it is";
    EXTRA_KNOWN_FIELD = "extra.known_field", Error, "conventions", "this is a documented field: set it directly, not in `extra`";
}
