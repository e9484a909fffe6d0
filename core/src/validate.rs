//! Validation of requests given as JSON, in two speeds: the typed parse and `check` when the types
//! are right; a walk over the operation's field table only when they are not.

use crate::operation::Operation;
use crate::problem::{Pointer, Problem, Problems, codes};

/// Parses and checks a request; the problems are all that is wrong, in field order.
pub(crate) fn json<O: Operation>(request: &str) -> (Option<O>, Vec<Problem>) {
    match serde_json::from_str::<O>(request) {
        Ok(operation) => {
            let problems = typed(&operation);
            (Some(operation), problems)
        }
        Err(error) if error.is_data() => (None, vec![Problem::new(&codes::MSG_FIELD_TYPE, &Pointer::ROOT)]),
        Err(error) => (None, vec![syntax(&error)]),
    }
}

/// Checks a typed request.
pub(crate) fn typed<O: Operation>(operation: &O) -> Vec<Problem> {
    let mut problems = Problems::default();
    operation.check(&Pointer::ROOT, &mut problems);
    problems.into_vec()
}

fn syntax(error: &serde_json::Error) -> Problem {
    Problem::new(&codes::JSON_SYNTAX, &Pointer::ROOT)
        .message(format!("not valid JSON at line {}, column {}", error.line(), error.column()))
        .param("line", error.line())
        .param("column", error.column())
}
