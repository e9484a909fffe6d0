//! The vectors of prices by prefix.

use cpaas::bindings::{TextError, estimate_to_json};
use cpaas::text::{PriceTable, estimate_to};
use serde_json::{Map, Value, json};

#[test]
fn a_number_has_the_price_of_its_canonical_form() {
    let file: Value = serde_json::from_str(include_str!("../../../tests/vectors/prices.json")).unwrap();
    let cases = file["cases"].as_array().unwrap();
    for case in cases {
        let text = |member: &str| case[member].as_str().unwrap();
        let to: Vec<&str> = case["to"].as_array().unwrap().iter().map(|to| to.as_str().unwrap()).collect();
        let found = PriceTable::parse(text("prices"))
            .map_err(TextError::from)
            .and_then(|prices| Ok(estimate_to(text("text"), &prices, &to)?));
        let json = estimate_to_json(text("text"), text("prices"), &case["to"].to_string(), None);
        match found {
            Ok(found) => {
                let shares = found.by_prefix.iter();
                let recipients: Map<String, Value> =
                    shares.map(|share| (share.prefix.clone(), json!(share.recipients))).collect();
                assert_eq!(Value::Object(recipients), case["recipients"], "{case}");
                let json: Value = serde_json::from_str(&json.unwrap()).unwrap();
                assert_eq!(
                    (&json["total"], &json["currency"]),
                    (&case["total"], &case["currency"]),
                    "{case}"
                );
                let sums = case
                    .get("byCurrency")
                    .cloned()
                    .unwrap_or_else(|| json!({case["currency"].as_str().unwrap(): case["total"]}));
                let shares = json["byCurrency"].as_object().unwrap().iter();
                let found: Map<String, Value> =
                    shares.map(|(currency, share)| (currency.clone(), share["total"].clone())).collect();
                assert_eq!(Value::Object(found), sums, "{case}");
            }
            Err(error) => {
                assert_eq!((error.code(), error.to_string().as_str()), (text("error"), text("message")));
                assert_eq!(json.unwrap_err().to_string(), text("message"), "{case}");
            }
        }
    }
    assert!(cases.len() >= 13, "{}", cases.len());
}
