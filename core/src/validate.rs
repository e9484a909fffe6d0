//! Runs the validation of requests. One in JSON is parsed, compared with the types of the schema and filled into its model; then, as of a
//! typed one, the rules of the model are checked. The trait of the rules is [`Validate`](crate::problem::Validate).

use crate::json::{
    ErrorKind, ParseError, Tape, ValueKind, fill_model::FillRequest, json_parser::DEPTH, schema_walk,
};
use crate::operation::Operation;
use crate::problem::{Pointer, Problem, Problems, Report, arranged, codes, sort};
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
    let mut found = Problems::default();
    let is_read = fill(&mut operation, request, &O::SCHEMA, &mut found);
    Reading { operation: is_read.then_some(operation), found: found.into_vec() }
}

/// The problems of a request, in field order, at most `limit`.
pub(crate) fn report<O: Operation>(request: &str, numbers: &NumberSettings, limit: usize) -> Report {
    report_of(&mut O::default(), request, &O::SCHEMA, numbers, limit)
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
    let mut found = Problems::errors();
    let is_read = fill(operation, request, schema, &mut found);
    let mut found = found.into_vec();
    if is_read {
        let mut of_rules = Problems::errors();
        check_rules(operation, schema, &NumberSettings::default(), &mut of_rules);
        found = merged(of_rules, found, schema);
    }
    found.into_iter().next().map(|error| Problem { params: crate::value::Map::default(), fix: None, ..error })
}

/// A report with a limit is shortened after it was sorted, so that a lower limit lists the first of these problems.
const MIN_KEPT: usize = 1_000;

fn report_of(
    operation: &mut dyn FillRequest,
    request: &str,
    schema: &'static Schema,
    numbers: &NumberSettings,
    limit: usize,
) -> Report {
    let max = limit.max(MIN_KEPT);
    let mut found = Problems::bounded(max);
    let is_read = fill(operation, request, schema, &mut found);
    let more_found = found.dropped();
    let found = found.into_vec();
    let mut of_rules = Problems::bounded(max);
    if max < usize::MAX {
        of_rules.cover(&found);
    }
    // If there are more wrong types than are kept, the rules are not checked: they would report the neutral values of the others.
    if is_read {
        check_rules(operation, schema, numbers, &mut of_rules);
    }
    let more = more_found + of_rules.dropped();
    let mut report = Report::new(merged(of_rules, found, schema));
    report.more = more;
    report.limit(limit);
    report
}

/// Checks the rules of an operation, and adds the problems that were found when it was read.
pub(crate) fn check_rules_and_merge(
    operation: &mut dyn FillRequest,
    found: Vec<Problem>,
    schema: &'static Schema,
    numbers: &NumberSettings,
) -> Vec<Problem> {
    let mut of_rules = Problems::default();
    check_rules(operation, schema, numbers, &mut of_rules);
    merged(of_rules, found, schema)
}

/// Checks a typed request, whose recipients become those that are sent.
pub(crate) fn check_operation(
    operation: &mut dyn FillRequest,
    schema: &'static Schema,
    numbers: &NumberSettings,
) -> Vec<Problem> {
    let mut problems = Problems::default();
    check_rules(operation, schema, numbers, &mut problems);
    let mut problems = problems.into_vec();
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

/// Fills a default operation from a request, and adds the problems that are found while reading. Returns whether the operation has the
/// request: it is a JSON object, and no problem of a wrong type is dropped.
fn fill(
    operation: &mut dyn FillRequest,
    request: &str,
    schema: &'static Schema,
    problems: &mut Problems,
) -> bool {
    let tape = parse_and_check_types(request, schema, problems);
    let Some(tape) = tape.filter(|_| !problems.has_dropped_errors()) else { return false };
    operation.read(schema.fields, tape.entry(0));
    true
}

/// Merges the problems of the rules with those found while reading, in field order.
fn merged(of_rules: Problems, mut found: Vec<Problem>, schema: &'static Schema) -> Vec<Problem> {
    let typed = found.len();
    found.extend(of_rules.into_vec());
    arranged(found, typed, schema)
}

fn check_rules(
    operation: &mut dyn FillRequest,
    schema: &'static Schema,
    numbers: &NumberSettings,
    problems: &mut Problems,
) {
    numbers::check(operation, schema.fields, numbers, problems);
    operation.check(&Pointer::ROOT, problems);
    let more = problems.unlisted_unknown();
    if more > 0 {
        problems.report(&codes::MSG_FIELD_MORE, &Pointer::ROOT).param("count", more);
    }
}

/// Parses a request and replaces values of invalid types by neutral ones; returns the tape, and adds the problems.
fn parse_and_check_types<'a>(
    request: &'a str,
    schema: &'static Schema,
    problems: &mut Problems,
) -> Option<Tape<'a>> {
    match Tape::read(request) {
        Ok(mut tape) if tape.node(0).kind == ValueKind::Object => {
            schema_walk::object(&mut tape, 0, schema, &Pointer::ROOT, problems);
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
    }
}

/// Converts the column of a syntax error from bytes to code points, for its message.
fn column_in_code_points(request: &str, line: usize, column: usize) -> usize {
    let text = request.split('\n').nth(line.saturating_sub(1)).unwrap_or_default();
    let before = text.as_bytes().get(..column.saturating_sub(1)).unwrap_or(text.as_bytes());
    // A continuation byte belongs to the code point that starts before it.
    1 + before.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}
