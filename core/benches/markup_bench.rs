//! Measures how many texts are parsed and escaped per second in each mode, and the time for long adversarial texts:
//! `cargo bench -p cpaas --bench markup`.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use cpaas::markup::{MAX_INPUT, Mode, escape, parse};

const ROUND: Duration = Duration::from_millis(300);

const PLAIN: &str = "Your table for four is booked for Friday at half past seven; reply CHANGE to move it, or CANCEL \
    if you cannot come. We look forward to seeing you at the harbor, where the terrace is open again";

const TEXTS: &[(Mode, &str)] = &[
    (Mode::Default, PLAIN),
    (
        Mode::Markdown,
        "*Table 4* is booked for _Friday_ at `19:30`; [change it](https://booking.example/7) or call us. \
        We look forward to seeing you at the [harbor](maps.example/harbor), where the *terrace* is open again",
    ),
    (
        Mode::Html,
        "<b>Table 4</b> is booked for <i>Friday</i> at <code>19:30</code>; <a href=\"https://booking.example/7\">\
        change it</a> or call us. Fish &amp; chips at the <u>harbor</u>, where the <b>terrace</b> is open again",
    ),
    (
        Mode::MarkdownV2,
        "*Table 4* is booked for _Friday_ at `19:30`; [change it](https://booking.example/7) or call us\\. \
        We look forward to seeing __you__ at the [harbor](maps.example/harbor), ~where~ the *terrace* is open again",
    ),
];

fn main() {
    for (mode, text) in TEXTS {
        let length = text.chars().count();
        println!(
            "parse {:<11}{length:>4} characters {:>8.0} thousand per second",
            mode.name(),
            rate(|| parse(text, *mode).is_ok())
        );
        println!(
            "escape{:<11}{length:>4} characters {:>8.0} thousand per second",
            mode.name(),
            rate(|| escape(text, *mode).is_empty())
        );
    }
    for unit in ["*", "[", "[a", "<b>", "<a>a", "&nbsp;", "\n>||", ">a\n", "_a_b"] {
        let text = unit.repeat(MAX_INPUT / unit.len());
        for mode in [Mode::Markdown, Mode::Html, Mode::MarkdownV2] {
            let start = Instant::now();
            let _ = black_box(parse(black_box(&text), mode));
            println!(
                "{} times {unit:?} {:<11}{:>8.2} ms",
                MAX_INPUT / unit.len(),
                mode.name(),
                start.elapsed().as_secs_f64() * 1e3
            );
        }
    }
    let text = "<".repeat(1 << 20);
    let start = Instant::now();
    let _ = black_box(parse(black_box(&text), Mode::Default));
    println!("1 MB of \"<\" Default {:>8.2} ms", start.elapsed().as_secs_f64() * 1e3);
}

/// Thousands of calls per second.
fn rate(mut call: impl FnMut() -> bool) -> f64 {
    let start = Instant::now();
    let mut calls = 0_u32;
    while start.elapsed() < ROUND {
        for _ in 0..64 {
            black_box(call());
        }
        calls += 64;
    }
    f64::from(calls) / start.elapsed().as_secs_f64() / 1e3
}
