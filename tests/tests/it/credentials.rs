//! A call without the credentials of its family is not sent, and the error names the settings that are missing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cpaas::client::{Client, RawCall, TransportError};
use cpaas::error::{Outcome, Reason, SentState};
use cpaas::http::{Family, Method};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::{Config, OperationId};
use cpaas_tests::examples::example;

/// Only the family `messaging` and the bots need no key; the token of a bot is part of the path (section Authentication).
#[tokio::test]
async fn a_call_without_credentials_is_refused_and_the_missing_settings_are_named() {
    let addresses = || {
        let url = "http://cpaas.test";
        let config = Config::default().otp_url(url).sms_url(url).lookup_url(url);
        config
            .messaging_url(url)
            .messenger_b_url(url)
            .messenger_c_url(url)
            .traffic_account_id("0f8fad5b-d9cb-469f-a165-70867728950e")
    };
    let empty = || addresses().account_sid("").api_key("").sms_key("").lookup_key("").messenger_b_token("");
    for config in [addresses(), empty()] {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let transport = move |_: HttpRequest| {
            count.fetch_add(1, Ordering::SeqCst);
            async { Err(TransportError::new(SentState::Maybe, Reason::Reset)) }
        };
        let client = Client::with_transport(&config.max_attempts(1), transport).unwrap();
        for operation in OperationId::ALL {
            let meta = operation.meta();
            let error = client.call_json(*operation, example(meta.id).request).await.unwrap_err();
            let members: &[&str] = match meta.family {
                Family::Otp => &["account_sid", "api_key"],
                Family::Sms => &["sms_key", "api_key"],
                Family::Lookup => &["lookup_key", "api_key"],
                Family::MessengerB => &["messenger_b_token"],
                _ => &[],
            };
            let sent = asked.swap(0, Ordering::SeqCst) > 0;
            assert_eq!(sent, members.is_empty(), "{} {error}", meta.id);
            if sent {
                continue;
            }
            let reported = (error.outcome, error.sent, error.reason, &*error.operation);
            assert_eq!(reported, (Outcome::Invalid, SentState::No, Reason::Config, meta.id));
            for name in members {
                let variable = format!("CPAAS_{}", name.to_uppercase());
                assert!(error.message.contains(&format!("`{name}`")), "{error}");
                assert!(error.message.contains(&variable), "{error}");
            }
        }
    }
}

/// An undocumented endpoint may require no credentials or different ones.
#[tokio::test]
async fn a_raw_call_is_sent_without_credentials() {
    let config = Config::default().sms_url("http://cpaas.test");
    let client =
        Client::with_transport(&config, |_: HttpRequest| async { Ok(HttpResponse::new(200, vec![], "{}")) })
            .unwrap();
    assert!(client.call_raw(RawCall::new(Method::Get, Family::Sms, "/new")).await.is_ok());
}

/// Such a key or name would make every call fail before it is sent.
#[test]
fn a_key_that_cannot_be_a_header_is_refused_when_the_client_is_created() {
    type Set = fn(Config, &str) -> Config;
    let members: [(&str, Set, &str); 7] = [
        ("api_key", |config, value| config.api_key(value), "must contain only printable ASCII characters"),
        ("sms_key", |config, value| config.sms_key(value), "must contain only printable ASCII characters"),
        (
            "lookup_key",
            |config, value| config.lookup_key(value),
            "must contain only printable ASCII characters",
        ),
        (
            "messaging_key",
            |config, value| config.messaging_key(value),
            "must contain only printable ASCII characters",
        ),
        (
            "messenger_b_token",
            |config, value| config.messenger_b_token(value),
            "must contain only printable ASCII characters",
        ),
        ("api_key_header", |config, value| config.api_key_header(value), "must be an HTTP token"),
        (
            "messenger_b_token_header",
            |config, value| config.messenger_b_token_header(value),
            "must be an HTTP token",
        ),
    ];
    for (member, set, rule) in members {
        for value in ["key\n", "key\r\nX-Other: 1", "k\u{e9}y", "key\0"] {
            let config = set(Config::default().sms_url("http://cpaas.test"), value);
            let error = Client::new(&config).unwrap_err();
            assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config), "{member}");
            assert!(error.message.contains(&format!("`{member}` {rule}")), "{}", error.message);
            assert!(!error.message.contains("key\r"), "{}", error.message);
        }
        assert!(Client::new(&set(Config::default().sms_url("http://cpaas.test"), "X-key_1")).is_ok());
    }
}
