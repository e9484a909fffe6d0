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
        "Main Street 12345678",
        "Main Street 12, 10115 Berlin",
        "12/14 Main Street, 10115-1234",
        "Hauptstr. 5 / 7",
        "stopped in 2026",
        "asked by mail on 2026-01-31 at 10:05, again on 31.01.2026",
        "2026-01-31/2026-02-28",
        "2026-01-31 10:05, 2026-02-01 11:06",
        "20260131, 20260201 or 20260301",
        "Date: 2026-01-31",
        "Date: 20260131100559",
        "10:00 31.01.2026",
        "10:05 GMT+2 31.01.2026",
        "2026-01-31 10:05:59.123456789",
        "2026-01-31 10:05:59+0200",
        "Amount: 1234567.89",
        "12.50 and 1234567.89",
        "1,234,567.89; 7,654,321.00",
        "12345-6789, 12345-6780",
        "2026/27; 4 calls & 3 texts",
        "IBAN DE89370400440532013000",
        "ann@example.com, 306911111111@example.com",
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
fn a_cell_with_a_number_among_other_text_counts() {
    for (one, two) in [
        ("306911111111 / 306911111112", "306911111113 / 306911111114"),
        ("306911111111, 306911111112", "306911111113, 306911111114"),
        ("306911111111\n306911111112", "306911111113\n306911111114"),
        ("0691 111 1111 or 0691 111 1112", "0691 111 1113 and 0691 111 1114"),
        ("mob: 306911111111", "mob: 306911111113"),
        ("mob:306911111111", "Tel.:306911111113"),
        ("mob: 0691 111 1111", "WhatsApp: (0691) 111.1113"),
        ("mob: 306911111111 / 306911111112", "home: 306911111113, 306911111114"),
        ("Ann 306911111111", "306911111113 (Ben)"),
        ("Ann (306911111111), since 2026", "ask Ben, 306911111113."),
        ("Ann +30 691 111 1111", "Ben (+30 691 111 1113)"),
        ("Ann 691-111-1111", "#306911111113"),
        ("https://wa.me/306911111111", "2026-01-31: 306911111113"),
    ] {
        for (list, columns) in [
            (
                format!("Phone,Alternatives\n{RECIPIENT},\"{one}\"\n{OTHER},\"{two}\"\n"),
                "`Phone` and `Alternatives`",
            ),
            (
                format!("Alternatives,Phone\n\"{one}\",{RECIPIENT}\n\"{two}\",{OTHER}\n"),
                "`Alternatives` and `Phone`",
            ),
            (format!("{RECIPIENT},\"{one}\"\n{OTHER},\"{two}\"\n"), "1 and 2"),
        ] {
            let error = planned(&list, None, None).err().map(|error| error.to_string()).unwrap_or_default();
            let start = format!("suppression: the columns {columns} both contain numbers");
            assert!(error.starts_with(&start), "{list}: {error}");
            assert!(!error.contains("1111"), "{error}");
        }
        let list = format!("Phone,Alternatives\n{RECIPIENT},\"{one}\"\n{OTHER},\"{two}\"\n");
        assert_eq!(planned(&list, Some("Phone"), None).unwrap().suppressed, 1, "{list}");
    }
    let list = "Mobile,Home\n+45 32123456,32123457 / 32123458\n";
    let error = planned(list, None, Some("DK")).unwrap_err().to_string();
    assert!(error.contains("`Mobile` and `Home` both contain numbers"), "{error}");
}

#[test]
fn an_error_shows_the_cells_of_a_header_only() {
    for first in [
        "306912345678,Ann",
        "Ann,306912345678",
        "tel:306912345678,Ann",
        "mob: 0691 234 5678,Ann",
        "306912345678 (Ann),Ann",
        "ann@example.com,Ann",
    ] {
        for list in [format!("{first}\n"), format!("# stopped\n{first}\n{OTHER},Ben\n")] {
            for column in ["phone", "3"] {
                let error = planned(&list, Some(column), None).unwrap_err().to_string();
                let line = if list.starts_with('#') { 2 } else { 1 };
                assert_eq!(
                    error,
                    format!(
                        "suppression, line {line}: expected the column `{column}`, but the first line of the table is not a header; give the position of the column, such as --column 1"
                    )
                );
            }
        }
    }
    for first in ["Ann,tel:306912345678", "Ann,ann@example.com,A"] {
        let error = planned(&format!("{first}\n"), None, None).unwrap_err().to_string();
        assert!(error.contains("; the columns are 1 to "), "{error}");
        assert!(!error.contains("Ann") && !error.contains("306912345678"), "{error}");
    }
    let error = planned("Name,Contact 2\nAnn,306912345678\n", Some("phone"), None).unwrap_err().to_string();
    assert!(error.ends_with("expected the column `phone`, got the columns Name, Contact 2"), "{error}");
}

#[test]
fn a_header_that_begins_as_a_comment_does_is_a_header() {
    for (header, column) in [
        ("#,Name,Phone", None),
        ("#,Name,Phone", Some("Phone")),
        ("#,Name,Phone", Some("phone")),
        ("#,Name,Phone", Some("3")),
        ("#,Name,Contact", Some("Contact")),
        ("# ID,Name,contact", Some("Contact")),
        ("//,Name,Phone", Some("Phone")),
        ("\"#\",\"Name\",\"Phone\"", Some("Phone")),
        ("#,\"Name\",\"Phone\"", None),
    ] {
        for before in ["", "# stopped\n", "# by mail, by chat\n\n"] {
            for mark in [",", ";"] {
                let list = format!("{header}\n1,Ann,{RECIPIENT}\n2,Ben,{OTHER}\n").replace(',', mark);
                let list = format!("{before}{list}");
                let found = planned(&list, column, None).unwrap_or_else(|error| panic!("{list}: {error}"));
                let summary = found.suppression.unwrap();
                assert_eq!((found.suppressed, summary.read), (1, 2), "{list}");
                let name = if header.contains("Phone") { "Phone" } else { column.unwrap() };
                assert!(summary.column.unwrap().eq_ignore_ascii_case(name), "{list}");
            }
        }
    }
    let list = format!("#Phone,Name\n{RECIPIENT},Ann\n");
    let found = planned(&list, Some("#Phone"), None).unwrap();
    assert_eq!((found.suppressed, found.suppression.unwrap().read), (1, 1));
    // Behind the first entry, and without a name of a column, it is a comment.
    for comment in ["# Phone", "# phone, as of January", "# by phone, by mail", "#", "#,,", "# Phone,"] {
        let list = format!("{comment}\nname,phone\nAnn,{RECIPIENT}\n#,Name,Phone\n");
        for column in [None, Some("phone"), Some("2")] {
            let found = planned(&list, column, None).unwrap_or_else(|error| panic!("{list}: {error}"));
            assert_eq!((found.suppressed, found.suppression.unwrap().read), (1, 1), "{list}");
        }
    }
    let error = planned("#,Name,Phone\n1,Ann,306912345678\n", Some("Mobile"), None).unwrap_err().to_string();
    assert!(error.ends_with("expected the column `Mobile`, got the columns #, Name, Phone"), "{error}");
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

/// The advice would protect only some of the people if it did not say so.
#[test]
fn advice_for_several_columns_says_who_is_not_protected_and_names_a_column_of_the_file() {
    for (header, argument) in [
        ("Phone 1,Phone 2", "--column \"Phone 1\""),
        ("phone,phone2", "--column phone"),
        ("Phone,Phone", "--column 1"),
        ("$Phone,Mobile", "--column 1"),
    ] {
        let list = format!("{header}\n{RECIPIENT},{OTHER}\n");
        let error = planned(&list, None, None).unwrap_err().to_string();
        assert!(error.contains("several columns may contain the recipients: "), "{error}");
        assert!(error.contains("are not protected: write all numbers into one column, or"), "{error}");
        assert!(error.ends_with(&format!("such as {argument}")), "{error}");
    }
}

#[test]
fn a_name_that_two_columns_have_is_no_choice() {
    for (header, column, found) in [
        ("Phone,Phone", "Phone", Some("columns 1 and 2 both have the name `Phone`")),
        ("Name,Phone,x,Phone", "Phone", Some("columns 2 and 4 both have the name `Phone`")),
        ("Phone 1,phone1", "PHONE 1", Some("columns 1 and 2 both have the name `PHONE 1`")),
        ("Phone 1,phone1", "phone1", None),
        ("Phone,Phone", "2", None),
        ("Name,Name,Phone", "Phone", None),
    ] {
        let list =
            format!("{header}\n{}{RECIPIENT}\n", format!("{RECIPIENT},").repeat(header.matches(',').count()));
        let planned = planned(&list, Some(column), None);
        match found {
            Some(found) => {
                let error = planned.unwrap_err().to_string();
                assert!(error.contains(found) && error.contains("are not protected"), "{header}: {error}");
            }
            None => assert_eq!(planned.unwrap().suppressed, 1, "{header}"),
        }
    }
}
