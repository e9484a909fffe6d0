//! Measures how many texts are counted and divided per second of CPU time: `cargo bench -p cpaas --bench text`.
//!
//! Compares `count_batch`, the scalar counter, `segments` and the crate `sms_splitter` in its summary mode, which splits no
//! strings. Rounds are interleaved and the median is printed, so that other load affects all of them equally.
//!
//! `CPAAS_CORPORA=FOLDER` also writes the texts of each corpus to a file in that folder, one text a line, for benches in other
//! languages.
#![allow(clippy::print_stdout, clippy::indexing_slicing, clippy::unwrap_used)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use cpaas::bindings;
use cpaas::text::{self, SegmentOptions};
use sms_splitter::SplitSms;
use sms_splitter::splitter_options::SplitterOptions;

#[path = "corpora.rs"]
mod corpora;

const ROUNDS: usize = 7;
const ROUND: Duration = Duration::from_millis(120);

fn main() {
    println!("thousand texts per second, median of {ROUNDS} rounds (x: times sms_splitter)");
    println!(
        "{:<12}{:>6}{:>14}{:>20}{:>20}{:>20}",
        "corpus", "bytes", "sms_splitter", "count_batch", "scalar", "segments"
    );
    for (name, texts) in corpora::all() {
        if let Some(folder) = std::env::var_os("CPAAS_CORPORA") {
            let file = std::path::Path::new(&folder).join(format!("{name}.txt"));
            std::fs::write(file, texts.join("\n")).unwrap();
        }
        row(name, &texts);
    }
}

fn row(name: &str, texts: &[String]) {
    // `sms_splitter` is slow: a few texts are enough for a round.
    let some = &texts[..50];
    let rounds: [[f64; 4]; ROUNDS] = std::array::from_fn(|_| {
        [
            rate(some.len(), || peer(some)),
            rate(texts.len(), || batch(texts)),
            rate(texts.len(), || {
                texts.iter().map(|t| bindings::scalar_counter::count(black_box(t)).count).sum()
            }),
            rate(texts.len(), || parts(texts)),
        ]
    });
    let [peer, batch, scalar, segments] =
        std::array::from_fn(|column| median(rounds.map(|round| round[column])));
    let bytes = texts.iter().map(String::len).sum::<usize>() / texts.len();
    let against = |rate: f64| format!("{:.0} ({:.0}x)", rate / 1e3, rate / peer);
    println!(
        "{name:<12}{bytes:>6}{:>14.1}{:>20}{:>20}{:>20}",
        peer / 1e3,
        against(batch),
        against(scalar),
        against(segments)
    );
}

fn peer(texts: &[String]) -> u32 {
    let splitter = SplitSms::new(SplitterOptions::new(false, true));
    texts.iter().map(|text| splitter.split(black_box(text).clone()).parts.len() as u32).sum()
}

fn batch(texts: &[String]) -> u32 {
    thread_local!(static COUNTS: std::cell::RefCell<Vec<text::Count>> = const { std::cell::RefCell::new(Vec::new()) });
    COUNTS.with_borrow_mut(|counts| {
        text::count_batch(black_box(texts), counts);
        black_box(counts.as_slice()).last().map_or(0, |count| count.count)
    })
}

fn parts(texts: &[String]) -> u32 {
    let options = SegmentOptions::new();
    texts.iter().map(|text| black_box(text::segments(black_box(text), &options)).unwrap().count).sum()
}

/// Texts per second of CPU time, over the passes of one round.
fn rate(texts: usize, mut pass: impl FnMut() -> u32) -> f64 {
    black_box(pass());
    let (start, worked, mut passes) = (Instant::now(), cpu_time(), 0);
    while start.elapsed() < ROUND {
        black_box(pass());
        passes += 1;
    }
    let elapsed = match (worked, cpu_time()) {
        (Some(before), Some(after)) if after > before => after - before,
        _ => start.elapsed(),
    };
    (texts * passes) as f64 / elapsed.as_secs_f64()
}

/// The CPU time of this thread, if the system reports it; other load affects it less than the elapsed time.
fn cpu_time() -> Option<Duration> {
    let line = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    line.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

fn median(mut rates: [f64; ROUNDS]) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[ROUNDS / 2]
}
