//! Helpers of the tests that send messages over chat channels.

use cpaas::OperationId;
use cpaas::client::{CallOptions, blocking::Client};
use cpaas::config::Validation;
use cpaas::error::Outcome;
use serde_json::{Value, json};

use crate::harness::{Harness, Reply};

/// A number that is not a magic number.
pub(crate) const PLAIN: &str = "306912345678";

impl Reply {
    /// Whether the header X-Sandbox-Assumed names this assumption.
    pub(crate) fn assumes(&self, default: &str) -> bool {
        self.assumed().split(',').any(|assumption| assumption == default)
    }

    /// A rejection of the family `messaging` that names the member (D41).
    #[track_caller]
    pub(crate) fn rejects(self, field: &str) -> Value {
        let reply = self.is(400);
        assert!(reply.assumes("D41"), "{:?}", reply.headers);
        let body = reply.json();
        assert_eq!((body["code"].as_i64(), body["field"].as_str()), (Some(400), Some(field)), "{body}");
        assert!(body["message"].is_string());
        body
    }
}

pub(crate) struct MessageHarness {
    harness: Harness,
}

impl MessageHarness {
    pub(crate) fn new() -> Self {
        Self::with(&[])
    }

    /// A harness with further switches of the command line.
    pub(crate) fn with(switches: &[&str]) -> Self {
        Self { harness: Harness::new(switches) }
    }

    /// An entry of the configuration.
    pub(crate) fn key(&self, name: &str) -> &str {
        self.harness.config[name].as_str().unwrap()
    }

    pub(crate) fn traffic_account(&self) -> &str {
        self.harness.traffic_account()
    }

    pub(crate) fn client(&self) -> Client {
        self.harness.client()
    }

    /// A client without validation.
    pub(crate) fn unchecked(&self) -> Client {
        self.client().with(CallOptions::new().validation(Validation::Off))
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.text("POST", path, &body.to_string())
    }

    /// Sends a body unchanged, with the credentials of the path's family.
    pub(crate) fn text(&self, method: &str, path: &str, body: &str) -> Reply {
        self.harness.call(method, path, &Harness::auth(&self.harness.config, path), Some(body))
    }

    /// A call with these headers and no others.
    pub(crate) fn call(
        &self,
        method: &str,
        path: &str,
        headers: &[(String, String)],
        body: Option<&str>,
    ) -> Reply {
        self.harness.call(method, path, headers, body)
    }

    /// A GET without additional headers.
    pub(crate) fn bare(&self, path: &str) -> Reply {
        self.harness.call("GET", path, &[], None)
    }

    /// A request to send a message, with these further members.
    pub(crate) fn body(&self, to: &str, members: &Value) -> Value {
        let mut body = json!({"trafficAccountId": self.traffic_account(), "destination": to});
        body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        body
    }

    pub(crate) fn send(&self, to: &str, members: &Value) -> Reply {
        self.post("/messages/send", &self.body(to, members))
    }

    /// Sends a message that must be accepted, and returns its id.
    #[track_caller]
    pub(crate) fn sent(&self, to: &str, members: &Value) -> String {
        self.send(to, members).ok()["messageId"].as_str().unwrap().to_owned()
    }

    /// The client rejects the message with this code, and the sandbox rejects it if it is sent without validation.
    #[track_caller]
    pub(crate) fn client_refuses(&self, to: &str, members: &Value, code: &str) {
        let body = self.body(to, members).to_string();
        let own = self.client().call_json(OperationId::MessagesSend, &body).unwrap_err();
        assert_eq!(own.outcome, Outcome::Invalid);
        assert!(own.problems.iter().any(|problem| problem.code == code), "{:?}", own.problems);
        let theirs = self.unchecked().call_json(OperationId::MessagesSend, &body).unwrap_err();
        assert_eq!((theirs.outcome, theirs.status), (Outcome::Rejected, Some(400)));
    }

    /// Sends the message with the client, and returns it from the inbox.
    #[track_caller]
    pub(crate) fn client_sends(&self, to: &str, members: &Value) -> Value {
        let body = self.body(to, members).to_string();
        let sent = self.client().call_json(OperationId::MessagesSend, &body).unwrap();
        let sent: Value = serde_json::from_str(&sent.value).unwrap();
        self.message(sent["messageId"].as_str().unwrap())
    }

    #[track_caller]
    pub(crate) fn control(&self, method: &str, path: &str, body: &Value) -> Value {
        self.harness.control(method, path, body.clone())
    }

    pub(crate) fn advance(&self, seconds: u64) {
        self.harness.advance(&format!("{seconds}s"));
    }

    /// Advances the clock by 200 ms, after which a message has its next state.
    pub(crate) fn moment(&self) {
        self.harness.advance("200ms");
    }

    pub(crate) fn days(&self, days: u64) {
        self.harness.advance(&format!("{days}d"));
    }

    pub(crate) fn settings(&self, settings: &Value) {
        self.harness.settings(settings.clone());
    }

    /// Sends a message as a user.
    pub(crate) fn inbound(&self, message: &Value) {
        self.control("POST", "/inbound", message);
    }

    pub(crate) fn events(&self, kind: &str) -> Vec<Value> {
        self.harness.events(kind)
    }

    pub(crate) fn attempts(&self) -> Vec<Value> {
        self.harness.attempts()
    }

    /// The messages of the inbox that match a query.
    pub(crate) fn messages(&self, query: &str) -> Vec<Value> {
        let found = self.control("GET", &format!("/messages?limit=1000&{query}"), &Value::Null);
        found["messages"].as_array().unwrap().clone()
    }

    /// The message of the inbox with this id.
    #[track_caller]
    pub(crate) fn message(&self, id: &str) -> Value {
        self.messages(&format!("id={id}")).pop().expect("a message in the inbox")
    }

    pub(crate) fn inbox(&self) -> Vec<Value> {
        self.messages("")
    }

    /// The warnings of the last request.
    pub(crate) fn warnings(&self) -> String {
        self.harness.requests().pop().unwrap()["warnings"].to_string()
    }
}
