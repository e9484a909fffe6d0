//! The configuration of a receiver as JSON.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use zeroize::Zeroizing;

use crate::callback::config_error_text;
use crate::callback::event::Source;
use crate::callback::keyring::{Key, Keyring, KeyringError};
use crate::callback::receiver::{Endpoint, Receiver};
use crate::callback::template::TemplateFormat;
use crate::callback::token_url::UrlError;

/// Why a configuration or a request in JSON cannot be read. The messages quote nothing of it, because it contains secrets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The text is not JSON of the documented form.
    #[error("must be JSON of the documented form: error at line {line}, column {column}")]
    Json {
        /// The line of the error, from 1; 0 if unknown.
        line: usize,
        /// The column of the error in bytes, from 1; 0 if unknown.
        column: usize,
    },
    /// A member is missing, unknown, repeated, or has a value of another type. The text names it, such as
    /// `delivery_keys.keys[0].kid`.
    #[error("{0}")]
    Member(String),
    /// The key at this position (from 0) has neither or both of `secret` and `secret_base64`, or the latter is not base64.
    #[error("keys[{0}]: must have either `secret`, or `secret_base64` with base64 text")]
    Secret(usize),
    /// The endpoint at this position (from 0) has more than one template.
    #[error("endpoints[{0}]: must have at most one template")]
    Template(usize),
    /// A keyring cannot be made.
    #[error(transparent)]
    Keyring(KeyringError),
    /// The keyring of this member is invalid.
    #[error("`{0}`: {1}")]
    KeyringOf(&'static str, Box<ConfigError>),
    /// The public URL is invalid.
    #[error("`public_url`: {0}")]
    Url(UrlError),
}

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

/// `{"keys": [...], ...}` or a list of keys. An untagged enum would buffer the secrets in memory that is not zeroized.
struct RingConfig(RingObject);

impl<'de> Deserialize<'de> for RingConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RingVisitor)
    }
}

struct RingVisitor;

impl<'de> Visitor<'de> for RingVisitor {
    type Value = RingConfig;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a keyring or a list of keys")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<RingConfig, A::Error> {
        let keys = Vec::deserialize(SeqAccessDeserializer::new(list))?;
        Ok(RingConfig(RingObject { keys, longest_lifetime: None, expiring_only: false }))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<RingConfig, A::Error> {
        RingObject::deserialize(MapAccessDeserializer::new(members)).map(RingConfig)
    }
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
    #[serde(default, deserialize_with = "wiped")]
    secret: Option<Zeroizing<String>>,
    #[serde(default, deserialize_with = "wiped")]
    secret_base64: Option<Zeroizing<String>>,
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

/// A string that is zeroized when it is dropped.
fn wiped<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Zeroizing<String>>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.map(Zeroizing::new))
}

fn yes() -> bool {
    true
}

/// Reads JSON; an error names the member.
pub(super) fn parse<'de, T: Deserialize<'de>>(json: &'de str) -> Result<T, ConfigError> {
    serde_json::from_str(json).map_err(|error| match config_error_text::describe(json, &error) {
        Some(text) => ConfigError::Member(text),
        None => error.into(),
    })
}

pub(super) fn receiver(config: &str) -> Result<Receiver, ConfigError> {
    let config: ReceiverConfig = parse(config)?;
    let mut receiver = Receiver::new(config.audience, config.public_url).map_err(ConfigError::Url)?;
    if let Some(keys) = config.delivery_keys {
        receiver = receiver.delivery_keys(ring_of("delivery_keys", keys)?);
    }
    if let Some(keys) = config.inbound_keys {
        receiver = receiver.inbound_keys(ring_of("inbound_keys", keys)?);
    }
    for (at, config) in config.endpoints.into_iter().enumerate() {
        receiver = receiver.endpoint(endpoint(at, config)?);
    }
    Ok(receiver)
}

pub(super) fn keyring(config: &str) -> Result<Keyring, ConfigError> {
    ring(parse(config)?)
}

fn ring_of(member: &'static str, config: RingConfig) -> Result<Keyring, ConfigError> {
    ring(config).map_err(|error| ConfigError::KeyringOf(member, Box::new(error)))
}

fn ring(RingConfig(config): RingConfig) -> Result<Keyring, ConfigError> {
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
    let key = match (config.secret, config.secret_base64) {
        (Some(text), None) => Key::new(config.kid, text.as_bytes()),
        (None, Some(text)) => {
            let bytes = STANDARD.decode(text.as_bytes()).map_err(|_| ConfigError::Secret(at))?;
            Key::new(config.kid, Zeroizing::new(bytes).as_slice())
        }
        _ => return Err(ConfigError::Secret(at)),
    };
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
        (None, Some(body), None) => plain.body_template(&body, TemplateFormat::Json),
        (None, None, Some(body)) => plain.body_template(&body, TemplateFormat::Form),
        _ => return Err(ConfigError::Template(at)),
    };
    Ok(if config.bind_reference { endpoint } else { endpoint.without_reference() })
}
