use crate::digits::Digits as _;
use crate::value::{Map, Value};

use super::{Code, Fix, Pointer, Problem, Severity};

/// Collects the problems of one pass.
#[derive(Debug)]
pub struct Problems {
    found: Vec<Problem>,
    most: usize,
    dropped: usize,
}

impl Default for Problems {
    fn default() -> Self {
        Self::bounded(usize::MAX)
    }
}

impl Problems {
    /// Keeps at most this many, and counts the rest.
    pub(crate) const fn bounded(most: usize) -> Self {
        Self { found: Vec::new(), most, dropped: 0 }
    }

    /// How many were found and not kept.
    pub(crate) const fn dropped(&self) -> usize {
        self.dropped
    }

    /// Adds a problem.
    pub fn push(&mut self, problem: Problem) {
        self.found.push(problem);
    }

    /// Adds a problem with the code's own message.
    pub fn add(&mut self, code: &'static Code, at: &Pointer<'_>) {
        self.report(code, at);
    }

    /// Adds a problem with the code's own message, of which more is to be said.
    #[inline(never)]
    pub fn report(&mut self, code: &'static Code, at: &Pointer<'_>) -> Added<'_> {
        let index = self.found.len();
        if index >= self.most {
            self.dropped += 1;
            return Added(None);
        }
        self.found.push(Problem::new(code, at));
        Added(self.found.get_mut(index))
    }

    /// Adds a problem of a member, with the code's own message.
    pub(crate) fn add_key(&mut self, code: &'static Code, at: &Pointer<'_>, name: &str) {
        self.report_key(code, at, name);
    }

    /// Adds a problem of a member, of which more is to be said. Its place is put together here once, and not by each rule.
    #[cold]
    #[inline(never)]
    pub(crate) fn report_key(&mut self, code: &'static Code, at: &Pointer<'_>, name: &str) -> Added<'_> {
        self.report(code, &at.key(name))
    }

    /// Adds a problem of a member for the elements that have it, where there are any.
    #[inline(never)]
    pub(crate) fn indices(&mut self, code: &'static Code, indices: Vec<usize>, at: &Pointer<'_>, name: &str) {
        if !indices.is_empty() {
            self.report_key(code, at, name).param("indices", indices);
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.found.len()
    }

    /// What was found, in the order of finding.
    #[must_use]
    pub fn into_vec(self) -> Vec<Problem> {
        self.found
    }
}

/// A problem that was just added.
#[derive(Debug)]
pub struct Added<'a>(Option<&'a mut Problem>);

impl Added<'_> {
    /// Adds a fact for programs.
    pub fn param(self, name: &str, value: impl Into<Value>) -> Self {
        self.fact(name, value.into())
    }

    /// The limit that was not kept, the actual count and their unit; also said in the message.
    pub fn limit(self, limit: impl TryInto<i64>, actual: impl TryInto<i64>, unit: &str) -> Self {
        self.bound(limit.try_into().unwrap_or(i64::MAX), actual.try_into().unwrap_or(i64::MAX), unit)
    }

    /// Says more behind the code's own message; never input.
    pub fn append(mut self, more: &[&str]) -> Self {
        if let Some(problem) = &mut self.0 {
            for part in more {
                problem.message.push_str(part);
            }
        }
        self
    }

    /// The part of the member's text that is meant.
    pub fn span(self, start: usize, end: usize, start16: usize, end16: usize) -> Self {
        let mut span = Map::new();
        count(&mut span, "end", end);
        count(&mut span, "end16", end16);
        count(&mut span, "start", start);
        count(&mut span, "start16", start16);
        self.fact("span", Value::Object(span))
    }

    /// Sets the edit that mends it.
    pub fn fix(mut self, fix: Option<Fix>) -> Self {
        if let Some(problem) = &mut self.0 {
            problem.fix = fix;
        }
        self
    }

    /// Lowers the severity where the specification leaves room.
    pub fn severity(mut self, severity: Severity) -> Self {
        if let Some(problem) = &mut self.0 {
            problem.severity = severity;
        }
        self
    }

    #[inline(never)]
    fn fact(mut self, name: &str, value: Value) -> Self {
        if let Some(problem) = &mut self.0 {
            problem.params.insert(name.to_owned(), value);
        }
        self
    }

    #[inline(never)]
    fn bound(self, limit: i64, actual: i64, unit: &str) -> Self {
        let how = if actual < limit { ": at least " } else { ": at most " };
        self.append(&[how, &limit.digits(), " ", unit, ", here ", &actual.digits()])
            .fact("limit", limit.into())
            .fact("actual", actual.into())
            .fact("unit", unit.into())
    }
}

#[inline(never)]
fn count(map: &mut Map<String, Value>, name: &str, count: usize) {
    map.insert(name.to_owned(), count.into());
}
