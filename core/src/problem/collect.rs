use super::{Code, Pointer, Problem};

/// Collects the problems of one pass, in field order.
#[derive(Debug, Default)]
pub struct Problems {
    found: Vec<Problem>,
}

impl Problems {
    /// Adds a problem.
    pub fn push(&mut self, problem: Problem) {
        self.found.push(problem);
    }

    /// Adds a problem with the code's own message.
    pub fn add(&mut self, code: &'static Code, at: &Pointer<'_>) {
        self.found.push(Problem::new(code, at));
    }

    /// What was found, in order.
    #[must_use]
    pub fn into_vec(self) -> Vec<Problem> {
        self.found
    }
}
