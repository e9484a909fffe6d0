//! The column of a suppression list: it is the only one with numbers, or the caller names it.

use std::fmt::Write as _;

use cpaas_campaign::journal::Settings;
use cpaas_campaign::source::IteratorSource;
use cpaas_campaign::{Messages, Plan, Result, Suppression, Template, plan};
use serde_json::json;

const RECIPIENT: &str = "306912345678";
const OTHER: &str = "306912345679";

fn planned(list: &str, column: Option<&str>, region: Option<&str>) -> Result<Plan> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stopped.csv");
    std::fs::write(&file, list).unwrap();
    let template = json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi"});
    let mut messages = Messages::new("sms.send", Template::new(template).unwrap());
    messages.suppress = Suppression::File { file };
    messages.column = column.map(str::to_owned);
    let mut settings = Settings::default();
    settings.normalize = region.map(str::to_owned);
    let row = json!({"phone": RECIPIENT}).as_object().unwrap().clone();
    plan(&mut IteratorSource([row].into_iter()), &messages, &settings)
}

fn summary(list: &str) -> String {
    planned(list, None, None).unwrap().suppression.unwrap().to_string()
}

#[test]
fn a_list_with_several_columns_of_numbers_is_an_error_that_names_them() {
    for (first, second) in [
        ("Home phone", "Mobile phone"),
        ("Work Phone", "Cell"),
        ("Landline", "Mobile"),
        ("Telephone", "SMS number"),
        ("Phone", "Phone (normalized)"),
        ("old phone", "phone"),
        ("Phone", "Alternative number"),
        ("Mobile phone", "Private mobile"),
        ("mobile_phone", "phone_home"),
        ("Phone", "Second phone"),
        ("Phone", "Number to block"),
    ] {
        for [one, two] in [[OTHER, RECIPIENT], [RECIPIENT, OTHER]] {
            for row in [format!("A,{one},{two}"), format!("A,+{one},{two}\nB,{one},\nC,{one},")] {
                let list = format!("name,{first},{second}\n{row}\n");
                let error = planned(&list, None, None).unwrap_err().to_string();
                let start = format!("suppression: the columns `{first}` and `{second}` both contain numbers");
                assert!(error.starts_with(&start) && error.contains("--column "), "{list}: {error}");
                assert!(!error.contains(one) && !error.contains(two), "{error}");
                // Empty cells of the column that is given are unreadable.
                let given = if row.contains('\n') {
                    [(first, one)].to_vec()
                } else {
                    vec![(first, one), (second, two)]
                };
                for (column, suppressed) in given {
                    let found = planned(&list, Some(column), None).unwrap();
                    assert_eq!(found.suppressed, u64::from(suppressed == RECIPIENT), "{list}, {column}");
                    assert_eq!(found.suppression.unwrap().column.as_deref(), Some(column));
                }
            }
        }
    }
}

#[test]
fn numbers_are_recognized_in_every_notation() {
    for number in [
        "+30 691 234 5679",
        "0030-6912345679",
        "tel:+306912345679",
        "(+30) 691 234 5679",
        "+372 5123456",
        "6912345679",
        "0691 234 5679",
        "(0151) 23456-789",
        "=\"306912345679\"",
        "'+306912345679",
        "306912345679.0",
        "3.06912E+11",
        "\u{202a}306912345679\u{202c}",
    ] {
        let cell = if number.contains('"') { number.replace('"', "\"\"") } else { number.to_owned() };
        let list = format!("phone,other\n{RECIPIENT},\"{cell}\"\n");
        let error = planned(&list, None, None).unwrap_err().to_string();
        assert!(error.contains("`phone` and `other` both contain numbers"), "{number}: {error}");
    }
    let list = "Mobile,Home\n+45 32123456,32123457\n+45 32123458,\n";
    let error = planned(list, None, Some("DK")).unwrap_err().to_string();
    assert!(error.contains("`Mobile` and `Home` both contain numbers"), "{error}");
    // Also without a header.
    let error =
        planned(&format!("{RECIPIENT},0691 234 5679\n{OTHER},\n"), None, None).unwrap_err().to_string();
    assert!(error.starts_with("suppression: the columns 1 and 2 both contain numbers"), "{error}");
}

#[test]
fn other_columns_than_numbers_do_not_matter() {
    for cell in [
        "2026-01-31",
        "31.01.2026",
        "31/1/2026",
        "20260131",
        "202601311005",
        "20260131100559",
        "2026-01-31 10:05",
        "2026-01-31 10:05:59",
        "2026-01-31T10:05:59Z",
        "2026-01-31T10:05:59+02:00",
        "12.50",
        "12,50",
        "1234567.89",
        "1.234.567,89",
        "\u{20ac}1,234,567.89",
        "-1234567.8901",
        "10115",
        "12345-6789",
        "01310-100",
        "SW1A 1AA",
        "1234567",
        "12345678",
        "DE89370400440532013000",
        "Main Street 123456789",
        "ann@example.com",
        "true",
        "#4711",
    ] {
        let list = format!("name,phone,other\nA,{RECIPIENT},\"{cell}\"\nB,{OTHER},\"{cell}\"\n");
        let found = planned(&list, None, None).unwrap_or_else(|error| panic!("{cell}: {error}"));
        assert_eq!(found.suppressed, 1, "{cell}");
    }
}

#[test]
fn most_cells_decide() {
    let list = |numbers: usize, texts: usize| {
        let mut list = String::from("phone,note\n");
        for row in 0..numbers + texts {
            let note = if row < numbers { OTHER } else { "called" };
            writeln!(list, "{},{note}", 306_912_345_678_u64 + row as u64).unwrap();
        }
        // Empty cells do not count.
        list + &format!("{RECIPIENT},\n").repeat(50)
    };
    assert!(planned(&list(6, 5), None, None).is_err());
    assert_eq!(planned(&list(5, 5), None, None).unwrap().suppressed, 1);
    // The last line decides too, far behind the beginning.
    let mut long = String::from("phone,other\n");
    for row in 0..5_000_u64 {
        writeln!(long, "{},", 306_900_000_000 + row).unwrap();
    }
    assert_eq!(planned(&long, None, None).unwrap().suppressed, 0);
    writeln!(long, "{OTHER},{RECIPIENT}").unwrap();
    assert!(planned(&long, None, None).is_err());
}

#[test]
fn the_output_names_the_column() {
    assert_eq!(
        summary(&format!("name,Mobile phone\nA,{RECIPIENT}\n")),
        "suppression: 1 read from the column `Mobile phone`, 0 unreadable"
    );
    assert_eq!(summary(&format!("{RECIPIENT}\n")), "suppression: 1 read, 0 unreadable");
}

#[test]
fn cells_that_a_spreadsheet_has_lost_are_no_comments() {
    for cell in [
        "########",
        "###",
        "#N/A",
        "#REF!",
        "#VALUE!",
        "#NAME?",
        "#DIV/0!",
        "#NUM!",
        "#NULL!",
        "#NV",
        "#WERT!",
        "#\u{bf}NOMBRE?",
        "#\u{394}/\u{3a5}",
    ] {
        for list in [
            format!("phone,name\n{OTHER},A\n{cell},B\n{RECIPIENT},C\n"),
            format!("name,phone\nA,{OTHER}\n#1 Pizza,{cell}\nC,{RECIPIENT}\n"),
            format!("{OTHER}\n{cell}\n{RECIPIENT}\n"),
        ] {
            let error = planned(&list, None, None).unwrap_err().to_string();
            let is_named = error.contains("1 unreadable (line 3)") || error.contains("1 unreadable (line 2)");
            assert!(is_named && error.contains("instead of a value"), "{list}: {error}");
            assert!(!error.contains("region") && !error.contains("if the line is a header"), "{error}");
        }
        let error = planned(&format!("{cell}\n{OTHER}\n"), None, None).unwrap_err().to_string();
        assert!(error.contains("1 unreadable (line 1)") && !error.contains("header"), "{cell}: {error}");
    }
    for comment in
        ["# stopped", "#stopped", "#", "#\tx", "# N/A!", "#Stopped?", "#306911000018", "// #N/A", "#-----"]
    {
        let list = format!("{comment}\nphone\n{OTHER}\n{comment}\n{RECIPIENT}\n");
        let found = planned(&list, None, None).unwrap_or_else(|error| panic!("{comment}: {error}"));
        assert_eq!(found.suppression.unwrap().read, 2, "{comment}");
    }
}

#[test]
fn errors_of_cells_name_what_is_wrong() {
    let error = |cell: &str| {
        let list = format!("name,phone\nA,{OTHER}\nB,\"{cell}\"\n");
        planned(&list, None, None).unwrap_err().to_string()
    };
    for cell in [
        "306912345678/306912345679",
        "+306912345678\n+306912345679",
        "306912345678, 306912345679",
        "306912345678; 306912345679",
        "+30 691 234 5678 or +30 691 234 5679",
    ] {
        let error = error(cell);
        assert!(
            error.contains("line 3 must be one phone number, got several numbers in one cell"),
            "{error}"
        );
        assert!(!error.contains("region") && !error.contains("6912345678"), "{error}");
    }
    for cell in ["+302101234567 ext. 4", "Ann", "1,234", "12"] {
        assert!(error(cell).ends_with(". Correct them or skip them with `lenient`"), "{}", error(cell));
    }
    for cell in ["0691 234 5678", "2101234567", "691 234 5678"] {
        assert!(error(cell).contains("give `normalize` a region for national numbers"), "{}", error(cell));
    }
}
