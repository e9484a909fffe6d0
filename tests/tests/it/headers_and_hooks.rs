//! Headers that the caller adds to a call, and the hooks of requests and responses.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use cpaas::client::{CallOptions, Client, RawCall, TransportError};
use cpaas::error::{Outcome, Reason, SentState};
use cpaas::http::{Family, Method};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::sms;
use cpaas::{lookup, otp, webhooks};
use cpaas_tests::examples::{config, example};

type Response = Result<HttpResponse, TransportError>;

/// A client whose transport responds from `script`, and its requests.
fn scripted(
    script: impl Fn(&HttpRequest, usize) -> Response + Send + Sync + 'static,
) -> (Client, Arc<Mutex<Vec<HttpRequest>>>) {
    let requests = Arc::<Mutex<Vec<HttpRequest>>>::default();
    let keep = requests.clone();
    let transport = move |request: HttpRequest| {
        let mut kept = keep.lock().unwrap();
        let response = script(&request, kept.len());
        kept.push(request);
        async move { response }
    };
    (Client::with_transport(&config("http://cpaas.test:8080/base"), transport).unwrap(), requests)
}

fn ok(body: &str) -> Response {
    Ok(HttpResponse::new(200, vec![], body))
}

fn send() -> sms::SendSms {
    sms::SendSms::new("Acme", "306912345678", "Your table is ready")
}

#[tokio::test(start_paused = true)]
async fn a_header_of_a_call_is_sent_with_each_attempt_of_this_call_only() {
    let (client, requests) = scripted(|_, nth| match nth {
        0 => Err(TransportError::new(SentState::No, Reason::Connect)),
        _ => ok(example("sms.send").response),
    });
    client.with(CallOptions::new().header("X-Tenant", "shop-7")).call(send()).await.unwrap();
    client.call(send()).await.unwrap();
    let has = |request: &HttpRequest| request.headers.contains(&("X-Tenant".to_owned(), "shop-7".to_owned()));
    assert_eq!(requests.lock().unwrap().iter().map(has).collect::<Vec<_>>(), [true, true, false]);
}

#[tokio::test]
async fn headers_of_the_client_and_credentials_are_refused_by_name() {
    let (client, requests) = scripted(|_, _| ok(example("sms.send").response));
    for name in [
        "Authorization",
        "AUTHORIZATION",
        "Proxy-Authorization",
        "Host",
        "Content-Length",
        "content-type",
        "User-Agent",
        "Connection",
        "Transfer-Encoding",
        "Cookie",
        "X-Service-API-Key",
        "X-Channel-Auth-Token",
        "TE",
        "Upgrade",
        "Expect",
        "Keep-Alive",
        "Accept-Encoding",
        "Trailer",
        "Proxy-Connection",
        "proxy-anything",
    ] {
        let options = CallOptions::new().header(name, "secret-value");
        let error = client.with(options).call(send()).await.unwrap_err();
        assert_eq!((error.outcome, error.sent), (Outcome::Invalid, SentState::No), "{name}");
        assert!(error.message.contains(&format!("`{name}`")), "{}", error.message);
        assert!(!format!("{error} {error:?}").contains("secret-value"));
        assert_eq!(error.operation, "sms.send");
        let raw = RawCall::new(Method::Post, Family::Sms, "/new").header(name, "1");
        assert_eq!(client.call_raw(raw).await.unwrap_err().outcome, Outcome::Invalid, "{name}");
    }
    assert!(requests.lock().unwrap().is_empty());
}

#[tokio::test]
async fn the_configured_name_of_a_key_header_is_refused() {
    let config = config("http://cpaas.test").api_key_header("X-Mine");
    let client = Client::with_transport(&config, |_: HttpRequest| async { ok("{}") }).unwrap();
    let error = client.with(CallOptions::new().header("x-mine", "1")).call(send()).await.unwrap_err();
    assert_eq!((error.outcome, error.sent), (Outcome::Invalid, SentState::No));
}

#[tokio::test]
async fn names_that_are_not_tokens_and_values_with_line_ends_are_refused() {
    let (client, requests) = scripted(|_, _| ok(example("sms.send").response));
    let bad = [
        ("", "1"),
        ("X A", "1"),
        ("X-A:", "1"),
        ("X-A\r\nHost", "1"),
        ("Ξ", "1"),
        ("X-A", "1\r\nHost: other"),
        ("X-A", "1\n2"),
        ("X-A", "1\r2"),
        ("X-A", "1\0"),
        ("X-A", "\u{7f}"),
        ("X-A", "λ"),
    ];
    for (name, value) in bad {
        let error = client.with(CallOptions::new().header(name, value)).call(send()).await.unwrap_err();
        assert_eq!((error.outcome, error.sent), (Outcome::Invalid, SentState::No), "{name:?} {value:?}");
    }
    assert!(requests.lock().unwrap().is_empty());
    assert!(!format!("{:?}", CallOptions::new().header("X-A", "secret-value")).contains("secret-value"));
}

#[tokio::test(start_paused = true)]
async fn hooks_receive_each_request_and_each_response() {
    let (client, _) = scripted(|_, nth| match nth {
        0 => Err(TransportError::new(SentState::No, Reason::Connect)),
        1 => Ok(HttpResponse::new(429, vec![], r#"{"responseCode":499,"responseText":"slow"}"#)),
        _ => ok(example("sms.send").response),
    });
    let seen = Arc::<Mutex<Vec<String>>>::default();
    let (requests, responses, calls) = (seen.clone(), seen.clone(), seen.clone());
    let client = client
        .on_request(move |event| {
            let text = format!("{} {} {} {}", event.operation, event.attempt, event.method, event.url);
            requests.lock().unwrap().push(text);
        })
        .on_response(move |event| {
            responses.lock().unwrap().push(format!("{} {}", event.request.attempt, event.status));
        })
        .on_outcome(move |event| calls.lock().unwrap().push(event.ending.as_str().to_owned()));
    client.call(send()).await.unwrap();
    client.clone().without_request_hooks().call(sms::SendSms::new("", "", "")).await.unwrap_err();
    let request = |attempt| format!("sms.send {attempt} POST http://cpaas.test:8080/base/sms");
    let expected = [
        request(1),
        request(2),
        "2 429".into(),
        request(3),
        "3 200".into(),
        "accepted".into(),
        "invalid".into(),
    ];
    assert_eq!(*seen.lock().unwrap(), expected);
}

#[tokio::test]
async fn nothing_is_sent_after_a_request_hook_that_outlasts_the_deadline() {
    let (client, requests) = scripted(|_, _| ok(example("sms.send").response));
    let client = client
        .on_request(|_| std::thread::sleep(Duration::from_millis(300)))
        .with(CallOptions::new().deadline(Duration::from_millis(100)));
    let error = client.call(send()).await.unwrap_err();
    assert_eq!((error.outcome, error.sent), (Outcome::NotSent, SentState::No));
    assert_eq!(error.reason, Reason::Deadline);
    assert!(requests.lock().unwrap().is_empty());
}

#[tokio::test]
async fn all_events_of_a_call_have_the_same_call_id() {
    let (client, _) = scripted(|_, _| ok(example("sms.send").response));
    let seen = Arc::<Mutex<Vec<String>>>::default();
    let (requests, responses, calls) = (seen.clone(), seen.clone(), seen.clone());
    let client = client
        .on_request(move |event| requests.lock().unwrap().push(event.call_id.clone()))
        .on_response(move |event| responses.lock().unwrap().push(event.request.call_id.clone()))
        .on_outcome(move |event| calls.lock().unwrap().push(event.call_id.to_owned()));
    let _ = client.call(send()).await;
    let _ = client.call(send().reference("2")).await;
    let seen = seen.lock().unwrap().clone();
    assert_eq!(seen.len(), 6);
    assert!(seen[0] == seen[1] && seen[1] == seen[2] && seen[3] == seen[5], "{seen:?}");
    assert_ne!(seen[0], seen[3]);
}

#[tokio::test]
async fn urls_of_events_contain_no_secret() {
    let (client, _) = scripted(|_, _| ok("{}"));
    let seen = Arc::<Mutex<Vec<String>>>::default();
    let keep = seen.clone();
    let client = client.on_request(move |event| keep.lock().unwrap().push(event.url.clone()));
    let _ = client.call(otp::GetPasscode::new(otp::RequestId::new("OTP-id-1"))).await;
    let _ = client.call(lookup::LookUpNumbers::new("306912345678")).await;
    let _ = client.call(webhooks::messenger_c::GetMessengerCWebhookInfo::new("12345:bot-token")).await;
    let _ = client
        .call_raw(RawCall::new(Method::Get, Family::MessengerC, "/12345:bot-token/getMe").query("a", "b"))
        .await;
    let seen = seen.lock().unwrap().join("\n");
    for secret in ["OTP-id-1", "306912345678", "bot-token", "=b"] {
        assert!(!seen.contains(secret), "{secret} in {seen}");
    }
    for part in [
        "http://cpaas.test:8080/base/2fa/search/{sid}",
        "/base/{bot_id}/getWebhookInfo",
        "http://cpaas.test:8080/REDACTED?a=REDACTED",
    ] {
        assert!(seen.contains(part), "{part} in {seen}");
    }
}

#[tokio::test]
async fn a_query_of_the_records_is_marked_and_has_the_headers_of_the_call() {
    let (client, requests) = scripted(|_, _| Ok(HttpResponse::new(200, vec![], "not json")));
    let seen = Arc::<Mutex<Vec<(&str, bool)>>>::default();
    let keep = seen.clone();
    let client =
        client.on_request(move |event| keep.lock().unwrap().push((event.operation, event.is_lookup)));
    let client = client.with(CallOptions::new().header("X-Tenant", "shop-7").max_attempts(1));
    let _ = client.call(otp::CancelPasscode::new(otp::RequestId::new("OTP1"))).await.unwrap_err();
    let seen = seen.lock().unwrap();
    assert_eq!(seen[0], ("otp.cancel", false));
    assert!(seen.len() > 1 && seen[1..].iter().all(|event| *event == ("otp.cancel", true)), "{seen:?}");
    let has = |request: &HttpRequest| request.headers.iter().any(|(name, _)| name == "X-Tenant");
    assert!(requests.lock().unwrap().iter().all(has));
}
