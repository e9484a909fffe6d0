//! Codes of responses: what the provider left out, or what this library found out instead.

use crate::problem::code::codes;

codes! {
    RESPONSE_MEMBER_MISSING = "response.member.missing", Warning, "response", "the response lacks this documented field";
    RESPONSE_MEMBER_UNREADABLE = "response.member.unreadable", Warning, "response", "this field of the response does not have the documented type; see `raw`";
    RESPONSE_ELEMENTS_MISSING = "response.elements.missing", Warning, "response", "the response has fewer elements than were requested";
    RESPONSE_ID_REPEATED = "response.id.repeated", Warning, "response", "the response repeats the id of another call";
    RESPONSE_RECONCILED = "response.reconciled", Warning, "response", "the response was lost; the result was read from the provider's records and matches the request, but another call may have caused it";
    RESPONSE_MORE = "response.more", Warning, "response", "more fields of the response are missing or unreadable";
}
