//! Files of cases: `{"cases": [{"id", …}, …]}`, as in `tests/vectors`, compared with the library.

use std::io::{self, Write};

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

pub mod markup;
pub mod problems;
pub mod segments;

/// Compares one case with the library: `None` if it passes, else the difference.
pub type Check = fn(&Value) -> Option<String>;

/// The function that checks a kind of cases.
pub fn check(kind: &str) -> Option<Check> {
    match kind {
        "markup" => Some(markup::check),
        "problems" => Some(problems::check),
        "segments" => Some(segments::check),
        _ => None,
    }
}

/// Checks all cases of a file. Writes the differences and a last line `passed/all`. Returns whether all cases pass.
///
/// # Errors
/// The text is not JSON of that form, or `out` cannot be written.
pub fn run(check: Check, file: &str, out: &mut impl Write) -> io::Result<bool> {
    let cases = read(file)?;
    let mut right = 0;
    for (index, case) in cases.iter().enumerate() {
        match check(case) {
            None => right += 1,
            Some(difference) => {
                let id = case.get("id").map_or_else(|| format!("#{index}"), Value::to_string);
                writeln!(out, "{id}: {difference}")?;
            }
        }
    }
    writeln!(out, "{right}/{}", cases.len())?;
    Ok(right == cases.len())
}

/// The cases of a file, each with the original text of its `request`, because the order of members matters in a failover.
///
/// # Errors
/// The text is not JSON of that form.
pub fn read(file: &str) -> serde_json::Result<Vec<Value>> {
    #[derive(Deserialize)]
    struct Cases<'a> {
        #[serde(borrow)]
        cases: Vec<&'a RawValue>,
    }
    let cases = serde_json::from_str::<Cases<'_>>(file).map(|file| file.cases);
    let cases = cases.or_else(|_| serde_json::from_str::<Vec<&RawValue>>(file))?;
    cases.into_iter().map(|case| case_of(case.get())).collect()
}

fn case_of(text: &str) -> serde_json::Result<Value> {
    #[derive(Deserialize)]
    struct Request<'a> {
        #[serde(borrow)]
        request: Option<&'a RawValue>,
    }
    let mut case: Value = serde_json::from_str(text)?;
    let request = serde_json::from_str::<Request<'_>>(text).ok().and_then(|case| case.request);
    let is_written_out =
        |request: &&RawValue| !["\"$text\"", "\"$list\""].iter().any(|mark| request.get().contains(mark));
    if let (Some(request), Some(case)) = (request.filter(is_written_out), case.as_object_mut()) {
        case.entry("text").or_insert_with(|| request.get().into());
    }
    Ok(case)
}

/// The members of `want` that differ in `have`, as a line; further members of `have` are ignored.
pub fn differences(want: &Value, have: &Value) -> Option<String> {
    let members = want.as_object()?.iter();
    let wrong: Vec<String> = members
        .filter(|(key, value)| have.get(*key).unwrap_or(&Value::Null) != *value)
        .map(|(key, value)| format!("{key}: expected {value}, got {}", have.get(key).unwrap_or(&Value::Null)))
        .collect();
    (!wrong.is_empty()).then(|| wrong.join("; "))
}
