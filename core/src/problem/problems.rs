//! The collector of problems.

use crate::value::{Map, Value};

use super::{Code, Fix, Pointer, Problem, Severity};
use crate::util::sorted;

/// The maximum number of undocumented members that one pass lists; more are only counted.
const MAX_UNKNOWN: usize = 100;

/// Collects the problems of one pass.
#[derive(Debug)]
pub struct Problems {
    found: Vec<Problem>,
    /// The maximum number of problems that are kept of each severity.
    max: usize,
    /// The numbers of problems that are kept and dropped, by severity.
    kept: [usize; 3],
    dropped: [usize; 3],
    unknown: usize,
    errors_only: bool,
    /// The pointers of values that have a problem already, sorted: problems at or below them are only counted in `covered_count`.
    covered: Vec<String>,
    covered_count: usize,
}

impl Default for Problems {
    fn default() -> Self {
        Self::bounded(usize::MAX)
    }
}

impl Problems {
    /// Keeps at most `max` problems of each severity, and counts the rest.
    pub(crate) const fn bounded(max: usize) -> Self {
        Self {
            found: Vec::new(),
            max,
            kept: [0; 3],
            dropped: [0; 3],
            unknown: 0,
            errors_only: false,
            covered: Vec::new(),
            covered_count: 0,
        }
    }

    /// From now on, drops problems at or below the pointers of these errors, and does not count them as dropped: the values there are
    /// neutral ones.
    pub(crate) fn cover(&mut self, problems: &[Problem]) {
        let errors = problems.iter().filter(|problem| problem.is_error());
        self.covered = sorted(errors.map(|problem| problem.pointer.clone()).collect());
    }

    /// Whether a pointer is at or below a covered one.
    fn covers(&mut self, pointer: &str) -> bool {
        let ends = pointer.match_indices('/').map(|(at, _)| at).chain([pointer.len()]);
        let covers = |end| {
            let above = pointer.get(..end).unwrap_or(pointer);
            self.covered.binary_search_by(|covered| covered.as_str().cmp(above)).is_ok()
        };
        let is_covered = !self.covered.is_empty() && ends.into_iter().any(covers);
        self.covered_count += usize::from(is_covered);
        is_covered
    }

    /// Keeps errors only.
    pub(crate) const fn errors() -> Self {
        let mut errors = Self::bounded(usize::MAX);
        errors.errors_only = true;
        errors
    }

    /// Whether problems with the severity of this code are kept. If not, a rule can skip the work for them.
    pub(crate) fn keeps(&self, code: &'static Code) -> bool {
        self.keeps_severity(code.severity)
    }

    const fn keeps_severity(&self, severity: Severity) -> bool {
        !self.errors_only || matches!(severity, Severity::Error)
    }

    /// Counts a problem. Returns whether it is kept.
    fn keep(&mut self, severity: Severity) -> bool {
        let keeps = self.keeps_severity(severity);
        let [kept, dropped] = [&mut self.kept, &mut self.dropped].map(|counts| match severity {
            Severity::Error => &mut counts[0],
            Severity::Warning => &mut counts[1],
            Severity::Info => &mut counts[2],
        });
        let is_kept = *kept < self.max && keeps;
        *if is_kept { kept } else { dropped } += 1;
        is_kept
    }

    /// The number of problems that were found and not kept.
    pub(crate) const fn dropped(&self) -> usize {
        let [errors, warnings, infos] = self.dropped;
        errors + warnings + infos
    }

    /// Whether there are more errors than the maximum.
    pub(crate) const fn has_dropped_errors(&self) -> bool {
        self.dropped[0] > 0
    }

    /// Counts an undocumented member. Returns whether it is listed.
    pub(crate) const fn lists_unknown(&mut self) -> bool {
        self.unknown += 1;
        self.unknown <= MAX_UNKNOWN
    }

    /// The number of undocumented members that are not listed.
    pub(crate) const fn unlisted_unknown(&self) -> usize {
        self.unknown.saturating_sub(MAX_UNKNOWN)
    }

    /// Adds a problem, unless the maximum is reached.
    pub fn push(&mut self, problem: Problem) {
        if !self.covers(&problem.pointer) && self.keep(problem.severity) {
            self.found.push(problem);
        }
    }

    /// Adds a problem with the message of the code.
    pub fn add(&mut self, code: &'static Code, at: &Pointer<'_>) {
        self.report(code, at);
    }

    /// Adds a problem with the message of the code; the result sets its details.
    pub fn report(&mut self, code: &'static Code, at: &Pointer<'_>) -> ProblemBuilder<'_> {
        self.report_as(code, code.severity, at)
    }

    /// Adds a problem with another severity than that of the code; the result sets its details.
    pub(crate) fn report_as(
        &mut self,
        code: &'static Code,
        severity: Severity,
        at: &Pointer<'_>,
    ) -> ProblemBuilder<'_> {
        let is_covered = !self.covered.is_empty() && self.covers(&at.to_string());
        if is_covered || !self.keep(severity) {
            return ProblemBuilder(None);
        }
        self.found.push(Problem { severity, ..Problem::new(code, at) });
        ProblemBuilder(self.found.last_mut())
    }

    /// Adds a problem of a member, with the message of the code.
    pub(crate) fn add_key(&mut self, code: &'static Code, at: &Pointer<'_>, name: &str) {
        self.report_key(code, at, name);
    }

    /// Adds a problem of a member; the result sets its details.
    pub(crate) fn report_key(
        &mut self,
        code: &'static Code,
        at: &Pointer<'_>,
        name: &str,
    ) -> ProblemBuilder<'_> {
        self.report(code, &at.key(name))
    }

    /// Adds one problem of a list member, with the indices of the elements that have the problem, unless there are none.
    pub(crate) fn indices(
        &mut self,
        code: &'static Code,
        indices: Vec<usize>,
        at: &Pointer<'_>,
        name: &str,
        fix: Option<Fix>,
    ) {
        if !indices.is_empty() {
            self.report_key(code, at, name).param("indices", indices).fix(fix);
        }
    }

    /// The number of problems, also of those that were not kept.
    pub(crate) fn len(&self) -> usize {
        self.found.len() + self.dropped() + self.covered_count
    }

    /// The problems, in the order in which they were added.
    #[must_use]
    pub fn into_vec(self) -> Vec<Problem> {
        self.found
    }
}

/// A problem that was just added, to set its details. The methods do nothing if the problem was not kept.
#[derive(Debug)]
pub struct ProblemBuilder<'a>(Option<&'a mut Problem>);

impl ProblemBuilder<'_> {
    /// Adds a fact for programs.
    pub fn param(mut self, name: &str, value: impl Into<Value>) -> Self {
        if let Some(problem) = &mut self.0 {
            problem.params.insert(name.to_owned(), value.into());
        }
        self
    }

    /// Sets the limit, the actual count and their unit, in the params and in the message.
    pub fn limit(self, limit: impl TryInto<i64>, actual: impl TryInto<i64>, unit: &str) -> Self {
        self.bounds(limit.try_into().unwrap_or(i64::MAX), actual.try_into().unwrap_or(i64::MAX), unit)
    }

    fn bounds(self, limit: i64, actual: i64, unit: &str) -> Self {
        if self.0.is_none() {
            return self;
        }
        let bound = if actual < limit { "at least" } else { "at most" };
        self.append(&format!(": {bound} {}, got {}", quantity(limit, unit), grouped(actual)))
            .param("limit", limit)
            .param("actual", actual)
            .param("unit", unit)
    }

    /// Replaces the message of the code; it must not quote input.
    pub fn message(mut self, message: impl Into<String>) -> Self {
        if let Some(problem) = &mut self.0 {
            problem.message = message.into();
        }
        self
    }

    /// Appends to the message of the code; it must not quote input.
    pub fn append(mut self, more: &str) -> Self {
        if let Some(problem) = &mut self.0 {
            problem.message.push_str(more);
        }
        self
    }

    /// Sets the part of the member's text that has the problem.
    pub fn span(self, start: usize, end: usize, start16: usize, end16: usize) -> Self {
        let members = [("end", end), ("end16", end16), ("start", start), ("start16", start16)];
        let mut span = Map::new();
        for (name, offset) in members {
            span.insert(name.to_owned(), offset.into());
        }
        self.param("span", span)
    }

    /// Sets the edit that fixes the problem.
    pub fn fix(self, fix: Option<Fix>) -> Self {
        self.fix_with(|| fix)
    }

    /// As `fix`, but computes the edit only if the problem is kept.
    pub(crate) fn fix_with(mut self, fix: impl FnOnce() -> Option<Fix>) -> Self {
        if let Some(problem) = &mut self.0 {
            problem.fix = fix();
        }
        self
    }
}

/// A number with its unit, for messages: code points are "characters", and multiples of a mebibyte are shown in MiB.
fn quantity(number: i64, unit: &str) -> String {
    const MEBIBYTE: i64 = 1024 * 1024;
    let is_mebibytes = unit == "bytes" && number > 0 && number % MEBIBYTE == 0;
    match unit.strip_prefix("code points") {
        Some(rest) => format!("{} characters{rest}", grouped(number)),
        None if is_mebibytes => format!("{} MiB ({} bytes)", number / MEBIBYTE, grouped(number)),
        None => format!("{} {unit}", grouped(number)),
    }
}

/// A number with a comma between groups of three digits.
pub(crate) fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{grouped, quantity};

    #[test]
    fn numbers_have_commas_and_units() {
        let texts = [0, 999, 1000, -1000, 10_485_760].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "-1,000", "10,485,760"]);
        assert_eq!(quantity(11, "code points"), "11 characters");
        assert_eq!(quantity(10_485_760, "bytes"), "10 MiB (10,485,760 bytes)");
        assert_eq!(quantity(256_000, "bytes"), "256,000 bytes");
    }
}
