//! The id of a call: on its result or error, in its events and log lines, and in the header `traceparent`.

use std::collections::HashSet;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cpaas::client::{CallOptions, Client, RawCall, TransportError, blocking};
use cpaas::error::{Outcome, Reason, SentState};
use cpaas::http::{Family, HttpRequest, HttpResponse, Method};
use cpaas::{Config, OperationId, otp, sms};
use cpaas_sandbox::{ClockMode, MessageFilter, Sandbox};
use cpaas_tests::examples::{config, example};
use serde_json::Value;

type Response = Result<HttpResponse, TransportError>;

const TRACE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// A client whose transport responds from `script`, and the header `traceparent` of its requests.
fn scripted(
    config: &Config,
    script: impl Fn(usize) -> Response + Send + Sync + 'static,
) -> (Client, Arc<Mutex<Vec<Option<String>>>>) {
    let traces = Arc::<Mutex<Vec<Option<String>>>>::default();
    let keep = traces.clone();
    let transport = move |request: HttpRequest| {
        let mut kept = keep.lock().unwrap();
        let response = script(kept.len());
        let mut found =
            request.headers.into_iter().filter(|(name, _)| name.eq_ignore_ascii_case("traceparent"));
        kept.push(found.next().map(|(_, value)| value));
        assert!(found.next().is_none(), "one header at most");
        async move { response }
    };
    (Client::with_transport(config, transport).unwrap(), traces)
}

fn address() -> Config {
    config("http://cpaas.test")
}

fn ok() -> Response {
    Ok(HttpResponse::new(200, vec![], example("sms.send").response))
}

fn lost() -> Response {
    Err(TransportError::new(SentState::No, Reason::Connect))
}

fn send() -> sms::SendSms {
    sms::SendSms::new("Acme", "306912345678", "Your table is ready")
}

fn is_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[tokio::test(start_paused = true)]
async fn the_result_or_the_error_of_a_call_has_the_id_of_its_event() {
    let (client, _) = scripted(&address().max_attempts(1), |nth| match nth {
        0 | 1 => ok(),
        2 => Ok(HttpResponse::new(200, vec![], r#"{"responseCode":904,"responseText":"no"}"#)),
        3 => lost(),
        4 => Ok(HttpResponse::new(400, vec![], r#"{"code":400,"message":"m","requestID":null}"#)),
        _ => Ok(HttpResponse::new(200, vec![], "{}")),
    });
    let ended = Arc::<Mutex<Vec<String>>>::default();
    let keep = ended.clone();
    let client = client.on_outcome(move |event| keep.lock().unwrap().push(event.call_id.to_owned()));
    let zero = CallOptions::new().timeout(Duration::ZERO);
    let refused = CallOptions::new().header("Host", "other");
    let json = r#"{"from":"Acme","to":"306912345678","text":"Hi"}"#;
    let error = |error: cpaas::Error| error.call_id.clone().unwrap();
    let ids = [
        client.call(send()).await.unwrap().call_id,
        client.with(CallOptions::new()).call(send()).await.map_or_else(error, |sent| sent.call_id),
        error(client.call_json(OperationId::SmsSend, json).await.unwrap_err()),
        error(client.call(send()).await.unwrap_err()),
        error(
            client
                .call(otp::VerifyPasscode::new(
                    "login",
                    otp::RequestId::new("OTP1"),
                    otp::Code::new("123456"),
                ))
                .await
                .unwrap_err(),
        ),
        client.call_raw(RawCall::new(Method::Get, Family::Sms, "/x")).await.unwrap().call_id,
        error(client.call(sms::SendSms::new("", "", "")).await.unwrap_err()),
        error(client.call_json(OperationId::SmsSend, "{}").await.unwrap_err()),
        error(client.call_raw(RawCall::new(Method::Get, Family::Sms, "no-slash")).await.unwrap_err()),
        error(client.with(zero).call(send()).await.unwrap_err()),
        error(client.with(refused).call(send()).await.unwrap_err()),
    ];
    assert_eq!(*ended.lock().unwrap(), ids);
    assert!(ids.iter().all(|id| is_id(id)), "{ids:?}");
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
}

#[tokio::test]
async fn the_error_record_contains_the_id_and_equality_does_not_compare_it() {
    let (client, _) = scripted(&address().max_attempts(1), |_| lost());
    let one = client.call(send()).await.unwrap_err();
    let other = client.call(send()).await.unwrap_err();
    assert_ne!(one.call_id, other.call_id);
    assert_eq!(one, other);
    let id = one.call_id.clone().unwrap();
    assert!(one.to_json().contains(&format!(r#""attempts":1,"call_id":"{id}""#)), "{}", one.to_json());
    let stored: cpaas::Error = serde_json::from_str(&one.to_json()).unwrap();
    assert_eq!((stored.call_id.as_deref(), stored.to_json()), (Some(&*id), one.to_json()));
    assert!(format!("{one:?}").contains(&id));
}

#[tokio::test]
async fn an_error_without_a_call_has_no_id() {
    assert!(Client::new(&Config::default().sms_url("ftp://x")).unwrap_err().call_id.is_none());
    let client = Client::new(&address()).unwrap();
    let error = OperationId::SmsSend.prepare_json("{}", client.context()).unwrap_err();
    assert!(error.call_id.is_none() && !error.to_json().contains("call_id"));
}

#[tokio::test(start_paused = true)]
async fn each_request_has_its_own_traceparent() {
    let (client, traces) = scripted(&address().max_attempts(3), |nth| if nth < 2 { lost() } else { ok() });
    let client = client.traceparent(|request| {
        (request.attempt != 2)
            .then(|| format!("00-{}-00000000000000a{}-01", request.call_id, request.attempt))
    });
    let id = client.call(send()).await.unwrap().call_id;
    let expected =
        [Some(format!("00-{id}-00000000000000a1-01")), None, Some(format!("00-{id}-00000000000000a3-01"))];
    assert_eq!(*traces.lock().unwrap(), expected);
}

#[tokio::test(start_paused = true)]
async fn the_setting_sends_the_id_of_the_call() {
    let settings = address().max_attempts(3).send_traceparent(true).accept_repeated_ids(true);
    let (client, traces) = scripted(&settings, |nth| if nth == 0 { lost() } else { ok() });
    let id = client.call(send()).await.unwrap().call_id;
    client.call(send()).await.unwrap();
    let traces = traces.lock().unwrap();
    assert_eq!(traces[0], Some(format!("00-{id}-0000000000000001-00")));
    assert_eq!(traces[1], Some(format!("00-{id}-0000000000000002-00")));
    assert!(!traces[2].as_ref().unwrap().contains(&id), "another call has another id");
}

#[tokio::test]
async fn by_default_no_traceparent_is_sent() {
    for config in [address(), address().send_traceparent(false)] {
        let (client, traces) = scripted(&config, |_| ok());
        client.call(send()).await.unwrap();
        assert_eq!(*traces.lock().unwrap(), [None]);
    }
}

#[tokio::test]
async fn the_header_of_the_caller_then_the_hook_then_the_setting() {
    for (is_set, has_hook, has_header) in (0..8).map(|bits| (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0)) {
        let (mut client, traces) = scripted(&address().send_traceparent(is_set), |_| ok());
        if has_hook {
            client = client.traceparent(|_| Some("00-hook".to_owned()));
        }
        let header = CallOptions::new().header("Traceparent", TRACE);
        let options = if has_header { header } else { CallOptions::new() };
        let id = client.with(options).call(send()).await.unwrap().call_id;
        let own = is_set.then(|| format!("00-{id}-0000000000000001-00"));
        let hooked = if has_hook { Some("00-hook".to_owned()) } else { own };
        let expected = if has_header { Some(TRACE.to_owned()) } else { hooked };
        assert_eq!(*traces.lock().unwrap(), [expected], "{is_set} {has_hook} {has_header}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_traceparent_that_never_arrives_sends_nothing_after_the_deadline() {
    let (client, traces) = scripted(&address().deadline(Duration::from_secs(7)), |_| ok());
    let client = client.traceparent_later(|_| Box::pin(pending()));
    let started = tokio::time::Instant::now();
    let error = client.call(send()).await.unwrap_err();
    assert_eq!(
        (error.outcome, error.sent, error.reason),
        (Outcome::NotSent, SentState::No, Reason::Deadline)
    );
    assert_eq!(started.elapsed().as_secs(), 7);
    assert!(traces.lock().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_end_of_each_request_is_reported() {
    let (client, _) = scripted(&address().max_attempts(4), |nth| match nth {
        0 => lost(),
        1 => Ok(HttpResponse::new(429, vec![], r#"{"responseCode":499,"responseText":"slow"}"#)),
        _ => Err(TransportError::new(SentState::Yes, Reason::Reset).partial(HttpResponse::new(
            200,
            vec![],
            "",
        ))),
    });
    let seen = Arc::<Mutex<Vec<String>>>::default();
    let (requests, responses, ends) = (seen.clone(), seen.clone(), seen.clone());
    let client = client
        .on_request(move |event| requests.lock().unwrap().push(format!("start {}", event.attempt)))
        .on_response(move |event| responses.lock().unwrap().push(format!("status {}", event.status)))
        .on_request_end(move |event| {
            assert!(event.elapsed < Duration::from_secs(1), "without the wait for the next attempt");
            let reason = event.reason.map_or("", Reason::as_str);
            ends.lock().unwrap().push(format!("end {} {:?} {reason}", event.request.attempt, event.status));
        });
    client.call(send()).await.unwrap_err();
    let expected = [
        "start 1",
        "end 1 None connect",
        "start 2",
        "status 429",
        "end 2 Some(429) ",
        "start 3",
        "status 200",
        "end 3 Some(200) reset",
    ];
    assert_eq!(*seen.lock().unwrap(), expected);
}

#[tokio::test]
async fn an_abandoned_request_has_no_end() {
    let transport = |_: HttpRequest| async {
        pending::<()>().await;
        ok()
    };
    let seen = Arc::<Mutex<Vec<&str>>>::default();
    let (ends, calls) = (seen.clone(), seen.clone());
    let client = Client::with_transport(&address(), transport)
        .unwrap()
        .on_request_end(move |_| ends.lock().unwrap().push("end"))
        .on_outcome(move |event| calls.lock().unwrap().push(event.ending.as_str()));
    let call = tokio::time::timeout(Duration::from_millis(20), client.call(send()));
    call.await.unwrap_err();
    assert_eq!(*seen.lock().unwrap(), ["abandoned"]);
}

/// A message of the inbox, and its request in the log, have the header of the request: it connects them with the call.
#[test]
fn the_inbox_of_the_sandbox_shows_the_traceparent_of_each_message() {
    let sandbox = Sandbox::builder().clock(ClockMode::Virtual).start_blocking().unwrap();
    let account = sandbox.credentials().traffic_account_id.clone();
    let failover = format!(
        r#"{{"destination":"9994220001","messenger_b":{{"type":"promotional","text":"Hi"}},"sms":{{"text":"Hi","sender":"Acme"}},
            "failover":{{"type":"Timeout","timeoutFailover":{{"timeoutInSeconds":30,"status":"Delivered",
            "trafficAccounts":["{account}","{account}"]}}}}}}"#
    );
    let chat = r#"{"destination":"306912345678","sms":{"text":"Hi","sender":"Acme"}}"#;
    let cases = [
        ("sms.send", r#"{"from":"Acme","to":"306912345678","text":"Hi"}"#, 1),
        ("sms.send_bulk", r#"{"from":"Acme","to":"306912345678,306912345679","text":"Hi"}"#, 2),
        ("otp.send", r#"{"service":"login","from":"Acme","to":"306912345678","body":"{code}"}"#, 1),
        ("messages.send", chat, 1),
        ("messages.send_failover", &failover, 1),
    ];
    for (operation, request, count) in cases {
        let client = Client::new(&sandbox.config().send_traceparent(true)).unwrap();
        let client = blocking::Client::over(client).unwrap();
        let sent = client.call_json(OperationId::find(operation).unwrap(), request).unwrap();
        let expected = format!("00-{}-0000000000000001-00", sent.call_id);
        let inbox = sandbox.messages(&MessageFilter::default());
        let found: Vec<_> =
            inbox.iter().filter(|message| message.traceparent.as_deref() == Some(&expected)).collect();
        assert_eq!(found.len(), count, "{operation}: {inbox:?}");
        let log = sandbox.control("GET", "/requests", &Value::Null).unwrap();
        assert_eq!(log["requests"].as_array().unwrap().last().unwrap()["traceparent"], expected, "{log}");
    }
    sandbox.advance(Duration::from_secs(60));
    let inbox = sandbox.messages(&MessageFilter::default());
    let next: Vec<_> = inbox
        .iter()
        .filter(|message| message.more.get("failover").is_some_and(|failover| failover["step"] == 2))
        .collect();
    assert!(next.iter().all(|message| message.traceparent.is_some()) && next.len() == 1, "{inbox:?}");
    let plain = blocking::Client::new(&sandbox.config()).unwrap();
    plain.call(send()).unwrap();
    let inbox = sandbox.messages(&MessageFilter::default().contains("table"));
    assert_eq!(inbox.iter().map(|message| message.traceparent.clone()).collect::<Vec<_>>(), [None]);
}
