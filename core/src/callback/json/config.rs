//! The configuration of a receiver as JSON.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use crate::callback::event::Source;
use crate::callback::keyring::{Key, Keyring, KeyringError};
use crate::callback::receiver::{Endpoint, Receiver};
use crate::callback::template::Place;
use crate::callback::url::UrlError;

/// Why a configuration or a request in JSON cannot be read. The texts quote nothing of it, since it holds secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// It is not JSON of the documented form; where the reader stopped.
    Json {
        /// Line, from 1; 0 when unknown.
        line: usize,
        /// Column, from 1; 0 when unknown.
        column: usize,
    },
    /// A key has neither or both of `secret` and `secret_base64`, or the latter is not base64. Its position, from 0.
    Secret(usize),
    /// An endpoint has more than one template. Its position, from 0.
    Template(usize),
    /// A keyring cannot be made.
    Keyring(KeyringError),
    /// The public URL is not one.
    Url(UrlError),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json { line, column } => {
                write!(f, "the JSON is not of the documented form (line {line}, column {column})")
            }
            Self::Secret(at) => write!(f, "key {at} needs one of secret and secret_base64"),
            Self::Template(at) => write!(f, "endpoint {at} has more than one template"),
            Self::Keyring(error) => error.fmt(f),
            Self::Url(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ConfigError {}

impl From<serde_json::Error> for ConfigError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json { line: error.line(), column: error.column() }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReceiverConfig {
    audience: String,
    public_url: String,
    delivery_keys: Option<RingConfig>,
    inbound_keys: Option<RingConfig>,
    #[serde(default)]
    endpoints: Vec<EndpointConfig>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RingConfig {
    Keys(Vec<KeyConfig>),
    Ring(RingObject),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RingObject {
    keys: Vec<KeyConfig>,
    longest_lifetime: Option<u32>,
    #[serde(default)]
    expiring_only: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyConfig {
    kid: String,
    secret: Option<String>,
    secret_base64: Option<String>,
    retired_at: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EndpointConfig {
    #[serde(default)]
    path: String,
    #[serde(default)]
    sources: Vec<Source>,
    query_template: Option<String>,
    json_template: Option<String>,
    form_template: Option<String>,
    #[serde(default = "yes")]
    bind_reference: bool,
}

fn yes() -> bool {
    true
}

pub(super) fn receiver(config: &str) -> Result<Receiver, ConfigError> {
    let config: ReceiverConfig = serde_json::from_str(config)?;
    let mut receiver = Receiver::new(config.audience, config.public_url).map_err(ConfigError::Url)?;
    if let Some(keys) = config.delivery_keys {
        receiver = receiver.delivery_keys(ring(keys)?);
    }
    if let Some(keys) = config.inbound_keys {
        receiver = receiver.inbound_keys(ring(keys)?);
    }
    for (at, config) in config.endpoints.into_iter().enumerate() {
        receiver = receiver.endpoint(endpoint(at, config)?);
    }
    Ok(receiver)
}

pub(super) fn keyring(config: &str) -> Result<Keyring, ConfigError> {
    ring(serde_json::from_str(config)?)
}

fn ring(config: RingConfig) -> Result<Keyring, ConfigError> {
    let config = match config {
        RingConfig::Keys(keys) => RingObject { keys, longest_lifetime: None, expiring_only: false },
        RingConfig::Ring(config) => config,
    };
    let keys = config
        .keys
        .into_iter()
        .enumerate()
        .map(|(at, config)| key(at, config))
        .collect::<Result<Vec<_>, _>>()?;
    let mut keyring = Keyring::new(keys).map_err(ConfigError::Keyring)?;
    if let Some(seconds) = config.longest_lifetime {
        keyring = keyring.longest_lifetime(seconds).map_err(ConfigError::Keyring)?;
    }
    Ok(if config.expiring_only { keyring.expiring_only() } else { keyring })
}

fn key(at: usize, config: KeyConfig) -> Result<Key, ConfigError> {
    let secret = match (config.secret, config.secret_base64) {
        (Some(text), None) => text.into_bytes(),
        (None, Some(text)) => STANDARD.decode(text).map_err(|_| ConfigError::Secret(at))?,
        _ => return Err(ConfigError::Secret(at)),
    };
    let key = Key::new(config.kid, secret);
    Ok(match config.retired_at {
        Some(moment) => key.retired_at(moment),
        None => key,
    })
}

fn endpoint(at: usize, config: EndpointConfig) -> Result<Endpoint, ConfigError> {
    let plain = Endpoint::new(config.path, config.sources);
    let endpoint = match (config.query_template, config.json_template, config.form_template) {
        (None, None, None) => plain,
        (Some(query), None, None) => plain.query_template(&query),
        (None, Some(body), None) => plain.body_template(&body, Place::Json),
        (None, None, Some(body)) => plain.body_template(&body, Place::Form),
        _ => return Err(ConfigError::Template(at)),
    };
    Ok(if config.bind_reference { endpoint } else { endpoint.without_reference() })
}
