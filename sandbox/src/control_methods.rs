//! Methods that call the control API without HTTP.

use std::convert::Infallible;
use std::fmt;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use http_body_util::{BodyExt, Collected};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::blocking::BlockingSandbox;
use crate::http_bodies::JSON;
use crate::query_string::encode;

use crate::sandbox::Sandbox;

/// A message of the inbox. `Debug` shows everything, so that a failed assertion of a test explains itself: the messages of the
/// sandbox are those of your tests.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[non_exhaustive]
pub struct InboxMessage {
    /// The running number in the account's inbox.
    pub n: u64,
    /// The id of the message.
    pub id: String,
    /// `sms`, `call` or a chat channel.
    pub channel: String,
    /// `out` to a handset, `in` from one.
    pub direction: String,
    /// The sender.
    pub from: String,
    /// The recipient.
    pub to: String,
    /// The text.
    pub text: String,
    /// The delivery status.
    pub status: String,
    /// The one-time passcode in it.
    pub otp: Option<String>,
    /// The `reference` of the request.
    #[serde(default)]
    pub reference: Option<String>,
    /// The header `traceparent` of the request, if it was valid: it contains the id of the trace, or of the call.
    #[serde(default)]
    pub traceparent: Option<String>,
    /// All other members that the inbox shows.
    #[serde(flatten)]
    pub more: serde_json::Map<String, Value>,
}

/// Selects messages of the inbox; a field that is not set matches all.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct MessageFilter {
    /// The recipient.
    pub to: Option<String>,
    /// A part of the text.
    pub contains: Option<String>,
    /// `sms`, `call` or a chat channel.
    pub channel: Option<String>,
    /// The account's sid; the first account when absent.
    pub account: Option<String>,
    /// The running number of the first message to search.
    pub since: u64,
}

impl MessageFilter {
    /// Selects the messages to a recipient.
    #[must_use]
    pub fn to(to: impl Into<String>) -> Self {
        Self { to: Some(to.into()), ..Self::default() }
    }

    /// Selects messages whose text contains `part`.
    #[must_use]
    pub fn contains(mut self, part: impl Into<String>) -> Self {
        self.contains = Some(part.into());
        self
    }

    /// Selects messages over this channel.
    #[must_use]
    pub fn channel(mut self, channel: impl Into<String>) -> Self {
        self.channel = Some(channel.into());
        self
    }

    /// Searches the inbox of this account.
    #[must_use]
    pub fn account(mut self, sid: impl Into<String>) -> Self {
        self.account = Some(sid.into());
        self
    }

    /// Searches from this running number on.
    #[must_use]
    pub fn since(mut self, number: u64) -> Self {
        self.since = number;
        self
    }

    fn path(&self, wait: Duration, limit: usize) -> String {
        let mut path = format!("/messages?limit={limit}&since={}&wait={}ms", self.since, wait.as_millis());
        let pairs = [
            ("to", &self.to),
            ("contains", &self.contains),
            ("channel", &self.channel),
            ("account", &self.account),
        ];
        for (name, value) in pairs.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?))) {
            path.push_str(&format!("&{name}={}", encode(value)));
        }
        path
    }
}

/// An error of the control API.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ControlError {
    /// The HTTP status that a call over HTTP would return.
    pub status: u16,
    /// The reason.
    pub message: String,
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.status)
    }
}

impl std::error::Error for ControlError {}

impl Sandbox {
    /// Calls the control API. `path` is without `/_sandbox`; `body` is JSON, or `null` for none.
    ///
    /// # Errors
    /// If the control API rejects the call.
    pub async fn control(&self, method: &str, path: &str, body: &Value) -> Result<Value, ControlError> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let request = Request::builder()
            .method(method)
            .uri(format!("/{}", path.trim_start_matches('/')))
            .body(Body::from(body))
            .map_err(|_| ControlError {
                status: 400,
                message: "the method or path is not valid HTTP".to_owned(),
            })?;
        let router = TowerToHyperService::new(self.control.clone());
        let response = router.call(request).await.unwrap_or_else(|never: Infallible| match never {});
        let status = response.status().as_u16();
        if response.headers().get(CONTENT_TYPE).is_none_or(|kind| kind != JSON) {
            return Ok(Value::Null);
        }
        let bytes = response.into_body().collect().await.map(Collected::to_bytes).unwrap_or_default();
        let value: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        if status < 300 {
            return Ok(value);
        }
        let message = value
            .get("message")
            .and_then(Value::as_str)
            .unwrap_or("the control API rejected the call")
            .to_owned();
        Err(ControlError { status, message })
    }

    /// The newest matching message. Waits for one in real time; `None` after `wait`.
    pub async fn wait_for(&self, filter: &MessageFilter, wait: Duration) -> Option<InboxMessage> {
        let found = self.control("GET", &filter.path(wait, 1), &Value::Null).await.ok()?;
        serde_json::from_value(found.get("messages")?.get(0)?.clone()).ok()
    }

    /// The newest 10,000 matching messages that are still kept, oldest first.
    pub async fn messages(&self, filter: &MessageFilter) -> Vec<InboxMessage> {
        let found = self.control("GET", &filter.path(Duration::ZERO, 10_000), &Value::Null).await;
        let messages = found.ok().and_then(|found| found.get("messages").cloned()).unwrap_or_default();
        serde_json::from_value(messages).unwrap_or_default()
    }

    /// Moves the clock of the first account forward. All timers until then have fired when this returns.
    pub async fn advance(&self, length: Duration) {
        let seconds = length.as_secs_f64();
        let _ = self.control("POST", "/clock", &json!({"advance": seconds})).await;
    }

    /// The fault rules of the first account, as `GET /_sandbox/faults` shows them: each with the number of requests that it matched, and
    /// the number on which it took effect.
    pub async fn faults(&self) -> Vec<Value> {
        self.list("/faults", "rules").await
    }

    /// Replaces the fault rules of the first account: a list of rules as `PUT /_sandbox/faults` accepts it.
    ///
    /// # Errors
    /// If a rule is invalid.
    pub async fn set_faults(&self, rules: Value) -> Result<(), ControlError> {
        self.control("PUT", "/faults", &json!({"rules": rules})).await.map(|_| ())
    }

    /// Adds a fault rule of the first account after those that exist, which keep their counts; see [`Sandbox::set_faults`].
    ///
    /// # Errors
    /// If the rule is invalid.
    pub async fn fault(&self, rule: Value) -> Result<(), ControlError> {
        self.control("POST", "/faults", &json!({"rules": [rule]})).await.map(|_| ())
    }

    /// Every accepted message of the first account, as `GET /_sandbox/ledger` shows it.
    pub async fn ledger(&self) -> Vec<Value> {
        self.list(&format!("/ledger?limit={}", u64::MAX), "entries").await
    }

    /// A list in a response of the control API.
    async fn list(&self, path: &str, name: &str) -> Vec<Value> {
        let found = self.control("GET", path, &Value::Null).await;
        match found.ok().and_then(|mut found| found.get_mut(name).map(Value::take)) {
            Some(Value::Array(list)) => list,
            _ => Vec::new(),
        }
    }

    /// Simulates a user's message, as `POST /_sandbox/inbound` does.
    ///
    /// # Errors
    /// If the message is invalid.
    pub async fn inbound(&self, message: Value) -> Result<(), ControlError> {
        self.control("POST", "/inbound", &message).await.map(|_| ())
    }

    /// Deletes the data of the first account; keys, settings and clock stay.
    pub async fn reset(&self) {
        let _ = self.control("POST", "/reset", &Value::Null).await;
    }
}

impl BlockingSandbox {
    /// See [`Sandbox::control`].
    ///
    /// # Errors
    /// If the control API rejects the call.
    pub fn control(&self, method: &str, path: &str, body: &Value) -> Result<Value, ControlError> {
        self.wait(self.sandbox().control(method, path, body))
    }

    /// See [`Sandbox::wait_for`].
    #[must_use]
    pub fn wait_for(&self, filter: &MessageFilter, wait: Duration) -> Option<InboxMessage> {
        self.wait(self.sandbox().wait_for(filter, wait))
    }

    /// See [`Sandbox::messages`].
    #[must_use]
    pub fn messages(&self, filter: &MessageFilter) -> Vec<InboxMessage> {
        self.wait(self.sandbox().messages(filter))
    }

    /// See [`Sandbox::advance`].
    pub fn advance(&self, length: Duration) {
        self.wait(self.sandbox().advance(length));
    }

    /// See [`Sandbox::faults`].
    #[must_use]
    pub fn faults(&self) -> Vec<Value> {
        self.wait(self.sandbox().faults())
    }

    /// See [`Sandbox::set_faults`].
    ///
    /// # Errors
    /// If a rule is invalid.
    pub fn set_faults(&self, rules: Value) -> Result<(), ControlError> {
        self.wait(self.sandbox().set_faults(rules))
    }

    /// See [`Sandbox::fault`].
    ///
    /// # Errors
    /// If the rule is invalid.
    pub fn fault(&self, rule: Value) -> Result<(), ControlError> {
        self.wait(self.sandbox().fault(rule))
    }

    /// See [`Sandbox::ledger`].
    #[must_use]
    pub fn ledger(&self) -> Vec<Value> {
        self.wait(self.sandbox().ledger())
    }

    /// See [`Sandbox::inbound`].
    ///
    /// # Errors
    /// If the message is invalid.
    pub fn inbound(&self, message: Value) -> Result<(), ControlError> {
        self.wait(self.sandbox().inbound(message))
    }

    /// See [`Sandbox::reset`].
    pub fn reset(&self) {
        self.wait(self.sandbox().reset());
    }
}
