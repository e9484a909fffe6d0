//! The configuration of a client.
//!
//! An explicit value takes precedence over the environment variable (`CPAAS_` and the name in upper case, see
//! [`Config::or_env`]), which takes precedence over the default. The provider's addresses have no default.

mod choices;
mod environment;
mod json_text;

use std::collections::BTreeMap;
use std::env::VarError;
use std::fmt::{Debug, DebugStruct};
use std::str::FromStr;
use std::time::Duration;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Unexpected, Visitor};
use serde_json::{Map, Value};

use crate::error::Error;
use crate::extra::Key;
use crate::json::type_names;
use crate::printable::{MAX_NAME, printable};
use crate::problem::grouped;
use crate::secret::Secret;
use crate::util::url_parts::UrlParts;
use crate::util::{nearest, serde_message, token_lifetime};

use json_text::JsonText;

pub use choices::{InvalidNormalize, MessagingAuth, Normalize, Region, SmsFormat, Validation};
#[doc(hidden)]
pub use environment::MisspelledVariable;

type Names = BTreeMap<String, String>;
type List = Vec<String>;

macro_rules! config {
    ($( $(#[doc = $doc:literal])* $name:ident : $type:ident $(where $property:ident $({ $($limit:tt)* })?)? ),* $(,)?) => {
        /// The configuration of a client. Every member is optional. In JSON and in the environment, a `Duration` is a number of
        /// seconds and an enum is the name of its value.
        ///
        /// ```
        /// use std::time::Duration;
        ///
        /// use cpaas::Config;
        /// use cpaas::config::Validation;
        ///
        /// let config = Config::default()
        ///     .sms_url("https://sms.example")
        ///     .sms_key("key")
        ///     .timeout(Duration::from_secs(10))
        ///     .validation(Validation::Pedantic);
        /// # assert_eq!(config.timeout, Some(Duration::from_secs(10)));
        /// ```
        #[derive(Clone, Default)]
        #[non_exhaustive]
        pub struct Config {
            $( $(#[doc = $doc])* pub $name: Option<$type>, )*
            /// The members that were read from the environment, for messages.
            from_environment: Option<Box<Self>>,
        }

        /// Compares the members, wherever they come from.
        impl PartialEq for Config {
            fn eq(&self, other: &Self) -> bool {
                $( self.$name == other.$name )&&*
            }
        }

        /// `Debug` shows which members are set. Addresses are reduced to scheme and host; other strings and keys are hidden.
        impl std::fmt::Debug for Config {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut shown = f.debug_struct("Config");
                $( if let Some(value) = &self.$name {
                    Member::show(value, stringify!($name), setting_property!($($property $({ $($limit)* })?)?), &mut shown);
                } )*
                shown.finish()
            }
        }

        impl Config {
            /// The names of all members.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            /// All members.
            pub const SETTINGS: &'static [Setting] = &[$(
                Setting {
                    name: stringify!($name),
                    kind: <$type as Member>::KIND,
                    property: setting_property!($($property $({ $($limit)* })?)?),
                    doc: if HAS_DOCS { concat!($($doc, "\n"),*) } else { "" },
                }
            ),*];

            fn field_mut(&mut self, name: &str) -> Option<ConfigField<'_>> {
                match name {
                    $( stringify!($name) => Some(Member::field(&mut self.$name)), )*
                    _ => None,
                }
            }

            /// Takes from `other` each member that is not set here.
            #[must_use]
            pub fn or(mut self, other: Self) -> Self {
                $( if self.$name.is_none() { self.$name = other.$name; } )*
                self.from_environment = match (self.from_environment, other.from_environment) {
                    (Some(own), Some(others)) => Some(Box::new(own.or(*others))),
                    (own, others) => own.or(others),
                };
                self
            }

            /// Whether a member is set, and has the value that was read from the environment.
            fn is_from_environment(&self, name: &str) -> bool {
                let Some(environment) = &self.from_environment else { return false };
                match name {
                    $( stringify!($name) => self.$name.is_some() && self.$name == environment.$name, )*
                    _ => false,
                }
            }

            $( setter! { $type => $(#[doc = $doc])* $name } )*
        }
    };
}

/// The setter of a member. Strings, keys, names and lists are converted; other types are passed as they are, because a literal
/// number has no type that `Into` could start from.
macro_rules! setter {
    (String => $($setting:tt)*) => { setter! { converts String => $($setting)* } };
    (Secret => $($setting:tt)*) => { setter! { converts Secret => $($setting)* } };
    (List => $(#[doc = $doc:literal])* $name:ident) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $name<T: Into<String>>(mut self, values: impl IntoIterator<Item = T>) -> Self {
            self.$name = Some(values.into_iter().map(Into::into).collect());
            self
        }
    };
    (Names => $(#[doc = $doc:literal])* $name:ident) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $name<K: Into<String>, V: Into<String>>(mut self, names: impl IntoIterator<Item = (K, V)>) -> Self {
            self.$name = Some(names.into_iter().map(|(name, wire)| (name.into(), wire.into())).collect());
            self
        }
    };
    (converts $type:ident => $(#[doc = $doc:literal])* $name:ident) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $name(mut self, value: impl Into<$type>) -> Self {
            self.$name = Some(value.into());
            self
        }
    };
    ($type:ident => $(#[doc = $doc:literal])* $name:ident) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $name(mut self, value: $type) -> Self {
            self.$name = Some(value);
            self
        }
    };
}

/// Whether the settings contain their documentation, which only generators need.
const HAS_DOCS: bool = cfg!(feature = "schema");

macro_rules! setting_property {
    () => {
        None
    };
    ($property:ident $({ $($limit:tt)* })?) => {
        Some(SettingProperty::$property $({ $($limit)* })?)
    };
}

/// A member of the configuration.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// The type of its value.
    pub kind: SettingKind,
    /// A property that its type does not express.
    pub property: Option<SettingProperty>,
    /// The documentation; empty without the feature `schema`.
    pub doc: &'static str,
}

/// The type of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingKind {
    /// A string.
    String,
    /// A string that `Debug` hides.
    Secret,
    /// `true` or `false`.
    Boolean,
    /// A length of time: a number of seconds.
    Duration,
    /// An integer of 1 or more.
    Integer {
        /// The largest value.
        max: i64,
    },
    /// One of these strings.
    Choice(&'static [&'static str]),
    /// `international` or a region.
    Normalize,
    /// An object of strings.
    Names,
    /// An array of strings.
    List,
}

impl Setting {
    /// Whether its value is an integer number of seconds.
    fn is_whole_seconds(&self) -> bool {
        matches!(self.property, Some(SettingProperty::WholeSeconds { .. }))
    }

    /// Whether its value is a keyring, which is also read as JSON that is not in a string.
    fn is_keyring(&self) -> bool {
        self.property == Some(SettingProperty::Keyring)
    }

    /// The type that its value must have, for messages.
    fn expected(&self) -> &'static str {
        if self.is_keyring() {
            return "a keyring: a list of keys, an object with `keys`, or one of them as JSON in a string";
        }
        match self.kind {
            SettingKind::String | SettingKind::Secret | SettingKind::Choice(_) | SettingKind::Normalize => {
                type_names::STRING
            }
            SettingKind::Boolean => "`true` or `false`",
            SettingKind::Duration if self.is_whole_seconds() => "an integer number of seconds",
            SettingKind::Duration => "a number of seconds",
            SettingKind::Integer { .. } => type_names::INTEGER,
            SettingKind::Names => "an object of strings",
            SettingKind::List => "an array of strings",
        }
    }

    /// What a value of its type must be, for messages.
    fn range(&self) -> String {
        if let Some(SettingProperty::WholeSeconds { min, max }) = self.property {
            return format!("{} to {} seconds", grouped(min.into()), grouped(max.into()));
        }
        match self.kind {
            // The seconds of a `Duration` are a `u64`.
            SettingKind::Duration => {
                "a number of seconds greater than 0 and less than 18,446,744,073,709,551,616".to_owned()
            }
            SettingKind::Integer { max } => format!("1 to {}", grouped(max)),
            SettingKind::Choice(names) => match names.split_last() {
                Some((last, others)) => format!("{} or {last}", others.join(", ")),
                None => String::new(),
            },
            SettingKind::Normalize => InvalidNormalize::EXPECTED.to_owned(),
            _ => self.expected().to_owned(),
        }
    }

    /// Whether a JSON value of its type is one that it may have.
    fn has_in_range(&self, value: &Value) -> bool {
        let alone = Value::Object(Map::from_iter([(self.name.to_owned(), value.clone())]));
        let Ok(mut config) = Config::read(&alone.to_string()) else { return false };
        match (config.field_mut(self.name), self.property) {
            (Some(ConfigField::Duration(Some(time))), Some(SettingProperty::WholeSeconds { min, max })) => {
                (min.into()..=max.into()).contains(&time.as_secs())
            }
            (Some(ConfigField::Duration(Some(time))), _) => !time.is_zero(),
            (Some(ConfigField::Integer(_)), _) => value.as_u64() != Some(0),
            _ => true,
        }
    }

    /// Whether a JSON value has its type.
    fn accepts(&self, value: &Value) -> bool {
        match self.kind {
            SettingKind::Secret if self.is_keyring() => {
                value.is_string() || value.is_array() || value.is_object()
            }
            SettingKind::String | SettingKind::Secret | SettingKind::Choice(_) | SettingKind::Normalize => {
                value.is_string()
            }
            SettingKind::Boolean => value.is_boolean(),
            SettingKind::Duration if self.is_whole_seconds() => is_integer(value),
            SettingKind::Duration => value.is_number(),
            SettingKind::Integer { .. } => is_integer(value),
            SettingKind::Names => value.as_object().is_some_and(|names| names.values().all(Value::is_string)),
            SettingKind::List => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
        }
    }
}

fn is_integer(value: &Value) -> bool {
    value.is_i64() || value.is_u64()
}

impl SettingKind {
    /// Whether an environment variable contains the value itself, and not its JSON.
    const fn is_text(self) -> bool {
        matches!(self, Self::String | Self::Secret | Self::Choice(_) | Self::Normalize)
    }
}

/// A property of a setting that its type does not express.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingProperty {
    /// An address, of which `Debug` shows scheme and host.
    Address,
    /// A list whose values this library defines; `Debug` shows it.
    Shown,
    /// A keyring: JSON, which may be in a string. The setting has its text.
    Keyring,
    /// A length of time without a fraction of a second.
    WholeSeconds {
        /// The smallest number of seconds.
        min: u32,
        /// The largest number of seconds.
        max: u32,
    },
}

/// A member to fill. The code that reads it is compiled once for each type of JSON instead of each member.
enum ConfigField<'a> {
    String(&'a mut Option<String>),
    Secret(&'a mut Option<Secret>),
    Boolean(&'a mut Option<bool>),
    Duration(&'a mut Option<Duration>),
    Integer(&'a mut dyn Fill<i64>),
    Choice(&'a mut dyn Fill<String>),
    Names(&'a mut Option<Names>),
    List(&'a mut Option<List>),
}

/// A member whose type is narrower than that of its JSON.
trait Fill<T> {
    fn is_filled(&self) -> bool;

    /// Sets the member. Returns false if the value is not one of its type.
    fn fill(&mut self, value: T) -> bool;
}

impl<T: TryFrom<i64>> Fill<i64> for Option<T> {
    fn is_filled(&self) -> bool {
        self.is_some()
    }

    fn fill(&mut self, value: i64) -> bool {
        *self = T::try_from(value).ok();
        self.is_some()
    }
}

impl<T: FromStr> Fill<String> for Option<T> {
    fn is_filled(&self) -> bool {
        self.is_some()
    }

    fn fill(&mut self, value: String) -> bool {
        *self = value.parse().ok();
        self.is_some()
    }
}

impl ConfigField<'_> {
    fn is_filled(&self) -> bool {
        match self {
            Self::String(member) => member.is_some(),
            Self::Secret(member) => member.is_some(),
            Self::Boolean(member) => member.is_some(),
            Self::Duration(member) => member.is_some(),
            Self::Integer(member) => member.is_filled(),
            Self::Choice(member) => member.is_filled(),
            Self::Names(member) => member.is_some(),
            Self::List(member) => member.is_some(),
        }
    }

    fn read<'de, A: MapAccess<'de>>(self, setting: &Setting, map: &mut A) -> Result<(), A::Error> {
        let is_of_type = match self {
            Self::String(member) => read_as_it_is(member, map)?,
            Self::Secret(member) if setting.is_keyring() => {
                *member = map.next_value::<Option<JsonText>>()?.map(JsonText::into_secret);
                true
            }
            Self::Secret(member) => read_as_it_is(member, map)?,
            Self::Boolean(member) => read_as_it_is(member, map)?,
            Self::Names(member) => read_as_it_is(member, map)?,
            Self::List(member) => read_as_it_is(member, map)?,
            Self::Duration(member) => {
                let read = if setting.is_whole_seconds() {
                    let seconds: Option<i64> = map.next_value()?;
                    seconds.map(|seconds| u64::try_from(seconds).ok().map(Duration::from_secs))
                } else {
                    let seconds: Option<f64> = map.next_value()?;
                    seconds.map(|seconds| Duration::try_from_secs_f64(seconds).ok())
                };
                *member = read.flatten();
                read != Some(None)
            }
            Self::Integer(member) => {
                let value: Option<i64> = map.next_value()?;
                value.is_none_or(|value| member.fill(value))
            }
            Self::Choice(member) => {
                let value: Option<String> = map.next_value()?;
                value.is_none_or(|value| member.fill(value))
            }
        };
        if is_of_type {
            return Ok(());
        }
        let value = if setting.kind.is_text() { "string" } else { "number" };
        Err(A::Error::invalid_value(Unexpected::Other(value), &setting.range().as_str()))
    }
}

/// Reads a member that has the type of its JSON.
fn read_as_it_is<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    member: &mut Option<T>,
    map: &mut A,
) -> Result<bool, A::Error> {
    *member = map.next_value()?;
    Ok(true)
}

trait Member: Sized {
    const KIND: SettingKind;

    fn field(member: &mut Option<Self>) -> ConfigField<'_>;

    /// Adds what `Debug` may show of the member.
    fn show(&self, name: &str, property: Option<SettingProperty>, out: &mut DebugStruct<'_, '_>);
}

macro_rules! members {
    ($( $type:ty => $kind:expr, $field:ident, $show:ident );* $(;)?) => {
        $( impl Member for $type {
            const KIND: SettingKind = $kind;

            fn field(member: &mut Option<Self>) -> ConfigField<'_> {
                ConfigField::$field(member)
            }

            fn show(&self, name: &str, property: Option<SettingProperty>, out: &mut DebugStruct<'_, '_>) {
                $show(self, name, property, out);
            }
        } )*
    };
}

members! {
    String => SettingKind::String, String, show_string;
    Secret => SettingKind::Secret, Secret, show_plain;
    bool => SettingKind::Boolean, Boolean, show_plain;
    Duration => SettingKind::Duration, Duration, show_plain;
    u32 => SettingKind::Integer { max: u32::MAX as i64 }, Integer, show_plain;
    usize => SettingKind::Integer { max: MAX_USIZE }, Integer, show_plain;
    Region => SettingKind::Choice(Region::NAMES), Choice, show_plain;
    MessagingAuth => SettingKind::Choice(MessagingAuth::NAMES), Choice, show_plain;
    SmsFormat => SettingKind::Choice(SmsFormat::NAMES), Choice, show_plain;
    Validation => SettingKind::Choice(Validation::NAMES), Choice, show_plain;
    Normalize => SettingKind::Normalize, Choice, show_plain;
    Names => SettingKind::Names, Names, show_names;
    List => SettingKind::List, List, show_list;
}

/// The largest `usize` that is read, because an integer in JSON is read as an `i64`.
const MAX_USIZE: i64 = i64::MAX >> 63_u32.saturating_sub(usize::BITS);

type Property = Option<SettingProperty>;

fn show_plain(value: &dyn Debug, name: &str, _: Property, out: &mut DebugStruct<'_, '_>) {
    out.field(name, value);
}

fn show_string(text: &str, name: &str, property: Property, out: &mut DebugStruct<'_, '_>) {
    match property {
        Some(SettingProperty::Address) => out.field(name, &format_args!("{}", origin(text))),
        _ => out.field(name, &format_args!("…")),
    };
}

fn show_names(names: &Names, name: &str, _: Property, out: &mut DebugStruct<'_, '_>) {
    out.field(name, &format_args!("{} names", names.len()));
}

fn show_list(list: &[String], name: &str, property: Property, out: &mut DebugStruct<'_, '_>) {
    match property {
        Some(SettingProperty::Shown) => out.field(name, &list),
        _ => out.field(name, &format_args!("{} strings", list.len())),
    };
}

/// Scheme and host of an address; its user information and path may contain a password or a key.
pub(crate) fn origin(url: &str) -> String {
    let parts = UrlParts::split(url);
    let host = parts.host_and_port();
    // An `@` after the host shows that the password contains a delimiter: then `host` is part of the password.
    let is_uncertain = host.contains('\\')
        || [Some(parts.path), parts.query, Some(parts.fragment)]
            .into_iter()
            .flatten()
            .any(|part| part.contains('@'));
    match parts.scheme {
        Some(scheme @ ("http" | "https")) if !is_uncertain => format!("{scheme}://{host}"),
        _ => "…".to_owned(),
    }
}

impl<'de> Deserialize<'de> for Config {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

/// The beginning of the message about a member that is not a setting.
const UNKNOWN: &str = "unknown setting";

impl<'de> Visitor<'de> for Members {
    type Value = Config;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Config, A::Error> {
        let mut config = Config::default();
        while let Some(name) = map.next_key::<Key<'de>>()? {
            let name = name.as_str();
            match setting(name).zip(config.field_mut(name)) {
                // `bot_id` is an argument of calls, not a setting. The sandbox prints it among the settings, so it is accepted and ignored.
                None if name == "bot_id" => drop(map.next_value::<String>()?),
                None => {
                    let names = &mut Config::NAMES.iter().copied();
                    let advice = match nearest(name, names) {
                        Some(meant) => format!("did you mean `{meant}`?"),
                        None => format!("the settings are {}", Config::NAMES.join(", ")),
                    };
                    return Err(A::Error::custom(format_args!(
                        "{UNKNOWN} `{}`; {advice}",
                        printable(name, MAX_NAME)
                    )));
                }
                Some((_, field)) if field.is_filled() => {
                    return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
                }
                Some((setting, field)) => field.read(setting, &mut map)?,
            }
        }
        Ok(config)
    }
}

config! {
    /// Address of the passcode service (SMS and voice).
    otp_url: String where Address,
    /// Address of the SMS service: the nearest region.
    sms_url: String where Address,
    /// Address of the SMS service in Frankfurt.
    sms_url_frankfurt: String where Address,
    /// Address of the SMS service in Singapore.
    sms_url_singapore: String where Address,
    /// Address of the SMS service in Hong Kong.
    sms_url_hong_kong: String where Address,
    /// Address of the SMS service in the United States.
    sms_url_united_states: String where Address,
    /// `nearest` (default), `frankfurt`, `singapore`, `hong_kong` or `united_states`.
    region: Region,
    /// Address of the number lookup.
    lookup_url: String where Address,
    /// Address of the messaging service (chat channels).
    messaging_url: String where Address,
    /// Address of the `messenger_b` webhook registration.
    messenger_b_url: String where Address,
    /// Address of the `messenger_c` bot API.
    messenger_c_url: String where Address,
    /// The account identifier, which is the user name of the passcode service.
    account_sid: String,
    /// The API key, which is the password of the passcode service and the default of the other keys.
    api_key: Secret,
    /// The key of the SMS service (default: `api_key`).
    sms_key: Secret,
    /// The key of the number lookup (default: `api_key`).
    lookup_key: Secret,
    /// The key of the messaging service (default: `sms_key`, else `api_key`).
    messaging_key: Secret,
    /// How calls of the messaging service authenticate: `header` (default), `basic` or `none`.
    messaging_auth: MessagingAuth,
    /// The token of the `messenger_b` account.
    messenger_b_token: Secret,
    /// The traffic account of messages and webhooks, for requests without one.
    traffic_account_id: String,
    /// The name of the API-key header (default `X-Service-API-Key`); not a header that HTTP itself uses, such as `Host`.
    api_key_header: String,
    /// The name of the `messenger_b` token's header (default `X-Channel-Auth-Token`); the same restriction.
    messenger_b_token_header: String,
    /// The path of single messages (default `/messages/send`).
    send_path: String,
    /// The version of the bulk operation (default `1.1`).
    bulk_version: String,
    /// Whether an OTP request uses the names `From` and `To` (default false).
    otp_capitalized_names: bool,
    /// The format of the response to a single SMS: `json` (default) or `xml`.
    sms_format: SmsFormat,
    /// Whether search parameters are sent in a body instead of the query (default false).
    search_body: bool,
    /// Whether setWebhook of `messenger_c` sends `url` as the specification prints it, not percent-encoded (default false).
    messenger_c_unencoded_url: bool,
    /// The wire names of the channel objects in single sends, by their name in the specification.
    channel_names: Names,
    /// The wire names of the channel objects in bulk sends, by their name in the specification (default `{"messenger_a": "messengerA"}`).
    bulk_channel_names: Names,
    /// How requests are validated: `strict` (default; a request with errors is not sent), `pedantic`
    /// (a request with warnings is not sent either), `warn` or `off`.
    validation: Validation,
    /// How recipients are written in the form that is sent, before validation: `international` accepts any notation of a number
    /// with its country code (`+30 691 234 5678`); a region (ISO 3166-1 alpha-2, such as `GR`) also accepts numbers as they are
    /// dialed there. By default, recipients are sent as they are. Recipients of a chat channel are changed only if they begin with
    /// `+` or `00`. A region reads bare digits as its own number first, even those of another country: use `international`, or `+`, for
    /// stored numbers and for replies to senders of messages. With the validation `off`, nothing reports that a number was changed.
    normalize: Normalize,
    /// The countries whose numbers requests may contain (ISO 3166-1 alpha-2, such as `GR`), whatever `validation` is. By default,
    /// all.
    allow_countries: List where Shown,
    /// The types of numbers that requests may contain, as `check_number` names them, such as `mobile`, whatever `validation` is. A
    /// number of a plan that does not distinguish mobile and fixed line counts as both. By default, all.
    allow_types: List where Shown,
    /// Time limit of connecting, in seconds (default 5).
    connect_timeout: Duration,
    /// Time limit of one attempt, in seconds (default 20).
    timeout: Duration,
    /// Time limit of the whole call, in seconds (default 60).
    deadline: Duration,
    /// Maximum number of attempts of one call (default 3).
    max_attempts: u32,
    /// Whether to retry after an unknown outcome, which may send a message twice (default false).
    retry_unknown: bool,
    /// Whether a 4xx or 3xx response that is not in the provider's own form is `unknown` instead of `rejected` (default false).
    strict_rejections: bool,
    /// Whether a response whose id was already returned for another call of this client is accepted, with a warning (default
    /// false); for stubs and benchmarks that always return the same id.
    accept_repeated_ids: bool,
    /// Maximum number of connections, idle ones included (default 128). At most three quarters of them carry calls (96 of 128), because a
    /// connection becomes idle shortly after its call has ended; further calls wait within their deadline. A call of `otp.verify` or
    /// `otp.cancel` has a connection of its own beside the idle ones.
    max_connections: usize,
    /// Maximum size of a response body, in bytes (default 8,388,608). A response with more than 100,000 objects or 500,000
    /// members is not read either.
    max_response_bytes: usize,
    /// Text appended to the `User-Agent` header, for example `shop/2.1`.
    user_agent: String,
    /// Whether each request has the header `traceparent` (W3C Trace Context) with the id of its call as the trace id, unless tracing
    /// sets the header (default false). The provider can then name the id.
    send_traceparent: bool,
    /// The URL of an HTTP proxy.
    proxy: Secret,
    /// The keyring that signs the callback URL of each SMS: a list of keys, `[{"kid": "k1", "secret": "…"}]`, an object
    /// `{"keys": […], "longest_lifetime": …, "expiring_only": …}`, or one of them as JSON in a string. The first key signs.
    callback_keys: Secret where Keyring,
    /// The audience of callback tokens: the receiving application. Its receiver must be configured with the same value.
    callback_audience: String,
    /// Lifetime of callback tokens, in seconds: 60 to 5,270,400 (default 259,200, which is 72 hours).
    callback_lifetime: Duration where WholeSeconds { min: token_lifetime::MIN, max: token_lifetime::MAX },
    /// Path of a file with root certificates in PEM form, which replace those of the system.
    ca_bundle: String,
    /// Whether settings that are not given are taken from the environment variables `CPAAS_…`, where a binding reads them (default
    /// true). The sandbox's settings have `false`, so that a test uses no address and no key of the machine. Rust reads the environment
    /// only by `or_env` and `from_env`.
    read_environment: bool,
}

impl Config {
    /// Reads a configuration from JSON.
    ///
    /// # Errors
    /// `invalid` with the reason `config` if a member is unknown or has the wrong type.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        Self::read(json).map_err(|error| Error::config(describe(&error, invalid_member(json).as_deref())))
    }

    fn read(json: &str) -> serde_json::Result<Self> {
        serde_json::from_str(json)
    }

    /// Reads the environment variables `CPAAS_…`. Numbers, booleans, objects and arrays are written as JSON. A variable that is not a
    /// setting, but whose name resembles that of one, is logged once in a process (`tracing`, level WARN) with its name and without its value.
    ///
    /// # Errors
    /// `invalid` with the reason `config` if a variable has the wrong type, an invalid value, or is not valid UTF-8.
    pub fn from_env() -> Result<Self, Error> {
        Self::default().or_env()
    }

    /// Takes from the environment each member that is not set here; see [`from_env`](Self::from_env). The variables of members that
    /// are set here are not read, so they may be invalid.
    ///
    /// ```no_run
    /// let config = cpaas::Config::default().sms_url("https://sms.example").or_env()?;
    /// # Ok::<(), cpaas::Error>(())
    /// ```
    ///
    /// With `read_environment` false nothing is read.
    ///
    /// # Errors
    /// As [`from_env`](Self::from_env).
    pub fn or_env(self) -> Result<Self, Error> {
        if self.read_environment == Some(false) {
            return Ok(self);
        }
        #[cfg(feature = "call")]
        environment::log_misspelled();
        self.or_variables(|name| std::env::var(name))
    }

    /// [`Config::or_env`] with the variables of a JSON object of strings.
    pub(crate) fn or_variables_of(self, json: &str) -> Result<Self, Error> {
        if self.read_environment == Some(false) {
            return Ok(self);
        }
        // The text of the parser's error may contain a key.
        let variables: BTreeMap<String, String> = serde_json::from_str(json)
            .map_err(|_| Error::config("the environment must be a JSON object whose values are strings"))?;
        self.or_variables(|name| variables.get(name).cloned().ok_or(VarError::NotPresent))
    }

    fn or_variables(mut self, read: impl Fn(&str) -> Result<String, VarError>) -> Result<Self, Error> {
        let absent: Vec<&str> = Self::NAMES
            .iter()
            .copied()
            .filter(|name| self.field_mut(name).is_some_and(|field| !field.is_filled()))
            .collect();
        Ok(self.or(Self::from_variables(|name| absent.contains(&name), read)?))
    }

    /// The environment variables that are not settings, but whose names resemble those of settings.
    #[doc(hidden)]
    #[must_use]
    pub fn misspelled_variables() -> Vec<MisspelledVariable> {
        environment::misspelled()
    }

    /// As [`from_env`](Self::from_env), for some members only: other variables are not read, so they may be invalid.
    ///
    /// # Errors
    /// As [`from_env`](Self::from_env).
    #[doc(hidden)]
    pub fn from_env_members(names: &[&str]) -> Result<Self, Error> {
        Self::from_variables(|name| names.contains(&name), |name| std::env::var(name))
    }

    fn from_variables(
        includes: impl Fn(&str) -> bool,
        read: impl Fn(&str) -> Result<String, VarError>,
    ) -> Result<Self, Error> {
        let mut members = Map::new();
        for setting in Self::SETTINGS.iter().filter(|setting| includes(setting.name)) {
            let variable = environment::variable(setting.name);
            let text = match read(&variable) {
                Ok(text) => text,
                Err(VarError::NotPresent) => continue,
                Err(VarError::NotUnicode(_)) => {
                    return Err(Error::config(format!("{variable} must be valid UTF-8")));
                }
            };
            let value = if setting.kind.is_text() {
                Value::String(text)
            } else {
                let value: Option<Value> = serde_json::from_str(&text).ok();
                value
                    .filter(|value| setting.accepts(value))
                    .ok_or_else(|| Error::config(format!("{variable} must be {}", setting.expected())))?
            };
            if !setting.has_in_range(&value) {
                return Err(Error::config(format!("{variable} must be {}", setting.range())));
            }
            members.insert(setting.name.to_owned(), value);
        }
        // Uses the JSON parser, because a second parser of all members would be large.
        let mut config = Self::from_json(&Value::Object(members).to_string())?;
        config.from_environment = Some(Box::new(config.clone()));
        Ok(config)
    }

    /// The error of an invalid member, whose message names the environment variable if the member was read from it.
    pub(crate) fn names_variables(&self, mut error: Error) -> Error {
        for name in Self::NAMES.iter().filter(|name| self.is_from_environment(name)) {
            let member = format!("`{name}`");
            if error.message.contains(&member) {
                let message = error.message.replace(&member, &environment::variable(name));
                error.record_mut().message = message;
            }
        }
        error
    }
}

/// The first member that is invalid when it is the only member of a configuration.
fn invalid_member(json: &str) -> Option<String> {
    let members: Map<String, Value> = serde_json::from_str(json).ok()?;
    let alone = |(name, value)| Value::Object(Map::from_iter([(name, value)])).to_string();
    members
        .into_iter()
        .find(|(name, value)| Config::read(&alone((name.clone(), value.clone()))).is_err())
        .map(|(name, _)| name)
}

/// Whether a member of a configuration has another type than its setting.
pub(crate) fn has_mistyped_member(json: &str) -> bool {
    let members: Map<String, Value> = serde_json::from_str(json).unwrap_or_default();
    let is_mistyped = |setting: &Setting, value: &Value| !value.is_null() && !setting.accepts(value);
    members.iter().any(|(name, value)| setting(name).is_some_and(|setting| is_mistyped(setting, value)))
}

/// The error of a member that has its type, but not one of the values that it may have.
#[cfg(feature = "callback")]
pub(crate) fn out_of_range(name: &str) -> Error {
    let range = setting(name).map(Setting::range).unwrap_or_default();
    Error::config(format!("`{name}` must be {range}"))
}

/// The setting with this name.
fn setting(name: &str) -> Option<&'static Setting> {
    Config::SETTINGS.iter().find(|setting| setting.name == name)
}

/// The message of a parse error: names and types, but no value.
fn describe(error: &serde_json::Error, member: Option<&str>) -> String {
    let text = error.to_string();
    match (serde_message::found_type(&text), serde_message::expected_type(&text), member) {
        (Some(found), Some(expected), Some(member)) => {
            let setting = setting(member);
            // The type that is expected of an element is not the one of the list.
            let element = match setting.map(|setting| setting.kind) {
                Some(SettingKind::List) => "element",
                Some(SettingKind::Names) => "value",
                _ => "",
            };
            if !element.is_empty() && expected == type_names::STRING {
                return format!("each {element} of `{member}` must be {expected}, got {found}");
            }
            let expected = setting.map_or(expected, |setting| setting.expected());
            format!("`{member}` must be {expected}, got {found}")
        }
        (None, Some(expected), Some(member)) if text.starts_with("invalid value: ") => {
            let expected = setting(member).map_or_else(|| expected.to_owned(), Setting::range);
            format!("`{member}` must be {expected}")
        }
        (Some(found), _, _) => format!("the configuration must be an object, got {found}"),
        _ if text.starts_with(UNKNOWN) => {
            text.rsplit_once(" at line ").map_or_else(|| text.clone(), |(message, _)| message.to_owned())
        }
        // Other messages contain names, but no value.
        _ => format!("configuration: {text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_that_the_sandbox_prints_is_accepted() {
        let config = Config::from_json(r#"{"sms_url": "http://127.0.0.1:1", "bot_id": "bot1:a"}"#).unwrap();
        assert_eq!(config.sms_url.as_deref(), Some("http://127.0.0.1:1"));
    }

    #[test]
    fn a_keyring_is_read_as_json_and_as_a_string() {
        let keys = |json: &str| Config::from_json(json).unwrap().callback_keys;
        let list = r#"[{"kid": "k1", "secret": "\u00e9"}]"#;
        for text in [list, r#"{"keys": [], "longest_lifetime": 60}"#, "[]", "not JSON"] {
            let string = Value::from(text);
            assert_eq!(keys(&format!("{{\"callback_keys\": {string}}}")), Some(text.into()));
        }
        let written = "[{\"kid\":\"k1\",\"secret\":\"\u{e9}\"}]";
        assert_eq!(keys(&format!("{{\"callback_keys\": {list} }}")), Some(written.into()));
        assert_eq!(keys(r#"{"callback_keys": {"keys": []}}"#), Some(r#"{"keys":[]}"#.into()));
        assert_eq!(keys(r#"{"callback_keys": null}"#), None);
        let read = |name: &str| match name {
            "CPAAS_CALLBACK_KEYS" => Ok(list.to_owned()),
            _ => Err(VarError::NotPresent),
        };
        assert_eq!(Config::from_variables(|_| true, read).unwrap().callback_keys, Some(list.into()));
    }

    #[test]
    fn a_variable_of_the_wrong_type_is_named_without_its_value() {
        let error = |variable: &'static str, value: Result<&'static str, VarError>| {
            let read = move |name: &str| match &value {
                _ if name != variable => Err(VarError::NotPresent),
                Ok(text) => Ok((*text).to_owned()),
                Err(error) => Err(error.clone()),
            };
            Config::from_variables(|_| true, read).map_err(|error| error.message.clone())
        };
        for (variable, value, expected) in [
            ("CPAAS_DEADLINE", "ten", "CPAAS_DEADLINE must be a number of seconds"),
            ("CPAAS_DEADLINE", "\"10\"", "CPAAS_DEADLINE must be a number of seconds"),
            ("CPAAS_DEADLINE", "", "CPAAS_DEADLINE must be a number of seconds"),
            (
                "CPAAS_CALLBACK_LIFETIME",
                "1.5",
                "CPAAS_CALLBACK_LIFETIME must be an integer number of seconds",
            ),
            ("CPAAS_MAX_ATTEMPTS", "3.0", "CPAAS_MAX_ATTEMPTS must be an integer"),
            ("CPAAS_RETRY_UNKNOWN", "yes", "CPAAS_RETRY_UNKNOWN must be `true` or `false`"),
            ("CPAAS_CHANNEL_NAMES", "[]", "CPAAS_CHANNEL_NAMES must be an object of strings"),
            ("CPAAS_ALLOW_TYPES", "[31337]", "CPAAS_ALLOW_TYPES must be an array of strings"),
        ] {
            assert_eq!(error(variable, Ok(value)), Err(expected.to_owned()), "{value}");
        }
        assert_eq!(
            error("CPAAS_SMS_KEY", Err(VarError::NotUnicode("x".into()))),
            Err("CPAAS_SMS_KEY must be valid UTF-8".to_owned())
        );
        assert_eq!(error("CPAAS_DEADLINE", Ok("10")).unwrap().deadline, Some(Duration::from_secs(10)));
        assert_eq!(error("CPAAS_SMS_KEY", Ok("0010")).unwrap().sms_key, Some("0010".into()));
    }

    #[test]
    fn a_member_of_the_wrong_type_is_named_without_its_value() {
        for (json, expected) in [
            (r#"{"sms_url": 31337}"#, "`sms_url` must be a string, got a number"),
            (
                r#"{"sms_key": "k", "timeout": "31337"}"#,
                "`timeout` must be a number of seconds, got a string",
            ),
            (r#"{"max_attempts": 1.5}"#, "`max_attempts` must be an integer, got a number"),
            (
                r#"{"retry_unknown": null, "search_body": []}"#,
                "`search_body` must be `true` or `false`, got an array",
            ),
            (r#"{"channel_names": true}"#, "`channel_names` must be an object of strings, got a boolean"),
            (
                r#"{"bulk_channel_names": {"sms": "SMS", "messenger_a": 31337}}"#,
                "each value of `bulk_channel_names` must be a string, got a number",
            ),
            (
                r#"{"callback_keys": 31337}"#,
                "`callback_keys` must be a keyring: a list of keys, an object with `keys`, or one of them as JSON in a string, got a \
                 number",
            ),
            (
                r#"{"callback_keys": true}"#,
                "`callback_keys` must be a keyring: a list of keys, an object with `keys`, or one of them as JSON in a string, got a \
                 boolean",
            ),
            (r#"{"allow_countries": "GR"}"#, "`allow_countries` must be an array of strings, got a string"),
            (
                r#"{"allow_types": ["mobile", 31337]}"#,
                "each element of `allow_types` must be a string, got a number",
            ),
        ] {
            assert_eq!(Config::from_json(json).unwrap_err().message, expected);
        }
    }
}
