//! Every section of the provider's interface and every assumption that the tree cites has an entry in `docs/`. Links lead to files and
//! headings, and README.md has the parts that a new user needs.

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

/// The pages of the repository, without their fenced blocks.
fn pages() -> Vec<(PathBuf, String)> {
    let output = Command::new("git").args(["ls-files", "*.md"]).current_dir(root()).output().unwrap();
    let fenced = Regex::new(r"(?ms)^```.*?^```").unwrap();
    let paths = String::from_utf8(output.stdout).unwrap();
    let text = |path: &str| fenced.replace_all(&read(path), "").into_owned();
    paths.lines().map(|path| (PathBuf::from(path), text(path))).collect()
}

/// The ids that a web page of the repository gives to the headings of a page.
fn anchors(page: &str) -> BTreeSet<String> {
    let link = Regex::new(r"\[([^\]]*)\]\([^)]*\)").unwrap();
    let mut found = BTreeSet::new();
    for line in page.lines().filter(|line| line.starts_with('#')) {
        let title = link.replace_all(line.trim_start_matches('#').trim(), "$1").to_lowercase();
        let kept = title.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        let id = kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect::<String>();
        let repeated = (1..).map(|number| format!("{id}-{number}"));
        let free = std::iter::once(id.clone()).chain(repeated).find(|id| !found.contains(id));
        found.extend(free);
    }
    found
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let pages = pages();
    let code = Regex::new(r"`[^`\n]*`").unwrap();
    let link = Regex::new(r"\]\(([^)\s#]*)(?:#([^)\s]+))?\)").unwrap();
    let (mut count, mut dead) = (0, Vec::new());
    for (path, text) in &pages {
        for found in link.captures_iter(&code.replace_all(text, "`")).filter(|found| !found[1].contains(':'))
        {
            count += 1;
            let target = if found[1].is_empty() { path.clone() } else { path.with_file_name(&found[1]) };
            let anchor = found.get(2).map(|anchor| anchor.as_str());
            let exists = match (std::fs::canonicalize(root().join(&target)), anchor) {
                (Ok(file), Some(anchor)) => {
                    std::fs::read_to_string(file).is_ok_and(|page| anchors(&page).contains(anchor))
                }
                (file, _) => file.is_ok(),
            };
            if !exists {
                dead.push(format!("{}: {}", path.display(), &found[0]));
            }
        }
    }
    assert!(pages.len() > 30 && count > 200, "{} pages, {count} links", pages.len());
    assert!(dead.is_empty(), "dead links: {dead:#?}");
}

/// docs/README.md is the navigation of the documentation site: it names every page, and the title of a page is its entry.
#[test]
fn the_overview_names_every_page_and_each_page_has_one_title() {
    let sections = read("docs/README.md");
    let (_, sections) = sections.split_once("\n## ").unwrap();
    let pages: Vec<_> = pages().into_iter().filter(|(path, _)| path.starts_with("docs")).collect();
    assert!(pages.len() > 30, "{} pages", pages.len());
    for (path, text) in pages {
        let titles = text.lines().filter(|line| line.starts_with("# ")).count();
        assert!(titles == 1 && text.starts_with("# "), "{} must begin with its only title", path.display());
        let name = path.file_name().unwrap().to_str().unwrap();
        let listed = sections.matches(&format!("]({name})")).count();
        assert_eq!(listed, usize::from(name != "README.md"), "entries of {name} in docs/README.md");
    }
}

/// Each crate has a README with an example, keywords and categories for the registries, and the features that its documentation shows.
#[test]
fn each_crate_has_a_readme_and_metadata() {
    for (folder, language) in [
        ("core", "rust"),
        ("sandbox", "rust"),
        ("campaign", "rust"),
        ("host", "rust"),
        ("ffi", "c"),
        ("wasm", "js"),
    ] {
        let readme = read(&format!("{folder}/README.md"));
        assert!(readme.contains(&format!("\n```{language}")), "{folder}/README.md has no example");
    }
    for folder in ["core", "sandbox", "campaign", "host", "ffi"] {
        let manifest = read(&format!("{folder}/Cargo.toml"));
        for key in ["description", "license", "keywords", "categories"] {
            assert!(manifest.contains(&format!("\n{key}")), "{folder}/Cargo.toml has no {key}");
        }
        assert!(!manifest.contains("\nrepository"), "{folder}/Cargo.toml: there is no repository yet");
    }
    for folder in ["core", "sandbox", "campaign"] {
        let manifest = read(&format!("{folder}/Cargo.toml"));
        assert!(manifest.contains("[package.metadata.docs.rs]\nall-features = true"), "{folder}/Cargo.toml");
    }
}

/// The README stays short enough to be read: its sections, five guarantees, every outcome, two pictures.
#[test]
fn the_readme_has_the_parts_that_a_new_user_needs() {
    let readme = read("README.md");
    let sections: Vec<_> = readme.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(sections, ["Install", "Example", "What you can rely on", "Try it offline", "Documentation"]);
    assert!(readme.lines().count() <= 100, "{} lines", readme.lines().count());
    assert_eq!(readme.lines().filter(|line| line.starts_with("- **")).count(), 5);
    for outcome in ["accepted", "invalid", "rejected", "not sent", "unknown", "accepted, id unknown"] {
        assert!(readme.contains(&format!("\n| {outcome} |")), "{outcome}");
    }
    for part in [
        "docs/inbox-light.png",
        "docs/composer-sms.png",
        "docs/performance.md",
        "docs/reliability.md",
        "License: MIT or Apache-2.0",
    ] {
        assert!(readme.contains(part), "{part}");
    }
}

/// README.md rounds three figures of docs/performance.md.
#[test]
fn the_figures_of_the_readme_are_those_of_the_performance_page() {
    let (readme, page) = (read("README.md"), read("docs/performance.md"));
    let figure = |text: &str, pattern: &str| -> f64 {
        Regex::new(pattern).unwrap().captures(text).unwrap_or_else(|| panic!("{pattern}"))[1].parse().unwrap()
    };
    for (short, full) in [
        (r"(\d+) million short texts a second", r"counting SMS parts.*\| (\d+) million texts"),
        (
            r"([\d.]+) of the time of `msgspec`",
            r"Python: validating a valid ten-card.*\| ([\d.]+) of `msgspec`",
        ),
        (r"a page loads (\d+) KB", r"browser: `import \{.*\| ([\d.]+) / [\d.]+ KB"),
    ] {
        let (short, full) = (figure(&readme, short), figure(&page, full));
        assert!((short - full).abs() < full / 50.0, "{short} in README.md, {full} in docs/performance.md");
    }
}
