//! Rows 63 to 71: workflows and their runs.

use serde_json::{Value, json};

use crate::lab::Lab;
use crate::limits::workflow;
use crate::otp::{TO, code, record, verify};

#[test]
fn acc_063_a_workflow_name_is_unique() {
    let lab = Lab::new(&[]);
    workflow(&lab, "w");
    let again = json!({"name": "w", "channels": r#"[{"channel":"sms","interval":"0"}]"#, "description": "d"});
    let reply = lab.post("/2fa/workflows", again).is(495);
    assert_eq!(
        reply.json(),
        json!({"code": 495, "message": "Workflow with that name already exists", "requestID": null})
    );
}

#[test]
fn acc_064_channels_are_appended_the_description_replaced() {
    let lab = Lab::new(&[]);
    let path = format!("/2fa/workflows/{}", workflow(&lab, "w")["sid"].as_str().unwrap());
    let more =
        lab.put(&path, json!({"channels": r#"[{"channel":"sms","interval":"5"}]"#})).ok()["data"].clone();
    assert_eq!(more["channels"].as_array().unwrap().len(), 4);
    assert_eq!(more["channels"][3], json!({"channel": "sms", "interval": "5"}));
    let changed = lab.put(&path, json!({"description": "new"})).ok()["data"].clone();
    assert_eq!(
        (changed["description"].as_str(), changed["channels"].as_array().unwrap().len()),
        (Some("new"), 4)
    );
}

#[test]
fn acc_066_a_deleted_workflow_is_returned() {
    let lab = Lab::new(&[]);
    let flow = workflow(&lab, "w");
    let path = format!("/2fa/workflows/{}", flow["sid"].as_str().unwrap());
    assert_eq!(lab.delete(&path).ok()["data"], flow);
    assert_eq!(lab.get("/2fa/workflows/search").ok()["data"]["total"], 0);
}

#[test]
fn acc_067_sub_accounts_see_their_own() {
    let lab = Lab::new(&[]);
    workflow(&lab, "mine");
    let sub = lab.second();
    let sid = sub["account_sid"].as_str().unwrap().to_owned();
    lab.post_as(
        &sub,
        "/2fa/workflows",
        json!({"name": "theirs", "channels": r#"[{"channel":"sms","interval":"0"}]"#, "description": "d"}),
    )
    .is(200);
    let of = |list: Value| {
        list["data"]["result"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(of(lab.get("/2fa/workflows/search").ok()), ["mine"]);
    lab.get(&format!("/2fa/workflows/search?accountSid={sid}")).is(404);
    lab.control("PUT", &format!("/accounts/{sid}"), json!({"parent": lab.sid()}));
    assert_eq!(of(lab.get(&format!("/2fa/workflows/search?accountSid={sid}")).ok()), ["theirs"]);
}

#[test]
fn acc_069_malformed_channels() {
    let lab = Lab::new(&[]);
    for channels in [
        r#"[{"channel":"fax"}]"#,
        r#"[{"channel":"sms","interval":"-1"}]"#,
        r#"[{"channel":"sms"}]"#,
        r#"[{"channel":"sms","interval":"5"},{"channel":"voice","interval":null}]"#,
        "[]",
        "x",
    ] {
        lab.post("/2fa/workflows", json!({"name": "w", "channels": channels, "description": "d"})).is(400);
    }
}

fn run(lab: &Lab) -> String {
    let sid = workflow(lab, "w")["sid"].as_str().unwrap().to_owned();
    let start = json!({"service": "login", "from": "Acme", "to": TO, "body": "{code}"});
    lab.control("POST", &format!("/workflows/{sid}/run"), start)["requestID"].as_str().unwrap().to_owned()
}

#[test]
fn acc_070_a_run_goes_through_its_channels() {
    let lab = Lab::new(&[]);
    let id = run(&lab);
    let count = || lab.inbox(TO).len();
    assert_eq!(count(), 1);
    lab.advance("29s");
    assert_eq!(count(), 1);
    lab.advance("1s");
    assert_eq!(count(), 2);
    lab.advance("30s");
    let channels: Vec<Value> = record(&lab, &id)["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["channel"].clone())
        .collect();
    assert_eq!(channels, ["sms", "sms", "call"]);
    lab.advance("1h");
    assert_eq!(count(), 3);
    let start = lab.inbox(TO)[0]["at"].as_str().unwrap().to_owned();
    assert_ne!(start, lab.inbox(TO)[2]["at"].as_str().unwrap());
}

#[test]
fn acc_071_a_verified_run_stops() {
    let lab = Lab::new(&[]);
    let id = run(&lab);
    assert_eq!(verify(&lab, &id, &code(&lab)), 200);
    lab.advance("1h");
    assert_eq!(lab.inbox(TO).len(), 1);
}
