//! Each file of tests is run by a suite: a file that no suite names proves nothing.

use std::path::Path;

use super::root;

/// The names of the files in a folder that end with `end`.
fn names(folder: &Path, end: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(end))
        .collect();
    names.sort();
    assert!(!names.is_empty(), "{}", folder.display());
    names
}

/// The texts of the suites and of the nightly scripts.
fn suites() -> String {
    ["tests/suites", "tests/nightly"]
        .iter()
        .flat_map(|folder| {
            names(&root().join(folder), "").into_iter().map(move |name| root().join(folder).join(name))
        })
        .filter(|path| path.is_file())
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect()
}

#[test]
fn a_suite_runs_each_test_file_of_javascript() {
    let suites = suites();
    for folder in ["wasm/test", "tests/browser"] {
        for name in names(&root().join(folder), ".test.mjs") {
            assert!(suites.contains(&name), "no suite runs {folder}/{name}");
        }
    }
}

#[test]
fn the_program_of_each_crate_contains_each_of_its_test_files() {
    for folder in ["core/tests/it", "campaign/tests/it", "tests/tests/it", "tests/tests/acceptance"] {
        let folder = root().join(folder);
        let program = std::fs::read_to_string(folder.join("main.rs")).unwrap();
        for name in names(&folder, ".rs") {
            let module = name.trim_end_matches(".rs");
            let is_there = module == "main" || program.contains(&format!("mod {module};"));
            assert!(is_there, "{} lacks `mod {module};`", folder.display());
        }
    }
}
