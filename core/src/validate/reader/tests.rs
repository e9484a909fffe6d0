//! The reader beside `serde_json`: the same values, the same refusals.

use proptest::prelude::*;
use serde_json::Value;

use crate::operation::Operation;
use crate::problem::Problem;
use crate::{lookup, messages, otp, sms};

/// As `serde_json` reads it, or refused as there.
fn same<T: serde::de::DeserializeOwned + PartialEq>(text: &str) {
    let (ours, theirs) = (super::read::<T>(text), serde_json::from_str::<T>(text).ok());
    assert!(ours == theirs, "{text:?}: {} and {}", ours.is_some(), theirs.is_some());
}

fn all(text: &str) {
    same::<Value>(text);
    same::<messages::Send>(text);
    same::<messages::SendFailover>(text);
    same::<otp::Send>(text);
    same::<sms::Send>(text);
    same::<lookup::Numbers>(text);
    same::<otp::limits::Create>(text);
    same::<Vec<f64>>(text);
    agrees::<messages::Send>(text);
    agrees::<messages::SendFailover>(text);
    agrees::<otp::Send>(text);
    agrees::<sms::Send>(text);
}

/// What is read here is read as the same by way of the other lane, which then has nothing to tell; and what
/// neither reads is not called right.
fn agrees<O: Operation + PartialEq>(text: &str) {
    let (tape, found) = crate::validate::repair(text, &O::SHAPE);
    let repaired = tape.map(|tape| crate::validate::typed::written(tape.entry(0)));
    let slow = repaired.and_then(|text| super::read::<O>(&text));
    match super::read::<O>(text) {
        Some(fast) => {
            assert!(found.is_empty(), "{text:?}: {} found", found.len());
            assert!(slow.as_ref() == Some(&fast), "{text:?}");
        }
        None => assert!(found.iter().any(Problem::is_error) || slow.is_some(), "{text:?}"),
    }
}

#[test]
fn what_is_json_and_what_is_not() {
    let texts = [
        "",
        " ",
        "{}",
        " { } ",
        "[]",
        "[ ]",
        "{,}",
        "[,]",
        "[1,]",
        "[1 2]",
        "[1,2]",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "{\"a\":}",
        "{a:1}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1,\"b\":2}",
        "{} {}",
        "{}x",
        "[1]]",
        "[[1]",
        "nul",
        "null",
        "nulll",
        "true",
        "tru",
        "falsey",
        "\"a",
        "\"a\"",
        "\"a\"b",
        "\"\\",
        "\"\\\"",
        "\"\\\\\"",
        "\"\\u00e9\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud83d\"",
        "\"\\x\"",
        "\"a\u{1f}\"",
        "\"a\u{20}\"",
        "\"a\u{7f}é😀\"",
        "\"\n\"",
        "1",
        "-1",
        "01",
        "-",
        "+1",
        "1.",
        ".5",
        "1.5",
        "1e3",
        "1E+3",
        "1e",
        "1e999",
        "-0",
        "18446744073709551616",
        "1_0",
        "0x1",
        "NaN",
        "[1.0,2e0,-3]",
        "\u{feff}{}",
        "{\"a\":1}\u{0}",
        "\u{0}",
        "{\"extra\":{\"a\":1},\"from\":null,\"to\":\"\\n\"}",
        "{\"from\":\"a\",\"from\":\"b\"}",
        "{\"from\":\"a\",\"From\":\"b\"}",
        "{\"x\":1,\"x\":2}",
        "{\"messenger_a\":{\"extra\":null}}",
        "{\"extra\":null,\"extra\":{}}",
        "{\"limits\":{\"a\":\"1\",\"a\":\"1\"}}",
        "{\"limits\":{\"a\":null}}",
        "{\"failover\":\"x\"}",
        "{\"destination\":\"1\",\"destination\":\"1\",\"failover\":5}",
        "{\"version\":1,\"destinations\":{}}",
        "{\"failover\":null,\"version\":null}",
        "{\"msisdn\":\"1\"}",
        "{\"msisdn\":[\"1\",\"2\"]}",
        "{\"msisdn\":[1]}",
        "{\"guardTime\":60}",
        "{\"guardTime\":\"60\"}",
        "{\"limits\":{\"a\":\"b\"}}",
        "{\"buckets\":[{\"name\":\"n\",\"max\":5,\"interval\":\"60\"}]}",
        "{\"sms\":null}",
        "{\"messenger_b\":{\"ttl\":60.0}}",
        "{\"messenger_b\":{\"ttl\":60}}",
        "{\"messenger_c\":{\"location\":{\"latitude\":1,\"longitude\":-1.5}}}",
    ];
    for text in texts {
        all(text);
    }
}

#[test]
fn nesting_ends_where_it_does_there() {
    for depth in [1, 2, 126, 127, 128, 129, 5000] {
        let lists = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let members = format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
        same::<Value>(&lists);
        same::<Value>(&members);
        same::<messages::Send>(&members);
    }
}

#[test]
fn a_byte_that_ends_a_text_is_found_at_every_place() {
    for length in 0..40 {
        for place in 0..length {
            for byte in ["\"", "\\", "\\n", "\u{1f}", "\u{0}", "é", "\u{80}", "\u{7f}", "!", "[", "]", "#"] {
                let (head, tail) = ("a".repeat(place), "b".repeat(length - place - 1));
                same::<Value>(&format!("\"{head}{byte}{tail}\""));
            }
        }
    }
}

fn right() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        r#"{"trafficAccountId":"0f8fad5b","destination":"30","sms":{"text":"it\u2019s \"😀\"","sender":"Shop"}}"#,
        r#"{ "business_chat" : {"suggestions":[{"reply":{"text":"a","postbackData":"\\"}},{"x":[1.5,-2e3,null,true]}]} }"#,
        r#"{"service":"s","from":"a","to":"1","body":"{code}","limits":{"limit_on_ip":"::1"},"guardTime":60,"extra":{}}"#,
        r#"{"name":"n","buckets":[{"name":"b","max":"5","interval":60}],"description":"d"}"#,
        r#"{"messenger_b":{"ttl":60},"failover":{"type":"Timeout","timeoutFailover":{"trafficAccounts":["a","b"]}}}"#,
    ])
    .prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutations_are_read_or_refused_as_there(
        text in right(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..3_u8, any::<prop::sample::Index>()), 0..4),
    ) {
        let marks: Vec<char> = "{}[]\",:\\ntf0-.eE \n\u{1}é😀u".chars().collect();
        let mut characters: Vec<char> = text.chars().collect();
        for (place, edit, with) in edits {
            let (place, with) = (place.index(characters.len()), marks[with.index(marks.len())]);
            match edit {
                0 => characters.insert(place, with),
                1 => characters[place] = with,
                _ => { characters.remove(place); }
            }
        }
        all(&characters.into_iter().collect::<String>());
    }
}
