//! Tokens and callback URLs as JSON.

use serde::Deserialize;
use serde_json::{Value, json};

use super::ConfigError;
use crate::callback::event::Source;
use crate::callback::receiver::{IssueError, Receiver};
use crate::callback::token::{Lifetime, Purpose};
use crate::callback::url::token_url;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
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
    Word(Word),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Never,
}

pub(super) fn mint(receiver: &Receiver, request: &str, now: u64) -> Result<String, ConfigError> {
    let request: Request = serde_json::from_str(request)?;
    let answer = issue(receiver, &request, now)
        .unwrap_or_else(|error| json!({"ok": false, "message": error.to_string()}));
    Ok(answer.to_string())
}

fn issue(receiver: &Receiver, request: &Request, now: u64) -> Result<Value, IssueError> {
    let purpose = match (request.purpose, request.source) {
        (Some(purpose), _) => purpose,
        (None, Some(source)) => source.purpose(),
        (None, None) => Purpose::DeliveryReport,
    };
    let lifetime = match &request.lifetime {
        None => Lifetime::Default,
        Some(LifetimeConfig::Seconds(seconds)) => Lifetime::Seconds(*seconds),
        Some(LifetimeConfig::Word(Word::Never)) => Lifetime::Never,
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
