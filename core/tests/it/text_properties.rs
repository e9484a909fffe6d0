//! Properties of the text functions for random texts.

use crate::support::reference_counter;
use cpaas::bindings;
use cpaas::text::{self, Encoding, SegmentOptions, Split};
use proptest::prelude::*;

/// Random characters; those with special cases are more frequent.
fn character() -> impl Strategy<Value = char> {
    prop_oneof![
        8 => proptest::sample::select("abc xyz 019 @$\n\r".chars().collect::<Vec<_>>()),
        4 => proptest::sample::select("€[]{}~^|\\\u{c}éÇßΔΩà£¿".chars().collect::<Vec<_>>()),
        1 => proptest::sample::select("’…\u{a0}яçΑ\u{301}\u{200d}👨🇫🇷😀\u{1b}\0`\t".chars().collect::<Vec<_>>()),
        1 => any::<char>(),
    ]
}

/// Up to 699 characters; half of the texts stay in the default alphabet.
fn message() -> impl Strategy<Value = String> {
    let characters = proptest::collection::vec(character(), 0..700);
    (characters, any::<bool>()).prop_map(|(characters, gsm7)| {
        characters.into_iter().filter(|&c| !gsm7 || reference_counter::septets(c).is_some()).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn counts_and_parts_are_those_of_the_reference(text in message()) {
        reference_counter::check(&text);
    }

    #[test]
    fn parts_cover_the_text_and_none_is_empty_or_too_long(text in message(), wide: bool, clusters: bool) {
        let mut options = SegmentOptions::new();
        if wide {
            options = options.reference_bits(text::ReferenceBits::Sixteen);
        }
        if clusters {
            options = options.split(Split::Grapheme);
        }
        let segments = text::segments(&text, &options).unwrap();
        let (single, part) = match (segments.encoding, wide) {
            (Encoding::Gsm7, wide) => (160, 153 - u32::from(wide)),
            (Encoding::Ucs2, wide) => (70, 67 - u32::from(wide)),
        };
        let limit = if segments.count == 1 { single } else { part };
        let joined: String = segments.parts.iter().map(|part| &text[part.start..part.end]).collect();
        prop_assert_eq!(&joined, &text);
        prop_assert_eq!(segments.parts.iter().map(|part| part.units).sum::<u32>(), segments.units);
        for part in &segments.parts {
            prop_assert!(part.units <= limit);
            prop_assert!(part.units > 0 || text.is_empty());
        }
        prop_assert_eq!(segments.parts.last().unwrap().units + segments.remaining, limit);
        if clusters {
            prop_assert!(segments.count_by_grapheme.unwrap() >= segments.count_by_code_point.unwrap());
            prop_assert_eq!(segments.count_by_code_point, Some(if wide { segments_wide(&text) } else { text::count(&text).count }));
        }
    }

    #[test]
    fn a_cluster_that_fits_into_a_part_is_not_divided(text in message()) {
        use unicode_segmentation::UnicodeSegmentation as _;
        let segments = text::segments(&text, &SegmentOptions::new().split(Split::Grapheme)).unwrap();
        for (start, cluster) in text.grapheme_indices(true) {
            let units = reference_counter::segments_in(cluster, false, segments.encoding == Encoding::Gsm7).units;
            let cut = segments.parts.iter().any(|part| part.start > start && part.start < start + cluster.len());
            let most = if segments.encoding == Encoding::Gsm7 { 153 } else { 67 };
            prop_assert!(!cut || units > most);
        }
    }

    #[test]
    fn count_batch_returns_the_counts_of_single_texts(texts in proptest::collection::vec(message(), 0..4)) {
        let mut counts = vec![text::count("left over")];
        text::count_batch(&texts, &mut counts);
        prop_assert_eq!(counts, texts.iter().map(|text| bindings::scalar_counter::count(text)).collect::<Vec<_>>());
    }

    #[test]
    fn annotations_cover_the_text(text in message()) {
        let annotated = text::annotate(&text);
        let mut at = (0, 0);
        for (one, character) in annotated.iter().zip(text.chars()) {
            prop_assert_eq!((one.start, one.start16), at);
            prop_assert_eq!(&text[one.start..one.end], character.to_string());
            prop_assert_eq!(one.septets.map(usize::from), reference_counter::septets(character));
            prop_assert_eq!(one.forces_ucs2, one.septets.is_none());
            at = (one.end, one.end16);
        }
        prop_assert_eq!(at, (text.len(), text.encode_utf16().count()));
        let causes = text::causes(&text);
        let forcing = annotated.iter().filter(|one| one.forces_ucs2).count();
        prop_assert_eq!(causes.iter().map(|cause| cause.count as usize).sum::<usize>(), forcing);
        prop_assert_eq!(causes.is_empty(), text::count(&text).encoding == Encoding::Gsm7);
    }

    #[test]
    fn replaced_returns_gsm7_text_or_the_text_unchanged(text in message()) {
        let (plain, saved) = text::replaced(&text);
        if plain == text {
            prop_assert_eq!(saved, 0);
        } else {
            prop_assert!(plain.chars().all(|character| reference_counter::septets(character).is_some()));
            let before = reference_counter::segments(&text, false).parts.len();
            prop_assert_eq!(saved as usize, before.saturating_sub(reference_counter::segments(&plain, false).parts.len()));
        }
    }

    #[test]
    fn invalid_options_do_not_panic(json in "\\PC{0,40}", text in "\\PC{0,200}") {
        let _ = bindings::segments_json(&text, Some(&json));
        let _ = bindings::estimate_json(&text, &json);
        let _ = bindings::annotate_json(&text);
    }

    #[test]
    fn a_price_round_trips_through_text(whole in 0u64.., fraction in "[0-9]{0,8}", parts in 0u32..256) {
        let written = if fraction.is_empty() { whole.to_string() } else { format!("{whole}.{fraction}") };
        let price: text::Price = written.parse().unwrap();
        prop_assert_eq!(price.to_string(), written);
        let scale = 10u128.pow(fraction.len() as u32);
        let total = (u128::from(whole) * scale + fraction.parse::<u128>().unwrap_or(0)) * u128::from(parts);
        let digits = price.times(parts).to_string().replace('.', "");
        prop_assert_eq!(digits.parse::<u128>().unwrap(), total);
    }
}

fn segments_wide(text: &str) -> u32 {
    reference_counter::segments(text, true).parts.len() as u32
}
