//! Every section of the provider's interface and every assumption that the tree cites has an entry in `docs/`.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use cpaas::OperationId;
use cpaas::problem::codes;
use cpaas_tests::root;
use regex::Regex;

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// The first word of each second-level heading: `A8`, `Limits`.
fn headings() -> BTreeSet<String> {
    let page = read("docs/specification.md");
    let names = page.lines().filter_map(|line| line.strip_prefix("## ")?.split(' ').next());
    names.map(str::to_owned).collect()
}

/// The ids in the first column of the table of assumptions.
fn assumptions() -> Vec<String> {
    let page = read("docs/assumptions.md");
    let row = Regex::new(r"(?m)^\| (D[0-9]{2}) \|").unwrap();
    row.captures_iter(&page).map(|found| found[1].to_owned()).collect()
}

/// The sources and pages of the repository, with the sections and assumptions that they cite.
fn citations() -> Vec<(PathBuf, String)> {
    let output = Command::new("git").args(["ls-files"]).current_dir(root()).output().unwrap();
    let section = Regex::new(r"\b[Ss]ections? ([A-E](?:[0-9]a?)?)\b").unwrap();
    let bracketed = Regex::new(r"\(((?:[A-E][0-9]{1,2}a?)(?:, ?[A-E][0-9]{1,2}a?)*)\)").unwrap();
    let mut found = Vec::new();
    for path in String::from_utf8(output.stdout).unwrap().lines().map(PathBuf::from) {
        let extension = path.extension().and_then(|name| name.to_str()).unwrap_or_default();
        if !["rs", "md", "py", "pyi", "h", "hpp", "ts", "js"].contains(&extension) {
            continue;
        }
        // Its worked example adds a section.
        if path.ends_with("CONTRIBUTING.md") {
            continue;
        }
        let text = std::fs::read_to_string(root().join(&path)).unwrap_or_default();
        for citation in section.captures_iter(&text).chain(bracketed.captures_iter(&text)) {
            found.extend(citation[1].split(',').map(|id| (path.clone(), id.trim().to_owned())));
        }
    }
    found
}

#[test]
fn the_section_of_each_operation_has_a_heading() {
    let headings = headings();
    for operation in OperationId::ALL {
        let meta = operation.meta();
        assert!(headings.contains(meta.section), "{}: no heading `## {}`", meta.id, meta.section);
    }
}

#[test]
fn the_source_of_each_problem_code_has_a_heading() {
    let headings = headings();
    for code in codes::all() {
        let sections = code.source.strip_prefix("spec ").unwrap_or_default();
        for section in sections.split('/').filter(|section| !section.is_empty()) {
            assert!(headings.contains(section), "{}: no heading `## {section}`", code.id);
        }
    }
}

#[test]
fn every_cited_section_and_assumption_has_an_entry() {
    let (headings, assumptions) = (headings(), assumptions());
    let citations = citations();
    assert!(citations.iter().any(|(_, id)| id == "A8") && citations.iter().any(|(_, id)| id == "D31"));
    let missing: Vec<_> =
        citations.iter().filter(|(_, id)| !headings.contains(id) && !assumptions.contains(id)).collect();
    assert!(missing.is_empty(), "cited but neither a heading nor an assumption: {missing:?}");
}

#[test]
fn each_assumption_has_one_row() {
    let expected: Vec<String> = (1..=66).map(|number| format!("D{number:02}")).collect();
    assert_eq!(assumptions(), expected);
}

#[test]
fn every_operation_is_in_the_table_of_endpoints() {
    let page = read("docs/specification.md");
    for operation in OperationId::ALL {
        let meta = operation.meta();
        let row = format!("| `{}` | {} `", meta.id, meta.method.as_str());
        assert!(page.contains(&row), "docs/specification.md must have the row {row}…");
    }
}
