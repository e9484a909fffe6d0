//! Applying a fix removes its problem and causes no new error. Checked for every fix of the reports on the vectors' requests and on
//! many mutations of these requests.

use std::collections::BTreeSet;
use std::path::Path;

use cpaas::{OperationId, Problem};
use cpaas_tests::cases::{self, problems};
use serde_json::Value;

const MUTATIONS: usize = if cfg!(debug_assertions) { 12 } else { 200 };

/// Generates the same pseudo-random numbers in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

fn requests() -> Vec<(OperationId, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/problems");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        for case in cases::read(&std::fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap() {
            let operation = case.get("operation").and_then(Value::as_str).and_then(OperationId::find);
            let written =
                case.get("text").and_then(Value::as_str).and_then(|text| serde_json::from_str(text).ok());
            let request = written.or_else(|| case.get("request").map(problems::expand));
            found.extend(operation.zip(request));
        }
    }
    found
}

fn report(operation: OperationId, request: &Value) -> Vec<Problem> {
    let report = operation.validate_json(&request.to_string());
    report.errors.into_iter().chain(report.warnings).collect()
}

/// The pointers of all members, and of the first three items of each array. A child comes before its parent, so that each can be
/// mutated in turn.
fn pointers(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                pointers(value, format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate().take(3) {
                pointers(value, format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
    found.push(at);
}

/// Applies one mutation: changes a text, or the name of a member.
fn mutate(request: &mut Value, chance: &mut Chance) {
    const PIECES: &[&str] = &[
        "*",
        "_",
        "`",
        "[",
        "](",
        ")",
        "||",
        ">",
        "\n>",
        "\\",
        ".",
        "-",
        "<b>",
        "</b>",
        "<i",
        "<br>",
        "&nbsp;",
        "&#xD800;",
        "’",
        "“",
        "\u{a0}",
        "…",
        "😀",
        "e\u{301}",
        "я",
        "+",
        " ",
        "\u{7}",
        "",
        "```",
        "~",
        "![",
        "{",
        "<a href=x:y>",
        "\r\n",
        "👨‍👩‍👧",
    ];
    let mut all = Vec::new();
    pointers(request, String::new(), &mut all);
    let place = all.swap_remove(chance.below(all.len()));
    match request.pointer_mut(&place) {
        Some(Value::String(text)) => {
            let at =
                text.char_indices().map(|(at, _)| at).nth(chance.below(text.chars().count())).unwrap_or(0);
            match chance.below(8) {
                0 => *text = text.repeat(2 + chance.below(200)).chars().take(5000).collect(),
                1 => text.truncate(at),
                2 => *text = text.to_uppercase(),
                _ => text.insert_str(at, PIECES.get(chance.below(PIECES.len())).unwrap_or(&"")),
            }
        }
        Some(Value::Object(members)) if !members.is_empty() => {
            let name = members.keys().nth(chance.below(members.len())).unwrap().clone();
            let value = members.remove(&name).unwrap();
            let at =
                name.char_indices().map(|(at, _)| at).nth(chance.below(name.chars().count())).unwrap_or(0);
            let mut other = name.clone();
            match chance.below(3) {
                0 if !other.is_empty() => drop(other.remove(at)),
                1 => other.insert(at, 'x'),
                _ => other = other.to_uppercase(),
            }
            members.insert(other, value);
        }
        _ => {}
    }
}

/// Replaces strings that contain a JSON array by the array, because pointers of problems lead to its elements.
fn with_arrays_parsed(request: &Value) -> Value {
    let mut request = request.clone();
    for member in ["buckets", "channels"] {
        let Some(value) = request.get_mut(member) else { continue };
        let inner = value.as_str().and_then(|text| serde_json::from_str(text).ok());
        if let Some(list @ Value::Array(_)) = inner {
            *value = list;
        }
    }
    request
}

fn apply(request: &Value, problem: &Problem) -> Value {
    let mut fixed = with_arrays_parsed(request);
    let fix = problem.fix.as_ref().unwrap();
    if fix.op == "rename" {
        let (parent, name) = problem.pointer.rsplit_once('/').unwrap();
        let name = name.replace("~1", "/").replace("~0", "~");
        let members = fixed.pointer_mut(parent).and_then(Value::as_object_mut).unwrap();
        let value = members.remove(&name).unwrap();
        let hidden = members.insert(fix.insert.clone(), value).unwrap_or_default();
        let is_empty = ["null", "\"\"", "[]", "{}"].contains(&hidden.to_string().as_str());
        assert!(is_empty, "{problem} overwrites {hidden}");
        return fixed;
    }
    // A number of a list is an element of a text.
    if let Some(index) = problem.pointer.strip_prefix("/to/") {
        let mut numbers: Vec<String> = fixed["to"].as_str().unwrap().split(',').map(str::to_owned).collect();
        numbers[index.parse::<usize>().unwrap()].replace_range(fix.start..fix.end, &fix.insert);
        fixed["to"] = numbers.join(",").into();
        return fixed;
    }
    // `To` is another name of `to` (A1).
    let pointer =
        if problem.pointer == "/to" && fixed.get("to").is_none() { "/To" } else { &problem.pointer };
    let Some(Value::String(text)) = fixed.pointer_mut(pointer) else { panic!("{problem}: no text") };
    let units = |bytes: usize| text[..bytes].encode_utf16().count();
    assert_eq!((units(fix.start), units(fix.end)), (fix.start16, fix.end16), "{problem}");
    text.replace_range(fix.start..fix.end, &fix.insert);
    fixed
}

/// A string that identifies a problem, to compare two reports.
fn key(problem: &Problem) -> String {
    let span = problem.params.get("span").map(Value::to_string).unwrap_or_default();
    let fix = problem.fix.as_ref().map(|fix| (fix.start, fix.end));
    format!("{} {} {span} {fix:?}", problem.code, problem.pointer)
}

/// Whether the error existed before the fix but was not reported: the next error of the same markup, of which only the first error is
/// reported; an error in a renamed member; or an error in the object whose value the fix
/// replaced by a documented one.
fn is_uncovered(error: &Problem, fixed: &Problem) -> bool {
    let fix = fixed.fix.as_ref().unwrap();
    if fix.op == "rename" {
        return true;
    }
    if fixed.params.contains_key("suggestion") {
        return fixed.pointer.rsplit_once('/').is_some_and(|(parent, _)| error.pointer.starts_with(parent));
    }
    error.pointer == fixed.pointer
        && error.code.starts_with("messenger_c.")
        && fixed.code.starts_with("messenger_c.markup.")
}

fn check_fixes(operation: OperationId, request: &Value) -> usize {
    let before = report(operation, request);
    let errors: BTreeSet<String> = before.iter().filter(|problem| problem.is_error()).map(key).collect();
    let fixable = before.iter().filter(|problem| problem.fix.is_some());
    let mut count = 0;
    for problem in fixable.take(50) {
        count += 1;
        let fixed = apply(request, problem);
        let after = report(operation, &fixed);
        let description = || {
            format!(
                "{problem} {:?}\n{request}\n{fixed}",
                problem.fix.as_ref().map(|fix| (&fix.op, fix.start, fix.end, &fix.insert))
            )
        };
        assert!(!after.iter().any(|other| key(other) == key(problem)), "still there: {}", description());
        let new = after
            .iter()
            .find(|other| other.is_error() && !errors.contains(&key(other)) && !is_uncovered(other, problem));
        assert!(new.is_none(), "{} is new after {}", new.unwrap(), description());
    }
    count
}

#[test]
fn every_fix_removes_its_problem() {
    let mut chance = Chance(1);
    let (mut count, mut codes) = (0, 0);
    for (operation, request) in requests() {
        codes += check_fixes(operation, &request);
        for _ in 0..MUTATIONS {
            let mut request = request.clone();
            for _ in 0..=chance.below(3) {
                mutate(&mut request, &mut chance);
            }
            count += check_fixes(operation, &request);
        }
    }
    println!("{codes} fixes of the vectors, {count} of mutations");
    assert!(codes > 100 && count > 1000, "{codes} {count}");
}

/// The fix of each number removes `+`, `00` and separators.
#[test]
fn each_number_of_a_bulk_request_has_its_fix() {
    let cases = [
        ("+30 691 234 5678", "sms.to.not_digits", Some((0, 16, "306912345678"))),
        (" +306912345678", "sms.to.not_digits", Some((0, 2, ""))),
        ("00306912345678", "sms.to.prefix", Some((0, 2, ""))),
        ("+123", "sms.to.not_digits", Some((0, 1, ""))),
        (" +123", "sms.to.not_digits", Some((1, 2, ""))),
        ("letters", "sms.to.not_digits", None),
        ("", "sms.to.required", None),
        (" ", "sms.to.required", None),
        ("000123456", "sms.to.prefix", None),
    ];
    let operation = OperationId::find("sms.send_bulk").unwrap();
    for (number, code, expected) in cases {
        let request =
            serde_json::json!({"from": "Acme", "to": format!("306912345679,{number}"), "text": "Hi"});
        let problems = report(operation, &request);
        let problem =
            problems.iter().find(|problem| problem.code == code).unwrap_or_else(|| panic!("{number}"));
        assert_eq!(problem.pointer, "/to/1");
        let fix = problem.fix.as_ref().map(|fix| (fix.start, fix.end, fix.insert.as_str()));
        assert_eq!(fix, expected, "{number}");
    }
}
