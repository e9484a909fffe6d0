//! `Debug` of the types with data of the caller or the provider shows no phone number, text, key, code or password.
#![cfg(feature = "http")]

use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use cpaas::bindings::{Appended, ByName, Cancelled, Gone, Verified};
use cpaas::callback::{Endpoint, Pending, Receiver, Source, Status, Template, TemplateFormat};
use cpaas::client::{Client, HttpTransport, Pages, RawCall, TransportError};
use cpaas::error::{Error, Outcome, Reason, SentState};
use cpaas::http::{Family, Method};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::member_types::{ExplicitString, Listed, NumericText, OneOrMany, Scalar};
use cpaas::operation::Recipients;
use cpaas::problem::{Fix, Pointer};
use cpaas::reconcile::{Finding, Reconcile as _};
use cpaas::request::{IncomingRequest, Members, RequestContext};
use cpaas::{Config, OperationId, otp, sms};
use serde_json::json;

const NUMBER: &str = "306912345678";
const CODE: &str = "482913";
const TEXT: &str = "needle";

/// Asserts that `Debug` of a value shows none of the secrets.
fn hides_secrets(name: &str, value: &dyn Debug) {
    for shown in [format!("{value:?}"), format!("{value:#?}")] {
        for secret in [NUMBER, CODE, TEXT] {
            assert!(!shown.contains(secret), "{name} shows `{secret}`: {shown}");
        }
    }
}

fn config() -> Config {
    let names = [("messenger_a", "needle-a")];
    let url = |user: &str| format!("https://{user}:needle-pass@provider.example/needle?key=needle#needle");
    Config::default()
        .otp_url(url("user"))
        .sms_url(url(NUMBER))
        .sms_url_frankfurt("https://needle:pa/ss@provider.example")
        .lookup_url(url("needle"))
        .messaging_url("needle")
        .messenger_c_url("ftp://needle@x")
        .account_sid("AC-needle")
        .api_key("needle-key")
        .sms_key("needle-key-b")
        .traffic_account_id("needle-account")
        .api_key_header("X-Needle-needle")
        .send_path("/needle")
        .proxy("http://u:needle@proxy.example")
        .callback_keys("needle")
        .callback_audience("needle")
        .user_agent("needle/1")
        .ca_bundle("/home/needle/ca.pem")
        .channel_names(names)
        .bulk_channel_names(names)
        .max_attempts(7)
}

/// A configuration with which a client can be created.
fn usable() -> Config {
    let keys = r#"[{"kid":"k1","secret":"needle-needle-needle-needle-needle"}]"#;
    let url = "https://provider.example/needle";
    let usable = config().messaging_url(url).messenger_c_url(url).sms_url_frankfurt(url);
    usable.otp_url(url).sms_url(url).lookup_url(url).messenger_b_url(url).proxy("").callback_keys(keys)
}

#[test]
fn configurations_and_prepared_requests_hide_secrets() {
    hides_secrets("Config", &config());
    let shown = format!("{:?}", config());
    assert!(shown.contains("otp_url: https://provider.example"), "{shown}");
    assert!(shown.contains("max_attempts: 7"), "{shown}");
    let context = RequestContext::new(&usable()).unwrap();
    hides_secrets("RequestContext", &context);
    hides_secrets("WireNames", &context.names);
    let request = json!({"from": "Acme", "to": NUMBER, "text": "needle", "callback": "https://needle.example/x",
        "reference": "needle"});
    let prepared = OperationId::SmsSend.prepare_json(&request.to_string(), &context).unwrap();
    hides_secrets("Prepared", &prepared);
    hides_secrets("HttpRequest", &prepared.request);
}

#[test]
fn responses_and_events_hide_secrets() {
    let events = Arc::new(Mutex::new(String::new()));
    let seen = Arc::clone(&events);
    let response =
        json!({"id": "M1", "timestamp": "t", "responseCode": 0, "to": NUMBER, "responseText": "needle"});
    let body = response.to_string();
    let client = Client::with_transport(&usable().accept_repeated_ids(true), move |_: HttpRequest| {
        let body = body.clone();
        async move { Ok(HttpResponse::new(200, vec![("x".to_owned(), "needle".to_owned())], body)) }
    })
    .unwrap()
    .on_outcome(move |event| seen.lock().unwrap().push_str(&format!("{event:?}{event:#?}")));
    hides_secrets("Client", &client);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let request = json!({"from": "Acme", "to": NUMBER, "text": "needle", "reference": "needle"}).to_string();
    let text = runtime.block_on(client.call_json(OperationId::SmsSend, &request)).unwrap();
    hides_secrets("Response<String>", &text);
    let raw = RawCall::new(Method::Post, Family::Sms, "/needle").query("q", "needle").body("needle");
    hides_secrets("RawCall", &raw);
    let value = runtime.block_on(client.call_raw(raw)).unwrap();
    hides_secrets("Response<Value>", &value);
    let model =
        runtime.block_on(client.call(sms::SendSms::new("Acme", NUMBER, TEXT).reference(TEXT))).unwrap();
    hides_secrets("Response<Sent>", &model);
    assert!(format!("{model:?}").contains("\"M1\""));
    hides_secrets("HttpResponse", &model.raw);
    let event = events.lock().unwrap();
    assert!(event.contains("sms.send") && !event.contains(TEXT), "{event}");
}

#[test]
fn requests_errors_and_values_hide_secrets() {
    let mut pages = Pages::new();
    let request = json!({"accountSid": "needle"});
    let page = json!({"page": 0, "total": 9, "twoFaOtpSdrs": [{"sid": "needle"}]});
    assert!(pages.next(&request, &page, |_| true).is_some());
    hides_secrets("Pages", &pages);
    let error = Error::invalid("sms.send", vec![]).with_reference(Some(TEXT.to_owned()));
    hides_secrets("Error", &error);
    let mut rejected = Error::new(Outcome::Rejected, SentState::Yes, Reason::Http, "x", "y");
    let record = rejected.record_mut();
    record.provider_message = Some(TEXT.to_owned());
    record.request_id = Some(otp::RequestId::new(TEXT));
    record.evidence = Some(TEXT.to_owned());
    record.reference = Some(NUMBER.to_owned());
    hides_secrets("Record", record);
    hides_secrets("Fix", &Fix::replace(TEXT, 0, 3, TEXT));
    hides_secrets("Recipients", &Recipients::new([NUMBER, TEXT]));
    let proxied = Config::default()
        .sms_url("http://sms.example/needle")
        .sms_key(TEXT)
        .user_agent("needle/1")
        .proxy("http://u:needle@proxy.example:1");
    let failed =
        TransportError::new(SentState::Yes, Reason::Reset).partial(HttpResponse::new(200, vec![], TEXT));
    hides_secrets("TransportError", &failed);
    hides_secrets("HttpTransport", &HttpTransport::new(&proxied).unwrap());
    assert_eq!(format!("{:?}", Pointer::ROOT.key("to").index(2)), "Pointer(\"/to/2\")");
    hides_secrets("Error", &Error::new(Outcome::Rejected, SentState::Yes, Reason::Http, "x", "y"));
    hides_secrets("Scalar", &Scalar::from(482_913));
    hides_secrets("Scalar", &Scalar::from(NUMBER));
    hides_secrets("NumericText", &NumericText::from(CODE));
    hides_secrets("ExplicitString", &ExplicitString::from(TEXT));
    hides_secrets("OneOrMany", &OneOrMany::from(vec![NUMBER]));
    hides_secrets("Listed", &Listed::<otp::limits::Bucket>::Untouched(json!(TEXT)));
    hides_secrets("OtpChannel", &otp::OtpChannel::from(TEXT));
    hides_secrets(
        "otp::SendPasscode",
        &otp::SendPasscode::new(TEXT, TEXT, NUMBER, CODE).guard_time(482_913).channel(TEXT),
    );
    hides_secrets(
        "otp::VerifyPasscode",
        &otp::VerifyPasscode::new(TEXT, otp::RequestId::new("OTP1"), otp::Code::new(CODE)),
    );
    hides_secrets("otp::Code", &otp::Code::new(CODE));
    let query = [("msisdn".to_owned(), NUMBER.to_owned())];
    hides_secrets("IncomingRequest", &IncomingRequest::new(&[("sid", TEXT)], &query, b"needle"));
    let mut members = Members::default();
    members.set(TEXT, NUMBER);
    hides_secrets("Members", &members);
}

#[test]
fn reconciliations_hide_secrets() {
    let config = Config::default().otp_url("https://otp.example/needle").account_sid("AC1").api_key(TEXT);
    let context = RequestContext::new(&config).unwrap();
    let get = OperationId::OtpGet.prepare_json(r#"{"sid":"OTP-needle"}"#, &context).unwrap().request;
    let sent = json!({"description": TEXT, "channels": [{"channel": TEXT}]}).as_object().cloned().unwrap();
    hides_secrets("Appended", &Appended::new(get.clone(), TEXT, sent.clone()));
    hides_secrets("ByName", &ByName::new(|_| None, TEXT, sent.clone(), 482_913));
    hides_secrets("Verified", &Verified::new(get.clone(), TEXT, CODE));
    hides_secrets("Cancelled", &Cancelled::new(get.clone(), TEXT));
    let gone = Gone::new(493);
    hides_secrets("Gone", &gone);
    hides_secrets("Finding", &Finding::Done(gone.result_of_rejection(493).unwrap()));
    hides_secrets("Finding", &Finding::Request(Box::new(get)));
}

#[test]
fn callbacks_hide_secrets() {
    let template = "https://shop.example/needle?key=needle&id=~msgid~&x=~needle~";
    hides_secrets("Template", &Template::parse(template, TemplateFormat::Url));
    let endpoint = Endpoint::new("/needle", [Source::SmsReport]).query_template("key=needle&id=~msgid~");
    hides_secrets("Endpoint", &endpoint);
    hides_secrets(
        "Receiver",
        &Receiver::new("shop", "https://shop.example/needle").unwrap().endpoint(endpoint),
    );
    hides_secrets("Status", &Status::new("needle 306912345678"));
    assert_eq!(format!("{:?}", Status::new("Delivered")), "\"Delivered\"");
    let mut pending = Pending::new(2);
    pending.unknown(TEXT, "sms.send");
    hides_secrets("Pending", &pending);
}
