//! Encoding and decoding of user data: the vectors that every language reads, every character of every table, random texts.

use cpaas::bindings;
use cpaas::text::{
    self, EncodeOptions, EncodedPart, Encoding, Language, Languages, Ports, ReferenceBits, SegmentOptions,
    Split, decode, encode,
};
use proptest::prelude::*;
use serde_json::Value;

fn vectors(list: &str) -> Vec<Value> {
    let path = format!("{}/../tests/vectors/encode.json", env!("CARGO_MANIFEST_DIR"));
    let vectors: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    vectors[list].as_array().unwrap().clone()
}

#[test]
fn encoded_parts_equal_the_vectors() {
    let cases = vectors("encode");
    assert!(cases.len() > 30);
    for case in cases {
        let id = &case["id"];
        let options = case.get("options").map(Value::to_string);
        let text = case["text"].as_str().unwrap();
        match bindings::encode_json(text, options.as_deref()) {
            Err(error) => assert_eq!(case["error"], error.code(), "{id}: {error}"),
            Ok(found) => {
                assert!(case.get("error").is_none(), "{id} is encoded");
                let found: Value = serde_json::from_str(&found).unwrap();
                for member in ["encoding", "lockingShift", "singleShift", "parts"] {
                    assert_eq!(case.get(member), found.get(member), "{member} of {id}");
                }
                let expected = found.get("text").unwrap_or(&case["text"]).as_str().unwrap().to_owned();
                assert_eq!(bindings::decode_json(&found["parts"].to_string()).unwrap(), expected, "{id}");
            }
        }
    }
}

#[test]
fn decoded_texts_equal_the_vectors() {
    let cases = vectors("decode");
    assert!(cases.len() > 30);
    for case in cases {
        let id = &case["id"];
        match bindings::decode_json(&case["parts"].to_string()) {
            Ok(text) => assert_eq!(case["text"], text, "{id}"),
            Err(bindings::TextError::Decode(error)) => {
                assert_eq!(case["error"], error.code(), "{id}: {error}");
                assert_eq!(case["part"].as_u64(), error.part.map(|part| part as u64), "{id}: {error}");
                assert_eq!(case["octet"].as_u64(), error.octet.map(|octet| octet as u64), "{id}: {error}");
            }
            Err(error) => panic!("{id}: {error}"),
        }
    }
}

/// Also compares the number of characters that a language adds to the default alphabet with its tables in TS 23.038.
#[test]
fn every_character_of_every_table_round_trips() {
    let expected = [7, 9, 24, 91, 85, 110, 88, 97, 86, 81, 74, 93, 112];
    for (language, expected) in Language::ALL.into_iter().zip(expected) {
        let languages = Languages::NONE.with(language);
        let options = EncodeOptions::new().segments(SegmentOptions::new().languages(languages));
        let count = |character: char| text::count_with(&character.to_string(), languages).unwrap();
        let in_tables: Vec<char> =
            ('\0'..='\u{FFFF}').filter(|one| count(*one).encoding == Encoding::Gsm7).collect();
        for character in &in_tables {
            let text = character.to_string();
            let encoded = encode(&text, &options).unwrap();
            assert_eq!(decode(&encoded.parts).unwrap(), text, "{language:?} {:x}", *character as u32);
        }
        let added = in_tables.iter().filter(|one| text::septets(**one).is_none()).count();
        assert_eq!(added, expected, "{language:?}");
        let all: String = in_tables.iter().collect();
        let encoded = encode(&all, &options).unwrap();
        assert_eq!(decode(&encoded.parts).unwrap(), all, "{language:?}");
    }
}

fn options() -> impl Strategy<Value = EncodeOptions> {
    let parts = (any::<u16>(), any::<bool>(), any::<bool>(), 0..4_u8, any::<u16>(), any::<bool>());
    parts.prop_map(|(reference, is_wide, is_grapheme, languages, bits, has_ports)| {
        let mut segments = SegmentOptions::new();
        if is_wide {
            segments = segments.reference_bits(ReferenceBits::Sixteen);
        }
        if is_grapheme {
            segments = segments.split(Split::Grapheme);
        }
        segments.languages = match languages {
            0 => Languages::NONE,
            1 => Languages::AUTO,
            _ => Languages::from_bits(bits & 0x3FFE).unwrap(),
        };
        let mut options = EncodeOptions::new().segments(segments).reference(if is_wide {
            reference
        } else {
            reference & 0xFF
        });
        options.ports = has_ports.then_some(Ports { destination: reference, source: bits });
        options
    })
}

/// Texts of the national tables, of the default alphabet, of other characters, and mixed ones.
fn texts() -> impl Strategy<Value = String> {
    let national = "ğıİşŞçÇáíóúÁêâõã€^|~\\{}[]\u{985}\u{9e6}\u{a85}\u{ae6}\u{905}\u{915}\u{966}\u{c85}\u{ce6}\u{d05}\u{b05}\u{a05}\u{b85}\u{c05}\u{627}\u{6f0}\u{600}";
    let pool: Vec<char> = national.chars().collect();
    prop_oneof![
        prop::collection::vec(prop::sample::select(pool), 0..400).prop_map(|text| text.into_iter().collect()),
        "[a-zA-Z0-9 €@\\n]{0,400}",
        "[çğışÖÜa-z ]{0,400}",
        "[\u{905}-\u{939}\u{966}-\u{96f} a-z]{0,400}",
        ".{0,300}",
        prop::collection::vec(any::<char>(), 0..200).prop_map(|text| text.into_iter().collect()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(25_000))]

    #[test]
    fn decode_inverts_encode(text in texts(), options in options(), turns in 0..5_usize) {
        let encoded = encode(&text, &options).unwrap();
        let mut parts = encoded.parts.clone();
        let count = parts.len();
        parts.rotate_left(turns % count);
        prop_assert_eq!(decode(&parts).unwrap(), text.as_str());
        if options.ports.is_none() {
            let segments = text::segments(&text, &options.segments).unwrap();
            prop_assert_eq!(segments.count as usize, count);
            prop_assert_eq!(segments.locking_shift, encoded.locking_shift);
            prop_assert_eq!(segments.single_shift, encoded.single_shift);
            for (part, range) in encoded.parts.iter().zip(&segments.parts) {
                let header = (part.udh.len() * 8).div_ceil(7);
                let units = match encoded.encoding {
                    Encoding::Gsm7 => usize::from(part.udl) - header,
                    Encoding::Ucs2 => part.ud.len() / 2,
                };
                prop_assert_eq!(units, range.units as usize);
                prop_assert!(part.udh.len() + part.ud.len() <= 140);
            }
        }
    }

    /// Any octets decode to a text, or to an error whose position is inside them.
    #[test]
    fn decode_never_panics(parts in prop::collection::vec(
        (prop::collection::vec(any::<u8>(), 0..16), prop::collection::vec(any::<u8>(), 0..150), any::<u8>(), any::<u8>()), 0..4,
    )) {
        let parts: Vec<EncodedPart> = parts.into_iter().map(|(udh, ud, udl, dcs)| EncodedPart { udh, ud, udl, dcs }).collect();
        if let Err(error) = decode(&parts)
            && let Some(part) = error.part.map(|index| &parts[index])
        {
            prop_assert!(error.octet.is_none_or(|octet| octet <= part.udh.len() + part.ud.len()), "{}", error);
        }
    }
}

#[test]
fn messages_name_what_is_expected_and_what_was_found() {
    let message = |udh: &str, ud: &str, udl: u8, dcs: u8| {
        let parts = serde_json::json!([{"udh": udh, "ud": ud, "udl": udl, "dcs": dcs}]);
        bindings::decode_json(&parts.to_string()).unwrap_err().to_string()
    };
    for (udh, expected) in [
        ("0400020102", "the header element's length must be 3, got 2"),
        ("050803010203", "the header element's length must be 4, got 3"),
        ("03040101", "the header element's length must be 2, got 1"),
        ("0424020101", "the header element's length must be 1, got 2"),
    ] {
        assert!(message(udh, "", 0, 0).contains(expected), "{}", message(udh, "", 0, 0));
    }
    let lone = message("", "D83D", 2, 8);
    assert!(lone.contains("a surrogate must be part of a pair, got a lone one"), "{lone}");
}
