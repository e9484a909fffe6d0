//! Prints the nanoseconds of one call of `cpaas::text::count`, measured like `benches/count.c` on the same text.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use std::hint::black_box;
use std::time::Instant;

use cpaas_core::text::count;

const ROUNDS: u32 = 200;
const CALLS: u32 = 20_000;

fn calls(times: u32, texts: &[String]) {
    for text in texts.iter().cycle().take(times as usize) {
        black_box(count(black_box(text)));
    }
}

fn main() {
    let texts: Vec<String> =
        (0..20_u8).map(|i| format!("{}our table is ready", char::from(b'A' + i))).collect();
    if let Some(times) = std::env::args().nth(1) {
        return calls(times.parse().unwrap(), &texts);
    }
    let mut best = f64::MAX;
    for _ in 0..ROUNDS {
        let from = Instant::now();
        calls(CALLS, &texts);
        best = best.min(from.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS));
    }
    println!("{best:.2}");
}
