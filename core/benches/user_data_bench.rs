//! Speed of counting, encoding and decoding, in texts per second on one core: `cargo bench -p cpaas --bench user_data`.
//!
//! Measures counting without languages, counting with `auto`, encoding and decoding, each with its ratio to counting
//! without languages. `tests/nightly/count_speed_against_commit.sh` compares counting with an earlier commit.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use cpaas::text::{self, EncodeOptions, Languages, SegmentOptions};

const ROUND: Duration = Duration::from_millis(300);

fn main() {
    println!("thousand texts per second (x: ratio to count)");
    println!(
        "{:<22}{:>8}{:>16}{:>16}{:>16}{:>16}",
        "text", "count", "auto", "encode", "encode auto", "decode"
    );
    for (name, text) in [
        ("GSM 7-bit, 160", "Your order 12345 is on its way. ".repeat(5)),
        ("GSM 7-bit, 3 parts", "Your order 12345 is on its way. ".repeat(14)),
        ("Turkish, 150", "Siparişiniz yola çıktı ".repeat(6)),
        ("Hindi, 150", "आपका आदेश ".repeat(15)),
        ("Cyrillic, 150", "Ваш заказ ".repeat(15)),
    ] {
        row(name, &text);
    }
}

fn row(name: &str, text: &str) {
    let plain = EncodeOptions::new();
    let auto = EncodeOptions::new().segments(SegmentOptions::new().languages(Languages::AUTO));
    let parts = text::encode(text, &plain).unwrap().parts;
    let count = rate(|| text::count(black_box(text)).count as usize);
    let others = [
        rate(|| text::count_with(black_box(text), Languages::AUTO).unwrap().count as usize),
        rate(|| text::encode(black_box(text), &plain).unwrap().parts.len()),
        rate(|| text::encode(black_box(text), &auto).unwrap().parts.len()),
        rate(|| text::decode(black_box(&parts)).unwrap().len()),
    ];
    let against = |rate: f64| format!("{:.0} ({:.3}x)", rate / 1e3, rate / count);
    let [counted, encoded, national, decoded] = others.map(against);
    println!("{name:<22}{:>8.0}{counted:>16}{encoded:>16}{national:>16}{decoded:>16}", count / 1e3);
}

fn rate(mut pass: impl FnMut() -> usize) -> f64 {
    let (start, mut passes) = (Instant::now(), 0_u32);
    while start.elapsed() < ROUND {
        for _ in 0..16 {
            black_box(pass());
        }
        passes += 16;
    }
    f64::from(passes) / start.elapsed().as_secs_f64()
}
