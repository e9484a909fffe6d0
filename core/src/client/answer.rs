use std::ops::Deref;

use super::road::Passed;
use crate::http::HttpResponse;
use crate::problem::Problem;

/// What an accepted call returns: the typed answer, and what came with it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Answer<T> {
    /// The typed answer.
    pub value: T,
    /// Warnings of validation.
    pub warnings: Vec<Problem>,
    /// How often the request was attempted.
    pub attempts: u32,
    /// The untouched answer: status, headers, body.
    pub raw: HttpResponse,
}

impl<T> Answer<T> {
    pub(crate) fn new(value: T, passed: Passed) -> Self {
        Self { value, warnings: passed.warnings, attempts: passed.attempts, raw: passed.response }
    }
}

impl<T> Deref for Answer<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}
