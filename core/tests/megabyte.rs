//! Whatever costs most, by operation: a large text takes about as long as eight of an eighth, and a megabyte takes
//! milliseconds. The least of up to sixty rounds counts, and the first round that is right ends them, so that a busy
//! machine changes nothing.
//!
//! `cargo test --release -p cpaas --test megabyte -- --nocapture` prints the time that a megabyte takes.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use cpaas::markup::{self, Mode};
use cpaas::text::{self, SegmentOptions, Split};
use cpaas::validate_json;

const LARGE: usize = if cfg!(debug_assertions) { 1 << 17 } else { 1 << 20 };
const SMALL: usize = LARGE / 8;
/// Between linear (1, some more for caches) and quadratic (8).
const GROWTH: u32 = 4;
const TRIES: usize = 60;

fn time(times: usize, run: &dyn Fn()) -> Duration {
    let start = Instant::now();
    for _ in 0..times {
        run();
    }
    start.elapsed()
}

fn grows(what: &str, run: &dyn Fn(&str), make: &dyn Fn(usize) -> String) {
    let (small, large) = (make(SMALL), make(LARGE));
    let (mut least_small, mut least_large) = (Duration::MAX, Duration::MAX);
    for _ in 0..TRIES {
        least_small = least_small.min(time(8, &|| run(&small)));
        least_large = least_large.min(time(1, &|| run(&large)));
        if least_large < (least_small * GROWTH).max(Duration::from_micros(200)) {
            println!("{what:<44}{:>10} bytes{:>9.3} ms", large.len(), least_large.as_secs_f64() * 1e3);
            return;
        }
    }
    panic!("{what}: {least_small:?}, then {least_large:?}");
}

fn fill(unit: &str, size: usize) -> String {
    unit.repeat(size / unit.len())
}

fn list(item: &str, size: usize) -> String {
    vec![item; size / (item.len() + 1)].join(",")
}

#[test]
fn texts() {
    for unit in ["a", "€", "я", "😀", "e\u{301}", "\r\n", "👨‍👩‍👧‍👦", "a’"] {
        let make = |size| fill(unit, size);
        grows(&format!("count {unit:?}"), &|text| assert!(text::count(text).count > 0), &make);
        let options = SegmentOptions::new();
        grows(&format!("segments {unit:?}"), &|text| drop(text::segments(text, &options)), &make);
        let whole = SegmentOptions::new().split(Split::Grapheme);
        grows(&format!("segments by grapheme {unit:?}"), &|text| drop(text::segments(text, &whole)), &make);
        grows(&format!("annotate {unit:?}"), &|text| drop(text::annotate(text)), &make);
        grows(&format!("replaced {unit:?}"), &|text| drop(text::replaced(text)), &make);
    }
}

#[test]
fn markup_of_any_mode() {
    for mode in Mode::ALL {
        for unit in ["a", "*", "[a](b", "<b>", "&nbsp;", "`", "\n>", "||", "_a_b"] {
            let make = |size| fill(unit, size);
            grows(&format!("parse {} {unit:?}", mode.name()), &|text| drop(markup::parse(text, mode)), &make);
        }
        let make = |size| fill("*a_[<&.", size);
        grows(&format!("escape {}", mode.name()), &|text| drop(markup::escape(text, mode)), &make);
    }
}

type Maker = Box<dyn Fn(usize) -> String>;

/// Requests of every kind, each with much of what it can have much of.
fn requests() -> Vec<(&'static str, &'static str, Maker)> {
    fn wrapped(open: &'static str, unit: &'static str, close: &'static str) -> Maker {
        Box::new(move |size| format!("{open}{}{close}", fill(unit, size)))
    }
    fn listed(open: &'static str, item: &'static str, close: &'static str) -> Maker {
        Box::new(move |size| format!("{open}{}{close}", list(item, size)))
    }
    vec![
        ("messages.send_bulk", "destinations", listed(r#"{"destinations":["#, r#""306912345678""#, "]}")),
        (
            "messages.send",
            "unknown members",
            Box::new(|size| {
                let members: Vec<_> = (0..size / 13).map(|at| format!(r#""m{at:06}":1"#)).collect();
                format!("{{{}}}", members.join(","))
            }),
        ),
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
        ("sms.send", "no JSON", wrapped("", "[", "")),
    ]
}

#[test]
fn requests_of_every_kind() {
    for (operation, what, make) in requests() {
        grows(
            &format!("{operation}, {what}"),
            &|request| drop(validate_json(operation, request).unwrap()),
            &make,
        );
    }
}

#[test]
fn unknown_members() {
    let make = |size| {
        let mut text = String::from("{\"from\":5");
        for number in 0..size / 12 {
            write!(text, ",\"fron{number}\":1").unwrap();
        }
        text + "}"
    };
    grows("sms.send, unknown members", &|request| drop(validate_json("sms.send", request).unwrap()), &make);
}
