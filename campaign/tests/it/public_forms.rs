//! What a Rust program expects of the public types: setters, `FromStr`, and a `Debug` that shows nothing personal.

use std::time::Duration;

use cpaas_campaign::journal::{RetryReason, Settings};
use cpaas_campaign::source::{CsvOptions, CsvSource, JsonLinesSource};
use cpaas_campaign::worker::RunOptions;
use cpaas_campaign::{Contacts, Error, FrequencyCap, Messages, StartTime, Template, Window, plan};
use serde_json::json;

use crate::support::{Scratch, client, create, exported};
use cpaas_sandbox::Sandbox;

#[test]
fn settings_are_set_by_methods() {
    let window: Window = "09:00-20:00".parse().unwrap();
    let settings = Settings::new()
        .rate(2.5)
        .window(window)
        .concurrency(3)
        .max_spend(Some(5))
        .time_zone("Europe/Athens".to_owned())
        .start_at("2026-12-01T09:00".parse::<StartTime>().unwrap())
        .keep(vec!["name".to_owned()]);
    let mut expected = Settings::default();
    expected.rate = Some(2.5);
    expected.window = Some(Window::parse("09:00-20:00").unwrap());
    expected.concurrency = Some(3);
    expected.max_spend = Some(5);
    expected.time_zone = Some("Europe/Athens".to_owned());
    expected.start_at = Some(StartTime::parse("2026-12-01T09:00").unwrap());
    expected.keep = vec!["name".to_owned()];
    assert_eq!(settings, expected);
}

#[test]
fn texts_are_parsed_by_from_str() {
    let cap: FrequencyCap = "2/7d".parse().unwrap();
    assert_eq!((cap.messages, cap.within), (2, Duration::from_secs(7 * 86_400)));
    assert_eq!("990".parse::<RetryReason>().unwrap(), RetryReason::Code("990".to_owned()));
    let errors: [Error; 4] = [
        "9 to 5".parse::<Window>().unwrap_err(),
        "tomorrow".parse::<StartTime>().unwrap_err(),
        "0/7d".parse::<FrequencyCap>().unwrap_err(),
        "because".parse::<RetryReason>().unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.code(), "setting");
    }
}

#[tokio::test]
async fn debug_shows_no_text_and_no_number() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "autumn", 1, Settings::default());
    let (_, mut journal) =
        cpaas_campaign::worker::run(journal, "autumn", &client(sandbox.config()), RunOptions::default())
            .await
            .unwrap();
    let row = exported(&mut journal, "autumn").remove(0);
    assert!(!row.recipients.is_empty() && row.message_id.is_some());
    assert_eq!(format!("{row:?}"), r#"ExportRow { row: 1, outcome: "accepted", .. }"#);
    let options = RunOptions::default().limit(7);
    assert_eq!(
        format!("{options:?}"),
        "RunOptions { concurrency: 64, deadline: 30s, limit: Some(7), any_provider: false, .. }"
    );
    let csv = CsvSource::new("phone,name\n306912345678,Ann\n".as_bytes(), CsvOptions::default()).unwrap();
    assert_eq!(format!("{csv:?}"), "CsvSource { columns: 2, .. }");
    let lines = JsonLinesSource::new(r#"{"phone":"306912345678"}"#.as_bytes());
    assert_eq!(format!("{lines:?}"), "JsonLinesSource { line: 0, .. }");
    let _: Contacts = Contacts::default();
}

#[test]
fn a_wrong_operation_gets_the_one_that_was_meant() {
    let message = |operation: &str| {
        let template = Template::new(json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi"})).unwrap();
        let mut source = CsvSource::new("phone\n306912345678\n".as_bytes(), CsvOptions::default()).unwrap();
        plan(&mut source, &Messages::new(operation, template), &Settings::default())
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(message("sms.sned"), "the operation must be a known one; did you mean `sms.send`?");
    assert_eq!(message("letter"), "the operation must be a known one, such as sms.send");
}
