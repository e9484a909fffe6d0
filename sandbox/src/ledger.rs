//! The ledger: every accepted message, complete, never evicted.

use serde_json::{Value, json};

use crate::faults::Kind;
use crate::random::Id;
use crate::time::iso;

/// One accepted message: 56 bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) id: Id,
    pub(crate) at: u64,
    /// FNV-1a of the request's body.
    pub(crate) request: u64,
    /// The recipient's digits, or FNV-1a of a chat identifier.
    pub(crate) to: u64,
    /// FNV-1a of the request's `reference`, or 0.
    pub(crate) reference: u64,
    pub(crate) operation: Sort,
    pub(crate) fault: Option<Kind>,
    pub(crate) test: bool,
}

const _: () = assert!(size_of::<Entry>() <= 64, "a ledger entry is at most 64 bytes");

/// The operations that send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Sort {
    Otp,
    Sms,
    SmsBulk,
    Message,
    Failover,
    Bulk,
}

impl Sort {
    pub(crate) fn is_sms(self) -> bool {
        matches!(self, Self::Sms | Self::SmsBulk)
    }

    pub(crate) fn operation(self) -> &'static str {
        match self {
            Self::Otp => "otp.send",
            Self::Sms => "sms.send",
            Self::SmsBulk => "sms.send_bulk",
            Self::Message => "messages.send",
            Self::Failover => "messages.send_failover",
            Self::Bulk => "messages.send_bulk",
        }
    }
}

/// FNV-1a, 64 bits.
pub(crate) fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A recipient as the ledger keeps it.
pub(crate) fn recipient(to: &str) -> u64 {
    to.parse().unwrap_or_else(|_| fnv(to.as_bytes()))
}

impl Entry {
    pub(crate) fn show(&self, number: usize) -> Value {
        json!({
            "n": number,
            "id": self.id.to_string(),
            "at": iso(self.at),
            "operation": self.operation.operation(),
            "to": self.to.to_string(),
            "request": format!("{:016x}", self.request),
            "reference": (self.reference != 0).then(|| format!("{:016x}", self.reference)),
            "fault": self.fault.map(Kind::name),
            "test": self.test,
        })
    }
}
