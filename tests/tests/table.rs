//! The table: thirty of thirty operations x {right answer, wrong credentials, each documented error, unknown members of
//! the answer kept}, by the real client against the sandbox over HTTP.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use cpaas::client::Client;
use cpaas::error::Outcome;
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::{Config, Error, OperationId};
use cpaas_sandbox::{BlockingSandbox, Sandbox, Wanted};
use cpaas_tests::examples::{self, EXAMPLES};
use cpaas_tests::openapi::{self, Answer};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::runtime::Runtime;

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// A client whose every answer is held to the OpenAPI document.
fn documented(config: &Config) -> Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let transport = move |request: HttpRequest| {
        let http = http.clone();
        async move { Ok(exchange(&http, request).await) }
    };
    Client::with_transport(config, transport).unwrap()
}

async fn exchange(http: &reqwest::Client, request: HttpRequest) -> HttpResponse {
    let method = reqwest::Method::from_bytes(request.method.as_str().as_bytes()).unwrap();
    let mut call = http.request(method, &request.url).body(request.body.unwrap_or_default());
    for (name, value) in &request.headers {
        call = call.header(name, value);
    }
    let answer = call.send().await.unwrap();
    let status = answer.status().as_u16();
    let text = |value: &reqwest::header::HeaderValue| value.to_str().unwrap().to_owned();
    let headers: Vec<_> =
        answer.headers().iter().map(|(name, value)| (name.to_string(), text(value))).collect();
    let body = answer.text().await.unwrap();
    let content_type = headers.iter().find(|(name, _)| name == "content-type").map_or("", |(_, value)| value);
    let target = request.url.splitn(4, '/').nth(3).unwrap();
    let seen = Answer { status, content_type, body: &body };
    openapi::check(request.method.as_str(), &format!("/{target}"), &seen).unwrap();
    HttpResponse::new(status, headers, body)
}

struct Stage {
    sandbox: BlockingSandbox,
    client: Client,
    runtime: Runtime,
    /// Operations that gave a right answer.
    right: Vec<String>,
}

impl Stage {
    fn new() -> Self {
        let mut builder = Sandbox::builder();
        builder = builder.set("conversion", "").unwrap();
        let sandbox = builder.start_blocking().unwrap();
        let client = documented(&sandbox.config());
        Self { sandbox, client, runtime: runtime(), right: Vec::new() }
    }

    fn call(&mut self, id: &str, request: &Value) -> Value {
        let value = self.attempt(id, request).unwrap_or_else(|error| panic!("{id}: {error:?}"));
        if !self.right.contains(&id.to_owned()) {
            self.right.push(id.to_owned());
        }
        value
    }

    fn attempt(&self, id: &str, request: &Value) -> Result<Value, Error> {
        let operation = OperationId::find(id).unwrap();
        let answer = self.runtime.block_on(self.client.call_json(operation, &request.to_string()))?;
        Ok(serde_json::from_str(&answer.value).unwrap())
    }

    fn code(&self, id: &str, request: &Value) -> Option<i64> {
        let error = self.attempt(id, request).unwrap_err();
        assert_eq!(error.outcome, Outcome::Rejected, "{id}");
        error.code
    }
}

const PHONE: &str = "306912345678";

fn passcodes(stage: &mut Stage) {
    let send = json!({"service": "login", "from": "Acme", "to": PHONE, "body": "Your code is {code}"});
    let id = stage.call("otp.send", &send)["requestID"].as_str().unwrap().to_owned();
    let seen = stage.sandbox.wait_for(&Wanted::to(PHONE).contains("code"), Duration::from_secs(5)).unwrap();
    let verify = json!({"service": "login", "requestId": id, "code": seen.otp.unwrap()});
    assert_eq!(stage.call("otp.verify", &verify)["code"], 200);
    let second = stage.call("otp.send", &send)["requestID"].as_str().unwrap().to_owned();
    assert_eq!(stage.call("otp.cancel", &json!({"requestId": second}))["message"], "canceled");
    assert_eq!(stage.call("otp.get", &json!({"sid": id}))["status"], "success");
    assert_eq!(stage.call("otp.search", &json!({"pageSize": 10}))["total"], 2);
    assert_eq!(stage.call("otp.usage", &json!({}))["usageRecords"][0]["count"], "2");
    assert!(stage.call("otp.usage_daily", &json!({}))["usageRecords"].is_array());
}

fn plans(stage: &mut Stage) {
    let kinds = [
        ("otp.limits", "buckets", json!([{"name": "b", "max": "3", "interval": "60"}]), 492, 493),
        ("otp.workflows", "channels", json!([{"channel": "sms", "interval": "30"}]), 495, 499),
    ];
    for (family, member, list, taken, unknown) in kinds {
        let op = |name: &str| format!("{family}.{name}");
        let create = json!({"name": "plan", member: list, "description": "d"});
        let sid = stage.call(&op("create"), &create)["data"]["sid"].as_str().unwrap().to_owned();
        assert_eq!(stage.code(&op("create"), &create), Some(taken), "{family}: a name that is taken");
        let strange = format!("{}00000000000000000000000000000000", sid.get(..2).unwrap());
        let update = |sid: &str| json!({"sid": sid, member: list, "description": "e"});
        assert_eq!(stage.call(&op("update"), &update(&sid))["data"]["description"], "e");
        assert_eq!(stage.code(&op("update"), &update(&strange)), Some(unknown));
        assert_eq!(stage.code(&op("delete"), &json!({"sid": strange})), Some(unknown));
        assert_eq!(stage.code(&op("get"), &json!({"sid": strange})), Some(unknown));
        assert_eq!(stage.call(&op("list"), &json!({}))["data"]["total"], 1);
        assert_eq!(stage.call(&op("get"), &json!({"sid": sid}))["data"]["sid"], sid.as_str());
        assert_eq!(stage.call(&op("delete"), &json!({"sid": sid}))["data"]["sid"], sid.as_str());
    }
}

fn texts(stage: &mut Stage) {
    let sms = json!({"from": "Acme", "to": PHONE, "text": "Hi"});
    let id = stage.call("sms.send", &sms)["id"].as_str().unwrap().to_owned();
    let bulk = json!({"from": "Acme", "to": format!("{PHONE},306912345679"), "text": "Hi"});
    assert_eq!(stage.call("sms.send_bulk", &bulk)["messages"].as_array().unwrap().len(), 2);
    assert_eq!(stage.call("sms.convert", &json!({"messageId": id}))["responseCode"], 0);
    let usage = json!({"startDate": "2020-01-01", "endDate": "2099-01-01", "AccountName": "main"});
    assert!(stage.call("sms.usage_by_country", &usage)["usagesByCountry"].is_array());
    assert_eq!(stage.call("lookup.numbers", &json!({"msisdn": [PHONE]}))[0]["response"], 0);
    assert_eq!(stage.call("lookup.numbers_by_query", &json!({"msisdn": PHONE}))[0]["msisdn"], PHONE);
}

fn chats(stage: &mut Stage) {
    let sms = json!({"text": "Hi", "sender": "Acme"});
    let one = json!({"destination": PHONE, "sms": sms});
    assert_eq!(stage.call("messages.send", &one)["deliveryStatus"], "Ready");
    let account = stage.sandbox.credentials().traffic_account_id.clone();
    let failover = json!({"destination": PHONE, "messenger_a": {"type": "regular", "regular": {"text": "Hi", "type": "text"}},
        "sms": sms, "failover": {"type": "Timeout", "timeoutFailover":
            {"timeoutInSeconds": 60, "status": "Delivered", "trafficAccounts": [account, account]}}});
    assert_eq!(stage.call("messages.send_failover", &failover).as_array().unwrap().len(), 2);
    let bulk = json!({"destinations": [PHONE, "306912345679"], "sms": sms});
    assert_eq!(stage.call("messages.send_bulk", &bulk)["messages"].as_array().unwrap().len(), 2);
    let unsupported = json!({"destination": "99941012345", "business_chat": {"text": {"message": "Hi"}}});
    let error = stage.attempt("messages.send", &unsupported).unwrap_err();
    assert_eq!((error.outcome, error.status), (Outcome::Rejected, Some(400)), "failed precondition");
}

fn hooks(stage: &mut Stage) {
    assert_eq!(stage.call("webhooks.messenger_b.set", &json!({"url": ""}))["status"], 0);
    let nobody =
        stage.attempt("webhooks.messenger_b.set", &json!({"url": "http://127.0.0.1:9/hook"})).unwrap_err();
    assert_eq!(nobody.outcome, Outcome::Rejected, "a webhook that does not answer its check");
    let bot = stage.sandbox.credentials().bot_id.clone();
    stage.call("webhooks.messenger_c.set", &json!({"bot_id": bot, "url": "http://127.0.0.1:9/hook"}));
    let info = stage.call("webhooks.messenger_c.info", &json!({"bot_id": bot})).to_string();
    assert!(info.contains("127.0.0.1:9"), "{info}");
    stage.call("webhooks.messenger_c.delete", &json!({"bot_id": bot}));
}

#[test]
fn every_operation_answers_rightly_and_refuses_as_documented() {
    let mut stage = Stage::new();
    passcodes(&mut stage);
    plans(&mut stage);
    texts(&mut stage);
    chats(&mut stage);
    hooks(&mut stage);
    let missing: Vec<_> = OperationId::ALL
        .iter()
        .map(|operation| operation.meta().id)
        .filter(|id| !stage.right.iter().any(|right| right == id))
        .collect();
    assert!(missing.is_empty(), "no right answer seen: {missing:?}");
    assert_eq!(stage.right.len(), 30);
    stage.sandbox.stop();
}

#[test]
fn every_operation_refuses_wrong_credentials() {
    let sandbox = Sandbox::builder().start_blocking().unwrap();
    let wrong: Config = examples::config(sandbox.url());
    let (client, runtime) = (documented(&wrong), runtime());
    for example in EXAMPLES {
        let operation = OperationId::find(example.id).unwrap();
        let error = runtime.block_on(client.call_json(operation, example.request)).unwrap_err();
        assert_eq!(error.outcome, Outcome::Rejected, "{}: {error:?}", example.id);
        let status = if example.id == "webhooks.messenger_b.set" { 200 } else { 401 };
        assert_eq!(error.status, Some(status), "{}", example.id);
    }
    assert!(sandbox.ledger().is_empty(), "something was sent");
    sandbox.stop();
}

#[test]
fn every_answer_keeps_members_that_nobody_knows() {
    let mut kept = 0;
    for example in EXAMPLES {
        let mut answer: Value = serde_json::from_str(example.answer).unwrap();
        let place = match &mut answer {
            Value::Array(items) => items.first_mut().and_then(Value::as_object_mut),
            other => other.as_object_mut(),
        };
        // A failover answers with ids alone: there is no object to hold a member.
        let Some(place) = place else { continue };
        place.insert("invented".to_owned(), json!({"deep": [1]}));
        let body = answer.to_string();
        let client = Client::with_transport(&examples::config("http://x.test"), move |_: HttpRequest| {
            let body = body.clone();
            async move { Ok(HttpResponse::new(200, vec![], body)) }
        })
        .unwrap();
        let runtime = runtime();
        let operation = OperationId::find(example.id).unwrap();
        let answer = runtime.block_on(client.call_json(operation, example.request)).unwrap();
        assert!(answer.value.contains(r#""invented":{"deep":[1]}"#), "{}: {}", example.id, answer.value);
        kept += 1;
    }
    assert_eq!(kept, 29);
}
