//! The user data of SMS parts as transmitted: 3GPP TS 23.040, section 9.2.3.24, and TS 23.038, section 6.1.2.

use serde::{Serialize, Serializer};

use super::errors::SegmentError;
use super::national::{Codes, Tables};
use super::segments::divide;
use super::septet_packing::pack;
use super::user_data_header::{Concatenation, Header, PORTS_OCTETS, header_septets};
use super::{Encoding, Language, Part, Ports, ReferenceBits, SegmentOptions};

/// The data coding scheme of the GSM 7-bit default alphabet, TS 23.038, section 4.
const DCS_GSM7: u8 = 0x00;
/// The data coding scheme of UCS-2.
const DCS_UCS2: u8 = 0x08;

/// Options of [`encode`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EncodeOptions {
    /// How the text is divided into parts.
    pub segments: SegmentOptions,
    /// The concatenation reference, the same in all parts of a message. A reference up to 255 has 8 bits, unless
    /// `segments` requests 16; a larger one has 16 bits. Two messages to one phone must have different references.
    pub reference: u16,
    /// Application ports in the header of each part.
    pub ports: Option<Ports>,
}

impl EncodeOptions {
    /// The defaults: those of [`SegmentOptions`], reference 0, no ports.
    #[must_use]
    pub const fn new() -> Self {
        Self { segments: SegmentOptions::new(), reference: 0, ports: None }
    }

    /// Sets how the text is divided.
    #[must_use]
    pub const fn segments(mut self, options: SegmentOptions) -> Self {
        self.segments = options;
        self
    }

    /// Sets the concatenation reference.
    #[must_use]
    pub const fn reference(mut self, reference: u16) -> Self {
        self.reference = reference;
        self
    }

    /// Sets application ports.
    #[must_use]
    pub const fn ports(mut self, ports: Ports) -> Self {
        self.ports = Some(ports);
        self
    }
}

/// A part as transmitted. In JSON, `udh` and `ud` are strings of hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct EncodedPart {
    /// The user data header with its length octet; empty if there is none.
    #[serde(serialize_with = "hexadecimal")]
    pub udh: Vec<u8>,
    /// The octets after the header as transmitted, fill bits included.
    #[serde(serialize_with = "hexadecimal")]
    pub ud: Vec<u8>,
    /// The user data length as transmitted: septets for GSM 7-bit, header and fill bits included; octets for UCS-2.
    pub udl: u8,
    /// The data coding scheme: 0 for GSM 7-bit, 8 for UCS-2.
    pub dcs: u8,
}

fn hexadecimal<S: Serializer>(octets: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or_default().to_ascii_uppercase();
    let text: String = octets.iter().flat_map(|octet| [digit(octet >> 4), digit(octet & 15)]).collect();
    serializer.serialize_str(&text)
}

/// A text as the parts that are transmitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Encoded {
    /// The alphabet of all parts.
    pub encoding: Encoding,
    /// The number of parts.
    pub count: u32,
    /// The language of the locking shift table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locking_shift: Option<Language>,
    /// The language of the single shift table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub single_shift: Option<Language>,
    /// The parts, in order.
    pub parts: Vec<EncodedPart>,
}

/// Encodes a text as the parts that [`segments`](super::segments) reports for the same options.
///
/// ```
/// use cpaas::text::{EncodeOptions, decode, encode};
/// let encoded = encode("hellohello", &EncodeOptions::new())?;
/// assert_eq!(encoded.parts[0].ud, [0xE8, 0x32, 0x9B, 0xFD, 0x46, 0x97, 0xD9, 0xEC, 0x37]);
/// assert_eq!((encoded.parts[0].udl, encoded.parts[0].dcs), (10, 0));
/// assert_eq!(decode(&encoded.parts)?, "hellohello");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`segments`](super::segments).
pub fn encode(text: &str, options: &EncodeOptions) -> Result<Encoded, SegmentError> {
    let mut segments = options.segments;
    if options.reference > u16::from(u8::MAX) {
        segments.reference_bits = ReferenceBits::Sixteen;
    }
    let octets = if options.ports.is_some() { PORTS_OCTETS } else { 0 };
    let mut ranges: Vec<Part> = Vec::new();
    let division = divide(text, &segments, octets, &mut |index, part| {
        ranges.truncate(index);
        ranges.push(part);
    })?;
    let (locking_shift, single_shift) = division.languages;
    let tables = Tables {
        locking: locking_shift.map_or(0, Language::id),
        single: single_shift.map_or(0, Language::id),
    };
    let count = u8::try_from(ranges.len()).unwrap_or(u8::MAX);
    let width = segments.reference_bits;
    let concatenation =
        |number| (count > 1).then_some(Concatenation { reference: options.reference, width, count, number });
    let codes = (division.count.encoding == Encoding::Gsm7).then(|| Codes::of(tables));
    let parts = (1..=count).zip(&ranges).map(|(number, range)| {
        let header = Header { concatenation: concatenation(number), ports: options.ports, tables };
        let text = text.get(range.start..range.end).unwrap_or_default();
        part(&header.octets(), text, codes.as_ref())
    });
    let parts = parts.collect();
    Ok(Encoded {
        encoding: division.count.encoding,
        count: division.count.count,
        locking_shift,
        single_shift,
        parts,
    })
}

/// Encodes one part: with `codes` in GSM 7-bit, without in UCS-2.
fn part(udh: &[u8], text: &str, codes: Option<&Codes>) -> EncodedPart {
    let udh = udh.to_vec();
    let Some(codes) = codes else {
        let ud: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let udl = length(udh.len() + ud.len());
        return EncodedPart { udh, ud, udl, dcs: DCS_UCS2 };
    };
    let mut septets = Vec::with_capacity(160);
    text.chars().for_each(|character| codes.push(character, &mut septets));
    let (header, fill) = header_septets(udh.len());
    let udl = length(header + septets.len());
    // Without septets, no octet follows the header and there are no fill bits.
    let ud = if septets.is_empty() { Vec::new() } else { pack(&septets, fill) };
    EncodedPart { udh, ud, udl, dcs: DCS_GSM7 }
}

/// The length as one octet; a part has at most 160 septets or 140 octets.
fn length(length: usize) -> u8 {
    u8::try_from(length).unwrap_or(u8::MAX)
}
