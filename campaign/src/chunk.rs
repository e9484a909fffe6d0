//! Chunks: 1,000 rendered rows each (the last one may have fewer), compressed, with a digest.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::hexadecimal::hex;
use crate::protocol::CreationDecision;

/// One row as the creation of the campaign stored it.
#[derive(Clone, Serialize, Deserialize)]
pub struct ChunkRow {
    /// What the creation decided about the row.
    #[serde(rename = "b")]
    pub base: CreationDecision,
    /// The recipients, in the form in which they are compared; empty for an operation without recipients.
    #[serde(rename = "t", default, skip_serializing_if = "Vec::is_empty")]
    pub recipients: Vec<String>,
    /// The number of billed parts; 0 if the operation does not send an SMS.
    #[serde(rename = "p", default, skip_serializing_if = "is_zero")]
    pub parts: u32,
    /// The price in billionths of the currency; 0 without prices, or if they are in several currencies.
    #[serde(rename = "c", default, skip_serializing_if = "costs_nothing")]
    pub price: i64,
    /// The time zone of the row's send window, when it has one of its own.
    #[serde(rename = "z", default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// The line of the file in which the row begins; `None` if the rows were not read from a file.
    #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Why the row is invalid, suppressed or a duplicate: the codes of rules and JSON pointers, never values.
    #[serde(rename = "e", default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The request as JSON; `None` for an invalid row.
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Box<RawValue>>,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(parts: &u32) -> bool {
    *parts == 0
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn costs_nothing(price: &i64) -> bool {
    *price == 0
}

impl ChunkRow {
    /// An invalid row, with its recipients if they are known.
    #[must_use]
    pub fn invalid(problem: impl Into<String>, recipients: Vec<String>) -> Self {
        Self {
            base: CreationDecision::Invalid,
            recipients,
            parts: 0,
            price: 0,
            time_zone: None,
            line: None,
            problem: Some(problem.into()),
            request: None,
        }
    }
}

impl std::fmt::Debug for ChunkRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChunkRow")
            .field("base", &self.base)
            .field("parts", &self.parts)
            .finish_non_exhaustive()
    }
}

/// Rows as they are stored.
#[derive(Debug, Clone)]
pub struct EncodedChunk {
    /// The number of rows.
    pub rows: usize,
    /// The number of rows that may be sent.
    pub ready: usize,
    /// SHA-256 of the rows before compression, in hexadecimal.
    pub digest: String,
    /// The compressed rows.
    pub body: Vec<u8>,
    /// The columns that the campaign keeps, as [`encode_kept`] writes them; `None` if it keeps none.
    pub kept: Option<Vec<u8>>,
}

fn damaged<E>(_: E) -> Error {
    Error::Damaged("a chunk cannot be read")
}

/// Compresses rows.
///
/// # Errors
/// When a row cannot be written.
pub fn encode(rows: &[ChunkRow]) -> Result<EncodedChunk> {
    let mut plain = Vec::new();
    for row in rows {
        serde_json::to_writer(&mut plain, row).map_err(damaged)?;
        plain.push(b'\n');
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&plain).map_err(damaged)?;
    Ok(EncodedChunk {
        rows: rows.len(),
        ready: rows.iter().filter(|row| row.base == CreationDecision::Ready).count(),
        digest: hex(&Sha256::digest(&plain)),
        body: encoder.finish().map_err(damaged)?,
        kept: None,
    })
}

/// Reads the rows of a chunk and compares its digest.
///
/// # Errors
/// When the chunk is damaged.
pub fn decode(body: &[u8], digest: &str) -> Result<Vec<ChunkRow>> {
    let mut plain = Vec::new();
    DeflateDecoder::new(body).read_to_end(&mut plain).map_err(damaged)?;
    if hex(&Sha256::digest(&plain)) != digest {
        return Err(Error::Damaged("the digest of a chunk differs"));
    }
    let lines = plain.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).map_err(damaged)).collect()
}

/// Compresses the values of the columns that a campaign keeps, with their digest before them. Each row has one value for each column.
///
/// # Errors
/// When a value cannot be written.
pub fn encode_kept(rows: &[Vec<Value>]) -> Result<Vec<u8>> {
    let mut plain = Vec::new();
    for row in rows {
        serde_json::to_writer(&mut plain, row).map_err(damaged)?;
        plain.push(b'\n');
    }
    let mut encoder = DeflateEncoder::new(Sha256::digest(&plain).to_vec(), Compression::fast());
    encoder.write_all(&plain).map_err(damaged)?;
    encoder.finish().map_err(damaged)
}

/// Reads what [`encode_kept`] wrote.
///
/// # Errors
/// When it is damaged.
pub fn decode_kept(bytes: &[u8]) -> Result<Vec<Vec<Value>>> {
    let (digest, body) = bytes.split_at_checked(32).ok_or_else(|| damaged(()))?;
    let mut plain = Vec::new();
    DeflateDecoder::new(body).read_to_end(&mut plain).map_err(damaged)?;
    if Sha256::digest(&plain).as_slice() != digest {
        return Err(Error::Damaged("the digest of the kept columns of a chunk differs"));
    }
    let lines = plain.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).map_err(damaged)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn kept_columns_are_read_back_and_damaged_ones_are_rejected() {
        let rows = vec![vec![json!("a\nb"), json!(7)], vec![Value::Null, json!({"x": ["γ"]})]];
        let bytes = encode_kept(&rows).unwrap();
        assert_eq!(decode_kept(&bytes).unwrap(), rows);
        for at in [0, 20, bytes.len() - 4] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(decode_kept(&damaged).is_err(), "{at}");
        }
        assert!(decode_kept(&bytes[..9]).is_err());
    }

    #[test]
    fn a_chunk_is_read_back_and_a_damaged_one_is_rejected() {
        let mut row = ChunkRow::invalid("x", Vec::new());
        row.base = CreationDecision::Ready;
        row.request = Some(RawValue::from_string(r#"{"to":"306900000001","text":"Γειά"}"#.into()).unwrap());
        let chunk = encode(&[row.clone(), ChunkRow::invalid("/to MSISDN_SHAPE", Vec::new())]).unwrap();
        assert_eq!((chunk.rows, chunk.ready), (2, 1));
        let rows = decode(&chunk.body, &chunk.digest).unwrap();
        assert_eq!(rows[0].request.as_ref().unwrap().get(), row.request.as_ref().unwrap().get());
        assert_eq!(rows[1].base, CreationDecision::Invalid);
        let mut body = chunk.body.clone();
        let middle = body.len() / 2;
        body[middle] ^= 1;
        assert!(decode(&body, &chunk.digest).is_err());
    }
}
