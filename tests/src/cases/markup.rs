//! Cases of messenger_c markup: `{"mode", "input"}` and the expected result of `cpaas::bindings::parse_markup_json`.
//!
//! A case can expect any of these members: `ok`, `text`, `entities`, `len_code_points` and `len_utf16` of the parsed text; `error`
//! (the message), `kind`, `offset`, `utf16Offset` and `fix` of an error; `sent` and `findings`. With `"compare": "text"` entities
//! are not compared. The identifier of an emoji is `emoji_id` or `custom_emoji_id`, a string or a number.

use serde_json::{Map, Value, json};

/// Members of a case that are not expectations.
const OTHER: &[&str] = &["id", "about", "mode", "input", "compare"];

/// Compares one case with the library; the difference, if there is one.
pub fn check(case: &Value) -> Option<String> {
    let member = |name| case.get(name).and_then(Value::as_str);
    let (Some(input), Some(mode)) = (member("input"), member("mode")) else {
        return Some("a case needs `mode` and `input`".to_owned());
    };
    let result: Value = match serde_json::from_str(&cpaas::bindings::parse_markup_json(input, mode)) {
        Ok(result) => result,
        Err(error) => return Some(error.to_string()),
    };
    let mut want = case.as_object().cloned().unwrap_or_default();
    let text_only = member("compare") == Some("text");
    let expects = |key: &str| !OTHER.contains(&key) && (key != "entities" || !text_only);
    want.retain(|key, _| expects(key));
    want.values_mut().for_each(canonical);
    super::differences(&Value::Object(want), &Value::Object(shape(result)))
}

/// The result with the member names of a case.
fn shape(result: Value) -> Map<String, Value> {
    let error = result.get("error").cloned().unwrap_or_default();
    let mut have = result.as_object().cloned().unwrap_or_default();
    have.insert("ok".into(), error.is_null().into());
    if let Some(text) = result.get("text").and_then(Value::as_str) {
        have.insert("len_code_points".into(), text.chars().count().into());
        have.insert("len_utf16".into(), text.encode_utf16().count().into());
    }
    have.insert("error".into(), Value::Null);
    for (key, value) in error.as_object().into_iter().flatten() {
        let key = if key == "message" { "error" } else { key };
        have.insert(key.to_owned(), value.clone());
    }
    have
}

/// Replaces the identifier of each emoji by the member `emoji_id` with a string.
fn canonical(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(canonical),
        Value::Object(members) => {
            let named = members.remove("custom_emoji_id").or_else(|| members.remove("emoji_id"));
            if let Some(id) = named {
                let id = if id.is_number() { json!(id.to_string()) } else { id };
                members.insert("emoji_id".into(), id);
            }
            members.values_mut().for_each(canonical);
        }
        _ => {}
    }
}
