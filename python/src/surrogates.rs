//! Finds lone surrogates, which UTF-8 cannot encode. The search runs only after encoding has failed.

use cpaas::problem::{Pointer, Problem, Report, codes};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

/// The maximum depth of the search.
const MAX_DEPTH: u32 = 64;

struct LoneSurrogate {
    /// A JSON pointer.
    pointer: String,
    /// Whether the surrogate is in the name of a member.
    in_name: bool,
    /// The index in the string, in code points.
    index: usize,
}

/// A report with all lone surrogates, or `None` if there are none.
pub(crate) fn report(value: &Bound<'_, PyAny>) -> Option<Report> {
    let problems: Vec<Problem> = search(value).into_iter().map(LoneSurrogate::problem).collect();
    (!problems.is_empty()).then(|| Report::new(problems))
}

impl LoneSurrogate {
    fn problem(self) -> Problem {
        let what = if self.in_name { "the name" } else { "the string" };
        let mut problem = Problem::new(&codes::JSON_SYNTAX, &Pointer::ROOT);
        problem.pointer = self.pointer;
        problem.message = format!(
            "{what} must be valid Unicode, got a lone surrogate at index {}: split strings between characters",
            self.index
        );
        problem
    }
}

fn search(value: &Bound<'_, PyAny>) -> Vec<LoneSurrogate> {
    let mut found = Vec::new();
    walk(value, "", 0, &mut found);
    found
}

fn walk(value: &Bound<'_, PyAny>, pointer: &str, depth: u32, found: &mut Vec<LoneSurrogate>) {
    if depth > MAX_DEPTH {
        return;
    }
    if let Ok(text) = value.cast::<PyString>() {
        found.extend(index(text).map(|index| LoneSurrogate {
            pointer: pointer.to_owned(),
            in_name: false,
            index,
        }));
    } else if let Ok(dict) = value.cast::<PyDict>() {
        members(dict, pointer, depth, found);
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        for (index, item) in value.try_iter().into_iter().flatten().enumerate() {
            let Ok(item) = item else { return };
            walk(&item, &format!("{pointer}/{index}"), depth + 1, found);
        }
    } else if let Ok(model) = value.call_method0("to_dict") {
        walk(&model, pointer, depth + 1, found);
    }
}

fn members(dict: &Bound<'_, PyDict>, pointer: &str, depth: u32, found: &mut Vec<LoneSurrogate>) {
    for (name, value) in dict {
        let Ok(name) = name.cast::<PyString>() else { return };
        let escaped = lossy(name).replace('~', "~0").replace('/', "~1");
        let pointer = format!("{pointer}/{escaped}");
        found.extend(index(name).map(|index| LoneSurrogate {
            pointer: pointer.clone(),
            in_name: true,
            index,
        }));
        walk(&value, &pointer, depth + 1, found);
    }
}

/// The string with U+FFFD in place of each lone surrogate.
pub(crate) fn lossy(text: &Bound<'_, PyString>) -> String {
    let bytes = text.call_method1("encode", ("utf-16-le", "surrogatepass")).ok();
    let bytes = bytes.and_then(|bytes| bytes.extract::<Vec<u8>>().ok()).unwrap_or_default();
    let units = bytes.chunks_exact(2).filter_map(|unit| Some(u16::from_le_bytes(unit.try_into().ok()?)));
    char::decode_utf16(units).map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// The index of the first lone surrogate.
fn index(text: &Bound<'_, PyString>) -> Option<usize> {
    text.to_str().err().map(|error| index_of(text.py(), &error))
}

/// The index of the first lone surrogate, from the error of its encoding.
pub(crate) fn index_of(py: Python<'_>, error: &PyErr) -> usize {
    let start = error.value(py).getattr("start");
    start.and_then(|start| start.extract()).unwrap_or_default()
}
