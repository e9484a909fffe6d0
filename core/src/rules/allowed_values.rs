//! Members whose value must be one of a list.

use crate::value::Value;

use crate::problem::{Code, Fix, Pointer, Problems, Severity};
use crate::util::nearest;

/// Reports a member whose value is not in `allowed`, with the allowed values, and the most similar one as a fix.
pub(crate) fn unknown(
    code: &'static Code,
    value: &str,
    allowed: &'static [&'static str],
    at: &Pointer<'_>,
    name: &str,
    problems: &mut Problems,
) {
    unknown_at(code, value, allowed, &at.key(name), problems);
}

/// Reports the value at `at`, as [`unknown`] does.
pub(crate) fn unknown_at(
    code: &'static Code,
    value: &str,
    allowed: &'static [&'static str],
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    let list: Vec<Value> = allowed.iter().map(|value| Value::from(*value)).collect();
    let added = problems.report(code, at).param("allowed", Value::Array(list));
    let added = match code.severity {
        Severity::Error => added.message(format!("must be {}", one_of(allowed))),
        _ => {
            let values = if allowed.len() > 1 { "values" } else { "value" };
            added.append(&format!("; documented {values}: {}", allowed.join(", ")))
        }
    };
    if let Some(meant) = nearest(value, &mut allowed.iter().copied()) {
        added.param("suggestion", meant).fix(Some(Fix::replace(value, 0, value.len(), meant)));
    }
}

/// The values in quotation marks: `"a", "b" or "c"`.
fn one_of(allowed: &[&str]) -> String {
    match allowed {
        [] => String::new(),
        [value] => format!("\"{value}\""),
        [others @ .., last] => format!("\"{}\" or \"{last}\"", others.join("\", \"")),
    }
}
