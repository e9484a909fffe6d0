//! Every deprecation names its successor, as `docs/versioning.md` promises.

use std::path::PathBuf;
use std::process::Command;

use cpaas_tests::root;

const MARKS: &[&str] = &["#[deprecated", "(deprecated(", "[[deprecated", "@deprecated", "DeprecationWarning"];

/// The deprecations of a source that do not name a successor within three lines.
fn without_successor(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let is_marked = |line: &&str| MARKS.iter().any(|mark| line.contains(mark));
    (0..lines.len())
        .filter(|&at| is_marked(&lines[at]))
        .map(|at| lines[at.saturating_sub(3)..lines.len().min(at + 4)].join("\n"))
        .filter(|near| !["use `", "Use `", "use {@link"].iter().any(|successor| near.contains(successor)))
        .collect()
}

#[test]
fn every_deprecation_names_its_successor() {
    let output = Command::new("git").args(["ls-files"]).current_dir(root()).output().unwrap();
    let is_source = |path: &PathBuf| {
        let extension = path.extension().and_then(|name| name.to_str()).unwrap_or_default();
        let is_test = path
            .components()
            .any(|part| ["tests", "test", "benches"].contains(&part.as_os_str().to_str().unwrap()));
        !is_test && ["rs", "py", "pyi", "h", "hpp", "ts", "js"].contains(&extension)
    };
    let mut count = 0;
    for path in String::from_utf8(output.stdout).unwrap().lines().map(PathBuf::from).filter(is_source) {
        let text = std::fs::read_to_string(root().join(&path)).unwrap_or_default();
        let missing = without_successor(&text);
        assert!(missing.is_empty(), "{}: {missing:?} must name the successor: use `name`", path.display());
        count += 1;
    }
    assert!(count > 100, "{count} sources");
}

#[test]
fn a_deprecation_without_a_successor_is_found() {
    for wrong in [
        "#[deprecated]",
        "#[deprecated(since = \"0.2.0\", note = \"old\")]",
        "warnings.warn(\"count is old\", DeprecationWarning, stacklevel=2)",
        "/** @deprecated old */",
        "__attribute__((deprecated(\"old\")))",
        "[[deprecated(\"old\")]]",
    ] {
        assert_eq!(without_successor(wrong).len(), 1, "{wrong}");
    }
    for right in [
        "#[deprecated(since = \"0.2.0\", note = \"use `count`\")]",
        "warnings.warn(\"parts is deprecated: use `count`\", DeprecationWarning, stacklevel=2)",
        "/** @deprecated use {@link count} */",
        "__attribute__((deprecated(\"use `cpaas_count`\")))",
    ] {
        assert!(without_successor(right).is_empty(), "{right}");
    }
}
