//! The client: retry budget, validation, hooks, raw calls, the blocking client, responses of other HTTP clients, and invalid
//! configurations.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cpaas::client::{CallOptions, Client, RawCall, TransportError, blocking};
use cpaas::config::{MessagingAuth, Normalize, Region, Validation};
use cpaas::error::{Outcome, Reason, SentState};
use cpaas::http::{Family, Method};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::operation::RetrySafety;
use cpaas::otp;
use cpaas::{Config, OperationId, sms};
use cpaas_tests::examples::{config, example};
use cpaas_tests::fault_server::{FaultServer, Reply};

type Response = Result<HttpResponse, TransportError>;

/// A client whose transport responds from `script`, and the number of its requests.
fn scripted(
    script: impl Fn(HttpRequest, usize) -> Response + Send + Sync + 'static,
) -> (Client, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let transport = move |request: HttpRequest| {
        let response = script(request, count.fetch_add(1, Ordering::SeqCst));
        async move { response }
    };
    (Client::with_transport(&config("http://cpaas.test"), transport).unwrap(), asked)
}

fn ok(body: &str) -> Response {
    Ok(HttpResponse::new(200, vec![], body))
}

fn send() -> sms::SendSms {
    sms::SendSms::new("Acme", "306912345678", "Your table is ready").reference("booking-7")
}

#[tokio::test(start_paused = true)]
async fn a_failing_provider_is_retried_at_most_fifty_times() {
    let up = Arc::new(AtomicUsize::new(0));
    let is_up = Arc::clone(&up);
    let (client, asked) = scripted(move |_, _| match is_up.load(Ordering::SeqCst) {
        0 => Err(TransportError::new(SentState::No, Reason::Connect)),
        _ => ok(example("sms.send").response),
    });
    for call in 0..40 {
        // A clone shares the budget.
        let error = client.clone().call(send()).await.unwrap_err();
        assert_eq!(
            (error.outcome, error.attempts),
            (Outcome::NotSent, if call < 25 { 3 } else { 1 }),
            "{call}"
        );
    }
    assert_eq!(asked.load(Ordering::SeqCst), 40 + 50);
    // Ten accepted calls earn one retry.
    up.store(1, Ordering::SeqCst);
    for _ in 0..10 {
        client.call(send()).await.unwrap();
    }
    up.store(0, Ordering::SeqCst);
    assert_eq!(client.call(send()).await.unwrap_err().attempts, 2);
    assert_eq!(client.call(send()).await.unwrap_err().attempts, 1);
}

/// Outcome, reason and attempts of a call whose first attempt was reset and whose later ones were not sent, and its advice.
async fn after_a_reset(id: OperationId) -> (Outcome, Reason, u32, String) {
    let (client, _) = scripted(|_, nth| match nth {
        0 => Err(TransportError::new(SentState::Maybe, Reason::Reset)),
        _ => Err(TransportError::new(SentState::No, Reason::Dns)),
    });
    let client = client.with(CallOptions::new().retry_unknown(true));
    let error = client.call_json(id, example(id.meta().id).request).await.unwrap_err();
    let advice = error.message.rsplit_once(": ").unwrap().1.to_owned();
    (error.outcome, error.reason, error.attempts, advice)
}

#[tokio::test(start_paused = true)]
async fn the_reason_of_an_unknown_outcome_is_that_of_the_unknown_attempt() {
    for (id, advice) in [
        (OperationId::SmsSend, "look for its effect before sending again"),
        (OperationId::OtpGet, "it is safe to make the call again"),
    ] {
        let expected = (Outcome::Unknown, Reason::Reset, 3, advice.to_owned());
        assert_eq!(after_a_reset(id).await, expected, "{id:?}");
    }
}

#[tokio::test]
async fn validation_rejects_the_call_warns_or_is_off() {
    let (client, asked) = scripted(|_, _| ok(example("sms.send").response));
    let bad = || sms::SendSms::new("", "306912345678", "Γεια σου");
    let error = client.call(bad()).await.unwrap_err();
    assert_eq!(
        (error.outcome, error.sent, error.reason),
        (Outcome::Invalid, SentState::No, Reason::Validation)
    );
    assert_eq!(error.problems[0].pointer, "/from");
    assert_eq!(asked.load(Ordering::SeqCst), 0);

    let warned = client.with(CallOptions::new().validation(Validation::Warn)).call(bad()).await.unwrap();
    assert_eq!(warned.warnings[0].pointer, "/from");
    let silent = client.with(CallOptions::new().validation(Validation::Off)).call(bad()).await.unwrap();
    assert!(silent.warnings.iter().all(|warning| warning.code.starts_with("response.")));
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}

/// The warnings may explain the rejection, so the message names the first; informational problems and rate limits do not count.
#[tokio::test]
async fn the_message_of_a_rejection_names_a_warning() {
    let (client, _) = scripted(|_, nth| {
        let (status, code) = if nth == 2 { (429, 906) } else { (404, 902) };
        let body = format!(r#"{{"responseCode":{code},"responseText":"no"}}"#);
        Ok(HttpResponse::new(status, vec![], body))
    });
    let client = client.with(CallOptions::new().max_attempts(1));
    let message = async |from: &str, text: &str| {
        let error = client.call(sms::SendSms::new(from, "306912345678", text)).await.unwrap_err();
        (error.problems.len(), error.message.clone())
    };
    let (found, text) = message("+306900000000", "it’s here").await;
    assert!(
        found == 2 && text.contains("; validation had found: /from: ") && text.ends_with("], and 1 more"),
        "{text}"
    );
    let (found, text) = message("Acme", &"a".repeat(161)).await;
    assert!(found == 1 && !text.contains("validation"), "{text}");
    let (found, text) = message("+306900000000", "Hi").await;
    assert!(found == 1 && !text.contains("validation"), "{text}");
}

/// A person reads the first cause: a misspelled name rather than the member that is missing for it, and no information.
#[tokio::test]
async fn the_message_of_an_invalid_request_names_the_cause_to_correct() {
    let (client, _) = scripted(|_, _| panic!("nothing is sent"));
    let client = client.with(CallOptions::new().validation(Validation::Pedantic));
    let message = async |request: String| {
        let error = client.call_json(OperationId::SmsSend, &request).await.unwrap_err();
        (error.problems.len(), error.message.clone())
    };
    let (found, text) = message(r#"{"from":"Acme","to":"306912345678","body":"Hi"}"#.to_owned()).await;
    assert!(found == 2 && text.starts_with("nothing was sent: /body: "), "{text}");
    assert!(text.contains("did you mean `text`?") && text.ends_with(", and 1 more"), "{text}");
    let long = "a".repeat(161);
    let request = format!(r#"{{"from":"Acme","to":"306912345678","text":"{long}","statusCallback":"u"}}"#);
    let (found, text) = message(request).await;
    assert!(found == 2 && text.starts_with("nothing was sent: /statusCallback: "), "{text}");
    assert!(text.ends_with("[msg.field.unknown]"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn the_hook_is_called_once_per_call() {
    let (client, _) = scripted(|_, nth| match nth {
        0 | 2 => ok(example("sms.send").response),
        1 => Ok(HttpResponse::new(404, vec![], r#"{"responseCode":902,"responseText":"no"}"#)),
        _ => Err(TransportError::new(SentState::No, Reason::Dns)),
    });
    let recorded = Arc::<Mutex<Vec<String>>>::default();
    let keep = recorded.clone();
    let client = client.on_outcome(move |event| {
        let (ending, sent) = (event.ending.as_str(), event.sent.as_str());
        let reported = (event.reason, event.status, event.attempts, event.reference);
        keep.lock().unwrap().push(format!("{} {ending} {sent} {reported:?}", event.operation));
    });
    client.call(send()).await.unwrap();
    client.call(send()).await.unwrap_err();
    client.call_json(OperationId::SmsSend, example("sms.send").request).await.unwrap();
    client.call(send()).await.unwrap_err();
    client.call(sms::SendSms::new("", "", "")).await.unwrap_err();
    client.call_raw(RawCall::new(Method::Get, Family::Sms, "no-slash")).await.unwrap_err();
    let tag = r#"Some("booking-7")"#;
    let expected = [
        format!("sms.send accepted yes (None, None, 1, {tag})"),
        format!("sms.send rejected yes (Some(Http), Some(404), 1, {tag})"),
        format!("sms.send accepted yes (None, None, 1, {tag})"),
        format!("sms.send not_sent no (Some(Dns), None, 3, {tag})"),
        "sms.send invalid no (Some(Validation), None, 0, None)".to_owned(),
        "raw invalid no (Some(Config), None, 0, None)".to_owned(),
    ];
    assert_eq!(*recorded.lock().unwrap(), expected);
}

/// A custom transport can report how much of a response it received.
#[tokio::test]
async fn a_partial_response_of_a_transport_decides_the_outcome() {
    let cut = |status, body: &'static str| {
        scripted(move |_, _| {
            let partial = HttpResponse::new(status, vec![], body);
            Err(TransportError::new(SentState::Yes, Reason::Reset).partial(partial))
        })
    };
    let chat = example("messages.send").request;
    let cases = [
        (OperationId::MessagesSend, chat, 200, "", Outcome::AcceptedIdUnknown),
        (OperationId::MessagesSend, chat, 400, "", Outcome::Rejected),
        (OperationId::MessagesSend, chat, 500, "", Outcome::Unknown),
        (OperationId::SmsSend, example("sms.send").request, 200, "", Outcome::Unknown),
        (
            OperationId::SmsSend,
            example("sms.send").request,
            200,
            r#"{"responseCode":0,"#,
            Outcome::AcceptedIdUnknown,
        ),
    ];
    for (operation, request, status, body, outcome) in cases {
        let (client, asked) = cut(status, body);
        let error = client.call_json(operation, request).await.unwrap_err();
        assert_eq!((error.outcome, error.status), (outcome, Some(status)), "{status} {body}");
        assert_eq!(asked.load(Ordering::SeqCst), 1);
    }
}

#[test]
fn a_response_of_another_http_client_has_the_same_outcome() {
    let client = Client::new(&config("http://127.0.0.1:9")).unwrap();
    let read = |status, body: &str| {
        client.read_response(OperationId::SmsSend, HttpResponse::new(status, vec![], body))
    };
    assert!(read(200, example("sms.send").response).unwrap().contains(r#""id":"M1""#));
    let error = read(200, r#"{"responseCode":902,"responseText":"no"}"#).unwrap_err();
    assert_eq!((error.outcome, error.code, error.attempts), (Outcome::Rejected, Some(902), 1));
    assert_eq!(read(200, "<html>").unwrap_err().outcome, Outcome::Unknown);
    assert_eq!(read(503, "").unwrap_err().outcome, Outcome::Unknown);
}

#[tokio::test]
async fn a_raw_call_sends_its_own_headers_and_accepts_xml() {
    let (client, _) = scripted(|request, _| {
        assert_eq!(request.url, "http://cpaas.test/new?a=1&b=2");
        assert!(request.headers.contains(&("x-mine".to_owned(), "1".to_owned())));
        ok("<?xml version=\"1.0\"?><response><responseCode>0</responseCode></response>")
    });
    let call = RawCall::new(Method::Put, Family::Sms, "/new?a=1").query("b", "2").header("x-mine", "1");
    let response = client.call_raw(call.safety(RetrySafety::Idempotent)).await.unwrap();
    assert!(response.value.is_null() && response.raw.body.starts_with(b"<?xml"));
    let error = client.call_raw(RawCall::new(Method::Get, Family::Sms, "new")).await.unwrap_err();
    assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config));
}

#[test]
fn the_blocking_client_has_all_kinds_of_calls() {
    let (client, _) = scripted(|request, _| match request.url.split_once("/2fa/limits/search") {
        Some((_, query)) => {
            let page = query.rsplit('=').next().unwrap().parse().unwrap_or(0);
            let row = r#"{"sid":"LM1","name":"n","buckets":"[]","description":"d"}"#;
            ok(&format!(r#"{{"code":200,"data":{{"result":[{row}],"page":{page},"total":3}}}}"#))
        }
        None => ok(example("sms.send").response),
    });
    let client = blocking::Client::over(client).unwrap().with(CallOptions::new().max_attempts(1));
    let sent = client.call_json(OperationId::SmsSend, example("sms.send").request).unwrap();
    assert!(sent.value.contains("M1"));
    let raw = client.call_raw(RawCall::new(Method::Post, Family::Sms, "/sms.json")).unwrap();
    assert_eq!(raw.value["id"], "M1");
    let pages: Vec<_> =
        client.pages(otp::limits::ListLimits::new()).map(|page| page.unwrap().data.page).collect();
    assert_eq!(pages.len(), 3);
}

#[test]
fn a_blocking_client_inside_a_runtime_returns_an_error() {
    let client = blocking::Client::new(&config("http://127.0.0.1:9")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let errors = runtime.block_on(async {
        [
            client.call(send()).unwrap_err(),
            client.call_json(OperationId::SmsSend, example("sms.send").request).unwrap_err(),
            client.call_raw(RawCall::new(Method::Get, Family::Sms, "/x")).unwrap_err(),
            client.pages(otp::limits::ListLimits::new()).next().unwrap().unwrap_err(),
        ]
    });
    for error in errors {
        assert_eq!(
            (error.outcome, error.sent, error.reason),
            (Outcome::Invalid, SentState::No, Reason::Config)
        );
        assert!(error.message.contains("cpaas::Client"), "{}", error.message);
    }
}

/// Without a tokio runtime nothing is sent, and nothing panics.
#[test]
fn the_async_client_outside_a_runtime_sends_nothing() {
    let client = Client::new(&config("http://127.0.0.1:9")).unwrap();
    let error = futures_util::FutureExt::now_or_never(client.call(send())).unwrap().unwrap_err();
    assert_eq!((error.outcome, error.sent, error.reason), (Outcome::NotSent, SentState::No, Reason::Runtime));
}

/// The message names the part of an address that is wrong, and not the address, which may contain a key.
#[test]
fn an_invalid_address_is_refused_with_the_reason() {
    const NO_CREDENTIALS: &str = "it must not contain a user name or a password";
    const NO_QUERY: &str =
        "it must have no query and no fragment, because the paths of the operations follow it";
    for (address, reason) in [
        ("sms.example", "it must start with https:// or http://"),
        ("", "it must start with https:// or http://"),
        ("ftp://sms.example", "it must start with https:// or http://"),
        ("http://127.0.0.1:0", "the port must be from 1 to 65535"),
        ("https://sms.example:99999", "the port must be from 1 to 65535"),
        ("https://sms.example:x", "the port must be from 1 to 65535"),
        ("http://[::1", "the host must be a domain name or an IP address"),
        ("https://sms..example", "the host must be a domain name or an IP address"),
        ("http://exa mple", "it must not contain white space or control characters"),
        ("https://sms.example/a\nb", "it must not contain white space or control characters"),
        ("https://", "it must have a host"),
        ("https:///sms", "it must have a host"),
        ("http://user:hunter2@sms.example", NO_CREDENTIALS),
        ("https://user@sms.example/sms", NO_CREDENTIALS),
        ("https://user:hunter2@münchen.example", NO_CREDENTIALS),
        ("https://sms.example/?key=x", NO_QUERY),
        ("https://sms.example?", NO_QUERY),
        ("https://sms.example/sms#a", NO_QUERY),
    ] {
        let error = Client::new(&Config::default().sms_url(address)).unwrap_err();
        assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config));
        assert_eq!(error.message, format!("`sms_url` is not a valid address: {reason}"), "{address}");
    }
    for address in ["http://münchen.example:65535/", "https://sms.example/@acme", "https://sms.example/a@b/"]
    {
        assert!(Client::new(&Config::default().sms_url(address)).is_ok(), "{address}");
    }
}

#[test]
fn an_invalid_configuration_is_refused_without_quoting_it() {
    let seconds = "a number of seconds greater than 0 and less than 18,446,744,073,709,551,616";
    for (config, setting, expected) in [
        (Config::default().timeout(Duration::ZERO), "timeout", seconds),
        (Config::default().deadline(Duration::ZERO), "deadline", seconds),
        (Config::default().connect_timeout(Duration::ZERO), "connect_timeout", seconds),
        (Config::default().max_attempts(0), "max_attempts", "1 to 4,294,967,295"),
        (Config::default().max_connections(0), "max_connections", "1 to 9,223,372,036,854,775,807"),
        (Config::default().max_response_bytes(0), "max_response_bytes", "1 to 9,223,372,036,854,775,807"),
        (Config::default().callback_lifetime(Duration::ZERO), "callback_lifetime", "60 to 5,270,400 seconds"),
    ] {
        let error = Client::new(&config).unwrap_err();
        assert_eq!(
            (error.outcome, error.sent, error.reason),
            (Outcome::Invalid, SentState::No, Reason::Config)
        );
        assert_eq!(error.message, format!("`{setting}` must be {expected}"));
    }
    let error = Client::new(&Config::default().normalize(Normalize::Region("atlantis".into()))).unwrap_err();
    assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config));
    assert!(error.message.starts_with("`normalize` must be \"international\""), "{}", error.message);
    assert!(!error.message.contains("atlantis"), "{}", error.message);
}

/// The largest values are not errors, and nothing overflows.
#[tokio::test]
async fn the_largest_limits_are_accepted() {
    let response = example("sms.send").response;
    let server = FaultServer::serve(move |_| Reply::json(200, response)).await.unwrap();
    let config = config(&server.url())
        .connect_timeout(Duration::MAX)
        .timeout(Duration::MAX)
        .deadline(Duration::MAX)
        .max_attempts(u32::MAX)
        .max_connections(usize::MAX)
        .max_response_bytes(usize::MAX);
    assert!(Client::new(&config).unwrap().call(send()).await.is_ok());
}

/// Among them `send_path` without `/`: it would change the host of the address, and another host would receive the key.
#[test]
fn an_invalid_setting_is_named_in_the_error() {
    let wrong = [
        (Config::default().send_path("messages/send"), "`send_path`"),
        (
            Config::default().messaging_auth(MessagingAuth::Basic).account_sid("AC1"),
            "`account_sid` and `api_key`",
        ),
        (
            Config::default().messaging_auth(MessagingAuth::Basic).api_key("key"),
            "`account_sid` and `api_key`",
        ),
        (Config::default().messaging_auth(MessagingAuth::Header), "`messaging_key`, `sms_key` or `api_key`"),
        (Config::default().channel_names([("fax", "Fax")]), "`channel_names`"),
        (Config::default().bulk_channel_names([("fax", "Fax")]), "`bulk_channel_names`"),
        (Config::default().bulk_channel_names([("sms", "")]), "`bulk_channel_names`"),
    ];
    for (config, named) in wrong {
        let error = Client::new(&config).unwrap_err();
        assert_eq!(
            (error.outcome, error.sent, error.reason),
            (Outcome::Invalid, SentState::No, Reason::Config)
        );
        assert!(error.message.contains(named), "{}", error.message);
    }
}

#[tokio::test]
async fn the_error_names_the_missing_address_of_the_chosen_region() {
    let config = Config::default().sms_url("http://127.0.0.1:9").region(Region::HongKong).sms_key("key");
    let error = Client::new(&config).unwrap().call(send()).await.unwrap_err();
    assert_eq!((error.outcome, error.sent, error.reason), (Outcome::Invalid, SentState::No, Reason::Config));
    assert!(error.message.contains("`sms_url_hong_kong`, or CPAAS_SMS_URL_HONG_KONG"), "{}", error.message);
}

#[test]
fn no_output_contains_the_password_of_a_proxy() {
    let config = Config::default().proxy("http://user:hunter2@127.0.0.1:9");
    assert!(!format!("{config:?}").contains("hunter2"));
    assert!(!format!("{:?}", Client::new(&config).unwrap()).contains("hunter2"));
}

#[tokio::test]
async fn a_raw_call_with_an_empty_response_is_accepted() {
    for (status, done) in [(204, true), (205, true), (200, false)] {
        let (client, _) = scripted(move |_, _| Ok(HttpResponse::new(status, vec![], "")));
        let response = client.call_raw(RawCall::new(Method::Delete, Family::Sms, "/new")).await;
        assert_eq!(response.is_ok_and(|response| response.value.is_null()), done, "{status}");
    }
}

#[tokio::test]
async fn an_address_that_is_not_configured_is_named() {
    let client = Client::new(&Config::default().otp_url("http://127.0.0.1:9")).unwrap();
    let error = client.call(send()).await.unwrap_err();
    assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config));
    assert!(error.message.contains("`sms_url`"), "{}", error.message);
}

#[tokio::test]
async fn a_rejection_in_xml_is_recognized_in_every_form() {
    for body in [
        "<response><responseCode><![CDATA[902]]></responseCode><responseText>Q &amp; A</responseText></response>",
        "<s:response xmlns:s='urn:s'><s:responseCode>902</s:responseCode><s:responseText>Q &#38; A</s:responseText></s:response>",
    ] {
        let (client, asked) = scripted(move |_, _| ok(body));
        let error = client.call(send()).await.unwrap_err();
        assert_eq!(
            (error.outcome, error.sent, error.code),
            (Outcome::Rejected, SentState::Yes, Some(902)),
            "{body}"
        );
        assert_eq!((error.provider_message.as_deref(), asked.load(Ordering::SeqCst)), (Some("Q & A"), 1));
    }
}
