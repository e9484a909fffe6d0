//! The request of the sending operations: recipients, channel objects and failover (D1, D5, D6).

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{Channel, Failover};
use crate::extra::Extra;
use crate::json::fill_model::{FieldMut, visit_member};
use crate::json::{Entry, tape_value::value};
use crate::model::recipient::{RecipientKind, VisitRecipient};
use crate::schema::Field;
use {
    super::member,
    crate::extra::{Key, duplicate_member},
};

/// The request of the three sending operations of the messaging API: an object whose channel members
/// keep their order, because a failover tries them in that order.
#[derive(Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Envelope {
    /// The traffic account used for sending: a UUID.
    pub traffic_account_id: Option<String>,
    /// The recipient of a single message.
    pub destination: Option<String>,
    /// The recipients of a bulk message.
    pub destinations: Option<Vec<String>>,
    /// The channel objects, in order.
    pub channels: Vec<Channel>,
    /// The conditions for moving to the next channel.
    pub failover: Option<Failover>,
    /// The version of the bulk operation; part of its path, not of its body.
    pub version: Option<String>,
    /// Undocumented members.
    pub extra: Extra,
}

impl Envelope {
    /// The first object of a channel.
    #[must_use]
    pub fn channel(&self, name: &str) -> Option<&Channel> {
        self.channels.iter().find(|channel| channel.name() == name)
    }

    /// Whether a member is set, by its name in the specification.
    pub(crate) fn has(&self, wire: &str) -> bool {
        match wire {
            "trafficAccountId" => self.traffic_account_id.is_some(),
            "destination" => self.destination.is_some(),
            "destinations" => self.destinations.is_some(),
            "failover" => self.failover.is_some(),
            "version" => self.version.is_some(),
            name => self.channel(name).is_some(),
        }
    }

    pub(crate) fn write<'n, S: Serializer>(
        &self,
        serializer: S,
        rename: impl Fn(&'static str) -> &'n str,
        with_version: bool,
    ) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(value) = &self.traffic_account_id {
            map.serialize_entry("trafficAccountId", value)?;
        }
        if let Some(value) = &self.destination {
            map.serialize_entry("destination", value)?;
        }
        if let Some(value) = &self.destinations {
            map.serialize_entry("destinations", value)?;
        }
        for channel in &self.channels {
            channel.write(rename(channel.name()), &mut map)?;
        }
        if let Some(value) = &self.failover {
            map.serialize_entry("failover", value)?;
        }
        if let (Some(value), true) = (&self.version, with_version) {
            map.serialize_entry("version", value)?;
        }
        for (name, value) in self.extra.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Serialize for Envelope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.write(serializer, |name| name, true)
    }
}

impl<'de> Deserialize<'de> for Envelope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Envelope;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Envelope, A::Error> {
        let mut envelope = Envelope::default();
        // Contains known members only, because it is searched linearly; `extra` detects other duplicates.
        let mut seen: Vec<Key<'de>> = Vec::new();
        while let Some(name) = map.next_key::<Key<'de>>()? {
            if seen.iter().any(|key| key.as_str() == name.as_str()) {
                return Err(duplicate_member());
            }
            match name.as_str() {
                "trafficAccountId" => envelope.traffic_account_id = member(&mut map)?,
                "destination" => envelope.destination = member(&mut map)?,
                "destinations" => envelope.destinations = member(&mut map)?,
                "failover" => envelope.failover = member(&mut map)?,
                "version" => envelope.version = member(&mut map)?,
                name if Channel::NAMES.contains(&name) => {
                    envelope.channels.extend(Channel::read(name, &mut map)?);
                }
                name => {
                    envelope.extra.read(name, &mut map)?;
                    continue;
                }
            }
            seen.push(name);
        }
        Ok(envelope)
    }
}

impl Envelope {
    /// The members that are not channels.
    const NAMES: [&str; 5] = ["trafficAccountId", "destination", "destinations", "failover", "version"];

    /// Reads all members into an empty envelope; `null` is absent.
    pub(crate) fn read(&mut self, entry: Entry<'_>) {
        let mut unknown = Vec::new();
        for member in entry.children() {
            let name = member.name();
            if let Some(field) = self.field_mut(index(name)) {
                field.fill(member);
            } else if let Some(mut channel) = Channel::blank(name) {
                channel.field().fill(member);
                self.channels.push(channel);
            } else {
                unknown.push((name.to_owned(), value(member)));
            }
        }
        self.extra.keep_request_members(unknown);
    }

    /// Passes each recipient to `visit`. For a bulk message, a channel without members counts as absent (D6).
    pub(crate) fn recipients(
        &mut self,
        fields: &'static [Field],
        is_bulk: bool,
        visit: &mut VisitRecipient<'_>,
    ) {
        let kind = self.recipient_kind(is_bulk);
        for field in fields.iter().filter(|field| field.is_phone) {
            if let Some(member) = self.field_mut(index(field.wire)) {
                visit_member(field, member, kind, visit);
            }
        }
    }

    /// What the recipients are: phone numbers only if the channels are SMS and nothing else. An undocumented object counts as a chat
    /// channel, unless it is an `sms` that the program added to the documented members.
    fn recipient_kind(&self, is_bulk: bool) -> RecipientKind {
        let undocumented = || self.extra.iter().filter(|(_, value)| value.is_object());
        let mut has_sms = undocumented().any(|(name, _)| name == "sms");
        let mut has_chat = undocumented().any(|(name, _)| name != "sms");
        for channel in self.channels.iter().filter(|channel| !is_bulk || !channel.is_empty()) {
            match channel {
                Channel::Sms(_) => has_sms = true,
                _ => has_chat = true,
            }
        }
        match (has_sms, has_chat) {
            (true, false) => RecipientKind::Number,
            (true, true) => RecipientKind::NumberOrIdentifier,
            (false, _) => RecipientKind::Identifier,
        }
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn FieldMut> {
        crate::model::member_at!(self, index,
            traffic_account_id;
            destination;
            destinations;
            failover;
            version;
        )
    }
}

/// The index of a member that is not a channel.
fn index(name: &str) -> usize {
    let mut names = Envelope::NAMES.iter();
    names.position(|known| *known == name).unwrap_or(Envelope::NAMES.len())
}

impl fmt::Debug for Envelope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Envelope")
            .field("channels", &self.channels)
            .field("failover", &self.failover)
            .finish_non_exhaustive()
    }
}
