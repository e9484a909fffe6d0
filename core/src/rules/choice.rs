//! Values out of a list.

use crate::value::Value;

use super::nearest;
use crate::problem::{Code, Fix, Pointer, Problems};

/// A member whose value is none of `allowed`: what is allowed, and what was probably meant.
#[inline(never)]
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

/// The same for a value at a place of its own.
#[inline(never)]
pub(crate) fn unknown_at(
    code: &'static Code,
    value: &str,
    allowed: &'static [&'static str],
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    let list: Vec<Value> = allowed.iter().map(|value| Value::from(*value)).collect();
    let mut added = problems.report(code, at).param("allowed", Value::Array(list));
    if allowed.len() > 1 {
        let mut before = " (";
        for value in allowed {
            added = added.append(&[before, value]);
            before = ", ";
        }
        added = added.append(&[")"]);
    }
    if let Some(meant) = nearest(value, &mut allowed.iter().copied()) {
        added.param("suggestion", meant).fix(Some(Fix::replace(value, 0, value.len(), meant)));
    }
}
