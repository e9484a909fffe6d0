//! Validation of requests given as JSON, in two speeds: the typed parse and `check` when the types
//! are right; a walk over the operation's field table only when they are not.

mod tree;
mod walk;

use std::collections::BTreeSet;

use crate::operation::Operation;
use crate::problem::{Pointer, Problem, Problems, Severity, below_any, codes, sort};
use tree::Tree;

/// A request as read: what its types allow, and what was wrong with them.
pub(crate) struct Reading<O> {
    /// The operation, with neutral values where a type was wrong; none when nothing could be read.
    pub(crate) operation: Option<O>,
    found: Vec<Problem>,
}

impl<O: Operation> Reading<O> {
    /// Whether every member that the operation knows was read as it was given.
    #[cfg(feature = "wire")]
    pub(crate) fn is_whole(&self) -> bool {
        !self.found.iter().any(Problem::is_error)
    }

    /// What was wrong with the types.
    #[cfg(feature = "wire")]
    pub(crate) fn into_found(self) -> Vec<Problem> {
        self.found
    }

    /// Checks what was read; a place that was reported already is not reported again.
    pub(crate) fn judge(self) -> (Option<O>, Vec<Problem>) {
        let Some(operation) = self.operation else { return (None, self.found) };
        let mut problems = collect(&operation);
        if !self.found.is_empty() {
            let errors = self.found.iter().filter(|problem| problem.severity == Severity::Error);
            let reported: BTreeSet<String> = errors.map(|problem| problem.pointer.clone()).collect();
            problems.retain(|problem| !below_any(&problem.pointer, &reported));
            problems.splice(0..0, self.found);
        }
        sort(&mut problems, &O::SHAPE);
        (Some(operation), problems)
    }
}

/// Reads a request.
pub(crate) fn read<O: Operation>(request: &str) -> Reading<O> {
    match serde_json::from_str::<O>(request) {
        Ok(operation) => Reading { operation: Some(operation), found: Vec::new() },
        Err(_) => slow(request),
    }
}

/// Parses and checks a request; the problems are all that is wrong, in field order.
pub(crate) fn json<O: Operation>(request: &str) -> (Option<O>, Vec<Problem>) {
    read(request).judge()
}

/// Checks a typed request.
#[cfg(feature = "wire")]
pub(crate) fn typed<O: Operation>(operation: &O) -> Vec<Problem> {
    let mut problems = collect(operation);
    sort(&mut problems, &O::SHAPE);
    problems
}

fn collect<O: Operation>(operation: &O) -> Vec<Problem> {
    let mut problems = Problems::default();
    operation.check(&Pointer::ROOT, &mut problems);
    problems.into_vec()
}

fn slow<O: Operation>(request: &str) -> Reading<O> {
    let (text, found) = repair(request, &O::SHAPE);
    let operation = text.and_then(|text| serde_json::from_str(&text).ok());
    if operation.is_none() && found.is_empty() {
        return Reading { operation, found: vec![Problem::new(&codes::MSG_FIELD_TYPE, &Pointer::ROOT)] };
    }
    Reading { operation, found }
}

/// The request with neutral values where a type is wrong, and what was wrong.
fn repair(request: &str, shape: &'static crate::shape::Shape) -> (Option<String>, Vec<Problem>) {
    let mut problems = Problems::default();
    let text = match serde_json::from_str::<Tree>(request) {
        Ok(Tree::Object(mut members)) => {
            walk::object(&mut members, shape, &Pointer::ROOT, &mut problems);
            serde_json::to_string(&Tree::Object(members)).ok()
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
            let (line, column) = (error.line(), error.column());
            let added = problems
                .tell(&codes::JSON_SYNTAX, &Pointer::ROOT)
                .param("line", line)
                .param("column", column);
            added.say(&[": line ", &line.to_string(), ", column ", &column.to_string()]);
            None
        }
    };
    (text, problems.into_vec())
}
