//! The CPU time of the parser for adversarial texts is proportional to their length.

use std::time::Duration;

use crate::support::cpu_time::spent;
use cpaas::bindings::parse_markup_json;
use cpaas::markup::{ErrorKind, MAX_INPUT, Mode, escape, parse};

/// Far above the time of an unoptimized build on a slow machine (tens of milliseconds), below a quadratic cost (a
/// minute and more).
const LIMIT: Duration = Duration::from_secs(10);

fn quick<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = spent();
    let result = work();
    let took = spent() - start;
    assert!(took < LIMIT, "{what} took {took:?}");
    result
}

/// The unit, repeated up to this number of code points.
fn fill(unit: &str, code_points: usize) -> String {
    unit.repeat(code_points / unit.chars().count())
}

const HARD: &[&str] = &[
    "*",
    "_",
    "```",
    "[",
    "[]",
    "[a",
    ">\n",
    "||",
    "\n>||",
    "](",
    "](a.b)",
    "[a](b",
    "\\",
    "<",
    "<b>a",
    "</",
    "<a>a",
    "<b a=\"b\" ",
    "&",
    "&a",
    "&lt;",
    "&nbsp;",
    "<pre><code class=\"language-c\">a</code></pre>",
    "*a*",
    "*a`b`c*",
    "_a_b",
    "a\r",
    "\u{200e}",
    " ",
    "🏟",
    "```a",
    "~_*",
    "<b><i>",
];

#[test]
fn adversarial_texts_of_the_maximum_length_take_linear_time() {
    for unit in HARD {
        let text = fill(unit, MAX_INPUT);
        for mode in [Mode::Markdown, Mode::Html, Mode::MarkdownV2] {
            quick(unit, || parse_markup_json(&text, mode.name()));
        }
    }
}

#[test]
fn a_megabyte_takes_linear_time() {
    for unit in ["<", "<b>", "[](http://", "*", " *a", "`", "\n", " ", "🏟"] {
        let text = unit.repeat((1 << 20) / unit.len());
        quick(unit, || parse(&text, Mode::Default)).unwrap();
        for mode in [Mode::Markdown, Mode::Html, Mode::MarkdownV2] {
            let error = quick(unit, || parse(&text, mode)).unwrap_err();
            assert_eq!(error.kind, ErrorKind::TooLong);
        }
    }
    let text = fill("*a_[<&.", 1 << 20);
    quick("escape", || escape(&text, Mode::MarkdownV2));
}

#[test]
fn deep_nesting_takes_linear_time() {
    let depth = MAX_INPUT / 8;
    for (mode, open, close) in [
        (Mode::MarkdownV2, "[a", "]"),
        (Mode::MarkdownV2, "[*a", "*]"),
        (Mode::MarkdownV2, "*a_b", "_*"),
        (Mode::Html, "<a>a", "</>"),
        (Mode::Html, "<b>a", "</>"),
    ] {
        let text = open.repeat(depth) + &close.repeat(depth);
        let parsed = quick(open, || parse(&text, mode)).unwrap();
        assert!(parsed.text.len() >= depth);
    }
    let labels = "[a\\.b".repeat(MAX_INPUT / 8) + &"]".repeat(MAX_INPUT / 8);
    let json = quick("labels", || parse_markup_json(&labels, "MarkdownV2"));
    assert!(json.len() < 64 * labels.len());
}
