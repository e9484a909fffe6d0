//! Compares the tape with `serde_json`: the same values for valid JSON, the same error positions for invalid JSON.
#![allow(clippy::unwrap_used)]

use super::{Entry, ErrorKind, ParseError, Tape, ValueKind};
use proptest::prelude::*;
use serde_json::Value;

fn value(entry: Entry<'_>) -> Value {
    match entry.kind() {
        ValueKind::Null => Value::Null,
        ValueKind::False => Value::Bool(false),
        ValueKind::True => Value::Bool(true),
        ValueKind::Number => serde_json::from_str(entry.text()).unwrap(),
        ValueKind::Text => Value::String(entry.owned()),
        ValueKind::Array => entry.children().map(value).collect(),
        ValueKind::Object => {
            Value::Object(entry.children().map(|member| (member.name().to_owned(), value(member))).collect())
        }
    }
}

fn same(text: &str) {
    let ours = Tape::read(text).map(|tape| value(tape.entry(0)));
    let theirs = serde_json::from_str::<Value>(text).map_err(|error| {
        let is_deep = error.to_string().starts_with("recursion limit exceeded");
        let kind = if is_deep { ErrorKind::TooDeep } else { ErrorKind::Syntax };
        ParseError { kind, line: error.line(), column: error.column() }
    });
    assert_eq!(ours, theirs, "{text:?}");
}

#[test]
fn the_nesting_limit_is_that_of_serde_json() {
    for levels in [1, 126, 127, 128, 129, 1000] {
        same(&("[".repeat(levels) + &"]".repeat(levels)));
        same(&("{\"a\":".repeat(levels) + "1" + &"}".repeat(levels)));
    }
}

#[test]
fn replaced_values_are_read_back() {
    let mut tape = Tape::read(r#"{"a": [1, 2], "b": "x\ny", "c": {"d": true}}"#).unwrap();
    let (a, end) = tape.inside(0);
    let b = tape.next(a);
    let c = tape.next(b);
    assert_eq!((tape.name(a), tape.name(b), tape.name(c), tape.next(c)), ("a", "b", "c", end));
    tape.put_text(a, ValueKind::Text, "é");
    tape.put_object_of(b, "n");
    tape.put_text(c, ValueKind::Array, "");
    assert_eq!(value(tape.entry(0)), serde_json::json!({"a": "é", "b": {"n": {}}, "c": []}));
    tape.put_value_of(c, b);
    tape.node_mut(a).unwrap().occurs = crate::json::Occurs::Ignored;
    assert_eq!(value(tape.entry(0)), serde_json::json!({"b": {"n": {}}, "c": {"n": {}}}));
    assert_eq!((tape.kind(999), tape.text(999), tape.inside(999)), (ValueKind::Null, "", (0, 0)));
}

proptest! {
    #[test]
    fn any_text_has_the_same_result_as_in_serde_json(text in r#"[\[\]{}",:0-9eE+\-.\\u\n a-fnrtls😀é]{0,40}"#) {
        same(&text);
    }

    #[test]
    fn text_close_to_json_has_the_same_result_as_in_serde_json(
        parts in prop::collection::vec(prop::sample::select(vec![
            "{", "}", "[", "]", ",", ":", "\"a\"", "\"\"", "\"\\u00e9\"", "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "\"longer than a word\"",
            "\"tab\\tin the middle\"", "1", "-0", "0.5e-3", "1e400", "01", "true", "null", "false", " ", "\n", "{\"a\":1}", "[1,2]", "\"a\":",
        ]), 0..12),
    ) {
        same(&parts.concat());
    }
}
