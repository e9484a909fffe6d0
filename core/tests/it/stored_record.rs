//! A stored record: unknown names are kept, everything else that is not a record is an error, and nothing is shown.

use std::error::Error as _;

use cpaas::error::{Error, Outcome, Processed, Reason, Record, SentState};
use cpaas::problem::{Fix, Severity};
use cpaas::{Problem, otp};
use serde_json::{Value, json};

const NUMBER: &str = "306912345678";

/// A record with all members, in their order.
fn full() -> String {
    [
        r#"{"outcome":"rejected","sent":"yes","reason":"http","operation":"otp.verify","message":"rejected","processed":"no","retryable":false"#,
        r#","status":400,"code":400,"code_meaning":"the request is invalid","provider_message":"to 306912345678","request_id":"OTP1""#,
        r#","evidence":"used 306912345678","retry_after_ms":1500,"attempts":2,"reference":"order 306912345678""#,
        r#","problems":[{"pointer":"/to","code":"sms.to.prefix","severity":"error","message":"must be a number","#,
        r#""params":{"actual":2,"suggestion":"306912345678"},"#,
        r#""fix":{"op":"replace","start":0,"end":2,"start16":0,"end16":2,"insert":"306912345678"}}]}"#,
    ]
    .concat()
}

fn with(name: &str, value: Value) -> String {
    let mut record: Value = serde_json::from_str(&full()).unwrap();
    *record.pointer_mut(name).unwrap() = value;
    record.to_string()
}

fn read(json: &str) -> Record {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

#[test]
fn all_members_are_read_and_written_as_the_same_bytes() {
    let record = read(&full());
    assert_eq!(serde_json::to_string(&record).unwrap(), full());
    assert_eq!(
        (record.outcome, record.sent, record.reason),
        (Outcome::Rejected, SentState::Yes, Reason::Http)
    );
    assert_eq!((record.processed(), record.retryable()), (Processed::No, false));
    assert_eq!((record.status, record.code, record.attempts), (Some(400), Some(400), 2));
    assert_eq!(
        (&*record.operation, record.code_meaning.as_deref()),
        ("otp.verify", Some("the request is invalid"))
    );
    assert_eq!(record.request_id, Some(otp::RequestId::new("OTP1")));
    let problem = &record.problems[0];
    assert_eq!(
        (&*problem.code, problem.severity, problem.fix.as_ref().unwrap().end),
        ("sms.to.prefix", Severity::Error, 2)
    );
    let error = Error::from_record(record.clone());
    assert_eq!((error.to_json(), error.record()), (full(), &record));
    assert!(error.source().is_none());
    assert_eq!(error.to_string(), "otp.verify: rejected");
}

#[test]
fn a_record_equals_the_one_that_was_stored() {
    let mut error =
        Error::invalid("sms.send", vec![]).with_reference(Some(NUMBER.to_owned())).with_attempts(3);
    error.record_mut().retry_after_ms = Some(u64::MAX);
    error.record_mut().code = Some(i64::MIN);
    let stored: Error = serde_json::from_str(&error.to_json()).unwrap();
    assert_eq!(stored, error);
    let throttled = full().replace(r#""retryable":false"#, r#""retryable":true"#);
    assert_ne!(read(&throttled), read(&full()));
}

/// `processed` and `retryable` depend on facts of the call, which a record does not contain.
#[test]
fn processed_and_retryable_are_those_of_the_store_if_a_call_can_have_them() {
    use Processed::{Maybe, No, Yes};
    type Pairs = &'static [(Processed, bool)];
    /// Outcome, reason, status, code, and the pairs that calls have.
    type Case = (&'static str, &'static str, u16, i64, Pairs);
    let all = [(No, false), (No, true), (Maybe, false), (Maybe, true), (Yes, false), (Yes, true)];
    let cases: [Case; 10] = [
        ("invalid", "validation", 200, 1, &[(No, false)]),
        ("not_sent", "dns", 200, 1, &[(No, false), (No, true)]),
        ("not_sent", "runtime", 200, 1, &[(No, false)]),
        ("not_sent", "of_a_later_version", 200, 1, &[(No, false), (No, true)]),
        ("rejected", "http", 429, 499, &[(No, false), (No, true)]),
        ("rejected", "http", 503, 1, &[(Maybe, false), (Maybe, true)]),
        ("rejected", "http", 200, 500, &[(No, false), (No, true), (Maybe, false), (Maybe, true)]),
        ("rejected", "not_verified", 200, 400, &[(No, false), (No, true)]),
        ("unknown", "reset", 200, 1, &[(Maybe, false), (Maybe, true)]),
        ("accepted_id_unknown", "decode", 200, 1, &[(Yes, false)]),
    ];
    for (outcome, reason, status, code, possible) in cases {
        for (processed, retryable) in all {
            let mut record: Value = serde_json::from_str(&full()).unwrap();
            let members = json!({"outcome": outcome, "reason": reason, "status": status, "code": code,
                "processed": processed, "retryable": retryable});
            record.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
            let found = serde_json::from_value::<Record>(record);
            if possible.contains(&(processed, retryable)) {
                let found = found.unwrap();
                assert_eq!((found.processed(), found.retryable()), (processed, retryable), "{outcome}");
            } else {
                assert_eq!(
                    found.expect_err(outcome).to_string(),
                    format!(
                        "`processed` and `retryable` must be those of a call with the outcome {outcome}, got {} and {retryable}",
                        processed.as_str()
                    )
                );
            }
        }
    }
}

#[test]
fn unknown_names_are_kept_as_text() {
    let members = ["/operation", "/code_meaning", "/problems/0/code", "/problems/0/fix/op", "/reason"];
    for member in members {
        for name in ["other", "voice.send", "", "a\"\u{1b}[31m\n", "λ", &"x".repeat(1_000_000)] {
            let stored = with(member, json!(name));
            let record = read(&stored);
            let again: Value = serde_json::to_value(&record).unwrap();
            assert_eq!(again.pointer(member).unwrap(), name, "{member}");
            assert_eq!(read(&serde_json::to_string(&record).unwrap()), record);
            for shown in [
                format!("{record:?}"),
                Error::from_record(record.clone()).to_string(),
                record.problems[0].to_string(),
            ] {
                assert!(
                    shown.len() < 10_000 && !shown.contains(['\u{1b}', '\n']),
                    "{member}: {} bytes",
                    shown.len()
                );
            }
        }
    }
    let mut record = read(&with("/reason", json!("quota")));
    assert_eq!((record.reason, record.reason_name()), (Reason::Other, "quota"));
    assert_ne!(record, read(&with("/reason", json!("credit"))));
    record.reason = Reason::Timeout;
    assert_eq!(record.reason_name(), "timeout");
    assert!(serde_json::to_string(&record).unwrap().contains(r#""reason":"timeout""#));
    assert!(!Reason::ALL.contains(&Reason::Other) && !Reason::NAMES.contains(&"other"));
    assert!("other".parse::<Reason>().is_err());
}

/// A program decides by these names whether it sends again: another one is not guessed.
#[test]
fn other_outcomes_are_an_error_that_lists_the_names_and_not_the_text() {
    for (member, names) in [
        ("/outcome", "invalid, rejected, not_sent, unknown, accepted_id_unknown"),
        ("/sent", "no, maybe, yes"),
        ("/processed", "no, maybe, yes"),
        ("/problems/0/severity", "error, warning, info"),
    ] {
        for name in [NUMBER, "", "Rejected", "unknown "] {
            let error = serde_json::from_str::<Record>(&with(member, json!(name))).unwrap_err().to_string();
            assert!(error.starts_with(&format!("unknown name; the names are {names}")), "{error}");
            assert!(!error.contains(NUMBER));
        }
    }
}

#[test]
fn missing_members_are_an_error_if_they_are_always_written() {
    let optional = [
        "status",
        "code",
        "code_meaning",
        "provider_message",
        "request_id",
        "evidence",
        "retry_after_ms",
        "reference",
        "problems",
    ];
    let record: Value = serde_json::from_str(&full()).unwrap();
    for name in record.as_object().unwrap().keys() {
        let mut without = record.clone();
        without.as_object_mut().unwrap().remove(name);
        let result = serde_json::from_value::<Record>(without);
        if optional.contains(&&**name) {
            assert!(serde_json::to_value(result.unwrap()).unwrap().get(name).is_none());
        } else {
            assert_eq!(result.unwrap_err().to_string(), format!("missing field `{name}`"));
        }
    }
    for (name, is_optional) in [
        ("pointer", false),
        ("code", false),
        ("severity", false),
        ("message", false),
        ("params", true),
        ("fix", true),
    ] {
        let mut problem = record["problems"][0].clone();
        problem.as_object_mut().unwrap().remove(name);
        assert_eq!(serde_json::from_value::<Problem>(problem).is_ok(), is_optional, "{name}");
    }
    for name in ["op", "start", "end", "start16", "end16", "insert"] {
        let mut fix = record["problems"][0]["fix"].clone();
        fix.as_object_mut().unwrap().remove(name);
        assert!(serde_json::from_value::<Fix>(fix).is_err(), "{name}");
    }
}

/// A later version of the library may add members.
#[test]
fn other_members_are_ignored_and_repeated_ones_are_an_error() {
    let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
    let more = full().replacen(
        '{',
        &format!(r#"{{"new":{deep},"facts":{{"safety":"read"}},"other_reason":"x","#),
        1,
    );
    assert_eq!(serde_json::to_string(&read(&more)).unwrap(), full());
    let twice = full().replacen('{', r#"{"attempts":2,"#, 1);
    let error = serde_json::from_str::<Record>(&twice).unwrap_err().to_string();
    assert!(error.starts_with("duplicate field `attempts`"), "{error}");
}

#[test]
fn other_types_are_an_error() {
    let wrong = [
        ("/outcome", json!(1)),
        ("/outcome", Value::Null),
        ("/reason", json!(["http"])),
        ("/operation", Value::Null),
        ("/message", json!(7)),
        ("/retryable", json!("false")),
        ("/status", json!(70_000)),
        ("/status", json!(-1)),
        ("/status", json!("400")),
        ("/code", json!(1.5)),
        ("/code", json!(u64::MAX)),
        ("/request_id", json!(1)),
        ("/retry_after_ms", json!(-1)),
        ("/attempts", json!(4_294_967_296_u64)),
        ("/attempts", Value::Null),
        ("/problems", json!({})),
        ("/problems/0", json!("sms.to.prefix")),
        ("/problems/0/params", json!([])),
        ("/problems/0/fix/start", json!(-1)),
        ("/problems/0/fix", json!([0, 1])),
    ];
    for (member, value) in wrong {
        assert!(serde_json::from_str::<Record>(&with(member, value)).is_err(), "{member}");
    }
    for text in ["", "null", "[]", "\"rejected\"", "{", &full()[..full().len() - 1], &format!("{}x", full())]
    {
        assert!(serde_json::from_str::<Record>(text).is_err(), "{text}");
    }
    // Null is an absent value where there may be none.
    let record = read(&with("/status", Value::Null));
    assert_eq!(record.status, None);
}

#[test]
fn nesting_is_bounded_and_large_records_are_read() {
    let nested = |levels: usize| {
        with("/problems/0/params/actual", json!("@"))
            .replace("\"@\"", &format!("{}{}", "[".repeat(levels), "]".repeat(levels)))
    };
    let record = read(&nested(100));
    assert_eq!(read(&serde_json::to_string(&record).unwrap()), record);
    let error = serde_json::from_str::<Record>(&nested(100_000)).unwrap_err();
    assert!(error.to_string().starts_with("recursion limit exceeded"), "{error}");
    let record = read(&with("/message", json!("é".repeat(2_000_000))));
    assert_eq!(record.message.chars().count(), 2_000_000);
    assert!(format!("{record:?} {}", Error::from_record(record.clone())).len() < 10_000);
    let problem: Value = serde_json::from_str::<Value>(&full()).unwrap()["problems"][0].clone();
    assert_eq!(read(&with("/problems", json!(vec![problem; 10_000]))).problems.len(), 10_000);
}

#[test]
fn debug_and_display_hide_what_they_hide_before_storing() {
    let record = read(&full());
    let error = Error::from_record(record.clone());
    for shown in [format!("{record:?}"), format!("{record:#?}"), format!("{error:?}"), error.to_string()] {
        assert!(!shown.contains(NUMBER) && !shown.contains("OTP1"), "{shown}");
    }
    for problem in &record.problems {
        let shown = format!("{problem} {problem:?} {:?}", problem.fix);
        assert!(!shown.contains(NUMBER) && shown.contains("sms.to.prefix"), "{shown}");
    }
    // A name is shown as the code of a problem; the text of an unknown reason is not.
    let record = read(&with("/reason", json!(NUMBER)));
    assert!(!format!("{record:?} {}", Error::from_record(record.clone())).contains(NUMBER));
}
