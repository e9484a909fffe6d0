//! The channel objects of the messaging API (D1-D4) and the envelope around them.

mod business_chat;
mod envelope;
mod failover;
mod messenger_a;
mod messenger_b;
mod messenger_c;
mod sms;

pub use business_chat::*;
pub use envelope::Envelope;
pub use failover::*;
pub use messenger_a::*;
pub use messenger_b::*;
pub use messenger_c::*;
pub use sms::Sms;

use serde::de::{Deserialize, MapAccess};
use serde::ser::SerializeMap;

use crate::operation::Validate;
use crate::problem::{Pointer, Problems};

macro_rules! channels {
    ($( $(#[doc = $doc:literal])* $variant:ident($model:ident) = $wire:literal ),* $(,)?) => {
        /// The content for one channel.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum Channel {
            $( $(#[doc = $doc])* $variant($model), )*
        }

        impl Channel {
            /// The channels' names in the neutral form, in the order of the specification.
            pub const NAMES: &'static [&'static str] = &[$($wire),*];

            /// The neutral name of the channel.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self { $( Self::$variant(_) => $wire, )* }
            }

            /// Whether the object has no member at all (in bulk such a channel counts as absent).
            #[must_use]
            pub fn is_empty(&self) -> bool {
                match self { $( Self::$variant(model) => *model == $model::default(), )* }
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

            /// A channel of that name without members.
            pub(crate) fn blank(name: &str) -> Option<Self> {
                enum At { $($variant),* }
                let place = Self::NAMES.iter().position(|known| *known == name)?;
                $( if place == At::$variant as usize {
                    return Some(Self::$variant($model::default()));
                } )*
                None
            }

            pub(crate) fn field(&mut self) -> &mut dyn crate::json::fill::FieldMut {
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

/// Reads an optional member and keeps `null` as absent.
pub(crate) fn member<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    map: &mut A,
) -> Result<Option<T>, A::Error> {
    map.next_value::<Option<T>>()
}
