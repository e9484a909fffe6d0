//! Time to validate a valid carousel of ten cards, compared with parsing alone and with two other crates.
//!
//! `cargo bench -p cpaas-tests --features bench-rules --bench rules` measures
//! - `serde_json` into our structs, without validation (the baseline, 1.00x),
//! - `validate_json`: parses and checks every rule,
//! - the crate `garde`: parses into its own structs with the same limits and validates them,
//! - the crate `jsonschema`: parses to a value and validates it with a compiled schema with the same limits.
//!
//! Rounds are interleaved. Prints the median of each and its ratio to the baseline. With `CPAAS_COUNT=parse|validate,N` it only
//! parses or validates N times, for an instruction counter.
#![allow(clippy::print_stdout, clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use cpaas::{OperationId, messages};

#[path = "rules/peers.rs"]
mod peers;
#[path = "rules/request.rs"]
mod request;

const ROUNDS: usize = 21;
const ROUND: Duration = Duration::from_millis(40);

fn main() {
    let json = request::carousel(10);
    let report = OperationId::MessagesSend.validate_json(&json);
    assert!(report.ok && report.warnings.is_empty(), "the request is not valid: {}", report.to_json());
    if let Ok(plan) = std::env::var("CPAAS_COUNT") {
        return count(&plan, &json);
    }
    let schema = peers::schema();
    assert!(peers::garde(&json) && peers::jsonschema(&schema, &json));

    let contestants: [(&str, &dyn Fn() -> bool); 4] = [
        ("serde_json, same structs", &|| {
            serde_json::from_str::<messages::SendMessage>(black_box(&json)).is_ok()
        }),
        ("validate_json", &|| OperationId::MessagesSend.validate_json(black_box(&json)).ok),
        ("garde", &|| peers::garde(black_box(&json))),
        ("jsonschema", &|| peers::jsonschema(&schema, black_box(&json))),
    ];
    let rounds: [[f64; 4]; ROUNDS] = std::array::from_fn(|_| contestants.map(|(_, run)| nanoseconds(run)));
    println!(
        "ten cards, {} bytes; microseconds per request, median of {ROUNDS} interleaved rounds",
        json.len()
    );
    let of = |index: usize| median(rounds.map(|round| round[index]));
    let baseline = of(0);
    for (index, (name, _)) in contestants.iter().enumerate() {
        let time = of(index);
        println!("{name:<28}{:>10.2}{:>9.2}x", time / 1e3, time / baseline);
    }
}

fn count(plan: &str, json: &str) {
    let (what, times) = plan.split_once(',').unwrap();
    for _ in 0..times.parse::<u32>().unwrap() {
        match what {
            "parse" => black_box(serde_json::from_str::<messages::SendMessage>(black_box(json)).is_ok()),
            _ => black_box(OperationId::MessagesSend.validate_json(black_box(json)).ok),
        };
    }
}

fn nanoseconds(run: &dyn Fn() -> bool) -> f64 {
    let start = Instant::now();
    let mut runs = 0_u32;
    while start.elapsed() < ROUND {
        for _ in 0..16 {
            black_box(run());
        }
        runs += 16;
    }
    start.elapsed().as_nanos() as f64 / f64::from(runs)
}

fn median(mut times: [f64; ROUNDS]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}
