//! The receiving side as JSON in and out, for the bindings.
//!
//! A configuration is an object; unknown members are refused:
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
//! Only `audience` and `public_url` are required. A form body is `form_template`. Make a [`Receiver`] of it once
//! ([`Receiver::from_json`]) and keep it; [`receive_json`] and [`mint_json`] make one for a single use.

mod config;
mod issue;
mod request;

use serde::Serialize;
use serde_json::{Value, json};

use super::keyring::Keyring;
use super::receiver::{REFUSED_STATUS, Receiver};
pub use config::ConfigError;
use request::Request;

impl Receiver {
    /// A receiver of this configuration, see the module documentation of the JSON forms in `docs/callbacks.md`.
    ///
    /// # Errors
    /// [`ConfigError`], which quotes nothing of the configuration.
    pub fn from_json(config: &str) -> Result<Self, ConfigError> {
        config::receiver(config)
    }

    /// [`Receiver::receive`] of a request
    /// `{"method": "GET", "url": "/hooks?…", "headers": {"content-type": "…"}, "body": "…"}`; headers may also be a list of
    /// pairs, and a body that is not text is `body_base64`.
    ///
    /// The answer is `{"ok":true,"status":200,"event":{"kind":…,"claims":…}}` or
    /// `{"ok":false,"status":403,"reason":"altered"}`.
    ///
    /// # Errors
    /// [`ConfigError::Json`] when the request has not that form.
    pub fn receive_json(&self, request: &str, now: u64) -> Result<String, ConfigError> {
        let request = Request::parse(request)?;
        let answer =
            match self.receive(&request.method, &request.url, &request.headers(), request.body(), now) {
                Ok(received) => {
                    json!({"ok": true, "status": super::ACCEPTED_STATUS, "event": value(&received)})
                }
                Err(refused) => {
                    json!({"ok": false, "status": REFUSED_STATUS, "reason": refused.reason})
                }
            };
        Ok(answer.to_string())
    }

    /// Makes a token, and the URL that carries it: `{"purpose": "delivery_report", "reference": "…", "lifetime": 3600,
    /// "url": "…"}` puts a token on `url`; `{"source": "sms_report", "reference": "…"}` gives the URL of the endpoint of that
    /// source. `lifetime` is a number of seconds or `"never"`; `audience` is the receiver's unless given.
    ///
    /// The answer is `{"ok":true,"token":…,"url":…}` (`url` where one was asked for) or `{"ok":false,"message":…}`.
    ///
    /// # Errors
    /// [`ConfigError::Json`] when the request has not that form.
    pub fn mint_json(&self, request: &str, now: u64) -> Result<String, ConfigError> {
        issue::mint(self, request, now)
    }
}

/// A keyring of `{"keys": [...], "longest_lifetime": …, "expiring_only": …}`, or of the list of keys alone.
///
/// # Errors
/// [`ConfigError`].
pub fn keyring_from_json(config: &str) -> Result<Keyring, ConfigError> {
    config::keyring(config)
}

/// [`Receiver::receive_json`] with a receiver made for this once.
///
/// # Errors
/// [`ConfigError`].
pub fn receive_json(config: &str, request: &str, now: u64) -> Result<String, ConfigError> {
    Receiver::from_json(config)?.receive_json(request, now)
}

/// [`Receiver::mint_json`] with a receiver made for this once.
///
/// # Errors
/// [`ConfigError`].
pub fn mint_json(config: &str, request: &str, now: u64) -> Result<String, ConfigError> {
    Receiver::from_json(config)?.mint_json(request, now)
}

fn value(data: &impl Serialize) -> Value {
    serde_json::to_value(data).unwrap_or_default()
}
