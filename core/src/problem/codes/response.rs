//! Codes of responses: what the provider left out, or what this library found out instead.

use crate::problem::code::codes;

codes! {
    RESPONSE_MEMBER_MISSING = "response.member.missing", Warning, "response", "the response lacks this documented field";
    RESPONSE_MEMBER_UNREADABLE = "response.member.unreadable", Warning, "response", "this field of the response has another type than documented; see `raw`";
    RESPONSE_ELEMENTS_MISSING = "response.elements.missing", Warning, "response", "the response has fewer elements than were asked for";
    RESPONSE_ID_REPEATED = "response.id.repeated", Warning, "response", "the response repeats an id of another call";
    RESPONSE_RECONCILED = "response.reconciled", Warning, "response", "the response was lost, and the result is read from the provider's records: it is as asked for, whoever made it so";
    RESPONSE_MORE = "response.more", Warning, "response", "more fields of the response are missing or unreadable";
}
