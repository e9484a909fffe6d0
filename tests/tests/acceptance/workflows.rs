//! Rows 63 to 71: workflows and their runs.

use serde_json::{Value, json};

use crate::harness::Harness;
use crate::limits::workflow;
use crate::passcodes::{TO, code, record, verify};

#[test]
fn acc_063_a_workflow_name_is_unique() {
    let harness = Harness::new(&[]);
    workflow(&harness, "w");
    let again = json!({"name": "w", "channels": r#"[{"channel":"sms","interval":"0"}]"#, "description": "d"});
    let reply = harness.post("/2fa/workflows", again).is(495);
    assert_eq!(
        reply.json(),
        json!({"code": 495, "message": "Workflow with that name already exists", "requestID": null})
    );
}

#[test]
fn acc_064_an_update_appends_channels_and_replaces_the_description() {
    let harness = Harness::new(&[]);
    let path = format!("/2fa/workflows/{}", workflow(&harness, "w")["sid"].as_str().unwrap());
    let more =
        harness.put(&path, json!({"channels": r#"[{"channel":"sms","interval":"5"}]"#})).ok()["data"].clone();
    assert_eq!(more["channels"].as_array().unwrap().len(), 4);
    assert_eq!(more["channels"][3], json!({"channel": "sms", "interval": "5"}));
    let changed = harness.put(&path, json!({"description": "new"})).ok()["data"].clone();
    assert_eq!(
        (changed["description"].as_str(), changed["channels"].as_array().unwrap().len()),
        (Some("new"), 4)
    );
}

#[test]
fn acc_066_a_deleted_workflow_is_returned() {
    let harness = Harness::new(&[]);
    let flow = workflow(&harness, "w");
    let path = format!("/2fa/workflows/{}", flow["sid"].as_str().unwrap());
    assert_eq!(harness.delete(&path).ok()["data"], flow);
    assert_eq!(harness.get("/2fa/workflows/search").ok()["data"]["total"], 0);
}

#[test]
fn acc_067_the_workflows_of_a_sub_account_are_separate_and_its_parent_can_list_them() {
    let harness = Harness::new(&[]);
    workflow(&harness, "mine");
    let sub = harness.second();
    let sid = sub["account_sid"].as_str().unwrap().to_owned();
    harness.post_as(
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
            .map(|item| item["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(of(harness.get("/2fa/workflows/search").ok()), ["mine"]);
    harness.get(&format!("/2fa/workflows/search?accountSid={sid}")).is(404);
    harness.control("PUT", &format!("/accounts/{sid}"), json!({"parent": harness.sid()}));
    assert_eq!(of(harness.get(&format!("/2fa/workflows/search?accountSid={sid}")).ok()), ["theirs"]);
}

#[test]
fn acc_069_malformed_channels_are_rejected() {
    let harness = Harness::new(&[]);
    for channels in [
        r#"[{"channel":"fax"}]"#,
        r#"[{"channel":"sms","interval":"-1"}]"#,
        r#"[{"channel":"sms"}]"#,
        r#"[{"channel":"sms","interval":"5"},{"channel":"voice","interval":null}]"#,
        "[]",
        "x",
    ] {
        harness
            .post("/2fa/workflows", json!({"name": "w", "channels": channels, "description": "d"}))
            .is(400);
    }
}

fn run(harness: &Harness) -> String {
    let sid = workflow(harness, "w")["sid"].as_str().unwrap().to_owned();
    let start = json!({"service": "login", "from": "Acme", "to": TO, "body": "{code}"});
    harness.control("POST", &format!("/workflows/{sid}/run"), start)["requestID"].as_str().unwrap().to_owned()
}

#[test]
fn acc_070_a_run_sends_over_each_channel_after_its_interval() {
    let harness = Harness::new(&[]);
    let id = run(&harness);
    let count = || harness.inbox(TO).len();
    assert_eq!(count(), 1);
    harness.advance("29s");
    assert_eq!(count(), 1);
    harness.advance("1s");
    assert_eq!(count(), 2);
    harness.advance("30s");
    let channels: Vec<Value> = record(&harness, &id)["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["channel"].clone())
        .collect();
    assert_eq!(channels, ["sms", "sms", "call"]);
    harness.advance("1h");
    assert_eq!(count(), 3);
    let start = harness.inbox(TO)[0]["at"].as_str().unwrap().to_owned();
    assert_ne!(start, harness.inbox(TO)[2]["at"].as_str().unwrap());
}

#[test]
fn acc_071_a_run_ends_when_its_passcode_is_verified() {
    let harness = Harness::new(&[]);
    let id = run(&harness);
    assert_eq!(verify(&harness, &id, &code(&harness)), 200);
    harness.advance("1h");
    assert_eq!(harness.inbox(TO).len(), 1);
}
