//! A configured keyring signs the callback URL of every SMS, and the receiver verifies the token.
#![cfg(feature = "http")]

use cpaas::callback::{Keyring, Purpose};
use cpaas::client::Client;
use cpaas::error::Outcome;
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::{Config, sms};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

const SECRET: &str = "0123456789abcdef0123456789abcdef";

fn client(seen: Arc<Mutex<String>>) -> Client {
    let config = Config::default()
        .sms_url("http://sms.test")
        .sms_key("k-1")
        .callback_keys(format!(r#"[{{"kid":"k1","secret":"{SECRET}"}}]"#))
        .callback_audience("shop");
    Client::with_transport(&config, move |request: HttpRequest| {
        let body: serde_json::Value = serde_json::from_slice(&request.body.unwrap()).unwrap();
        *seen.lock().unwrap() = body["callback"].as_str().unwrap_or_default().to_owned();
        async { Ok(HttpResponse::new(200, vec![], r#"{"id":"1","timestamp":"t","responseCode":0}"#)) }
    })
    .unwrap()
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

#[test]
fn the_callback_of_an_sms_has_a_token_bound_to_its_reference() {
    let seen = Arc::new(Mutex::new(String::new()));
    let send = sms::SendSms::new("Acme", "306912345678", "Hi")
        .reference("booking-7")
        .callback("https://shop.example/dlr?id=~msgid~#x");
    block_on(client(Arc::clone(&seen)).call(send)).unwrap();
    let url = seen.lock().unwrap().clone();
    let token = url.strip_prefix("https://shop.example/dlr?id=~msgid~&token=").unwrap();
    let token = token.strip_suffix("#x").unwrap();
    let keyring = Keyring::new([("k1", SECRET)]).unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    assert!(keyring.verify(token, Purpose::DeliveryReport, "shop", "booking-7", now).is_ok());
    assert!(keyring.verify(token, Purpose::DeliveryReport, "shop", "booking-8", now).is_err());
}

#[test]
fn an_sms_without_a_callback_is_not_changed() {
    let seen = Arc::new(Mutex::new("unset".to_owned()));
    block_on(client(Arc::clone(&seen)).call(sms::SendSms::new("Acme", "306912345678", "Hi"))).unwrap();
    assert_eq!(*seen.lock().unwrap(), "");
}

#[test]
fn a_callback_with_a_token_is_invalid() {
    let seen = Arc::new(Mutex::new("unsent".to_owned()));
    let send = sms::SendSms::new("Acme", "306912345678", "Hi")
        .reference("booking-7")
        .callback("https://shop.example/dlr?token=mine");
    let error = block_on(client(Arc::clone(&seen)).call(send)).unwrap_err();
    assert_eq!(error.outcome, Outcome::Invalid);
    assert_eq!(
        (error.problems[0].pointer.as_str(), &*error.problems[0].code),
        ("/callback", "sms.callback.invalid")
    );
    assert_eq!(*seen.lock().unwrap(), "unsent");
}

#[test]
fn a_callback_without_a_reference_is_invalid() {
    let seen = Arc::new(Mutex::new("unsent".to_owned()));
    let client = client(Arc::clone(&seen));
    let url = "https://shop.example/dlr";
    let one = sms::SendSms::new("Acme", "306912345678", "Hi").callback(url);
    let many = sms::SendBulkSms::new("Acme", "306912345678,306912345679", "Hi").callback(url);
    let errors = [
        block_on(client.call(one.clone())).unwrap_err(),
        block_on(client.call(one.reference(" "))).unwrap_err(),
        block_on(client.call(many)).unwrap_err(),
    ];
    for error in errors {
        assert_eq!((error.outcome, error.problems.len()), (Outcome::Invalid, 1));
        let problem = &error.problems[0];
        assert_eq!((problem.pointer.as_str(), &*problem.code), ("/reference", "sms.callback.invalid"));
        assert!(problem.message.contains("callback_keys"), "{}", problem.message);
    }
    assert_eq!(*seen.lock().unwrap(), "unsent");
}

#[test]
fn a_keyring_without_an_audience_is_a_configuration_error() {
    let config = Config::default().callback_keys(format!(r#"[{{"kid":"k1","secret":"{SECRET}"}}]"#));
    let error = Client::new(&config).unwrap_err();
    assert!(error.message.contains("callback_audience"));
    assert!(!format!("{config:?}{error:?}").contains(SECRET));
}
