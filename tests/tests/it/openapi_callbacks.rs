//! The webhooks of the OpenAPI document, checked with the callbacks that the sandbox sends.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;
use std::time::Duration;

use cpaas::callback::Source;
use cpaas::client::blocking::Client;
use cpaas::{OperationId, sms, webhooks};
use cpaas_sandbox::{ClockMode, Sandbox};
use cpaas_tests::openapi_check::check_callback;
use serde_json::{Value, json};

/// A received request: method, query, body.
type Request = (String, String, String);

/// A server that responds to each request with 200. Returns its URL and the requests.
fn target() -> (String, mpsc::Receiver<Request>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook?token=t", listener.local_addr().unwrap());
    let (send, requests) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let (mut line, mut length) = (String::new(), 0);
            stream.read_line(&mut line).unwrap();
            loop {
                let mut header = String::new();
                stream.read_line(&mut header).unwrap();
                let header = header.trim().to_ascii_lowercase();
                if let Some(digits) = header.strip_prefix("content-length:") {
                    length = digits.trim().parse().unwrap();
                }
                if header.is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            stream
                .get_mut()
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                .unwrap();
            let mut words = line.split(' ');
            let (method, target) = (words.next().unwrap().to_owned(), words.next().unwrap());
            let query = target.split_once('?').map_or("", |(_, query)| query).to_owned();
            if send.send((method, query, String::from_utf8(body).unwrap())).is_err() {
                return;
            }
        }
    });
    (url, requests)
}

/// Checks one callback and returns its body; `undescribed` lists the members that only the sandbox sends.
fn expect(requests: &mpsc::Receiver<Request>, source: Source, undescribed: &[&str]) -> String {
    let (method, query, body) = requests.recv_timeout(Duration::from_secs(60)).unwrap();
    let name = json!(source).as_str().unwrap().to_owned();
    let found = check_callback(&name, &method, &query, &body)
        .unwrap_or_else(|problem| panic!("{name} {method} {query} {body}: {problem}"));
    let found: BTreeSet<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(found, undescribed.iter().copied().collect(), "{name}");
    body
}

#[test]
fn every_callback_of_the_sandbox_matches_its_webhook() {
    let sandbox = Sandbox::builder().clock(ClockMode::Virtual).start_blocking().unwrap();
    let client = Client::new(&sandbox.config()).unwrap();
    let (url, requests) = target();
    let account = sandbox.credentials().account_sid.clone();
    let settings = |change: Value| {
        sandbox.control("PUT", &format!("/accounts/{account}"), &change).unwrap();
    };
    settings(json!({"inbound_callback": url, "chat_callback": url, "two_way": ["*"]}));

    // A report by GET, and one by POST with the default template.
    let text = || sms::SendSms::new("Acme", "306900000001", "Hi").reference("booking-7");
    client.call(text().callback(url.as_str())).unwrap();
    sandbox.advance(Duration::from_secs(60));
    expect(&requests, Source::SmsReport, &[]);
    settings(json!({"callback": {"url": url, "method": "POST"}}));
    client.call(text()).unwrap();
    sandbox.advance(Duration::from_secs(60));
    expect(&requests, Source::SmsReport, &[]);

    let message = r#"{"destination":"306900000001","messenger_a":{"type":"regular","regular":{"text":"Hi","type":"text"}}}"#;
    client.call_json(OperationId::MessagesSend, message).unwrap();
    sandbox.advance(Duration::from_secs(600));
    while !expect(&requests, Source::ChatReport, &[]).contains("Delivered") {}

    sandbox.inbound(json!({"from": "306900000001", "to": "306900000009", "text": "Stop"})).unwrap();
    expect(&requests, Source::InboundSms, &["/_sandbox"]);

    sandbox.inbound(json!({"channel": "business_chat", "from": "306900000001", "text": "Hi"})).unwrap();
    expect(&requests, Source::BusinessChat, &["/_sandbox"]);
    let tap = json!({"channel": "business_chat", "from": "306900000001", "text": "Yes", "postback": "yes"});
    sandbox.inbound(tap).unwrap();
    expect(&requests, Source::BusinessChat, &["/_sandbox"]);

    let hook =
        webhooks::messenger_b::SetMessengerBWebhook::new(url.as_str()).send_name(true).send_photo(true);
    client.call(hook).unwrap();
    expect(&requests, Source::MessengerB, &["/_sandbox"]); // the check after registration
    sandbox
        .inbound(json!({"channel": "messenger_b", "from": "user-7", "text": "Hi", "name": "Eleni"}))
        .unwrap();
    expect(&requests, Source::MessengerB, &["/_sandbox", "/message/type"]);

    client
        .call(webhooks::messenger_c::SetMessengerCWebhook::new(
            sandbox.credentials().bot_id.as_str(),
            url.as_str(),
        ))
        .unwrap();
    sandbox.inbound(json!({"channel": "messenger_c", "from": "480012", "text": "Hi"})).unwrap();
    let own = [
        "/_sandbox",
        "/message/date",
        "/message/from/is_bot",
        "/message/from/first_name",
        "/message/chat/type",
    ];
    expect(&requests, Source::MessengerC, &own);
    sandbox.stop();
}

#[test]
fn other_payloads_do_not_match() {
    let report = |body: &str| check_callback("chat_report", "POST", "token=t", body);
    assert_eq!(report(r#"{"messageId":"m-1","status":"Delivered","errorcode":0}"#), Ok(vec![]));
    assert!(report(r#"{"messageId":"m-1","status":"Delivered"}"#).is_err(), "a documented member is missing");
    assert!(report(r#"{"messageId":["m-1"],"status":"Delivered","errorcode":0}"#).is_err(), "a list");
    assert!(report("[]").is_err() && report("{").is_err());
    assert!(check_callback("chat_report", "POST", "", "{}").is_err(), "no token");
    assert!(check_callback("chat_report", "GET", "token=t", "").is_err(), "not by GET");
    assert!(check_callback("inbound_sms", "POST", "token=t", r#"{"text":{}}"#).is_err(), "an object");
    assert_eq!(check_callback("inbound_sms", "POST", "token=t", r#"{"x":1}"#), Ok(vec!["/x".to_owned()]));
}

#[test]
fn each_source_has_a_webhook() {
    let document: Value = serde_json::from_str(include_str!("../../../docs/openapi.json")).unwrap();
    let names: BTreeSet<&String> = document["webhooks"].as_object().unwrap().keys().collect();
    let sources: Vec<String> =
        Source::ALL.iter().map(|source| json!(source).as_str().unwrap().to_owned()).collect();
    assert_eq!(names, sources.iter().collect());
}
