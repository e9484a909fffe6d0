//! The table of the guard's settings in docs/c.md contains each setting with its default.

use std::collections::BTreeSet;
use std::path::Path;

use cpaas::guard::GuardSettings;
use serde_json::{Map, Value};

/// The settings of the table: names and defaults, which are JSON.
fn listed() -> Map<String, Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/c.md");
    let page = std::fs::read_to_string(path).unwrap();
    let rows =
        page.split_once("| Setting | Default | Limit | Problem |\n").expect("the table in docs/c.md").1;
    rows.lines()
        .skip(1)
        .take_while(|row| row.starts_with('|'))
        .map(|row| {
            let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
            let default =
                serde_json::from_str(cells[2]).unwrap_or_else(|error| panic!("{}: {error}", cells[1]));
            (cells[1].to_owned(), default)
        })
        .collect()
}

#[test]
fn the_table_has_every_setting_with_its_default() {
    let listed = listed();
    let given = GuardSettings::from_json(&Value::Object(listed.clone()).to_string()).unwrap();
    let defaults = GuardSettings::default();
    assert_eq!(given, defaults);
    let shown = format!("{defaults:#?}");
    let fields: BTreeSet<&str> = shown
        .lines()
        .filter_map(|line| line.strip_prefix("    ").filter(|line| !line.starts_with(' ')))
        .filter_map(|line| Some(line.split_once(": ")?.0))
        .collect();
    assert_eq!(listed.keys().map(String::as_str).collect::<BTreeSet<_>>(), fields);
    assert!(fields.contains("sends_without_store"), "{shown}");
}
