//! Lists in every notation and region: who is compared is who is sent to.

use std::fmt::Write as _;

use cpaas_campaign::blocking;
use cpaas_campaign::campaign::{self, TestMessage, TestRows};
use cpaas_campaign::journal::Settings;
use cpaas_campaign::source::IteratorSource;
use cpaas_campaign::worker::{RunOptions, run};
use cpaas_campaign::{
    Columns, Description, FrequencyCap, Messages, Plan, Prices, Result, Suppression, Template, plan,
    plan_created, plan_in,
};
use cpaas_sandbox::Sandbox;
use serde_json::{Value, json};

use crate::support::{Scratch, client, exported, sent};

const REGIONS: [Option<&str>; 12] = [
    None,
    Some("international"),
    Some("DE"),
    Some("AT"),
    Some("IT"),
    Some("US"),
    Some("GB"),
    Some("GR"),
    Some("SE"),
    Some("FR"),
    Some("ES"),
    Some("EE"),
];

/// Mobile numbers of twenty countries: region, country code, trunk prefix, national number (national numbering plans).
const MOBILES: [(&str, &str, &str, &str); 20] = [
    ("DE", "49", "0", "15123456700"),
    ("AT", "43", "0", "6641234567"),
    ("IT", "39", "", "3331234567"),
    ("US", "1", "", "2015550123"),
    ("GB", "44", "0", "7400123456"),
    ("GR", "30", "", "6912345678"),
    ("SE", "46", "0", "701234567"),
    ("FR", "33", "0", "612345678"),
    ("ES", "34", "", "612345678"),
    ("NL", "31", "0", "612345678"),
    ("EE", "372", "", "5123456"),
    ("CH", "41", "0", "781234567"),
    ("PL", "48", "", "512345678"),
    ("PT", "351", "", "912345678"),
    ("BE", "32", "0", "470123456"),
    ("DK", "45", "", "32123456"),
    ("NO", "47", "", "40612345"),
    ("CY", "357", "", "96123456"),
    ("IN", "91", "0", "8123456789"),
    ("BR", "55", "0", "11961234567"),
];

/// A number in all notations. The second is national, in the region of the number.
fn notations(code: &str, trunk: &str, national: &str) -> Vec<String> {
    let (first, second) = national.split_at(3);
    vec![
        format!("+{code}{national}"),
        format!("{trunk}{national}"),
        format!("{code}{national}"),
        format!("00{code}{national}"),
        format!("+{code} {first} {second}"),
        format!("00{code}-{first}-{second}"),
        format!("tel:+{code}.{first}.{second}"),
        format!("(+{code}) {first}/{second}"),
        format!("{trunk}{first} {second}"),
    ]
}

fn messages() -> Messages {
    let template = json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi"});
    Messages::new("sms.send", Template::new(template).unwrap())
}

fn source<'a>(phones: impl IntoIterator<Item = &'a str>) -> IteratorSource<impl Iterator<Item = Columns>> {
    let rows: Vec<Columns> =
        phones.into_iter().map(|phone| json!({"phone": phone}).as_object().unwrap().clone()).collect();
    IteratorSource(rows.into_iter())
}

fn settings(region: Option<&str>) -> Settings {
    let mut settings = Settings::default();
    settings.normalize = region.map(str::to_owned);
    settings
}

fn planned(rows: &[&str], suppress: &[&str], region: Option<&str>) -> Plan {
    let mut messages = messages();
    messages.suppress = suppress.iter().collect();
    messages.lenient = true;
    plan(&mut source(rows.iter().copied()), &messages, &settings(region)).unwrap()
}

#[test]
fn a_list_that_is_suppressed_by_itself_sends_nothing() {
    let (mut sent, mut compared) = (0, 0);
    for region in REGIONS {
        for (_, code, trunk, national) in MOBILES {
            for row in notations(code, trunk, national) {
                let plan = planned(&[&row], &[&row], region);
                assert_eq!(plan.valid, 0, "{region:?}: {row}");
                compared += 1;
                sent += plan.suppressed;
            }
        }
    }
    assert_eq!(compared, 12 * 20 * 9);
    assert!(sent > 1_500, "{sent}");
}

#[test]
fn a_list_protects_in_every_other_notation() {
    for region in REGIONS {
        for (home, code, trunk, national) in MOBILES {
            let all = notations(code, trunk, national);
            let is_national = |index: usize| index == 1 || index == 8;
            let fits = |index: usize| !is_national(index) || region == Some(home);
            for (index, row) in all.iter().enumerate().filter(|(index, _)| fits(*index)) {
                for (other, listed) in all.iter().enumerate().filter(|(other, _)| fits(*other)) {
                    // Digits alone may also be a number of the region; such a row is sent to that number.
                    if index == 2 && other != 2 && planned(&[row], &[&all[0]], region).suppressed == 0 {
                        continue;
                    }
                    let plan = planned(&[row], &[listed], region);
                    let is_sent = plan.valid > 0;
                    assert!(!is_sent, "{region:?}: {row} with {listed}");
                }
            }
        }
    }
}

#[test]
fn mobiles_of_a_region_with_their_country_code_are_themselves() {
    for (home, code, trunk, national) in MOBILES {
        for row in notations(code, trunk, national) {
            let plan = planned(&[&row], &[], Some(home));
            assert_eq!(plan.samples[0].0["to"], format!("{code}{national}"), "{home}: {row}");
        }
    }
}

#[test]
fn the_export_has_the_recipient_that_is_sent() {
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    for region in REGIONS {
        for (home, code, trunk, national) in MOBILES {
            let all = notations(code, trunk, national);
            let mut messages = messages();
            messages.duplicates = cpaas_campaign::Duplicates::Send;
            let name = format!("{region:?} {home}");
            let mut rows = source(all.iter().map(String::as_str));
            let created = blocking::create(&mut journal, &name, &mut rows, &messages, settings(region), None);
            let id = created.unwrap().id;
            let stored = journal.rows(&id, 0).unwrap();
            for (row, exported) in stored.iter().zip(exported(&mut journal, &name)) {
                let Some(request) = &row.request else { continue };
                let request: Value = serde_json::from_str(request.get()).unwrap();
                assert_eq!([request["to"].as_str().unwrap()], exported.recipients[..], "{name}");
            }
        }
    }
}

#[test]
fn duplicates_are_the_same_recipients() {
    let found =
        planned(&["3725123456", "+39 372 512 3456", "+372 5123456", "00372 512-3456"], &[], Some("IT"));
    assert_eq!((found.valid, found.duplicate), (2, 2));
    let found =
        planned(&["0151 23456700", "4915123456700", "+49 151 23456700", "15123456700"], &[], Some("DE"));
    assert_eq!((found.valid, found.duplicate), (1, 3));
}

#[test]
fn an_entry_with_two_readings_suppresses_both() {
    let rows = ["+39 372 5123456", "+372 5123456"];
    assert_eq!(planned(&rows, &["3725123456"], Some("IT")).suppressed, 2);
    assert_eq!(planned(&rows, &["+372 5123456"], Some("IT")).suppressed, 1);
}

#[test]
fn prices_are_those_of_the_number_that_is_sent() {
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    let prices = || Prices::read(&b"prefix,price,currency\n49,0.08,EUR\n1,0.01,EUR\n"[..]).unwrap();
    let mut messages = messages();
    messages.prices = Some(prices());
    // Austin and a mobile number: without the region, 1512… is a number of Texas.
    let rows = ["+1 512 345 6789", "0151 23456700"];
    let found = plan(&mut source(rows), &messages, &settings(Some("DE"))).unwrap();
    assert_eq!((found.total.price.as_deref(), found.by_prefix["1"].rows), (Some("0.09"), 1));
    let _ = blocking::create(&mut journal, "a", &mut source(rows), &messages, settings(Some("DE")), None)
        .unwrap();
    let again = plan_created(&mut journal, "a", Some(&prices()), None).unwrap();
    assert_eq!(again.total, found.total);
}

#[test]
fn later_suppression_finds_the_number_that_is_sent() {
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    let rows = ["0151 23456700"];
    let id = blocking::create(&mut journal, "a", &mut source(rows), &messages(), settings(Some("DE")), None)
        .unwrap()
        .id;
    for listed in ["0151 23456700", "+4915123456700", "4915123456700"] {
        let list: Suppression = [listed].into_iter().collect();
        assert_eq!(campaign::suppress(&mut journal, "a", &list).unwrap().read, 1, "{listed}");
    }
    assert_eq!(journal.rows(&id, 0).unwrap()[0].recipients, ["4915123456700"]);
}

#[tokio::test]
async fn a_frequency_cap_counts_over_settings_of_normalize() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    let rows = ["0151 23456700"];
    let _ = blocking::create(&mut journal, "a", &mut source(rows), &messages(), settings(Some("DE")), None)
        .unwrap();
    (_, journal) = run(journal, "a", &client(sandbox.config()), RunOptions::default()).await.unwrap();
    assert_eq!(sent(&sandbox.ledger().await).into_keys().collect::<Vec<_>>(), ["4915123456700"]);
    assert_eq!(exported(&mut journal, "a")[0].recipients, ["4915123456700"]);
    let mut capped = messages();
    capped.frequency_cap = Some(FrequencyCap::parse("1/7d").unwrap());
    for (row, region) in [
        ("0151 23456700", Some("DE")),
        ("4915123456700", None),
        ("+49 151 23456700", Some("international")),
        ("0049 151 23456700", Some("GR")),
        ("15123456700", Some("DE")),
    ] {
        let found = plan_in(&mut journal, &mut source([row]), &capped, &settings(region)).unwrap();
        assert_eq!(found.frequency_capped, 1, "{row}, {region:?}");
    }
}

#[test]
fn decimal_numbers_are_not_phone_numbers() {
    let decimals = [
        json!("306912345678.0"),
        json!("+306912345678.0"),
        json!("6912345678.00"),
        json!(306_912_345_678.0_f64),
    ];
    for region in [None, Some("international"), Some("GR")] {
        for decimal in &decimals {
            let row = json!({"phone": decimal}).as_object().unwrap().clone();
            let found = plan(&mut IteratorSource([row].into_iter()), &messages(), &settings(region)).unwrap();
            assert_eq!((found.valid, found.invalid), (0, 1), "{region:?}: {decimal}");
            let problem = &found.problems[0];
            assert_eq!(problem.code, "NUMBER");
            assert!(problem.message.contains("decimal number"), "{}", problem.message);
        }
        let row = json!({"phone": 306_912_345_678_u64}).as_object().unwrap().clone();
        let found = plan(&mut IteratorSource([row].into_iter()), &messages(), &settings(region)).unwrap();
        assert_eq!(found.valid, 1);
        let mut listed = messages();
        listed.suppress = ["+306912345678.0"].into_iter().collect();
        let error = plan(&mut source(["306912345678"]), &listed, &settings(region)).unwrap_err().to_string();
        assert!(error.contains("1 unreadable (line 1)") && error.contains("decimal number"), "{error}");
    }
    let template = json!({"from": "Acme", "to": "{{ phone | normalize_number }}", "text": "Hi"});
    let filtered = Messages::new("sms.send", Template::new(template).unwrap());
    let row = json!({"phone": 306_912_345_678.0_f64}).as_object().unwrap().clone();
    let found = plan(&mut IteratorSource([row].into_iter()), &filtered, &Settings::default()).unwrap();
    assert!(found.problems[0].message.contains("decimal number"), "{:?}", found.problems);
}

#[test]
fn the_quoting_of_a_spreadsheet_is_named() {
    for region in [None, Some("international"), Some("GR")] {
        for row in ["=\"306912345678\"", "'306912345678", "'+306912345678"] {
            let found = planned(&[row], &[], region);
            let problem = found.problems.first().unwrap();
            assert!(problem.message.contains("the quoting of a spreadsheet"), "{row}: {}", problem.message);
            assert!(!problem.message.contains("306912345678"), "{}", problem.message);
        }
        for row in ["x306912345678", "=x", "'"] {
            let found = planned(&[row], &[], region);
            assert!(!found.problems[0].message.contains("quoting"), "{row}");
        }
    }
}

#[test]
fn impossible_numbers_are_no_numbers_of_a_region() {
    for row in ["06912345678", "69123456789", "30691234567", "1.23456789012"] {
        let found = planned(&[row], &[], Some("GR"));
        assert_eq!((found.invalid, found.problems[0].code.as_str()), (1, "NUMBER"), "{row}");
        let found = planned(&["306912345678"], &[row], Some("GR"));
        assert_eq!(found.suppression.unwrap().unreadable, 1, "{row}");
    }
}

fn with_list(list: &str, change: impl FnOnce(&mut Messages, &mut Settings)) -> Result<Plan> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("optouts.csv");
    std::fs::write(&file, list).unwrap();
    let (mut messages, mut settings) = (messages(), Settings::default());
    messages.suppress = Suppression::File { file };
    change(&mut messages, &mut settings);
    plan(&mut source(["306911000017", "306911000018", "306911000019"]), &messages, &settings)
}

fn list_error(list: &str) -> String {
    with_list(list, |_, _| {}).map(|plan| plan.suppression.unwrap().to_string()).unwrap_err().to_string()
}

#[test]
fn impossible_entries_are_unreadable_and_unassigned_ones_are_counted() {
    let error = list_error("2101234567\n306911000017\n");
    assert!(error.starts_with("suppression: 1 read, 1 unreadable (line 1); line 1 must be"), "{error}");
    let lenient = |messages: &mut Messages, _: &mut Settings| messages.lenient = true;
    assert_eq!(with_list("2101234567\n306911000017\n", lenient).unwrap().suppressed, 1);
    let found = with_list("6912345678\n6912345679\n306911000017\n4532123456\n", |_, _| {}).unwrap();
    let summary = found.suppression.unwrap();
    assert_eq!((summary.read, summary.unassigned), (4, 2));
    assert!(summary.to_string().ends_with(
        "; 2 of the numbers that were read are not assigned in any country; without a country code they protect nobody: set `normalize` to a region"
    ));
    let one = with_list("6912345678\n306911000017\n", |_, _| {}).unwrap().suppression.unwrap().to_string();
    assert!(one.contains("; 1 of the numbers that were read is not assigned in any country; "), "{one}");
    assert!(one.ends_with("it protects nobody: set `normalize` to a region"), "{one}");
    let region = |_: &mut Messages, settings: &mut Settings| settings.normalize = Some("GR".to_owned());
    let found = with_list("6911000017\n6911000018\n", region).unwrap();
    assert_eq!((found.suppressed, found.suppression.unwrap().unassigned), (2, 0));
}

#[test]
fn no_line_of_a_list_is_skipped_silently() {
    let numbers =
        "suppression, line 1: the column with the recipients must be known where a line has several numbers";
    for list in [
        "306911000017;306911000018;306911000019",
        "306911000017,306911000018\n",
        "+30 6911000017\t+30 6911000018",
    ] {
        assert!(list_error(list).starts_with(numbers), "{list}: {}", list_error(list));
    }
    let list = "306911000017\n306911000018,306911000019\n";
    assert!(list_error(list).starts_with(&numbers.replace("line 1", "line 2")), "{}", list_error(list));
    let column = |messages: &mut Messages, _: &mut Settings| messages.column = Some("2".to_owned());
    assert_eq!(with_list("306911000017;306911000018\n", column).unwrap().suppressed, 1);
    assert_eq!(with_list("; +306911000017\n", |_, _| {}).unwrap().suppressed, 1);
    assert!(
        list_error("phone,phone2\n306911000017,306911000018\n")
            .contains("several columns may contain the recipients: phone, phone2;")
    );
    assert!(list_error("Name;Phone;Mobile\nAnn;306911000017;\n").contains("recipients: Phone, Mobile;"));
    let error = list_error("phone;name\n306911000017;Ann\n;Ben\n306911000018;Eva\n");
    assert!(
        error.starts_with("suppression: 2 read from the column `phone`, 1 unreadable (line 3)"),
        "{error}"
    );
    for list in ["", "# nobody\n\n", " \n"] {
        assert!(list_error(list).contains("got an empty file"), "{list:?}");
        let lenient = |messages: &mut Messages, _: &mut Settings| messages.lenient = true;
        assert_eq!(with_list(list, lenient).unwrap().suppressed, 0);
    }
    assert_eq!(with_list("phone\n", |_, _| {}).unwrap().suppression.unwrap().read, 0);
    let error = list_error("unsubscribed\n306911000017\n");
    assert!(error.contains("(line 1)") && error.contains("--column 1"), "{error}");
    let column = |messages: &mut Messages, _: &mut Settings| messages.column = Some("1".to_owned());
    assert_eq!(with_list("unsubscribed\n306911000017\n", column).unwrap().suppressed, 1);
    // Dates and text beside a number are no numbers; a header names the column.
    assert_eq!(
        with_list("306911000017;2026-01-31;Ann\n306911000018;31.01.2026;\n", |_, _| {}).unwrap().suppressed,
        2
    );
    assert_eq!(with_list("phone;id\n306911000017;12345678\n", |_, _| {}).unwrap().suppressed, 1);
    assert_eq!(
        with_list("\"+306911000017\" # by phone, twice\n\"306911000018\"\t// x\n", |_, _| {})
            .unwrap()
            .suppressed,
        2
    );
    assert!(
        list_error("\"306911000017\" x\n").contains("line 1: expected a delimiter"),
        "{}",
        list_error("\"306911000017\" x\n")
    );
}

/// A first line with a number is an entry, however it is written, and no header.
#[test]
fn a_first_line_with_a_number_is_no_header() {
    for list in [
        "tel:+306911000017\n306911000018\n",
        "TEL 2\n306911000017\n306911000018\n",
        "Phone10\n306911000017\n306911000018\n",
    ] {
        assert_eq!(with_list(list, |_, _| {}).unwrap().suppressed, 2, "{list}");
    }
    for first in ["sms:306911000017", "Mobile 306911000017", "to 306911000017", "Phone: 0691 100 0017"] {
        let error = list_error(&format!("{first}\n306911000018\n"));
        assert!(error.starts_with("suppression: 1 read, 1 unreadable (line 1); line 1 "), "{first}: {error}");
        assert!(!error.contains("--column"), "no header: {error}");
        let error = list_error(&format!("{first},Ann\n306911000018,Ben\n"));
        assert!(error.contains("line 1"), "{first}: {error}");
    }
    let error = list_error("tel123\n306911000018\n");
    assert!(error.starts_with("suppression: 1 read, 1 unreadable (line 1)"), "{error}");
}

/// A row whose name begins as a comment does is no comment if it has a recipient.
#[test]
fn a_row_with_a_recipient_is_no_comment() {
    let second = |messages: &mut Messages, _: &mut Settings| messages.column = Some("2".to_owned());
    for row in [
        "//CDN Ltd,306911000018",
        "#1 Pizza,306911000018",
        "#\" Disks,306911000018",
        "\"#1 Pizza\",306911000018",
        "//,tel:+306911000018",
    ] {
        let list = format!("name,phone\nAnn,306911000017\n{row}\n");
        assert_eq!(with_list(&list, |_, _| {}).unwrap().suppressed, 2, "{row}");
        assert_eq!(with_list(&format!("{row}\nAnn,306911000017\n"), second).unwrap().suppressed, 2, "{row}");
        let error = list_error(&format!("{row}\nAnn,306911000017\n"));
        assert!(
            error.contains("suppression, line 1: the column with the recipients must be known"),
            "{error}"
        );
        let error = list_error(&format!("306911000017,Ann\n{row}\n"));
        assert!(error.contains("line 2: the column with the recipients must be known"), "{error}");
    }
    let error = list_error("name,phone\nAnn,306911000017\n//CDN Ltd,0691 100 0018\n");
    assert!(
        error.starts_with("suppression: 1 read from the column `phone`, 1 unreadable (line 3)"),
        "{error}"
    );
    for comment in [
        "// by phone, see below",
        "//306911000018",
        "# 306911000018",
        "# a \"b",
        "\"# by mail\",2026-01-31",
        "// 2026-01-31",
        "// Ben,",
    ] {
        let list = format!("{comment}\nname,phone\nAnn,306911000017\n{comment}\n");
        let found = with_list(&list, |_, _| {}).unwrap().suppression.unwrap();
        assert_eq!((found.read, found.unreadable), (1, 0), "{comment}");
        let found = with_list(&format!("{comment}\n306911000017\n{comment}\n"), |_, _| {}).unwrap();
        assert_eq!((found.suppressed, found.suppression.unwrap().read), (1, 1), "{comment}");
    }
}

#[test]
fn a_byte_order_mark_of_utf_8_has_priority_over_the_encoding() {
    let set = |messages: &mut Messages, _: &mut Settings| messages.encoding = Some("windows-1252".to_owned());
    let found = with_list("\u{FEFF}Κινητό;Name\n306911000017;Ä\n", set).unwrap();
    assert_eq!(found.suppressed, 1);
}

fn described(description: Value, rows: Value) -> Result<Plan> {
    let (messages, settings) = serde_json::from_value::<Description>(description).unwrap().compile()?;
    let rows: Vec<Columns> =
        rows.as_array().unwrap().iter().map(|row| row.as_object().unwrap().clone()).collect();
    plan(&mut IteratorSource(rows.into_iter()), &messages, &settings)
}

fn description(change: Value) -> Value {
    let mut description =
        json!({"operation": "sms.send", "template": {"from": "Acme", "to": "{{ phone }}", "text": "Hi"}});
    let members = description.as_object_mut().unwrap();
    members.extend(change.as_object().unwrap().clone());
    description
}

#[test]
fn a_time_zone_column_that_does_not_exist_is_an_error() {
    let rows = json!([{"phone": "306911000017", "zone": "Europe/Athens"}]);
    let error = described(description(json!({"time_zone_column": "zzone"})), rows).unwrap_err().to_string();
    assert_eq!(error, "time_zone_column: expected the column `zzone`, got the columns phone, zone");
    let mut messages = messages();
    messages.time_zone_column = Some("zzone".to_owned());
    let csv = &b"phone,zone\n306911000017,Europe/Athens\n"[..];
    let mut rows =
        cpaas_campaign::source::CsvSource::new(csv, cpaas_campaign::source::CsvOptions::default()).unwrap();
    let error = plan(&mut rows, &messages, &Settings::default()).unwrap_err().to_string();
    assert_eq!(error, "time_zone_column: expected the column `zzone`, got the columns phone, zone");
}

#[test]
fn a_row_without_a_time_zone_has_that_of_the_campaign_or_is_invalid() {
    let rows = || {
        json!([
            {"phone": "306911000011", "zone": "Europe/Athens"},
            {"phone": "306911000012", "zone": ""},
            {"phone": "306911000013", "zone": null},
            {"phone": "306911000014"},
            {"phone": "306911000015", "zone": 2},
            {"phone": "306911000016", "zone": "Nowhere/City"},
        ])
    };
    let found = described(description(json!({"time_zone_column": "zone"})), rows()).unwrap();
    assert_eq!((found.valid, found.invalid), (1, 5));
    assert!(found.problems.iter().all(|problem| problem.code == "TIME_ZONE"));
    let with_default = json!({"time_zone_column": "zone", "time_zone": "Europe/Berlin", "window": "09:00-20:00", "start_at": "2099-12-01T09:00"});
    let found = described(description(with_default), rows()).unwrap();
    assert_eq!((found.valid, found.invalid), (4, 2));
    assert_eq!(
        found.notes,
        [
            "the column `zone` has no time zone in 3 rows (2, 3, 4); that of the campaign applies: Europe/Berlin"
        ]
    );
    let start = Some("2099-12-01T08:00:00Z".to_owned());
    assert_eq!(
        (found.window.as_deref(), found.time_zone.as_str(), found.start_at),
        (Some("09:00-20:00"), "Europe/Berlin", start)
    );
}

#[test]
fn empty_cells_and_foreign_marks_are_noted() {
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    let mut csv = String::from("phone,First Name,city\n");
    for (row, name) in ["", "Ann", "NULL", "None", "", "x"].iter().enumerate() {
        writeln!(csv, "30691100001{row},{name},Athens").unwrap();
    }
    csv.push_str("x,Eva,Athens\n");
    let source = || {
        cpaas_campaign::source::CsvSource::new(csv.as_bytes(), cpaas_campaign::source::CsvOptions::default())
            .unwrap()
    };
    let template = json!({"from": "Acme", "to": "{{ phone }}", "text": "Dear {{first_name}} of {city}, [city], {{city}}!"});
    let messages = Messages::new("sms.send", Template::new(template).unwrap());
    let found = plan(&mut source(), &messages, &Settings::default()).unwrap();
    let expected = [
        "/text contains `[city]`, which is sent as it is; the value of a column is written {{ city }}",
        "the column `First Name`, which the template uses, is empty in 2 rows (1, 5)",
        "the column `First Name`, which the template uses, has a text such as NULL, None, nan or #N/A in 2 rows (3, 4)",
    ];
    assert_eq!(found.notes, expected);
    let braces = &found.warnings[0];
    assert_eq!((braces.row, braces.pointer.as_str(), braces.code.as_str()), (1, "/text", "SINGLE_BRACES"));
    let created =
        blocking::create(&mut journal, "a", &mut source(), &messages, Settings::default(), None).unwrap();
    assert_eq!(
        created.notes[0],
        "1 row is invalid: sms.to.not_digits (1); row 7 (line 8); `cpaas campaign export --outcome invalid` lists them"
    );
    assert_eq!(created.notes[1], format!("/text: {}", braces.message));
    assert_eq!(created.notes[2..], expected);
    let found = planned(&["x", "y"], &[], None);
    assert_eq!(found.notes, ["no row can be sent: none of 2 is valid, new and not suppressed"]);
}

#[test]
fn errors_name_what_is_wrong_in_a_template() {
    let columns = ["phone".to_owned(), "First Name".to_owned()];
    let check = |text: &str| {
        let template = Template::new(json!({"text": text})).unwrap();
        template.check_names(&columns).map_err(|error| error.to_string())
    };
    assert!(check("{{ row[\"First Name\"] }}{{ row['phone'] }}").is_ok());
    let error = check("{{ row[\"Frist Name\"] }}").unwrap_err();
    assert!(error.starts_with("the template uses `row[\"Frist Name\"]`; the columns are"), "{error}");
    let found = described(
        description(json!({"template": {"from": "Acme", "to": "{{ phone }}", "text": "{{ name | shout }}"}})),
        json!([{"phone": "306911000017", "name": "Ann"}]),
    );
    let message =
        found.map(|found| found.problems[0].message.clone()).unwrap_or_else(|error| error.to_string());
    assert!(message.ends_with("unknown filter `shout` in line 1"), "{message}");
    let found = described(description(json!({})), json!([{"phone": null}])).unwrap();
    assert_eq!(
        found.problems[0].message,
        "the column `phone` must have a value, or the template a default for it"
    );
    let twice = json!({"set": [["text", "a"], ["/text", "b"]]});
    let error = described(description(twice), json!([])).unwrap_err().to_string();
    assert_eq!(error, "each member must be set once, got `/text` twice");
}

#[test]
fn a_test_sends_one_message_to_one_phone() {
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    for (name, region) in [("a", None), ("b", Some("GR"))] {
        let _ = blocking::create(
            &mut journal,
            name,
            &mut source(["306911000017"]),
            &messages(),
            settings(region),
            None,
        )
        .unwrap();
    }
    let mut prepared = |name: &str, to: &[&str]| {
        let to: Vec<String> = to.iter().map(|to| (*to).to_owned()).collect();
        TestMessage::prepare(&mut journal, name, &TestRows::First(1), &to)
            .map(|found| found.into_iter().map(|message| message.to).collect::<Vec<_>>())
            .map_err(|error| error.to_string())
    };
    assert_eq!(prepared("a", &["306999999999", "+30 699 999 9999"]).unwrap(), ["306999999999"]);
    assert_eq!(prepared("b", &["6999999999", "306999999999"]).unwrap(), ["306999999999"]);
    for to in ["6999999999", "6912345678", "+306912345678.0"] {
        let error = prepared("a", &[to]).unwrap_err();
        assert!(error.starts_with("the recipient of a test must be one valid number"), "{to}: {error}");
    }
    assert!(prepared("b", &["+306912345678.0"]).unwrap_err().contains("decimal number"));
}

#[test]
fn a_list_of_national_numbers_suppresses_nobody_and_is_an_error() {
    use cpaas_campaign::SuppressionOptions;
    use cpaas_campaign::campaign::suppress_list;

    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = crate::support::create(&mut journal, "c", 3, Settings::default());
    let list: Suppression = ["6912345678"].into_iter().collect();
    let mut options = SuppressionOptions::default();
    let error = suppress_list(&mut journal, "c", &list, options).unwrap_err().to_string();
    assert!(error.ends_with("Nobody was suppressed") && error.contains("--normalize GR"), "{error}");
    assert_eq!(journal.suppressed(&id).unwrap(), Vec::<String>::new());
    options.normalize = Some("Greece");
    assert_eq!(suppress_list(&mut journal, "c", &list, options).unwrap_err().code(), "setting");
    options.normalize = Some("GR");
    assert_eq!(suppress_list(&mut journal, "c", &list, options).unwrap().read, 1);
    assert!(journal.suppressed(&id).unwrap().contains(&"306912345678".to_owned()));
    let mut rows = crate::support::rows(1);
    let mut settings = Settings::default();
    settings.normalize = Some("GR".to_owned());
    let _ =
        blocking::create(&mut journal, "d", &mut rows, &crate::support::messages(), settings, None).unwrap();
    let of_campaign = suppress_list(&mut journal, "d", &list, SuppressionOptions::default());
    assert_eq!(of_campaign.unwrap().unassigned, 0);
    (options.normalize, options.is_lenient) = (None, true);
    assert_eq!(suppress_list(&mut journal, "c", &list, options).unwrap().unassigned, 1);
}
