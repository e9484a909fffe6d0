//! The reader and the writer against `serde_json`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use proptest::prelude::*;

use cpaas_scan::{Fault, Tape};

use super::{to_string, value};

/// What `serde_json` makes of a text.
fn theirs(text: &str) -> Result<String, Fault> {
    serde_json::from_str::<serde_json::Value>(text)
        .map(|value| serde_json::to_string(&value).unwrap())
        .map_err(|error| Fault { line: error.line(), column: error.column() })
}

fn ours(text: &str) -> Result<String, Fault> {
    Tape::read(text).map(|tape| to_string(&value(tape.entry(0))))
}

fn same(text: &str) {
    assert_eq!(ours(text), theirs(text), "{text:?}");
}

#[test]
fn words_and_numbers() {
    for text in [
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-1",
        "1.5",
        "1.50",
        "100.0",
        "1e2",
        "1E+2",
        "1.5e-3",
        "0.00001",
        "0.000001",
        "123456789.25",
        "9007199254740993",
        "18446744073709551615",
        "-9223372036854775808",
        "1e16",
        "1e17",
        "1.2e20",
        "0.1",
        "-12.75",
        "1e-7",
        "0e5",
        "0.0",
        "1e400",
        "-1e400",
        "1e-400",
        "0e99999999999",
        "1e99999999999",
        "1e-99999999999",
        "1e",
        "1e+",
        "1.",
        "01",
        "-",
        "-a",
        "1.e5",
        ".5",
        "+1",
        "1a",
        "nul",
        "nulx",
        "tru",
        "fals",
    ] {
        same(text);
    }
}

#[test]
fn strings() {
    for text in [
        r#""""#,
        r#""a\n\t\b\f\r\/\\\"""#,
        r#""\u00e9\u0000\u001f""#,
        r#""\ud83d\ude00""#,
        r#""\ud83d""#,
        r#""\ud83d\u0041""#,
        r#""\ude00""#,
        r#""\u12"#,
        r#""\u12g4""#,
        r#""\x""#,
        "\"\n\"",
        "\"abc",
        "\"\\",
        "\"é😀\"",
        "\"\u{7f}\"",
        r#""\ud83dx""#,
        r#""\ud83d\x""#,
        r#""\u"#,
        r#""\u1é""#,
    ] {
        same(text);
    }
}

#[test]
fn arrays_and_objects() {
    for text in [
        "[]",
        "[1,2]",
        "[1,]",
        "[,]",
        "[1 2]",
        "[",
        "[1",
        "[1,",
        "]",
        "{}",
        r#"{"a":1,"b":[{}]}"#,
        r#"{"a"}"#,
        r#"{"a":}"#,
        r#"{"a":1,}"#,
        r#"{,}"#,
        r#"{1:2}"#,
        r#"{"a":1"b":2}"#,
        "{",
        r#"{"a""#,
        r#"{"a":"#,
        r#"{"a":1"#,
        r#"{"a":1,"#,
        r#"{"b":1,"a":2,"b":3}"#,
        "",
        " ",
        "\n\n x",
        "[1]\n]",
        "{} {}",
        "[\n1,\n  x]",
    ] {
        same(text);
    }
}

#[test]
fn depth_has_an_end() {
    for depth in [126, 127, 128, 129, 5000] {
        same(&"[".repeat(depth));
        same(&[&"[".repeat(depth)[..], &"]".repeat(depth)].concat());
    }
}

#[test]
fn large_objects_keep_their_members() {
    let members: Vec<String> = (0..100).map(|index| format!(r#""{}":{index}"#, index % 40)).collect();
    same(&format!("{{{}}}", members.join(",")));
}

/// JSON with a little damage.
fn damaged() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"b\\n\"", "\\", "\\u00e9", "\\ud83d", "1", "0", "-",
        ".", "e", "+", "true", "null", "nul", " ", "\n", "é", "\u{1}", "{\"a\":", "[1,", "12.5", "3e4",
    ]);
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn anything(text in damaged()) {
        prop_assert_eq!(ours(&text), theirs(&text));
    }

    // Further out the double that serde_json reads is not always the nearest one.
    #[test]
    fn any_double_of_few_digits(digits in 0_u64..100_000_000_000_000, exponent in -22_i32..=22) {
        same(&format!("{digits}e{exponent}"));
        same(&format!("-{digits}.5"));
    }

    #[test]
    fn any_text(text in any::<String>()) {
        prop_assert_eq!(to_string(&text), serde_json::to_string(&text).unwrap());
    }
}

/// The browser's lane reads a JSON array inside a string, with the problems and the pointers of the array itself.
#[test]
fn an_array_in_a_string_is_read_as_the_array() {
    for list in [
        r#"[{"name":"a \\ \"b\" \u00e9 \ud83d\ude00","max":"5","interval":60}]"#,
        r#"[{"name":"a","max":"many","interval":""},{"name":"b","max":[1],"maks":2,"extra":{"x":{"y":[]}}}]"#,
        r#"[[],{},null,7,"[]",{"name":"a","name":"b","max":"1","interval":"1"}]"#,
        " [ ]",
    ] {
        let of = |member: &str| {
            let request = format!(r#"{{"name":"n","buckets":{member},"description":"","q":1,"r":"x"}}"#);
            crate::OperationId::OtpLimitsCreate.validate_json(&request).to_json()
        };
        let text = serde_json::to_string(list).unwrap();
        assert_eq!(of(&text), of(list), "{list}");
        assert!(of(&text).contains("/description"));
    }
}
