//! `tests/vectors/callbacks.json` and `intent.json`: literal tokens, templates, requests and events.
#![cfg(feature = "callback")]

use cpaas::bindings::keyring_from_json;
use cpaas::callback::{
    Keyring, Lifetime, Purpose, Receiver, Template, TemplateFormat, UrlError, Values, Variable, token_url,
};
use serde_json::{Value, json};

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../../tests/vectors/callbacks.json")).unwrap()
}

fn cases(vectors: &Value, list: &str) -> Vec<Value> {
    let cases = vectors[list].as_array().unwrap().clone();
    assert!(!cases.is_empty());
    cases
}

fn text<'v>(case: &'v Value, member: &str) -> &'v str {
    case[member].as_str().unwrap_or_else(|| panic!("{member} of {case}"))
}

fn purpose(case: &Value) -> Purpose {
    serde_json::from_value(case["purpose"].clone()).unwrap()
}

fn random(case: &Value) -> [u8; 5] {
    let hex = text(case, "random");
    std::array::from_fn(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap())
}

#[test]
fn minted_tokens_equal_the_vectors() {
    for case in cases(&vectors(), "mint") {
        let keys = Keyring::new([(text(&case, "kid"), text(&case, "secret"))]).unwrap();
        let lifetime =
            case["lifetime"].as_u64().map_or(Lifetime::Default, |seconds| Lifetime::Seconds(seconds as u32));
        let (audience, reference) = (text(&case, "audience"), text(&case, "reference"));
        let now = case["now"].as_u64().unwrap();
        let token =
            keys.mint_with(purpose(&case), audience, reference, lifetime, now, random(&case)).unwrap();
        assert_eq!(token, text(&case, "token"), "{}", case["name"]);
        assert!(keys.verify(&token, purpose(&case), audience, reference, now).is_ok(), "{}", case["name"]);
    }
}

#[test]
fn tokens_are_accepted_or_rejected_with_their_reason() {
    let vectors = vectors();
    let keys = keyring_from_json(&vectors["config"]["delivery_keys"].to_string()).unwrap();
    for case in cases(&vectors, "verify") {
        let (audience, reference) = (text(&case, "audience"), text(&case, "reference"));
        let now = case["now"].as_u64().unwrap();
        let found = match keys.verify(text(&case, "token"), purpose(&case), audience, reference, now) {
            Ok(_) => "accepted",
            Err(reason) => reason.as_str(),
        };
        assert_eq!(found, text(&case, "result"), "{}", case["name"]);
    }
}

#[test]
fn templates_render_and_read_values() {
    for case in cases(&vectors(), "templates") {
        let format = match text(&case, "place") {
            "url" => TemplateFormat::Url,
            "json" => TemplateFormat::Json,
            _ => TemplateFormat::Form,
        };
        let template = Template::parse(text(&case, "template"), format);
        let values: Values = case["values"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| (Variable::from_name(name).unwrap(), value.as_str().unwrap().to_owned()))
            .collect();
        let rendered = template.render(&values);
        assert_eq!(rendered, text(&case, "rendered"), "{}", case["name"]);
        assert_eq!(json!(template.unknown()), case["unknown"], "{}", case["name"]);
        let read = template.read(&rendered);
        assert_eq!(read.as_ref() == Some(&values), case["read"] == true, "{} read as {read:?}", case["name"]);
    }
}

#[test]
fn a_token_is_the_last_query_parameter() {
    for case in cases(&vectors(), "urls") {
        let found = token_url(text(&case, "url"), text(&case, "token"));
        let expected = match case["error"].as_str() {
            None => Ok(text(&case, "result").to_owned()),
            Some("carries_token") => Err(UrlError::CarriesToken),
            Some("not_http") => Err(UrlError::NotHttp),
            Some("character") => Err(UrlError::Character),
            Some("not_ascii") => Err(UrlError::NotAscii),
            Some("host") => Err(UrlError::Host),
            Some("port") => Err(UrlError::Port),
            Some(other) => panic!("{other}"),
        };
        assert_eq!(found, expected, "{}", case["name"]);
    }
}

fn receive(vectors: &Value, case: &Value) -> Value {
    let receiver = Receiver::from_json(&vectors["config"].to_string()).unwrap();
    let mut request = case.clone();
    for extra in ["name", "event", "key", "reason"] {
        request.as_object_mut().unwrap().remove(extra);
    }
    let result = receiver.receive_json(&request.to_string(), vectors["now"].as_u64().unwrap()).unwrap();
    serde_json::from_str(&result).unwrap()
}

#[test]
fn requests_become_events() {
    let vectors = vectors();
    for case in cases(&vectors, "events") {
        let mut result = receive(&vectors, &case);
        let event = result["event"].as_object_mut().unwrap();
        let (claims, key) = (event.remove("claims"), event.remove("key"));
        assert_eq!(key.as_ref(), case.get("key"), "{}", case["name"]);
        assert_eq!(result, json!({"ok": true, "status": 200, "event": case["event"]}), "{}", case["name"]);
        assert_eq!(claims.unwrap()["nonce"].as_str().unwrap().len(), 16);
    }
}

#[test]
fn rejections_differ_in_their_reason_only() {
    let vectors = vectors();
    for case in cases(&vectors, "rejections") {
        let expected = json!({"ok": false, "status": 403, "reason": case["reason"]});
        assert_eq!(receive(&vectors, &case), expected, "{}", case["name"]);
    }
}

#[test]
fn inbound_messages_have_the_expected_intent() {
    let file: Value = serde_json::from_str(include_str!("../../../tests/vectors/intent.json")).unwrap();
    let cases = file["cases"].as_array().unwrap();
    let found =
        |case: &Value| serde_json::to_value(cpaas::text::intent(case["text"].as_str().unwrap())).unwrap();
    let is_wrong = |case: &&Value| {
        (&found(case)["kind"], &found(case)["certainty"]) != (&case["kind"], &case["certainty"])
    };
    let wrong: Vec<&Value> = cases.iter().filter(is_wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
