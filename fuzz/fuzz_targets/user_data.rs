//! Decodes any octets, and encodes any text: its parts must decode to the same text.
#![no_main]

use cpaas::bindings;
use cpaas::text::{self, EncodeOptions, EncodedPart, Languages, SegmentOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    // The form of each part: lengths of udh and ud, udl, dcs, then the octets of udh and ud.
    let mut parts = Vec::new();
    let mut rest = data;
    while let [header, length, udl, dcs, tail @ ..] = rest {
        let (udh, tail) = tail.split_at(usize::from(*header).min(tail.len()));
        let (ud, tail) = tail.split_at(usize::from(*length).min(tail.len()));
        parts.push(EncodedPart { udh: udh.to_vec(), ud: ud.to_vec(), udl: *udl, dcs: *dcs });
        rest = tail;
    }
    if let Err(error) = text::decode(&parts) {
        assert!(error.part.is_none_or(|part| part < parts.len()));
    }
    let given = String::from_utf8_lossy(data);
    let _ = bindings::decode_json(&given);
    let _ = bindings::template_segments_json(&given, &given, None);
    let changed = text::transliterate(&given);
    assert_eq!(text::transliterate(&changed.text).text, changed.text);
    for languages in [Languages::NONE, Languages::AUTO] {
        let options = EncodeOptions::new().segments(SegmentOptions::new().languages(languages));
        if let Ok(encoded) = text::encode(&given, &options) {
            assert_eq!(text::decode(&encoded.parts).as_deref(), Ok(&*given));
        }
    }
});
