//! `docs/outcomes.md` explains every outcome and reason, and `docs/retries.md` lists every operation in the class of its retries.

use std::collections::BTreeSet;

use cpaas::OperationId;
use cpaas::error::{Outcome, Reason};
use cpaas_tests::root;
use regex::Regex;

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
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
    assert_eq!(rows(&read("docs/outcomes.md"), "Reasons"), names(Reason::NAMES));
}

#[test]
fn the_page_explains_every_outcome_and_no_other() {
    assert_eq!(rows(&read("docs/outcomes.md"), "Outcomes"), names(Outcome::NAMES));
}

/// The outcomes that the page lists beside a reason are outcomes.
#[test]
fn every_outcome_beside_a_reason_exists() {
    let outcomes = names(Outcome::NAMES);
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
