//! The typed lane.

use super::{collect, merged, reader, repair};
use crate::operation::Operation;
use crate::problem::{Pointer, Problem, codes, sort};

/// A request as read: what its types allow, and what was wrong with them.
pub(crate) struct Reading<O> {
    /// The operation, with neutral values where a type was wrong; none when nothing could be read.
    pub(crate) operation: Option<O>,
    found: Vec<Problem>,
}

impl<O: Operation> Reading<O> {
    /// Whether every member that the operation knows was read as it was given.
    pub(crate) fn is_whole(&self) -> bool {
        !self.found.iter().any(Problem::is_error)
    }

    /// What was wrong with the types.
    pub(crate) fn into_found(self) -> Vec<Problem> {
        self.found
    }

    /// Checks what was read.
    pub(crate) fn judge(self) -> (Option<O>, Vec<Problem>) {
        let Some(operation) = self.operation else { return (None, self.found) };
        let problems = merged(collect(&operation), self.found, &O::SHAPE);
        (Some(operation), problems)
    }
}

/// Reads a request.
pub(crate) fn read<O: Operation>(request: &str) -> Reading<O> {
    match reader::read::<O>(request) {
        Some(operation) => Reading { operation: Some(operation), found: Vec::new() },
        None => slow(request),
    }
}

/// All that is wrong with a request, in field order.
pub(crate) fn problems<O: Operation>(request: &str) -> Vec<Problem> {
    read::<O>(request).judge().1
}

/// Checks a typed request.
pub(crate) fn typed<O: Operation>(operation: &O) -> Vec<Problem> {
    let mut problems = collect(operation);
    sort(&mut problems, &O::SHAPE);
    problems
}

fn slow<O: Operation>(request: &str) -> Reading<O> {
    let (tree, found) = repair(request, &O::SHAPE);
    let text = tree.and_then(|tree| serde_json::to_string(&tree).ok());
    let operation = text.and_then(|text| reader::read(&text));
    if operation.is_none() && found.is_empty() {
        return Reading { operation, found: vec![Problem::new(&codes::MSG_FIELD_TYPE, &Pointer::ROOT)] };
    }
    Reading { operation, found }
}
