//! The channel objects of the messaging API (D1-D4) and their envelope.

mod business_chat;
mod envelope;
pub(crate) mod envelope_rules;
pub(crate) mod failover;
mod messenger_a;
mod messenger_b;
mod messenger_c;
pub(crate) mod webhook_account;

pub use business_chat::*;
pub use envelope::Envelope;
pub use failover::*;
pub use messenger_a::*;
pub use messenger_b::*;
pub use messenger_c::*;

use serde::de::{Deserialize, MapAccess};
use serde::ser::SerializeMap;

use crate::model::model;
use crate::problem::{Pointer, Problems, Validate, codes};
use crate::rules::{sms, unknown_members};

macro_rules! channels {
    ($( $(#[doc = $doc:literal])* $variant:ident($model:ident) = $wire:literal ),* $(,)?) => {
        /// The content for one channel.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum Channel {
            $( $(#[doc = $doc])* $variant($model), )*
        }

        impl Channel {
            /// The channel names of the specification, in its order. `channel_names` in the configuration
            /// maps them to the names on the wire.
            pub const NAMES: &'static [&'static str] = &[$($wire),*];

            /// The name of the channel in the specification.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self { $( Self::$variant(_) => $wire, )* }
            }

            /// Whether the object has no members (in bulk such a channel counts as absent).
            #[must_use]
            pub fn is_empty(&self) -> bool {
                match self { $( Self::$variant(model) => crate::json::fill_model::is_blank(model), )* }
            }

            pub(crate) fn read<'de, A: MapAccess<'de>>(
                name: &str,
                map: &mut A,
            ) -> Result<Option<Self>, A::Error> {
                match name {
                    $( $wire => Ok(map.next_value::<Option<$model>>()?.map(Self::$variant)), )*
                    _ => Ok(None),
                }
            }

            /// Returns an empty channel object with this name.
            pub(crate) fn blank(name: &str) -> Option<Self> {
                enum Index { $($variant),* }
                let index = Self::NAMES.iter().position(|known| *known == name)?;
                $( if index == Index::$variant as usize {
                    return Some(Self::$variant($model::default()));
                } )*
                None
            }

            pub(crate) fn field(&mut self) -> &mut dyn crate::json::fill_model::FieldMut {
                match self { $( Self::$variant(model) => model, )* }
            }

            pub(crate) fn write<M: SerializeMap>(&self, name: &str, map: &mut M) -> Result<(), M::Error> {
                match self { $( Self::$variant(model) => map.serialize_entry(name, model), )* }
            }
        }

        impl Validate for Channel {
            fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
                match self { $( Self::$variant(model) => model.check(at, problems), )* }
            }
        }

        $( impl From<$model> for Channel {
            fn from(model: $model) -> Self { Self::$variant(model) }
        } )*
    };
}

channels! {
    /// SMS.
    Sms(Sms) = "sms",
    /// `messenger_a`.
    MessengerA(MessengerA) = "messenger_a",
    /// `messenger_b`.
    MessengerB(MessengerB) = "messenger_b",
    /// `messenger_c`.
    MessengerC(MessengerC) = "messenger_c",
    /// Business chat.
    BusinessChat(BusinessChat) = "business_chat",
}

model! {
    /// SMS as a channel of the messaging API (D1).
    pub struct Sms {
        required {
            /// The message text.
            text: String = "text" where NotEmpty,
        }
        optional {
            /// The sender: numeric 1-16 characters or alphanumeric 1-11 characters.
            sender: String = "sender" where SmsSender,
        }
    }
}

impl Validate for Sms {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        sms::text(&self.text, &at.key("text"), problems);
        match self.sender.as_deref() {
            None => problems.add_key(&codes::SMS_SENDER_MISSING, at, "sender"),
            Some("") => problems.add_key(&codes::SMS_SENDER_EMPTY, at, "sender"),
            Some(sender) => sms::sender(sender, sms::SenderRules::Channel, &at.key("sender"), problems),
        }
        unknown_members::unknown(self, at, problems);
    }
}

/// Reads an optional member; `null` is absent.
pub(crate) fn member<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    map: &mut A,
) -> Result<Option<T>, A::Error> {
    map.next_value::<Option<T>>()
}
