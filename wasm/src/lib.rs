//! The browser module: texts in, texts and numbers out. The typed wrapper is `wasm/js`; nothing here
//! needs a key or the network.

#[cfg(target_arch = "wasm32")]
mod heap;
pub mod packed;
#[cfg(target_arch = "wasm32")]
pub mod room;
#[cfg(target_arch = "wasm32")]
pub mod short;

use cpaas::{OperationId, UnknownOperation, check, markup, text};

/// What the wrapper asks, by the numbers of `wasm/js/state.js`; refusals stand behind `!`.
#[must_use]
pub fn answer(what: u32, first: &str, second: Option<&str>) -> String {
    let other = second.unwrap_or_default();
    match what {
        0 => validate(first, other),
        1 => said(text::segments_json(first, second)),
        2 => text::annotate_json(first),
        3 => said(text::estimate_json(first, other)),
        4 => text::sender_json(first),
        5 => markup::parse_json(first, other),
        6 => markup::escape_json(first, other),
        7 => check::json(first, other).map(|report| report.to_json()).unwrap_or_default(),
        8 => operations(),
        _ => cpaas::VERSION.to_owned(),
    }
}

fn validate(operation: &str, request: &str) -> String {
    match OperationId::find(operation) {
        Some(operation) => operation.validate_json(request).to_json(),
        None => refused(&[&UnknownOperation::new(operation).message()]),
    }
}

/// Their names, with a space between.
fn operations() -> String {
    let mut names = String::new();
    for name in OperationId::NAMES {
        names.push_str(if names.is_empty() { "" } else { " " });
        names.push_str(name);
    }
    names
}

fn said(answer: Result<String, text::TextError>) -> String {
    answer.unwrap_or_else(|error| refused(&[error.code(), " ", &error.to_string()]))
}

fn refused(words: &[&str]) -> String {
    let mut said = String::from("!");
    for word in words {
        said.push_str(word);
    }
    said
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn refusals_are_marked() {
        assert_eq!(answer(0, "sms.sent", Some("{}")), "!unknown operation; did you mean `sms.send`?");
        assert!(answer(1, "a", Some("[]")).starts_with("!text."));
        assert!(answer(3, "a", Some("x")).starts_with("!text."));
        assert!(answer(1, "a", None).starts_with('{'));
    }
}
