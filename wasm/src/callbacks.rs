//! Callbacks of the provider: receivers, tokens, keyrings and templates.
//!
//! Results are JSON objects with `ok`. Nothing is an exception, because JavaScript takes each exception of the module for a trap. Times
//! are seconds since 1970.

use cpaas::bindings;
use cpaas::callback::{self, Lifetime, Purpose, Template, TemplateFormat, Values, Variable};
use cpaas::printable::{MAX_NAME, printable};
use serde_json::{Map, Value, json};
use wasm_bindgen::prelude::wasm_bindgen;

/// A receiver, or why its configuration is invalid.
#[wasm_bindgen]
#[derive(Debug)]
pub struct CallbackReceiver {
    inner: Result<callback::Receiver, String>,
}

#[wasm_bindgen]
impl CallbackReceiver {
    /// Creates a receiver from its configuration in JSON.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(config: &str) -> Self {
        set_random_source();
        Self { inner: callback::Receiver::from_json(config).map_err(|error| error.to_string()) }
    }

    /// Why the configuration is invalid.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        self.inner.as_ref().err().cloned()
    }

    /// Verifies and parses one request; the result is that of `Receiver::receive_json`.
    #[must_use]
    pub fn receive(
        &self,
        method: &str,
        url: &str,
        content_type: Option<String>,
        body: &[u8],
        now: f64,
    ) -> String {
        let headers: Vec<_> = content_type.iter().map(|value| ("content-type", value.as_str())).collect();
        match &self.inner {
            Ok(receiver) => receiver.receive_with(method, url, &headers, body, seconds(now), |_| Map::new()),
            Err(message) => failed(message),
        }
    }

    /// Makes a token, and a URL with the token; the request and the result are those of `Receiver::mint_json`.
    #[must_use]
    pub fn mint(&self, request: &str, now: f64) -> String {
        match &self.inner {
            Ok(receiver) => receiver.mint_json(request, seconds(now)).unwrap_or_else(failed),
            Err(message) => failed(message),
        }
    }
}

/// A keyring, or why its configuration is invalid.
#[wasm_bindgen]
#[derive(Debug)]
pub struct CallbackKeyring {
    inner: Result<callback::Keyring, String>,
}

#[wasm_bindgen]
impl CallbackKeyring {
    /// Creates a keyring from its configuration in JSON.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(config: &str) -> Self {
        set_random_source();
        Self { inner: bindings::keyring_from_json(config).map_err(|error| error.to_string()) }
    }

    /// Why the configuration is invalid.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        self.inner.as_ref().err().cloned()
    }

    /// Makes a token. `lifetime` is a number of seconds; absent for the default, and infinite for a token that does not expire.
    #[must_use]
    pub fn mint(
        &self,
        purpose: &str,
        audience: &str,
        reference: &str,
        lifetime: Option<f64>,
        now: f64,
    ) -> String {
        let lifetime = match lifetime {
            None => Lifetime::Default,
            Some(value) if value.is_infinite() => Lifetime::Never,
            Some(value) => Lifetime::Seconds(whole(value)),
        };
        let minted = |keyring: &callback::Keyring| {
            let token = keyring.mint(parse_purpose(purpose)?, audience, reference, lifetime, seconds(now));
            token.map(|token| json!({ "ok": true, "token": token })).map_err(|error| error.to_string())
        };
        self.result(minted)
    }

    /// Verifies a token: its claims, or the reason of its rejection.
    #[must_use]
    pub fn verify(&self, token: &str, purpose: &str, audience: &str, reference: &str, now: f64) -> String {
        let verified = |keyring: &callback::Keyring| {
            Ok(match keyring.verify(token, parse_purpose(purpose)?, audience, reference, seconds(now)) {
                Ok(claims) => json!({ "ok": true, "claims": claims }),
                Err(reason) => json!({ "ok": true, "reason": reason }),
            })
        };
        self.result(verified)
    }

    /// The state of each key.
    #[must_use]
    pub fn lint(&self, now: f64) -> String {
        self.result(|keyring| Ok(json!({ "ok": true, "keys": keyring.lint(seconds(now)) })))
    }
}

impl CallbackKeyring {
    fn result(&self, run: impl FnOnce(&callback::Keyring) -> Result<Value, String>) -> String {
        let result = self.inner.as_ref().map_err(Clone::clone).and_then(run);
        result.map_or_else(failed, |value| value.to_string())
    }
}

/// Adds a token to the query of a URL.
#[wasm_bindgen(js_name = tokenUrl)]
#[must_use]
pub fn token_url(url: &str, token: &str) -> String {
    match callback::token_url(url, token) {
        Ok(url) => json!({ "ok": true, "url": url }).to_string(),
        Err(error) => failed(error),
    }
}

/// The names between delimiters of a template that are not variables.
#[wasm_bindgen(js_name = unknownVariables)]
#[must_use]
pub fn unknown_variables(source: &str, format: &str) -> String {
    match parse_template(source, format) {
        Ok(template) => json!({ "ok": true, "unknown": template.unknown() }).to_string(),
        Err(message) => failed(message),
    }
}

/// Replaces the variables of a template with `values`, an object of strings in JSON.
#[wasm_bindgen(js_name = renderTemplate)]
#[must_use]
pub fn render_template(source: &str, format: &str, values: &str) -> String {
    let rendered = || -> Result<String, String> {
        let given: Map<String, Value> = serde_json::from_str(values).map_err(|error| error.to_string())?;
        let mut values = Values::new();
        for (name, value) in given {
            let variable = Variable::from_name(&name).ok_or_else(|| unknown_variable(&name))?;
            let text =
                value.as_str().ok_or_else(|| format!("values.{}: must be a string", variable.name()))?;
            values.insert(variable, text.to_owned());
        }
        Ok(parse_template(source, format)?.render(&values))
    };
    match rendered() {
        Ok(text) => json!({ "ok": true, "text": text }).to_string(),
        Err(message) => failed(message),
    }
}

/// The values in a text that the template rendered; null if the text does not match.
#[wasm_bindgen(js_name = readTemplate)]
#[must_use]
pub fn read_template(source: &str, format: &str, text: &str) -> String {
    match parse_template(source, format) {
        Ok(template) => {
            let named = |values: Values| -> Map<String, Value> {
                values
                    .into_iter()
                    .map(|(variable, value)| (variable.name().to_owned(), value.into()))
                    .collect()
            };
            json!({ "ok": true, "values": template.read(text).map(named) }).to_string()
        }
        Err(message) => failed(message),
    }
}

fn parse_template(source: &str, format: &str) -> Result<Template, String> {
    let format = match format {
        "url" => TemplateFormat::Url,
        "json" => TemplateFormat::Json,
        "form" => TemplateFormat::Form,
        _ => return Err("the format must be \"url\", \"json\" or \"form\"".to_owned()),
    };
    Ok(Template::parse(source, format))
}

fn unknown_variable(name: &str) -> String {
    let known: Vec<_> = Variable::ALL.iter().map(|variable| variable.name()).collect();
    format!("values: unknown variable `{}`; known: {}", printable(name, MAX_NAME), known.join(", "))
}

fn parse_purpose(name: &str) -> Result<Purpose, String> {
    serde_json::from_value(name.into())
        .map_err(|_| "the purpose must be \"delivery_report\", \"inbound\" or \"chat_report\"".to_owned())
}

fn failed<T: std::fmt::Display>(message: T) -> String {
    json!({ "ok": false, "message": message.to_string() }).to_string()
}

/// Whole seconds since 1970. JavaScript passes a valid time.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
const fn seconds(now: f64) -> u64 {
    now as u64
}

/// A number of seconds; the core refuses the limits of the type.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
const fn whole(value: f64) -> u32 {
    value as u32
}

/// The random bytes of the host, for tokens.
fn set_random_source() {
    #[cfg(target_arch = "wasm32")]
    bindings::set_random_source(crate::host::fill_random);
}
