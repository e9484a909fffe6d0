//! Texts with half of a surrogate pair: neither JSON nor UTF-8 can carry them. They are looked for once writing has failed.

use cpaas::problem::{Pointer, Problem, Report, codes};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

/// Nested deeper than this nothing is looked for.
const DEPTH: u32 = 64;

struct Half {
    /// A JSON pointer.
    pointer: String,
    /// Whether it is the member's name that holds it.
    in_name: bool,
    /// Where in the text, as Python counts.
    index: usize,
}

/// An error for the first one, `error` where there is none. It quotes nothing.
pub(crate) fn place(value: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    let Some(Half { pointer, index, .. }) = search(value).into_iter().next() else { return error };
    let whole = if pointer.is_empty() { String::new() } else { format!(" of {pointer}") };
    PyValueError::new_err(format!("the text holds half of a surrogate pair, at index {index}{whole}"))
}

/// What validation says of them; none where there is none.
pub(crate) fn report(value: &Bound<'_, PyAny>) -> Option<Report> {
    let problems: Vec<Problem> = search(value).into_iter().map(Half::problem).collect();
    (!problems.is_empty()).then(|| Report::new(problems))
}

impl Half {
    fn problem(self) -> Problem {
        let what = if self.in_name { "the member's name" } else { "the text" };
        let mut problem = Problem::new(&codes::JSON_SYNTAX, &Pointer::ROOT);
        problem.pointer = self.pointer;
        problem.message = format!(
            "{what} has half a character at index {} (a lone surrogate): cut texts between characters",
            self.index
        );
        problem
    }
}

fn search(value: &Bound<'_, PyAny>) -> Vec<Half> {
    let mut found = Vec::new();
    walk(value, "", 0, &mut found);
    found
}

fn walk(value: &Bound<'_, PyAny>, pointer: &str, depth: u32, found: &mut Vec<Half>) {
    if depth > DEPTH {
        return;
    }
    if let Ok(text) = value.cast::<PyString>() {
        let half = index(text).map(|index| Half { pointer: pointer.to_owned(), in_name: false, index });
        found.extend(half);
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

fn members(dict: &Bound<'_, PyDict>, pointer: &str, depth: u32, found: &mut Vec<Half>) {
    for (name, value) in dict {
        let Ok(name) = name.cast::<PyString>() else { return };
        let escaped = lossy(name).replace('~', "~0").replace('/', "~1");
        let pointer = format!("{pointer}/{escaped}");
        let half = index(name).map(|index| Half { pointer: pointer.clone(), in_name: true, index });
        found.extend(half);
        walk(&value, &pointer, depth + 1, found);
    }
}

/// With U+FFFD for each half.
fn lossy(text: &Bound<'_, PyString>) -> String {
    let bytes = text.call_method1("encode", ("utf-16-le", "surrogatepass")).ok();
    let bytes = bytes.and_then(|bytes| bytes.extract::<Vec<u8>>().ok()).unwrap_or_default();
    let units = bytes.chunks_exact(2).filter_map(|unit| Some(u16::from_le_bytes(unit.try_into().ok()?)));
    char::decode_utf16(units).map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Where a text cannot be written as UTF-8.
fn index(text: &Bound<'_, PyString>) -> Option<usize> {
    let error = text.to_str().err()?;
    error.value(text.py()).getattr("start").ok()?.extract().ok()
}
