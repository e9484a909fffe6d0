//! Adversarial requests: many unordered members in one object, unusual names, deep nesting, long numbers.

use std::fmt::Write as _;

use super::requests::case;
use super::{Case, fill};

/// A name that is different for each number. The names are not sorted.
pub(super) fn name(number: usize) -> String {
    format!("{:08x}", (number as u32).wrapping_mul(0x9E37_79B1))
}

/// Items that are generated from their number, separated by commas.
pub(super) fn many(size: usize, item: &dyn Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(size + 64);
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        let comma = if number == 0 { "" } else { "," };
        write!(text, "{comma}{}", item(number)).unwrap();
    }
    text
}

/// A request with many items in one object or list.
fn of(
    operation: &'static str,
    what: &str,
    around: (&'static str, &'static str),
    item: impl Fn(usize) -> String + 'static,
) -> Case {
    case(operation, what, move |size| [around.0, &many(size, &item), around.1].concat())
}

pub(super) fn all() -> Vec<Case> {
    let mut cases = members();
    cases.extend(lists());
    cases.extend(values());
    cases
}

const OBJECT: (&str, &str) = ("{", "}");
const EXTRA: (&str, &str) = (r#"{"extra":{"#, "}}");
const LIMITS: (&str, &str) = (r#"{"limits":{"#, "}}");
const CARD: (&str, &str) = (r#"{"business_chat":{"standaloneCard":{"#, "}}}");

fn members() -> Vec<Case> {
    let one = |number| format!(r#""{}":1"#, name(number));
    let text = |number| format!(r#""{}":"a""#, name(number));
    vec![
        of("messages.send", "unknown members", OBJECT, one),
        of("sms.send", "unknown members beside a wrong type", (r#"{"from":5,"#, "}"), one),
        of("sms.send", "members with names similar to documented ones", OBJECT, |number| {
            format!(r#""{}":1"#, ["fron", "tp", "texf"].concat() + &name(number))
        }),
        of("sms.send", "documented names in capitals", OBJECT, |number| {
            format!(r#""FROM{}":1"#, "_".repeat(number % 40))
        }),
        of("sms.send", "names with slashes", OBJECT, |number| format!(r#""/~{}/~":1"#, name(number))),
        of("sms.send", "one repeated name", OBJECT, |_| r#""a":1"#.to_owned()),
        of("sms.send", "each name twice", OBJECT, |number| format!(r#""{}":1"#, name(number / 2))),
        of("sms.send", "a repeated documented name", OBJECT, |_| r#""from":1"#.to_owned()),
        of("otp.send", "a name in two spellings", OBJECT, |number| {
            format!(r#""{}":1"#, ["from", "From"][number % 2])
        }),
        of("sms.send", "extra", EXTRA, one),
        of("sms.send", "extra with documented names", EXTRA, |_| r#""from":1,"to":1"#.to_owned()),
        of("messages.send", "extra", EXTRA, one),
        of("otp.send", "limits", LIMITS, text),
        of("otp.send", "limits of wrong types", LIMITS, one),
        of("otp.send", "limits, each twice", LIMITS, |number| format!(r#""{}":1"#, name(number / 2))),
        of("messages.send", "unknown members of a card", CARD, one),
        of("messages.send", "undocumented objects in a model", CARD, |number| {
            format!(r#""{}":{{"containsRichText":true}}"#, name(number))
        }),
        of("messages.send", "a repeated channel", OBJECT, |_| r#""sms":{}"#.to_owned()),
        case("sms.send", "a long name", |size| format!(r#"{{"{}":1}}"#, fill("from", size))),
        case("sms.send", "a long name of escapes", |size| format!(r#"{{"{}":1}}"#, fill("\\u0041/", size))),
    ]
}

const BULK: (&str, &str) = (r#"{"destinations":["#, "]}");
const CARDS: (&str, &str) = (r#"{"business_chat":{"carouselCard":{"cardContents":["#, "]}}}");
const REPLIES: (&str, &str) = (r#"{"business_chat":{"suggestions":["#, "]}}");

fn lists() -> Vec<Case> {
    vec![
        of("messages.send_bulk", "destinations that differ", BULK, |number| format!(r#""+{number:011}""#)),
        of("messages.send_bulk", "destinations twice", BULK, |number| format!(r#""{:011}""#, number / 2)),
        of("messages.send_bulk", "destinations twice in two forms", BULK, |number| {
            format!(r#""{}{:011}""#, ["", "+"][number % 2], number / 2)
        }),
        of("messages.send_bulk", "blank destinations", BULK, |_| r#"" ""#.to_owned()),
        of("messages.send_bulk", "destinations of every wrong type", BULK, |number| {
            ["null", "{}", "[]", "1.5", "true"][number % 5].to_owned()
        }),
        of("sms.send_bulk", "numbers that differ", (r#"{"to":""#, r#""}"#), |number| format!("{number:011}")),
        of("lookup.numbers", "numbers that differ", (r#"{"msisdn":["#, "]}"), |number| {
            format!(r#""{number:011}""#)
        }),
        of("messages.send", "replies that differ", REPLIES, |number| {
            format!(r#"{{"reply":{{"text":"{0}","postbackData":"{0}"}}}}"#, name(number))
        }),
        of("messages.send", "actions", REPLIES, |number| {
            format!(r#"{{"{}":{{"containsRichText":true}}}}"#, name(number))
        }),
        of("messages.send", "cards within cards", CARDS, |_| {
            r#"{"standaloneCard":{},"media":{"height":"TALL"}}"#.to_owned()
        }),
        of("messages.send", "cards of wrong types", CARDS, |_| {
            r#"{"title":1,"description":[],"media":{"height":5}}"#.to_owned()
        }),
        of("otp.limits.create", "buckets in a text", (r#"{"buckets":"["#, r#"]"}"#), |number| {
            format!(r#"{{\"name\":\"{}\",\"max\":\"1\",\"interval\":\"1\"}}"#, name(number))
        }),
        of("otp.workflows.create", "channels of wrong types", (r#"{"channels":["#, "]}"), |_| {
            r#"{"channel":1}"#.to_owned()
        }),
    ]
}

fn values() -> Vec<Case> {
    let deep = |size: usize| {
        let (open, close) = ("[".repeat(120), "]".repeat(120));
        format!(r#"{{"a":[{}]}}"#, vec![[open, close].concat(); size / 241].join(","))
    };
    let objects = |size: usize| {
        let (open, close) = (r#"{"a":"#.repeat(100), "}".repeat(100));
        format!(r#"{{"from":5,"a":[{}]}}"#, vec![[&open, "1", &*close].concat(); size / 602].join(","))
    };
    vec![
        case("sms.send", "arrays in arrays", deep),
        case("sms.send", "objects in objects", objects),
        case("sms.send", "arrays without an end", |size| fill("[", size)),
        case("sms.send", "white space", |size| format!("{{{}}}", fill(" \n", size))),
        case("sms.send", "digits", |size| format!(r#"{{"test":{}}}"#, fill("7", size))),
        case("sms.send", "digits of a fraction", |size| format!(r#"{{"test":0.{}}}"#, fill("3", size))),
        case("sms.send", "an exponent", |size| format!(r#"{{"test":1e-{}}}"#, fill("9", size))),
        case("sms.send", "a text of escapes", |size| {
            format!(r#"{{"from":5,"text":"{}"}}"#, fill("\\ud83d\\ude00", size))
        }),
        case("sms.send", "a text of all letters", |size| {
            let letters = (0..size / 3).filter_map(|at| char::from_u32(0x800 + at as u32 % 0xC000));
            format!(r#"{{"text":"{}"}}"#, letters.collect::<String>())
        }),
        case("messages.send", "a parse mode", |size| {
            format!(r#"{{"messenger_c":{{"text":{{"parseMode":"{}"}}}}}}"#, fill("Html", size))
        }),
        case("messages.send", "markup up to the limit of its mode", |size| {
            let text = "*[a](b".repeat(size.min(65_000) / 6);
            format!(r#"{{"messenger_c":{{"text":{{"parseMode":"MarkdownV2","message":"{text}"}}}}}}"#)
        }),
        case("otp.send", "a body of codes", |size| format!(r#"{{"body":"{}"}}"#, fill("{code}", size))),
        case("sms.send", "a callback of one host", |size| {
            format!(r#"{{"callback":"https://{}"}}"#, fill("a-", size))
        }),
        case("otp.get", "a sid", |size| format!(r#"{{"sid":"{}"}}"#, fill("OTP", size))),
        case("otp.search", "a date", |size| format!(r#"{{"status":"{}"}}"#, fill("2026-01-01", size))),
    ]
}
