//! Names of columns in errors: a file without a header, or in another format, shows no cell. Marks of other programs in a template.

use cpaas_campaign::blocking::{self, open_journal};
use cpaas_campaign::journal::{OpenOptions, Settings};
use cpaas_campaign::source::{self, CsvOptions, CsvSource, IteratorSource, Source};
use cpaas_campaign::{Columns, Messages, Template, plan};
use serde_json::json;

fn messages(text: &str) -> Messages {
    let template = json!({"from": "Acme", "to": "{{ phone }}", "text": text});
    Messages::new("sms.send", Template::new(template).unwrap())
}

/// The error of a plan whose rows are a CSV file.
fn error_of(csv: &str, messages: &Messages, settings: &Settings) -> String {
    let source = CsvSource::new(csv.as_bytes(), CsvOptions::default());
    match source {
        Ok(mut source) => plan(&mut source, messages, settings).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    }
}

const NO_HEADER: [&str; 2] =
    ["the names of its", "may be values and are not shown; a file begins with a header such as phone,name"];

#[test]
fn cells_of_a_file_without_a_header_are_not_shown() {
    for (csv, count) in [
        ("mob: 306912345678,Ann\nmob: 306912345679,Eva\n", "2 columns"),
        ("6912345678 (home),Ann\n6912345679 (work),Eva\n", "2 columns"),
        ("Your code is 4711\nYour code is 4712\n", "1 column"),
        ("Ann,ann@example.com\n", "2 columns"),
    ] {
        let expected = format!("the template uses `phone`; {} {count} {}", NO_HEADER[0], NO_HEADER[1]);
        assert_eq!(error_of(csv, &messages("Hi"), &Settings::default()), expected);
    }
}

#[test]
fn settings_that_name_a_column_show_no_cell_either() {
    let csv = "phone,306912345678 x\n306912345677,2\n";
    let (mut settings, messages) = (Settings::default(), messages("Hi"));
    settings.keep = vec!["fone".to_owned()];
    let expected = format!("keep: expected the column `fone`, {} 2 columns {}", NO_HEADER[0], NO_HEADER[1]);
    assert!(error_of(csv, &messages, &settings).starts_with(&expected));
    settings.keep.clear();
    let twice = error_of("phone,306912345678 x,306912345678 x\n", &messages, &settings);
    assert_eq!(twice, "line 1: the names of columns must differ, got `…` twice, in the columns 2 and 3");
}

#[test]
fn json_is_not_read_as_csv() {
    let expected = "the rows must be CSV, or JSON Lines in a file with the extension .jsonl or .ndjson: one object in each line; got JSON";
    let rows = "[{\"phone\":\"306912345678\"}]";
    for text in
        [rows, "{\"phone\":\"306912345678\",\"name\":\"Ann\"}\n", "[\n  {\"phone\": \"306912345678\"}\n]\n"]
    {
        assert_eq!(error_of(text, &messages("Hi"), &Settings::default()), expected);
    }
    let folder = tempfile::tempdir().unwrap();
    for name in ["rows.json", "ROWS.JSON"] {
        let path = folder.path().join(name);
        std::fs::write(&path, rows).unwrap();
        assert_eq!(source::open(&path, None).map(|_| ()).unwrap_err().to_string(), expected);
    }
}

fn row() -> Columns {
    json!({"phone": "306912345678", "name": "Ann"}).as_object().unwrap().clone()
}

/// The warnings of a creation.
fn warnings(source: &mut dyn Source, text: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let url = folder.path().join("c.db").display().to_string();
    let mut journal = open_journal(&url, OpenOptions::default()).unwrap();
    let created = blocking::create(&mut journal, "c", source, &messages(text), Settings::default(), None);
    created.unwrap().warnings
}

#[test]
fn a_creation_warns_of_marks_with_and_without_a_header() {
    let braces = "/text: the name of a column must be in double braces, such as {{ name }}; in single braces, which are sent as they are: `name`";
    let mark = |mark: &str| {
        format!(
            "/text contains `{mark}`, which is sent as it is; the value of a column is written {{{{ name }}}}"
        )
    };
    for (text, expected) in [
        ("Hi {name}", vec![braces.to_owned()]),
        ("Hi [name]", vec![mark("[name]")]),
        ("Hi %name%", vec![mark("%name%")]),
        ("Hi {name} [name]", vec![braces.to_owned(), mark("[name]")]),
        ("Hi {{ name }} {town} [town]", vec![]),
    ] {
        let mut table =
            CsvSource::new(&b"phone,name\n306912345678,Ann\n"[..], CsvOptions::default()).unwrap();
        assert_eq!(warnings(&mut table, text), expected, "{text}");
        assert_eq!(warnings(&mut IteratorSource(vec![row()].into_iter()), text), expected, "{text}");
    }
}

#[test]
fn a_creation_does_not_warn_of_what_its_status_shows() {
    let mut invalid = row();
    invalid.insert("phone".to_owned(), json!("1"));
    let none: [String; 0] = [];
    assert_eq!(warnings(&mut IteratorSource(vec![invalid].into_iter()), "Hi {{ name }}"), none);
    assert_eq!(warnings(&mut IteratorSource(vec![].into_iter()), "Hi {{ name }}"), none);
}
