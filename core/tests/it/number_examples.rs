//! The example of a mobile number of each region in libphonenumber's metadata, which `tests/nightly/public_data` installs with
//! libphonenumber-js.

use std::collections::BTreeMap;

use cpaas::text::msisdn::{NumberType, check_number};

/// Regions that share a country calling code and the ranges of mobile numbers with another one, to which the metadata assigns them.
const SHARED: [(&str, &str); 9] = [
    ("AX", "FI"),
    ("BL", "GP"),
    ("CC", "AU"),
    ("CX", "AU"),
    ("EH", "MA"),
    ("IM", "GB"),
    ("MF", "GP"),
    ("SJ", "NO"),
    ("VA", "IT"),
];

/// Tristan da Cunha has no mobile numbers; the file has an example of a fixed line.
const FIXED_LINE: &str = "TA";

#[test]
#[ignore = "needs the file; `tests/nightly/public_data` runs it"]
fn the_example_of_each_region_is_valid_and_mobile() {
    let file = std::env::var_os("CPAAS_NUMBER_EXAMPLES").expect("examples.mobile.json of libphonenumber-js");
    let examples: BTreeMap<String, String> =
        serde_json::from_slice(&std::fs::read(file).unwrap()).expect("numbers by region");
    let mut wrong = Vec::new();
    for (region, number) in &examples {
        let found = check_number(number, Some(region)).unwrap();
        let shared = SHARED.iter().find(|(shared, _)| shared == region);
        let expected = shared.map_or(region.as_str(), |(_, main)| main);
        let is_expected = match found.kind {
            NumberType::FixedLine => region == FIXED_LINE,
            kind => matches!(kind, NumberType::Mobile | NumberType::FixedLineOrMobile),
        };
        if !(found.valid && found.possible && is_expected && found.region.as_deref() == Some(expected)) {
            wrong.push(format!("{region} {number}: {found:?}"));
        }
    }
    println!("{} regions", examples.len());
    assert!(examples.len() > 230, "{}", examples.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
