//! The values of settings: their types in Rust, and the strings and numbers that JSON has for them, with the messages for invalid
//! ones.

use std::time::Duration;

use cpaas::Config;
use cpaas::config::{MessagingAuth, Normalize, Region, SmsFormat, Validation};
use cpaas::error::{Outcome, Reason};
use cpaas::request::RequestContext;

fn message(json: &str) -> String {
    let error = Config::from_json(json).expect_err(json);
    assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config), "{json}");
    error.message.clone()
}

#[test]
fn numbers_and_names_have_types() {
    let config = Config::from_json(
        r#"{"timeout": 0.25, "deadline": 30, "connect_timeout": 1e-9, "callback_lifetime": 60, "max_attempts": 4294967295,
            "max_connections": 1, "max_response_bytes": 9223372036854775807, "region": "hong_kong", "messaging_auth": "none",
            "sms_format": "xml", "validation": "pedantic", "normalize": "international"}"#,
    )
    .unwrap();
    let expected = Config::default()
        .timeout(Duration::from_millis(250))
        .deadline(Duration::from_secs(30))
        .connect_timeout(Duration::from_nanos(1))
        .callback_lifetime(Duration::from_secs(60))
        .max_attempts(u32::MAX)
        .max_connections(1)
        .max_response_bytes(usize::try_from(i64::MAX).unwrap())
        .region(Region::HongKong)
        .messaging_auth(MessagingAuth::None)
        .sms_format(SmsFormat::Xml)
        .validation(Validation::Pedantic)
        .normalize(Normalize::International);
    assert_eq!(config, expected);
}

#[test]
fn each_name_of_a_choice_is_a_value() {
    for (setting, names) in [
        ("region", Region::NAMES),
        ("messaging_auth", MessagingAuth::NAMES),
        ("sms_format", SmsFormat::NAMES),
        ("validation", Validation::NAMES),
    ] {
        for name in names {
            let config = Config::from_json(&format!(r#"{{"{setting}": "{name}"}}"#)).unwrap();
            assert_ne!(config, Config::default(), "{setting}: {name}");
        }
    }
}

#[test]
fn null_is_an_absent_value() {
    for setting in Config::NAMES {
        let config = Config::from_json(&format!(r#"{{"{setting}": null}}"#));
        assert_eq!(config.unwrap(), Config::default(), "{setting}");
    }
}

#[test]
fn a_length_of_time_must_be_a_duration() {
    for setting in ["timeout", "deadline", "connect_timeout"] {
        for value in [
            "-1",
            "-0.5",
            "-1e300",
            "1e20",
            "1.9e19",
            "1e308",
            "18446744073709551616",
            "-9223372036854775808",
        ] {
            assert_eq!(
                message(&format!(r#"{{"{setting}": {value}}}"#)),
                format!(
                    "`{setting}` must be a number of seconds greater than 0 and less than 18,446,744,073,709,551,616"
                ),
                "{value}"
            );
        }
        for (value, found) in
            [("\"10\"", "a string"), ("true", "a boolean"), ("[1]", "an array"), ("{}", "an object")]
        {
            assert_eq!(
                message(&format!(r#"{{"{setting}": {value}}}"#)),
                format!("`{setting}` must be a number of seconds, got {found}")
            );
        }
        // JSON has neither of them, and no number is as large.
        for value in ["NaN", "Infinity", "-Infinity", "1e999"] {
            assert!(
                message(&format!(r#"{{"{setting}": {value}}}"#)).starts_with("configuration: "),
                "{value}"
            );
        }
    }
}

#[cfg(feature = "callback")]
#[test]
fn a_lifetime_must_be_an_integer_number_of_seconds() {
    let outside = "`callback_lifetime` must be 60 to 5,270,400 seconds";
    for value in ["-1", "-60", "-9223372036854775808"] {
        assert_eq!(message(&format!(r#"{{"callback_lifetime": {value}}}"#)), outside, "{value}");
    }
    for value in ["0", "59", "5270401", "9223372036854775807"] {
        let config = Config::from_json(&format!(r#"{{"callback_lifetime": {value}}}"#)).unwrap();
        assert_eq!(RequestContext::new(&config).unwrap_err().message, outside, "{value}");
    }
    for value in ["60.5", "60.0", "1e3"] {
        assert_eq!(
            message(&format!(r#"{{"callback_lifetime": {value}}}"#)),
            "`callback_lifetime` must be an integer number of seconds, got a number"
        );
    }
    let fraction = Config::default().callback_lifetime(Duration::from_millis(60_001));
    let error = RequestContext::new(&fraction).unwrap_err();
    assert_eq!(error.message, "`callback_lifetime` must be an integer number of seconds");
}

#[test]
fn a_count_must_be_an_integer_within_its_limits() {
    let largest = if usize::BITS == 64 { "9,223,372,036,854,775,807" } else { "4,294,967,295" };
    for (setting, max) in
        [("max_attempts", "4,294,967,295"), ("max_connections", largest), ("max_response_bytes", largest)]
    {
        for value in ["-1", "-9223372036854775808", "9223372036854775808", "18446744073709551615"] {
            assert_eq!(
                message(&format!(r#"{{"{setting}": {value}}}"#)),
                format!("`{setting}` must be 1 to {max}"),
                "{value}"
            );
        }
        for (value, found) in
            [("1.5", "a number"), ("1.0", "a number"), ("\"1\"", "a string"), ("false", "a boolean")]
        {
            assert_eq!(
                message(&format!(r#"{{"{setting}": {value}}}"#)),
                format!("`{setting}` must be an integer, got {found}")
            );
        }
    }
    for value in ["4294967296", "9223372036854775807"] {
        assert_eq!(
            message(&format!(r#"{{"max_attempts": {value}}}"#)),
            "`max_attempts` must be 1 to 4,294,967,295"
        );
    }
}

#[test]
fn a_choice_must_be_one_of_its_names() {
    for (setting, expected) in [
        ("region", "nearest, frankfurt, singapore, hong_kong or united_states"),
        ("messaging_auth", "header, basic or none"),
        ("sms_format", "json or xml"),
        ("validation", "strict, pedantic, warn or off"),
    ] {
        for value in
            ["", "s3cr3t-value", " off", "OFF", "Strict", "s3cr3t, expected nothing at line 1", "\\u0000"]
        {
            let found = message(&format!(r#"{{"{setting}": "{value}"}}"#));
            assert_eq!(found, format!("`{setting}` must be {expected}"), "{value}");
        }
        assert_eq!(
            message(&format!(r#"{{"{setting}": 5}}"#)),
            format!("`{setting}` must be a string, got a number")
        );
    }
}

#[test]
fn normalize_must_be_international_or_a_region() {
    let expected = if cfg!(feature = "phone") {
        "`normalize` must be \"international\" or a region: two letters of ISO 3166-1, such as GR, or GB for the United Kingdom"
    } else {
        "`normalize` must be \"international\": a region requires the numbering plans (feature `phone`), which are not in this build"
    };
    for value in ["", "International", "s3cr3t-value", "GRC", "XX", "+30"] {
        assert_eq!(message(&format!(r#"{{"normalize": "{value}"}}"#)), expected, "{value}");
        assert_eq!(value.parse::<Normalize>().unwrap_err().to_string(), expected);
        let config = Config::default().normalize(Normalize::Region(value.to_owned()));
        assert_eq!(RequestContext::new(&config).unwrap_err().message, expected, "{value}");
    }
    let region = Config::from_json(r#"{"normalize": "GR"}"#);
    if cfg!(feature = "phone") {
        assert_eq!(region.unwrap().normalize, Some(Normalize::Region("GR".to_owned())));
    } else {
        assert_eq!(region.unwrap_err().message, expected);
    }
}

#[test]
fn an_invalid_value_beside_valid_ones_is_named() {
    let json = r#"{"sms_key": "s3cr3t", "timeout": 5, "validation": "s3cr3t", "max_attempts": 1}"#;
    assert_eq!(message(json), "`validation` must be strict, pedantic, warn or off");
    assert_eq!(
        message(r#"{"region": "nearest", "region": "nearest"}"#),
        "configuration: duplicate field `region` at line 1 column 30"
    );
}

#[test]
fn debug_shows_typed_values() {
    let config = Config::default()
        .timeout(Duration::from_millis(1500))
        .region(Region::HongKong)
        .normalize(Normalize::International)
        .max_connections(7);
    let shown = format!("{config:?}");
    for part in ["timeout: 1.5s", "region: HongKong", "normalize: International", "max_connections: 7"] {
        assert!(shown.contains(part), "{shown}");
    }
}

#[test]
fn a_list_is_made_of_any_texts() {
    let expected = Config::default().allow_countries(vec!["GR".to_owned(), "CY".to_owned()]);
    assert_eq!(Config::default().allow_countries(["GR", "CY"]), expected);
    assert_eq!(Config::default().allow_countries(&["GR".to_owned(), "CY".to_owned()]), expected);
    assert_eq!(Config::default().allow_types(["mobile"]).allow_types.unwrap(), ["mobile"]);
}
