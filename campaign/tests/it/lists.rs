//! Suppression lists and tables as spreadsheets, databases and people write them.

use cpaas_campaign::journal::Settings;
use cpaas_campaign::source::{CsvOptions, CsvSource, Encoding, IteratorSource, Source};
use cpaas_campaign::{Messages, Plan, Result, Suppression, Template, plan};
use serde_json::{Value, json};

fn phone(row: u64) -> String {
    (306_900_000_000 + row).to_string()
}

fn messages() -> Messages {
    let template = json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi"});
    Messages::new("sms.send", Template::new(template).unwrap())
}

fn utf16(text: &str, little: bool) -> Vec<u8> {
    let units = "\u{FEFF}".encode_utf16().chain(text.encode_utf16());
    units.flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
}

/// The plan of ten recipients with a suppression list.
fn planned(list: &[u8], change: impl FnOnce(&mut Messages, &mut Settings)) -> Result<Plan> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("optouts.csv");
    std::fs::write(&file, list).unwrap();
    let (mut messages, mut settings) = (messages(), Settings::default());
    messages.suppress = Suppression::File { file };
    change(&mut messages, &mut settings);
    let rows = (1..=10).map(|number| json!({"phone": phone(number)}).as_object().unwrap().clone());
    plan(&mut IteratorSource(rows), &messages, &settings)
}

fn summary(list: &[u8], change: impl FnOnce(&mut Messages, &mut Settings)) -> (String, u64) {
    let plan = planned(list, change).unwrap();
    (plan.suppression.unwrap().to_string(), plan.suppressed)
}

fn error_of(list: &[u8]) -> String {
    planned(list, |_, _| {}).unwrap_err().to_string()
}

#[test]
fn twelve_lists_are_read() {
    let (one, two, three) = (phone(1), phone(2), phone(3));
    let group =
        |number: &str| format!("+{} {} {} {}", &number[..2], &number[2..5], &number[5..8], &number[8..]);
    let (spaced, third) = (group(&one), group(&three));
    let lists: Vec<(&str, Vec<u8>)> = vec![
        ("one in each line", format!("{one}\n{two}\n{three}\n").into()),
        ("notations", format!("{spaced}\r\n00{two}\r\n tel:+{three}\r\n").into()),
        ("a header", format!("Phone Number\n{one}\n{two}\n{three}").into()),
        (
            "semicolons, another column",
            format!("Name;Mobile;Date\nAnn;{spaced};2026-01-01\nBen;{two};\nEva;{three};\n").into(),
        ),
        ("sep=", format!("sep=;\r\nName;Tel.\r\nAnn;+{one}\r\nBen;+{two}\r\nEva;+{three}\r\n").into()),
        ("a byte order mark", format!("\u{FEFF}phone\n{one}\n{two}\n{three}\n").into()),
        (
            "UTF-16, little endian",
            utf16(&format!("phone\tname\r\n{one}\tJürgen\r\n{two}\tΆννα\r\n{three}\t-\r\n"), true),
        ),
        ("UTF-16, big endian", utf16(&format!("{one}\n{two}\n{three}\n"), false)),
        (
            "formulas of a spreadsheet",
            format!("phone,name\n\"=\"\"{one}\"\"\",Ann\n=\"{two}\",Ben\n'+{three},Eva\n").into(),
        ),
        (
            "quotes and comments",
            format!("# opt-outs\n\"{one}\"\n'{two}' # by phone\n\n+{three} // by mail\n").into(),
        ),
        ("trailing commas", format!("phone,name,,\n{one},Ann,,\n{two},Ben,,\n{three},,,\n").into()),
        (
            "marks of direction",
            format!("\u{202a}{spaced}\u{202c}\n\u{200e}{two}\n\u{2068}{third}\u{2069}\n").into(),
        ),
    ];
    assert_eq!(lists.len(), 12);
    for (name, list) in lists {
        let plan = planned(&list, |_, _| {}).unwrap();
        let found = plan.suppression.unwrap();
        assert_eq!((found.read, found.unreadable, plan.suppressed), (3, 0, 3), "{name}");
    }
}

#[test]
fn other_encodings_are_named() {
    let list = b"Name;Rufnummer\nJ\xFCrgen;306900000001\n";
    assert_eq!(
        error_of(list),
        "suppression, line 2, column 1: the file must be UTF-8; for another encoding use the setting `encoding`, such as --encoding windows-1252"
    );
    let set = |messages: &mut Messages, _: &mut Settings| messages.encoding = Some("Windows-1252".to_owned());
    let expected = "suppression: 1 read from the column `Rufnummer`, 0 unreadable";
    assert_eq!(summary(list, set), (expected.to_owned(), 1));
    let bare: Vec<u8> = "phone\n306900000001\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(error_of(&bare).starts_with("suppression, line 1: the file must be text, got a NUL character"));
    let set = |messages: &mut Messages, _: &mut Settings| messages.encoding = Some("utf-16le".to_owned());
    assert_eq!(summary(&bare, set).1, 1);
    assert!(error_of(b"PK\x03\x04...").contains("got a workbook"));
    let set = |messages: &mut Messages, _: &mut Settings| messages.encoding = Some("klingon".to_owned());
    assert!(planned(b"306900000001", set).unwrap_err().to_string().starts_with("the encoding must be"));
}

#[test]
fn unreadable_lines_are_an_error_unless_lenient() {
    let list = b"306900000001\nAcme\n690 000 0002\n\n0690\n306900000003\n";
    let expected = "suppression: 2 read, 3 unreadable (lines 2, 3, 5)";
    let error = error_of(list);
    assert!(error.starts_with(expected) && error.contains("`lenient`"), "{error}");
    let lenient = |messages: &mut Messages, _: &mut Settings| messages.lenient = true;
    assert_eq!(summary(list, lenient), (expected.to_owned(), 2));
    let many = "x\n".repeat(1_030) + "306900000001\n";
    let (text, _) = summary(many.as_bytes(), lenient);
    assert!(text.starts_with("suppression: 1 read, 1,030 unreadable (lines 1, 2,"), "{text}");
    assert!(text.ends_with(" 20 and 1,010 more)"), "{text}");
    let excel = b"phone\n3.069E+11\n";
    for change in [false, true] {
        let error = planned(excel, |messages, _| messages.lenient = change).unwrap_err().to_string();
        assert!(error.starts_with("suppression, line 2: ") && error.contains("Excel"), "{error}");
    }
}

#[test]
fn the_column_is_found_or_asked_for() {
    let list = b"Customer;Kontakt\nAnn;306900000001\n";
    let error = error_of(list);
    assert!(
        error.starts_with("suppression, line 1: the column with the recipients must be known"),
        "{error}"
    );
    assert!(error.ends_with("the columns are Customer, Kontakt"), "{error}");
    for column in ["Kontakt", "kontakt", "2"] {
        let set = |messages: &mut Messages, _: &mut Settings| messages.column = Some(column.to_owned());
        let expected = "suppression: 1 read from the column `Kontakt`, 0 unreadable";
        assert_eq!(summary(list, set), (expected.to_owned(), 1), "{column}");
    }
    let set = |messages: &mut Messages, _: &mut Settings| messages.column = Some("None".to_owned());
    let error = planned(list, set).unwrap_err().to_string();
    assert_eq!(error, "suppression, line 1: expected the column `None`, got the columns Customer, Kontakt");
    assert!(error_of(b"Phone;Mobile\n306900000001;306900000002\n").contains("several columns"));
}

#[test]
fn a_list_protects_in_every_notation() {
    let rows =
        ["+30 690 000 0001", "0030-690-000-0001", "tel:306900000001", "306900000001", "+30 (0) 690 000 0001"];
    let mut settings = Settings::default();
    settings.normalize = Some("international".to_owned());
    for listed in rows {
        let mut messages = messages();
        messages.suppress = [listed].into_iter().collect();
        let rows = rows.map(|phone| json!({"phone": phone}).as_object().unwrap().clone());
        let found = plan(&mut IteratorSource(rows.into_iter()), &messages, &settings).unwrap();
        assert_eq!((found.rows, found.suppressed), (5, 5), "{listed}");
    }
}

/// Digits with separators may be a number of the region or one with its country code, so both are suppressed.
#[test]
fn a_list_protects_numbers_with_separators_and_without_a_plus_in_a_region() {
    let rows = ["491701234567", "+49 171 7654321", "306912345678", "447400123456"];
    let list = ["49 170 1234567", "(49) 171 7654321", "30 691 234 5678", "44-7400-123456"];
    for region in ["DE", "AT"] {
        let (mut messages, mut settings) = (messages(), Settings::default());
        settings.normalize = Some(region.to_owned());
        messages.suppress = list.into_iter().collect();
        let rows = rows.map(|phone| json!({"phone": phone}).as_object().unwrap().clone());
        let found = plan(&mut IteratorSource(rows.into_iter()), &messages, &settings).unwrap();
        assert_eq!((found.rows, found.suppressed), (4, 4), "{region}");
    }
}

#[test]
fn a_person_behind_a_separator_that_the_first_line_lacks_is_not_dropped_as_a_comment() {
    for line in ["#1;306900000002", "#1\t306900000002"] {
        let error = error_of(format!("306900000001\n{line}\n").as_bytes());
        assert!(error.contains("1 unreadable (line 2)"), "{error}");
    }
    let (text, suppressed) = summary(b"306900000001\n# removed in May; see the mail\n", |_, _| {});
    assert_eq!((text.as_str(), suppressed), ("suppression: 1 read, 0 unreadable", 1));
}

#[test]
fn what_is_sent_changes_only_with_normalize() {
    let rows = || {
        let rows = ["+30 690 000 0001", "306900000001", "690 000 0002", "3.069E+11"];
        IteratorSource(rows.map(|phone| json!({"phone": phone}).as_object().unwrap().clone()).into_iter())
    };
    let mut settings = Settings::default();
    let found = plan(&mut rows(), &messages(), &settings).unwrap();
    assert_eq!((found.valid, found.invalid, found.duplicate), (1, 3, 0));
    assert_eq!(found.problems[0].code, "sms.to.not_digits");
    settings.normalize = Some("international".to_owned());
    let found = plan(&mut rows(), &messages(), &settings).unwrap();
    assert_eq!((found.valid, found.invalid, found.duplicate), (1, 2, 1));
    assert_eq!((found.problems[0].row, found.problems[0].code.as_str()), (3, "NUMBER"));
    assert!(found.problems[1].message.contains("Excel"));
    settings.normalize = Some("nowhere".to_owned());
    assert!(plan(&mut rows(), &messages(), &settings).unwrap_err().to_string().starts_with("normalize: "));
}

#[test]
fn lists_of_chat_identifiers_are_verbatim() {
    let template = json!({"destination": "{{ id }}", "messenger_c": {"text": {"message": "Hi"}}});
    let mut messages = Messages::new("messages.send", Template::new(template).unwrap());
    messages.suppress = ["ann 1", "6912345678"].into_iter().collect();
    let rows = ["ann 1", "ann1", "6912345678", "306912345678"]
        .map(|id| json!({"id": id}).as_object().unwrap().clone());
    let found = plan(&mut IteratorSource(rows.into_iter()), &messages, &Settings::default()).unwrap();
    assert_eq!(found.suppression.unwrap().to_string(), "suppression: 2 read, 0 unreadable");
    assert_eq!(found.suppressed, 2);
}

fn table(bytes: &[u8], options: CsvOptions) -> (Vec<String>, Vec<Value>) {
    let mut source = CsvSource::new(bytes, options).unwrap();
    let columns = source.columns().unwrap().to_vec();
    let rows = std::iter::from_fn(|| source.next_row().unwrap()).map(Value::Object).collect();
    assert!(source.digest().is_some());
    (columns, rows)
}

#[test]
fn tables_of_spreadsheets_are_read() {
    let (columns, rows) = table(
        b"sep=;\r\nPhone Number;2024;;\r\n306900000001;x;\r\n'+306900000002;'=1;;\r\n",
        CsvOptions::default(),
    );
    assert_eq!(columns, ["Phone Number", "2024", "column_3", "column_4"]);
    assert_eq!(rows[0], json!({"Phone Number": "306900000001", "2024": "x", "column_3": "", "column_4": ""}));
    assert_eq!((&rows[1]["Phone Number"], &rows[1]["2024"]), (&json!("+306900000002"), &json!("=1")));
    let (_, rows) = table(b"phone,name\n306900000001,Ann,,\n", CsvOptions::default());
    assert_eq!(rows, [json!({"phone": "306900000001", "name": "Ann"})]);
    let (_, rows) = table(&utf16("phone;name\n306900000001;Ä\n", true), CsvOptions::default());
    assert_eq!(rows, [json!({"phone": "306900000001", "name": "Ä"})]);
    let mut options = CsvOptions::default();
    options.encoding = Some(Encoding::named("windows-1252").unwrap());
    let (_, rows) = table(b"phone;name\n306900000001;\xC4\x80\n", options);
    assert_eq!(rows, [json!({"phone": "306900000001", "name": "Ä€"})]);
}

#[test]
fn errors_after_a_separator_line_name_the_line_of_the_file() {
    let mut source = CsvSource::new(&b"sep=;\nphone;name\n1;a\n2;b;c\n"[..], CsvOptions::default()).unwrap();
    source.next_row().unwrap();
    let error = source.next_row().unwrap_err().to_string();
    assert_eq!(error, "line 4: expected 2 fields, got 3; check delimiters and quotes");
}
