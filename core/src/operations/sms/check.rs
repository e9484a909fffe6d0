//! Checks of family B beside sender and text.

use crate::problem::{Fix, Pointer, Problem, Problems, codes};
use crate::rules::url;

const MIN_DIGITS: usize = 7;
const MAX_DIGITS: usize = 15;

/// The recipient of one SMS (B1).
pub(super) fn recipient(to: &str, at: &Pointer<'_>, problems: &mut Problems) {
    let at = &at.key("to");
    if to.trim().is_empty() {
        problems.add(&codes::SMS_TO_REQUIRED, at);
    } else if !is_digits(to) {
        let problem = Problem::new(&codes::SMS_TO_NOT_DIGITS, at);
        let is_plus = to.strip_prefix('+').is_some_and(is_digits);
        problems.push(if is_plus { problem.fix(Fix::replace(to, 0, 1, "")) } else { problem });
    } else if !is_length(to) {
        problems.add(&codes::SMS_TO_LENGTH, at);
    }
}

/// The recipients of a bulk SMS (B3); blanks around a number are left alone.
pub(super) fn recipients(to: &str, at: &Pointer<'_>, problems: &mut Problems) {
    let at = &at.key("to");
    if to.trim().is_empty() {
        problems.add(&codes::SMS_TO_REQUIRED, at);
        return;
    }
    let which = |is_wrong: fn(&str) -> bool| -> Vec<usize> {
        to.split(',')
            .enumerate()
            .filter(|(_, number)| is_wrong(number.trim()))
            .map(|(index, _)| index)
            .collect()
    };
    for (code, indices) in [
        (&codes::SMS_TO_NOT_DIGITS, which(|number| !is_digits(number))),
        (&codes::SMS_TO_LENGTH, which(|number| is_digits(number) && !is_length(number))),
    ] {
        if !indices.is_empty() {
            problems.push(Problem::new(code, at).param("indices", indices));
        }
    }
}

/// The type and the callback (B1).
pub(super) fn options(kind: Option<&str>, callback: Option<&str>, at: &Pointer<'_>, problems: &mut Problems) {
    if kind.is_some_and(|kind| kind != "auto") {
        problems.add(&codes::SMS_TYPE_UNKNOWN, &at.key("type"));
    }
    if callback.is_some_and(|callback| !url::is_absolute(callback)) {
        problems.add(&codes::SMS_CALLBACK_INVALID, &at.key("callback"));
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

const fn is_length(digits: &str) -> bool {
    digits.len() >= MIN_DIGITS && digits.len() <= MAX_DIGITS
}
