//! Validation of requests given as JSON, in two speeds: the typed parse and `check` when the types
//! are right; a walk over the operation's field table only when they are not. Builds without the feature
//! `wire` (the browser's module) have the walk alone, which is smaller.

#[cfg(feature = "wire")]
mod reader;
pub(crate) mod tree;
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
use tree::{Fault, Tree};
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
        (Some(tree), found) => {
            let mut request = blank();
            request.fill(tree);
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
fn repair(request: &str, shape: &'static Shape) -> (Option<Tree>, Vec<Problem>) {
    let mut problems = Problems::default();
    let tree = match Tree::parse(request) {
        Ok(Tree::Object(mut members)) => {
            walk::object(&mut members, shape, &Pointer::ROOT, &mut problems);
            Some(Tree::Object(members))
        }
        Ok(other) => {
            let actual = walk::actual(&other);
            let added = problems.tell(&codes::MSG_FIELD_TYPE, &Pointer::ROOT);
            added.param("expected", "an object").param("actual", actual).say(&[
                ": here ",
                actual,
                ", wanted an object",
            ]);
            None
        }
        Err(error) => {
            let Fault { line, column } = error;
            let added = problems
                .tell(&codes::JSON_SYNTAX, &Pointer::ROOT)
                .param("line", line)
                .param("column", column);
            added.say(&[": line ", &line.digits(), ", column ", &column.digits()]);
            None
        }
    };
    (tree, problems.into_vec())
}
