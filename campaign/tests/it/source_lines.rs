//! The lines of a file: plans, exports and notes name them beside the rows, because a row is not a line.

use crate::support::{Scratch, create, exported, messages};
use cpaas_campaign::blocking;
use cpaas_campaign::journal::Settings;
use cpaas_campaign::source::{CsvOptions, CsvSource, JsonLinesSource, Source};
use cpaas_campaign::{plan, plan_created};
use serde_json::json;

/// The third row begins in line 8: a separator line, a name with two line breaks and an empty line are above it.
const CSV: &str = "sep=;\r\nphone;name\r\n306910000000;\"Ann\r\n(a friend)\r\n\"\r\nx;Bad\r\n\r\n+30;Ben\r\n306910000001;Eva\r\n";

fn source(csv: &str) -> CsvSource<&[u8]> {
    CsvSource::new(csv.as_bytes(), CsvOptions::default()).unwrap()
}

#[test]
fn a_problem_names_its_row_and_its_line() {
    let mut rows = source(CSV);
    let planned = plan(&mut rows, &messages(), &Settings::default()).unwrap();
    let places: Vec<_> = planned.problems.iter().map(|problem| (problem.row, problem.line)).collect();
    assert_eq!(places, [(2, Some(6)), (3, Some(8))]);
    let text = planned.problems[0].to_string();
    assert!(text.starts_with("row 2 (line 6), /to: "), "{text}");
    let json = serde_json::to_value(&planned).unwrap();
    assert_eq!(
        (&json["problem_groups"][0]["rows"], &json["problem_groups"][0]["lines"]),
        (&json!([2, 3]), &json!([6, 8]))
    );
}

#[test]
fn an_export_and_the_plan_of_a_campaign_name_the_line_of_every_row() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let settings = Settings::default();
    let created = blocking::create(&mut journal, "c", &mut source(CSV), &messages(), settings, None).unwrap();
    let note = &created.notes[0];
    assert!(note.contains("; rows 2 (line 6), 3 (line 8); `cpaas campaign export"), "{note}");
    let lines: Vec<_> = exported(&mut journal, "c").iter().map(|row| (row.row, row.line)).collect();
    assert_eq!(lines, [(1, Some(3)), (2, Some(6)), (3, Some(8)), (4, Some(9))]);
    let stored = plan_created(&mut journal, "c", None, None).unwrap();
    let places: Vec<_> = stored.problems.iter().map(|problem| (problem.row, problem.line)).collect();
    assert_eq!(places, [(2, Some(6)), (3, Some(8))]);
}

#[test]
fn a_note_names_the_first_three_invalid_rows() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let csv = format!("phone,name\n{}", "x,Ann\n".repeat(5));
    let created =
        blocking::create(&mut journal, "c", &mut source(&csv), &messages(), Settings::default(), None);
    let notes = created.unwrap().notes;
    assert!(notes[0].contains("; rows 1 (line 2), 2 (line 3), 3 (line 4), …; `"), "{notes:?}");
}

#[test]
fn lines_of_json_are_counted_with_the_empty_ones() {
    let text = "{\"phone\": \"306910000000\", \"name\": \"Ann\"}\n\n{\"phone\": \"x\", \"name\": \"Ben\"}\n";
    let mut rows = JsonLinesSource::new(text.as_bytes());
    let planned = plan(&mut rows, &messages(), &Settings::default()).unwrap();
    assert_eq!((planned.problems[0].row, planned.problems[0].line), (2, Some(3)));
}

#[test]
fn rows_that_are_not_those_of_a_file_have_no_line() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "c", 2, Settings::default());
    assert_eq!(exported(&mut journal, "c")[1].line, None);
}

#[test]
fn a_row_without_a_header_begins_in_the_first_line() {
    let mut options = CsvOptions::default();
    options.has_header = Some(false);
    let mut rows = CsvSource::new(&b"306910000000,Ann\n306910000001,Ben\n"[..], options).unwrap();
    let mut lines = Vec::new();
    while rows.next_row().unwrap().is_some() {
        lines.push(rows.line());
    }
    assert_eq!(lines, [Some(1), Some(2)]);
}

#[test]
fn a_file_that_cannot_be_opened_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    let error = cpaas_campaign::source::open(&path, None).err().unwrap().to_string();
    assert!(error.contains("people.csv cannot be read: No such file"), "{error}");
}

#[test]
fn lines_may_end_with_a_carriage_return() {
    let csv = CSV.replace("\r\n", "\r");
    let mut rows = source(&csv);
    let planned = plan(&mut rows, &messages(), &Settings::default()).unwrap();
    let places: Vec<_> = planned.problems.iter().map(|problem| (problem.row, problem.line)).collect();
    assert_eq!((planned.rows, places), (4, vec![(2, Some(6)), (3, Some(8))]));
    let mut rows = source("sep=\t\rphone\tname\r306910000000\tAnn\rx\tBen");
    let planned = plan(&mut rows, &messages(), &Settings::default()).unwrap();
    assert_eq!((planned.rows, planned.problems[0].line), (2, Some(4)));
}
