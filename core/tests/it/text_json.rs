//! The exact results of the JSON functions, price tables, redaction, and the time for a long text.

use std::time::Duration;

use crate::support::cpu_time::spent;
use cpaas::bindings;
use cpaas::text::{self, Encoding, ReferenceBits, SegmentOptions, Split};

#[test]
fn segments_json_has_documented_members() {
    assert_eq!(
        bindings::segments_json("it’s", None).unwrap(),
        r#"{"encoding":"ucs2","count":1,"units":4,"remaining":66,"parts":[{"start":0,"end":6,"start16":0,"end16":4,"units":4}]}"#
    );
    assert_eq!(
        bindings::segments_json("a", Some(r#"{"split":"grapheme"}"#)).unwrap(),
        r#"{"encoding":"gsm7","count":1,"units":1,"remaining":159,"parts":[{"start":0,"end":1,"start16":0,"end16":1,"units":1}],"countByCodePoint":1,"countByGrapheme":1}"#
    );
}

#[test]
fn annotate_json_has_documented_members() {
    assert_eq!(
        bindings::annotate_json("’"),
        concat!(
            r#"{"characters":[{"start":0,"end":3,"start16":0,"end16":1,"septets":null,"forcesUcs2":true,"replacement":"'"}],"#,
            r#""causes":[{"character":"’","count":1,"start":0,"start16":0,"replacement":"'"}],"#,
            r#""replaced":{"text":"'","saved":0}}"#
        )
    );
    assert_eq!(bindings::annotate_json(""), r#"{"characters":[],"causes":[],"replaced":null}"#);
}

#[test]
fn estimates_and_counts_have_documented_members() {
    assert_eq!(
        bindings::estimate_json("Hello", "0.05").unwrap(),
        r#"{"encoding":"gsm7","count":1,"units":5,"remaining":155,"pricePerPart":"0.05","total":"0.05"}"#
    );
    let count = serde_json::to_string(&text::count("Hello")).unwrap();
    assert_eq!(count, r#"{"encoding":"gsm7","count":1,"units":5,"remaining":155}"#);
}

#[test]
fn options_round_trip_through_json() {
    let options = SegmentOptions::new()
        .reference_bits(ReferenceBits::Sixteen)
        .split(Split::Grapheme)
        .encoding(Encoding::Ucs2);
    let json = serde_json::to_string(&options).unwrap();
    assert_eq!(json, r#"{"referenceBits":16,"split":"grapheme","encoding":"ucs2"}"#);
    assert_eq!(serde_json::from_str::<SegmentOptions>(&json).unwrap(), options);
    assert!(serde_json::from_str::<SegmentOptions>(r#"{"splitBy":"grapheme"}"#).is_err());
    assert_eq!(SegmentOptions::default(), SegmentOptions::new());
}

#[test]
fn debug_and_errors_omit_the_text() {
    let secret = "s€cret’s😀";
    let shown = format!(
        "{:?} {:?} {:?}",
        text::annotate(secret),
        text::causes(secret),
        text::segments(secret, &SegmentOptions::new())
    );
    assert!(!shown.contains('’') && !shown.contains('😀') && !shown.contains("cret"));
    let error = text::segments(secret, &SegmentOptions::new().encoding(Encoding::Gsm7)).unwrap_err();
    assert!(!format!("{error:?} {error}").contains('’'));
    let error = bindings::segments_json(secret, Some(r#"{"s€cret":1}"#)).unwrap_err();
    assert!(!format!("{error:?} {error}").contains("cret"));
}

#[test]
fn every_replacement_is_in_the_default_alphabet() {
    let mut replaced = 0;
    for character in '\0'..=char::MAX {
        let Some(instead) = text::replacement(character) else { continue };
        assert_eq!(text::septets(character), None, "U+{:04X} needs none", character as u32);
        assert_eq!(text::count(instead).encoding, Encoding::Gsm7, "U+{:04X}", character as u32);
        replaced += 1;
    }
    assert!(replaced > 180, "{replaced}");
}

/// Four times the text takes about four times the CPU time, not sixteen times. The longer text has a megabyte in an optimized
/// build. The minimum of up to 60 rounds is compared; the first round within the limit ends the test.
#[test]
fn a_long_text_takes_linear_time() {
    let long = |pattern: &str, bytes: usize| pattern.repeat(bytes / pattern.len());
    let bytes = if cfg!(debug_assertions) { 200_000 } else { 1_000_000 };
    for pattern in ["a", "€", "😀", "e\u{301}", "👨‍👩‍👧‍👦", "\u{1F1EB}"] {
        let (short, four) = (long(pattern, bytes / 4), long(pattern, bytes));
        let work = |text: &str| {
            let start = spent();
            let _ = text::count(text);
            let _ = text::segments(text, &SegmentOptions::new().split(Split::Grapheme));
            let _ = (text::annotate(text), text::causes(text), text::replaced(text));
            spent() - start
        };
        let (mut quick, mut slow) = (Duration::MAX, Duration::MAX);
        let linear = (0..60).any(|_| {
            (quick, slow) = (quick.min(work(&short)), slow.min(work(&four)));
            slow < quick * 10
        });
        let first = pattern.chars().next().unwrap() as u32;
        assert!(linear, "{quick:?} and {slow:?} for U+{first:04X}");
    }
}

const PRICES: &str = "prefix,price,currency\n30,0.05,EUR\n3069,0.0375,EUR\n1,0.0075,EUR\n";

#[test]
fn the_longest_prefix_of_a_number_determines_its_price() {
    let prices = text::PriceTable::parse(PRICES).unwrap();
    let found = |number| prices.find(number).map(|found| (found.prefix.to_owned(), found.price.to_string()));
    assert_eq!(found("306900000001"), Some(("3069".into(), "0.0375".into())));
    assert_eq!(found("302100000001"), Some(("30".into(), "0.05".into())));
    assert_eq!(found("447000000001"), None);
    assert_eq!(prices.currency(), Some("EUR"));
    let same = "\u{FEFF}prefix,price,currency\r\n\"+3069\" , 0.0375,EUR\r\n\r\n30,0.05,EUR\n1,0.0075,EUR";
    assert_eq!(text::PriceTable::parse(same).unwrap(), prices);
    // A spreadsheet keeps digits by text formulas, and German Excel writes semicolons.
    let same =
        "Prefix;PRICE;Currency\r\n=\"3069\";0.0375;EUR\r\n\"=\"\"30\"\"\";=\"0.05\";EUR\r\n1;0.0075;EUR\r\n";
    assert_eq!(text::PriceTable::parse(same).unwrap(), prices);
}

#[test]
fn a_price_table_with_an_invalid_line_is_an_error() {
    let error = |csv: &str| text::PriceTable::parse(csv).unwrap_err().to_string();
    assert_eq!(error(""), "prices, line 1: the columns must be prefix,price,currency");
    assert_eq!(error("prefix,price\n"), "prices, line 1: the columns must be prefix,price,currency");
    let line = |line: &str| error(&format!("prefix,price,currency\n30,0.05,EUR\n{line}"));
    assert_eq!(line("x,1,EUR"), "prices, line 3: the prefix must be digits");
    assert_eq!(line("31,-1,EUR"), "prices, line 3: the price must be a decimal number such as 0.0075");
    assert_eq!(
        error("prefix;price;currency\n30;0,05;EUR"),
        "prices, line 2: the price must be a decimal number with a point, such as 0.0075, got a comma"
    );
    let more = "prices, line 3: expected the fields prefix,price,currency, got more than three; a price has a decimal point, such as 0.0075";
    assert_eq!(line("31,0,05,EUR"), more);
    assert_eq!(line("31,\"0,05\",EUR"), more);
    assert_eq!(line("=30,1,EUR"), "prices, line 3: the prefix must be digits");
    assert_eq!(line("30,1,EUR"), "prices, line 3: each prefix must occur once");
    assert_eq!(line("31,1,Eur"), "prices, line 3: a currency must be written in the same case on all lines");
    assert_eq!(line("31,1"), "prices, line 3: expected the fields prefix,price,currency");
}

#[test]
fn an_estimate_to_many_recipients_has_exact_sums_by_prefix() {
    let two_parts = "я".repeat(71);
    let to = r#"["+30 690 000 0001", "306900000002", "302100000001"]"#;
    assert_eq!(
        bindings::estimate_to_json(&two_parts, PRICES, to, None).unwrap(),
        concat!(
            r#"{"encoding":"ucs2","count":2,"units":71,"remaining":63,"pricePerPart":null,"total":"0.2500","#,
            r#""currency":"EUR","recipients":3,"byPrefix":{"#,
            r#""30":{"recipients":1,"parts":2,"pricePerPart":"0.05","total":"0.10","currency":"EUR"},"#,
            r#""3069":{"recipients":2,"parts":4,"pricePerPart":"0.0375","total":"0.1500","currency":"EUR"}},"#,
            r#""byCurrency":{"EUR":{"recipients":3,"parts":6,"total":"0.2500"}}}"#
        )
    );
    let one = bindings::estimate_to_json("Hi", PRICES, "306900000001", None).unwrap();
    assert!(
        one.contains(r#""pricePerPart":"0.0375","total":"0.0375","currency":"EUR","recipients":1"#),
        "{one}"
    );
    let none = bindings::estimate_to_json("Hi", PRICES, "[]", None).unwrap();
    assert!(
        none.contains(r#""total":"0","currency":"EUR","recipients":0,"byPrefix":{},"byCurrency":{}}"#),
        "{none}"
    );
}

#[test]
fn a_recipient_without_a_price_is_an_error() {
    let code = |to: &str| bindings::estimate_to_json("Hi", PRICES, to, None).unwrap_err();
    for to in ["447000000001", r#"["306900000001","ann"]"#, "", "30abc"] {
        assert_eq!(code(to).code(), "text.no_price", "{to}");
        assert!(!code(to).to_string().contains("abc"), "quotes input");
    }
    assert!(code(r#"["306900000001","ann"]"#).to_string().contains("; recipient 2 is the first"));
    assert_eq!(code("[1]").code(), "text.recipients");
    assert_eq!(bindings::estimate_to_json("Hi", "x", "1", None).unwrap_err().code(), "text.prices");
    let long = "a".repeat(60_000);
    assert!(bindings::estimate_to_json(&long, PRICES, "306900000001", None).is_err());
}

#[test]
fn sums_of_prices_are_exact() {
    let price = |text: &str| text.parse::<text::Price>().unwrap();
    assert_eq!(price("0.1").plus(price("0.02")).to_string(), "0.12");
    assert_eq!(price("9.99").plus(price("0.01")).to_string(), "10.00");
    // A sum of more than 40 digits is the largest price, never a smaller one.
    let sum = price(&format!("1{}", "0".repeat(27))).plus(price(&format!("0.{}", "1".repeat(27))));
    assert!(sum.to_string().starts_with(&"9".repeat(13)), "{sum}");
    assert_eq!(price("5").plus(price("0.0075")).to_string(), "5.0075");
    assert_eq!(price("0.0075").scaled(9), Some(7_500_000));
    assert_eq!(price("12").scaled(9), Some(12_000_000_000));
    assert_eq!(price("0.0000000001").scaled(9), None);
    assert_eq!(price("0.1000000000").scaled(9), Some(100_000_000));
    assert_eq!(price("99999999999999999999").scaled(9), None);
}
