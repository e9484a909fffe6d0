//! The typed lane. Only the parse is compiled for each operation.

use cpaas_scan::{Entry, Mark};

use super::{collect, merged, reader, repair};
use crate::operation::{Operation, Validate};
use crate::problem::{Pointer, Problem, codes, sort};
use crate::shape::Shape;
use crate::value::to_json;

/// A request as read: what its types allow, and what was wrong with them.
pub(crate) struct Reading<O> {
    /// The operation, with neutral values where a type was wrong; none when nothing could be read.
    pub(crate) operation: Option<O>,
    /// What was wrong with the types; without an error among it, every member was read as it was given.
    pub(crate) found: Vec<Problem>,
}

/// Reads a request.
pub(crate) fn read<O: Operation>(request: &str) -> Reading<O> {
    let operation = parse(request);
    if operation.is_some() {
        return Reading { operation, found: Vec::new() };
    }
    let (text, mut found) = repaired(request, &O::SHAPE);
    let operation = text.and_then(|text| parse(&text));
    if operation.is_none() && !found.iter().any(Problem::is_error) {
        found.push(Problem::new(&codes::MSG_FIELD_TYPE, &Pointer::ROOT));
    }
    Reading { operation, found }
}

/// All that is wrong with a request, in field order.
pub(crate) fn problems<O: Operation>(request: &str) -> Vec<Problem> {
    let Reading { operation, found } = read::<O>(request);
    match &operation {
        Some(operation) => judged(operation, found, &O::SHAPE),
        None => found,
    }
}

/// Checks what was read.
pub(crate) fn judged(operation: &dyn Validate, found: Vec<Problem>, shape: &'static Shape) -> Vec<Problem> {
    merged(collect(operation), found, shape)
}

/// Checks a typed request.
pub(crate) fn checked(operation: &dyn Validate, shape: &'static Shape) -> Vec<Problem> {
    let mut problems = collect(operation);
    sort(&mut problems, shape);
    problems
}

#[inline(never)]
fn parse<O: Operation>(request: &str) -> Option<O> {
    reader::read(request)
}

/// The request with neutral values where a type is wrong, as text, and what was wrong.
#[cold]
fn repaired(request: &str, shape: &'static Shape) -> (Option<String>, Vec<Problem>) {
    let (tape, found) = repair(request, shape);
    (tape.map(|tape| written(tape.entry(0))), found)
}

/// A tape as text again.
pub(super) fn written(entry: Entry<'_>) -> String {
    let mut json = String::new();
    write(entry, &mut json);
    json
}

fn write(entry: Entry<'_>, json: &mut String) {
    match entry.mark() {
        Mark::Null => json.push_str("null"),
        Mark::False => json.push_str("false"),
        Mark::True => json.push_str("true"),
        Mark::Number => json.push_str(entry.text()),
        Mark::Text => json.push_str(&to_json(entry.text())),
        Mark::Array => {
            json.push('[');
            for (index, item) in entry.children().enumerate() {
                json.push_str(if index == 0 { "" } else { "," });
                write(item, json);
            }
            json.push(']');
        }
        Mark::Object => {
            json.push('{');
            for (index, member) in entry.children().enumerate() {
                json.push_str(if index == 0 { "" } else { "," });
                json.push_str(&to_json(member.name()));
                json.push(':');
                write(member, json);
            }
            json.push('}');
        }
    }
}
