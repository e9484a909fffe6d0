//! Rows 80 to 106: SMS.

use cpaas::error::Outcome;
use serde_json::{Value, json};

use crate::harness::Harness;
use crate::passcodes::TO;
use crate::scripted_receiver::Receiver;

pub fn sms(changes: Value) -> Value {
    let mut body = json!({"from": "Acme", "to": TO, "text": "Hi", "type": "auto"});
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

fn code(harness: &Harness, changes: Value) -> i64 {
    harness.post("/sms", sms(changes)).json()["responseCode"].as_i64().unwrap()
}

fn parts(harness: &Harness, text: &str) -> u64 {
    let before = harness.ledger().len();
    harness.post("/sms", sms(json!({"text": text}))).ok();
    assert_eq!(harness.ledger().len(), before + 1, "one id for all parts");
    harness.last(TO)["parts"].as_u64().unwrap()
}

#[test]
fn acc_080_an_sms_is_sent() {
    let harness = Harness::new(&[]);
    let response = harness.post("/sms", sms(json!({"text": "Καλημέρα"}))).ok();
    let stamp: String = response["timestamp"]
        .as_str()
        .unwrap()
        .chars()
        .map(|c| if c.is_ascii_digit() { '9' } else { c })
        .collect();
    assert_eq!(stamp, "9999-99-99T99:99:99.999Z");
    assert_eq!((response["responseCode"].as_i64(), response["textLength"].as_i64()), (Some(0), Some(8)));
    assert!(response["responseText"].is_string() && response["to"] == TO && response.get("test").is_none());
    assert_eq!(harness.last(TO)["id"], response["id"]);
    let sent = harness.via("sms.send", sms(json!({}))).unwrap();
    assert_eq!(harness.last(TO)["id"], sent["id"]);
}

#[test]
fn acc_081_the_suffixes_json_and_xml_are_accepted_where_documented() {
    let harness = Harness::new(&["--conversion"]);
    let today = harness.post("/sms", sms(json!({}))).ok()["timestamp"].as_str().unwrap()[..10].to_owned();
    let usage = json!({"startDate": today, "endDate": today, "AccountName": harness.sid()});
    for suffix in ["", ".json"] {
        let sent = harness.post(&format!("/sms{suffix}"), sms(json!({}))).ok();
        harness.post(&format!("/smsbulk{suffix}"), sms(json!({}))).ok();
        harness.post(&format!("/usage/bycountry{suffix}"), usage.clone()).ok();
        harness.post(&format!("/sms/converted{suffix}"), json!({"messageId": sent["id"]})).ok();
        harness.post(&format!("/lookup{suffix}"), json!({"msisdn": TO})).ok();
    }
    let xml = harness.post("/sms.xml", sms(json!({}))).is(200);
    assert!(
        xml.text.contains("<response><id>") && xml.text.contains("<responseCode>0</responseCode>"),
        "{}",
        xml.text
    );
    assert_eq!((xml.header("content-type"), xml.assumed().contains("D32")), (Some("application/xml"), true));
    let refused = harness.post("/sms.xml", sms(json!({"to": "x"}))).is(400);
    assert!(refused.text.contains("<responseCode>902</responseCode>"));
    for path in ["/smsbulk.xml", "/usage/bycountry.xml", "/sms/converted.xml", "/lookup.xml", "/2fa/send.xml"]
    {
        harness.post(path, sms(json!({}))).is(404);
    }
}

#[test]
fn acc_082_a_test_sms_is_accepted_but_not_delivered() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::new();
    let body = sms(json!({"test": true, "callback": receiver.url}));
    let response = harness.post("/sms", body.clone()).ok();
    assert_eq!((response["test"].as_bool(), response["responseCode"].as_i64()), (Some(true), Some(0)));
    harness.via("sms.send", body).unwrap();
    harness.advance("1d");
    assert!(harness.inbox_is_empty() && receiver.received().is_empty());
    assert!(harness.ledger().iter().all(|entry| entry["test"] == true));
}

#[test]
fn acc_083_a_test_sms_needs_a_valid_number() {
    assert_eq!(code(&Harness::new(&[]), json!({"test": true, "to": "nobody"})), 902);
}

#[test]
fn acc_084_the_encoding_is_detected() {
    let harness = Harness::new(&[]);
    for (text, encoding) in [("Hi €", "gsm7"), ("Hi 👋", "ucs2")] {
        harness.post("/sms", sms(json!({"text": text}))).ok();
        assert_eq!(harness.last(TO)["encoding"], encoding);
    }
}

#[test]
fn acc_085_other_types_are_treated_as_auto_and_flagged() {
    let harness = Harness::new(&[]);
    for kind in [Value::Null, json!("unicode")] {
        let reply = harness.post("/sms", sms(json!({"type": kind}))).is(200);
        assert!(reply.assumed().contains("D26"));
    }
    assert!(!harness.post("/sms", sms(json!({}))).assumed().contains("D26"));
}

#[test]
fn acc_086_087_088_texts_are_divided_into_parts() {
    let harness = Harness::new(&[]);
    for (length, count) in [(160, 1), (161, 2), (306, 2), (307, 3), (529, 4)] {
        assert_eq!(parts(&harness, &"a".repeat(length)), count, "{length} GSM");
    }
    for (length, count) in [(70, 1), (71, 2), (134, 2), (135, 3), (529, 8)] {
        assert_eq!(parts(&harness, &"я".repeat(length)), count, "{length} unicode");
    }
}

/// A simple second implementation: it counts the units of each character and fills the parts greedily.
fn greedy(text: &str) -> usize {
    let extension = "^{}\\[~]|€";
    let gsm = text.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ' || extension.contains(c));
    let cost = |c: char| if gsm { 1 + usize::from(extension.contains(c)) } else { c.len_utf16() };
    let (one, many) = if gsm { (160, 153) } else { (70, 67) };
    if text.chars().map(cost).sum::<usize>() <= one {
        return 1;
    }
    let (mut count, mut used) = (1, 0);
    for c in text.chars() {
        if used + cost(c) > many {
            count += 1;
            used = 0;
        }
        used += cost(c);
    }
    count
}

#[test]
fn acc_089_surrogate_pairs_are_never_split() {
    let harness = Harness::new(&[]);
    let texts = [
        "€[]{}~^\\|".repeat(9),
        "a".repeat(152) + &"€".repeat(80),
        "a".repeat(152) + "€" + &"b".repeat(10),
        "я".repeat(66) + &"👋".repeat(40),
        "👋".repeat(35),
        "👋".repeat(36),
    ];
    for text in texts {
        assert_eq!(parts(&harness, &text), greedy(&text) as u64, "{text}");
        let shown = harness.last(TO);
        let joined: String =
            shown["part_texts"].as_array().unwrap().iter().map(|part| part.as_str().unwrap()).collect();
        assert_eq!(joined, text, "no surrogate pair is split");
    }
}

#[test]
fn acc_090_invalid_numbers_are_rejected() {
    let harness = Harness::new(&[]);
    for to in ["+306912345678", "letters", "123456", "1234567890123456", "", "30 69123456"] {
        assert_eq!(code(&harness, json!({"to": to})), 902, "{to}");
    }
    assert_eq!(
        [code(&harness, json!({"to": "1234567"})), code(&harness, json!({"to": "123456789012345"}))],
        [0, 0]
    );
    assert_eq!(harness.ledger().len(), 2);
}

#[test]
fn acc_091_empty_and_too_long_senders_are_rejected() {
    let harness = Harness::new(&[]);
    let senders = [
        ("AbcdefghijK", 0),
        ("AbcdefghijKl", 904),
        ("1234567890123456", 0),
        ("12345678901234567", 904),
        ("", 904),
    ];
    for (from, expected) in senders {
        assert_eq!(code(&harness, json!({"from": from})), expected, "{from}");
    }
}

#[test]
fn acc_092_empty_texts_and_lone_surrogates_are_rejected_and_nul_is_kept() {
    let harness = Harness::new(&[]);
    assert_eq!(code(&harness, json!({"text": ""})), 905);
    assert_eq!(code(&harness, json!({"text": "a\u{0}b"})), 0);
    assert_eq!(harness.last(TO)["text"], "a\u{0}b");
    let lone = r#"{"from":"Acme","to":"306912345678","text":"\ud800","type":"auto"}"#;
    harness.call("POST", "/sms", &Harness::auth(&harness.config, "/sms"), Some(lone)).is(400);
}

#[test]
fn acc_096_invalid_callbacks_are_rejected() {
    let harness = Harness::new(&[]);
    for url in ["no url", "ftp://127.0.0.1/x", "http://user:pw@127.0.0.1/", "//127.0.0.1/"] {
        assert_eq!(code(&harness, json!({"callback": url})), 907, "{url}");
    }
}

#[test]
fn acc_097_a_number_listed_twice_receives_two_messages() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::new();
    let (a, b) = ("306912345678", "306987654321");
    let body = sms(json!({"to": format!("{a},{b},{a}"), "callback": receiver.url, "reference": "tag 7"}));
    let response = harness.post("/smsbulk", body.clone()).ok();
    let ids: Vec<&Value> = response["messages"].as_array().unwrap().iter().map(|sms| &sms["id"]).collect();
    let to: Vec<&str> =
        response["messages"].as_array().unwrap().iter().map(|sms| sms["to"].as_str().unwrap()).collect();
    assert_eq!(to, [a, b, a]);
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
    assert_eq!((harness.inbox(a).len(), harness.inbox(b).len()), (2, 1));
    harness.advance("1s");
    let got = receiver.take();
    assert_eq!(got.len(), 3);
    assert!(got.iter().all(|report| report.param("reference") == Some("tag%207")));
    let reported: Vec<&str> = got.iter().map(|report| report.param("msgid").unwrap()).collect();
    assert_eq!(reported, ids.iter().map(|id| id.as_str().unwrap()).collect::<Vec<_>>());
    let typed = harness.via("sms.send_bulk", sms(json!({"to": format!("{a},{b},{a}")}))).unwrap();
    assert_eq!(typed["messages"].as_array().unwrap().len(), 3);
    let mut test = body;
    test["test"] = json!(true);
    let response = harness.post("/smsbulk", test).ok();
    for message in response["messages"].as_array().unwrap() {
        let names: Vec<&str> = message.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, ["id", "textLength", "timestamp", "to"], "the members documented in section B3");
    }
    harness.advance("1s");
    assert!(receiver.take().is_empty(), "a test SMS has no report");
}

/// The library's rules: as in the family `messaging`, the plus of a numeric sender is not counted; a text has at most 255 parts.
#[test]
fn acc_091_the_sandbox_applies_the_library_s_rules_for_senders_and_texts() {
    let harness = Harness::new(&[]);
    let from = |from: &str| code(&harness, json!({"from": from}));
    assert_eq!([from("+1234567890123456"), from("+12345678901234567"), from("+3069")], [0, 904, 0]);
    assert_eq!([from("+Acme567890"), from("+Acme5678901")], [0, 904]);
    let text = |text: String| code(&harness, json!({"text": text}));
    assert_eq!([text("a".repeat(39_015)), text("a".repeat(39_016))], [0, 905]);
    assert_eq!([text("é\u{451}".repeat(8_542)), text("é\u{451}".repeat(8_543))], [0, 905]);
    let bulk = harness.post("/smsbulk", sms(json!({"text": "a".repeat(39_016)}))).is(400).json();
    assert_eq!(bulk["responseCode"], 905);
}

#[test]
fn acc_098_blanks_around_numbers_are_removed_and_empty_elements_rejected() {
    let harness = Harness::new(&[]);
    let bulk = |to: &str| harness.post("/smsbulk", sms(json!({"to": to}))).json();
    assert_eq!(bulk(" 306912345678 , 306987654321")["messages"][0]["to"], TO);
    assert_eq!(bulk("306912345678,")["responseCode"], 902);
    assert_eq!(bulk("")["responseCode"], 902);
}

#[test]
fn acc_099_a_bulk_with_an_invalid_number_sends_nothing() {
    let harness = Harness::new(&[]);
    let mut list: Vec<String> = (0..1_000).map(|n| format!("30691{n:07}")).collect();
    list[500] = "bad".to_owned();
    let reply = harness.post("/smsbulk", sms(json!({"to": list.join(",")}))).is(400);
    assert_eq!(reply.json()["responseCode"], 902);
    assert!(reply.json()["responseText"].as_str().unwrap().contains("501"), "the position is named");
    assert!(harness.inbox_is_empty() && harness.ledger().is_empty());
}

#[test]
fn acc_100_more_than_ten_thousand_numbers_are_rejected() {
    let harness = Harness::new(&[]);
    let list = |count: usize| (0..count).map(|n| format!("30691{n:07}")).collect::<Vec<_>>().join(",");
    assert_eq!(
        harness.post("/smsbulk", sms(json!({"to": list(10_000)}))).ok()["messages"].as_array().unwrap().len(),
        10_000
    );
    assert_eq!(
        harness.post("/smsbulk", sms(json!({"to": list(10_001)}))).is(400).json()["responseCode"],
        902
    );
    let huge = sms(json!({"text": "a".repeat(9 * 1024 * 1024)}));
    assert_eq!(harness.post("/sms", huge).status, 413);
}

#[test]
fn acc_101_every_element_of_a_bulk_response_has_the_text_length() {
    let harness = Harness::new(&[]);
    let response =
        harness.post("/smsbulk", sms(json!({"to": "306912345678,306987654321", "text": "héllo👋"}))).ok();
    assert!(response["messages"].as_array().unwrap().iter().all(|sms| sms["textLength"] == 6));
}

#[test]
fn acc_102_103_usage_is_counted_by_country_and_invalid_dates_are_rejected() {
    let harness = Harness::new(&[]);
    let sent = harness.post("/smsbulk", sms(json!({"to": "306912345678,306987654321,4917012345678"}))).ok();
    harness.post("/sms", sms(json!({"test": true}))).ok();
    let day = sent["messages"][0]["timestamp"].as_str().unwrap()[..10].to_owned();
    let ask =
        |start: &str, end: &str, name: &str| json!({"startDate": start, "endDate": end, "AccountName": name});
    let list =
        harness.post("/usage/bycountry.json", ask(&day, &day, harness.sid())).ok()["usagesByCountry"].clone();
    assert_eq!((list[0]["country"].as_str(), list[0]["messagesCount"].as_str()), (Some("DEU"), Some("1")));
    assert_eq!((list[1]["country"].as_str(), list[1]["messagesCount"].as_str()), (Some("GRC"), Some("2")));
    assert!(list[0]["cost"].as_str().unwrap().parse::<f64>().unwrap() > 0.0);
    let typed = harness.via("sms.usage_by_country", ask(&day, &day, harness.sid())).unwrap();
    assert_eq!(typed["usagesByCountry"][1]["messagesCount"], "2");
    for bad in [
        ask("x", &day, harness.sid()),
        ask("2026-02-30", &day, harness.sid()),
        ask("2099-01-01", "2098-01-01", harness.sid()),
    ] {
        assert_eq!(harness.post("/usage/bycountry.json", bad).is(400).json()["responseCode"], 912);
    }
    assert_eq!(
        harness.post("/usage/bycountry.json", ask(&day, &day, "Nobody")).ok()["usagesByCountry"],
        json!([])
    );
}

#[test]
fn acc_104_conversion_must_be_enabled_and_requires_a_known_id() {
    let off = Harness::new(&[]);
    let id = off.post("/sms", sms(json!({}))).ok()["id"].clone();
    assert_eq!(off.post("/sms/converted.json", json!({"messageId": id})).is(403).json()["responseCode"], 910);
    let on = Harness::new(&["--conversion"]);
    let id = on.post("/sms", sms(json!({}))).ok()["id"].clone();
    assert_eq!(on.post("/sms/converted.json", json!({"messageId": id})).ok()["responseCode"], 0);
    on.via("sms.convert", json!({"messageId": id})).unwrap();
    let unknown = json!({"messageId": "00000000-0000-0000-0000-000000000000"});
    assert_eq!(on.post("/sms/converted.json", unknown.clone()).is(404).json()["responseCode"], 911);
    assert_eq!(on.via("sms.convert", unknown).unwrap_err().code, Some(911));
}

#[test]
fn acc_105_the_request_log_contains_the_region() {
    let harness = Harness::new(&[]);
    let regions = [
        ("nearest", Value::Null),
        ("frankfurt", json!("fra")),
        ("singapore", json!("sg")),
        ("hong_kong", json!("hk")),
        ("united_states", json!("us")),
    ];
    for (region, logged) in regions {
        let url = |short: &str| format!("{}/region/{short}", harness.url);
        let config = harness
            .client_config()
            .region(region.parse().unwrap())
            .sms_url_frankfurt(url("fra"))
            .sms_url_singapore(url("sg"))
            .sms_url_hong_kong(url("hk"))
            .sms_url_united_states(url("us"));
        let client = cpaas::client::blocking::Client::new(&config).unwrap();
        client.call(cpaas::sms::SendSms::new("Acme", TO, "Hi")).unwrap();
        assert_eq!(harness.requests().last().unwrap()["region"], logged, "{region}");
    }
}

#[test]
fn acc_106_invalid_json_and_other_content_types_are_rejected_and_odd_members_flagged() {
    let harness = Harness::new(&[]);
    let mut plain = Harness::auth(&harness.config, "/sms");
    let call = |headers: &[(String, String)], body: &str| harness.call("POST", "/sms", headers, Some(body));
    call(&plain, "{").is(400);
    call(&plain, "[1]").is(400);
    let twice = r#"{"from":"Acme","to":"306912345678","text":"first","text":"last","type":"auto"}"#;
    call(&plain, twice).is(200);
    assert_eq!(harness.last(TO)["text"], "last");
    harness.post("/sms", sms(json!({"color": "red"}))).is(200);
    let warnings: Vec<String> = harness
        .requests()
        .iter()
        .flat_map(|entry| entry["warnings"].as_array().unwrap().clone())
        .map(|text| text.to_string())
        .collect();
    assert!(
        warnings.iter().any(|text| text.contains("duplicate field"))
            && warnings.iter().any(|text| text.contains("color"))
    );
    plain.push(("Content-Type".to_owned(), "text/plain".to_owned()));
    call(&plain, twice).is(415);
}

#[test]
fn acc_090_the_client_reports_the_code_of_a_rejection() {
    let harness = Harness::new(&[]);
    let error = harness.via("sms.send", sms(json!({"to": "9994290001"}))).unwrap_err();
    assert_eq!((error.outcome, error.code), (Outcome::Rejected, Some(906)));
    let always = Harness::new(&["--b-status=always200"]);
    let reply = always.post("/sms", sms(json!({"from": ""}))).is(200);
    assert_eq!(reply.json()["responseCode"], 904);
}
