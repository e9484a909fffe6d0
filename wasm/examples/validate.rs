//! What Rust's typed lane says of requests: lines of `[operation, request]` in, a report a line out.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::io::{BufRead, Write};

fn main() {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let (operation, request): (String, String) = serde_json::from_str(&line.unwrap()).unwrap();
        writeln!(out, "{}", cpaas::validate_json(&operation, &request).unwrap().to_json()).unwrap();
    }
}
