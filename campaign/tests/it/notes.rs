//! Notes of a plan and of creations about rows without a header.

use cpaas_campaign::campaign::{self, status};
use cpaas_campaign::journal::Settings;
use cpaas_campaign::source::{CsvSource, IteratorSource};
use cpaas_campaign::{Columns, Messages, Template, blocking, plan};
use futures_util::stream;
use serde_json::{Value, json};

use crate::support::Scratch;

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

/// A file with a header is an error for the same template.
#[tokio::test]
async fn every_creation_says_that_all_rows_lack_a_column_of_the_template() {
    let template = json!({"from": "Acme", "to": "{{ mobile }}", "text": "Hi {name}"});
    let messages = || Messages::new("sms.send", Template::new(template.clone()).unwrap());
    let rows = || {
        (0..3).map(|row: u64| {
            let row = json!({"phone": (306_910_000_000 + row).to_string(), "name": "Ann"});
            row.as_object().unwrap().clone()
        })
    };
    let settings = Settings::default;
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let one = blocking::create(&mut journal, "a", &mut IteratorSource(rows()), &messages(), settings(), None);
    let (two, journal) =
        campaign::create(journal, "b", IteratorSource(rows()), messages(), settings(), None).await.unwrap();
    let streamed = stream::iter(rows().map(Ok::<_, std::io::Error>));
    let (three, mut journal) =
        campaign::create_from_stream(journal, "c", streamed, messages(), settings()).await.unwrap();
    for (name, created) in [("a", one.unwrap()), ("b", two), ("c", three)] {
        let [invalid, braces, nothing] = created.notes.as_slice() else { panic!("{:?}", created.notes) };
        assert!(invalid.starts_with("3 rows are invalid: TEMPLATE (3); rows 1, 2, 3; "), "{invalid}");
        assert!(braces.starts_with("/text: "), "{braces}");
        assert_eq!(nothing, "no row can be sent: none of 3 is valid, new and not suppressed");
        assert_eq!(created.warnings.iter().collect::<Vec<_>>(), [braces]);
        let found = status(&mut journal, name).unwrap();
        assert_eq!((found.pending, found.invalid), (0, 3));
        assert_eq!(journal.campaign(name).unwrap().id, created.id);
    }
    let header = CsvSource::new("phone,name\n306910000000,Ann\n".as_bytes(), Default::default()).unwrap();
    let refused = campaign::create(journal, "d", header, messages(), settings(), None).await.unwrap_err();
    assert!(refused.to_string().contains("`mobile`"), "{refused}");
    assert!(refused.journal.unwrap().campaigns().unwrap().iter().all(|campaign| campaign.name != "d"));
}
