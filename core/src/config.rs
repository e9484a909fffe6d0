//! Configuration: explicit value, then environment variable (`CPAAS_` and the name in upper case),
//! then default (design: the provider's addresses are placeholders, so they have no default).

use std::fmt::{Debug, DebugStruct};

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::{Map, Value};

use crate::error::Error;
use crate::extra::Key;
use crate::secret::Secret;

macro_rules! config {
    ($( $(#[doc = $doc:literal])* $name:ident : $type:ty ),* $(,)?) => {
        /// The configuration of a client; every member is optional.
        #[derive(Clone, Default, PartialEq)]
        #[non_exhaustive]
        pub struct Config {
            $( $(#[doc = $doc])* pub $name: Option<$type>, )*
        }

        /// `Debug` shows which members are set; of texts only the hosts of addresses, and of keys nothing.
        impl std::fmt::Debug for Config {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut shown = f.debug_struct("Config");
                $( if let Some(value) = &self.$name { Member::show(value, stringify!($name), &mut shown); } )*
                shown.finish()
            }
        }

        impl Config {
            /// The names of all members.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            fn slot(&mut self, name: &str) -> Option<Slot<'_>> {
                match name {
                    $( stringify!($name) => Some(Member::slot(&mut self.$name)), )*
                    _ => None,
                }
            }

            /// Fills what is absent from another configuration.
            #[must_use]
            pub fn or(mut self, other: Self) -> Self {
                $( if self.$name.is_none() { self.$name = other.$name; } )*
                self
            }

            $( $(#[doc = $doc])*
            #[must_use]
            pub fn $name(mut self, value: impl Into<$type>) -> Self {
                self.$name = Some(value.into());
                self
            } )*
        }
    };
}

/// Where a member is kept. There are six types and forty members: the types are compiled, not the members.
enum Slot<'a> {
    Text(&'a mut Option<String>),
    Secret(&'a mut Option<Secret>),
    Flag(&'a mut Option<bool>),
    Seconds(&'a mut Option<f64>),
    Whole(&'a mut Option<i64>),
    Names(&'a mut Option<Map<String, Value>>),
}

trait Member: Sized {
    fn slot(member: &mut Option<Self>) -> Slot<'_>;

    /// Adds what `Debug` may show of it.
    fn show(&self, name: &str, out: &mut DebugStruct<'_, '_>);
}

macro_rules! members {
    ($( $type:ty => $slot:ident, $show:ident );* $(;)?) => {
        $( impl Member for $type {
            fn slot(member: &mut Option<Self>) -> Slot<'_> {
                Slot::$slot(member)
            }

            fn show(&self, name: &str, out: &mut DebugStruct<'_, '_>) {
                $show(self, name, out);
            }
        } )*

        impl Slot<'_> {
            fn is_filled(&self) -> bool {
                match self { $( Self::$slot(member) => member.is_some(), )* }
            }

            fn read<'de, A: MapAccess<'de>>(self, map: &mut A) -> Result<(), A::Error> {
                match self { $( Self::$slot(member) => *member = map.next_value()?, )* }
                Ok(())
            }
        }
    };
}

members! {
    String => Text, text;
    Secret => Secret, plain;
    bool => Flag, plain;
    f64 => Seconds, plain;
    i64 => Whole, plain;
    Map<String, Value> => Names, names;
}

/// Members whose texts are words of this library.
const WORDS: &[&str] = &["region", "messaging_auth", "sms_format", "validation"];

fn plain(value: &dyn Debug, name: &str, out: &mut DebugStruct<'_, '_>) {
    out.field(name, value);
}

fn text(text: &str, name: &str, out: &mut DebugStruct<'_, '_>) {
    if name.contains("_url") {
        out.field(name, &format_args!("{}", origin(text)));
    } else if WORDS.contains(&name) {
        out.field(name, &text);
    } else {
        out.field(name, &format_args!("…"));
    }
}

fn names(names: &Map<String, Value>, name: &str, out: &mut DebugStruct<'_, '_>) {
    out.field(name, &format_args!("{} names", names.len()));
}

/// Scheme and host of an address: what stands before an `@` may be a password, and what follows a key.
fn origin(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return "…".to_owned() };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    // An `@` behind the authority is the sign of a password that holds one of its ends.
    if matches!(scheme, "http" | "https") && !rest.strip_prefix(authority).unwrap_or_default().contains('@') {
        format!("{scheme}://{host}")
    } else {
        "…".to_owned()
    }
}

impl<'de> Deserialize<'de> for Config {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Config;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Config, A::Error> {
        let mut config = Config::default();
        while let Some(name) = map.next_key::<Key<'de>>()? {
            match config.slot(name.as_str()) {
                None => return Err(A::Error::unknown_field(name.as_str(), Config::NAMES)),
                Some(slot) if slot.is_filled() => {
                    return Err(A::Error::custom(format_args!("duplicate field `{}`", name.as_str())));
                }
                Some(slot) => slot.read(&mut map)?,
            }
        }
        Ok(config)
    }
}

config! {
    /// Address of family A (OTP, voice).
    otp_url: String,
    /// Address of family B (SMS): the nearest region.
    sms_url: String,
    /// Address of family B in Frankfurt.
    sms_url_frankfurt: String,
    /// Address of family B in Singapore.
    sms_url_singapore: String,
    /// Address of family B in Hong Kong.
    sms_url_hong_kong: String,
    /// Address of family B in the United States.
    sms_url_united_states: String,
    /// `nearest` (default), `frankfurt`, `singapore`, `hong_kong` or `united_states`.
    region: String,
    /// Address of family C (number lookup).
    lookup_url: String,
    /// Address of family D (messaging).
    messaging_url: String,
    /// Address of the `messenger_b` webhook registration.
    messenger_b_url: String,
    /// Address of the `messenger_c` bot calls.
    bot_url: String,
    /// The account identifier: the user name of family A.
    account_sid: String,
    /// The API key: the password of family A, and the default of the other keys.
    api_key: Secret,
    /// The key of family B (default: `api_key`).
    sms_key: Secret,
    /// The key of family C (default: `api_key`).
    lookup_key: Secret,
    /// The key of family D (default: `sms_key`, else `api_key`).
    messaging_key: Secret,
    /// How family D authenticates: `header` (default), `basic` or `none`.
    messaging_auth: String,
    /// The token of the `messenger_b` account.
    messenger_b_token: Secret,
    /// The traffic account of family D, when a request names none.
    traffic_account_id: String,
    /// The name of the API-key header (default `X-Service-API-Key`).
    api_key_header: String,
    /// The name of the `messenger_b` token's header (default `X-Channel-Auth-Token`).
    messenger_b_token_header: String,
    /// The send path of family D (default `/messages/send`).
    send_path: String,
    /// The version of the bulk operation (default `1.1`).
    bulk_version: String,
    /// Writes `From` and `To` for an OTP (default false).
    voice_capitals: bool,
    /// The form of the answer to a single SMS: `json` (default) or `xml`.
    sms_format: String,
    /// Sends search parameters in a body instead of the query (default false).
    search_body: bool,
    /// Writes the literal form of the `messenger_c` setWebhook call (default false).
    set_webhook_raw: bool,
    /// The channel objects' names on the wire in single sends, by neutral name.
    channel_names: Map<String, Value>,
    /// The channel objects' names on the wire in bulk (default `{"messenger_a": "messengerA"}`).
    bulk_channel_names: Map<String, Value>,
    /// `strict` (default: errors refuse the call), `warn` or `off`.
    validation: String,
    /// Connecting may take this many seconds (default 5).
    connect_timeout: f64,
    /// One attempt may take this many seconds (default 20).
    timeout: f64,
    /// All attempts together may take this many seconds (default 60).
    deadline: f64,
    /// At most this many attempts of one call (default 3).
    max_attempts: i64,
    /// Sends again after an unknown outcome, which may send twice (default false).
    retry_unknown: bool,
    /// Treats a 4xx or 3xx response that is not in the provider's own form as `unknown` instead of `rejected` (default
    /// false).
    strict_refusals: bool,
    /// Accepts a response whose id was already returned for another call of this client, with a warning (default false);
    /// for stubs and benchmarks that always return the same id.
    accept_repeated_ids: bool,
    /// At most this many connections at a time, idle ones included; further calls wait within their deadline (default
    /// 128).
    max_connections: i64,
    /// At most this many bytes of a response body are read (default 8,388,608). A response of more than 100,000 objects or
    /// 500,000 members is not read either.
    max_response_bytes: i64,
    /// Text appended to the `User-Agent` header, for example `shop/2.1`.
    user_agent: String,
    /// The URL of an HTTP proxy.
    proxy: Secret,
    /// The keyring that signs the callback URL of each SMS, as JSON: `[{"kid": "k1", "secret": "…"}]`, the signing key
    /// first.
    callback_keys: Secret,
    /// The receiving application that the tokens are for; the same text at its receiver.
    callback_audience: String,
    /// How long a token is good, in seconds: 60 to 5,270,400 (default 259,200, which is 72 hours).
    callback_lifetime: i64,
    /// A file of root certificates in PEM form, instead of the system's.
    ca_bundle: String,
}

impl Config {
    /// Reads a configuration from JSON.
    ///
    /// # Errors
    /// `invalid` with the reason `config` when a member is unknown or of the wrong type.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        Self::read(json).map_err(|error| Error::config(describe(&error, culprit(json).as_deref())))
    }

    fn read(json: &str) -> serde_json::Result<Self> {
        serde_json::from_str(json)
    }

    /// Reads the environment variables `CPAAS_…`.
    ///
    /// # Errors
    /// `invalid` with the reason `config` when a variable has the wrong type.
    pub fn from_env() -> Result<Self, Error> {
        let mut members = Map::new();
        for name in Self::NAMES {
            if let Ok(text) = std::env::var(format!("CPAAS_{}", name.to_ascii_uppercase())) {
                members.insert((*name).to_owned(), Value::String(text));
            }
        }
        for name in [
            "connect_timeout",
            "timeout",
            "deadline",
            "max_attempts",
            "callback_lifetime",
            "voice_capitals",
            "search_body",
            "set_webhook_raw",
            "retry_unknown",
            "strict_refusals",
            "accept_repeated_ids",
            "max_connections",
            "max_response_bytes",
            "channel_names",
            "bulk_channel_names",
        ] {
            if let Some(Value::String(text)) = members.get(name) {
                let value = serde_json::from_str(text).map_err(|_| {
                    Error::config(format!("CPAAS_{} is not of the right type", name.to_ascii_uppercase()))
                })?;
                members.insert(name.to_owned(), value);
            }
        }
        // As text, like any other: a second parser of forty members would be large.
        Self::from_json(&Value::Object(members).to_string())
    }
}

/// The first member that is refused alone, too.
fn culprit(json: &str) -> Option<String> {
    let members: Map<String, Value> = serde_json::from_str(json).ok()?;
    let alone = |(name, value)| Value::Object(Map::from_iter([(name, value)])).to_string();
    members
        .into_iter()
        .find(|(name, value)| Config::read(&alone((name.clone(), value.clone()))).is_err())
        .map(|(name, _)| name)
}

/// A parse error names members and types; a value that it would quote is left out.
fn describe(error: &serde_json::Error, member: Option<&str>) -> String {
    let text = error.to_string();
    let (Some(rest), Some(member)) = (text.strip_prefix("invalid type: "), member) else {
        return format!("configuration: {text}");
    };
    let expected = rest.split_once(", expected ").map_or("", |(_, expected)| expected);
    let wanted = match expected.split(" at line").next().unwrap_or_default() {
        "f64" => "a number",
        "i64" => "a whole number",
        "a map" => "an object",
        other => other,
    };
    format!("`{member}` is of the wrong type: {wanted} is wanted")
}
