//! The files of csv-spectrum (<https://github.com/max-mapper/csv-spectrum>), which `tests/nightly/public_data` installs.

use std::path::Path;

use cpaas_campaign::source::{CsvOptions, CsvSource, Source};
use serde_json::Value;

/// The expected rows of this file have another number than the file, and are not in a list.
const WRONG_NUMBER: &str = "location_coordinates";

fn rows(text: &[u8]) -> Vec<Value> {
    let mut source = CsvSource::new(text, CsvOptions::default()).unwrap();
    let mut rows = Vec::new();
    while let Some(row) = source.next_row().unwrap() {
        rows.push(serde_json::to_value(row).unwrap());
    }
    rows
}

#[test]
#[ignore = "needs the files; `tests/nightly/public_data` runs it"]
fn each_file_has_the_expected_rows() {
    let folder = std::env::var_os("CPAAS_CSV_SPECTRUM").expect("the folder of csv-spectrum");
    let mut names = Vec::new();
    for file in std::fs::read_dir(Path::new(&folder).join("csvs")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let expected = std::fs::read(Path::new(&folder).join(format!("json/{name}.json"))).unwrap();
        let mut expected: Value = serde_json::from_slice(&expected).unwrap();
        if name == WRONG_NUMBER {
            expected["Contact Phone Number"] = "2095257564".into();
            expected = vec![expected].into();
        }
        assert_eq!(Value::from(rows(&std::fs::read(&path).unwrap())), expected, "{name}");
        names.push(name);
    }
    println!("  1 explained: the expected number of {WRONG_NUMBER} is not the one in its file");
    println!("{} cases, {} agree, 1 explained", names.len(), names.len() - 1);
    assert!(names.len() >= 12 && names.iter().any(|name| name == WRONG_NUMBER), "{names:?}");
}
