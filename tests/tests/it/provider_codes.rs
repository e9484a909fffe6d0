//! Every code of the specification and of the sandbox's assumptions has a meaning. A rejection contains the meaning of its code, and
//! the warnings of validation.

use cpaas::client::{Client, TransportError};
use cpaas::http::{Family, HttpRequest, HttpResponse};
use cpaas::{Config, OperationId, provider_codes};
use serde_json::{Value, json};

#[test]
fn every_code_has_a_meaning_and_an_advice() {
    let families: [(&str, &[i64]); 8] = [
        ("otp", &[400, 401, 403, 404, 410, 413, 415, 429, 492, 493, 495, 499]),
        ("otp.verify", &[400]),
        ("sms", &[413, 901, 902, 903, 904, 905, 906, 907, 908, 910, 911, 912, 990]),
        ("lookup", &[413, 415, 901, 902, 903, 906, 908, 910, 990]),
        ("messaging", &[400, 401, 403, 404, 413, 415, 429]),
        ("messenger_b", &[1, 2, 3, 4, 5, 403]),
        ("messenger_c", &[400, 401, 403, 404, 429]),
        ("report", &[902, 911, 912, 913, 914, 990]),
    ];
    let listed: Vec<_> = provider_codes::all().iter().map(|row| (row.family, row.code)).collect();
    let expected: Vec<_> =
        families.iter().flat_map(|(family, codes)| codes.iter().map(move |code| (*family, *code))).collect();
    assert_eq!(listed, expected);
    for (family, code) in expected {
        let row = provider_codes::find_by_name(family, code).unwrap();
        assert!(row.meaning.len() > 5 && row.advice.len() > 5, "{family} {code}");
        assert!(row.source == "specification" || row.source.starts_with('D'), "{family} {code}");
    }
}

#[test]
fn a_code_is_found_by_the_name_of_its_family() {
    for row in provider_codes::all().iter().filter(|row| !matches!(row.family, "report" | "otp.verify")) {
        let family = Family::from_name(row.family).expect(row.family);
        assert_eq!((family.as_str(), provider_codes::find(family, row.code)), (row.family, Some(row)));
    }
}

async fn record(operation: &str, request: Value, status: u16, body: Value) -> Value {
    let url = "http://cpaas.test";
    let config = Config::default().sms_url(url).sms_key("k").otp_url(url).account_sid("AC1").api_key("k");
    let config = config.messaging_url(url).messenger_b_url(url).messenger_b_token("t").max_attempts(1);
    let transport = move |_: HttpRequest| {
        let response = HttpResponse::new(status, Vec::new(), body.to_string());
        async { Ok::<_, TransportError>(response) }
    };
    let client = Client::with_transport(&config, transport).unwrap();
    let operation = OperationId::find(operation).unwrap();
    let error = client.call_json(operation, &request.to_string()).await.unwrap_err();
    serde_json::from_str(&error.to_json()).unwrap()
}

#[tokio::test]
async fn a_rejection_contains_the_meaning_of_its_code_and_the_warnings() {
    let sms = json!({"from": "Acme", "to": "306912345678", "text": "Hi", "type": "color"});
    let found = record("sms.send", sms, 400, json!({"responseCode": 904})).await;
    assert_eq!(found["code"], 904);
    assert_eq!(found["code_meaning"], "the sender is invalid or not allowed");
    assert_eq!(found["problems"][0]["code"], "sms.type.unknown");
    assert!(!found["message"].as_str().unwrap().contains("provider_message"));

    let limit =
        json!({"name": "n", "buckets": [{"name": "b", "max": "1", "interval": "60"}], "description": "d"});
    let body = json!({"code": 492, "message": "Limit with that Name already exists", "requestID": null});
    let found = record("otp.limits.create", limit, 409, body).await;
    assert_eq!(found["code_meaning"], "a limit with this name already exists");

    // Only the operation that submits a passcode has a wrong one.
    let limit =
        json!({"name": "n", "buckets": [{"name": "b", "max": "five", "interval": "60"}], "description": "d"});
    let body = json!({"code": 400, "message": "no", "requestID": null});
    let found = record("otp.limits.create", limit, 400, body.clone()).await;
    assert_eq!(found["code_meaning"], "the request is invalid");
    let expected = "rejected by the provider (HTTP 400, code 400: the request is invalid); correct the request; see `provider_message`";
    assert!(found["message"].as_str().unwrap().starts_with(expected), "{found}");
    let send = json!({"service": "s", "from": "A", "to": "306912345678", "body": "{code}"});
    assert_eq!(record("otp.send", send, 400, body.clone()).await["code_meaning"], "the request is invalid");

    let webhook = json!({"url": "https://example.com/hook"});
    let found = record("webhooks.messenger_b.set", webhook, 200, json!({"status": 1})).await;
    assert_eq!(found["code_meaning"], "the webhook's URL did not answer the check with HTTP 200");
}

#[tokio::test]
async fn an_unknown_code_has_no_meaning() {
    let sms = json!({"from": "Acme", "to": "306912345678", "text": "Hi"});
    let found = record("sms.send", sms, 400, json!({"responseCode": 12345})).await;
    assert_eq!((&found["code"], found.get("code_meaning")), (&json!(12345), None));
}
