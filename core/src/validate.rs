//! Validation of requests given as JSON, in two speeds: the typed parse and `check` when the types
//! are right; a walk over the operation's field table only when they are not. Builds without the feature
//! `wire` (the browser's module) have the walk alone, which is smaller.

#[cfg(feature = "wire")]
mod reader;
#[cfg(feature = "wire")]
mod typed;
mod walk;

use crate::digits::Digits as _;

#[cfg(not(feature = "wire"))]
use crate::operation::Operation;
#[cfg(feature = "wire")]
use crate::operation::Validate;
use crate::problem::{Pointer, Problem, Problems, arranged, codes};
#[cfg(not(feature = "wire"))]
use crate::read::Request;
use crate::shape::Shape;
use cpaas_scan::{Fault, Mark, Tape};
#[cfg(feature = "wire")]
pub(crate) use typed::{Reading, checked, judged, problems, read};

/// A request without members, of an operation whose type is not known any more.
#[cfg(not(feature = "wire"))]
pub(crate) struct Blank {
    shape: &'static Shape,
    new: fn() -> Box<dyn Request>,
}

#[cfg(not(feature = "wire"))]
impl Blank {
    pub(crate) const fn of<O: Operation + Request + Default>() -> Self {
        Self { shape: &O::SHAPE, new: || Box::new(O::default()) }
    }

    /// All that is wrong with a request, in field order.
    pub(crate) fn problems(&self, request: &str) -> Vec<Problem> {
        match repair(request, self.shape) {
            (Some(tape), found) => {
                let mut request = (self.new)();
                request.read(self.shape.fields, tape.entry(0));
                let mut problems = Problems::default();
                request.check(&Pointer::ROOT, &mut problems);
                merged(problems.into_vec(), found, self.shape)
            }
            (None, found) => found,
        }
    }
}

/// What the types and what the rules say, in field order.
fn merged(problems: Vec<Problem>, mut found: Vec<Problem>, shape: &'static Shape) -> Vec<Problem> {
    let typed = found.len();
    found.extend(problems);
    arranged(found, typed, shape)
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
