//! Checks of recipients, type and callback (B1, B3).

use std::borrow::Cow;

use crate::problem::{Fix, Pointer, Problems, codes};
use crate::rules::{formats, url};
use crate::text::msisdn::{self, MAX_DIGITS, MIN_DIGITS};
use crate::util::repeats::repeats;

/// Checks the recipient of one SMS (B1).
pub(super) fn recipient(to: &str, at: &Pointer<'_>, problems: &mut Problems) {
    if to.trim().is_empty() {
        problems.add_key(&codes::SMS_TO_REQUIRED, at, "to");
    } else if !is_digits(to) {
        let is_plus = to.strip_prefix('+').is_some_and(is_digits);
        let fix = || formats::number_fix(to).or_else(|| is_plus.then(|| Fix::replace(to, 0, 1, "")));
        problems.report_key(&codes::SMS_TO_NOT_DIGITS, at, "to").fix_with(fix);
    } else if to.starts_with("00") {
        problems.report_key(&codes::SMS_TO_PREFIX, at, "to").fix_with(|| formats::number_fix(to));
    } else if !is_length(to) {
        problems.add_key(&codes::SMS_TO_LENGTH, at, "to");
    }
}

/// Checks the recipients of a bulk SMS (B3); spaces around a number are valid.
pub(super) fn recipients(to: &str, at: &Pointer<'_>, problems: &mut Problems) {
    if to.trim().is_empty() {
        problems.add_key(&codes::SMS_TO_REQUIRED, at, "to");
        return;
    }
    let (mut not_digits, mut prefixed, mut wrong_length) = (Vec::new(), Vec::new(), Vec::new());
    let has_repeats = problems.keeps(&codes::BULK_DESTINATIONS_DUPLICATE);
    let mut numbers = Vec::new();
    for (index, number) in to.split(',').enumerate() {
        if has_repeats {
            formats::listed(number, index, &mut numbers);
        }
        let number = number.trim();
        if !is_digits(number) {
            not_digits.push(index);
            continue;
        }
        if number.starts_with("00") {
            prefixed.push(index);
        }
        if !is_length(number) {
            wrong_length.push(index);
        }
    }
    if !not_digits.is_empty() || !prefixed.is_empty() {
        let fix = list_fix(to);
        problems.indices(&codes::SMS_TO_NOT_DIGITS, not_digits, at, "to", fix.clone());
        problems.indices(&codes::SMS_TO_PREFIX, prefixed, at, "to", fix);
    }
    problems.indices(&codes::SMS_TO_LENGTH, wrong_length, at, "to", None);
    // Each occurrence of a number receives a message.
    let again = repeats(numbers).into_iter().map(|(index, _)| index).collect();
    problems.indices(&codes::BULK_DESTINATIONS_DUPLICATE, again, at, "to", None);
}

/// The edit that writes every number of a list as digits with the country code; `None` if a number cannot be written that way.
fn list_fix(to: &str) -> Option<Fix> {
    let digits = |number| {
        let number = str::trim(number);
        let is_kept = is_digits(number) && !number.starts_with("00");
        msisdn::normalize_number(number, None).ok().or_else(|| is_kept.then_some(Cow::Borrowed(number)))
    };
    let mut numbers = String::new();
    for (index, number) in to.split(',').enumerate() {
        if index > 0 {
            numbers.push(',');
        }
        numbers.push_str(&digits(number)?);
    }
    Some(Fix::replace(to, 0, to.len(), numbers))
}

/// Checks the type and the callback (B1).
pub(super) fn options(kind: Option<&str>, callback: Option<&str>, at: &Pointer<'_>, problems: &mut Problems) {
    if kind.is_some_and(|kind| kind != "auto") {
        problems.add_key(&codes::SMS_TYPE_UNKNOWN, at, "type");
    }
    if callback.is_some_and(|callback| !url::is_callback(callback)) {
        problems.add_key(&codes::SMS_CALLBACK_INVALID, at, "callback");
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

const fn is_length(digits: &str) -> bool {
    digits.len() >= MIN_DIGITS && digits.len() <= MAX_DIGITS
}
