//! Rows 22 to 32: verifying and cancelling passcodes.

use serde_json::json;

use crate::harness::Harness;
use crate::passcodes::{code, record, send, verify, wrong};

#[test]
fn acc_022_the_correct_code_succeeds() {
    let harness = Harness::new(&[]);
    let id = send(&harness, json!({}));
    let check = json!({"service": "login", "requestId": id, "code": code(&harness)});
    assert_eq!(
        harness.post("/2fa/verify", check).ok(),
        json!({"code": 200, "message": "OK", "requestID": id})
    );
    let record = record(&harness, &id);
    assert_eq!(
        (record["status"].as_str(), record["checks"][0]["status"].as_str()),
        (Some("success"), Some("valid"))
    );
}

#[test]
fn acc_023_a_wrong_code_is_rejected_and_recorded() {
    let harness = Harness::new(&[]);
    let id = send(&harness, json!({}));
    let wrong = wrong(&code(&harness));
    let reply =
        harness.post("/2fa/verify", json!({"service": "login", "requestId": id, "code": wrong})).is(400);
    assert_eq!(reply.json(), json!({"code": 400, "message": "Invalid code [sandbox]", "requestID": null}));
    assert_eq!(reply.assumed(), "D01,D02");
    let check = &record(&harness, &id)["checks"][0];
    assert_eq!((check["status"].as_str(), check["code"].as_str()), (Some("invalid"), Some(wrong.as_str())));
}

#[test]
fn acc_024_a_correct_code_succeeds_after_two_wrong_ones() {
    let harness = Harness::new(&[]);
    let id = send(&harness, json!({}));
    let right = code(&harness);
    let wrong = wrong(&right);
    assert_eq!([&wrong, &wrong, &right].map(|code| verify(&harness, &id, code)), [400, 400, 200]);
    let record = record(&harness, &id);
    let seen: Vec<&str> =
        record["checks"].as_array().unwrap().iter().map(|check| check["status"].as_str().unwrap()).collect();
    assert_eq!((seen, record["status"].as_str()), (vec!["invalid", "invalid", "valid"], Some("success")));
}

#[test]
fn acc_024_the_number_of_checks_can_be_limited() {
    let harness = Harness::new(&["--otp-max-checks=2"]);
    let id = send(&harness, json!({}));
    let right = code(&harness);
    let wrong = wrong(&right);
    assert_eq!([&wrong, &wrong, &right].map(|code| verify(&harness, &id, code)), [400, 400, 429]);
}

#[test]
fn acc_025_a_code_as_a_number_is_refused() {
    let harness = Harness::new(&[]);
    let id = send(&harness, json!({}));
    let number: u32 = code(&harness).parse().unwrap();
    let reply =
        harness.post("/2fa/verify", json!({"service": "login", "requestId": id, "code": number})).is(400);
    assert!(reply.json()["message"].as_str().unwrap().contains("`code`"));
    assert_eq!(record(&harness, &id)["checks"], json!([]));
}

#[test]
fn acc_026_an_unknown_request_id_is_404() {
    let harness = Harness::new(&[]);
    let id = send(&harness, json!({}));
    assert_eq!(verify(&harness, "OTP00000000000000000000000000000000", "123456"), 404);
    assert_eq!(verify(&harness, "nonsense", "123456"), 404);
    let other =
        harness.post("/2fa/verify", json!({"service": "payment", "requestId": id, "code": code(&harness)}));
    assert_eq!(other.status, 404, "another service");
}

#[test]
fn acc_027_a_used_code_is_410() {
    let harness = Harness::new(&[]);
    let id = send(&harness, json!({}));
    let code = code(&harness);
    assert_eq!([verify(&harness, &id, &code), verify(&harness, &id, &code)], [200, 410]);
    assert_eq!(record(&harness, &id)["checks"][1]["status"], "invalid");
}

#[test]
fn acc_028_a_passcode_expires() {
    let harness = Harness::new(&[]);
    let id = send(&harness, json!({}));
    harness.advance("599s");
    assert_eq!(record(&harness, &id)["status"], "pending");
    harness.advance("1s");
    assert_eq!(record(&harness, &id)["status"], "expired");
    assert_eq!(verify(&harness, &id, &code(&harness)), 410);
    assert_eq!(record(&harness, &id)["checks"][0]["status"], "invalid");
    let short = Harness::new(&["--otp-ttl=30"]);
    let id = send(&short, json!({}));
    short.advance("30s");
    assert_eq!(record(&short, &id)["status"], "expired");
}

#[test]
fn acc_029_a_pending_passcode_is_canceled() {
    let harness = Harness::new(&[]);
    let id = send(&harness, json!({}));
    let response = harness.post("/2fa/cancel", json!({"requestId": id, "accountSid": harness.sid()})).ok();
    assert_eq!(response, json!({"code": 200, "message": "canceled", "requestID": id}));
    let again = send(&harness, json!({}));
    let canceled =
        harness.via("otp.cancel", json!({"requestId": again, "accountSid": harness.sid()})).unwrap();
    assert_eq!(canceled["message"], "canceled");
}

#[test]
fn acc_030_a_canceled_passcode_cannot_be_verified() {
    let harness = Harness::new(&[]);
    let id = send(&harness, json!({}));
    harness.post("/2fa/cancel", json!({"requestId": id, "accountSid": harness.sid()})).ok();
    assert_eq!(verify(&harness, &id, &code(&harness)), 410);
    assert_eq!(record(&harness, &id)["status"], "canceled");
}

#[test]
fn acc_031_canceled_used_unknown_and_foreign_passcodes_cannot_be_canceled() {
    let harness = Harness::new(&[]);
    let cancel =
        |id: &str, sid: &str| harness.post("/2fa/cancel", json!({"requestId": id, "accountSid": sid})).status;
    let twice = send(&harness, json!({}));
    assert_eq!([cancel(&twice, harness.sid()), cancel(&twice, harness.sid())], [200, 410]);
    let used = send(&harness, json!({}));
    assert_eq!([verify(&harness, &used, &code(&harness)), cancel(&used, harness.sid())], [200, 410]);
    assert_eq!(cancel("OTP123", harness.sid()), 404);
    let open = send(&harness, json!({}));
    let other = harness.second();
    assert_eq!(cancel(&open, other["account_sid"].as_str().unwrap()), 404);
    assert_eq!(record(&harness, &open)["status"], "pending");
}

#[test]
fn acc_032_cancel_requires_the_account() {
    let harness = Harness::new(&[]);
    let id = send(&harness, json!({}));
    let reply = harness.post("/2fa/cancel", json!({"requestId": id})).is(400);
    assert!(reply.json()["message"].as_str().unwrap().contains("`accountSid`"));
    assert_eq!(record(&harness, &id)["status"], "pending");
}
