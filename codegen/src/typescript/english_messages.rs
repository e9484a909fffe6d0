//! `english.js`: the English template of each code, with `{limit}` and other parameters of its problems as placeholders. A part
//! in brackets appears only with its parameters. The parameters come from the reports on the vectors.

use std::collections::{BTreeMap, BTreeSet};

use cpaas::OperationId;
use cpaas::problem::{Problem, codes};
use serde_json::Value;

pub(super) fn module() -> String {
    let samples = samples();
    let mut out =
        "/** The English message of each code. A name in braces is a parameter of the problem. Omit a part in brackets if the problem lacks its parameter. */\n\
                   export const ENGLISH = /* @__PURE__ */ Object.freeze({\n"
            .to_owned();
    for code in codes::all() {
        let found = samples.get(code.id).and_then(widest);
        out += &format!("  {:?}: {},\n", code.id, Value::from(found.unwrap_or(code.message)));
    }
    out + "});\n"
}

/// The longest template, if the others differ from it only by the part in brackets.
fn widest(found: &BTreeSet<String>) -> Option<&str> {
    let widest = found.iter().max_by_key(|template| template.len())?;
    let without = widest.split_once('[').map_or(widest.as_str(), |(before, _)| before);
    found.iter().all(|template| template == widest || template == without).then_some(widest.as_str())
}

/// The templates of the problems of each code, from the reports on the vectors.
fn samples() -> BTreeMap<String, BTreeSet<String>> {
    let mut samples: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    for case in crate::problems_page::cases() {
        let id = case.get("operation").and_then(Value::as_str).and_then(OperationId::find);
        let (Some(id), Some(request)) = (id, case.get("request")) else { continue };
        let report = id.validate_json(&expanded(request).to_string());
        for problem in report.errors.iter().chain(&report.warnings) {
            samples.entry(problem.code.to_string()).or_default().insert(template(problem));
        }
    }
    samples
}

/// The message with placeholders where it contains parameters.
fn template(problem: &Problem) -> String {
    let text = |name: &str| problem.params.get(name).and_then(Value::as_str).unwrap_or_default();
    if problem.message == format!("expected {}, got {}", text("expected"), text("actual")) {
        return "expected {expected}, got {actual}".to_owned();
    }
    if let Some((_, details)) =
        problem.message.split_once("UCS-2: ").filter(|_| problem.params.contains_key("characters"))
    {
        return format!("{{count}} characters force UCS-2: {details}");
    }
    let code = codes::find(&problem.code).map_or("", |code| code.message);
    let Some(details) = problem.message.strip_prefix(code) else { return problem.message.clone() };
    let number = |name: &str| problem.params.get(name).and_then(Value::as_i64).map(grouped);
    let mut details = details.to_owned();
    if let (Some(parts), Some(units), Some(left)) = (number("parts"), number("units"), number("left"))
        && details == format!(": {parts} parts, {units} {}, {left} remaining", text("unit"))
    {
        ": {parts} parts, {units} {unit}, {left} remaining".clone_into(&mut details);
    }
    let position = |character: char| character.is_ascii_digit() || character == ',';
    if let Some(before) = details
        .trim_end_matches(position)
        .strip_suffix(", at position ")
        .filter(|_| problem.params.contains_key("span"))
    {
        details = format!("{before}, at position {{position}}");
    }
    if let Some(before) = details.strip_suffix(&format!("; did you mean `{}`?", text("suggestion"))) {
        details = format!("{before}[; did you mean `{{suggestion}}`?]");
    }
    if details == format!(": {}", text("reason")) {
        "[: {reason}]".clone_into(&mut details);
    }
    if let Some(limit) = number("limit") {
        details = details.replacen(&limit, "{limit}", 1);
    }
    if let Some((before, after)) =
        number("actual").and_then(|actual| Some((details.strip_suffix(&actual)?, "")))
    {
        details = format!("{before}{{actual}}{after}");
    }
    let allowed = problem.params.get("allowed").and_then(Value::as_array);
    let names: Vec<&str> = allowed.into_iter().flatten().filter_map(Value::as_str).collect();
    if !names.is_empty() {
        details = details.replacen(&names.join(", "), "{allowed}", 1);
    }
    format!("{code}{details}")
}

/// A number with a comma between groups of three digits, as in messages.
fn grouped(number: i64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && digit != '-' && (digits.len() - index).is_multiple_of(3) && !text.ends_with('-') {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The vectors write `"abbb"` as `{"$text": ["a", ["b", 3]]}` and `[x, x]` as `{"$list": [x, 2]}`.
fn expanded(value: &Value) -> Value {
    match value {
        Value::Object(members) => match (members.get("$text"), members.get("$list")) {
            (Some(Value::Array(runs)), _) => runs
                .iter()
                .map(|run| repeated(run).0.as_str().unwrap_or_default().repeat(repeated(run).1))
                .collect::<String>()
                .into(),
            (_, Some(list)) => vec![expanded(repeated(list).0); repeated(list).1].into(),
            _ => Value::Object(members.iter().map(|(name, value)| (name.clone(), expanded(value))).collect()),
        },
        Value::Array(items) => items.iter().map(expanded).collect(),
        other => other.clone(),
    }
}

/// A value and its number of repetitions: `[value, number]`, or a value alone.
fn repeated(run: &Value) -> (&Value, usize) {
    let count = run.get(1).and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
    (run.get(0).unwrap_or(run), count.unwrap_or(1))
}
