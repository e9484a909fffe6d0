//! Lists of marketing departments: what would be sent twice, to the wrong number or to somebody who has opted out.

use std::collections::BTreeMap;

use cpaas::text::msisdn;
use cpaas_campaign::blocking;
use cpaas_campaign::campaign;
use cpaas_campaign::journal::Settings;
use cpaas_campaign::source::IteratorSource;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_campaign::{Duplicates, Messages, Plan, Prices, Result, Suppression, Template, plan};
use cpaas_sandbox::Sandbox;
use serde_json::{Value, json};

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

    // A row that is skipped sends no message for each occurrence of a number.
    assert!(found.warnings.is_empty(), "{:?}", found.warnings);

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

/// Two numbers or an extension in one cell, and numbers whose country code does not exist.
const NOT_POSSIBLE: [&str; 11] = [
    "+306900000021/22",
    "+30 6900000022-5",
    "+306900000023 (2)",
    "+44 7400 123456/7",
    "+33 6 12 34 56 78/79",
    "+1 212 555 0100 1",
    "0044 7400 123458 / 9",
    "+447400123",
    "+6944123456",
    "+30 0690 000 0001",
    "+1 212 555 010",
];

#[test]
fn a_number_that_is_not_possible_is_neither_sent_nor_read_as_suppressed() {
    for (number, normalize) in NOT_POSSIBLE.iter().flat_map(|one| [(one, "GR"), (one, "international")]) {
        if normalize == "GR" && msisdn::normalize_number("6900000001", Some("GR")).is_err() {
            continue; // a build without numbering plans
        }
        let found = planned(&single(), &[number], Some(normalize)).unwrap();
        assert_eq!((found.valid, found.invalid), (0, 1), "{number} {normalize}");
        let problem = &found.problems[0];
        assert_eq!((problem.code.as_str(), problem.pointer.as_str()), ("NUMBER", "/to"), "{number}");
        let reason =
            "must be a phone number with its country code, got one that is not possible in any country";
        assert_eq!(problem.message, reason, "{number}");
        let mut messages = single();
        messages.suppress = [number].into_iter().collect();
        let error = planned(&messages, &["306900000001"], Some(normalize)).unwrap_err().to_string();
        assert!(error.starts_with("suppression: 0 read, 1 unreadable (line 1)"), "{number}: {error}");
    }
    let national = planned(&single(), &["6944123456"], Some("international")).unwrap();
    assert_eq!((national.valid, national.invalid), (0, 1));
    let sent_as_is = planned(&single(), &["6944123456"], None).unwrap();
    assert_eq!(sent_as_is.valid, 1);
}

#[test]
fn numbers_that_no_country_has_assigned_are_counted() {
    // Greek mobile numbers begin with 69, and its fixed-line numbers with 2.
    let phones = ["+30 690 000 0001", "+30 790 000 0001", "0030 790 000 0002", "+30 210 123 4567"];
    let found = planned(&single(), &phones, Some("international")).unwrap();
    assert_eq!((found.valid, found.invalid), (4, 0));
    let note = "2 rows have a number that is possible, but that its country has not assigned (rows 2, 3); ";
    assert!(found.notes.iter().any(|one| one.starts_with(note)), "{:?}", found.notes);
}

/// The text of a row that a template renders, or the problem.
fn text(template: &str, row: &Value) -> std::result::Result<String, String> {
    let template = Template::new(json!({ "text": template })).map_err(|error| error.to_string())?;
    let columns: Vec<String> = row.as_object().unwrap().keys().cloned().collect();
    template.check_names(&columns).map_err(|error| error.to_string())?;
    let rendered = template.render_columns(row.as_object().unwrap(), &columns);
    rendered.map(|request| request["text"].as_str().unwrap().to_owned()).map_err(|problem| problem.message)
}

#[test]
fn row_is_the_mapping_of_all_columns_also_beside_a_column_of_this_name() {
    let exported = json!({"row": "7", "First Name": "Ann"});
    assert_eq!(text(r#"{{ row["First Name"] }} {{ row["row"] }}"#, &exported).unwrap(), "Ann 7");
    assert_eq!(
        text(r#"{{ row["First Name"] }} {{ row["Row"] }}"#, &json!({"Row": "7", "First Name": "Ann"}))
            .unwrap(),
        "Ann 7"
    );
    let error = text(r#"{{ row["Phone"] }}"#, &exported).unwrap_err();
    assert!(error.starts_with("the template uses `row[\"Phone\"]`; the columns are "), "{error}");
    assert_eq!(text("{% for row in '1,2'|split(',') %}{{ row }}{% endfor %}", &exported).unwrap(), "12");
    // Otherwise the text would contain all columns of the row.
    for all in ["{{ row }}", "Hi {{- row -}}"] {
        let expected = r#"/text must not print `row`, which is all columns; one of them is row["name"]"#;
        assert_eq!(text(all, &exported).unwrap_err(), expected);
    }
}

#[test]
fn a_text_is_neither_compared_with_a_number_nor_multiplied() {
    let cells = json!({"points": "5", "amount": "5", "name": "Ann"});
    for template in [
        "{% if points > 10 %}VIP{% endif %}",
        "{% if 10 < points %}VIP{% endif %}",
        "{% if points >= -1 %}VIP{% endif %}",
        "{{ 'VIP' if name and points <= 1.5 else '' }}",
        "{{ points == 5 }}",
        "{{ points != 5 }}",
        r#"{{ row["points"] == 5 }}"#,
        "{{ points|trim > 10 }}",
        "{{ points + amount > 10 }}",
        "{{ amount * 2 }}",
        "{{ 2 * amount }}",
        "{{ 1 + 2 * amount|trim }}",
        "{{ amount + 2 }}",
        "{{ amount - 2 }}",
        "{{ amount / 2 }}",
    ] {
        let problem = text(template, &cells).unwrap_err();
        assert!(problem.contains("|int") && problem.contains("|float"), "{template}: {problem}");
    }
    for (template, expected) in [
        ("{% if points|int > 10 %}VIP{% else %}std{% endif %}", "std"),
        ("{% if 3 < points|int %}VIP{% else %}std{% endif %}", "VIP"),
        ("{{ points|int == 5 }}", "True"),
        ("{{ amount|float * 2 }}", "10.0"),
        ("{{ points == '5' }} {{ name|length > 2 }} {{ '-' * 3 }} {{ 3 * '-' }}", "True True --- ---"),
        ("{{ name == points }} {{ points == 5|string }} {{ 5 ~ '' == points }}", "False True True"),
        ("{% for one in [1, 2] %}{{ one * 2 > 3 }}{{ loop.index == 1 }}{% endfor %}", "FalseTrueTrueFalse"),
        ("{{ not points is defined == 1 or -1 < 2 }}", "True"),
    ] {
        assert_eq!(text(template, &cells).as_deref(), Ok(expected), "{template}");
    }
    let numbers = json!({"points": 12, "amount": 1.5});
    assert_eq!(text("{{ points > 10 }} {{ amount * 2 }}", &numbers).unwrap(), "True 3.0");
}

#[test]
fn a_price_table_with_a_prefix_that_no_number_has_is_an_error() {
    for prefix in ["0030", "+0030", "00"] {
        let csv = format!("prefix,price,currency\n30,0.05,EUR\n{prefix},0.045,EUR\n");
        let error = Prices::read(csv.as_bytes()).unwrap_err().to_string();
        let got = prefix.trim_start_matches('+');
        let expected = format!(
            "prices: each prefix must begin with a country code, got {got}: no number begins with 00"
        );
        assert_eq!(error, expected);
    }
}

#[test]
fn a_creation_counts_rows_without_a_price() {
    let mut messages = single();
    messages.prices = Some(Prices::read(&b"prefix,price,currency\n30,0.05,EUR\n"[..]).unwrap());
    let phones = ["306900000001", "447400123456", "447400123457", "447400123456"];
    let scratch = Scratch::file();
    let settings = Settings::default();
    let created =
        blocking::create(&mut scratch.journal(), "c", &mut rows(&phones), &messages, settings, None).unwrap();
    let note = "2 rows have a recipient without a price";
    assert!(created.notes.iter().any(|one| one.starts_with(note)), "{:?}", created.notes);
}

#[test]
fn a_number_that_json_cannot_contain_exactly_is_not_sent() {
    let line = r#"{"code":123456789012345678901,"exact":12345678901234567890,"half":0.5,"unused":1e30}"#;
    let row: Value = serde_json::from_str(line).unwrap();
    for template in ["{{ code }}", "{{ row['code'] }}", "{{ code|string }}"] {
        let expected = "the column `code` must be a text, got a number with so many digits that it was rounded: write it in quotes";
        assert_eq!(text(template, &row).unwrap_err(), expected, "{template}");
    }
    let expected = "12345678901234567890 0.5";
    assert_eq!(text("{{ exact }} {{ row['half'] }}", &row).as_deref(), Ok(expected));
}
