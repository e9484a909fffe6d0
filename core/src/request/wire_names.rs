//! Names that the provider documents ambiguously.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::channel::{Channel, Envelope};
use crate::config::{Config, SmsFormat};
use crate::error::Error;
use crate::util::percent::percent_encode_segment;

/// The names that the provider documents ambiguously; each has a default.
#[derive(Clone)]
#[non_exhaustive]
pub struct WireNames {
    /// The send path of the family `messaging`.
    pub send_path: String,
    /// The version of the bulk operation.
    pub bulk_version: String,
    /// Sends `From` and `To` for a passcode.
    pub otp_capitalized_names: bool,
    /// Requests the response to a single SMS as XML.
    pub sms_xml: bool,
    /// Sends search parameters in a body.
    pub search_body: bool,
    /// Sends the documented, unencoded form of the `messenger_c` setWebhook call.
    pub messenger_c_unencoded_url: bool,
    single: Channels,
    bulk: Channels,
}

/// A channel's name on the wire, by its name in the specification.
#[derive(Clone)]
struct Channels(Vec<(&'static str, String)>);

impl WireNames {
    pub(crate) fn new(config: &Config) -> Result<Self, Error> {
        let or = |name: &Option<String>, default: &str| name.clone().unwrap_or_else(|| default.to_owned());
        let mut bulk = BTreeMap::from([("messenger_a".to_owned(), "messengerA".to_owned())]);
        bulk.extend(config.bulk_channel_names.clone().unwrap_or_default());
        let bulk_version = or(&config.bulk_version, "1.1");
        let send_path = or(&config.send_path, "/messages/send");
        if !send_path.starts_with('/') {
            return Err(Error::config("`send_path` must start with `/`"));
        }
        Ok(Self {
            send_path: send_path.replace("{version}", &percent_encode_segment(&bulk_version)),
            sms_xml: config.sms_format == Some(SmsFormat::Xml),
            bulk_version,
            otp_capitalized_names: config.otp_capitalized_names.unwrap_or_default(),
            search_body: config.search_body.unwrap_or_default(),
            messenger_c_unencoded_url: config.messenger_c_unencoded_url.unwrap_or_default(),
            single: Channels::new("channel_names", &config.channel_names.clone().unwrap_or_default())?,
            bulk: Channels::new("bulk_channel_names", &bulk)?,
        })
    }

    pub(crate) fn body(&self, envelope: &Envelope, bulk: bool) -> Vec<u8> {
        let channels = if bulk { &self.bulk } else { &self.single };
        serde_json::to_vec(&Named { envelope, channels }).unwrap_or_default()
    }
}

impl fmt::Debug for WireNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WireNames")
            .field("otp_capitalized_names", &self.otp_capitalized_names)
            .field("sms_xml", &self.sms_xml)
            .field("search_body", &self.search_body)
            .field("messenger_c_unencoded_url", &self.messenger_c_unencoded_url)
            .finish_non_exhaustive()
    }
}

impl Channels {
    fn new(member: &str, names: &BTreeMap<String, String>) -> Result<Self, Error> {
        if names.keys().any(|name| !Channel::NAMES.contains(&name.as_str())) {
            let channels = Channel::NAMES.join(", ");
            return Err(Error::config(format!("each name in `{member}` must be a channel: {channels}")));
        }
        if names.values().any(String::is_empty) {
            return Err(Error::config(format!("each value of `{member}` must not be empty")));
        }
        let sent = |name: &'static str| names.get(name).map_or(name, String::as_str).to_owned();
        Ok(Self(Channel::NAMES.iter().map(|name| (*name, sent(name))).collect()))
    }

    fn wire(&self, neutral: &'static str) -> &str {
        self.0.iter().find(|(name, _)| *name == neutral).map_or(neutral, |(_, wire)| wire.as_str())
    }
}

struct Named<'a> {
    envelope: &'a Envelope,
    channels: &'a Channels,
}

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.envelope.write(serializer, |name| self.channels.wire(name), false)
    }
}
