//! The time of each function and operation is linear in the length of its input, also for the most expensive inputs.
//!
//! The test measures CPU time. It takes the minimum of up to sixty rounds and stops at the first round within the limit, so that
//! other load does not matter. `tests/nightly/linear_time.sh` counts instructions instead.
//!
//! `cargo test --release -p cpaas --test linear_time -- --nocapture` prints the time that a megabyte takes.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation
)]

mod adversarial_requests;
#[path = "../it/support/cpu_time.rs"]
mod cpu_time;
#[cfg(all(feature = "http", feature = "national"))]
mod other_functions;
mod requests;
mod texts;

use std::time::Duration;

use cpu_time::spent;

const LARGE: usize = if cfg!(debug_assertions) { 1 << 17 } else { 1 << 20 };
/// The maximum of the ratio: the time of one run with a text, divided by the time of eight runs with an eighth of the text. The
/// ratio is 1 for linear time (more with cache misses) and 8 for quadratic time.
const GROWTH: u32 = 4;
const TRIES: usize = 60;

/// An expensive case: a text of about a given size, and the operation on it.
struct Case {
    name: String,
    make: Box<dyn Fn(usize) -> String>,
    run: Box<dyn Fn(&str)>,
}

impl Case {
    fn new(
        name: impl Into<String>,
        make: impl Fn(usize) -> String + 'static,
        run: impl Fn(&str) + 'static,
    ) -> Self {
        Self { name: name.into(), make: Box::new(make), run: Box::new(run) }
    }
}

fn fill(unit: &str, size: usize) -> String {
    unit.repeat(size / unit.len())
}

fn time(times: usize, run: &dyn Fn()) -> Duration {
    let start = spent();
    for _ in 0..times {
        run();
    }
    spent() - start
}

fn grow(cases: Vec<Case>) {
    for Case { name, make, run } in cases {
        grows(&name, &*run, &make(LARGE / 8), &make(LARGE));
    }
}

fn grows(what: &str, run: &dyn Fn(&str), small: &str, large: &str) {
    let (mut least_small, mut least_large) = (Duration::MAX, Duration::MAX);
    for _ in 0..TRIES {
        least_small = least_small.min(time(8, &|| run(small)));
        least_large = least_large.min(time(1, &|| run(large)));
        if least_large < (least_small * GROWTH).max(Duration::from_micros(200)) {
            println!("{what:<48}{:>10} bytes{:>9.3} ms", large.len(), least_large.as_secs_f64() * 1e3);
            return;
        }
    }
    panic!("{what}: {least_small:?}, then {least_large:?}");
}

#[test]
fn texts_take_linear_time() {
    grow(texts::texts());
}

#[test]
fn markup_takes_linear_time() {
    grow(texts::markup());
}

#[test]
fn requests_take_linear_time() {
    grow(requests::all());
}

#[test]
fn adversarial_requests_take_linear_time() {
    grow(adversarial_requests::all());
}

#[cfg(all(feature = "http", feature = "national"))]
#[test]
fn callbacks_responses_and_settings_take_linear_time() {
    grow(other_functions::all());
}

/// Runs the case `CPAAS_CASE` once with `CPAAS_SIZE` bytes, to count its instructions. Without `CPAAS_CASE`, prints the names of
/// all cases.
#[test]
#[ignore = "run by tests/nightly/linear_time.sh"]
fn one_case() {
    let cases =
        [texts::texts(), texts::markup(), requests::all(), adversarial_requests::all()].into_iter().flatten();
    let requested = std::env::var("CPAAS_CASE").ok();
    for Case { name, make, run } in cases {
        match &requested {
            None => println!("case {name}"),
            Some(requested) if *requested == name => {
                run(&make(std::env::var("CPAAS_SIZE").unwrap().parse().unwrap()));
            }
            Some(_) => {}
        }
    }
}
