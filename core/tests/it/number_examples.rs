//! The example of each type of number of each region in libphonenumber's metadata, which `tests/nightly/public_data` writes to a file with
//! `phonenumbers`.

use std::collections::BTreeMap;

use cpaas::text::msisdn::{NumberType, check_number};

/// A region, a type of number, its example, and the region that libphonenumber finds for the example.
type Example = (String, String, String, String);

/// A number of at most this many digits, with the country calling code, is a service of one country.
const SHORT: usize = 8;

/// Why the result for an example differs from its region and type: `None` if it does not.
fn cause((region, kind, number, shared): &Example) -> Result<Option<&'static str>, String> {
    let found = check_number(number, Some(region)).unwrap();
    let kind_found = serde_json::to_value(found.kind).unwrap();
    let is_distinguished = kind_found == kind.as_str();
    let is_either =
        found.kind == NumberType::FixedLineOrMobile && matches!(kind.as_str(), "mobile" | "fixed_line");
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    match found.region.as_deref() {
        _ if !found.possible && kind == "universal_access" && digits <= SHORT => {
            return Ok(Some("a service number that no message from abroad reaches"));
        }
        Some(at) if !(found.valid && found.possible && at == shared && (is_distinguished || is_either)) => {}
        Some(at) if at != region => return Ok(Some("regions with one calling code share the range")),
        Some(_) if is_either => return Ok(Some("the plan does not distinguish mobile and fixed line")),
        Some(_) => return Ok(None),
        None => {}
    }
    Err(format!("{region} {kind} {number}: {found:?}"))
}

#[test]
#[ignore = "needs the file; `tests/nightly/public_data` runs it"]
fn each_example_has_its_region_and_type() {
    let file = std::env::var_os("CPAAS_NUMBER_EXAMPLES").expect("a file of examples");
    let examples: Vec<Example> = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let (mut explained, mut wrong) = (BTreeMap::<_, usize>::new(), Vec::new());
    for example in &examples {
        match cause(example) {
            Ok(cause) => *explained.entry(cause).or_default() += 1,
            Err(difference) => wrong.push(difference),
        }
    }
    let agreeing = explained.remove(&None).unwrap_or(0);
    for (cause, count) in &explained {
        println!("  {count} explained: {}", cause.unwrap());
    }
    println!("{} cases, {agreeing} agree, {} explained", examples.len(), explained.values().sum::<usize>());
    assert!(examples.len() > 1_000, "{}", examples.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
