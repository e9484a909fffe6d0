//! A typed `otp.verify` returns an invalid passcode as an error; a call with JSON returns it as a result. Hooks and tracing report
//! both as `not_verified`.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cpaas::client::{Client, blocking};
use cpaas::error::{Outcome, Processed, Reason, SentState};
use cpaas::http::HttpResponse;
use cpaas::otp::{Code, RequestId};
use cpaas::{Error, OperationId, otp};
use cpaas_sandbox::{MessageFilter, Sandbox};
use cpaas_tests::examples::config;
use cpaas_tests::fault_server::{ConnectionEnd, FaultServer, Reply};
use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

fn verify() -> otp::VerifyPasscode {
    otp::VerifyPasscode::new("login", RequestId::new("OTP1"), Code::new("482913"))
}

const REQUEST: &str = r#"{"service":"login","requestId":"OTP1","code":"482913"}"#;

/// The codes with the status 200 and with their own, and whether they report an invalid passcode.
const CODES: [(u16, bool); 6] =
    [(400, true), (404, true), (410, true), (401, false), (403, false), (429, false)];

fn rejection(status: u16, code: u16) -> Reply {
    Reply::json(status, &json!({"code": code, "message": "said", "requestID": null}).to_string())
}

fn is_not_verified(error: &Error, status: u16, code: u16) {
    assert_eq!((error.outcome, error.reason), (Outcome::Rejected, Reason::NotVerified));
    assert_eq!((error.sent, error.processed(), error.retryable()), (SentState::Yes, Processed::No, false));
    assert_eq!((error.status, error.code), (Some(status), Some(i64::from(code))));
    assert_eq!((error.provider_message.as_deref(), error.attempts), (Some("said"), 1));
    assert!(error.to_json().contains(r#""reason":"not_verified","operation":"otp.verify""#));
    assert!(!error.to_json().contains("482913"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invalid_passcode_is_an_error_of_typed_calls_only() {
    for (code, is_passcode) in CODES {
        for status in [200, code] {
            let server = FaultServer::serve(move |_| rejection(status, code)).await.unwrap();
            let config = config(&server.url()).max_attempts(1);
            let client = Client::new(&config).unwrap();
            let typed = client.call(verify()).await.unwrap_err();
            let inner = client.clone();
            // A thread without a runtime.
            let blocked = std::thread::spawn(move || {
                blocking::Client::over(inner).unwrap().call(verify()).unwrap_err()
            });
            let json = client.call_json(OperationId::OtpVerify, REQUEST).await;
            let body = json!({"code": code, "message": "said", "requestID": null}).to_string();
            let read =
                client.read_response(OperationId::OtpVerify, HttpResponse::new(status, Vec::new(), body));
            for error in [typed, blocked.join().unwrap()] {
                if is_passcode {
                    is_not_verified(&error, status, code);
                } else {
                    assert_eq!((error.outcome, error.reason), (Outcome::Rejected, Reason::Http), "{code}");
                }
            }
            assert_eq!((json.is_ok(), read.is_ok()), (is_passcode, is_passcode), "{code} {status}");
        }
    }
}

/// The person who entered the code is not to blame for an id or a service that the provider does not know.
#[tokio::test]
async fn an_unknown_id_or_service_is_named() {
    for (status, code, expected) in [
        (
            404,
            404,
            "no passcode has this id and service (HTTP 404, code 404): check the request id and the service",
        ),
        (
            200,
            404,
            "no passcode has this id and service (HTTP 200, code 404): check the request id and the service",
        ),
        (410, 410, "the passcode is wrong, expired, cancelled or already used (HTTP 410, code 410)"),
    ] {
        let server = FaultServer::serve(move |_| rejection(status, code)).await.unwrap();
        let client = Client::new(&config(&server.url()).max_attempts(1)).unwrap();
        let error = client.call(verify()).await.unwrap_err();
        is_not_verified(&error, status, code);
        assert_eq!(error.message, format!("{expected}; see `provider_message`"));
        let meaning = error.code_meaning.as_deref();
        assert_eq!(meaning == Some("no passcode has this id and service"), code == 404);
        assert_eq!(meaning == Some("the passcode is wrong, or the request is invalid"), code == 400);
    }
}

#[tokio::test]
async fn a_valid_passcode_is_the_typed_result() {
    let body = r#"{"code":200,"message":"OK","requestID":"OTP1"}"#;
    let server = FaultServer::serve(|_| Reply::json(200, body)).await.unwrap();
    let client = Client::new(&config(&server.url())).unwrap();
    let verified = client.call(verify()).await.unwrap();
    assert!(verified.is_ok());
    assert_eq!(verified.request_id, Some(RequestId::new("OTP1")));
}

#[tokio::test]
async fn a_lost_verification_that_the_records_show_as_invalid_is_an_error_too() {
    let server = FaultServer::serve(|request| {
        if request.method == "POST" {
            return Reply::new("", ConnectionEnd::Fin);
        }
        let check = json!({"sid": "OTC1", "dateReceived": "2024-02-29 12:00:00", "status": "invalid", "code": "482913"});
        let body = json!({"sid": "OTP1", "status": "success", "checks": [check]}).to_string();
        let headers = "content-type: application/json\r\ndate: Thu, 29 Feb 2024 12:00:01 GMT\r\n";
        Reply::new(
            cpaas_tests::fault_server::response_bytes(200, headers, body.as_bytes()),
            ConnectionEnd::Keep,
        )
    });
    let server = server.await.unwrap();
    let error = Client::new(&config(&server.url())).unwrap().call(verify()).await.unwrap_err();
    assert_eq!((error.outcome, error.reason), (Outcome::Rejected, Reason::NotVerified));
    assert_eq!((error.processed(), error.retryable()), (Processed::No, false));
    assert!(error.problems.iter().any(|problem| problem.code == "response.reconciled"));
}

/// Keeps the fields of all events of the library.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0 += &format!(" {}={value:?}", field.name());
    }
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("cpaas")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn hooks_and_tracing_end_with_not_verified() {
    let lines = Lines::default();
    let _guard = tracing::subscriber::set_default(lines.clone());
    let server = FaultServer::serve(|_| rejection(200, 410)).await.unwrap();
    let events = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&events);
    let client = Client::new(&config(&server.url())).unwrap().on_outcome(move |event| {
        let reason = event.reason.map(|reason| serde_json::to_string(&reason).unwrap());
        kept.lock().unwrap().push((event.ending.as_str(), event.sent, reason, event.status));
    });
    client.call(verify()).await.unwrap_err();
    client.call_json(OperationId::OtpVerify, REQUEST).await.unwrap();
    let expected = ("not_verified", SentState::Yes, Some(r#""not_verified""#.to_owned()), Some(200));
    assert_eq!(*events.lock().unwrap(), [expected.clone(), expected]);
    let lines = lines.0.lock().unwrap();
    let ended: Vec<_> = lines.iter().filter(|line| line.contains("call ended")).collect();
    assert_eq!(ended.len(), 2, "{lines:?}");
    assert!(ended.iter().all(|line| line.contains(r#"ending="not_verified""#)), "{ended:?}");
}

#[tokio::test]
async fn the_sandbox_rejects_wrong_used_and_unknown_passcodes() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let client = Client::new(&sandbox.config()).unwrap();
    let to = "306900000001";
    let sent = client.call(otp::SendPasscode::new("login", "Acme", to, "Your code is {code}")).await.unwrap();
    let id = sent.request_id.clone().unwrap();
    let message = sandbox.wait_for(&MessageFilter::to(to), Duration::from_secs(30)).await.unwrap();
    let code = message.otp.unwrap();
    let verify =
        |id: &RequestId, code: &str| client.call(otp::VerifyPasscode::new("login", id, Code::new(code)));
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let expect = |error: Error, code: i64| {
        assert_eq!((error.outcome, error.reason), (Outcome::Rejected, Reason::NotVerified));
        assert_eq!(error.code, Some(code));
        assert!(error.provider_message.is_some());
    };
    expect(verify(&id, wrong).await.unwrap_err(), 400);
    assert!(verify(&id, &code).await.unwrap().is_ok());
    expect(verify(&id, &code).await.unwrap_err(), 410);
    expect(verify(&RequestId::new("OTP00000000000000000000000000000000"), &code).await.unwrap_err(), 404);
}
