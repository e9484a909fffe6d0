//! `docs/outcomes.md` explains every outcome and reason, and `docs/retries.md` lists every operation in the class of its retries.

use std::collections::BTreeSet;

use cpaas::OperationId;
use cpaas_tests::root;
use regex::Regex;

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// The names in records of the variants of an enum in `core/src/error.rs`.
fn variants(name: &str) -> BTreeSet<String> {
    let source = read("core/src/error.rs");
    let (_, body) = source.split_once(&format!("pub enum {name} {{\n")).unwrap();
    let (body, _) = body.split_once("\n}").unwrap();
    let variant = Regex::new(r"(?m)^    ([A-Z][A-Za-z]+),$").unwrap();
    let inner_capital = Regex::new("([a-z])([A-Z])").unwrap();
    variant
        .captures_iter(body)
        .map(|found| inner_capital.replace_all(&found[1], "${1}_$2").to_lowercase())
        .collect()
}

/// The first cells, if they are code, of the tables in a section of a page.
fn rows(page: &str, section: &str) -> BTreeSet<String> {
    let (_, text) = page.split_once(&format!("\n## {section}\n")).unwrap();
    let text = text.split("\n## ").next().unwrap();
    let row = Regex::new(r"(?m)^\| `([a-z_]+)` \|").unwrap();
    row.captures_iter(text).map(|found| found[1].to_owned()).collect()
}

#[test]
fn the_page_explains_every_reason_and_no_other() {
    let reasons = variants("Reason");
    assert!(reasons.contains("too_large") && reasons.len() > 10, "{reasons:?}");
    assert_eq!(rows(&read("docs/outcomes.md"), "Reasons"), reasons);
}

#[test]
fn the_page_explains_every_outcome_and_no_other() {
    let outcomes = variants("Outcome");
    assert!(outcomes.contains("accepted_id_unknown"), "{outcomes:?}");
    assert_eq!(rows(&read("docs/outcomes.md"), "Outcomes"), outcomes);
}

/// The outcomes that the page lists beside a reason are outcomes.
#[test]
fn every_outcome_beside_a_reason_exists() {
    let outcomes = variants("Outcome");
    let page = read("docs/outcomes.md");
    let (_, table) = page.split_once("\n## Reasons\n").unwrap();
    let name = Regex::new("`([a-z_]+)`").unwrap();
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cell = row.split('|').nth(3).unwrap().split(';').next().unwrap();
        let found: Vec<_> = name.captures_iter(cell).map(|found| found[1].to_owned()).collect();
        assert!(!found.is_empty() && found.iter().all(|outcome| outcomes.contains(outcome)), "{row}");
    }
}

#[test]
fn every_operation_is_in_the_row_of_its_retry_class() {
    let page = read("docs/retries.md");
    for operation in OperationId::ALL {
        let meta = operation.meta();
        let start = format!("| `{:?}` |", meta.safety);
        let row =
            page.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("no row {start}"));
        assert!(row.contains(&format!("`{}`", meta.id)), "`{}` must be in the row {start}", meta.id);
        assert_eq!(page.matches(&format!("`{}`", meta.id)).count(), 1, "`{}` must be in one row", meta.id);
    }
}
