//! The value of a raw call as a type of the program, and the errors that implement `Error`.

use std::collections::BTreeMap;

use cpaas::client::{Client, RawCall, Response, TransportError};
use cpaas::http::{Family, HttpRequest, HttpResponse, Method};
use cpaas::operation::ResponseDecodeError;
use cpaas::request::RequestDecodeError;
use cpaas_tests::examples::config;
use serde_json::{Value, json};

async fn call(status: u16, body: &'static str) -> Response<Value> {
    let transport = move |_: HttpRequest| async move { Ok(HttpResponse::new(status, vec![], body)) };
    let client = Client::with_transport(&config("http://127.0.0.1:9"), transport).unwrap();
    client.call_raw(RawCall::new(Method::Get, Family::Otp, "/account")).await.unwrap()
}

#[derive(Debug, PartialEq, serde::Deserialize)]
struct Account {
    balance: String,
}

/// A type that does not fit makes no error of an accepted call, and the value can be read as another one.
#[tokio::test]
async fn a_value_that_does_not_fit_stays_available() {
    let response = call(200, r#"{"balance": 12.5}"#).await;
    assert!(response.json::<Account>().is_err());
    assert!(response.json::<Vec<String>>().is_err());
    assert_eq!(
        response.json::<BTreeMap<String, f64>>().unwrap(),
        BTreeMap::from([("balance".to_owned(), 12.5)])
    );
    assert_eq!(response.value, json!({"balance": 12.5}));
    assert_eq!(response.into_inner(), json!({"balance": 12.5}));
    let fits = call(200, r#"{"balance": "12.50", "currency": "EUR"}"#).await;
    assert_eq!(fits.json::<Account>().unwrap(), Account { balance: "12.50".to_owned() });
}

#[tokio::test]
async fn a_response_without_a_body_is_null() {
    let response = call(204, "").await;
    assert_eq!(response.json::<Option<Account>>().unwrap(), None);
    response.json::<()>().unwrap();
    assert!(response.json::<Account>().is_err());
}

/// A response is written as its value, without `raw`, as a call with JSON returns it.
#[tokio::test]
async fn a_response_is_written_as_its_value() {
    let body = r#"{"id":"m-1","timestamp":"2024-01-01T00:00:00Z","responseCode":0,"extra":"x"}"#;
    let transport = move |_: HttpRequest| async move { Ok(HttpResponse::new(200, vec![], body)) };
    let config = config("http://127.0.0.1:9").accept_repeated_ids(true);
    let client = Client::with_transport(&config, transport).unwrap();
    let typed = client.call(cpaas::sms::SendSms::new("Acme", "306912345678", "Hi")).await.unwrap();
    let request = r#"{"from":"Acme","to":"306912345678","text":"Hi"}"#;
    let text = client.call_json(cpaas::OperationId::SmsSend, request).await.unwrap();
    assert_eq!(serde_json::to_string(&typed).unwrap(), text.value);
    assert_eq!(serde_json::to_value(&typed).unwrap()["id"], "m-1");
    assert!(serde_json::to_value(&typed).unwrap().get("raw").is_none());
    let raw = call(200, body).await;
    assert_eq!(serde_json::to_value(&raw).unwrap(), serde_json::from_str::<Value>(body).unwrap());
}

#[test]
fn errors_implement_the_trait_of_errors() {
    fn is_error<T: std::error::Error + Send + Sync + 'static>() {}
    is_error::<cpaas::Error>();
    is_error::<TransportError>();
    is_error::<RequestDecodeError>();
    is_error::<ResponseDecodeError>();
}
