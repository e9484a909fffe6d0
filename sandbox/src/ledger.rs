//! The ledger: an entry for every accepted message; entries are never evicted.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
#[cfg(unix)]
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use cpaas::operation::Operation as _;
use cpaas::{messages, otp, sms};
use serde_json::{Value, json};

use crate::faults::Kind;
use crate::random::Id;
use crate::time_text::iso;

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
    pub(crate) operation: SendOperation,
    pub(crate) fault: Option<Kind>,
    pub(crate) test: bool,
}

const _: () = assert!(size_of::<Entry>() <= 64, "a ledger entry is at most 64 bytes");

/// The operations that send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum SendOperation {
    Otp,
    Sms,
    SmsBulk,
    Message,
    Failover,
    Bulk,
}

impl SendOperation {
    pub(crate) const ALL: [Self; 6] =
        [Self::Otp, Self::Sms, Self::SmsBulk, Self::Message, Self::Failover, Self::Bulk];

    pub(crate) fn is_sms(self) -> bool {
        matches!(self, Self::Sms | Self::SmsBulk)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Otp => otp::SendPasscode::ID,
            Self::Sms => sms::SendSms::ID,
            Self::SmsBulk => sms::SendBulkSms::ID,
            Self::Message => messages::SendMessage::ID,
            Self::Failover => messages::SendFailoverMessage::ID,
            Self::Bulk => messages::SendBulkMessage::ID,
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

/// Bytes of an entry in a file, and of the header of the file.
const RECORD: usize = 56;
const HEADER: &[u8; RECORD] = b"cpaas-sandbox ledger 1: 56 bytes for each message      \n";
/// The mode of a file: it names recipients.
#[cfg(unix)]
const PRIVATE: u32 = 0o600;
/// The number of entries that are written together.
const GROUP: usize = 1024;

/// The entries of an account: in memory, or appended to a file.
#[derive(Default)]
pub(crate) struct Ledger {
    file: Option<File>,
    /// Entries in the file.
    written: usize,
    /// The entries after those in the file.
    last: Vec<Entry>,
    has_failed: bool,
}

/// The file of a further account's ledger: that of the first account, which is `--db`, with `.SID` appended.
pub(crate) fn path(db: &Path, sid: &str) -> PathBuf {
    let mut name = db.as_os_str().to_owned();
    name.push(".");
    name.push(sid);
    name.into()
}

/// Refuses a file that other users can access.
#[cfg(unix)]
fn refuse_wide(path: &Path, file: &File) -> io::Result<()> {
    let mode = file.metadata()?.permissions().mode() & 0o7777;
    if mode & 0o077 == 0 {
        return Ok(());
    }
    let path = crate::snippets::shell(&path.display().to_string());
    let message =
        format!("only its owner may have access to it, got the mode {mode:04o}; run `chmod 600 -- {path}`");
    Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
}

impl Ledger {
    /// Creates a ledger in a file that only its owner can read, and deletes the entries of an earlier run.
    ///
    /// # Errors
    /// If the file cannot be written, contains something other than a ledger, or can be accessed by other users.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        options.mode(PRIVATE);
        let mut file = options.open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it must be a regular file"));
        }
        let mut head = Vec::new();
        Read::take(&mut file, RECORD as u64).read_to_end(&mut head)?;
        if !head.is_empty() && head != HEADER {
            let message = "it must be new, empty or a ledger of the sandbox, and contains something else";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        #[cfg(unix)]
        refuse_wide(path, &file)?;
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(HEADER)?;
        Ok(Self { file: Some(file), ..Self::default() })
    }

    pub(crate) fn len(&self) -> usize {
        self.written + self.last.len()
    }

    /// Whether the file could not be written. The entries then stay in memory.
    pub(crate) const fn has_failed(&self) -> bool {
        self.has_failed
    }

    pub(crate) fn push(&mut self, entry: Entry) {
        self.last.push(entry);
        if self.file.is_some() && self.last.len() >= GROUP && !self.has_failed {
            self.has_failed = self.write().is_err();
        }
    }

    fn write(&mut self) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let bytes: Vec<u8> = self.last.iter().flat_map(|entry| entry.to_bytes()).collect();
        file.seek(SeekFrom::Start(offset(self.written)))?;
        file.write_all(&bytes)?;
        self.written += self.last.len();
        self.last.clear();
        Ok(())
    }

    /// At most `limit` entries from running number `from` on.
    pub(crate) fn entries(&self, from: usize, limit: usize) -> Vec<Entry> {
        let end = from.saturating_add(limit).min(self.len());
        let mut entries = self.read(from, end.min(self.written)).unwrap_or_default();
        let (first, last) = (from.saturating_sub(self.written), end.saturating_sub(self.written));
        entries.extend(self.last.get(first..last).unwrap_or_default());
        entries
    }

    fn read(&self, from: usize, end: usize) -> io::Result<Vec<Entry>> {
        let Some(mut file) = self.file.as_ref().filter(|_| from < end) else { return Ok(Vec::new()) };
        let mut bytes = vec![0; (end - from) * RECORD];
        file.seek(SeekFrom::Start(offset(from)))?;
        file.read_exact(&mut bytes)?;
        Ok(bytes.chunks_exact(RECORD).filter_map(Entry::from_bytes).collect())
    }

    pub(crate) fn get(&self, number: usize) -> Option<Entry> {
        self.entries(number, 1).into_iter().next()
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        self.last.clear();
        self.written = 0;
        if let Some(file) = &mut self.file {
            self.has_failed = file.set_len(RECORD as u64).is_err();
        }
    }
}

fn offset(number: usize) -> u64 {
    ((number + 1) * RECORD) as u64
}

impl Entry {
    fn to_bytes(self) -> [u8; RECORD] {
        let numbers = [self.id.0, self.id.1, self.at, self.request, self.to, self.reference];
        let fault = self.fault.and_then(|fault| Kind::ALL.iter().position(|kind| *kind == fault));
        let fault = fault.map_or(0, |index| index as u64 + 1);
        let rest = u64::from(self.operation as u8) | fault << 8 | u64::from(self.test) << 16;
        let mut bytes = [0; RECORD];
        let words = numbers.into_iter().chain([rest]).flat_map(u64::to_le_bytes);
        bytes.iter_mut().zip(words).for_each(|(byte, value)| *byte = value);
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (words, _) = bytes.as_chunks::<8>();
        let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
        let mut word = || words.next();
        let (id, at, request, to, reference) = (Id(word()?, word()?), word()?, word()?, word()?, word()?);
        let rest = word()?;
        let fault = (rest >> 8 & 0xFF) as usize;
        Some(Self {
            id,
            at,
            request,
            to,
            reference,
            operation: *SendOperation::ALL.get((rest & 0xFF) as usize)?,
            fault: fault.checked_sub(1).and_then(|index| Kind::ALL.get(index)).copied(),
            test: rest >> 16 & 1 == 1,
        })
    }

    pub(crate) fn show(&self, number: usize) -> Value {
        json!({
            "n": number,
            "id": self.id.to_string(),
            "at": iso(self.at),
            "operation": self.operation.name(),
            "to": self.to.to_string(),
            "request": format!("{:016x}", self.request),
            "reference": (self.reference != 0).then(|| format!("{:016x}", self.reference)),
            "fault": self.fault.map(Kind::name),
            "test": self.test,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: u64) -> Entry {
        let fault = [None, Kind::ALL.first().copied(), Kind::ALL.last().copied()];
        Entry {
            id: Id(number, !number),
            at: number * 3,
            request: number << 40,
            to: 306_900_000_000 + number,
            reference: number * number,
            operation: SendOperation::ALL[number as usize % 6],
            fault: fault[number as usize % 3],
            test: number.is_multiple_of(2),
        }
    }

    #[test]
    fn a_ledger_in_a_file_returns_the_same_entries_as_one_in_memory() {
        let folder = std::env::temp_dir().join(format!("cpaas-ledger-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("ledger");
        let (mut memory, mut file) = (Ledger::default(), Ledger::create(&path).unwrap());
        for number in 0..2500 {
            memory.push(entry(number));
            file.push(entry(number));
        }
        assert!(file.last.len() < GROUP && file.written >= 2 * GROUP, "most entries are in the file");
        let shown = |ledger: &Ledger, from, limit| {
            let entries = ledger.entries(from, limit);
            entries.iter().map(|entry| entry.show(0)).collect::<Vec<_>>()
        };
        for (from, limit) in
            [(0, usize::MAX), (0, 10), (2000, 100), (2040, 20), (2499, 9), (2500, 1), (9999, 9)]
        {
            assert_eq!(shown(&memory, from, limit), shown(&file, from, limit), "{from} {limit}");
        }
        assert_eq!(file.entries(0, usize::MAX).len(), 2500);
        assert_eq!(file.get(7).unwrap().to, 306_900_000_007);
        file.clear();
        file.push(entry(1));
        assert_eq!((file.len(), file.get(0).unwrap().at), (1, 3));
        // Opening a ledger again empties it; a file with other content is not changed.
        assert_eq!(Ledger::create(&path).unwrap().len(), 0);
        std::fs::write(&path, "precious").unwrap();
        assert!(Ledger::create(&path).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
