//! Senders and numbers: "Limits" and section D1 of the specification.

use cpaas::text::{msisdn, sender};
use sender::SenderClass::{Alphanumeric, Empty, Numeric, ShortCode};

#[test]
fn senders_have_a_class() {
    let cases = [
        ("", Empty, 0),
        ("12", Numeric, 2),
        ("123", ShortCode, 3),
        ("123456", ShortCode, 6),
        ("1234567", Numeric, 7),
        ("12345678901234567", Numeric, 17),
        ("+38344123", Numeric, 8),
        ("+123", Numeric, 3),
        ("+", Alphanumeric, 1),
        ("++1", Alphanumeric, 3),
        ("1+1", Alphanumeric, 3),
        ("Shop", Alphanumeric, 4),
        ("Shöp", Alphanumeric, 4),
        ("12 34", Alphanumeric, 5),
        ("٣٤٥", Alphanumeric, 3),
    ];
    for (text, class, length) in cases {
        assert_eq!((sender::classify(text), sender::length(text)), (class, length), "{text}");
        assert_eq!(class.is_numeric(), matches!(class, Numeric | ShortCode));
    }
    assert!(sender::has_plus("+38344123") && !sender::has_plus("+Shop") && !sender::has_plus("38344123"));
}

#[test]
fn septets_count_an_extension_character_twice() {
    assert_eq!(sender::septets("ACME"), Some(4));
    assert_eq!(sender::septets("[A]-[B]-[C]"), Some(17));
    assert_eq!(sender::septets("Shöp"), Some(4));
    assert_eq!(sender::septets("Shôp"), None);
}

#[test]
fn characters_of_a_sender_are_classified() {
    let found = |text: &str| {
        let charset = sender::charset(text);
        (charset.forbidden.count, charset.non_ascii.count, charset.punctuation.count)
    };
    assert_eq!(found("Shop1"), (0, 0, 0));
    assert_eq!(found("+38344123"), (0, 0, 0));
    assert_eq!(found("My.Shop-_& "), (0, 0, 5));
    assert_eq!(found("Shöp"), (0, 1, 0));
    assert_eq!(found("Sho\u{308}p"), (0, 1, 0));
    assert_eq!(found("Shop\u{7}"), (1, 0, 0));
    assert_eq!(found("[A]!"), (3, 0, 0));
    assert_eq!(found("+Shop"), (1, 0, 0));
    assert_eq!(found("😀"), (1, 0, 0));
    let first = sender::charset("ö😀x!").forbidden.first.unwrap();
    assert_eq!((first.byte, first.utf16), (2, 1));
}

#[test]
fn a_number_has_7_to_15_digits() {
    for number in ["1234567", "306912345678", "123456789012345"] {
        assert!(msisdn::is_shape(number), "{number}");
    }
    for number in [
        "",
        "123456",
        "1234567890123456",
        "+306912345678",
        "30691 234567",
        "３０６９１２３４５",
        "30691234567a",
    ] {
        assert!(!msisdn::is_shape(number), "{number}");
    }
}

#[cfg(feature = "phone")]
#[test]
fn check_number_uses_the_numbering_plans() {
    use msisdn::{NumberType, check_number};
    let check_number = |number| check_number(number, None).unwrap();
    let mobile = check_number("+30 691 234 5678");
    assert!(mobile.valid && mobile.possible);
    assert_eq!((mobile.region.as_deref(), mobile.kind), (Some("GR"), NumberType::Mobile));
    assert_eq!(check_number("12015550123").kind, NumberType::FixedLineOrMobile);
    assert_eq!(check_number("442079460018").kind, NumberType::FixedLine);
    let unassigned = check_number("306012345678");
    assert!(!unassigned.valid && unassigned.possible);
    for text in ["", "30", "306912345678901", "Acme", "00000000"] {
        let check = check_number(text);
        assert!(!check.valid && !check.possible, "{text}");
    }
    let json = serde_json::to_string(&check_number("306912345678")).unwrap();
    assert_eq!(json, r#"{"valid":true,"possible":true,"region":"GR","type":"mobile"}"#);
}
