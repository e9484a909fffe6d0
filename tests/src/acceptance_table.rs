//! Finds the tests of each row of the acceptance table.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its number.
    pub number: u16,
    /// Whether Python and C must have a test too.
    pub star: bool,
    /// Its title.
    pub title: String,
}

/// The table, the rows that are known to have no test, and the tests.
#[derive(Debug)]
pub struct Coverage {
    /// The rows in order.
    pub rows: Vec<Row>,
    /// The rows on the line `Without a test:`.
    pub excused: BTreeSet<u16>,
    /// The tests of a row, as `file: name`.
    pub tests: BTreeMap<u16, BTreeSet<String>>,
}

/// The table, from the root of the project.
const TABLE: &str = "tests/acceptance.md";

/// Flows that several languages run completely.
const FLOWS: &str = "tests/vectors/flows.json";

/// The programs that run the flows, and the files that pass the flows to them.
const RUNNERS: [(&str, &str); 2] =
    [("python/tests/test_flows.py", "python/tests/test_flows.py"), ("ffi/tests/flows.c", "tests/suites/c")];

impl Coverage {
    /// Reads the table, and all sources except those that git ignores.
    ///
    /// # Errors
    /// Git fails, or the table cannot be read.
    pub fn read(root: &Path) -> Result<Self, String> {
        let table = std::fs::read_to_string(root.join(TABLE)).map_err(|error| format!("{TABLE}: {error}"))?;
        let excused = table.lines().find_map(|line| line.strip_prefix("Without a test:")).unwrap_or_default();
        let mut coverage = Self {
            rows: table.lines().filter_map(row).collect(),
            excused: excused.split([',', ' ', '.']).filter_map(|word| word.parse().ok()).collect(),
            tests: BTreeMap::new(),
        };
        for path in sources(root)? {
            let text = std::fs::read_to_string(root.join(&path)).unwrap_or_default();
            for name in names(&path, &text) {
                coverage.add(&path, name);
            }
        }
        let text = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_default();
        for (runner, _) in RUNNERS.into_iter().filter(|(_, hands)| text(hands).contains("flows.json")) {
            for name in flows(&text(FLOWS)) {
                coverage.add(runner, &name);
            }
        }
        Ok(coverage)
    }

    fn add(&mut self, path: &str, name: &str) {
        for number in numbers(name) {
            self.tests.entry(number).or_default().insert(format!("{path}: {name}"));
        }
    }

    /// The rows without any test.
    #[must_use]
    pub fn missing(&self) -> BTreeSet<u16> {
        self.rows.iter().map(|row| row.number).filter(|number| !self.tests.contains_key(number)).collect()
    }

    /// Tests whose numbers are not rows.
    #[must_use]
    pub fn strays(&self) -> Vec<&str> {
        let known: BTreeSet<u16> = self.rows.iter().map(|row| row.number).collect();
        let strays = self.tests.iter().filter(|(number, _)| !known.contains(number));
        strays.flat_map(|(_, names)| names.iter().map(String::as_str)).collect()
    }
}

/// Parses a row, such as `- 008* channel sms`.
fn row(line: &str) -> Option<Row> {
    let (number, title) = line.strip_prefix("- ")?.split_once(' ')?;
    let star = number.ends_with('*');
    Some(Row { number: number.trim_end_matches('*').parse().ok()?, star, title: title.to_owned() })
}

fn sources(root: &Path) -> Result<Vec<String>, String> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("git: {error}"))?;
    let list = String::from_utf8(output.stdout).map_err(|_| "git: the output must be UTF-8".to_owned())?;
    Ok(list.lines().map(str::to_owned).collect())
}

/// The names of the flows that have steps.
fn flows(text: &str) -> Vec<String> {
    let document: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    let flows = document.get("flows").and_then(serde_json::Value::as_array).map_or(&[][..], Vec::as_slice);
    let steps = |flow: &serde_json::Value| {
        flow.get("steps").and_then(serde_json::Value::as_array).map_or(0, Vec::len)
    };
    let named = flows.iter().filter(|flow| steps(flow) > 0).filter_map(|flow| flow.get("name")?.as_str());
    named.map(str::to_owned).collect()
}

/// The tests of a source that run: functions under `#[test]` that are not ignored, Python functions that are not
/// skipped, JavaScript tests by name, C functions that are defined and called. A name in a comment does not count.
fn names<'a>(path: &str, text: &'a str) -> Vec<&'a str> {
    match path.rsplit_once('.').map(|(_, end)| end) {
        Some("rs") => functions(text, &["fn acc_", "async fn acc_"], &["#[", "//"], |above| {
            above.iter().any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"))
                && !above.iter().any(|line| line.starts_with("#[ignore"))
        }),
        Some("py") => functions(text, &["def test_acc_", "async def test_acc_"], &["@"], |above| {
            !above.iter().any(|line| line.contains("mark.skip") || line.contains("mark.xfail"))
        }),
        Some("js" | "mjs" | "ts") => {
            let marks = ["test(\"acc_", "test(`acc_", "test('acc_"];
            let lines = text.lines().map(str::trim_start);
            lines
                .filter_map(|line| marks.iter().find_map(|mark| name(line.strip_prefix(mark)?, text)))
                .collect()
        }
        Some("c" | "cpp") => called(text),
        _ => Vec::new(),
    }
}

/// The names of the functions that begin with one of `marks` and whose attributes satisfy `runs`.
fn functions<'a>(
    text: &'a str,
    marks: &[&str],
    attributes: &[&str],
    runs: impl Fn(&[&str]) -> bool,
) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut above: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim_start) {
        if let Some(rest) = marks.iter().find_map(|mark| line.strip_prefix(mark)) {
            found.extend(name(rest, text).filter(|_| runs(&above)));
        }
        if attributes.iter().any(|attribute| line.starts_with(attribute)) {
            above.push(line);
        } else {
            above.clear();
        }
    }
    found
}

/// The name `acc_…` in `text`; `rest` begins after its `acc_`.
fn name<'a>(rest: &'a str, text: &'a str) -> Option<&'a str> {
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let start = (rest.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?.checked_sub("acc_".len())?;
    text.get(start..start + "acc_".len() + end)
}

/// Names that occur in code at least twice: in a definition and in a call.
fn called(text: &str) -> Vec<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with(['/', '*']));
    let words = code.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for word in words.filter(|word| word.starts_with("acc_")) {
        *counts.entry(word).or_default() += 1;
    }
    counts.into_iter().filter(|(_, count)| *count > 1).map(|(word, _)| word).collect()
}

/// The rows in a name: `acc_008_009_the_channel` has two.
fn numbers(name: &str) -> impl Iterator<Item = u16> {
    let digits = |part: &&str| part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    name.split('_').skip(1).take_while(digits).filter_map(|part| part.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_table_are_parsed() {
        let found = row("- 017* a limit").map(|row| (row.number, row.star, row.title));
        assert_eq!(found, Some((17, true, "a limit".to_owned())));
        assert!(row("- a limit").is_none() && row("017 a limit").is_none());
    }

    #[test]
    fn the_tests_of_each_language_are_found() {
        let rust = "#[test]\nfn acc_017_a() {}\n// acc_018_b\n#[tokio::test]\nasync fn acc_019_020_c() {}";
        assert_eq!(names("a.rs", rust), ["acc_017_a", "acc_019_020_c"]);
        assert_eq!(names("a.py", "async def test_acc_020_b(x):\n  # test_acc_021"), ["acc_020_b"]);
        assert_eq!(
            names("a.c", "/* acc_021 */\nvoid acc_022_c(void) {}\nint main(void) { acc_022_c(); }"),
            ["acc_022_c"]
        );
        assert_eq!(names("a.mjs", "test(\"acc_023 a page\", () => {})"), ["acc_023"]);
        assert!(names("a.md", "fn acc_017_a()").is_empty());
        assert_eq!(numbers("acc_019_020_c").collect::<Vec<_>>(), [19, 20]);
        assert_eq!(numbers("acc_0199").count(), 0);
    }

    #[test]
    fn a_function_that_does_not_run_is_not_a_test() {
        for rust in [
            "fn acc_017_a() {}",
            "#[test]\n#[ignore = \"slow\"]\nfn acc_017_a() {}",
            "#[test]\n\nfn b() {}\nfn acc_017_a() {}",
            "// fn acc_017_a()",
        ] {
            assert!(names("a.rs", rust).is_empty(), "{rust}");
        }
        assert!(names("a.py", "@pytest.mark.skip\ndef test_acc_020_b():").is_empty());
        assert!(names("a.c", "static void acc_022_c(void) {}").is_empty(), "never called");
        assert!(names("a.js", "// test(\"acc_023\")").is_empty());
    }
}
