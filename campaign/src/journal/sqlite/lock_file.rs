//! The file beside the database: its lock serializes transactions, and it remembers the generation of the last commit.
//!
//! Its lines are generation, the generation in the header of the database, epoch, its own inode and its own time of birth. The
//! first two have a fixed length, so that a commit changes 33 bytes of one sector.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

use super::super::state_folder::DIGITS;
use super::file_system::{birth_ns, sync_folder};
use crate::private_file;
use crate::protocol::Token;

/// The length of the file; less than a sector.
const LENGTH: usize = 256;

/// What a lock file contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contents {
    pub(super) generation: i64,
    /// The generation of the last checkpoint that a transaction has seen.
    pub(super) header: i64,
    pub(super) epoch: Token,
    inode: u64,
    /// In nanoseconds since 1970; 0 where it was not known.
    birth_ns: i64,
}

impl Contents {
    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let mut field = |name: &str| lines.next()?.strip_prefix(name);
        Some(Self {
            generation: field("")?.parse().ok()?,
            header: field("")?.parse().ok()?,
            epoch: Token::from_hex(field("epoch ")?)?,
            inode: field("inode ")?.parse().ok()?,
            birth_ns: field("birth ")?.parse().ok()?,
        })
    }

    fn to_text(&self) -> String {
        let Self { generation, header, epoch, inode, birth_ns } = self;
        let epoch = epoch.to_hex();
        format!("{generation:0DIGITS$}\n{header:0DIGITS$}\nepoch {epoch}\ninode {inode}\nbirth {birth_ns}\n")
    }
}

pub(super) struct LockFile {
    file: File,
}

impl LockFile {
    /// Creates the file, or opens one that another process has just created.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        match private_file::create(path) {
            Ok(file) => Ok(Self { file }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Self::open(path),
            Err(error) => Err(error),
        }
    }

    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { file: private_file::open(path)? })
    }

    pub(super) fn open_to_read(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::open(path)? })
    }

    pub(super) fn lock(&self) -> io::Result<()> {
        self.file.lock()
    }

    /// Locks the file unless a transaction has it now.
    pub(super) fn try_lock(&self) -> io::Result<bool> {
        match self.file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    pub(super) fn unlock(&self) -> io::Result<()> {
        self.file.unlock()
    }

    pub(super) fn inode(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.ino())
    }

    /// What the file contains; `None` if it is new or was not written by this library.
    pub(super) fn contents(&self) -> io::Result<Option<Contents>> {
        let mut bytes = [0; LENGTH];
        let length = self.file.read_at(&mut bytes, 0)?;
        let text = bytes.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok());
        Ok(text.and_then(Contents::parse))
    }

    /// Whether another program wrote the file. Call it under the lock, because a new file is written in steps.
    pub(super) fn is_foreign(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.len() > 0 && self.contents()?.is_none())
    }

    /// Whether the contents are those of this file, and not of a file that it was copied from.
    pub(super) fn is_own(&self, contents: &Contents) -> io::Result<bool> {
        let born = birth_ns(&self.file);
        let has_own_birth = contents.birth_ns == 0 || born == 0 || contents.birth_ns == born;
        Ok(contents.inode == self.inode()? && has_own_birth)
    }

    /// Writes all contents, and makes the file and its name durable.
    pub(super) fn initialize(&self, path: &Path, epoch: Token, generation: i64) -> io::Result<()> {
        let contents =
            Contents { generation, header: 0, epoch, inode: self.inode()?, birth_ns: birth_ns(&self.file) };
        let text = contents.to_text();
        self.file.write_all_at(text.as_bytes(), 0)?;
        self.file.set_len(u64::try_from(text.len()).unwrap_or_default())?;
        self.file.sync_all()?;
        sync_folder(path)
    }

    /// The generation of the last commit, and the header that it saw; 0 if the file is new.
    pub(super) fn remembered(&self) -> io::Result<(i64, i64)> {
        Ok(self.contents()?.map_or((0, 0), |contents| (contents.generation, contents.header)))
    }

    pub(super) fn remember(&self, generation: i64, header: i64) -> io::Result<()> {
        self.file.write_all_at(format!("{generation:0DIGITS$}\n{header:0DIGITS$}").as_bytes(), 0)
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}
