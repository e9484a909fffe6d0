//! The vectors of numbers.

use cpaas::text::msisdn::normalize_number;
use serde_json::Value;

fn cases() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("../../../tests/vectors/numbers.json")).unwrap();
    file["cases"].as_array().unwrap().clone()
}

#[test]
fn each_notation_has_its_canonical_form_or_a_reason() {
    let mut count = 0;
    for case in cases() {
        let (number, region) = (case["number"].as_str().unwrap(), case["region"].as_str());
        if region.is_some() && !cfg!(feature = "phone") {
            continue;
        }
        let found = normalize_number(number, region);
        let reason = found.as_ref().err().map(|reason| reason.code());
        assert_eq!(
            (found.as_deref().ok(), reason),
            (case["form"].as_str(), case["reason"].as_str()),
            "{case}"
        );
        count += 1;
    }
    assert!(count >= 60, "{count}");
}

#[test]
fn the_canonical_form_is_its_own_canonical_form() {
    for case in cases() {
        if let Some(form) = case["form"].as_str() {
            assert_eq!(normalize_number(form, None).as_deref(), Ok(form));
        }
    }
}

#[cfg(feature = "phone")]
#[test]
fn check_number_accepts_the_same_notations() {
    use cpaas::text::msisdn::check_number;
    for case in cases().iter().filter(|case| case["region"].is_null()) {
        let number = case["number"].as_str().unwrap();
        let form = case["form"].as_str().unwrap_or_default();
        assert_eq!(check_number(number, None), check_number(form, None), "{case}");
    }
}

#[cfg(feature = "phone")]
#[test]
fn the_plans_contain_assigned_and_possible_numbers() {
    use cpaas::text::msisdn::{Assignment, assignment};
    for (number, expected) in [
        ("306912345678", Assignment::Assigned),
        ("881612345678", Assignment::Assigned),
        ("6912345678", Assignment::Possible),
        ("2101234567", Assignment::Impossible),
        ("30691234567", Assignment::Impossible),
        // Only toll-free numbers of Greece have 11 or 12 digits.
        ("3006900000001", Assignment::Impossible),
        ("30690000002122", Assignment::Impossible),
        ("123456789012345", Assignment::Impossible),
    ] {
        assert_eq!(assignment(number), expected, "{number}");
    }
}

#[cfg(feature = "phone")]
#[test]
fn check_number_accepts_numbers_as_they_are_dialed_in_a_region() {
    use cpaas::text::msisdn::{NotANumber, check_number};
    let mut count = 0;
    for case in cases() {
        let (number, region) = (case["number"].as_str().unwrap(), case["region"].as_str());
        if let Some(expected) = case.get("check") {
            let check = check_number(number, region).unwrap();
            assert_eq!(serde_json::to_value(&check).unwrap(), *expected, "{case}");
            count += 1;
        }
        let is_known = check_number(number, region) != Err(NotANumber::Region);
        assert_eq!(is_known, case["reason"].as_str() != Some("region"), "{case}");
    }
    assert!(count >= 8, "{count}");
    assert_eq!(check_number("letters", Some("XX")), Err(NotANumber::Region));
}

#[cfg(feature = "phone")]
#[test]
fn regions_are_those_with_a_numbering_plan() {
    use cpaas::text::msisdn::{is_region, regions};
    let regions = regions();
    assert!(regions.iter().all(|region| is_region(region) && region.len() == 2));
    assert!(regions.is_sorted() && regions.len() > 200 && regions.contains(&"GR".to_owned()));
    assert!(!is_region("XX") && !is_region("Greece") && !is_region(""));
}
