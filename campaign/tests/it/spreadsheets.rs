//! Cells and numbers as spreadsheets write them: `="…"`, capitals, semicolons and decimal commas, in rows, lists, prices and amounts.

use crate::support::{Scratch, exported};
use cpaas_campaign::journal::Settings;
use cpaas_campaign::source::{CsvOptions, CsvSource};
use cpaas_campaign::{
    Description, Messages, Plan, Prices, StartTime, Suppression, Template, blocking, parse_amount, plan,
};
use serde_json::json;

const NUMBER: &str = "306912345678";

/// The ways in which a file has a text formula: as a field without quotes, and as a quoted field.
const FORMULAS: [&str; 2] = ["=\"306912345678\"", "\"=\"\"306912345678\"\"\""];

fn messages(text: &str) -> Messages {
    let template = json!({"from": "Acme", "to": "{{ phone }}", "text": text});
    Messages::new("sms.send", Template::new(template).unwrap())
}

fn planned(rows: &str, messages: &Messages, settings: &Settings) -> Plan {
    let mut source = CsvSource::new(rows.as_bytes(), CsvOptions::default()).unwrap();
    plan(&mut source, messages, settings).unwrap()
}

#[test]
fn a_text_formula_is_its_text_in_rows_lists_and_prices() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("optouts.csv");
    for formula in FORMULAS {
        for delimiter in [",", ";", "\t"] {
            let line = |cells: [&str; 2]| format!("{}\n", cells.join(delimiter));
            let rows = line(["phone", "name"]) + &line([formula, "Ann"]);
            let found = planned(&rows, &messages("Hi"), &Settings::default());
            assert_eq!((found.valid, &found.problems[..]), (1, &[][..]), "{rows}");

            std::fs::write(&file, rows.as_bytes()).unwrap();
            let mut suppressed = messages("Hi");
            suppressed.suppress = Suppression::File { file: file.clone() };
            let found = planned(&format!("phone\n{NUMBER}\n"), &suppressed, &Settings::default());
            assert_eq!((found.suppressed, found.suppression.unwrap().read), (1, 1), "{rows}");
        }
        let prefix = formula.replace(NUMBER, "306");
        for delimiter in [",", ";", "\t"] {
            let csv = format!("prefix,price,currency\n{prefix},=\"0.05\",EUR\n").replace(',', delimiter);
            let prices = Prices::read(csv.as_bytes()).unwrap();
            let found = prices.find(NUMBER).unwrap();
            assert_eq!((found.prefix, found.billionths), ("306", 50_000_000), "{csv}");
        }
    }
}

/// A formula that computes something has no text in the file, and is not guessed.
#[test]
fn another_formula_stays_as_it_is() {
    let rows = "phone,name\n306912345678,\"=\"\"A\"\"&\"\"B\"\"\"\n306912345679,=A1\n";
    let found = planned(rows, &messages("{{ name }}"), &Settings::default());
    let texts: Vec<_> =
        found.samples.iter().map(|sample| serde_json::to_value(sample).unwrap()["text"].clone()).collect();
    assert!(texts.contains(&json!("=\"A\"&\"B\"")) && texts.contains(&json!("=A1")), "{texts:?}");
}

/// What is sent and what is kept is the text.
#[test]
fn a_campaign_sends_and_keeps_the_text_of_a_formula() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let rows = "phone,name,customer\n=\"306912345678\",=\"Ann\",=\"007\"\n";
    let mut source = CsvSource::new(rows.as_bytes(), CsvOptions::default()).unwrap();
    let settings = Settings::new().keep(vec!["customer".to_owned()]);
    let _ =
        blocking::create(&mut journal, "c", &mut source, &messages("Hi {{ name }}"), settings, None).unwrap();
    let row = serde_json::to_value(exported(&mut journal, "c").remove(0)).unwrap();
    assert_eq!((&row["recipients"], &row["customer"]), (&json!([NUMBER]), &json!("007")), "{row}");
}

#[test]
fn the_header_of_a_price_table_may_have_capitals() {
    for csv in ["Prefix,Price,Currency\n306,0.05,EUR\n", "PREFIX;PRICE;CURRENCY\r\n306;0.05;EUR\r\n"] {
        let prices = Prices::read(csv.as_bytes()).unwrap();
        assert_eq!(prices.find(NUMBER).unwrap().billionths, 50_000_000, "{csv}");
    }
}

#[test]
fn a_decimal_comma_is_named() {
    let error = |csv: &str| Prices::read(csv.as_bytes()).unwrap_err().to_string();
    let expected =
        "prices, line 2: the price must be a decimal number with a point, such as 0.0075, got a comma";
    assert_eq!(error("prefix;price;currency\n30;0,05;EUR\n"), expected);
    assert_eq!(error("Prefix\tPrice\tCurrency\n30\t0,05\tEUR\n"), expected);
    let expected = "prices, line 3: expected the fields prefix,price,currency, got more than three; a price has a decimal point, such as 0.0075";
    assert_eq!(error("prefix,price,currency\n31,1,EUR\n30,0,05,EUR\n"), expected);
    assert_eq!(error("prefix,price,currency\n31,1,EUR\n30,\"0,05\",EUR\n"), expected);
    let error = |text: &str| parse_amount(text).unwrap_err().to_string();
    let expected = "an amount must be a decimal number from 0 with at most nine decimals, such as 250.00";
    assert_eq!(
        error("0,25"),
        format!("{expected}; got 0,25: decimals follow a point, and thousands are not grouped")
    );
    assert_eq!(
        error("1.250,00"),
        format!("{expected}; got 1.250,00: decimals follow a point, and thousands are not grouped")
    );
    for text in ["x", "306912345678,", "a,b", "-1", ""] {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn a_start_in_the_past_is_refused() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let rows = "phone,name\n306912345678,Ann\n";
    for (start, zone, shown) in [
        ("2020-01-31T09:00", Some("Europe/Athens"), "2020-01-31T07:00:00Z"),
        ("2020-01-31T09:00:00Z", None, "2020-01-31T09:00:00Z"),
    ] {
        let mut settings = Settings::default();
        settings.start_at = Some(StartTime::parse(start).unwrap());
        settings.time_zone = zone.map(str::to_owned);
        let expected = format!(
            "the start must be in the future, got {shown}; without it, rows are sent as soon as the campaign runs"
        );
        let mut source = CsvSource::new(rows.as_bytes(), CsvOptions::default()).unwrap();
        let planned = plan(&mut source, &messages("Hi"), &settings).unwrap_err();
        assert_eq!(planned.to_string(), expected);
        let mut source = CsvSource::new(rows.as_bytes(), CsvOptions::default()).unwrap();
        let created = blocking::create(&mut journal, "c", &mut source, &messages("Hi"), settings, None);
        assert_eq!(created.unwrap_err().to_string(), expected);
    }
    assert!(journal.campaigns().unwrap().is_empty());
}

/// The description of Python and of the command.
#[test]
fn the_description_names_an_amount_with_a_comma() {
    let description =
        json!({"operation": "sms.send", "template": {"to": "{{ phone }}"}, "max_spend": "0,25"});
    let compiled = serde_json::from_value::<Description>(description).unwrap().compile();
    assert!(compiled.unwrap_err().to_string().contains("got 0,25"));
}
