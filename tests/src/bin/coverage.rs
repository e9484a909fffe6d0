//! Prints the acceptance table of the sandbox with the tests of each row, from the tests' own names.
//! Exits with 1 when a row has none and `--strict` was given.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Where tests may stand: folders of the tree, and the ends of their files' names.
const PLACES: &[(&str, &[&str])] = &[
    ("tests", &["rs", "py", "mjs", "c"]),
    ("sandbox", &["rs"]),
    ("python", &["py"]),
    ("ffi", &["c", "cpp"]),
];

fn main() -> io::Result<ExitCode> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let rows = rows(&std::fs::read_to_string(root.join("tests/acceptance.md"))?);
    let mut tests: BTreeMap<u16, Vec<String>> = BTreeMap::new();
    for (folder, ends) in PLACES {
        for file in files(&root.join(folder), ends)? {
            let place = file.strip_prefix(&root).unwrap_or(&file).display().to_string();
            for name in names(&std::fs::read_to_string(&file).unwrap_or_default()) {
                for row in numbers(&name) {
                    tests.entry(row).or_default().push(format!("{place}: {name}"));
                }
            }
        }
    }
    let mut out = io::stdout().lock();
    let mut missing = Vec::new();
    for (number, title) in &rows {
        writeln!(out, "{number:03} {title}")?;
        match tests.get(number) {
            Some(found) => found.iter().try_for_each(|test| writeln!(out, "      {test}"))?,
            None => missing.push((*number, title)),
        }
    }
    for (number, title) in &missing {
        writeln!(out, "missing: {number:03} {title}")?;
    }
    writeln!(out, "{} of {}", rows.len() - missing.len(), rows.len())?;
    let strict = std::env::args().any(|argument| argument == "--strict");
    Ok(if strict && !missing.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// `- 008* channel sms`.
fn rows(table: &str) -> Vec<(u16, String)> {
    let row = |line: &str| {
        let (number, title) = line.strip_prefix("- ")?.split_once(' ')?;
        Some((number.trim_end_matches('*').parse().ok()?, title.to_owned()))
    };
    table.lines().filter_map(row).collect()
}

/// Functions whose names begin with `acc_` or `test_acc_`.
fn names(source: &str) -> Vec<String> {
    let name = |line: &str| {
        let line = line.trim_start();
        let line = ["fn ", "def ", "async def ", "static void ", "void "]
            .iter()
            .find_map(|word| line.strip_prefix(word))?;
        let name = line.strip_prefix("test_").unwrap_or(line);
        let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(name.len());
        name.starts_with("acc_").then(|| name.get(..end).unwrap_or(name).to_owned())
    };
    source.lines().filter_map(name).collect()
}

/// The rows in a name: `acc_008_009_the_channel` has two.
fn numbers(name: &str) -> Vec<u16> {
    let digits = |part: &&str| part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    name.split('_').skip(1).take_while(digits).filter_map(|part| part.parse().ok()).collect()
}

fn files(folder: &Path, ends: &[&str]) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(found) };
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !name.starts_with('.') && !matches!(name, "target" | "vectors" | "node_modules") {
            found.extend(files(&path, ends)?);
        } else if path.extension().and_then(|end| end.to_str()).is_some_and(|end| ends.contains(&end)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
