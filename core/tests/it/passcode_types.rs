//! The types of ids and codes of passcodes: strings in JSON, unchanged, and hidden or shown by `Debug`.

use std::collections::BTreeSet;

use cpaas::otp::{CancelPasscode, Code, GetPasscode, OtpRecord, OtpResponse, RequestId, VerifyPasscode};
use serde_json::json;

#[test]
fn they_are_strings_in_json_and_their_text_is_not_changed() {
    for text in ["", " OTP1 ", "482913", "\u{0}\n\"é", "٤٨٢٩١٣", &"9".repeat(100_000)] {
        let json = serde_json::to_string(text).unwrap();
        let (id, code): (RequestId, Code) =
            (serde_json::from_str(&json).unwrap(), serde_json::from_str(&json).unwrap());
        assert_eq!((id.as_str(), code.as_str()), (text, text));
        assert_eq!(
            (serde_json::to_string(&id).unwrap(), serde_json::to_string(&code).unwrap()),
            (json.clone(), json)
        );
        assert_eq!((id.to_string(), code.to_string()), (text.to_owned(), text.to_owned()));
        assert_eq!((text.parse::<RequestId>().unwrap(), text.parse::<Code>().unwrap()), (id, code));
    }
    for json in ["1", "null", "[\"OTP1\"]", "{\"RequestId\":\"OTP1\"}"] {
        assert!(serde_json::from_str::<RequestId>(json).is_err(), "{json}");
        assert!(serde_json::from_str::<Code>(json).is_err(), "{json}");
    }
}

/// A form that sends the code as a number gets an error that a program may log.
#[test]
fn the_error_for_another_type_does_not_quote_the_value() {
    for (json, found) in [
        ("482913", "integer"),
        ("-482913", "integer"),
        ("4829130000000000000000000", "floating point"),
        ("482913.5", "floating point"),
        ("true", "boolean"),
        ("null", "null"),
        ("[482913]", "sequence"),
        (r#"{"code":482913}"#, "map"),
    ] {
        let expected = format!("invalid type: {found}, expected a string");
        for error in [
            serde_json::from_str::<Code>(json).unwrap_err().to_string(),
            serde_json::from_str::<RequestId>(json).unwrap_err().to_string(),
        ] {
            assert!(error.starts_with(&expected) && !error.contains("4829"), "{json}: {error}");
        }
        let value: serde_json::Value = serde_json::from_str(json).unwrap();
        let error = serde_json::from_value::<Code>(value).unwrap_err().to_string();
        assert_eq!(error, expected);
    }
    let bytes = serde::de::value::BytesDeserializer::<serde_json::Error>::new(b"482913");
    let error = <Code as serde::Deserialize>::deserialize(bytes).unwrap_err().to_string();
    assert_eq!(error, "invalid type: byte array, expected a string");
}

#[test]
fn they_are_ordered_and_compared_by_their_text() {
    let ids: BTreeSet<_> = ["OTP2", "OTP10", "OTP1"].map(RequestId::new).into();
    assert_eq!(ids.iter().map(RequestId::as_str).collect::<Vec<_>>(), ["OTP1", "OTP10", "OTP2"]);
    assert!(Code::new("000001") > Code::new("000000"));
    assert!(RequestId::new("OTP1") == "OTP1" && Code::new("0") == *"0");
    assert_eq!(format!("{:>6}|{:<3}|", RequestId::new("OTP1"), Code::new("1")), "  OTP1|1  |");
    assert_eq!(String::from(RequestId::new("OTP1")), "OTP1");
    assert_eq!(RequestId::new("OTP1").as_ref(), "OTP1");
}

#[test]
fn debug_shows_an_id_and_never_a_code() {
    assert_eq!(format!("{:?}", RequestId::new("OTP1")), "RequestId(\"OTP1\")");
    let code = Code::new("482913");
    for shown in [format!("{code:?}"), format!("{code:#?}"), format!("{:?}", Some((&code, [&code])))] {
        assert!(shown.contains("Code(…)") && !shown.contains("482913"), "{shown}");
    }
    let request = VerifyPasscode::new("login", RequestId::new("OTP1"), &code);
    let shown = format!("{request:?}");
    assert!(shown.contains("OTP1") && !shown.contains("482913") && !shown.contains("login"), "{shown}");
    let record: OtpRecord = serde_json::from_value(json!({"sid": "OTP1", "status": "success",
        "checks": [{"sid": "OTC1", "status": "valid", "code": "482913"}]}))
    .unwrap();
    let shown = format!("{record:?}");
    assert!(shown.contains("OTP1") && !shown.contains("482913"), "{shown}");
}

#[test]
fn the_json_of_requests_and_responses_is_that_of_strings() {
    let request = json!({"service": "login", "requestId": "OTP1", "code": "000000"});
    let typed = VerifyPasscode::new("login", RequestId::new("OTP1"), Code::new("000000"));
    assert_eq!(serde_json::to_value(&typed).unwrap(), request);
    assert_eq!(serde_json::from_value::<VerifyPasscode>(request).unwrap(), typed);
    let sent: OtpResponse =
        serde_json::from_value(json!({"code": 200, "message": "OK", "requestID": "OTP1"})).unwrap();
    let id = sent.request_id.unwrap();
    assert_eq!(serde_json::to_value(CancelPasscode::new(&id)).unwrap(), json!({"requestId": "OTP1"}));
    assert_eq!(serde_json::to_value(GetPasscode::new(id)).unwrap(), json!({"sid": "OTP1"}));
}
