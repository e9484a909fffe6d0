//! Codes that any request can have.

use crate::problem::code::codes;

codes! {
    JSON_SYNTAX = "json.syntax", Error, "conventions", "not valid JSON";
    JSON_DUPLICATE_MEMBER = "json.duplicate_member", Warning, "conventions", "the member stands twice: the last one counts";
    MSG_FIELD_TYPE = "msg.field.type", Error, "spec", "the JSON type differs from the specification's";
    MSG_FIELD_UNKNOWN = "msg.field.unknown", Warning, "field", "the specification does not show this member";
    EXTRA_KNOWN_FIELD = "extra.known_field", Error, "conventions", "the specification shows this member: set it beside `extra`, not in it";
}
