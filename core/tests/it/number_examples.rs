//! The example of a mobile number of each region in libphonenumber's metadata, which `tests/nightly/public_data` installs with
//! libphonenumber-js.

use std::collections::BTreeMap;

use cpaas::text::msisdn::{NumberType, check_number};

#[test]
#[ignore = "needs the file; `tests/nightly/public_data` runs it"]
fn the_example_of_each_region_is_a_valid_mobile_number() {
    let file = std::env::var_os("CPAAS_NUMBER_EXAMPLES").expect("examples.mobile.json of libphonenumber-js");
    let examples: BTreeMap<String, String> =
        serde_json::from_slice(&std::fs::read(file).unwrap()).expect("numbers by region");
    let mut wrong = Vec::new();
    for (region, number) in &examples {
        let found = check_number(number, Some(region)).unwrap();
        let is_mobile = matches!(found.kind, NumberType::Mobile | NumberType::FixedLineOrMobile);
        if !(found.valid && found.possible && is_mobile && found.region.as_deref() == Some(region)) {
            wrong.push(format!("{region} {number}: {found:?}"));
        }
    }
    println!("{} regions", examples.len());
    assert!(examples.len() > 230, "{}", examples.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
