//! Prints the acceptance table with the tests of each row, and the rows without a test.
#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

use cpaas_tests::acceptance_table::{Coverage, Row};

/// The languages that must test a starred row, by the suffix of a file name.
const LANGUAGES: [(&str, &str); 3] = [("Rust", ".rs: "), ("Python", ".py: "), ("C", ".c: ")];

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let coverage = Coverage::read(root).map_err(io::Error::other)?;
    let mut out = io::stdout().lock();
    for row in &coverage.rows {
        writeln!(out, "{:03}{} {}", row.number, if row.star { "*" } else { "" }, row.title)?;
        for test in coverage.tests.get(&row.number).into_iter().flatten() {
            writeln!(out, "      {test}")?;
        }
    }
    let missing = coverage.missing();
    writeln!(out, "\nwithout a test: {}", list(&missing))?;
    for (language, end) in LANGUAGES {
        let lacking: BTreeSet<u16> = coverage
            .rows
            .iter()
            .filter(|row| row.star && !shown(&coverage, row, end))
            .map(|row| row.number)
            .collect();
        writeln!(out, "starred rows not in {language}: {}", list(&lacking))?;
    }
    writeln!(out, "{} of {}", coverage.rows.len() - missing.len(), coverage.rows.len())
}

/// Whether a row has a test in files with this suffix.
fn shown(coverage: &Coverage, row: &Row, end: &str) -> bool {
    coverage.tests.get(&row.number).is_some_and(|tests| tests.iter().any(|test| test.contains(end)))
}

fn list(numbers: &BTreeSet<u16>) -> String {
    if numbers.is_empty() {
        return "none".to_owned();
    }
    numbers.iter().map(u16::to_string).collect::<Vec<_>>().join(" ")
}
