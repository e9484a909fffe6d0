//! The client calls every operation of the sandbox binary over HTTP: with a successful response, with each documented error, with
//! invalid credentials, and with undocumented members in the response, which the result keeps.

mod checking_proxy;
mod sandbox_binary;

use std::collections::BTreeSet;

use cpaas::client::CallOptions;
use cpaas::client::blocking::Client;
use cpaas::config::Validation;
use cpaas::error::Outcome;
use cpaas::{Config, Error, OperationId};
use cpaas_tests::examples::{self, EXAMPLES};
use serde_json::{Value, json};

use sandbox_binary::Binary;

struct Setup {
    binary: Binary,
    client: Client,
    /// Whether a proxy adds a member to every response.
    adds_members: bool,
    /// Operations with a successful response.
    succeeded: BTreeSet<String>,
    /// Operations that were rejected as documented, with the provider's code.
    rejected: BTreeSet<(String, i64)>,
}

impl Setup {
    fn new(adds_members: bool) -> Self {
        let binary = Binary::start(&["--conversion"]);
        let url = checking_proxy::start(&binary.url, adds_members);
        let client = Client::new(&binary.config(&url)).unwrap();
        Self { binary, client, adds_members, succeeded: BTreeSet::new(), rejected: BTreeSet::new() }
    }

    fn call(&mut self, id: &str, request: &Value) -> Value {
        let value = self.attempt(id, request).unwrap_or_else(|error| panic!("{id}: {error:?}"));
        // The response to a failover is a list of ids, to which no member can be added.
        if self.adds_members && id != "messages.send_failover" {
            assert!(value.contains(checking_proxy::ADDED_MEMBER), "{id}: {value}");
        }
        self.succeeded.insert(id.to_owned());
        serde_json::from_str(&value).unwrap()
    }

    fn attempt(&self, id: &str, request: &Value) -> Result<String, Error> {
        let operation = OperationId::find(id).unwrap();
        // Without validation, because some requests must reach the provider to be rejected.
        let client = self.client.with(CallOptions::new().validation(Validation::Off));
        Ok(client.call_json(operation, &request.to_string())?.value)
    }

    /// Expects a documented rejection with this code in the provider's body.
    fn rejects(&mut self, id: &str, request: &Value, code: i64) {
        let error = self.attempt(id, request).unwrap_err();
        assert_eq!((error.outcome, error.code), (Outcome::Rejected, Some(code)), "{id}: {error:?}");
        assert!(error.provider_message.is_some(), "{id}: {error:?}");
        self.rejected.insert((id.to_owned(), code));
    }

    fn passcode(&self) -> String {
        let seen = self.binary.control(&format!("/messages?to={PHONE}&contains=code&wait=5s"));
        seen["messages"][0]["otp"].as_str().unwrap().to_owned()
    }

    fn setting(&self, name: &str) -> String {
        self.binary.config[name].as_str().unwrap().to_owned()
    }
}

const PHONE: &str = "306912345678";
const ABSENT: &str = "9996040001";

fn passcodes(setup: &mut Setup) {
    let send = json!({"service": "login", "from": "Acme", "to": PHONE, "body": "Your code is {code}"});
    let id = setup.call("otp.send", &send)["requestID"].as_str().unwrap().to_owned();
    let verify = json!({"service": "login", "requestId": id, "code": setup.passcode()});
    assert_eq!(setup.call("otp.verify", &verify)["code"], 200);
    let second = setup.call("otp.send", &send)["requestID"].as_str().unwrap().to_owned();
    assert_eq!(setup.call("otp.cancel", &json!({"requestId": second}))["message"], "canceled");
    assert_eq!(setup.call("otp.get", &json!({"sid": id}))["status"], "success");
    assert_eq!(setup.call("otp.search", &json!({"pageSize": 10}))["total"], 2);
    assert_eq!(setup.call("otp.usage", &json!({}))["usageRecords"][0]["count"], "2");
    assert!(setup.call("otp.usage_daily", &json!({}))["usageRecords"].is_array());
}

fn limits_and_workflows(setup: &mut Setup) {
    let kinds = [
        ("otp.limits", "buckets", json!([{"name": "b", "max": "3", "interval": "60"}]), 492, 493),
        ("otp.workflows", "channels", json!([{"channel": "sms", "interval": "30"}]), 495, 499),
    ];
    for (family, member, list, taken, unknown) in kinds {
        let op = |name: &str| format!("{family}.{name}");
        let create = json!({"name": "plan", member: list, "description": "d"});
        let sid = setup.call(&op("create"), &create)["data"]["sid"].as_str().unwrap().to_owned();
        setup.rejects(&op("create"), &create, taken);
        let strange = format!("{}00000000000000000000000000000000", sid.get(..2).unwrap());
        let update = |sid: &str| json!({"sid": sid, member: list, "description": "e"});
        assert_eq!(setup.call(&op("update"), &update(&sid))["data"]["description"], "e");
        setup.rejects(&op("update"), &update(&strange), unknown);
        setup.rejects(&op("delete"), &json!({"sid": strange}), unknown);
        setup.rejects(&op("get"), &json!({"sid": strange}), unknown);
        assert_eq!(setup.call(&op("list"), &json!({}))["data"]["total"], 1);
        assert_eq!(setup.call(&op("get"), &json!({"sid": sid}))["data"]["sid"], sid.as_str());
        assert_eq!(setup.call(&op("delete"), &json!({"sid": sid}))["data"]["sid"], sid.as_str());
    }
}

fn sms_and_lookup(setup: &mut Setup) {
    let sms = json!({"from": "Acme", "to": PHONE, "text": "Hi"});
    let id = setup.call("sms.send", &sms)["id"].as_str().unwrap().to_owned();
    let bulk = json!({"from": "Acme", "to": format!("{PHONE},306912345679"), "text": "Hi"});
    assert_eq!(setup.call("sms.send_bulk", &bulk)["messages"].as_array().unwrap().len(), 2);
    assert_eq!(setup.call("sms.convert", &json!({"messageId": id}))["responseCode"], 0);
    setup.rejects("sms.send", &json!({"from": "Acme", "to": "nobody", "text": "Hi"}), 902);
    setup.rejects(
        "sms.send_bulk",
        &json!({"from": "Acme", "to": format!("{PHONE},nobody"), "text": "Hi"}),
        902,
    );
    setup.rejects("sms.convert", &json!({"messageId": "00000000-0000-0000-0000-000000000000"}), 911);
    let usage = json!({"startDate": "2020-01-01", "endDate": "2099-01-01", "AccountName": "main"});
    assert!(setup.call("sms.usage_by_country", &usage)["usagesByCountry"].is_array());
    assert_eq!(setup.call("lookup.numbers", &json!({"msisdn": [PHONE]}))[0]["response"], 0);
    assert_eq!(setup.call("lookup.numbers_by_query", &json!({"msisdn": PHONE}))[0]["msisdn"], PHONE);
    // A non-zero `response` belongs to its element and never fails the call.
    for (id, list) in [("lookup.numbers", json!([PHONE, ABSENT])), ("lookup.numbers_by_query", json!(ABSENT))]
    {
        let elements = setup.call(id, &json!({"msisdn": list}));
        let code = elements.as_array().unwrap().last().unwrap()["response"].as_i64().unwrap();
        assert_ne!(code, 0, "{id}");
        setup.rejected.insert((id.to_owned(), code));
    }
}

fn chats(setup: &mut Setup) {
    let sms = json!({"text": "Hi", "sender": "Acme"});
    let one = json!({"destination": PHONE, "sms": sms});
    assert_eq!(setup.call("messages.send", &one)["deliveryStatus"], "Ready");
    let account = setup.setting("traffic_account_id");
    let failover = json!({"destination": PHONE, "messenger_a": {"type": "regular", "regular": {"text": "Hi", "type": "text"}},
        "sms": sms, "failover": {"type": "Timeout", "timeoutFailover":
            {"timeoutInSeconds": 60, "status": "Delivered", "trafficAccounts": [account, account]}}});
    assert_eq!(setup.call("messages.send_failover", &failover).as_array().unwrap().len(), 2);
    let bulk = json!({"destinations": [PHONE, "306912345679"], "sms": sms});
    assert_eq!(setup.call("messages.send_bulk", &bulk)["messages"].as_array().unwrap().len(), 2);
    let mut unsupported = json!({"destination": "99941012345", "business_chat": {"text": {"message": "Hi"}}});
    let error = setup.attempt("messages.send", &unsupported).unwrap_err();
    assert_eq!((error.outcome, error.status), (Outcome::Rejected, Some(400)), "failed precondition");
    setup.rejected.insert(("messages.send".to_owned(), 400));
    // The same with a fallback is accepted.
    unsupported["business_chat"]["fallback"] = json!("Hi");
    setup.call("messages.send", &unsupported);
}

fn webhooks(setup: &mut Setup) {
    assert_eq!(setup.call("webhooks.messenger_b.set", &json!({"url": ""}))["status"], 0);
    setup.rejects("webhooks.messenger_b.set", &json!({"url": "http://127.0.0.1:9/hook"}), 1);
    let bot = setup.setting("bot_id");
    setup.call("webhooks.messenger_c.set", &json!({"bot_id": bot, "url": "http://127.0.0.1:9/hook"}));
    let info = setup.call("webhooks.messenger_c.info", &json!({"bot_id": bot})).to_string();
    assert!(info.contains("127.0.0.1:9"), "{info}");
    setup.call("webhooks.messenger_c.delete", &json!({"bot_id": bot}));
}

/// Calls every operation once and causes every documented error.
fn run_all(adds_members: bool) -> Setup {
    let mut setup = Setup::new(adds_members);
    passcodes(&mut setup);
    limits_and_workflows(&mut setup);
    sms_and_lookup(&mut setup);
    chats(&mut setup);
    webhooks(&mut setup);
    let all: BTreeSet<String> = OperationId::ALL.iter().map(|id| id.meta().id.to_owned()).collect();
    assert_eq!(setup.succeeded, all, "every operation must succeed once");
    setup
}

/// The errors that the specification documents, by operation.
const DOCUMENTED: &[(&str, &[i64])] = &[
    ("otp.limits.create", &[492]),
    ("otp.limits.update", &[493]),
    ("otp.limits.delete", &[493]),
    ("otp.workflows.create", &[495]),
    ("otp.workflows.update", &[499]),
    ("otp.workflows.delete", &[499]),
    ("sms.send", &[902]),
    ("sms.send_bulk", &[902]),
    ("sms.convert", &[911]),
    ("messages.send", &[400]),
    ("webhooks.messenger_b.set", &[1]),
];

#[test]
fn every_operation_succeeds_and_fails_as_documented() {
    let setup = run_all(false);
    for (id, codes) in DOCUMENTED {
        for code in *codes {
            assert!(setup.rejected.contains(&((*id).to_owned(), *code)), "{id}: {code} was not seen");
        }
    }
    assert!(
        ["lookup.numbers", "lookup.numbers_by_query"]
            .iter()
            .all(|id| setup.rejected.iter().any(|(seen, _)| seen == id))
    );
    println!("{} successful responses, {} documented errors", setup.succeeded.len(), setup.rejected.len());
}

#[test]
fn every_result_keeps_undocumented_members() {
    let setup = run_all(true);
    println!("{} responses with an added member", setup.succeeded.len());
}

#[test]
fn every_operation_rejects_invalid_credentials() {
    let binary = Binary::start(&[]);
    let wrong: Config = examples::config(&checking_proxy::start(&binary.url, false));
    let client = Client::new(&wrong).unwrap();
    for example in EXAMPLES.iter() {
        let operation = OperationId::find(example.id).unwrap();
        let error = client.call_json(operation, example.request).unwrap_err();
        assert_eq!(error.outcome, Outcome::Rejected, "{}: {error:?}", example.id);
        let status = if example.id == "webhooks.messenger_b.set" { 200 } else { 401 };
        assert_eq!(error.status, Some(status), "{}", example.id);
    }
    assert_eq!(binary.control("/ledger")["total"], 0, "something was sent");
}
