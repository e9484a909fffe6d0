//! The receiver: proxies, shared paths, templates, undocumented content, and output without received data.
#![cfg(feature = "callback")]

use cpaas::callback::{
    Endpoint, Event, IssueError, Keyring, Lifetime, MintError, Purpose, Received, Receiver, RejectionReason,
    Source, TemplateFormat, UrlError,
};
use serde_json::json;

const NOW: u64 = 1_700_000_000;
const JSON: &[(&str, &str)] = &[("Content-Type", "application/json")];

fn keys(kid: &str) -> Keyring {
    Keyring::new([(kid, format!("the secret of {kid}, thirty-two bytes or more"))]).unwrap()
}

fn receiver(public_url: &str) -> Receiver {
    Receiver::new("shop", public_url).unwrap().delivery_keys(keys("k1")).inbound_keys(keys("i1"))
}

fn query_of(url: &str) -> &str {
    url.split_once('?').unwrap().1
}

fn get(receiver: &Receiver, url: &str) -> Result<Received, RejectionReason> {
    receiver.receive("GET", url, &[], b"", NOW).map_err(|rejected| rejected.reason)
}

fn post(receiver: &Receiver, url: &str, body: &[u8]) -> Result<Received, RejectionReason> {
    receiver.receive("POST", url, JSON, body, NOW).map_err(|rejected| rejected.reason)
}

#[test]
fn a_proxy_may_change_scheme_host_and_prefix() {
    let receiver = receiver("https://shop.example/hooks/")
        .endpoint(Endpoint::new("/sms", [Source::SmsReport]))
        .endpoint(Endpoint::new("chat", [Source::ChatReport]));
    let url = receiver.url(Source::SmsReport, "b 7", NOW).unwrap();
    assert!(url.starts_with("https://shop.example/hooks/sms?token=v1.k1."), "{url}");
    let query = format!("{}&msgid=m&reference=b%207", query_of(&url));
    for front in [
        "https://shop.example/hooks/sms",
        "http://10.0.0.7:8080/hooks/sms",
        "http://[::1]/hooks/sms/",
        "/hooks/sms",
        "/sms",
        "/internal/v2/sms",
        "//other.example/hooks/sms/",
    ] {
        assert_eq!(get(&receiver, &format!("{front}?{query}")).err(), None, "{front}");
    }
    for front in ["/internal/bsms", "/sms/else", "/internal", "/hooks", "/sms%2f", "/SMS", "/internal/sms;x"]
    {
        assert_eq!(
            get(&receiver, &format!("{front}?{query}")).unwrap_err(),
            RejectionReason::Endpoint,
            "{front}"
        );
    }
    assert_eq!(get(&receiver, &format!("/hooks/chat?{query}")).unwrap_err(), RejectionReason::OtherPurpose);
    assert_eq!(get(&receiver, &format!("/s?{query}")).unwrap_err(), RejectionReason::Endpoint);
    assert_eq!(get(&receiver, &format!("/?{query}")).unwrap_err(), RejectionReason::Endpoint);
}

#[test]
fn a_stripped_prefix_selects_the_shorter_of_two_endpoints() {
    let receiver = receiver("https://shop.example/hooks")
        .endpoint(Endpoint::new("/chat/sms", [Source::ChatReport]))
        .endpoint(Endpoint::new("/sms", [Source::SmsReport]));
    let url = receiver.url(Source::SmsReport, "r", NOW).unwrap();
    let query = format!("{}&msgid=m&reference=r", query_of(&url));
    assert_eq!(get(&receiver, &format!("/sms?{query}")).err(), None);
    assert_eq!(get(&receiver, &format!("/chat/sms?{query}")).unwrap_err(), RejectionReason::OtherPurpose);
}

#[test]
fn a_receiver_without_endpoints_receives_all_kinds() {
    let receiver = receiver("https://shop.example/cb?tenant=4");
    let inbound = receiver.url(Source::MessengerB, "", NOW).unwrap();
    assert!(inbound.starts_with("https://shop.example/cb?tenant=4&token=v1.i1."), "{inbound}");
    let chat = receiver.url(Source::ChatReport, "", NOW).unwrap();
    let kinds = |url: &str, body: serde_json::Value| {
        post(&receiver, url, body.to_string().as_bytes()).unwrap().event.kind()
    };
    assert_eq!(kinds(&chat, json!({"messageId": "c", "status": "Sent"})), "chat_report");
    assert_eq!(kinds(&inbound, json!({"event": "seen"})), "messenger_b");
    assert_eq!(kinds(&inbound, json!({"update_id": 1})), "messenger_c");
    assert_eq!(kinds(&inbound, json!({"conversationId": "v", "message": {"text": "x"}})), "business_chat");
    assert_eq!(kinds(&inbound, json!({"from": "1", "to": "2", "text": "x"})), "inbound_sms");
    assert_eq!(kinds(&inbound, json!({"hello": 1})), "unknown");
    let sms = receiver.url(Source::SmsReport, "r", NOW).unwrap();
    assert_eq!(get(&receiver, &format!("{sms}&reference=r&status=sent")).unwrap().event.kind(), "sms_report");
}

#[test]
fn a_token_for_an_sms_requires_a_reference() {
    let receiver = receiver("https://shop.example/d");
    for reference in ["", "  "] {
        let rejected = Err(IssueError::Mint(MintError::Reference));
        assert_eq!(receiver.url(Source::SmsReport, reference, NOW), rejected);
        assert_eq!(receiver.mint(Purpose::DeliveryReport, reference, Lifetime::Default, NOW), rejected);
        assert!(receiver.mint(Purpose::ChatReport, reference, Lifetime::Default, NOW).is_ok());
    }
}

#[test]
fn a_report_without_a_reference_requires_an_unbound_token() {
    let body = "{\"id\":\"~msgid~\",\"state\":\"~status~\"}";
    let bound = receiver("https://shop.example/d")
        .endpoint(Endpoint::new("", [Source::SmsReport]).body_template(body, TemplateFormat::Json));
    let report = b"{\"id\":\"m-1\",\"state\":\"delivered\"}";
    let url = bound.url(Source::SmsReport, "booking-7", NOW).unwrap();
    assert_eq!(post(&bound, &url, report).unwrap_err(), RejectionReason::OtherReference);

    let free = receiver("https://shop.example/d").endpoint(
        Endpoint::new("", [Source::SmsReport]).body_template(body, TemplateFormat::Json).without_reference(),
    );
    let url = free.url(Source::SmsReport, "booking-7", NOW).unwrap();
    let received = post(&free, &url, report).unwrap();
    assert_eq!((received.event.message_id(), received.event.reference()), (Some("m-1"), None));
    assert_eq!(post(&bound, &url, report).map(|received| received.event.kind()), Ok("sms_report"));
    assert!(free.url(Source::SmsReport, "", NOW).is_ok());
}

#[test]
fn reports_are_read_after_the_template_changes() {
    let receiver = receiver("https://shop.example/d").endpoint(
        Endpoint::new("", [Source::SmsReport]).query_template("id=~msgid~&state=<status>&tag=$reference$"),
    );
    let url = receiver.url(Source::SmsReport, "b", NOW).unwrap();
    assert!(
        url.starts_with("https://shop.example/d?id=~msgid~&state=<status>&tag=$reference$&token=v1."),
        "{url}"
    );
    let token = url.rsplit_once('=').unwrap().1;
    let old = get(&receiver, &format!("/d?msgid=m&status=sent&reference=b&token={token}")).unwrap();
    let new = get(&receiver, &format!("/d?state=sent&id=m&tag=b&token={token}")).unwrap();
    assert_eq!(old.event, new.event);
    assert_eq!(new.event.message_id(), Some("m"));
}

#[test]
fn unreadable_content_is_kept_as_an_unknown_event() {
    let receiver = receiver("https://shop.example/cb");
    let url = receiver.url(Source::ChatReport, "", NOW).unwrap();
    let deep = "[".repeat(100_000);
    let bodies: [&[u8]; 6] = [b"", b"null", b"[1,2]", b"\xff\xfe", b"{\"a\":", deep.as_bytes()];
    for body in bodies {
        let event = post(&receiver, &url, body).unwrap().event;
        match event {
            Event::ChatReport(report) => assert!(body.is_empty() && report.message_id.is_none()),
            Event::Unknown(unknown) => assert_eq!(unknown.source, Some(Source::ChatReport)),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_missing_keyring_rejects_reports_and_mints_no_token() {
    let receiver = Receiver::new("shop", "https://shop.example").unwrap().inbound_keys(keys("i1"));
    let token = keys("k1").mint(Purpose::ChatReport, "shop", "", Lifetime::Default, NOW).unwrap();
    assert_eq!(get(&receiver, &format!("/?token={token}")).unwrap_err(), RejectionReason::UnknownKey);
    assert_eq!(receiver.url(Source::ChatReport, "", NOW), Err(IssueError::NoKeyring));
    let only = receiver.endpoint(Endpoint::new("/b", [Source::MessengerB]));
    assert_eq!(only.url(Source::MessengerC, "", NOW), Err(IssueError::NoEndpoint));
    assert_eq!(Receiver::new("shop", "https://shop.example?token=1").unwrap_err(), UrlError::CarriesToken);
}

#[test]
fn events_are_equal_after_serialization() {
    let receiver = receiver("https://shop.example/cb");
    let url = receiver.url(Source::MessengerB, "", NOW).unwrap();
    for body in [
        json!({"event": "seen", "x": 1}),
        json!({"update_id": 4}),
        json!({"from": "1", "to": "2"}),
        json!([]),
    ] {
        let received = post(&receiver, &url, body.to_string().as_bytes()).unwrap();
        let text = serde_json::to_string(&received).unwrap();
        assert_eq!(serde_json::from_str::<Received>(&text).unwrap(), received, "{text}");
    }
}

#[test]
fn output_contains_no_received_data() {
    let receiver = receiver("https://shop.example/cb");
    let url = receiver.url(Source::SmsReport, "tag-of-eleni", NOW).unwrap();
    let report =
        format!("{url}&reference=tag-of-eleni&to=306912345678&from=Acme&note=hush&status=failed&msgid=m-1");
    let inbound = receiver.url(Source::BusinessChat, "", NOW).unwrap();
    let tap = json!({"conversationId": "v", "suggestionResponse": {"text": "hush", "postbackData": "306912345678"}});
    let shown = [
        format!("{:?}", get(&receiver, &report).unwrap()),
        format!("{:?}", post(&receiver, &inbound, tap.to_string().as_bytes()).unwrap()),
        format!("{:?}", get(&receiver, &format!("{report}x")).unwrap()),
        format!("{:?} {}", receiver.receive("PUT", &report, &[], b"", NOW), RejectionReason::Method),
        format!("{receiver:?}"),
    ]
    .concat();
    assert!(shown.contains("m-1") && shown.contains("failed"), "{shown}");
    for secret in ["eleni", "306912345678", "Acme", "hush", "secret of", query_of(&url)] {
        assert!(!shown.contains(secret), "{secret} in {shown}");
    }
}
