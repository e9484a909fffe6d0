//! Divides any text. The SIMD counter and the scalar counter must agree, and the parts must cover the text, each within its
//! limit. The first byte chooses the options.
#![no_main]

use cpaas::bindings;
use cpaas::text::{self, Encoding, ReferenceBits, SegmentError, SegmentOptions, Segments, Split};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(bytes);
    let count = text::count(&text);
    assert_eq!(count, bindings::scalar_counter::count(&text));
    let options = options(choice);
    match text::segments(&text, &options) {
        Ok(segments) => check(&text, &options, &segments),
        Err(SegmentError::TooManyParts { parts }) => assert!(parts > 255),
        Err(SegmentError::NotGsm7 { byte, .. }) => {
            let character = text[byte..].chars().next().expect("the position is inside the text");
            assert!(options.encoding == Some(Encoding::Gsm7) && text::septets(character).is_none());
        }
        Err(error) => panic!("{error}"),
    }
    let (plain, saved) = text::replaced(&text);
    assert_eq!(count.count.saturating_sub(text::count(&plain).count), saved);
    assert_eq!(text::annotate(&text).len(), text.chars().count());
    let _ = bindings::segments_json(&text, Some(&text));
    let _ = bindings::estimate_json(&text, &text);
    let _ = (text::sender::charset(&text), text::msisdn::normalize_number(&text, None));
});

fn options(choice: u8) -> SegmentOptions {
    let mut options = SegmentOptions::new();
    if choice & 1 != 0 {
        options = options.reference_bits(ReferenceBits::Sixteen);
    }
    if choice & 2 != 0 {
        options = options.split(Split::Grapheme);
    }
    match choice >> 2 & 3 {
        1 => options.encoding(Encoding::Gsm7),
        2 => options.encoding(Encoding::Ucs2),
        _ => options,
    }
}

fn check(text: &str, options: &SegmentOptions, segments: &Segments) {
    let gsm7 = segments.encoding == Encoding::Gsm7;
    let (single, part) = if gsm7 { (160, 153) } else { (70, 67) };
    let part = part - u32::from(options.reference_bits == ReferenceBits::Sixteen);
    let limit = if segments.parts.len() == 1 { single } else { part };
    let (mut at, mut at16) = (0, 0);
    for one in &segments.parts {
        let content = &text[one.start..one.end];
        assert_eq!((one.start, one.start16), (at, at16));
        (at, at16) = (one.end, one.start16 + content.encode_utf16().count());
        assert_eq!(one.end16, at16);
        let septets = || content.chars().map(|c| u32::from(text::septets(c).expect("in the alphabet"))).sum();
        assert_eq!(one.units, if gsm7 { septets() } else { (one.end16 - one.start16) as u32 });
        assert!(one.units <= limit && (one.units > 0 || text.is_empty()));
    }
    assert_eq!(at, text.len());
    assert_eq!(segments.parts.last().map(|last| limit - last.units), Some(segments.remaining));
}
