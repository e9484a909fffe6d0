//! Lists of marketing departments: what would be sent twice, to the wrong number or to somebody who has opted out.

use std::collections::BTreeMap;

use cpaas_campaign::blocking;
use cpaas_campaign::campaign;
use cpaas_campaign::journal::Settings;
use cpaas_campaign::source::IteratorSource;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_campaign::{Duplicates, Messages, Plan, Result, Suppression, Template, plan};
use cpaas_sandbox::Sandbox;
use serde_json::json;

use crate::support::{Scratch, client, exported, sent};

fn bulk() -> Messages {
    let template = json!({"from": "Acme", "to": "{{ phones }}", "text": "Hi"});
    Messages::new("sms.send_bulk", Template::new(template).unwrap())
}

fn single() -> Messages {
    let template = json!({"from": "Acme", "to": "{{ phones }}", "text": "Hi"});
    Messages::new("sms.send", Template::new(template).unwrap())
}

fn rows(phones: &[&str]) -> IteratorSource<impl Iterator<Item = cpaas_campaign::Columns>> {
    let rows: Vec<_> = phones.iter().map(|one| json!({"phones": one}).as_object().unwrap().clone()).collect();
    IteratorSource(rows.into_iter())
}

fn planned(messages: &Messages, phones: &[&str], normalize: Option<&str>) -> Result<Plan> {
    let mut settings = Settings::default();
    settings.normalize = normalize.map(str::to_owned);
    plan(&mut rows(phones), messages, &settings)
}

#[test]
fn an_empty_suppression_list_is_an_error_unless_lenient() {
    let none: [&str; 0] = [];
    for list in [Suppression::Listed(Vec::new()), none.into_iter().collect()] {
        let mut messages = single();
        messages.suppress = list.clone();
        let error = planned(&messages, &["306900000001"], None).unwrap_err().to_string();
        assert!(
            error.starts_with("suppression: the list must have a recipient, got an empty one"),
            "{error}"
        );
        let scratch = Scratch::file();
        let (mut journal, settings) = (scratch.journal(), Settings::default());
        let created =
            blocking::create(&mut journal, "c", &mut rows(&["306900000001"]), &messages, settings, None);
        assert_eq!(created.unwrap_err().to_string(), error);
        messages.lenient = true;
        let summary = planned(&messages, &["306900000001"], None).unwrap().suppression.unwrap();
        assert_eq!(summary.to_string(), "suppression: 0 read, 0 unreadable");
        let settings = Settings::default();
        let created =
            blocking::create(&mut journal, "c", &mut rows(&["306900000001"]), &messages, settings, None);
        assert!(created.is_ok());
        assert_eq!(campaign::suppress(&mut journal, "c", &list).unwrap_err().to_string(), error);
    }
    let without = planned(&single(), &["306900000001"], None).unwrap();
    assert_eq!((without.valid, without.suppression), (1, None));
}

const SEVERAL: [&str; 6] = [
    "306900000001,306900000002",
    "306900000002,306900000001",
    "306900000003,+30 690 000 0003",
    "306900000004,306900000002",
    "306900000004,306900000005",
    "306900000005",
];

#[tokio::test]
async fn nobody_in_rows_with_several_recipients_gets_two_messages() {
    let found = planned(&bulk(), &SEVERAL, Some("international")).unwrap();
    assert_eq!((found.valid, found.duplicate, found.invalid), (2, 4, 0));
    // Of the second row, both recipients have a message. The last one has one recipient.
    let note =
        "2 rows with several recipients are duplicates, because one of the recipients was in an earlier row";
    assert!(found.notes.iter().any(|one| one.starts_with(note)), "{:?}", found.notes);

    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    let mut settings = Settings::default();
    settings.normalize = Some("international".to_owned());
    let created = blocking::create(&mut journal, "c", &mut rows(&SEVERAL), &bulk(), settings, None).unwrap();
    assert_eq!(created.notes, found.notes);
    let reasons: Vec<_> = exported(&mut journal, "c").into_iter().map(|row| row.reason).collect();
    let expected = [None, Some("duplicate 1"), Some("duplicate 2"), Some("duplicate 2"), None, None];
    assert_eq!(reasons, expected.map(|reason| reason.map(str::to_owned)));
    let (end, _) = run(journal, "c", &client(sandbox.config()), RunOptions::default()).await.unwrap();
    assert_eq!(end, RunEnd::Done);
    let expected = [1, 2, 4, 5].map(|number| (format!("30690000000{number}"), 1));
    assert_eq!(sent(&sandbox.ledger().await), BTreeMap::from(expected));
}

#[test]
fn one_suppressed_recipient_suppresses_the_row() {
    let mut messages = bulk();
    messages.suppress = ["306900000002"].into_iter().collect();
    let found = planned(&messages, &["306900000001,306900000002", "306900000001"], None).unwrap();
    assert_eq!((found.valid, found.suppressed, found.duplicate), (1, 1, 0));
}

#[test]
fn rows_with_several_recipients_may_be_sent_again_on_request() {
    let mut messages = bulk();
    messages.duplicates = Duplicates::Send;
    let found = planned(&messages, &SEVERAL, Some("international")).unwrap();
    assert_eq!((found.valid, found.duplicate), (6, 0));
    assert!(found.notes.is_empty(), "{:?}", found.notes);
}
