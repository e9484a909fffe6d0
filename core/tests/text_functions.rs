//! The exact results of the JSON functions, redaction, and the time for a long text.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[path = "support/cpu_time.rs"]
mod cpu_time;

use std::time::Duration;

use cpaas::text::{self, Encoding, ReferenceBits, SegmentOptions, Split};
use cpu_time::spent;

#[test]
fn json_of_segments() {
    assert_eq!(
        text::segments_json("it’s", None).unwrap(),
        r#"{"encoding":"ucs2","count":1,"units":4,"remaining":66,"parts":[{"start":0,"end":6,"start16":0,"end16":4,"units":4}]}"#
    );
    assert_eq!(
        text::segments_json("a", Some(r#"{"split":"grapheme"}"#)).unwrap(),
        r#"{"encoding":"gsm7","count":1,"units":1,"remaining":159,"parts":[{"start":0,"end":1,"start16":0,"end16":1,"units":1}],"countByCodePoint":1,"countByGrapheme":1}"#
    );
}

#[test]
fn json_of_annotations() {
    assert_eq!(
        text::annotate_json("’"),
        concat!(
            r#"{"characters":[{"start":0,"end":3,"start16":0,"end16":1,"septets":null,"forcesUcs2":true,"replacement":"'"}],"#,
            r#""causes":[{"character":"’","count":1,"start":0,"start16":0,"replacement":"'"}],"#,
            r#""replaced":{"text":"'","saved":0}}"#
        )
    );
    assert_eq!(text::annotate_json(""), r#"{"characters":[],"causes":[],"replaced":null}"#);
}

#[test]
fn json_of_an_estimate_and_a_count() {
    assert_eq!(
        text::estimate_json("Hello", "0.05").unwrap(),
        r#"{"encoding":"gsm7","count":1,"units":5,"remaining":155,"pricePerPart":"0.05","total":"0.05"}"#
    );
    let count = serde_json::to_string(&text::count("Hello")).unwrap();
    assert_eq!(count, r#"{"encoding":"gsm7","count":1,"units":5,"remaining":155}"#);
}

#[test]
fn options_pass_through_serde() {
    let options = SegmentOptions::new()
        .reference_bits(ReferenceBits::Sixteen)
        .split(Split::Grapheme)
        .encoding(Encoding::Ucs2);
    let json = serde_json::to_string(&options).unwrap();
    assert_eq!(json, r#"{"referenceBits":16,"split":"grapheme","encoding":"ucs2"}"#);
    assert_eq!(serde_json::from_str::<SegmentOptions>(&json).unwrap(), options);
    assert!(serde_json::from_str::<SegmentOptions>(r#"{"splitBy":"grapheme"}"#).is_err());
    assert_eq!(SegmentOptions::default(), SegmentOptions::new());
}

#[test]
fn nothing_shows_the_text() {
    let secret = "s€cret’s😀";
    let shown = format!(
        "{:?} {:?} {:?}",
        text::annotate(secret),
        text::causes(secret),
        text::segments(secret, &SegmentOptions::new())
    );
    assert!(!shown.contains('’') && !shown.contains('😀') && !shown.contains("cret"));
    let refused = text::segments(secret, &SegmentOptions::new().encoding(Encoding::Gsm7)).unwrap_err();
    assert!(!format!("{refused:?} {refused}").contains('’'));
    let refused = text::segments_json(secret, Some(r#"{"s€cret":1}"#)).unwrap_err();
    assert!(!format!("{refused:?} {refused}").contains("cret"));
}

#[test]
fn every_replacement_is_in_the_default_alphabet() {
    let mut replaced = 0;
    for character in '\0'..=char::MAX {
        let Some(instead) = text::replacement(character) else { continue };
        assert_eq!(text::septets(character), None, "U+{:04X} needs none", character as u32);
        assert_eq!(text::count(instead).encoding, Encoding::Gsm7, "U+{:04X}", character as u32);
        replaced += 1;
    }
    assert!(replaced > 180, "{replaced}");
}

/// A text of four times the length takes about four times as long, not sixteen times. A megabyte where the build is optimised. The
/// least of many rounds counts, and the first that is right ends them.
#[test]
fn a_long_text_takes_linear_time() {
    let long = |pattern: &str, bytes: usize| pattern.repeat(bytes / pattern.len());
    let bytes = if cfg!(debug_assertions) { 200_000 } else { 1_000_000 };
    for pattern in ["a", "€", "😀", "e\u{301}", "👨‍👩‍👧‍👦", "\u{1F1EB}"] {
        let (short, four) = (long(pattern, bytes / 4), long(pattern, bytes));
        let work = |text: &str| {
            let start = spent();
            let _ = text::count(text);
            let _ = text::segments(text, &SegmentOptions::new().split(Split::Grapheme));
            let _ = (text::annotate(text), text::causes(text), text::replaced(text));
            spent() - start
        };
        let (mut quick, mut slow) = (Duration::MAX, Duration::MAX);
        let linear = (0..60).any(|_| {
            (quick, slow) = (quick.min(work(&short)), slow.min(work(&four)));
            slow < quick * 10
        });
        let first = pattern.chars().next().unwrap() as u32;
        assert!(linear, "{quick:?} and {slow:?} for U+{first:04X}");
    }
}
