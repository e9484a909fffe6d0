//! Typed calls through a custom transport: one operation of the family `sms` and one of `messaging`.

use cpaas::channel::Sms;
use cpaas::client::{Client, TransportError};
use cpaas::error::{Outcome, Reason, SentState};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::{Config, OperationId, messages, sms};

fn config() -> Config {
    Config::default()
        .sms_url("http://sms.test")
        .messaging_url("http://msg.test")
        .sms_key("k-1")
        .traffic_account_id("0f8fad5b-d9cb-469f-a165-70867728950e")
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

#[test]
fn an_sms_is_sent_and_its_response_is_read() {
    let client = Client::with_transport(&config(), |request: HttpRequest| async move {
        assert_eq!(request.url, "http://sms.test/sms");
        assert!(request.headers.contains(&("X-Service-API-Key".into(), "k-1".into())));
        let body: serde_json::Value = serde_json::from_slice(&request.body.unwrap()).unwrap();
        assert_eq!(body["from"], "Acme");
        assert_eq!(body["reference"], "r-1");
        Ok(HttpResponse::new(200, vec![], r#"{"id":"1","timestamp":"t","responseCode":0,"new":1}"#))
    })
    .unwrap();
    let sent =
        block_on(client.call(sms::SendSms::new("Acme", "306912345678", "Hi").reference("r-1"))).unwrap();
    assert_eq!(sent.id, "1");
    assert_eq!(sent.extra.get("new").unwrap(), 1);
}

#[test]
fn the_traffic_account_of_the_configuration_is_the_default() {
    let client = Client::with_transport(&config(), |request: HttpRequest| async move {
        let body: serde_json::Value = serde_json::from_slice(&request.body.unwrap()).unwrap();
        assert_eq!(body["trafficAccountId"], "0f8fad5b-d9cb-469f-a165-70867728950e");
        assert_eq!(body["sms"]["text"], "Hi");
        Ok(HttpResponse::new(200, vec![], r#"{"messageId":"m","deliveryStatus":"Ready"}"#))
    })
    .unwrap();
    let sent = block_on(client.call(messages::SendMessage::new("306912345678", Sms::new("Hi")))).unwrap();
    assert_eq!(sent.delivery_status.as_deref(), Some("Ready"));
}

#[test]
fn an_invalid_request_never_reaches_the_transport() {
    let client = Client::with_transport(&config(), |_: HttpRequest| async { panic!("sent") }).unwrap();
    let error = block_on(client.call_json(OperationId::SmsSend, r#"{"from":"Acme"}"#)).unwrap_err();
    assert_eq!(error.outcome, Outcome::Invalid);
    let pointers: Vec<_> = error.problems.iter().map(|problem| problem.pointer.as_str()).collect();
    assert_eq!(pointers, ["/to", "/text"]);
}

#[test]
fn a_lost_response_is_unknown_and_not_retried() {
    let client = Client::with_transport(&config(), |_: HttpRequest| async {
        Err(TransportError::new(SentState::Maybe, Reason::Reset))
    })
    .unwrap();
    let error = block_on(client.call(sms::SendSms::new("Acme", "306912345678", "Hi"))).unwrap_err();
    assert_eq!((error.outcome, error.attempts), (Outcome::Unknown, 1));
}
