//! `Debug` of requests and responses shows no phone number, text, code, name or URL.

use std::fs;
use std::path::Path;

use cpaas::operation::Operation;
use cpaas::schema::{HasKind, Kind};
use serde_json::Value;

fn cases(folder: &str, id: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../tests/vectors/{folder}/{id}.json"));
    let mut file: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    file["cases"].as_array_mut().unwrap().drain(..).collect()
}

/// Collects the strings and fractions that `Debug` must not show, by the schema of the value.
fn hidden(kind: Kind, is_shown: bool, value: &Value, found: &mut Vec<String>) {
    match (kind, value) {
        (_, Value::String(text)) if !is_shown && text.len() > 2 => found.push(text.clone()),
        (_, Value::Number(number)) if number.is_f64() && !is_shown => found.push(number.to_string()),
        (Kind::Array(inner) | Kind::OneOrMany(inner), Value::Array(elements)) => {
            elements.iter().for_each(|element| hidden(*inner, is_shown, element, found));
        }
        (Kind::Object(schema), Value::Object(members)) => members.iter().for_each(|(name, value)| {
            let (kind, is_shown) = schema.field(name).map_or((Kind::Any, false), |one| (one.kind, one.shown));
            hidden(kind, is_shown, value, found);
        }),
        (_, Value::Array(elements)) => {
            elements.iter().for_each(|element| hidden(Kind::Any, is_shown, element, found));
        }
        (_, Value::Object(members)) => {
            members.values().for_each(|value| hidden(Kind::Any, is_shown, value, found));
        }
        _ => {}
    }
}

fn hides_values(id: &str, kind: Kind, value: &Value, debug: &str) {
    let mut texts = Vec::new();
    hidden(kind, false, value, &mut texts);
    for text in texts {
        assert!(!debug.contains(&format!("{text:?}")), "{id}: a text is shown: {debug}");
        let is_number = text.len() > 5 && text.bytes().all(|byte| byte.is_ascii_digit());
        assert!(!is_number || !debug.contains(&text), "{id}: a number is shown: {debug}");
    }
}

fn check_operation<O: Operation + std::fmt::Debug>()
where
    O::Output: std::fmt::Debug,
{
    let mut seen = 0;
    for case in cases("requests", O::ID) {
        if let Ok(request) = serde_json::from_value::<O>(case["request"].clone()) {
            hides_values(O::ID, O::KIND, &case["request"], &format!("{request:?}"));
            seen += 1;
        }
    }
    for case in cases("responses", O::ID) {
        let result = &case["expect"]["result"];
        if let Ok(response) = serde_json::from_value::<O::Output>(result.clone()) {
            hides_values(O::ID, O::Output::KIND, result, &format!("{response:?}"));
            seen += 1;
        }
    }
    assert!(seen >= 4, "{}: {seen} values", O::ID);
}

macro_rules! check_operations {
    ($( $variant:ident = $operation:ty ),* $(,)?) => { $( check_operation::<$operation>(); )* };
}

#[test]
fn requests_and_responses_of_every_operation_hide_values() {
    cpaas::with_operations!(check_operations);
}
