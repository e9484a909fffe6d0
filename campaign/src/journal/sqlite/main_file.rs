//! The database file, read without SQLite: the generation in its header is that of the last checkpoint.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::private_file;

/// Where the header of a SQLite database has its `user_version`.
const USER_VERSION: u64 = 60;

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

    /// The generation of the last checkpoint; 0 for a new file.
    pub(super) fn header(&self) -> io::Result<i64> {
        let Some(file) = &self.file else { return Ok(0) };
        let mut bytes = [0; 4];
        match file.read_exact_at(&mut bytes, USER_VERSION) {
            Ok(()) => Ok(i32::from_be_bytes(bytes).into()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(0),
            Err(error) => Err(error),
        }
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
