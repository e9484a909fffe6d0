//! The fault rules of a sandbox: listed, added and replaced.

use cpaas::client::blocking::Client;
use cpaas::sms::SendSms;
use cpaas_sandbox::Sandbox;
use serde_json::{Value, json};

fn kinds(rules: &[Value]) -> Vec<(&str, u64)> {
    rules
        .iter()
        .map(|rule| (rule["rule"]["kind"].as_str().unwrap(), rule["seen"].as_u64().unwrap()))
        .collect()
}

#[test]
fn rules_are_added_listed_and_replaced() {
    let sandbox = Sandbox::builder().start_blocking().unwrap();
    assert!(sandbox.faults().is_empty());
    sandbox.set_faults(json!([{"kind": "latency", "ms": 1}])).unwrap();
    let client = Client::new(&sandbox.config()).unwrap();
    client.call(SendSms::new("Acme", "306912345678", "Hi")).unwrap();
    sandbox.fault(json!({"kind": "garbage"})).unwrap();
    assert_eq!(kinds(&sandbox.faults()), [("latency", 1), ("garbage", 0)]);
    assert!(sandbox.fault(json!({"kind": "unknown"})).is_err());
    assert!(sandbox.set_faults(json!([{"kind": "unknown"}])).is_err());
    assert_eq!(sandbox.faults().len(), 2);
    sandbox.set_faults(json!([{"kind": "hang", "ms": 1}])).unwrap();
    assert_eq!(kinds(&sandbox.faults()), [("hang", 0)]);
    sandbox.set_faults(json!([])).unwrap();
    assert!(sandbox.faults().is_empty());
}
