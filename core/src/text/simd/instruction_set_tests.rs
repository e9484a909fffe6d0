//! Tests of each instruction set of this CPU; the other tests use only the widest.
#![allow(clippy::panic)]

use fearless_simd::{Level, dispatch};

use super::count_one;
use crate::text::scalar_counter;

fn levels() -> Vec<(&'static str, Level)> {
    let widest = Level::new();
    let all = [
        ("SSE4.2", widest.as_sse4_2().map(Level::Sse4_2)),
        ("AVX2", widest.as_avx2().map(Level::Avx2)),
        ("AVX-512", widest.as_avx512().map(Level::Avx512)),
    ];
    all.into_iter().filter_map(|(name, level)| Some((name, level?))).collect()
}

#[test]
fn every_instruction_set_counts_as_the_scalar_counter() {
    let pieces = [
        "a", "€", "é", "Ω", "[", "\u{c}", "`", "я", "漢", "😀", "\u{c5}", "ƒ", "\u{82}", "‚", "\u{20ad}",
        "\0",
    ];
    for (name, level) in levels() {
        for (index, piece) in pieces.iter().enumerate() {
            for before in 0..132 {
                let fill = pieces.get(index / 2 % 4).copied().unwrap_or("a");
                let text = format!("{}{piece}{}{piece}", fill.repeat(before), "b€".repeat(before / 2));
                let count = dispatch!(level, simd => count_one(simd, &text));
                assert_eq!(
                    count,
                    scalar_counter::count(&text),
                    "{name}, {before} before U+{:04X}",
                    piece.chars().fold(0, |_, c| c as u32)
                );
            }
        }
    }
}

#[test]
fn every_character_counts_the_same_on_every_instruction_set() {
    for (name, level) in levels() {
        for character in ('\0'..='\u{2FFF}').chain(['\u{FEFF}', '\u{1F600}']) {
            let text = character.to_string();
            let count = dispatch!(level, simd => count_one(simd, &text));
            assert_eq!(count, scalar_counter::count(&text), "{name}, U+{:04X}", character as u32);
        }
    }
}
