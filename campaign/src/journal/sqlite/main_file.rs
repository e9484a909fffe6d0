//! The database file, read without SQLite: its header contains the generation of the last checkpoint.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::private_file;

/// The first bytes of a SQLite database.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// The part of the header of a SQLite database that is read: from `schema_version` to `application_id`.
const HEADER: u64 = 40;
const HEADER_LENGTH: usize = 32;

/// What the header of the database file contains. The log may contain newer values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Header {
    /// The generation of the last checkpoint (`user_version`); 0 for a new file.
    pub(super) generation: i64,
    /// Raised by each change of the schema, and by a vacuum (`schema_version`).
    pub(super) schema: i64,
    /// Random bits of the file, which never change (`application_id`); 0 in a journal of an older version.
    pub(super) file_id: i64,
}

impl Header {
    fn parse(bytes: &[u8; HEADER_LENGTH]) -> Self {
        let number = |at: usize| {
            let word = bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
            i64::from(i32::from_be_bytes(word))
        };
        Self { schema: number(0), generation: number(20), file_id: number(28) }
    }
}

/// Device and inode.
type Key = (u64, u64);

/// The open database files of this process. Closing any descriptor of a file releases the locks that SQLite has on it, so all
/// stores of one file share a descriptor, which is closed after the last of them.
static OPEN: Mutex<Option<HashMap<Key, Arc<File>>>> = Mutex::new(None);

fn open_files() -> MutexGuard<'static, Option<HashMap<Key, Arc<File>>>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The database file of one store. The store drops it after its connection.
pub(super) struct MainFile {
    file: Option<Arc<File>>,
    key: Key,
}

impl MainFile {
    /// Opens a database file. With `create` it is created with mode 0600 if it is missing.
    pub(super) fn open(path: &Path, create: bool) -> io::Result<Self> {
        let mut guard = open_files();
        let files = guard.get_or_insert_default();
        let known = std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()));
        if let Some((key, file)) = known.and_then(|key| Some((key, files.get(&key)?))) {
            return Ok(Self { file: Some(file.clone()), key });
        }
        let file = if create { private_file::open_or_create(path)? } else { File::open(path)? };
        let found = file.metadata()?;
        let key = (found.dev(), found.ino());
        let file = files.entry(key).or_insert_with(|| Arc::new(file)).clone();
        Ok(Self { file: Some(file), key })
    }

    pub(super) const fn inode(&self) -> u64 {
        self.key.1
    }

    /// Another handle of the same descriptor.
    pub(super) fn share(&self) -> Self {
        let _guard = open_files();
        Self { file: self.file.clone(), key: self.key }
    }

    /// Reads the header; that of an empty file for one that is too short.
    pub(super) fn header(&self) -> io::Result<Header> {
        let Some(file) = &self.file else { return Ok(Header::default()) };
        let mut bytes = [0; HEADER_LENGTH];
        match file.read_exact_at(&mut bytes, HEADER) {
            Ok(()) => Ok(Header::parse(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(Header::default()),
            Err(error) => Err(error),
        }
    }

    /// Whether the file begins as every SQLite database does.
    pub(super) fn is_sqlite(&self) -> io::Result<bool> {
        let Some(file) = &self.file else { return Ok(false) };
        let mut bytes = [0; MAGIC.len()];
        match file.read_exact_at(&mut bytes, 0) {
            Ok(()) => Ok(bytes == *MAGIC),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The same file, whose reads fail.
    #[cfg(test)]
    pub(super) fn without_right_to_read(&self, path: &Path) -> Self {
        let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
        Self { file: Some(Arc::new(file)), key: self.key }
    }

    /// Makes the header durable. SQLite does not do this after a checkpoint that other readers made incomplete.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.as_ref().map_or(Ok(()), |file| file.sync_data())
    }
}

impl Drop for MainFile {
    fn drop(&mut self) {
        // The descriptor is closed while the map is locked, so that no other store gets locks in between.
        let mut guard = open_files();
        self.file = None;
        if let Some(files) = guard.as_mut()
            && files.get(&self.key).is_some_and(|file| Arc::strong_count(file) == 1)
        {
            files.remove(&self.key);
        }
    }
}
