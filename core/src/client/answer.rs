use std::fmt;
use std::ops::Deref;

use super::road::Passed;
use crate::http::HttpResponse;
use crate::problem::Problem;
use crate::redact;
use crate::schema::HasKind;

/// What an accepted call returns: the typed answer, and what came with it.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Response<T> {
    /// The typed answer.
    pub value: T,
    /// Warnings of validation.
    pub warnings: Vec<Problem>,
    /// How often the request was attempted.
    pub attempts: u32,
    /// The untouched answer: status, headers, body.
    pub raw: HttpResponse,
}

impl<T> Response<T> {
    pub(crate) fn new(value: T, passed: Passed) -> Self {
        Self { value, warnings: passed.warnings, attempts: passed.attempts, raw: passed.response }
    }
}

impl<T> Deref for Response<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// `Debug` shows models, which hide texts and numbers themselves; of a value that is text or JSON it shows nothing.
impl<T: fmt::Debug + HasKind> fmt::Debug for Response<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hidden = format_args!("…");
        let value: &dyn fmt::Debug = if redact::shows_kind(T::KIND) { &self.value } else { &hidden };
        f.debug_struct("Response")
            .field("value", value)
            .field("warnings", &self.warnings)
            .field("attempts", &self.attempts)
            .field("raw", &self.raw)
            .finish()
    }
}
