//! Rows 13 to 17, 54 to 62, 65, 68 and 72: limits, and the same calls for workflows.

use cpaas::error::Outcome;
use serde_json::{Value, json};

use crate::harness::Harness;
use crate::passcodes::{TO, with};

fn buckets(list: &[(u32, u32)]) -> String {
    let list: Vec<Value> = list
        .iter()
        .map(|(max, interval)| json!({"name": format!("b{interval}"), "max": max.to_string(), "interval": interval.to_string()}))
        .collect();
    json!(list).to_string()
}

fn create(harness: &Harness, name: &str, list: &[(u32, u32)]) -> String {
    let response =
        harness.post("/2fa/limits", json!({"name": name, "buckets": buckets(list), "description": "d"})).ok();
    response["data"]["sid"].as_str().unwrap().to_owned()
}

pub fn workflow(harness: &Harness, name: &str) -> Value {
    let channels = r#"[{"channel":"sms","interval":"30"},{"channel":"sms","interval":"30"},{"channel":"voice","interval":"30"}]"#;
    harness.post("/2fa/workflows", json!({"name": name, "channels": channels, "description": "d"})).ok()["data"]
        .clone()
}

fn limited(harness: &Harness, limits: Value) -> u16 {
    harness.post("/2fa/send", with(json!({"limits": limits}))).status
}

#[test]
fn acc_013_sends_within_their_limits_are_accepted_and_counted() {
    let harness = Harness::new(&[]);
    create(&harness, "limit_on_ip", &[(3, 60)]);
    create(&harness, "limit_on_phone", &[(3, 60)]);
    assert_eq!(limited(&harness, json!({"limit_on_ip": "10.0.0.1", "limit_on_phone": TO})), 200);
    let counters = harness.control("GET", "/limits", Value::Null)["counters"].clone();
    assert_eq!(counters.as_array().unwrap().len(), 2);
    assert_eq!((counters[0]["used"].as_u64(), counters[0]["max"].as_u64()), (Some(1), Some(3)));
}

#[test]
fn acc_014_015_a_send_above_the_limit_is_rejected_until_the_interval_ends() {
    let harness = Harness::new(&[]);
    create(&harness, "per_ip", &[(2, 60)]);
    let by = |ip: &str| json!({"per_ip": ip});
    assert_eq!([limited(&harness, by("a")), limited(&harness, by("a"))], [200, 200]);
    let before = harness.inbox(TO).len();
    let reply = harness.post("/2fa/send", with(json!({"limits": {"per_ip": "a"}}))).is(429);
    assert_eq!(
        (reply.header("retry-after"), reply.json()["message"].as_str()),
        (Some("60"), Some("Limit reached [sandbox]"))
    );
    assert_eq!(harness.inbox(TO).len(), before);
    assert_eq!(limited(&harness, by("b")), 200, "another value");
    harness.advance("59s");
    assert_eq!(limited(&harness, by("a")), 429);
    harness.advance("1s");
    assert_eq!(limited(&harness, by("a")), 200);
}

#[test]
fn acc_014_the_client_reports_a_send_above_the_limit_as_rejected() {
    let harness = Harness::new(&[]);
    create(&harness, "per_ip", &[(1, 90)]);
    let body = with(json!({"limits": {"per_ip": "a"}}));
    harness.via("otp.send", body.clone()).unwrap();
    let error = harness.via("otp.send", body).unwrap_err();
    assert_eq!((error.outcome, error.status), (Outcome::Rejected, Some(429)));
    assert_eq!(harness.inbox(TO).len(), 1);
}

#[test]
fn acc_016_each_bucket_of_a_limit_applies() {
    let harness = Harness::new(&[]);
    create(&harness, "two", &[(3, 60), (5, 3600)]);
    let go = || limited(&harness, json!({"two": "x"}));
    assert_eq!([go(), go(), go(), go()], [200, 200, 200, 429]);
    harness.advance("60s");
    assert_eq!([go(), go(), go()], [200, 200, 429], "five an hour");
    harness.advance("60s");
    assert_eq!(go(), 429);
    harness.advance("1h");
    assert_eq!(go(), 200);
}

#[test]
fn acc_017_an_unknown_limit_is_refused_or_ignored() {
    assert_eq!(limited(&Harness::new(&[]), json!({"nothing": "x"})), 400);
    assert_eq!(limited(&Harness::new(&["--unknown-limit=ignore"]), json!({"nothing": "x"})), 200);
}

#[test]
fn acc_054_a_limit_is_created() {
    let harness = Harness::new(&[]);
    let text = buckets(&[(3, 60)]);
    let response =
        harness.post("/2fa/limits", json!({"name": "n", "buckets": text, "description": "d"})).ok();
    let sid = response["data"]["sid"].as_str().unwrap();
    assert!(sid.starts_with("LM"));
    let data = json!({"sid": sid, "name": "n", "buckets": text, "description": "d", "accountSid": harness.sid(), "uri": format!("/2fa/limits/search/{sid}")});
    assert_eq!(response, json!({"data": data, "code": 200, "message": "OK"}));
}

#[test]
fn acc_055_072_a_limit_name_in_use_is_rejected_in_every_status_mode() {
    for (mode, status) in [("mirror", 492), ("semantic", 409), ("always200", 200)] {
        let harness = Harness::new(&[&format!("--otp-error-status={mode}")]);
        create(&harness, "n", &[(1, 1)]);
        let reply = harness
            .post("/2fa/limits", json!({"name": "n", "buckets": buckets(&[(1, 1)]), "description": "d"}))
            .is(status);
        assert_eq!(
            reply.json(),
            json!({"code": 492, "message": "Limit with that Name already exists", "requestID": null})
        );
    }
}

#[test]
fn acc_056_malformed_buckets_are_rejected() {
    let harness = Harness::new(&[]);
    let bad = [
        json!([{"name": "a", "max": "1", "interval": "1"}]),
        json!("not json"),
        json!("{}"),
        json!("[]"),
        json!(r#"[{"max":"1","interval":"1"}]"#),
        json!(r#"[{"name":"a","interval":"1"}]"#),
        json!(r#"[{"name":"a","max":"1"}]"#),
        json!(r#"[{"name":"a","max":"many","interval":"1"}]"#),
        json!(r#"[{"name":"a","max":"1","interval":"-1"}]"#),
    ];
    for buckets in bad {
        let reply =
            harness.post("/2fa/limits", json!({"name": "n", "buckets": buckets, "description": "d"})).is(400);
        assert!(reply.json()["message"].as_str().unwrap().contains("buckets"), "{}", reply.text);
    }
    for missing in ["name", "description"] {
        let mut body = json!({"name": "n", "buckets": buckets(&[(1, 1)]), "description": "d"});
        body.as_object_mut().unwrap().remove(missing);
        harness.post("/2fa/limits", body).is(400);
    }
}

#[test]
fn acc_057_a_changed_limit_applies_to_the_next_send() {
    let harness = Harness::new(&[]);
    let sid = create(&harness, "n", &[(1, 60)]);
    let go = || limited(&harness, json!({"n": "x"}));
    assert_eq!([go(), go()], [200, 429]);
    let response = harness
        .put(&format!("/2fa/limits/{sid}"), json!({"buckets": buckets(&[(2, 60)]), "description": "new"}))
        .ok();
    assert_eq!(
        (&response["data"]["buckets"], &response["data"]["description"]),
        (&json!(buckets(&[(2, 60)])), &json!("new"))
    );
    assert_eq!([go(), go()], [200, 429], "counters are kept");
    let without = harness.put(&format!("/2fa/limits/{sid}"), json!({"description": "newer"})).is(200);
    assert!(without.assumed().contains("D17"));
    assert_eq!(without.json()["data"]["buckets"], buckets(&[(2, 60)]));
}

#[test]
fn acc_058_065_072_unknown_sids_are_rejected_in_every_status_mode() {
    for (mode, shift) in [("mirror", [493, 499]), ("semantic", [404, 404]), ("always200", [200, 200])] {
        let harness = Harness::new(&[&format!("--otp-error-status={mode}")]);
        let limit = json!({"buckets": buckets(&[(1, 1)]), "description": "d"});
        let workflow = json!({"channels": r#"[{"channel":"sms","interval":"0"}]"#, "description": "d"});
        for reply in [harness.put("/2fa/limits/LM1", limit), harness.delete("/2fa/limits/LM1")] {
            assert_eq!(
                reply.is(shift[0]).json(),
                json!({"code": 493, "message": "Invalid Limit Id", "requestID": null})
            );
        }
        for reply in [harness.put("/2fa/workflows/WF1", workflow), harness.delete("/2fa/workflows/WF1")] {
            assert_eq!(
                reply.is(shift[1]).json(),
                json!({"code": 499, "message": "Invalid Workflow Id", "requestID": null})
            );
        }
    }
}

#[test]
fn acc_059_a_deleted_limit_is_gone() {
    let harness = Harness::new(&[]);
    let sid = create(&harness, "n", &[(1, 1)]);
    assert_eq!(harness.delete(&format!("/2fa/limits/{sid}")).ok()["data"]["sid"], sid);
    assert_eq!(harness.get(&format!("/2fa/limits/search/{sid}")).is(493).json()["code"], 493);
    assert_eq!(harness.get("/2fa/limits/search").ok()["data"]["total"], 0);
    create(&harness, "n", &[(1, 1)]);
}

#[test]
fn acc_060_limits_are_listed_in_pages() {
    let harness = Harness::new(&[]);
    let sids: Vec<String> = (0..3).map(|n| create(&harness, &format!("n{n}"), &[(1, 1)])).collect();
    let list = harness.get("/2fa/limits/search?pageSize=2").ok();
    let names: Vec<&String> = list["data"].as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        ["end", "firstPageUri", "numPages", "page", "pageSize", "result", "start", "total", "uri"]
    );
    assert_eq!((list["code"].as_i64(), list["message"].as_str()), (Some(200), Some("OK")));
    let data = &list["data"];
    assert_eq!(
        (data["total"].as_u64(), data["numPages"].as_u64(), data["start"].as_u64(), data["end"].as_u64()),
        (Some(3), Some(2), Some(0), Some(1))
    );
    assert_eq!(
        (data["result"][0]["sid"].as_str(), data["result"][1]["sid"].as_str()),
        (Some(sids[0].as_str()), Some(sids[1].as_str()))
    );
    let rest = harness.get("/2fa/limits/search?pageSize=2&page=1").ok();
    assert_eq!(rest["data"]["result"][0]["sid"], sids[2]);
}

#[test]
fn acc_061_068_one_limit_or_workflow_is_read_by_its_sid() {
    let harness = Harness::new(&[]);
    let sid = create(&harness, "n", &[(1, 1)]);
    assert_eq!(harness.get(&format!("/2fa/limits/search/{sid}")).ok()["data"]["name"], "n");
    assert_eq!(harness.get("/2fa/limits/search/LM1").is(493).json()["code"], 493);
    let flow = workflow(&harness, "w");
    assert_eq!(harness.get(flow["uri"].as_str().unwrap()).ok()["data"], flow);
    assert_eq!(harness.get("/2fa/workflows/search/WF1").is(499).json()["code"], 499);
}

#[test]
fn acc_062_a_workflow_is_created() {
    let harness = Harness::new(&[]);
    let flow = workflow(&harness, "w");
    assert!(flow["sid"].as_str().unwrap().starts_with("WF"));
    assert_eq!(
        flow["channels"],
        json!([{"channel": "sms", "interval": "30"}, {"channel": "sms", "interval": "30"}, {"channel": "voice", "interval": "30"}])
    );
    for name in
        ["accountSid", "accountEmail", "targetAccountSid", "targetAccountEmail", "uri", "description", "name"]
    {
        assert!(flow[name].is_string(), "{name}");
    }
}

#[test]
fn acc_054_062_the_client_manages_limits_and_workflows() {
    let harness = Harness::new(&[]);
    let buckets = json!([{"name": "b", "max": "3", "interval": "60"}]);
    let limit = harness
        .via("otp.limits.create", json!({"name": "n", "buckets": buckets, "description": "d"}))
        .unwrap();
    assert!(limit["data"]["sid"].as_str().unwrap().starts_with("LM"));
    let channels = json!([{"channel": "sms", "interval": "30"}, {"channel": "voice", "interval": "0"}]);
    let flow = harness
        .via("otp.workflows.create", json!({"name": "w", "channels": channels, "description": "d"}))
        .unwrap();
    assert_eq!(flow["data"]["channels"].as_array().unwrap().len(), 2);
    let again = harness
        .via("otp.limits.create", json!({"name": "n", "buckets": buckets, "description": "d"}))
        .unwrap_err();
    assert_eq!((again.outcome, again.code), (Outcome::Rejected, Some(492)));
}

#[test]
fn acc_072_the_client_reports_the_same_error_in_every_status_mode() {
    let seen: Vec<_> = ["mirror", "semantic", "always200"]
        .iter()
        .map(|mode| {
            let harness = Harness::new(&[&format!("--otp-error-status={mode}")]);
            create(&harness, "n", &[(1, 1)]);
            workflow(&harness, "w");
            let bucket = json!([{"name": "b", "max": "1", "interval": "1"}]);
            let channel = json!([{"channel": "sms", "interval": "0"}]);
            [
                ("otp.limits.create", json!({"name": "n", "buckets": bucket, "description": "d"})),
                ("otp.limits.update", json!({"sid": "LM00000000000000000000000000000000", "description": "d", "buckets": bucket})),
                ("otp.workflows.create", json!({"name": "w", "channels": channel, "description": "d"})),
                ("otp.workflows.update", json!({"sid": "WF00000000000000000000000000000000", "description": "d"})),
            ]
            .map(|(id, body)| {
                let error = harness.via(id, body).unwrap_err();
                (error.outcome, error.code)
            })
        })
        .collect();
    assert_eq!(seen[0].map(|result| result.1), [Some(492), Some(493), Some(495), Some(499)]);
    assert!(seen[0].iter().all(|result| result.0 == Outcome::Rejected));
    assert!(seen.iter().all(|result| *result == seen[0]));
}
