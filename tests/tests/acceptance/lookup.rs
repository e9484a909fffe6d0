//! Rows 122 to 131: number lookup.

use cpaas::lookup::{LookUpNumbers, LookUpNumbersByQuery};
use serde_json::{Value, json};

use crate::message_harness::{MessageHarness, PLAIN};

/// Magic numbers, named after their results.
const PORTED: &str = "9993010001";
const ROAMING: &str = "9993020001";
const ABSENT: &str = "9994040001";
const UNASSIGNED: &str = "9996040001";

/// A lookup by GET, with the key in the query and no header.
fn get(harness: &MessageHarness, path: &str, numbers: &str) -> Value {
    harness.bare(&format!("{path}?key={}&msisdn={numbers}", harness.key("api_key"))).ok()
}

fn lookup_one(harness: &MessageHarness, number: &str) -> Value {
    let list = get(harness, "/lookup", number);
    assert_eq!(list.as_array().unwrap().len(), 1);
    list[0].clone()
}

#[track_caller]
fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|number| number["msisdn"].as_str().unwrap()).collect()
}

#[test]
fn acc_122_a_lookup_by_query_returns_one_number() {
    let harness = MessageHarness::new();
    for path in ["/lookup", "/lookup.json"] {
        assert_eq!(names(&get(&harness, path, PLAIN)), [PLAIN]);
    }
    let found = harness.client().call(LookUpNumbersByQuery::new([PLAIN])).unwrap().value;
    assert_eq!((found.len(), found[0].msisdn.as_deref(), found[0].response), (1, Some(PLAIN), Some(0)));
}

#[test]
fn acc_123_several_numbers_are_returned_in_order_with_their_duplicates() {
    let harness = MessageHarness::new();
    let asked = ["447700900123", PLAIN, "447700900123", "15005550006"];
    assert_eq!(names(&get(&harness, "/lookup", &asked.join(","))), asked);
    let found = harness.client().call(LookUpNumbersByQuery::new(asked)).unwrap().value;
    assert_eq!(found.iter().filter_map(|number| number.msisdn.as_deref()).collect::<Vec<_>>(), asked);
}

#[test]
fn acc_124_the_numbers_in_a_body_are_a_string_or_an_array() {
    let harness = MessageHarness::new();
    let ask = |msisdn: Value| harness.post("/lookup.json", &json!({"msisdn": msisdn})).ok();
    assert_eq!(names(&ask(json!(PLAIN))), [PLAIN]);
    assert_eq!(names(&ask(json!("447700900123,306912345678"))), ["447700900123", PLAIN]);
    let several = ["447700900123", PLAIN, PLAIN];
    assert_eq!(names(&ask(json!(several))), several);
    let client = harness.client();
    let found = client.call(LookUpNumbers::new([PLAIN])).unwrap().value;
    assert_eq!(found[0].msisdn.as_deref(), Some(PLAIN));
    let found = client.call(LookUpNumbers::new(several)).unwrap().value;
    assert_eq!(found.iter().filter_map(|number| number.msisdn.as_deref()).collect::<Vec<_>>(), several);
}

#[test]
fn acc_125_a_plain_number_has_only_its_network() {
    let found = lookup_one(&MessageHarness::new(), PLAIN);
    assert_eq!((&found["msisdn"], &found["response"]), (&json!(PLAIN), &json!(0)));
    assert_eq!((&found["mcc"], &found["ported"]), (&json!("202"), &json!(false)));
    assert!(found["mnc"].is_string() && found["cost"].is_number());
    assert!(found["date"].as_str().unwrap().ends_with('Z') && found["date"].as_str().unwrap().contains('T'));
    let network = &found["originalNetwork"];
    assert_eq!((&network["countryName"], &network["countryPrefix"]), (&json!("Greece"), &json!("30")));
    assert!(network["networkName"].is_string());
    for name in ["portedNetwork", "originalMnc", "roaming", "roamingMcc", "roamingMnc", "roamingNetwork"] {
        assert!(found.get(name).is_none(), "{name}");
    }
    for name in ["msc", "imsi"] {
        assert!(found.get(name).is_none(), "{name}");
    }
}

#[test]
fn acc_126_a_ported_number_shows_both_networks() {
    let found = lookup_one(&MessageHarness::new(), PORTED);
    assert_eq!((&found["ported"], &found["response"]), (&json!(true), &json!(0)));
    assert!(found["originalMnc"].is_string() && found["originalMnc"] != found["mnc"]);
    for name in ["networkName", "countryName", "countryPrefix"] {
        assert!(found["portedNetwork"][name].is_string() && found["originalNetwork"][name].is_string());
    }
    assert_ne!(found["portedNetwork"], found["originalNetwork"]);
}

#[test]
fn acc_127_a_roaming_number_shows_the_visited_network() {
    let found = lookup_one(&MessageHarness::new(), ROAMING);
    assert_eq!((&found["roaming"], &found["response"]), (&json!(true), &json!(0)));
    for name in ["roamingMcc", "roamingMnc", "msc"] {
        assert!(found[name].as_str().is_some_and(|text| !text.is_empty()), "{name}");
    }
    for name in ["networkName", "countryName", "countryPrefix"] {
        assert!(found["roamingNetwork"][name].is_string(), "{name}");
    }
    let imsi = found["imsi"].as_str().unwrap();
    assert!(imsi.starts_with(|c: char| c.is_ascii_digit()), "some digits are visible");
    assert!(imsi.contains(|c: char| !c.is_ascii_digit()), "some digits are masked");
}

#[test]
fn acc_128_an_unreachable_number_is_absent() {
    let harness = MessageHarness::new();
    assert_eq!(lookup_one(&harness, ABSENT)["absent"], true);
    assert_ne!(lookup_one(&harness, PLAIN)["absent"], true);
}

#[test]
fn acc_129_unassigned_and_invalid_numbers_have_the_response_902() {
    let harness = MessageHarness::new();
    for number in [UNASSIGNED, "12345", "30691234x678", "3069123456789012"] {
        let reply = harness.bare(&format!("/lookup?key={}&msisdn={number}", harness.key("api_key"))).is(200);
        assert!(reply.assumes("D38"), "{number}");
        let found = reply.json()[0].clone();
        assert_eq!((&found["response"], &found["msisdn"]), (&json!(902), &json!(number)));
        let mut members: Vec<&str> = found.as_object().unwrap().keys().map(String::as_str).collect();
        members.sort_unstable();
        assert_eq!(members, ["cost", "date", "msisdn", "response"], "the other fields are absent");
    }
    let mixed = get(&harness, "/lookup", &format!("{PLAIN},{UNASSIGNED}"));
    assert_eq!((&mixed[0]["response"], &mixed[1]["response"]), (&json!(0), &json!(902)));
}

#[test]
fn acc_130_more_than_a_thousand_numbers_are_rejected() {
    let harness = MessageHarness::new();
    let numbers: Vec<String> = (0..1_001).map(|n| (306_900_000_000_u64 + n).to_string()).collect();
    let ask = |count: usize| harness.post("/lookup.json", &json!({"msisdn": numbers[..count]}));
    assert_eq!(ask(1_000).ok().as_array().unwrap().len(), 1_000);
    let refused = ask(1_001).is(400);
    assert!(refused.assumes("D31"));
    assert_eq!(refused.json(), json!([{"response": 902}]));
}

#[test]
fn acc_131_the_same_number_has_the_same_result() {
    let harness = MessageHarness::with(&["--seed=7"]);
    let again = MessageHarness::with(&["--seed=7"]);
    for number in [PLAIN, PORTED, ROAMING, ABSENT] {
        let found = lookup_one(&harness, number);
        assert_eq!(found, lookup_one(&harness, number));
        assert_eq!(found, lookup_one(&again, number));
    }
    assert_ne!(lookup_one(&harness, PLAIN)["mcc"], lookup_one(&harness, "447700900123")["mcc"]);
}

/// A blank number makes the request invalid. An invalid number does not: its own element has the response
/// code.
#[test]
fn acc_129_a_blank_number_is_refused() {
    let harness = MessageHarness::new();
    for list in [json!(""), json!(" "), json!([]), json!([""]), json!(["306912345678", " "])] {
        let reply = harness.post("/lookup", &json!({"msisdn": list})).is(400);
        assert_eq!(reply.json(), json!([{"response": 902}]), "{list}");
    }
    for list in ["", "%20", "306912345678,"] {
        harness.bare(&format!("/lookup?key={}&msisdn={list}", harness.key("api_key"))).is(400);
    }
    assert_eq!(harness.post("/lookup", &json!({"msisdn": "12"})).ok()[0]["response"], 902);
}
