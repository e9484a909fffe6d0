//! A response can quote its request: an error contains no key, passcode or token of it.

use cpaas::client::{Client, TransportError};
use cpaas::error::{Error, Outcome};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::otp::{Code, RequestId};
use cpaas::{OperationId, otp};
use cpaas_tests::examples::{config, example};

fn client(status: u16, body: &str) -> Client {
    let body = body.to_owned();
    let transport = move |_: HttpRequest| {
        let body = body.clone();
        async move { Ok::<_, TransportError>(HttpResponse::new(status, Vec::new(), body)) }
    };
    Client::with_transport(&config("http://127.0.0.1:9").max_attempts(1), transport).unwrap()
}

async fn error_of(id: &str, request: &str, status: u16, body: &str) -> Error {
    let operation = OperationId::find(id).unwrap();
    client(status, body).call_json(operation, request).await.unwrap_err()
}

/// All texts of an error, without the random id of its call, which may contain the digits of a short passcode.
fn texts(error: &Error) -> String {
    let texts = format!("{error} {error:?} {}", error.to_json());
    error.call_id.as_ref().map_or_else(|| texts.clone(), |id| texts.replace(id.as_str(), ""))
}

fn verification(passcode: &str) -> String {
    format!(r#"{{"service":"login","requestId":"OTP1","code":"{passcode}"}}"#)
}

#[tokio::test]
async fn an_error_contains_no_key_that_the_response_repeats() {
    let table = [
        ("otp.send", 401, r#"{"code":401,"message":"bad SECRET","requestID":null}"#, "k-api-7f3a"),
        // The header of the same key: "AC1:k-api-7f3a" in base64.
        ("otp.send", 401, r#"{"code":401,"message":"Basic SECRET"}"#, "QUMxOmstYXBpLTdmM2E="),
        ("otp.send", 401, r#"{"code":401,"message":"bad","requestID":"SECRET"}"#, "k-api-7f3a"),
        ("sms.send", 200, r#"{"responseCode":901,"responseText":"SECRET, SECRET"}"#, "k-sms-91bc"),
        ("lookup.numbers", 200, r#"{"responseCode":901,"responseText":"SECRET"}"#, "k-lookup-55de"),
        ("messages.send", 401, r#"{"code":401,"message":"SECRET"}"#, "k-msg-20ff"),
        ("webhooks.messenger_b.set", 200, r#"{"status":2,"status_message":"SECRET"}"#, "t-chan-b-66aa"),
    ];
    for (id, status, body, secret) in table {
        let body = body.replace("SECRET", secret);
        let error = error_of(id, example(id).request, status, &body).await;
        assert!(texts(&error).contains("[secret]") && !texts(&error).contains(secret), "{error:?} {body}");
        let read = HttpResponse::new(status, Vec::new(), body.clone());
        let error = client(status, &body).read_response(OperationId::find(id).unwrap(), read).unwrap_err();
        assert!(!texts(&error).contains(secret), "{error:?} {body}");
    }
}

#[tokio::test]
async fn an_error_contains_no_passcode_and_no_token_that_the_response_repeats() {
    let message = r#"{"code":401,"message":"not 482913","requestID":null}"#;
    let error = error_of("otp.verify", &verification("482913"), 401, message).await;
    assert_eq!(error.provider_message.as_deref(), Some("not [secret]"));

    let message = r#"{"code":400,"message":"not 482913","requestID":null}"#;
    let typed = otp::VerifyPasscode::new("login", RequestId::new("OTP1"), Code::new("482913"));
    let error = client(200, message).call(typed).await.unwrap_err();
    assert_eq!(error.provider_message.as_deref(), Some("not [secret]"));

    let bot = r#"{"bot_id":"110201543:AAHdqTcv"}"#;
    let message = r#"{"ok":false,"error_code":401,"description":"no bot 110201543:AAHdqTcv"}"#;
    let error = error_of("webhooks.messenger_c.delete", bot, 200, message).await;
    assert_eq!(error.provider_message.as_deref(), Some("no bot [secret]"));

    // The id of the request remains, also if it contains the passcode.
    let request = r#"{"service":"login","requestId":"OTP4829130","code":"482913"}"#;
    let body = r#"{"code":500,"message":"m","requestID":"OTP4829130"}"#;
    let error = error_of("otp.verify", request, 200, body).await;
    assert_eq!(error.request_id.as_ref().unwrap(), &"OTP4829130");
}

/// The member has the same name in the request.
#[tokio::test]
async fn a_code_that_repeats_the_passcode_is_not_a_result() {
    let codes = [("482913", "482913"), ("482913", r#""482913""#), ("0123", "123"), ("0123", r#""0123""#)];
    for (passcode, code) in codes {
        let body = format!(r#"{{"code":{code},"message":"no","requestID":null}}"#);
        for (status, outcome) in [(200, Outcome::Unknown), (400, Outcome::Rejected), (500, Outcome::Unknown)]
        {
            let error = error_of("otp.verify", &verification(passcode), status, &body).await;
            assert_eq!((error.outcome, error.code), (outcome, None), "{status} {body}");
            assert!(!texts(&error).contains(passcode.trim_start_matches('0')), "{error:?} {body}");
        }
    }
    let bot = r#"{"bot_id":"110201543"}"#;
    let body = r#"{"ok":false,"error_code":110201543,"description":"no"}"#;
    assert_eq!(error_of("webhooks.messenger_c.delete", bot, 200, body).await.code, None);
}

#[tokio::test]
async fn a_code_of_the_provider_that_equals_the_passcode_is_a_result() {
    for (passcode, code) in [("0200", 200), ("200", 200), ("0400", 400), ("0410", 410)] {
        let body = format!(r#"{{"code":{code},"message":"OK","requestID":"OTP1"}}"#);
        let request = verification(passcode);
        let response = client(200, &body).call_json(OperationId::OtpVerify, &request).await.unwrap();
        assert!(response.value.contains(&format!(r#""code":{code}"#)), "{}", response.value);
    }
    let body = r#"{"code":401,"message":"no","requestID":null}"#;
    assert_eq!(error_of("otp.verify", &verification("0401"), 401, body).await.code, Some(401));
}
