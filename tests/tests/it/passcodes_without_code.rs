//! A passcode whose text has no `{code}`: a warning that is logged once for each client, and an error if validation is pedantic.

use cpaas::client::{CallOptions, Client};
use cpaas::config::Validation;
use cpaas::error::Outcome;
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::otp::SendPasscode;
use cpaas_tests::examples::{config, example};
use regex::Regex;

use crate::environment_settings::Warnings;

const TO: &str = "306912345678";
const BODY: &str = "Your code is 482913";
const LOGGED: &str =
    "WARN cpaas::client::call message=the text of the passcode has no code operation=\"otp.send\" ";

fn client() -> Client {
    let response = example("otp.send").response;
    let config = config("http://127.0.0.1:9").accept_repeated_ids(true);
    Client::with_transport(&config, move |_: HttpRequest| async move {
        Ok(HttpResponse::new(200, vec![], response))
    })
    .unwrap()
}

async fn send(client: &Client, body: &str) -> Vec<String> {
    let sent = client.call(SendPasscode::new("login", "Acme", TO, body)).await.unwrap();
    // The responses repeat an id.
    sent.warnings
        .iter()
        .map(|warning| warning.code.to_string())
        .filter(|code| code.starts_with("otp."))
        .collect()
}

/// Log lines without the id of the call, which is random.
fn without_call_id(lines: &[String]) -> Vec<String> {
    let id = Regex::new(r#"call_id="?[0-9a-f]{32}"? "#).unwrap();
    lines.iter().map(|line| id.replace(line, "").into_owned()).collect()
}

#[tokio::test]
async fn it_is_logged_once_for_each_client() {
    let log = Warnings::default();
    let _guard = tracing::subscriber::set_default(log.clone());
    let one = client();
    assert_eq!(send(&one, "Your code is {code}").await, [""; 0]);
    assert_eq!(log.lines(), [""; 0]);
    for _ in 0..3 {
        assert_eq!(send(&one, BODY).await, ["otp.body.no_code"]);
        assert_eq!(send(&one.clone(), BODY).await, ["otp.body.no_code"]);
    }
    assert_eq!(without_call_id(&log.lines()), [LOGGED]);
    let other = client();
    let request = format!(r#"{{"service":"login","from":"Acme","to":"{TO}","body":"{BODY}"}}"#);
    other.call_json(cpaas::OperationId::OtpSend, &request).await.unwrap();
    assert_eq!(log.lines().len(), 2);
    for line in log.lines() {
        assert!(!line.contains("482913") && !line.contains(TO), "{line}");
    }
}

#[tokio::test]
async fn validation_decides_whether_it_is_sent() {
    let log = Warnings::default();
    let _guard = tracing::subscriber::set_default(log.clone());
    let with = |validation| client().with(CallOptions::new().validation(validation));
    let error =
        with(Validation::Pedantic).call(SendPasscode::new("login", "Acme", TO, BODY)).await.unwrap_err();
    assert_eq!(error.outcome, Outcome::Invalid);
    assert_eq!(error.problems.iter().map(|problem| &*problem.code).collect::<Vec<_>>(), ["otp.body.no_code"]);
    assert_eq!(send(&with(Validation::Off), BODY).await, [""; 0]);
    assert_eq!(log.lines(), [""; 0]);
    assert_eq!(send(&with(Validation::Warn), BODY).await, ["otp.body.no_code"]);
    assert_eq!(without_call_id(&log.lines()), [LOGGED]);
}
