//! Rows 22 to 32: verifying and cancelling passcodes.

use serde_json::json;

use crate::lab::Lab;
use crate::otp::{code, record, send, verify, wrong};

#[test]
fn acc_022_the_right_code_succeeds() {
    let lab = Lab::new(&[]);
    let id = send(&lab, json!({}));
    let check = json!({"service": "login", "requestId": id, "code": code(&lab)});
    assert_eq!(lab.post("/2fa/verify", check).ok(), json!({"code": 200, "message": "OK", "requestID": id}));
    let record = record(&lab, &id);
    assert_eq!(
        (record["status"].as_str(), record["checks"][0]["status"].as_str()),
        (Some("success"), Some("valid"))
    );
}

#[test]
fn acc_023_a_wrong_code_is_recorded() {
    let lab = Lab::new(&[]);
    let id = send(&lab, json!({}));
    let wrong = wrong(&code(&lab));
    let reply = lab.post("/2fa/verify", json!({"service": "login", "requestId": id, "code": wrong})).is(400);
    assert_eq!(reply.json(), json!({"code": 400, "message": "Invalid code [sandbox]", "requestID": null}));
    assert_eq!(reply.assumed(), "D01,D02");
    let check = &record(&lab, &id)["checks"][0];
    assert_eq!((check["status"].as_str(), check["code"].as_str()), (Some("invalid"), Some(wrong.as_str())));
}

#[test]
fn acc_024_three_checks_in_order() {
    let lab = Lab::new(&[]);
    let id = send(&lab, json!({}));
    let right = code(&lab);
    let wrong = wrong(&right);
    assert_eq!([&wrong, &wrong, &right].map(|code| verify(&lab, &id, code)), [400, 400, 200]);
    let record = record(&lab, &id);
    let seen: Vec<&str> =
        record["checks"].as_array().unwrap().iter().map(|check| check["status"].as_str().unwrap()).collect();
    assert_eq!((seen, record["status"].as_str()), (vec!["invalid", "invalid", "valid"], Some("success")));
}

#[test]
fn acc_024_a_cap_on_checks_when_asked_for() {
    let lab = Lab::new(&["--otp-max-checks=2"]);
    let id = send(&lab, json!({}));
    let right = code(&lab);
    let wrong = wrong(&right);
    assert_eq!([&wrong, &wrong, &right].map(|code| verify(&lab, &id, code)), [400, 400, 429]);
}

#[test]
fn acc_025_a_code_as_a_number_is_refused() {
    let lab = Lab::new(&[]);
    let id = send(&lab, json!({}));
    let number: u32 = code(&lab).parse().unwrap();
    let reply = lab.post("/2fa/verify", json!({"service": "login", "requestId": id, "code": number})).is(400);
    assert!(reply.json()["message"].as_str().unwrap().contains("`code`"));
    assert_eq!(record(&lab, &id)["checks"], json!([]));
}

#[test]
fn acc_026_an_unknown_request_is_404() {
    let lab = Lab::new(&[]);
    let id = send(&lab, json!({}));
    assert_eq!(verify(&lab, "OTP00000000000000000000000000000000", "123456"), 404);
    assert_eq!(verify(&lab, "nonsense", "123456"), 404);
    let other = lab.post("/2fa/verify", json!({"service": "payment", "requestId": id, "code": code(&lab)}));
    assert_eq!(other.status, 404, "another service");
}

#[test]
fn acc_027_a_used_code_is_410() {
    let lab = Lab::new(&[]);
    let id = send(&lab, json!({}));
    let code = code(&lab);
    assert_eq!([verify(&lab, &id, &code), verify(&lab, &id, &code)], [200, 410]);
    assert_eq!(record(&lab, &id)["checks"][1]["status"], "invalid");
}

#[test]
fn acc_028_a_passcode_expires() {
    let lab = Lab::new(&[]);
    let id = send(&lab, json!({}));
    lab.advance("599s");
    assert_eq!(record(&lab, &id)["status"], "pending");
    lab.advance("1s");
    assert_eq!(record(&lab, &id)["status"], "expired");
    assert_eq!(verify(&lab, &id, &code(&lab)), 410);
    assert_eq!(record(&lab, &id)["checks"][0]["status"], "invalid");
    let short = Lab::new(&["--otp-ttl=30"]);
    let id = send(&short, json!({}));
    short.advance("30s");
    assert_eq!(record(&short, &id)["status"], "expired");
}

#[test]
fn acc_029_a_pending_passcode_is_canceled() {
    let lab = Lab::new(&[]);
    let id = send(&lab, json!({}));
    let answer = lab.post("/2fa/cancel", json!({"requestId": id, "accountSid": lab.sid()})).ok();
    assert_eq!(answer, json!({"code": 200, "message": "canceled", "requestID": id}));
    let again = send(&lab, json!({}));
    let canceled = lab.via("otp.cancel", json!({"requestId": again, "accountSid": lab.sid()})).unwrap();
    assert_eq!(canceled["message"], "canceled");
}

#[test]
fn acc_030_a_canceled_passcode_fails() {
    let lab = Lab::new(&[]);
    let id = send(&lab, json!({}));
    lab.post("/2fa/cancel", json!({"requestId": id, "accountSid": lab.sid()})).ok();
    assert_eq!(verify(&lab, &id, &code(&lab)), 410);
    assert_eq!(record(&lab, &id)["status"], "canceled");
}

#[test]
fn acc_031_what_cannot_be_canceled() {
    let lab = Lab::new(&[]);
    let cancel =
        |id: &str, sid: &str| lab.post("/2fa/cancel", json!({"requestId": id, "accountSid": sid})).status;
    let twice = send(&lab, json!({}));
    assert_eq!([cancel(&twice, lab.sid()), cancel(&twice, lab.sid())], [200, 410]);
    let used = send(&lab, json!({}));
    assert_eq!([verify(&lab, &used, &code(&lab)), cancel(&used, lab.sid())], [200, 410]);
    assert_eq!(cancel("OTP123", lab.sid()), 404);
    let open = send(&lab, json!({}));
    let other = lab.second();
    assert_eq!(cancel(&open, other["account_sid"].as_str().unwrap()), 404);
    assert_eq!(record(&lab, &open)["status"], "pending");
}

#[test]
fn acc_032_cancel_names_its_account() {
    let lab = Lab::new(&[]);
    let id = send(&lab, json!({}));
    let reply = lab.post("/2fa/cancel", json!({"requestId": id})).is(400);
    assert!(reply.json()["message"].as_str().unwrap().contains("`accountSid`"));
    assert_eq!(record(&lab, &id)["status"], "pending");
}
