//! `tests/vectors/autofill.json`: messages whose one-time code fills itself in.

use cpaas::text::autofill;
use serde_json::{Value, json};

fn cases(list: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("../../../tests/vectors/autofill.json")).unwrap();
    let cases = file[list].as_array().unwrap().clone();
    assert!(cases.len() > 10);
    cases
}

#[test]
fn messages_fill_in_what_the_vectors_expect() {
    for case in cases("check") {
        let found: Value =
            serde_json::from_str(&autofill::check_json(case["message"].as_str().unwrap())).unwrap();
        let codes: Vec<&Value> =
            found["problems"].as_array().unwrap().iter().map(|problem| &problem["code"]).collect();
        for member in ["host", "embeddedHost", "code", "appHash"] {
            assert_eq!(found[member], case[member], "{member} of {}", case["name"]);
        }
        assert_eq!(json!(codes), case["problems"], "{}", case["name"]);
    }
}

#[test]
fn bodies_equal_the_vectors_and_pass_the_check() {
    for case in cases("body") {
        let body = autofill::body_from_json(case["text"].as_str().unwrap(), &case["options"].to_string());
        match body {
            Ok(body) => {
                assert_eq!(body, case["body"], "{}", case["name"]);
                let found = autofill::check(&body);
                assert_eq!(found.problems, [], "{}", case["name"]);
                assert!(found.host.is_some() || found.app_hash.is_some(), "{}", case["name"]);
            }
            Err(error) => assert_eq!(error.code(), case["error"], "{}", case["name"]),
        }
    }
}

#[test]
fn options_must_be_an_object_of_strings() {
    for invalid in
        ["", "[]", "null", "\"host\"", r#"{"host":1}"#, r#"{"hots":"shop.example"}"#, r#"{"host":["a"]}"#]
    {
        assert_eq!(autofill::body_from_json("a", invalid).unwrap_err().code(), "text.options", "{invalid}");
    }
}

#[cfg(feature = "app-hash")]
#[test]
fn hashes_of_apps_equal_those_of_the_documented_commands() {
    for case in cases("appHash") {
        let digits = case["certificate"].as_str().unwrap();
        let certificate: Vec<u8> = (0..digits.len() / 2)
            .map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap())
            .collect();
        match autofill::app_hash(case["package"].as_str().unwrap(), &certificate) {
            Ok(hash) => assert_eq!(hash, case["hash"], "{}", case["name"]),
            Err(error) => assert_eq!(error.code(), case["error"], "{}", case["name"]),
        }
    }
}

#[test]
fn a_fix_removes_the_line_break_after_the_line() {
    let message = "{code}\n@shop.example #{code}\r\n \n";
    let problem = autofill::check(message).problems.remove(0);
    let fix = problem.fix.unwrap();
    let fixed = format!("{}{}{}", &message[..fix.start], fix.insert, &message[fix.end..]);
    assert_eq!(autofill::check(&fixed).problems, []);
    assert!(autofill::check("@shop.example #{code}\nBye").problems[0].fix.is_none());
}

#[test]
fn no_message_contains_input() {
    let check = autofill::check("@https://secret.example #{code}.\n");
    assert!(!autofill::check("@https://secret.example #{code}.").problems.is_empty());
    for problem in check.problems {
        assert!(!problem.message.contains("secret"));
    }
}
