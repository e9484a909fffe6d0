//! Notes of a plan about rows without a header.

use cpaas_campaign::journal::Settings;
use cpaas_campaign::source::IteratorSource;
use cpaas_campaign::{Columns, Messages, Template, plan};
use serde_json::{Value, json};

fn notes(rows: Value) -> Vec<String> {
    let rows: Vec<Columns> =
        rows.as_array().unwrap().iter().map(|row| row.as_object().unwrap().clone()).collect();
    let text = "Hi {{ first_name }} {{ city }}";
    let template = json!({"from": "Acme", "to": "{{ phone_number }}", "text": text});
    let messages = Messages::new("sms.send", Template::new(template).unwrap());
    plan(&mut IteratorSource(rows.into_iter()), &messages, &Settings::default()).unwrap().notes
}

#[test]
fn empty_cells_of_a_column_that_is_used_by_its_alias_are_counted() {
    let found = notes(json!([
        {"Phone Number": "306910000001", "First Name": "", "city": "Athens"},
        {"Phone Number": "306910000002", "First Name": "Ann", "city": " "},
        {"Phone Number": "306910000003", "First Name": "NULL", "city": "Volos"},
    ]));
    let expected = [
        "the column `First Name`, which the template uses, is empty in 1 row (1)",
        "the column `First Name`, which the template uses, has a text such as NULL, None, nan or #N/A in 1 row (3)",
        "the column `city`, which the template uses, is empty in 1 row (2)",
    ];
    assert_eq!(found, expected);
}

/// The first row need not have every key.
#[test]
fn empty_cells_of_a_column_that_the_first_row_lacks_are_counted() {
    let found = notes(json!([
        {"phone_number": "306910000001", "first_name": "Ann", "city": "Athens"},
        {"phone_number": "306910000002", "first_name": "", "city": "Volos"},
    ]));
    assert_eq!(found, ["the column `first_name`, which the template uses, is empty in 1 row (2)"]);
}
