//! Properties of validation: no panic, valid pointers, and messages that quote no input.

use cpaas::{OperationId, Problem, Report, validate_json};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn problems(report: &Report) -> impl Iterator<Item = &Problem> {
    report.errors.iter().chain(&report.warnings)
}

/// A pointer refers to a value, to a missing member of an existing object, or to an element of a text with commas.
fn is_valid_pointer(request: &Value, pointer: &str) -> bool {
    let mut existing = pointer;
    while request.pointer(existing).is_none() {
        let Some((parent, _)) = existing.rsplit_once('/') else { return false };
        existing = parent;
    }
    let (found, rest) = (request.pointer(existing), pointer.strip_prefix(existing).unwrap_or_default());
    let element = |text: &str| {
        let index: Option<usize> = rest.strip_prefix('/').and_then(|index| index.parse().ok());
        index.is_some_and(|index| index < text.split(',').count())
    };
    rest.is_empty() || found.is_some_and(|found| found.is_object() || found.as_str().is_some_and(element))
}

/// Asserts that `first_error` returns the first error of the report.
fn same_first_error(operation: OperationId, text: &str, report: &Report) {
    let members =
        |problem: &Problem| (problem.code.clone(), problem.pointer.clone(), problem.message.clone());
    let first = operation.first_error(text);
    let expected = report.errors.first().map(members);
    assert_eq!(first.as_ref().map(members), expected, "{}: {text}", operation.meta().id);
    assert!(first.is_none_or(|error| error.params.is_empty() && error.fix.is_none()), "{text}");
}

fn check_reports(request: &Value) {
    let text = request.to_string();
    for operation in OperationId::ALL {
        let report = operation.validate_json(&text);
        assert_eq!(report.ok, report.errors.is_empty());
        same_first_error(*operation, &text, &report);
        for problem in problems(&report) {
            let pointer = &problem.pointer;
            assert!(
                is_valid_pointer(request, pointer),
                "{}: {pointer} {} in {text}",
                operation.meta().id,
                problem.code
            );
            assert!(cpaas::problem::codes::find(&problem.code).is_some(), "{}", problem.code);
        }
    }
}

/// Names of members, so that generated requests reach nested models.
fn names() -> impl Strategy<Value = String> {
    let mut known: Vec<&str> = Vec::new();
    for operation in OperationId::ALL {
        collect(operation.meta().input.fields, &mut known);
    }
    known.extend(["extra", "color", "a/b", "~", "containsRichText", "destinaton"]);
    known.sort_unstable();
    known.dedup();
    prop::sample::select(known).prop_map(str::to_owned)
}

fn collect(fields: &'static [cpaas::schema::Field], known: &mut Vec<&str>) {
    use cpaas::schema::Kind;
    for field in fields {
        known.push(field.wire);
        let mut kind = field.kind;
        while let Kind::Array(inner) | Kind::OneOrMany(inner) | Kind::Map(inner) = kind {
            kind = *inner;
        }
        if let Kind::Object(schema) = kind {
            collect(schema.fields, known);
        }
    }
}

fn values() -> impl Strategy<Value = Value> {
    let texts =
        ["", "x", "https://a.b/c.png", "http://a", "SMALL", "TALL", "Timeout", "*a", "<b>x", "12", "it’s 😀"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(texts.to_vec()).prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 96, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((names(), inner), 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_a_report(text in ".{0,200}") {
        for operation in OperationId::ALL {
            let _ = operation.validate_json(&text);
        }
    }

    #[test]
    fn pointers_of_any_json_are_valid(request in values()) {
        check_reports(&request);
    }

    /// An invalid type does not hide problems of other members.
    #[test]
    fn an_invalid_type_hides_no_other_problem(chat in values(), extra in values()) {
        let valid = json!({"business_chat": chat, "x": extra});
        let invalid = json!({"business_chat": chat, "x": extra, "destination": 5});
        let codes = |request: &Value| {
            let report = validate_json("messages.send", &request.to_string()).unwrap();
            problems(&report).filter(|problem| !problem.pointer.starts_with("/destination"))
                .map(|problem| (problem.pointer.clone(), problem.code.clone())).collect::<Vec<_>>()
        };
        prop_assert_eq!(codes(&valid), codes(&invalid));
    }
}

#[test]
fn names_with_slashes_and_tildes_are_escaped() {
    let report =
        validate_json("sms.send", r#"{"from":"A","to":"1234567","text":"x","a/b":1,"~":1}"#).unwrap();
    let pointers: Vec<&str> = problems(&report).map(|problem| problem.pointer.as_str()).collect();
    assert_eq!(pointers, ["/a~1b", "/~0"]);
}

#[test]
fn an_unknown_operation_is_reported_with_a_suggestion() {
    let error = validate_json("message.send", "{}").unwrap_err();
    assert_eq!(error.to_string(), "unknown operation; did you mean `messages.send`?");
    assert_eq!(validate_json("zzz", "{}").unwrap_err().to_string(), "unknown operation");
}

#[test]
fn messages_and_debug_quote_no_input() {
    let secret = "s3cr3t";
    let request = json!({
        "trafficAccountId": secret, "destination": secret, "s3cr3t": 1,
        "sms": {"text": "s3cr3t’", "sender": "s3cr3t!s3cr3t"},
        "messenger_b": {"type": secret, "mediaUrl": secret, "file": {"mediaUrl": secret}},
        "messenger_c": {"text": {"message": "<s3cr3t>", "parseMode": "Html"}, "photo": {"url": secret, "parseMode": secret}},
        "business_chat": {"standaloneCard": {"media": {"height": secret, "contentInfo": {"fileUrl": secret}}}}
    });
    let report = validate_json("messages.send", &request.to_string()).unwrap();
    assert!(problems(&report).count() > 15);
    for problem in problems(&report).filter(|problem| problem.code != "msg.field.unknown") {
        let shown = format!("{problem} {problem:?}");
        assert!(!shown.contains(secret), "{shown}");
    }
}

/// `buckets` and `channels` may be strings that contain the array (A8, A9). The report is that of the array.
#[test]
fn an_array_in_a_string_has_the_report_of_the_array() {
    let lists = [
        json!([{"name": "a \\ \"b\" é 😀", "max": "5", "interval": 60, "channel": "sms"}]),
        json!([{"name": "a", "max": "many", "interval": ""}, {"channel": 5, "maks": 2, "extra": {"x": {"y": []}}}]),
        json!([[], {}, null, 7, "[]", {"interval": "30", "channel": "fax"}]),
        json!([]),
    ];
    for (operation, member) in [
        ("otp.limits.create", "buckets"),
        ("otp.limits.update", "buckets"),
        ("otp.workflows.create", "channels"),
        ("otp.workflows.update", "channels"),
    ] {
        for list in &lists {
            let of = |list: Value| {
                let request = json!({"sid": "WF1", "name": "n", "description": "", "z": 1, member: list});
                validate_json(operation, &request.to_string()).unwrap().to_json()
            };
            assert_eq!(of(list.to_string().into()), of(list.clone()), "{operation} {list}");
        }
        for wrong in [json!("x"), json!("{}"), json!("[1"), json!("\"[]\""), json!(""), json!(7), json!({})] {
            let request = json!({"sid": "WF1", "name": "n", "description": "d", member: wrong});
            let report = validate_json(operation, &request.to_string()).unwrap();
            let found: Vec<_> = problems(&report)
                .filter(|problem| problem.code != "msg.field.unknown" && problem.code != "otp.sid.prefix")
                .map(|problem| (problem.pointer.as_str(), &*problem.code))
                .collect();
            assert_eq!(found, [(format!("/{member}").as_str(), "otp.list.type")], "{operation} {wrong}");
        }
    }
}

#[test]
fn positions_in_messages_count_code_points() {
    let report = cpaas::validate_json("sms.send", "{\"text\": \"äö😀\" x}").unwrap();
    let error = &report.errors[0];
    assert_eq!(error.message, "must be valid JSON: error at line 1, column 16");
    assert_eq!(error.params["column"], 21, "the params count bytes");

    let fail = cpaas::markup::parse("äö😀 1.5", cpaas::markup::Mode::MarkdownV2).unwrap_err();
    assert_eq!((fail.position, fail.byte_offset, fail.utf16_offset), (5, 10, 6));
    assert_eq!(fail.to_string(), "reserved_character at position 5");
}
