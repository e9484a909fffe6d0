//! The alphabet of a message, and the parts and units of a text.

use serde::{Deserialize, Serialize};

/// The alphabet of a message, TS 23.038 section 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// GSM 7-bit default alphabet with the extension table; units are septets. In JSON `gsm7`.
    Gsm7,
    /// UCS-2, in practice UTF-16; units are 16-bit code units. In JSON `ucs2`.
    Ucs2,
}

impl Encoding {
    /// The name in JSON: `gsm7` or `ucs2`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gsm7 => "gsm7",
            Self::Ucs2 => "ucs2",
        }
    }

    pub(super) fn from_wire(name: &str) -> Option<Self> {
        [Self::Gsm7, Self::Ucs2].into_iter().find(|known| known.as_str() == name)
    }
}

/// The parts and units of a text (specification: Limits, "SMS length").
///
/// An empty text is one part of 0 units. More than 255 parts are counted, although they cannot be sent:
/// [`segments`](super::segments) returns an error for them. A number above `u32::MAX` is reported as `u32::MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// The alphabet.
    pub encoding: Encoding,
    /// The number of parts.
    pub count: u32,
    /// Septets (`gsm7`) or UTF-16 code units (`ucs2`) of the whole text.
    pub units: u32,
    /// Units that still fit into the last part.
    pub remaining: u32,
}
