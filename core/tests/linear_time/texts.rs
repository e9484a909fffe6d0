//! Cases for texts and markup.

use cpaas::markup::{self, Mode};
use cpaas::text::{self, SegmentOptions, Split};

use super::{Case, fill};

const TEXTS: &[&str] = &["a", "€", "я", "😀", "e\u{301}", "\r\n", "👨‍👩‍👧‍👦", "a’"];
const MARKS: &[&str] = &["a", "*", "[a](b", "<b>", "&nbsp;", "`", "\n>", "||", "_a_b"];

pub(super) fn texts() -> Vec<Case> {
    let whole = SegmentOptions::new().split(Split::Grapheme);
    let case = |what: &str, unit: &'static str, run: fn(&str)| {
        Case::new(format!("{what} {unit:?}"), |size| fill(unit, size), run)
    };
    let of = |unit: &'static str| {
        [
            case("count", unit, |text| assert!(text::count(text).count > 0)),
            case("segments", unit, |text| drop(text::segments(text, &SegmentOptions::new()))),
            Case::new(
                format!("segments by grapheme {unit:?}"),
                |size| fill(unit, size),
                move |text| drop(text::segments(text, &whole)),
            ),
            case("annotate", unit, |text| drop(text::annotate(text))),
            case("replaced", unit, |text| drop(text::replaced(text))),
        ]
    };
    TEXTS.iter().flat_map(|unit| of(unit)).collect()
}

/// In release builds these texts are longer than the parser accepts, except in `Default`; `markup_linear.rs` tests the longest
/// texts that it accepts.
pub(super) fn markup() -> Vec<Case> {
    let mut cases = Vec::new();
    for mode in Mode::ALL {
        for unit in MARKS {
            cases.push(Case::new(
                format!("parse {} {unit:?}", mode.name()),
                |size| fill(unit, size),
                move |text| drop(markup::parse(text, mode)),
            ));
        }
        cases.push(Case::new(
            format!("escape {}", mode.name()),
            |size| fill("*a_[<&.", size),
            move |text| drop(markup::escape(text, mode)),
        ));
    }
    cases
}
