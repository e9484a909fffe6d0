//! After a contradictory or invalid response the outcome is unknown.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use cpaas::OperationId;
use cpaas::client::{Client, TransportError};
use cpaas::error::{Error, Outcome};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas_tests::examples::{config, example};

async fn call(id: &str, status: u16, body: &str) -> Result<String, Error> {
    let body = body.to_owned();
    let transport = move |_: HttpRequest| {
        let body = body.clone();
        async move { Ok::<_, TransportError>(HttpResponse::new(status, Vec::new(), body)) }
    };
    let client = Client::with_transport(&config("http://127.0.0.1:9").max_attempts(1), transport).unwrap();
    client.call_json(OperationId::find(id).unwrap(), example(id).request).await.map(|response| response.value)
}

async fn outcome(id: &str, status: u16, body: &str) -> Option<Outcome> {
    call(id, status, body).await.err().map(|error| error.outcome)
}

/// JSON parsers disagree about which value of a repeated member is valid.
#[tokio::test]
async fn a_repeated_deciding_member_with_two_values_makes_the_outcome_unknown() {
    let table = [
        ("otp.verify", r#"{"code":200,"message":"OK","requestID":"OTP9","requestID":"OTP1"}"#),
        ("otp.verify", r#"{"code":400,"code":200,"message":"OK","requestID":"OTP1"}"#),
        ("otp.send", r#"{"code":200,"message":"OK","requestID":"OTP1","requestID":"OTP2"}"#),
        ("otp.limits.get", r#"{"code":200,"code":7,"message":"OK","data":{"sid":"LM1"}}"#),
        ("sms.send", r#"{"id":"M1","responseCode":902,"responseCode":0}"#),
        ("sms.send", r#"{"id":"M1","id":"M9","responseCode":0}"#),
        ("sms.convert", r#"{"responseCode":0,"responseCode":7}"#),
        ("messages.send", r#"{"messageId":"M1","messageId":7}"#),
        ("webhooks.messenger_b.set", r#"{"status":1,"status":0}"#),
        ("webhooks.messenger_c.set", r#"{"ok":false,"ok":true}"#),
    ];
    for (id, body) in table {
        for status in [200, 429, 500] {
            assert_eq!(outcome(id, status, body).await, Some(Outcome::Unknown), "{id} {status} {body}");
        }
    }
    assert_eq!(outcome("sms.send", 200, r#"{"id":"M1","responseCode":0,"responseCode":0}"#).await, None);
}

/// Some operations have no documented response, so any response is accepted unless it looks like an error.
#[tokio::test]
async fn an_error_to_an_operation_without_a_documented_response_makes_the_outcome_unknown() {
    let bots = ["webhooks.messenger_c.set", "webhooks.messenger_c.delete", "webhooks.messenger_c.info"];
    for id in ["sms.convert"].into_iter().chain(bots) {
        for body in
            ["", "{}", r#"{"responseCode":null,"ok":null}"#, r#"{"error":null}"#, r#"{"error":false}"#]
        {
            // The webhook information must be an object, so an empty body is not accepted.
            let expected = (id.ends_with("info") && body.is_empty()).then_some(Outcome::Unknown);
            assert_eq!(outcome(id, 200, body).await, expected, "{id} {body}");
        }
        for body in [
            r#"{"error":"upstream timeout"}"#,
            r#"{"code":503,"message":"Service Unavailable"}"#,
            r#""login required""#,
            "login required",
            "<html></html>",
            r#"{"responseCode":"ERR_NO_CREDIT"}"#,
            r#"{"responseCode":7.5}"#,
            r#"{"ok":"perhaps"}"#,
        ] {
            assert_eq!(outcome(id, 200, body).await, Some(Outcome::Unknown), "{id} {body}");
        }
    }
    assert_eq!(outcome("sms.convert", 200, r#"{"responseCode":7}"#).await, Some(Outcome::Rejected));
    assert_eq!(outcome("webhooks.messenger_c.set", 200, r#"{"ok":false}"#).await, Some(Outcome::Rejected));
}

/// Status 101 is neither a success nor a rejection.
#[tokio::test]
async fn an_unexpected_status_class_makes_the_outcome_unknown() {
    for operation in OperationId::ALL {
        let id = operation.meta().id;
        for body in ["", example(id).response] {
            assert_eq!(outcome(id, 101, body).await, Some(Outcome::Unknown), "{id}");
        }
    }
}

#[tokio::test]
async fn a_number_that_json_parsers_round_is_not_an_id() {
    let sent = call("sms.send", 200, r#"{"id":18446744073709551615,"responseCode":0}"#).await.unwrap();
    assert!(sent.contains(r#""id":"18446744073709551615""#), "{sent}");
    let rounded = r#"{"id":18446744073709551617,"responseCode":0}"#;
    assert_eq!(outcome("sms.send", 200, rounded).await, Some(Outcome::AcceptedIdUnknown));
    let message = call("messages.send", 200, r#"{"messageId":9223372036854775808}"#).await.unwrap();
    assert!(message.contains(r#""messageId":"9223372036854775808""#), "{message}");
    assert_eq!(outcome("messages.send", 200, r#"{"messageId":1e30}"#).await, Some(Outcome::Unknown));
}

/// A rejection that names a created record is contradictory and is not retried.
#[tokio::test]
async fn a_rejection_with_an_id_makes_the_outcome_unknown() {
    for (id, body) in [
        ("lookup.numbers", r#"[{"id":"LK1","msisdn":"306912345678","response":7}]"#),
        ("sms.send", r#"{"id":"M1","responseCode":906}"#),
        ("sms.send_bulk", r#"{"responseCode":906,"messages":[]}"#),
        ("messages.send", r#"{"id":"M1","code":429,"message":"slow down"}"#),
        ("otp.send", r#"{"code":429,"message":"slow down","requestID":"OTP1"}"#),
    ] {
        for status in [429, 500] {
            assert_eq!(outcome(id, status, body).await, Some(Outcome::Unknown), "{id} {status}");
        }
    }
}
