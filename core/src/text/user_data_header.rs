//! The user data header of a part: 3GPP TS 23.040, section 9.2.3.24.

use super::national::Tables;
use super::septet_packing::septets_of_octets;
use super::{DecodeError, Language, ReferenceBits};

/// Identifiers of the header elements, TS 23.040, section 9.2.3.24.
const CONCATENATION_8: u8 = 0x00;
const PORTS_8: u8 = 0x04;
const PORTS_16: u8 = 0x05;
const CONCATENATION_16: u8 = 0x08;
const SINGLE_SHIFT: u8 = 0x24;
const LOCKING_SHIFT: u8 = 0x25;

/// Octets of the element with two 16-bit ports.
pub(super) const PORTS_OCTETS: usize = 6;

/// Application ports (TS 23.040, section 9.2.3.24.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ports {
    /// The port of the receiving application.
    pub destination: u16,
    /// The port of the sending application.
    pub source: u16,
}

/// The place of a part in its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Concatenation {
    pub(super) reference: u16,
    pub(super) width: ReferenceBits,
    pub(super) count: u8,
    /// 1 to `count`.
    pub(super) number: u8,
}

/// The known elements of a header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) concatenation: Option<Concatenation>,
    pub(super) ports: Option<Ports>,
    pub(super) tables: Tables,
}

impl Header {
    /// The octets with the length octet; empty without elements.
    pub(super) fn octets(&self) -> Vec<u8> {
        let mut elements = Vec::new();
        if let Some(Concatenation { reference, width, count, number }) = self.concatenation {
            let [high, low] = reference.to_be_bytes();
            match width {
                ReferenceBits::Eight => elements.extend([CONCATENATION_8, 3, low, count, number]),
                ReferenceBits::Sixteen => elements.extend([CONCATENATION_16, 4, high, low, count, number]),
            }
        }
        if let Some(Ports { destination, source }) = self.ports {
            elements.extend([PORTS_16, 4]);
            elements.extend(destination.to_be_bytes());
            elements.extend(source.to_be_bytes());
        }
        for (element, id) in [(SINGLE_SHIFT, self.tables.single), (LOCKING_SHIFT, self.tables.locking)] {
            if id != 0 {
                elements.extend([element, 1, id]);
            }
        }
        if !elements.is_empty() {
            elements.insert(0, u8::try_from(elements.len()).unwrap_or(u8::MAX));
        }
        elements
    }

    /// Reads the octets of a header with its length octet. Unknown elements are skipped, as the standard requires.
    pub(super) fn read(part: usize, octets: &[u8]) -> Result<Self, DecodeError> {
        let mut header = Self::default();
        let Some((length, mut rest)) = octets.split_first() else { return Ok(header) };
        if usize::from(*length) != rest.len() {
            let message = format!("the length of the header must be {}, got {length}", rest.len());
            return Err(DecodeError::at(part, 0, message));
        }
        while let [id, length, tail @ ..] = rest {
            let at = octets.len() - rest.len();
            let Some((value, after)) = tail.split_at_checked(usize::from(*length)) else {
                let message = format!("the header element must have {length} octets, got {}", tail.len());
                return Err(DecodeError::at(part, at + 1, message));
            };
            header.set(*id, value).map_err(|message| DecodeError::at(part, at, message))?;
            rest = after;
        }
        if !rest.is_empty() {
            let message = "a header element must have an identifier and a length".to_owned();
            return Err(DecodeError::at(part, octets.len() - rest.len(), message));
        }
        Ok(header)
    }

    fn set(&mut self, id: u8, value: &[u8]) -> Result<(), String> {
        match (id, value) {
            (CONCATENATION_8, [reference, count, number]) => {
                self.join(u16::from(*reference), ReferenceBits::Eight, *count, *number)?;
            }
            (CONCATENATION_16, [high, low, count, number]) => {
                let reference = u16::from_be_bytes([*high, *low]);
                self.join(reference, ReferenceBits::Sixteen, *count, *number)?;
            }
            (PORTS_8, [destination, source]) => {
                self.ports = Some(Ports { destination: u16::from(*destination), source: u16::from(*source) });
            }
            (PORTS_16, [high, low, source_high, source_low]) => {
                let destination = u16::from_be_bytes([*high, *low]);
                let source = u16::from_be_bytes([*source_high, *source_low]);
                self.ports = Some(Ports { destination, source });
            }
            (SINGLE_SHIFT, [id]) => self.tables.single = table(*id)?,
            (LOCKING_SHIFT, [id]) if *id == Language::Spanish.id() => {
                return Err(
                    "the language must have a locking shift table, got Spanish, which has none".to_owned()
                );
            }
            (LOCKING_SHIFT, [id]) => self.tables.locking = table(*id)?,
            (CONCATENATION_8 | CONCATENATION_16 | PORTS_8 | PORTS_16 | SINGLE_SHIFT | LOCKING_SHIFT, _) => {
                let expected = match id {
                    CONCATENATION_8 => 3,
                    CONCATENATION_16 | PORTS_16 => 4,
                    PORTS_8 => 2,
                    _ => 1,
                };
                return Err(format!("the header element's length must be {expected}, got {}", value.len()));
            }
            _ => {}
        }
        Ok(())
    }

    fn join(&mut self, reference: u16, width: ReferenceBits, count: u8, number: u8) -> Result<(), String> {
        if number == 0 || number > count {
            return Err(format!("the number of the part must be 1 to {count}, got {number}"));
        }
        self.concatenation = Some(Concatenation { reference, width, count, number });
        Ok(())
    }
}

fn table(id: u8) -> Result<u8, String> {
    match Language::from_id(id) {
        Some(_) => Ok(id),
        None => Err(format!("the identifier of a national table must be 1 to 13, got {id}")),
    }
}

/// The septets that a header of this many octets and its fill bits occupy, and the number of fill bits.
pub(super) const fn header_septets(octets: usize) -> (usize, usize) {
    let septets = septets_of_octets(octets);
    (septets, septets * 7 - octets * 8)
}
