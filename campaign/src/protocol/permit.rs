//! Permits: which rows one owner may send.

use std::fmt;
use std::time::Duration;

/// A permit may be used for this long after its claim began.
pub(crate) const PERMIT_MAX_AGE: Duration = Duration::from_secs(30);

/// 128 random bits that identify a permit or an owner. `Debug` shows the first four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token([u8; 16]);

impl Token {
    /// A new random token.
    ///
    /// # Errors
    /// When the system returns no random numbers.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// The token with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// Its bytes in hexadecimal.
    #[must_use]
    pub fn to_hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Reads what [`Token::to_hex`] wrote.
    #[must_use]
    pub fn from_hex(hex: &str) -> Option<Self> {
        let is_hex = hex.len() == 32 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = is_hex.then(|| u128::from_str_radix(hex, 16).ok()).flatten()?;
        Some(Self(number.to_be_bytes()))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({}…)", self.to_hex().get(..8).unwrap_or_default())
    }
}

/// A row of a chunk, and the number of the attempt, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PermitRow {
    /// The index of the row in its chunk.
    pub row: u16,
    /// The number of permits that name the row, this one included.
    pub attempt: u16,
}

/// The right of one owner to send some rows of a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Permit {
    /// The position in the chunk's chain, from 0.
    pub sequence: u32,
    /// Stored with the permit. After a commit whose response was lost, the permit is won if the stored token is this one.
    pub token: Token,
    /// The worker that may send the rows.
    pub owner: Token,
    /// The rows.
    pub rows: Vec<PermitRow>,
    /// When it was claimed, in microseconds of the database's clock since 1970.
    pub claimed_us: i64,
}

impl Permit {
    /// The attempt of a row, if the permit names it.
    #[must_use]
    pub fn attempt(&self, row: u16) -> Option<u16> {
        self.rows.iter().find(|named| named.row == row).map(|named| named.attempt)
    }

    /// The rows as they are stored: two little-endian 16-bit numbers each.
    #[must_use]
    pub fn encode_rows(rows: &[PermitRow]) -> Vec<u8> {
        rows.iter()
            .flat_map(|named| {
                let ([a, b], [c, d]) = (named.row.to_le_bytes(), named.attempt.to_le_bytes());
                [a, b, c, d]
            })
            .collect()
    }

    /// Reads what [`Permit::encode_rows`] wrote; `None` when the length is not a multiple of four.
    #[must_use]
    pub fn decode_rows(bytes: &[u8]) -> Option<Vec<PermitRow>> {
        let (groups, []) = bytes.as_chunks::<4>() else { return None };
        let row = |[a, b, c, d]: &[u8; 4]| PermitRow {
            row: u16::from_le_bytes([*a, *b]),
            attempt: u16::from_le_bytes([*c, *d]),
        };
        Some(groups.iter().map(row).collect())
    }
}
