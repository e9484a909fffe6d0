//! Checks of recipients, type and callback (B1, B3).

use crate::problem::{Fix, Pointer, Problems, codes};
use crate::rules::{formats, url};
use crate::text::msisdn::{MAX_DIGITS, MIN_DIGITS};
use crate::util::repeats::repeats;

/// Checks the recipient of one SMS (B1).
pub(super) fn recipient(to: &str, at: &Pointer<'_>, problems: &mut Problems) {
    if to.trim().is_empty() {
        problems.add_key(&codes::SMS_TO_REQUIRED, at, "to");
    } else {
        check_number(to, to, &at.key("to"), problems);
    }
}

/// Checks the recipients of a bulk SMS (B3), each with the pointer of an element; spaces around a number are valid.
pub(super) fn recipients(to: &str, at: &Pointer<'_>, problems: &mut Problems) {
    let at = &at.key("to");
    if to.trim().is_empty() {
        problems.add(&codes::SMS_TO_REQUIRED, at);
        return;
    }
    let has_repeats = problems.keeps(&codes::BULK_DESTINATIONS_DUPLICATE);
    let mut numbers = Vec::new();
    for (index, number) in to.split(',').enumerate() {
        if has_repeats {
            formats::listed(number, index, &mut numbers);
        }
        match number.trim() {
            "" => problems.add(&codes::SMS_TO_REQUIRED, &at.index(index)),
            trimmed => check_number(number, trimmed, &at.index(index), problems),
        }
    }
    // Each occurrence of a number receives a message.
    for (index, first) in repeats(&numbers) {
        problems.report(&codes::BULK_DESTINATIONS_DUPLICATE, &at.index(index)).param("first", first);
    }
}

/// Checks a number; `written` is its text with white space.
fn check_number(written: &str, number: &str, at: &Pointer<'_>, problems: &mut Problems) {
    if !is_digits(number) {
        let plus = written.find('+').filter(|_| number.strip_prefix('+').is_some_and(is_digits));
        let fix = || {
            formats::number_fix(written)
                .or_else(|| plus.map(|plus| Fix::replace(written, plus, plus + 1, "")))
        };
        problems.report(&codes::SMS_TO_NOT_DIGITS, at).fix_with(fix);
    } else if number.starts_with("00") {
        problems.report(&codes::SMS_TO_PREFIX, at).fix_with(|| formats::number_fix(written));
    } else if !is_length(number) {
        problems.add(&codes::SMS_TO_LENGTH, at);
    }
}

/// Checks the type and the callback (B1).
pub(super) fn check_type_and_callback(
    kind: Option<&str>,
    callback: Option<&str>,
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    if kind.is_some_and(|kind| kind != "auto") {
        problems.add_key(&codes::SMS_TYPE_UNKNOWN, at, "type");
    }
    if let Some(Err(problem)) = callback.map(url::check_callback) {
        problem.report(&codes::SMS_CALLBACK_INVALID, at, "callback", problems);
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

const fn is_length(digits: &str) -> bool {
    digits.len() >= MIN_DIGITS && digits.len() <= MAX_DIGITS
}
