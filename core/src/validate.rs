//! Validates requests that are given as JSON: parses them, compares the types with the schema, fills the model and checks its rules.

use crate::json::{
    ErrorKind, ParseError, Tape, ValueKind, fill_model::FillRequest, json_parser::DEPTH, schema_walk,
};
use crate::operation::Operation;
use crate::problem::{Pointer, Problem, Problems, arranged, codes, sort};
use crate::request::{NumberSettings, RequestContext};
use crate::rules::numbers;
use crate::schema::Schema;

/// A request that was read.
pub(crate) struct Reading<O> {
    /// The operation, with neutral values in place of invalid types; `None` if the request is not a JSON object.
    pub(crate) operation: Option<O>,
    /// Invalid types and duplicate names. If none of these problems is an error, every member has the value of the request.
    pub(crate) found: Vec<Problem>,
}

/// Reads a request.
pub(crate) fn read<O: Operation>(request: &str) -> Reading<O> {
    let mut operation = O::default();
    match fill(&mut operation, request, &O::SCHEMA, Problems::default()) {
        (true, found) => Reading { operation: Some(operation), found },
        (false, found) => Reading { operation: None, found },
    }
}

/// All problems of a request, in field order.
pub(crate) fn problems<O: Operation>(request: &str, numbers: &NumberSettings) -> Vec<Problem> {
    problems_of(&mut O::default(), request, &O::SCHEMA, numbers)
}

/// All problems of a request that gets the defaults of a configuration, in field order.
pub(crate) fn problems_with_defaults<O: Operation>(request: &str, context: &RequestContext) -> Vec<Problem> {
    let Reading { operation, found } = read::<O>(request);
    match operation {
        Some(mut operation) => {
            operation.apply_defaults(context);
            check_rules_and_merge(&mut operation, found, &O::SCHEMA, &context.numbers)
        }
        None => found,
    }
}

/// The first error of a request in field order, without params and fix. Warnings are skipped.
pub(crate) fn first_error<O: Operation>(request: &str) -> Option<Problem> {
    first_error_of(&mut O::default(), request, &O::SCHEMA)
}

fn first_error_of(
    operation: &mut dyn FillRequest,
    request: &str,
    schema: &'static Schema,
) -> Option<Problem> {
    let (is_read, mut found) = fill(operation, request, schema, Problems::errors());
    if is_read {
        let numbers = NumberSettings::default();
        found = merged(check_rules(operation, schema, &numbers, Problems::errors()), found, schema);
    }
    found.into_iter().next().map(|error| Problem { params: crate::value::Map::default(), fix: None, ..error })
}

fn problems_of(
    operation: &mut dyn FillRequest,
    request: &str,
    schema: &'static Schema,
    numbers: &NumberSettings,
) -> Vec<Problem> {
    let (is_read, found) = fill(operation, request, schema, Problems::default());
    if !is_read {
        return found;
    }
    check_rules_and_merge(operation, found, schema, numbers)
}

/// Checks the rules of an operation, and adds the problems that were found when it was read.
pub(crate) fn check_rules_and_merge(
    operation: &mut dyn FillRequest,
    found: Vec<Problem>,
    schema: &'static Schema,
    numbers: &NumberSettings,
) -> Vec<Problem> {
    merged(check_rules(operation, schema, numbers, Problems::default()), found, schema)
}

/// Checks a typed request, whose recipients become those that are sent.
pub(crate) fn check_operation(
    operation: &mut dyn FillRequest,
    schema: &'static Schema,
    numbers: &NumberSettings,
) -> Vec<Problem> {
    let mut problems = check_rules(operation, schema, numbers, Problems::default());
    sort(&mut problems, schema);
    problems
}

/// The recipients of a typed request become those that are sent. Returns those that the policy refuses; nothing else is checked.
pub(crate) fn check_policy(
    operation: &mut dyn FillRequest,
    schema: &'static Schema,
    numbers: &NumberSettings,
) -> Vec<Problem> {
    let mut problems = Problems::errors();
    numbers::check(operation, schema.fields, numbers, &mut problems);
    let mut problems = problems.into_vec();
    problems.retain(Problem::is_of_policy);
    problems
}

/// Fills a default operation from a request. Returns whether the request is a JSON object, and the problems found while reading.
fn fill(
    operation: &mut dyn FillRequest,
    request: &str,
    schema: &'static Schema,
    problems: Problems,
) -> (bool, Vec<Problem>) {
    let (tape, found) = parse_and_check_types(request, schema, problems);
    if let Some(tape) = &tape {
        operation.read(schema.fields, tape.entry(0));
    }
    (tape.is_some(), found)
}

/// Merges the problems of the rules with those found while reading, in field order.
fn merged(problems: Vec<Problem>, mut found: Vec<Problem>, schema: &'static Schema) -> Vec<Problem> {
    let typed = found.len();
    found.extend(problems);
    arranged(found, typed, schema)
}

fn check_rules(
    operation: &mut dyn FillRequest,
    schema: &'static Schema,
    numbers: &NumberSettings,
    mut problems: Problems,
) -> Vec<Problem> {
    numbers::check(operation, schema.fields, numbers, &mut problems);
    operation.check(&Pointer::ROOT, &mut problems);
    let more = problems.unlisted_unknown();
    if more > 0 {
        problems.report(&codes::MSG_FIELD_MORE, &Pointer::ROOT).param("count", more);
    }
    problems.into_vec()
}

/// Parses a request and replaces values of invalid types by neutral ones; returns the tape and the problems.
fn parse_and_check_types<'a>(
    request: &'a str,
    schema: &'static Schema,
    mut problems: Problems,
) -> (Option<Tape<'a>>, Vec<Problem>) {
    let tape = match Tape::read(request) {
        Ok(mut tape) if tape.node(0).kind == ValueKind::Object => {
            schema_walk::object(&mut tape, 0, schema, &Pointer::ROOT, &mut problems);
            Some(tape)
        }
        Ok(tape) => {
            let actual = schema_walk::actual(&tape, 0);
            let added = problems.report(&codes::MSG_FIELD_TYPE, &Pointer::ROOT);
            added
                .param("expected", "an object")
                .param("actual", actual)
                .message(format!("expected an object, got {actual}"));
            None
        }
        Err(ParseError { kind, line, column }) => {
            let code = match kind {
                ErrorKind::Syntax => &codes::JSON_SYNTAX,
                ErrorKind::TooDeep => &codes::JSON_TOO_DEEP,
            };
            let mut added = problems.report(code, &Pointer::ROOT).param("line", line).param("column", column);
            if kind == ErrorKind::TooDeep {
                added = added.param("limit", DEPTH).param("unit", "levels");
            }
            let position = column_in_code_points(request, line, column);
            added.append(&format!(": error at line {line}, column {position}"));
            None
        }
    };
    (tape, problems.into_vec())
}

/// Converts the column of a syntax error from bytes to code points, for its message.
fn column_in_code_points(request: &str, line: usize, column: usize) -> usize {
    let text = request.split('\n').nth(line.saturating_sub(1)).unwrap_or_default();
    let before = text.as_bytes().get(..column.saturating_sub(1)).unwrap_or(text.as_bytes());
    // A continuation byte belongs to the code point that starts before it.
    1 + before.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}
