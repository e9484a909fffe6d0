//! A received request as JSON.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::ConfigError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) url: String,
    #[serde(default)]
    headers: Headers,
    #[serde(default)]
    body: String,
    body_base64: Option<String>,
    #[serde(skip)]
    bytes: Vec<u8>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Headers {
    Object(BTreeMap<String, String>),
    Pairs(Vec<(String, String)>),
}

impl Default for Headers {
    fn default() -> Self {
        Self::Pairs(Vec::new())
    }
}

impl Request {
    pub(super) fn parse(text: &str) -> Result<Self, ConfigError> {
        let mut request: Self = serde_json::from_str(text)?;
        request.bytes = match request.body_base64.take() {
            Some(body) => STANDARD.decode(body).map_err(|_| ConfigError::Json { line: 0, column: 0 })?,
            None => std::mem::take(&mut request.body).into_bytes(),
        };
        Ok(request)
    }

    pub(super) fn headers(&self) -> Vec<(&str, &str)> {
        match &self.headers {
            Headers::Object(members) => {
                members.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
            }
            Headers::Pairs(pairs) => {
                pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
            }
        }
    }

    pub(super) fn body(&self) -> &[u8] {
        &self.bytes
    }
}
