//! Validation of requests given as JSON, in two speeds: the typed parse and `check` when the types
//! are right; a walk over the operation's field table only when they are not. Builds without the feature
//! `wire` (the browser's module) have the walk alone, which is smaller.

#[cfg(feature = "wire")]
mod reader;
#[cfg(feature = "wire")]
mod typed;
mod walk;

use crate::digits::Digits as _;
use crate::value::{Value, object};

#[cfg(not(feature = "wire"))]
use crate::operation::Operation;
use crate::operation::Validate;
use crate::problem::{Pointer, Problem, Problems, Severity, below_any, codes, sort};
#[cfg(not(feature = "wire"))]
use crate::read::Slot;
use crate::shape::Shape;
use cpaas_scan::{Fault, Mark, Tape};
#[cfg(feature = "wire")]
pub(crate) use typed::{Reading, checked, judged, problems, read};

/// All that is wrong with a request, in field order.
#[cfg(not(feature = "wire"))]
pub(crate) fn problems<O: Operation + Slot + Default>(request: &str) -> Vec<Problem> {
    walked(request, &O::SHAPE, || Box::new(O::default()))
}

/// A request that is filled and then checked.
#[cfg(not(feature = "wire"))]
trait Request: Slot + Validate {}

#[cfg(not(feature = "wire"))]
impl<T: Slot + Validate> Request for T {}

#[cfg(not(feature = "wire"))]
#[inline(never)]
fn walked(request: &str, shape: &'static Shape, blank: fn() -> Box<dyn Request>) -> Vec<Problem> {
    match repair(request, shape) {
        (Some(tape), found) => {
            let mut request = blank();
            request.fill(tape.entry(0));
            let mut problems = Problems::default();
            request.check(&Pointer::ROOT, &mut problems);
            merged(problems.into_vec(), found, shape)
        }
        (None, found) => found,
    }
}

/// What the types and what the rules say, in field order; a place that was reported already is not
/// reported again.
fn merged(problems: Vec<Problem>, mut found: Vec<Problem>, shape: &'static Shape) -> Vec<Problem> {
    let mut reported = Vec::new();
    for problem in &found {
        if problem.severity == Severity::Error {
            reported.push((problem.pointer.clone(), Value::Null));
        }
    }
    let reported = object(reported);
    for problem in problems {
        if reported.is_empty() || !below_any(&problem.pointer, &reported) {
            found.push(problem);
        }
    }
    sort(&mut found, shape);
    found
}

#[cfg(feature = "wire")]
fn collect(operation: &dyn Validate) -> Vec<Problem> {
    let mut problems = Problems::default();
    operation.check(&Pointer::ROOT, &mut problems);
    problems.into_vec()
}

/// The request with neutral values where a type is wrong, and what was wrong.
fn repair<'a>(request: &'a str, shape: &'static Shape) -> (Option<Tape<'a>>, Vec<Problem>) {
    let mut problems = Problems::default();
    let tape = match Tape::read(request) {
        Ok(mut tape) if tape.node(0).mark == Mark::Object => {
            walk::object(&mut tape, 0, shape, &Pointer::ROOT, &mut problems);
            Some(tape)
        }
        Ok(tape) => {
            let actual = walk::actual(&tape, 0);
            let added = problems.tell(&codes::MSG_FIELD_TYPE, &Pointer::ROOT);
            added.param("expected", "an object").param("actual", actual).say(&[
                ": here ",
                actual,
                ", wanted an object",
            ]);
            None
        }
        Err(Fault { line, column }) => {
            let added = problems
                .tell(&codes::JSON_SYNTAX, &Pointer::ROOT)
                .param("line", line)
                .param("column", column);
            added.say(&[": line ", &line.digits(), ", column ", &column.digits()]);
            None
        }
    };
    (tape, problems.into_vec())
}
