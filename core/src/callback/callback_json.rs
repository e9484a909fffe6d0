//! The receiving side with JSON arguments and results, for the bindings.
//!
//! A configuration is an object; unknown members are an error:
//!
//! ```json
//! {
//!   "audience": "shop",
//!   "public_url": "https://shop.example/hooks",
//!   "delivery_keys": {"keys": [{"kid": "k2", "secret": "…"}, {"kid": "k1", "secret": "…", "retired_at": 1700000000}],
//!                     "longest_lifetime": 259200, "expiring_only": false},
//!   "inbound_keys": {"keys": [{"kid": "i1", "secret_base64": "…"}]},
//!   "endpoints": [
//!     {"path": "/sms", "sources": ["sms_report"], "query_template": "id=~msgid~&state=~status~"},
//!     {"path": "/sms-post", "sources": ["sms_report"], "json_template": "{\"id\":\"~msgid~\"}", "bind_reference": false},
//!     {"path": "/chat", "sources": ["chat_report", "messenger_b"]}
//!   ]
//! }
//! ```
//!
//! Only `audience` and `public_url` are required. For form bodies, set `form_template` instead of `json_template`. Create a
//! [`Receiver`] once with [`Receiver::from_json`]; [`receive_json`] and [`mint_json`] create one for a single use.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

use super::event::{Received, Source};
use super::keyring::Keyring;
use super::receiver::{IssueError, REJECTED_STATUS, Receiver};
use super::receiver_config::{self, ConfigError};
use super::token::{Lifetime, Purpose};
use super::token_url::token_url;

impl Receiver {
    /// Creates a receiver from a configuration; `docs/callbacks.md` documents its members.
    ///
    /// # Errors
    /// [`ConfigError`], which does not quote the configuration.
    pub fn from_json(config: &str) -> Result<Self, ConfigError> {
        receiver_config::receiver(config)
    }

    /// [`Receiver::receive`] of a request
    /// `{"method": "GET", "url": "/hooks?…", "headers": {"content-type": "…"}, "body": "…"}`; headers may also be a list of
    /// pairs, and `body_base64` contains a binary body.
    ///
    /// The result is `{"ok":true,"status":200,"event":{"kind":…,"claims":…,"key":…}}` or
    /// `{"ok":false,"status":403,"reason":"altered"}`. The member `key` is [`Received::key`], and absent for an event without one.
    ///
    /// # Errors
    /// [`ConfigError::Json`] if the request does not have this form.
    pub fn receive_json(&self, request: &str, now: u64) -> Result<String, ConfigError> {
        self.receive_json_with(request, now, |_| Map::new())
    }

    /// [`Receiver::receive_json`] with more members in the result of an accepted request. They replace those of the same name.
    ///
    /// # Errors
    /// [`ConfigError::Json`] if the request does not have the documented form.
    #[doc(hidden)]
    pub fn receive_json_with(
        &self,
        request: &str,
        now: u64,
        members: impl FnOnce(&Received) -> Map<String, Value>,
    ) -> Result<String, ConfigError> {
        let request = ReceivedRequest::parse(request)?;
        let (method, url) = (&request.method, &request.url);
        Ok(self.receive_with(method, url, &request.headers(), request.body(), now, members))
    }

    /// [`Receiver::receive`], with the result of [`Receiver::receive_json_with`].
    #[doc(hidden)]
    pub fn receive_with(
        &self,
        method: &str,
        url: &str,
        headers: &[(&str, &str)],
        body: &[u8],
        now: u64,
        members: impl FnOnce(&Received) -> Map<String, Value>,
    ) -> String {
        let result = match self.receive(method, url, headers, body, now) {
            Ok(received) => {
                let mut event = value(&received);
                if let (Some(event), Some(key)) = (event.as_object_mut(), received.key()) {
                    event.insert("key".to_owned(), key.into());
                }
                let mut result: Map<String, Value> = Map::from_iter([
                    ("ok".to_owned(), true.into()),
                    ("status".to_owned(), super::ACCEPTED_STATUS.into()),
                    ("event".to_owned(), event),
                ]);
                result.extend(members(&received));
                Value::Object(result)
            }
            Err(rejected) => {
                json!({"ok": false, "status": REJECTED_STATUS, "reason": rejected.reason})
            }
        };
        result.to_string()
    }

    /// Makes a token, and a URL with the token: `{"purpose": "delivery_report", "reference": "…", "lifetime": 3600,
    /// "url": "…"}` adds a token to `url`; `{"source": "sms_report", "reference": "…"}` returns the URL of the endpoint of that
    /// source. `lifetime` is a number of seconds or `"never"`; `audience` defaults to that of the receiver.
    ///
    /// The result is `{"ok":true,"token":…,"url":…}` (`url` if requested) or `{"ok":false,"message":…}`.
    ///
    /// # Errors
    /// [`ConfigError::Json`] if the request does not have this form.
    pub fn mint_json(&self, request: &str, now: u64) -> Result<String, ConfigError> {
        mint_as_json(self, request, now)
    }
}

/// Creates a keyring from `{"keys": [...], "longest_lifetime": …, "expiring_only": …}`, or from a list of keys.
///
/// # Errors
/// [`ConfigError`].
pub fn keyring_from_json(config: &str) -> Result<Keyring, ConfigError> {
    receiver_config::keyring(config)
}

/// [`Receiver::receive_json`] with a receiver for a single use.
///
/// # Errors
/// [`ConfigError`].
pub fn receive_json(config: &str, request: &str, now: u64) -> Result<String, ConfigError> {
    Receiver::from_json(config)?.receive_json(request, now)
}

/// [`Receiver::mint_json`] with a receiver for a single use.
///
/// # Errors
/// [`ConfigError`].
pub fn mint_json(config: &str, request: &str, now: u64) -> Result<String, ConfigError> {
    Receiver::from_json(config)?.mint_json(request, now)
}

fn value(data: &impl Serialize) -> Value {
    serde_json::to_value(data).unwrap_or_default()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReceivedRequest {
    method: String,
    url: String,
    #[serde(default)]
    headers: Headers,
    #[serde(default)]
    body: String,
    body_base64: Option<String>,
    #[serde(skip)]
    bytes: Vec<u8>,
}

/// The headers of a request: an object or a list of pairs. An untagged enum would not name the member whose type is wrong.
#[derive(Default)]
struct Headers(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Headers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(HeadersVisitor)
    }
}

struct HeadersVisitor;

impl<'de> Visitor<'de> for HeadersVisitor {
    type Value = Headers;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of strings or a list of pairs")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Headers, A::Error> {
        let pairs = Vec::<Vec<String>>::deserialize(SeqAccessDeserializer::new(list))?;
        let pair = |pair: Vec<String>| {
            let members = <[String; 2]>::try_from(pair);
            members.map(Into::into).map_err(|pair| A::Error::invalid_length(pair.len(), &self))
        };
        pairs.into_iter().map(pair).collect::<Result<_, _>>().map(Headers)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Headers, A::Error> {
        let members = BTreeMap::deserialize(MapAccessDeserializer::new(members))?;
        Ok(Headers(members.into_iter().collect()))
    }
}

impl ReceivedRequest {
    fn parse(text: &str) -> Result<Self, ConfigError> {
        let mut request: Self = receiver_config::parse(text)?;
        request.bytes = match request.body_base64.take() {
            Some(body) => STANDARD.decode(body).map_err(|_| ConfigError::Json { line: 0, column: 0 })?,
            None => std::mem::take(&mut request.body).into_bytes(),
        };
        Ok(request)
    }

    fn headers(&self) -> Vec<(&str, &str)> {
        self.headers.0.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }

    fn body(&self) -> &[u8] {
        &self.bytes
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MintRequest {
    purpose: Option<Purpose>,
    source: Option<Source>,
    audience: Option<String>,
    #[serde(default)]
    reference: String,
    lifetime: Option<LifetimeConfig>,
    url: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum LifetimeConfig {
    Seconds(u32),
    Keyword(Keyword),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Keyword {
    Never,
}

fn mint_as_json(receiver: &Receiver, request: &str, now: u64) -> Result<String, ConfigError> {
    let request: MintRequest = receiver_config::parse(request)?;
    let result = issue(receiver, &request, now)
        .unwrap_or_else(|error| json!({"ok": false, "message": error.to_string()}));
    Ok(result.to_string())
}

fn issue(receiver: &Receiver, request: &MintRequest, now: u64) -> Result<Value, IssueError> {
    let purpose = match (request.purpose, request.source) {
        (Some(purpose), _) => purpose,
        (None, Some(source)) => source.purpose(),
        (None, None) => Purpose::DeliveryReport,
    };
    let lifetime = match &request.lifetime {
        None => Lifetime::Default,
        Some(LifetimeConfig::Seconds(seconds)) => Lifetime::Seconds(*seconds),
        Some(LifetimeConfig::Keyword(Keyword::Never)) => Lifetime::Never,
    };
    let audience = request.audience.as_deref().unwrap_or(receiver.audience());
    let url = match (&request.url, request.source) {
        (Some(url), _) => Some(url.clone()),
        (None, Some(source)) => Some(receiver.address(source)?),
        (None, None) => None,
    };
    let token = match request.source.filter(|source| source.purpose() == purpose) {
        Some(source) => receiver.mint_for(source, audience, &request.reference, lifetime, now)?,
        None => {
            let keyring = receiver.keyring(purpose).ok_or(IssueError::NoKeyring)?;
            keyring.mint(purpose, audience, &request.reference, lifetime, now).map_err(IssueError::Mint)?
        }
    };
    match url {
        None => Ok(json!({"ok": true, "token": token})),
        Some(url) => {
            let url = token_url(&url, &token).map_err(IssueError::Url)?;
            Ok(json!({"ok": true, "token": token, "url": url}))
        }
    }
}
