//! The functions for the bindings: JSON arguments, JSON results, and errors that quote no input.
#![cfg(feature = "callback")]

use cpaas::bindings::{keyring_from_json, mint_json, receive_json};
use cpaas::callback::{ConfigError, KeyringError, Receiver, UrlError};
use serde_json::{Value, json};

const NOW: u64 = 1_700_000_000;
const SECRET: &str = "a secret of thirty-two bytes or more";

fn config() -> Value {
    json!({
        "audience": "shop",
        "public_url": "https://shop.example/hooks",
        "delivery_keys": {"keys": [{"kid": "k1", "secret": SECRET}], "longest_lifetime": 259_200},
        "inbound_keys": [{"kid": "i1", "secret_base64": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}],
        "endpoints": [{"path": "/sms", "sources": ["sms_report"]}, {"path": "/in", "sources": ["messenger_c"]}]
    })
}

fn mint(request: Value) -> Value {
    let receiver = Receiver::from_json(&config().to_string()).unwrap();
    let result: Value =
        serde_json::from_str(&receiver.mint_json(&request.to_string(), NOW).unwrap()).unwrap();
    let once: Value =
        serde_json::from_str(&mint_json(&config().to_string(), &request.to_string(), NOW).unwrap()).unwrap();
    assert_eq!(
        (once["ok"].clone(), once["message"].clone()),
        (result["ok"].clone(), result["message"].clone())
    );
    result
}

fn receive(request: Value, now: u64) -> Value {
    serde_json::from_str(&receive_json(&config().to_string(), &request.to_string(), now).unwrap()).unwrap()
}

#[test]
fn a_request_to_a_minted_url_is_an_event() {
    let minted = mint(json!({"source": "sms_report", "reference": "b-7", "lifetime": 60}));
    let url = minted["url"].as_str().unwrap();
    assert_eq!(url, format!("https://shop.example/hooks/sms?token={}", minted["token"].as_str().unwrap()));
    let request = json!({"method": "GET", "url": format!("{url}&msgid=m&reference=b-7")});
    let event = receive(request.clone(), NOW + 59)["event"].clone();
    assert_eq!((&event["kind"], &event["message_id"]), (&json!("sms_report"), &json!("m")));
    assert_eq!(event["claims"]["issued"], NOW);
    assert_eq!(event["claims"]["expires"], NOW + 60);
    assert_eq!(receive(request, NOW + 60), json!({"ok": false, "status": 403, "reason": "expired"}));

    let inbound = mint(json!({"source": "messenger_c", "reference": "ignored where nothing returns it"}));
    let body = json!({"update_id": 5}).to_string();
    for request in [
        json!({"method": "POST", "url": inbound["url"], "headers": [["content-type", "application/json"]], "body": body}),
        json!({"method": "POST", "url": inbound["url"], "headers": {}, "body_base64": "eyJ1cGRhdGVfaWQiOjV9"}),
    ] {
        assert_eq!(receive(request, NOW)["event"]["update_id"], "5");
    }
}

#[test]
fn a_token_is_added_to_a_given_url() {
    let minted =
        mint(json!({"reference": "r", "url": "https://other.example/d?id=~msgid~#x", "lifetime": 3600}));
    let expected =
        format!("https://other.example/d?id=~msgid~&token={}#x", minted["token"].as_str().unwrap());
    assert_eq!(minted["url"], expected);
    let plain = mint(json!({"purpose": "chat_report", "lifetime": "never"}));
    assert_eq!((plain["token"].as_str().unwrap().len(), plain.get("url")), (78, None));
    for (request, part) in [
        (json!({"reference": "r", "lifetime": 59}), "lifetime"),
        (json!({"reference": "r", "lifetime": 259_201}), "lifetime"),
        (json!({"reference": "r", "url": "https://other.example/d?token=1"}), "token"),
        (json!({}), "reference"),
        (json!({"reference": " "}), "reference"),
        (json!({"purpose": "delivery_report", "url": "https://other.example/d"}), "reference"),
        (json!({"source": "sms_report"}), "reference"),
        (json!({"source": "messenger_b"}), "endpoint"),
    ] {
        let result = mint(request);
        assert!(result["ok"] == false && result["message"].as_str().unwrap().contains(part), "{result}");
    }
}

#[test]
fn errors_name_the_key_and_quote_no_secret() {
    let changed = |pointer: &str, value: Value| {
        let mut config = config();
        *config.pointer_mut(pointer).unwrap() = value;
        Receiver::from_json(&config.to_string()).unwrap_err()
    };
    let in_ring = |member, error| ConfigError::KeyringOf(member, Box::new(error));
    let no_url = changed("/public_url", json!("shop"));
    assert!(no_url.to_string().starts_with("`public_url`: "), "{no_url}");
    assert_eq!(no_url, ConfigError::Url(UrlError::NotHttp));
    let short = changed("/delivery_keys/keys/0/secret", json!("hush"));
    assert_eq!(short.to_string(), "`delivery_keys`: keys[0]: the secret must have at least 32 bytes");
    assert_eq!(short, in_ring("delivery_keys", ConfigError::Keyring(KeyringError::Secret(0))));
    let no_secret = in_ring("inbound_keys", ConfigError::Secret(0));
    assert_eq!(changed("/inbound_keys/0/secret_base64", json!("hush!")), no_secret);
    assert_eq!(changed("/inbound_keys/0", json!({"kid": "i1"})), no_secret);
    let two = json!({"path": "/x", "query_template": "a=~msgid~", "form_template": "a=~msgid~"});
    assert_eq!(changed("/endpoints/1", two), ConfigError::Template(1));
    for (pointer, value) in [
        ("/delivery_keys", json!("hush-hush-hush")),
        ("/delivery_keys/keys", json!({"hush-hush-hush": 1})),
        ("/endpoints/0/sources", json!(["hush-hush-hush"])),
        ("/audience", json!({"hush-hush-hush": 1})),
    ] {
        let error = changed(pointer, value);
        assert!(matches!(error, ConfigError::Member(_)), "{error:?}");
        assert!(!format!("{error} {error:?}").contains("hush"), "{error}");
    }
    assert!(matches!(keyring_from_json("[]"), Err(ConfigError::Keyring(KeyringError::Count))));
    assert!(matches!(
        receive_json(&config().to_string(), "{\"method\":1}", NOW),
        Err(ConfigError::Member(_))
    ));
}

#[test]
fn errors_name_the_member_and_quote_no_value() {
    let error = |config: &str| Receiver::from_json(config).unwrap_err().to_string();
    let with = |members: &str| {
        error(&format!(r#"{{"audience": "shop", "public_url": "https://shop.example", {members}}}"#))
    };
    assert_eq!(error("{}"), "`audience` is required");
    assert_eq!(error(r#"{"audience": 7}"#), "`audience` must be a string");
    assert_eq!(
        with(r#""public_ulr": "x""#),
        "`public_ulr` is not a documented member; did you mean `public_url`?"
    );
    assert_eq!(with(r#""audience": "x""#), "`audience` must occur once");
    assert_eq!(
        with(r#""delivery_keys": {"keys": [{"kid": "a", "secret": "hush"}, {"secret": "hush"}]}"#),
        "`delivery_keys.keys[1].kid` is required"
    );
    assert_eq!(
        with(r#""delivery_keys": [{"kid": "a", "secret": "hush", "retired_at": "hush"}]"#),
        "`delivery_keys[0].retired_at` must be an integer of 0 or more"
    );
    assert_eq!(
        with("\"endpoints\": [\n{\"path\": \"/a\"},\n{\"path\": [\"hush\"]}]"),
        "`endpoints[1].path` must be a string"
    );
    assert_eq!(
        with(r#""publicUrl": "x""#),
        "`publicUrl` is not a documented member; did you mean `public_url`?"
    );
    let name = "k".repeat(40);
    assert_eq!(with(&format!(r#""{name}": 1"#)), format!("`{name}` is not a documented member"));
    assert_eq!(with(&format!(r#""{name}k": 1"#)), "`…` is not a documented member");
    for secret in ["A secret, pasted", "9f86d081884c7d659a2feaa0c55ad015"] {
        assert_eq!(with(&format!(r#""{secret}": 1"#)), "`…` is not a documented member");
    }
    let receiver = Receiver::from_json(&config().to_string()).unwrap();
    let request = receiver.receive_json(r#"{"method": "GET"}"#, 1).unwrap_err().to_string();
    assert_eq!(request, "`url` is required");
    let headers = |value: &str| {
        let request = format!(r#"{{"method": "GET", "url": "/", "headers": {value}, "body": ""}}"#);
        receiver.receive_json(&request, 1).map_err(|error| error.to_string())
    };
    for value in [r#""hush""#, "7", "null", "true"] {
        let message = "`headers` must be an object of strings or a list of pairs".to_owned();
        assert_eq!(headers(value), Err(message), "{value}");
    }
    assert_eq!(headers(r#"{"accept": 7}"#), Err("`headers.accept` must be a string".to_owned()));
    assert_eq!(headers(r#"[["accept", 7]]"#), Err("`headers[0][1]` must be a string".to_owned()));
    for value in [r#"["hush"]"#, r#"[["hush"]]"#, r#"[["hush", "b", "c"]]"#] {
        let message = headers(value).unwrap_err();
        assert!(message.starts_with("`headers") && !message.contains("hush"), "{message}");
    }
    for value in ["{}", "[]", r#"{"content-type": "a"}"#, r#"[["content-type", "a"]]"#] {
        assert!(headers(value).unwrap().contains(r#""reason":"endpoint""#), "{value}");
    }
}
