//! Messages about mistakes of a program that uses the library for the first time: each names what to write instead.

use cpaas::callback::Receiver;
use cpaas::client::Client;
use cpaas::error::{Outcome, Reason};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::{Config, sms};

/// The message about a configuration of a client.
fn refused(config: &Config) -> String {
    let error = Client::new(config).unwrap_err();
    assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config));
    error.message.clone()
}

#[test]
fn a_misspelled_setting_has_a_suggestion() {
    let message = |json: &str| Config::from_json(json).unwrap_err().message.clone();
    assert_eq!(
        message(r#"{"sms_ulr": "https://sms.example"}"#),
        "unknown setting `sms_ulr`; did you mean `sms_url`?"
    );
    assert_eq!(
        message(r#"{"maxAttempts": 3}"#),
        "unknown setting `maxAttempts`; did you mean `max_attempts`?"
    );
    let other = message(r#"{"hunter": "hunter2"}"#);
    assert!(other.starts_with("unknown setting `hunter`; the settings are otp_url, sms_url, "), "{other}");
    assert!(other.ends_with(", read_environment") && !other.contains("hunter2"), "{other}");
    let line = message("{\"a at line 7\": 1}");
    assert!(line.starts_with("unknown setting `a at line 7`; the settings are otp_url, "), "{line}");
    let control = message("{\"sms_url\\u001b\": 1}");
    assert!(control.chars().all(|c| !c.is_control()), "{control}");
}

#[test]
fn a_misspelled_member_of_a_receiver_has_a_suggestion() {
    let message = |json: &str| Receiver::from_json(json).unwrap_err().to_string();
    assert_eq!(
        message(r#"{"audience": "shop", "publicurl": "https://shop.example"}"#),
        "`publicurl` is not a documented member; did you mean `public_url`?"
    );
    let endpoint =
        r#"{"audience": "shop", "public_url": "https://shop.example", "endpoints": [{"pth": "/a"}]}"#;
    assert_eq!(message(endpoint), "`endpoints[0].pth` is not a documented member; did you mean `path`?");
    assert_eq!(message(r#"{"hunter": 1}"#), "`hunter` is not a documented member");
}

/// A key that was read from a file with its last line break.
#[test]
fn a_line_break_at_the_end_of_a_key_is_named() {
    let config = |key: &str| Config::default().sms_url("https://sms.example").sms_key(key);
    let expected = "`sms_key` must contain only printable ASCII characters";
    for end in ["\n", "\r\n"] {
        assert_eq!(
            refused(&config(&format!("hunter2{end}"))),
            format!("{expected}, got a line break at its end")
        );
    }
    assert_eq!(refused(&config("hunter\n2")), expected);
}

#[test]
fn the_channels_are_listed() {
    let message = refused(&Config::default().channel_names([("messengerA", "x")]));
    assert!(message.starts_with("each name in `channel_names` must be a channel: "), "{message}");
    assert!(message.contains("messenger_a") && message.contains("sms"), "{message}");
}

/// A stub that always returns one id is the most usual cause in a test.
#[tokio::test]
async fn a_repeated_id_names_the_setting_for_stubs() {
    let config = Config::default().sms_url("https://sms.example").sms_key("key");
    let client = Client::with_transport(&config, |_: HttpRequest| async {
        Ok(HttpResponse::new(200, vec![], r#"{"id": "m-1", "responseCode": 0}"#))
    })
    .unwrap();
    let send = || sms::SendSms::new("Acme", "306912345678", "Hi");
    client.call(send()).await.unwrap();
    let error = client.call(send()).await.unwrap_err();
    assert_eq!((error.outcome, error.reason), (Outcome::Unknown, Reason::Mismatch));
    assert_eq!(
        error.message,
        "the response (HTTP 200) has an id that an earlier call of this client received; the request may have been processed: \
         look for its effect before sending again (a stub that always returns one id requires the setting `accept_repeated_ids`)"
    );
}
