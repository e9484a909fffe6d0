//! Rows 122 to 131: number lookup.

use serde_json::{Value, json};

use crate::lab::Lab;

fn one(lab: &Lab, number: &str) -> Value {
    let list = lab.get(&format!("/lookup?msisdn={number}")).ok();
    assert_eq!(list.as_array().unwrap().len(), 1);
    list[0].clone()
}

#[test]
fn acc_122_one_number_is_an_array_of_one() {
    let lab = Lab::new(&[]);
    let key = lab.config["api_key"].as_str().unwrap();
    for path in ["/lookup", "/lookup.json"] {
        let reply = lab.call("GET", &format!("{path}?key={key}&msisdn=306912345678"), &[], None).ok();
        assert_eq!((reply[0]["msisdn"].as_str(), reply.as_array().unwrap().len()), (Some("306912345678"), 1));
    }
}

#[test]
fn acc_123_124_several_in_order_with_duplicates() {
    let lab = Lab::new(&[]);
    let numbers = ["306912345678", "4917012345678", "306912345678"];
    let of = |list: Value| {
        list.as_array()
            .unwrap()
            .iter()
            .map(|one| one["msisdn"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(of(lab.get(&format!("/lookup?msisdn={}", numbers.join(","))).ok()), numbers);
    assert_eq!(of(lab.post("/lookup.json", json!({"msisdn": numbers})).ok()), numbers);
    assert_eq!(of(lab.post("/lookup.json", json!({"msisdn": numbers[1]})).ok()), [numbers[1]]);
    for id in ["lookup.numbers", "lookup.numbers_by_query"] {
        assert_eq!(of(lab.via(id, json!({"msisdn": numbers})).unwrap()), numbers);
    }
}

#[test]
fn acc_125_a_plain_number() {
    let number = one(&Lab::new(&[]), "306912345678");
    let names: Vec<&String> = number.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        ["absent", "cost", "date", "mcc", "mnc", "msisdn", "originalNetwork", "ported", "response"]
    );
    assert_eq!(
        (number["mcc"].as_str(), number["ported"].as_bool(), number["response"].as_i64()),
        (Some("202"), Some(false), Some(0))
    );
    assert_eq!(
        (
            number["originalNetwork"]["countryName"].as_str(),
            number["originalNetwork"]["countryPrefix"].as_str()
        ),
        (Some("Greece"), Some("30"))
    );
    assert!(
        number["cost"].is_number()
            && number["mnc"].is_string()
            && number["date"].as_str().unwrap().ends_with('Z')
    );
}

#[test]
fn acc_126_a_ported_number() {
    let number = one(&Lab::new(&[]), "9993010001");
    assert_eq!(number["ported"], true);
    assert!(number["originalMnc"].is_string() && number["portedNetwork"]["networkName"].is_string());
    assert_ne!(number["originalMnc"], number["mnc"]);
}

#[test]
fn acc_127_a_roaming_number() {
    let number = one(&Lab::new(&[]), "9993020001");
    assert_eq!(number["roaming"], true);
    for name in ["roamingMcc", "roamingMnc", "msc", "imsi"] {
        assert!(number[name].is_string(), "{name}");
    }
    assert!(
        number["roamingNetwork"]["countryName"].is_string() && number["imsi"].as_str().unwrap().contains('X')
    );
}

#[test]
fn acc_128_an_absent_number() {
    assert_eq!(one(&Lab::new(&[]), "9994040001")["absent"], true);
}

#[test]
fn acc_129_unassigned_and_malformed_numbers() {
    let lab = Lab::new(&[]);
    for number in ["9996040001", "12", "abc"] {
        let found = one(&lab, number);
        let names: Vec<&String> = found.as_object().unwrap().keys().collect();
        assert_eq!(names, ["cost", "date", "msisdn", "response"]);
        assert_eq!(found["response"], 902);
    }
    let mixed = lab.post("/lookup.json", json!({"msisdn": ["306912345678", "9996040001"]})).ok();
    assert_eq!((mixed[0]["response"].as_i64(), mixed[1]["response"].as_i64()), (Some(0), Some(902)));
}

#[test]
fn acc_130_too_many_numbers() {
    let lab = Lab::new(&[]);
    let many = |count: usize| lab.post("/lookup.json", json!({"msisdn": vec!["306912345678"; count]}));
    assert_eq!(many(1_000).ok().as_array().unwrap().len(), 1_000);
    assert_eq!(many(1_001).is(400).json(), json!([{"response": 902}]));
}

#[test]
fn acc_131_the_same_number_answers_the_same() {
    let (one_lab, other) = (Lab::new(&["--seed=3"]), Lab::new(&["--seed=3"]));
    for number in ["306912345678", "9993020077", "9993010077"] {
        assert_eq!(one(&one_lab, number), one(&other, number));
    }
}
