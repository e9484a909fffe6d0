//! Rows 93 to 95 and 107 to 121: delivery reports and inbound messages.

use cpaas::callback::{Endpoint, Keyring, Lifetime, Purpose, Receiver as Verifier, Source};
use serde_json::{Value, json};

use crate::harness::Harness;
use crate::passcodes::TO;
use crate::scripted_receiver::{Received, Receiver, Scripted};
use crate::sms::sms;

fn send(harness: &Harness, changes: Value) -> String {
    harness.post("/sms", sms(changes)).ok()["id"].as_str().unwrap().to_owned()
}

#[test]
fn acc_093_the_reference_is_returned() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::new();
    for reference in ["a&b=c+d e", "κλειδί-👋", &"r".repeat(1_000)] {
        send(&harness, json!({"callback": receiver.url, "reference": reference}));
        harness.advance("1s");
        let got = receiver.take();
        let encoded = got[0].param("reference").unwrap();
        assert!(
            encoded.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~%".contains(&byte)),
            "{encoded}"
        );
        assert_eq!(percent_decode(encoded), reference);
    }
}

fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        if bytes[at] == b'%' {
            out.push(u8::from_str_radix(&text[at + 1..at + 3], 16).unwrap());
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(out).unwrap()
}

#[test]
fn acc_094_095_the_callback_of_the_request_overrides_that_of_the_account() {
    let harness = Harness::new(&[]);
    let (own, account) = (Receiver::new(), Receiver::new());
    send(&harness, json!({"callback": own.url}));
    harness.advance("1s");
    assert_eq!((own.take().len(), account.received().len()), (1, 0));
    harness.settings(json!({"callback": {"url": account.url}}));
    send(&harness, json!({}));
    harness.advance("1s");
    assert_eq!((own.received().len(), account.take().len()), (0, 1));
    send(&harness, json!({"callback": own.url}));
    harness.advance("1s");
    assert_eq!((own.take().len(), account.received().len()), (1, 0));
}

fn get_template(template: &str) -> (String, Received) {
    let harness = Harness::new(&[]);
    let receiver = Receiver::new();
    harness.settings(
        json!({"callback": {"url": format!("{}/dlr", receiver.url), "method": "GET", "template": template}}),
    );
    let id = send(&harness, json!({}));
    harness.advance("1s");
    (id, receiver.take().remove(0))
}

#[test]
fn acc_107_template_variables_are_replaced_in_the_url() {
    let (id, got) = get_template("id=~msgid~&net=~mcc~-~mnc~&price=~rate~");
    assert_eq!((got.method.as_str(), got.body.as_str()), ("GET", ""));
    assert_eq!(got.target, format!("/dlr?id={id}&net=202-01&price={}", got.param("price").unwrap()));
    assert!(got.param("price").unwrap().parse::<f64>().unwrap() > 0.0);
}

#[test]
fn acc_108_angle_brackets_and_dollar_signs_delimit_variables_too() {
    let (id, got) = get_template("a=<msgid>&b=$msgid$&c=~msgid~");
    assert_eq!(
        (got.param("a"), got.param("b"), got.param("c")),
        (Some(id.as_str()), Some(id.as_str()), Some(id.as_str()))
    );
}

#[test]
fn acc_109_variables_are_replaced_and_escaped_in_json_and_form_bodies() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::new();
    let post = |kind: &str, template: &str| json!({"callback": {"url": receiver.url, "method": "POST", "content_type": kind, "template": template}});
    harness.settings(post("application/json", r#"{"id":"~msgid~","ref":"~reference~"}"#));
    let id = send(&harness, json!({"reference": "say \"hi\"\n&"}));
    harness.advance("1s");
    let got = receiver.take().remove(0);
    assert_eq!((got.method.as_str(), got.header("content-type")), ("POST", Some("application/json")));
    assert_eq!(got.json(), json!({"id": id, "ref": "say \"hi\"\n&"}));
    harness.settings(post("application/x-www-form-urlencoded", "id=~msgid~&ref=~reference~"));
    let id = send(&harness, json!({"reference": "a&b=c"}));
    harness.advance("1s");
    assert_eq!(receiver.take()[0].body, format!("id={id}&ref=a%26b%3Dc"));
}

#[test]
fn acc_110_an_unknown_variable_is_left_unchanged() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::new();
    let settings = json!({"callback": {"url": receiver.url, "template": "id=~msgid~&x=~color~&s=~status~"}});
    let warnings = harness.settings(settings)["warnings"].to_string();
    assert!(warnings.contains("color") && warnings.contains("D34"), "{warnings}");
    send(&harness, json!({}));
    harness.advance("1s");
    let report = receiver.received().remove(0);
    assert_eq!((report.param("x"), report.param("s")), (Some("~color~"), Some("delivered")));
}

#[test]
fn acc_111_the_url_is_kept_byte_for_byte() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::new();
    let url = format!("{}/d?b=%20x&c=A%2fb#part", receiver.url);
    let with_token = cpaas::callback::token_url(&url, "v1.k.h.t").unwrap();
    assert!(with_token.ends_with("?b=%20x&c=A%2fb&token=v1.k.h.t#part"), "before the fragment: {with_token}");
    assert!(
        cpaas::callback::token_url("http://a/?token=mine", "t").is_err(),
        "a URL that already has a token is refused"
    );
    send(&harness, json!({"callback": with_token}));
    harness.advance("1s");
    let target = receiver.take().remove(0).target;
    assert!(target.starts_with("/d?b=%20x&c=A%2fb&token=v1.k.h.t&msgid="), "{target}");
}

#[test]
fn acc_112_templates_do_not_change_a_token() {
    let alphabet = "v1.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.x";
    for template in ["id=~msgid~", "id=<msgid>", "id=$msgid$"] {
        let harness = Harness::new(&[]);
        let receiver = Receiver::new();
        harness.settings(json!({"callback": {"url": receiver.url, "template": template}}));
        send(&harness, json!({"callback": format!("{}/x?token={alphabet}", receiver.url)}));
        harness.advance("1s");
        assert_eq!(receiver.received()[0].param("token"), Some(alphabet));
    }
}

#[test]
fn acc_113_one_report_for_each_change_in_order() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::new();
    for (to, status) in [
        (TO, "delivered"),
        ("9995000001", "failed"),
        ("9994220001", "undelivered"),
        ("9994080001", "expired"),
        ("9996040001", "rejected"),
    ] {
        send(&harness, json!({"to": to, "callback": receiver.url}));
        harness.advance("1s");
        let got = receiver.take();
        assert_eq!((got.len(), got[0].param("status")), (1, Some(status)));
        assert_eq!(harness.last(to)["status"], status);
    }
}

#[test]
fn acc_114_attempts_follow_the_schedule() {
    let harness = Harness::new(&["--delivery=0"]);
    let receiver = Receiver::scripted(vec![Scripted::Status(500), Scripted::Status(500)]);
    let start = harness.now();
    send(&harness, json!({"callback": receiver.url}));
    harness.advance("10m");
    let attempts = harness.attempts();
    let seen: Vec<_> = attempts
        .iter()
        .map(|attempt| (attempt["status"].as_u64().unwrap(), attempt["answer"].as_str().unwrap()))
        .collect();
    assert_eq!(seen, [(500, "note"), (500, "note"), (200, "note")]);
    let times: Vec<&Value> = attempts.iter().map(|attempt| &attempt["at"]).collect();
    let moments: Vec<Value> = [0, 5_000, 305_000].iter().map(|after| json!(iso(start + after))).collect();
    assert_eq!(times, moments.iter().collect::<Vec<_>>());
}

/// Formats a time; a second implementation, independent of the sandbox's.
fn iso(ms: u64) -> String {
    let (days, rest) = (ms / 86_400_000, ms % 86_400_000);
    let (mut year, mut left) = (1970, days);
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while left >= 365 + u64::from(leap(year)) {
        left -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while left >= lengths[month] {
        left -= lengths[month];
        month += 1;
    }
    let (h, m, s, ms) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60, rest % 1_000);
    format!("{year}-{:02}-{:02}T{h:02}:{m:02}:{s:02}.{ms:03}Z", month + 1, left + 1)
}

#[test]
fn acc_115_a_report_is_retried_after_timeout_close_and_redirect_but_not_after_410() {
    let harness = Harness::new(&["--callback-timeout=3s"]); // only the first attempt exceeds it
    let elsewhere = Receiver::new();
    let script = vec![
        Scripted::Hang,
        Scripted::Reset,
        Scripted::Redirect(elsewhere.url.clone()),
        Scripted::Status(410),
    ];
    let receiver = Receiver::scripted(script);
    send(&harness, json!({"callback": receiver.url}));
    harness.advance("2d");
    let seen: Vec<(String, Value)> = harness
        .attempts()
        .iter()
        .map(|attempt| (attempt["outcome"].as_str().unwrap().to_owned(), attempt["status"].clone()))
        .collect();
    let answered = |status: u64| ("answered".to_owned(), json!(status));
    assert_eq!(
        seen,
        [
            ("timeout".to_owned(), Value::Null),
            ("closed".to_owned(), Value::Null),
            answered(302),
            answered(410)
        ]
    );
    assert!(elsewhere.received().is_empty(), "redirects are not followed");
    send(&harness, json!({"callback": receiver.url}));
    harness.advance("2d");
    assert_eq!(receiver.received().len(), 4, "410 disables the target");
    assert_eq!(harness.events("callback.disabled").len(), 2);
}

#[test]
fn acc_115_there_are_at_most_eight_attempts() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::scripted(vec![Scripted::Status(500); 20]);
    send(&harness, json!({"callback": receiver.url}));
    harness.advance("10d");
    assert_eq!((receiver.received().len(), harness.events("callback.given_up").len()), (8, 1));
}

fn keys(names: &[(&str, &str)]) -> Keyring {
    Keyring::new(names.iter().map(|(kid, seed)| cpaas::callback::Key::new(*kid, seed.repeat(32)))).unwrap()
}

fn verifier(public: &str, ring: &[(&str, &str)]) -> Verifier {
    let plain =
        Verifier::new("shop", public).unwrap().delivery_keys(keys(ring)).inbound_keys(keys(&[("in", "i")]));
    plain
        .endpoint(Endpoint::new("/sms", [Source::SmsReport]))
        .endpoint(Endpoint::new("/in", [Source::InboundSms]))
        .endpoint(Endpoint::new("/chat", [Source::ChatReport]))
}

fn status(verifier: &Verifier, got: &Received, target: &str, now: u64) -> u16 {
    let headers: Vec<(&str, &str)> =
        got.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    match verifier.receive(&got.method, target, &headers, got.body.as_bytes(), now) {
        Ok(_) => 200,
        Err(rejected) => rejected.status(),
    }
}

#[test]
fn acc_116_duplicates_are_recognized() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::new();
    harness.settings(json!({"features": {"duplicate_reports": true}}));
    let verifier = verifier(&receiver.url, &[("k", "a")]);
    let now = harness.now() / 1_000;
    let url = verifier.url(Source::SmsReport, "r", now).unwrap();
    let body =
        sms(json!({"to": "306912345678,306987654321,4917012345678", "callback": url, "reference": "r"}));
    harness.post("/smsbulk", body).ok();
    harness.advance("1s");
    let got = receiver.take();
    assert_eq!(got.len(), 6, "each report is sent twice");
    let mut seen = cpaas::callback::Duplicates::new(100);
    let mut first = 0;
    for one in &got {
        let received = verifier.receive(&one.method, &one.target, &[], b"", now).unwrap();
        if matches!(seen.check(&received), cpaas::callback::Arrival::First) {
            first += 1;
        }
    }
    assert_eq!(first, 3, "three messages have the same callback");
}

#[test]
fn acc_116_the_final_state_is_correct_for_reports_out_of_order() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::new();
    let verifier = verifier(&receiver.url, &[("k", "a")]);
    let now = harness.now() / 1_000;
    let url = verifier.url(Source::ChatReport, "", now).unwrap();
    harness.settings(
        json!({"chat_callback": url, "features": {"duplicate_reports": true, "reorder_reports": true}}),
    );
    let id = crate::chat_sender::send(&harness, json!({"messenger_a": crate::chat_sender::text_message()}));
    harness.advance("5s");
    let got = receiver.take();
    let states: Vec<String> =
        got.iter().map(|report| report.json()["status"].as_str().unwrap().to_owned()).collect();
    assert_eq!(states, ["Sent", "Delivered", "Delivered", "Sent"], "each report twice, one of them late");
    let mut seen = cpaas::callback::Duplicates::new(100);
    let mut first = 0;
    for one in &got {
        let headers: Vec<(&str, &str)> =
            one.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let received = verifier.receive("POST", &one.target, &headers, one.body.as_bytes(), now).unwrap();
        first += usize::from(seen.check(&received) == cpaas::callback::Arrival::First);
    }
    assert_eq!(first, 2, "each state counts once");
    assert_eq!(seen.latest(&id).unwrap().as_str(), "Delivered");
}

#[test]
fn acc_117_118_an_inbound_sms_is_delivered_only_for_a_two_way_number() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::new();
    let verifier = verifier(&receiver.url, &[("k", "a")]);
    let url = verifier.url(Source::InboundSms, "", harness.now() / 1_000).unwrap();
    harness.settings(json!({"inbound_callback": url, "two_way": ["99900001"]}));
    harness.control("POST", "/inbound", json!({"from": TO, "to": "99900001", "text": "STOP"}));
    let got = receiver.take().remove(0);
    let body = got.json();
    assert_eq!(
        (body["text"].as_str(), body["from"].as_str(), body["to"].as_str(), body["_sandbox"].as_bool()),
        (Some("STOP"), Some(TO), Some("99900001"), Some(true))
    );
    assert_eq!(status(&verifier, &got, &got.target, harness.now() / 1_000), 200);
    assert_eq!(harness.last("99900001")["direction"], "in");
    harness.control("POST", "/inbound", json!({"from": TO, "to": "99900002", "text": "Hi"}));
    assert!(receiver.received().is_empty());
    let reason = "99900002 is not in Numbers that receive SMS (two_way)";
    let events = harness.events("inbound.not_configured");
    assert_eq!((events.len(), &events[0]["detail"]), (1, &json!({"channel": "sms", "reason": reason})));
    assert_eq!(harness.last("99900002")["not_forwarded"], reason);
    assert_eq!(harness.last("99900001")["not_forwarded"], serde_json::Value::Null);
    harness.settings(json!({"inbound_callback": null}));
    harness.control("POST", "/inbound", json!({"from": TO, "to": "99900001", "text": "Hi"}));
    let no_webhook = "no webhook for replies (inbound_callback) is set";
    assert_eq!(harness.events("inbound.not_configured")[1]["detail"]["reason"], no_webhook);
    harness.control("POST", "/inbound", json!({"from": TO, "to": "99900002", "text": "Hi"}));
    let both = format!("{no_webhook}, and {reason}");
    assert_eq!(harness.events("inbound.not_configured")[2]["detail"]["reason"], both);
}

#[test]
fn acc_119_each_state_of_a_chat_message_is_reported() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::new();
    harness.settings(json!({"chat_callback": receiver.url}));
    let id = crate::chat_sender::send(&harness, json!({"messenger_a": crate::chat_sender::text_message()}));
    harness.advance("1s");
    let got = receiver.take();
    assert_eq!(
        got.iter().map(|report| report.json()).collect::<Vec<_>>(),
        [
            json!({"messageId": id, "status": "Sent", "errorcode": 0}),
            json!({"messageId": id, "status": "Delivered", "errorcode": 0}),
        ]
    );
    assert!(
        got.iter()
            .all(|sent| sent.method == "POST" && sent.header("content-type") == Some("application/json"))
    );
}

#[test]
fn acc_120_121_tokens_are_checked_by_the_receiver() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::new();
    let old = verifier(&receiver.url, &[("old", "a")]);
    let now = harness.now() / 1_000;
    let url = old.url(Source::SmsReport, "r1", now).unwrap();
    send(&harness, json!({"callback": url, "reference": "r1"}));
    harness.advance("1s");
    let got = receiver.take().remove(0);
    let token = got.param("token").unwrap().to_owned();
    let inbound = old.mint(Purpose::Inbound, "r1", Lifetime::default(), now).unwrap();
    let mut altered = token.clone();
    altered.replace_range(altered.len() - 1.., if token.ends_with('A') { "B" } else { "A" });
    let swap = |with: &str| got.target.replace(&token, with);
    assert_eq!(status(&old, &got, &got.target, now), 200);
    let rejections = [
        got.target.replace(&format!("token={token}"), ""),
        swap(&altered),
        swap(&inbound),
        got.target.replace("reference=r1", "reference=r2"),
    ];
    for target in rejections {
        let refused = status(&old, &got, &target, now);
        assert!(matches!(refused, 401 | 403), "{refused}");
    }
    let late = status(&old, &got, &got.target, now + 100 * 86_400);
    assert!(matches!(late, 401 | 403), "expired");
    let both = verifier(&receiver.url, &[("new", "b"), ("old", "a")]);
    let only_new = verifier(&receiver.url, &[("new", "b")]);
    assert_eq!(status(&both, &got, &got.target, now), 200);
    assert!(matches!(status(&only_new, &got, &got.target, now), 401 | 403));
}
