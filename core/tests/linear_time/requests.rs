//! Requests, valid or invalid, with one large member or list.

use cpaas::validate_json;

use super::{Case, fill};

type Maker = Box<dyn Fn(usize) -> String>;

pub(super) fn case(operation: &'static str, what: &str, make: impl Fn(usize) -> String + 'static) -> Case {
    let run = move |request: &str| drop(validate_json(operation, request).unwrap());
    Case::new(format!("{operation}, {what}"), make, run)
}

pub(super) fn all() -> Vec<Case> {
    requests().into_iter().map(|(operation, what, make)| case(operation, what, make)).collect()
}

fn list(item: &str, size: usize) -> String {
    vec![item; size / (item.len() + 1)].join(",")
}

fn requests() -> Vec<(&'static str, &'static str, Maker)> {
    fn wrapped(open: &'static str, unit: &'static str, close: &'static str) -> Maker {
        Box::new(move |size| format!("{open}{}{close}", fill(unit, size)))
    }
    fn listed(open: &'static str, item: &'static str, close: &'static str) -> Maker {
        Box::new(move |size| format!("{open}{}{close}", list(item, size)))
    }
    vec![
        ("messages.send_bulk", "destinations", listed(r#"{"destinations":["#, r#""306912345678""#, "]}")),
        ("messages.send_bulk", "wrong types", listed(r#"{"destinations":["#, "5", "]}")),
        (
            "messages.send",
            "suggestions",
            listed(r#"{"business_chat":{"suggestions":["#, r#"{"reply":{"text":"a"}}"#, "]}}"),
        ),
        (
            "messages.send",
            "cards",
            listed(
                r#"{"business_chat":{"carouselCard":{"cardContents":["#,
                r#"{"title":"*a*","x":1}"#,
                "]}}}",
            ),
        ),
        (
            "messages.send",
            "rich text",
            wrapped(r#"{"business_chat":{"text":{"containsRichText":true,"message":""#, "[x](*", r#""}}}"#),
        ),
        ("messages.send", "sms text", wrapped(r#"{"sms":{"text":""#, "a€", r#""}}"#)),
        ("messages.send", "sms sender", wrapped(r#"{"sms":{"text":"a","sender":""#, "a-ö", r#""}}"#)),
        (
            "messages.send",
            "messenger_a text",
            wrapped(r#"{"messenger_a":{"regular":{"text":""#, "я", r#""}}}"#),
        ),
        (
            "messages.send",
            "messenger_b URL",
            wrapped(r#"{"messenger_b":{"mediaUrl":"https://"#, "a.", r#"b/c"}}"#),
        ),
        (
            "messages.send",
            "messenger_b file",
            wrapped(r#"{"messenger_b":{"file":{"mediaUrl":"https://a.b/"#, "%41.", r#""}}}"#),
        ),
        (
            "messages.send",
            "messenger_c Default",
            wrapped(r#"{"messenger_c":{"text":{"message":""#, "*a ", r#""}}}"#),
        ),
        (
            "messages.send",
            "messenger_c Html",
            wrapped(r#"{"messenger_c":{"text":{"parseMode":"Html","message":""#, "&nbsp;", r#""}}}"#),
        ),
        (
            "messages.send_failover",
            "accounts",
            listed(r#"{"failover":{"timeoutFailover":{"trafficAccounts":["#, r#""x""#, "]}}}"),
        ),
        ("otp.send", "body", wrapped(r#"{"body":""#, "{code", r#""}"#)),
        ("otp.limits.create", "buckets", listed(r#"{"buckets":["#, r#"{"name":"a"}"#, "]}")),
        ("otp.workflows.create", "steps", listed(r#"{"channels":["#, r#"{"channel":"x"}"#, "]}")),
        ("sms.send", "text of one cause", wrapped(r#"{"from":"A","to":"1","text":""#, "’", r#""}"#)),
        ("sms.send", "escaped text", wrapped(r#"{"from":"A","to":"1","text":""#, "\\n", r#""}"#)),
        ("sms.send_bulk", "numbers", listed(r#"{"to":""#, "306912345678", r#""}"#)),
        ("lookup.numbers", "numbers", listed(r#"{"msisdn":["#, r#""x""#, "]}")),
        ("lookup.numbers_by_query", "numbers", listed(r#"{"msisdn":""#, "3069", r#""}"#)),
        ("webhooks.messenger_b.set", "events", listed(r#"{"event_types":["#, r#""x""#, "]}")),
        ("webhooks.messenger_c.set", "URL", wrapped(r#"{"url":"https://"#, "a", r#""}"#)),
        ("sms.send", "invalid JSON", wrapped("", "[", "")),
    ]
}
