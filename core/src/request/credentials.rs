//! The credentials of each family.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::config::{Config, MessagingAuth};
use crate::error::Error;
use crate::operation::Family;
use crate::request::reserved_headers::is_reserved;
use crate::secret::Secret;

/// The headers that authenticate each family. `Debug` shows none of them.
#[derive(Clone)]
#[non_exhaustive]
pub struct Credentials {
    key_header: String,
    messenger_b_header: String,
    basic: Option<Secret>,
    sms: Option<Secret>,
    lookup: Option<Secret>,
    messaging: Option<(bool, Secret)>,
    messenger_b: Option<Secret>,
    /// The key of `basic`, which contains it in another encoding.
    #[cfg(feature = "call")]
    api_key: Option<Secret>,
}

impl Credentials {
    pub(crate) fn new(config: &Config) -> Result<Self, Error> {
        check_headers(config)?;
        let basic = basic(config);
        let given = |key: Option<Secret>| key.filter(|key| !key.is_empty());
        let fallback = |key: &Option<Secret>| key.clone().or_else(|| config.api_key.clone());
        let messaging_key = given(config.messaging_key.clone().or_else(|| fallback(&config.sms_key)));
        let messaging = match config.messaging_auth {
            None => messaging_key.map(|key| (false, key)),
            Some(MessagingAuth::Header) => {
                let lacking = || {
                    Error::config("`messaging_auth` is `header`: set `messaging_key`, `sms_key` or `api_key`")
                };
                Some((false, messaging_key.ok_or_else(lacking)?))
            }
            Some(MessagingAuth::Basic) => {
                let key = basic.clone();
                let lacking =
                    || Error::config("`messaging_auth` is `basic`: set `account_sid` and `api_key`");
                Some((true, key.ok_or_else(lacking)?))
            }
            Some(MessagingAuth::None) => None,
        };
        let or = |name: &Option<String>, default: &str| name.clone().unwrap_or_else(|| default.to_owned());
        Ok(Self {
            key_header: or(&config.api_key_header, "X-Service-API-Key"),
            messenger_b_header: or(&config.messenger_b_token_header, "X-Channel-Auth-Token"),
            basic,
            sms: given(fallback(&config.sms_key)),
            lookup: given(fallback(&config.lookup_key)),
            messaging,
            messenger_b: given(config.messenger_b_token.clone()),
            #[cfg(feature = "call")]
            api_key: given(config.api_key.clone()),
        })
    }

    pub(crate) fn lookup_key(&self) -> Option<&str> {
        self.lookup.as_ref().map(Secret::expose)
    }

    /// The advice if the credentials of a family are missing, otherwise `None`. `messaging` needs no credentials, and the token of a
    /// bot is part of the path.
    pub(crate) const fn lacks(&self, family: Family) -> Option<&'static str> {
        match family {
            Family::Otp if self.basic.is_none() => Some(
                "set `account_sid` and `api_key`, or CPAAS_ACCOUNT_SID and CPAAS_API_KEY in the environment",
            ),
            Family::Sms if self.sms.is_none() => {
                Some("set `sms_key` or `api_key`, or CPAAS_SMS_KEY or CPAAS_API_KEY in the environment")
            }
            Family::Lookup if self.lookup.is_none() => {
                Some("set `lookup_key` or `api_key`, or CPAAS_LOOKUP_KEY or CPAAS_API_KEY in the environment")
            }
            Family::MessengerB if self.messenger_b.is_none() => {
                Some("set `messenger_b_token`, or CPAAS_MESSENGER_B_TOKEN in the environment")
            }
            _ => None,
        }
    }

    /// All keys and tokens.
    #[cfg(feature = "call")]
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        let messaging = self.messaging.as_ref().map(|(_, key)| key);
        let keys = [&self.api_key, &self.sms, &self.lookup, &self.messenger_b, &self.basic];
        let keys = keys.into_iter().flatten().chain(messaging);
        keys.map(|key| key.expose().trim_start_matches("Basic "))
    }

    /// The names of the headers that contain keys.
    #[cfg(feature = "call")]
    pub(crate) fn key_headers(&self) -> [&str; 2] {
        [&self.key_header, &self.messenger_b_header]
    }

    pub(crate) fn headers(&self, family: Family) -> Vec<(String, String)> {
        let pair = |name: &str, key: &Secret| (name.to_owned(), key.expose().to_owned());
        let header = match family {
            Family::Otp => self.basic.as_ref().map(|key| pair("authorization", key)),
            Family::Sms => self.sms.as_ref().map(|key| pair(&self.key_header, key)),
            Family::Lookup => self.lookup.as_ref().map(|key| pair(&self.key_header, key)),
            Family::Messaging => self
                .messaging
                .as_ref()
                .map(|(basic, key)| pair(if *basic { "authorization" } else { &self.key_header }, key)),
            Family::MessengerB => self.messenger_b.as_ref().map(|key| pair(&self.messenger_b_header, key)),
            Family::MessengerC => None,
        };
        header.into_iter().collect()
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}

/// A key or a name that cannot be a header would make every call fail.
fn check_headers(config: &Config) -> Result<(), Error> {
    let keys = [
        ("api_key", &config.api_key),
        ("sms_key", &config.sms_key),
        ("lookup_key", &config.lookup_key),
        ("messaging_key", &config.messaging_key),
        ("messenger_b_token", &config.messenger_b_token),
    ];
    for (member, key) in keys {
        let is_printable = |key: &Secret| key.expose().bytes().all(|byte| matches!(byte, b' '..=b'~'));
        if !key.as_ref().is_none_or(is_printable) {
            // As the last line of a file.
            let ends_with_line = key.as_ref().is_some_and(|key| key.expose().ends_with(['\n', '\r']));
            let found = if ends_with_line { ", got a line break at its end" } else { "" };
            return Err(Error::config(format!(
                "`{member}` must contain only printable ASCII characters{found}"
            )));
        }
    }
    let names = [
        ("api_key_header", &config.api_key_header),
        ("messenger_b_token_header", &config.messenger_b_token_header),
    ];
    for (member, name) in names {
        let Some(name) = name.as_deref() else { continue };
        if !is_token(name) {
            return Err(Error::config(format!("`{member}` must be an HTTP token")));
        }
        if is_reserved(name) {
            return Err(Error::config(format!(
                "`{member}` must be the name of a header for credentials, got the name of a header that HTTP uses for the message or the connection"
            )));
        }
    }
    Ok(())
}

/// Whether a name has at least one character and only those of a token (RFC 9110, 5.6.2).
pub(crate) fn is_token(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(allowed)
}

fn basic(config: &Config) -> Option<Secret> {
    let user = config.account_sid.as_deref().filter(|user| !user.is_empty())?;
    let key = config.api_key.as_ref().filter(|key| !key.is_empty())?;
    let encoded = STANDARD.encode(format!("{user}:{}", key.expose()));
    Some(Secret::new(format!("Basic {encoded}")))
}
