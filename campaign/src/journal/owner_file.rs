//! The file of a worker: which rows of its open permits it may have sent.
//!
//! A worker names each permit in an entry before the permit is durable, and marks each row before the first byte of its request can
//! reach the network. The file is in memory: that survives a killed process, and no snapshot of a disk sets it back while the machine
//! runs. It is believed only on the boot that wrote it, if nobody has it open any more and it is the file that the worker created.
//! What it does not name is unknown.

use std::fs::{DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::sqlite::file_system::{birth_ns, is_in_memory};
use crate::platform::{boot_id, mount_namespace};
use crate::private_file;
use crate::protocol::Token;

/// The length of the head.
const HEAD: usize = 512;
/// The length of an entry: chunk, sequence, whether it is in use, and a byte for each row.
const ENTRY: usize = 64;
const IN_USE: usize = 8;
const MARKS: usize = 16;
/// Rows of a permit that can be marked.
const ROWS: usize = ENTRY - MARKS;
/// At most this many entries: 256 KiB.
const MAX_ENTRIES: usize = 4096;
/// A file whose journal does not exist any more stays for this time, because a journal may be moved.
const KEPT: Duration = Duration::from_secs(24 * 3600);

/// The folder of the files of this user.
fn folder() -> PathBuf {
    Path::new("/dev/shm").join(format!("cpaas-{}", rustix::process::geteuid().as_raw()))
}

/// Creates the folder if it is missing. Returns whether it is in memory and nobody else can write to it.
fn is_usable(folder: &Path) -> bool {
    let _ = DirBuilder::new().mode(0o700).create(folder);
    std::fs::symlink_metadata(folder).is_ok_and(|found| {
        found.is_dir() && found.uid() == rustix::process::geteuid().as_raw() && found.mode() & 0o077 == 0
    }) && is_in_memory(folder)
}

/// The first line of a head, then owner, boot, device, inode and time of birth of the file, the number of entries, and the journal.
fn head(owner: Token, boot: &str, file: &File, entries: usize, journal: &str) -> io::Result<String> {
    let found = file.metadata()?;
    let (device, inode, birth) = (found.dev(), found.ino(), birth_ns(file));
    let owner = owner.to_hex();
    let text = format!("cpaas owner 2\n{owner}\n{boot}\n{device} {inode} {birth}\n{entries}\n{journal}\n");
    Ok(format!("{text:HEAD$}"))
}

/// The line of a head for a journal in a file: the mount namespace and the path. Empty for a database server, and for a path that does
/// not fit.
fn journal_line(journal: Option<&Path>) -> String {
    let path = journal.and_then(|path| path.canonicalize().ok());
    let path =
        path.as_deref().and_then(Path::to_str).filter(|path| path.len() < HEAD / 2 && !path.contains('\n'));
    path.map(|path| format!("{} {path}", mount_namespace())).unwrap_or_default()
}

/// A line of a head, from 0.
fn line(head: &[u8], number: usize) -> Option<&str> {
    std::str::from_utf8(head).ok()?.lines().nth(number)
}

const BOOT_LINE: usize = 2;
const JOURNAL_LINE: usize = 5;

fn offset(entry: usize) -> u64 {
    u64::try_from(HEAD + entry * ENTRY).unwrap_or(u64::MAX)
}

/// The file of a worker that runs. It is locked as long as it is open.
#[derive(Debug)]
pub(crate) struct OwnerFile {
    file: File,
    path: PathBuf,
    entries: usize,
    /// It proves nothing any more, because it could not be written.
    is_void: AtomicBool,
    /// It could neither be written nor made void.
    is_stuck: AtomicBool,
}

impl OwnerFile {
    /// Creates the file of an owner; `None` where it would not prove anything or cannot be written.
    pub(crate) fn create(owner: Token, entries: usize, journal: Option<&Path>) -> Option<Self> {
        Self::create_in(&folder(), owner, entries, journal)
    }

    fn create_in(folder: &Path, owner: Token, entries: usize, journal: Option<&Path>) -> Option<Self> {
        let (boot, entries) = (boot_id(), entries.min(MAX_ENTRIES));
        if boot.is_empty() || !is_usable(folder) {
            return None;
        }
        let path = folder.join(owner.to_hex());
        let file = private_file::create(&path).ok()?;
        // Waits for a process that looks for files that are left.
        let written = file.lock().is_ok()
            // Without holes, so that a full disk does not prevent a mark.
            && file.write_all_at(&vec![0; HEAD + entries * ENTRY], 0).is_ok()
            && head(owner, &boot, &file, entries, &journal_line(journal)).and_then(|head| file.write_all_at(head.as_bytes(), 0)).is_ok();
        if !written {
            let _ = std::fs::remove_file(&path);
            return None;
        }
        Some(Self::new(file, path, entries))
    }

    const fn new(file: File, path: PathBuf, entries: usize) -> Self {
        Self { file, path, entries, is_void: AtomicBool::new(false), is_stuck: AtomicBool::new(false) }
    }

    fn is_void(&self) -> bool {
        self.is_void.load(Ordering::SeqCst)
    }

    /// Whether the worker must not send any more, because the file may prove something wrong.
    pub(crate) fn is_stuck(&self) -> bool {
        self.is_stuck.load(Ordering::SeqCst)
    }

    pub(crate) const fn entries(&self) -> usize {
        self.entries
    }

    /// Names a permit in an entry, before the permit is durable. Returns whether its rows must be marked.
    pub(crate) fn name(&self, entry: usize, chunk: u32, sequence: u32) -> bool {
        let mut bytes = [0; ENTRY];
        let (chunk, sequence) = (chunk.to_le_bytes(), sequence.to_le_bytes());
        for (place, byte) in bytes.iter_mut().zip(chunk.into_iter().chain(sequence).chain([1])) {
            *place = byte;
        }
        if !self.is_void() {
            self.written(&bytes, offset(entry));
        }
        !self.is_void()
    }

    /// Removes the name of a permit that this owner does not have.
    pub(crate) fn clear(&self, entry: usize) {
        self.written(&[0; ENTRY], offset(entry));
    }

    /// Marks a row as possibly sent. If this returns false, the row must not be sent.
    pub(crate) fn mark(&self, entry: usize, position: usize) -> bool {
        if position >= ROWS {
            return true; // Such a row is never believed to be unsent.
        }
        let place = u64::try_from(MARKS + position).unwrap_or_default();
        self.is_void() || self.written(&[1], offset(entry) + place) || self.is_void()
    }

    /// Writes bytes. After a failure the file must not prove anything any more.
    fn written(&self, bytes: &[u8], at: u64) -> bool {
        if self.file.write_all_at(bytes, at).is_ok() {
            return true;
        }
        let is_void = self.is_void()
            || self.file.write_all_at(&[0; HEAD], 0).is_ok()
            || std::fs::remove_file(&self.path).is_ok()
            || self.file.set_len(0).is_ok();
        let state = if is_void { &self.is_void } else { &self.is_stuck };
        state.store(true, Ordering::SeqCst);
        false
    }

    /// Removes the file after all rows were settled.
    pub(crate) fn remove(&self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// A file of this boot that nobody has open: its owner has ended.
pub(crate) struct LeftFile {
    pub(crate) owner: Token,
    path: PathBuf,
    journal: Option<PathBuf>,
    is_old: bool,
}

impl LeftFile {
    /// The files that nobody has open. Removes those of earlier boots.
    pub(crate) fn all() -> Vec<Self> {
        let folder = folder();
        if folder.exists() && is_usable(&folder) { Self::all_in(&folder, &boot_id()) } else { Vec::new() }
    }

    fn all_in(folder: &Path, boot: &str) -> Vec<Self> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| Self::read(entry.path(), boot)).collect()
    }

    fn read(path: PathBuf, boot: &str) -> Option<Self> {
        let file = private_file::open(&path).ok()?;
        file.try_lock().ok()?;
        let changed = file.metadata().and_then(|found| found.modified()).ok();
        let is_old = changed.and_then(|changed| changed.elapsed().ok()).is_some_and(|age| age >= KEPT);
        let mut head = [0; HEAD];
        // A file without a head may belong to a worker that starts at this moment.
        let written_in = file.read_exact_at(&mut head, 0).ok().and_then(|()| line(&head, BOOT_LINE));
        if written_in.map_or(is_old, |written_in| written_in != boot) {
            let _ = std::fs::remove_file(&path);
            return None;
        }
        let (namespace, journal) = line(&head, JOURNAL_LINE)?.split_once(' ').unwrap_or_default();
        let journal = (namespace == mount_namespace()).then(|| PathBuf::from(journal));
        let owner = Token::from_hex(path.file_name()?.to_str()?)?;
        Some(Self { owner, path, journal, is_old })
    }

    /// Whether its journal does not exist any more, and has not for long.
    pub(crate) fn is_abandoned(&self) -> bool {
        let exists = self.journal.as_ref().and_then(|journal| journal.try_exists().ok());
        self.is_old && exists == Some(false)
    }

    pub(crate) fn remove(self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// The file of an owner that has ended, and that it is believed.
pub(crate) struct Evidence {
    /// Locked, so that only one process settles by it at a time.
    _file: File,
    path: PathBuf,
    entries: Vec<[u8; ENTRY]>,
}

impl Evidence {
    /// Reads the file of an owner; `None` if it proves nothing. The caller knows that the owner has ended.
    pub(crate) fn of(owner: Token) -> Option<Self> {
        let folder = folder();
        let path = folder.join(owner.to_hex());
        (path.exists() && is_usable(&folder)).then(|| Self::read(&path, owner, &boot_id())).flatten()
    }

    fn read(path: &Path, owner: Token, boot: &str) -> Option<Self> {
        let file = private_file::open(path).ok()?;
        // While a process that may send has the file open, it is locked.
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => return None,
        }
        // The file was possibly removed because it cannot be written, or the disk has lost what was written.
        let (found, named) = (file.metadata().ok()?, std::fs::metadata(path).ok()?);
        if (found.dev(), found.ino()) != (named.dev(), named.ino()) || file.sync_all().is_err() {
            return None;
        }
        let mut bytes = vec![0; usize::try_from(found.len()).ok()?.min(HEAD + MAX_ENTRIES * ENTRY)];
        file.read_exact_at(&mut bytes, 0).ok()?;
        let (text, entries) = bytes.split_at_checked(HEAD)?;
        let (entries, rest) = entries.as_chunks::<ENTRY>();
        let expected = head(owner, boot, &file, entries.len(), line(text, JOURNAL_LINE)?).ok()?;
        if boot.is_empty() || !rest.is_empty() || text != expected.as_bytes() {
            return None;
        }
        Some(Self { entries: entries.to_vec(), path: path.to_owned(), _file: file })
    }

    /// The permits that are named: chunk and sequence.
    pub(crate) fn permits(&self) -> impl Iterator<Item = (u32, u32)> {
        self.entries.iter().filter(|entry| entry.get(IN_USE) == Some(&1)).map(key)
    }

    /// Whether the row at this position of a permit was certainly not sent: the permit is named, and no mark exists.
    pub(crate) fn is_unsent(&self, permit: (u32, u32), position: usize) -> bool {
        let mut is_named = false;
        for entry in self.entries.iter().filter(|entry| entry.get(IN_USE) == Some(&1) && key(entry) == permit)
        {
            if position >= ROWS || entry.get(MARKS + position) != Some(&0) {
                return false;
            }
            is_named = true;
        }
        is_named
    }

    /// Removes the file after its rows were settled.
    pub(crate) fn remove(self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Chunk and sequence of an entry.
fn key(entry: &[u8; ENTRY]) -> (u32, u32) {
    let number = |at: usize| {
        let bytes = entry.get(at..at + 4).and_then(|bytes| bytes.first_chunk::<4>());
        bytes.map_or(u32::MAX, |bytes| u32::from_le_bytes(*bytes))
    };
    (number(0), number(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNER: Token = Token::from_bytes([7; 16]);

    /// A folder in memory that nobody else can write to.
    fn memory() -> tempfile::TempDir {
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        tempfile::Builder::new().permissions(private).tempdir_in("/dev/shm").unwrap()
    }

    struct Owner {
        folder: tempfile::TempDir,
        file: Option<OwnerFile>,
    }

    impl Owner {
        fn new() -> Self {
            let folder = memory();
            let file = OwnerFile::create_in(folder.path(), OWNER, 4, None).unwrap();
            assert!(file.name(0, 5, 9) && file.mark(0, 1) && file.name(1, 5, 10));
            Self { folder, file: Some(file) }
        }

        fn path(&self) -> PathBuf {
            self.folder.path().join(OWNER.to_hex())
        }

        fn evidence(&self) -> Option<Evidence> {
            Evidence::read(&self.path(), OWNER, &boot_id())
        }
    }

    #[test]
    fn only_named_rows_without_a_mark_are_unsent() {
        let mut owner = Owner::new();
        assert!(owner.evidence().is_none(), "the owner has it open");
        owner.file = None;
        let evidence = owner.evidence().unwrap();
        assert_eq!(evidence.permits().collect::<Vec<_>>(), [(5, 9), (5, 10)]);
        assert!(evidence.is_unsent((5, 9), 0) && !evidence.is_unsent((5, 9), 1));
        assert!(evidence.is_unsent((5, 10), 0) && evidence.is_unsent((5, 10), ROWS - 1));
        assert!(!evidence.is_unsent((5, 10), ROWS), "more rows than an entry has");
        assert!(!evidence.is_unsent((5, 11), 0) && !evidence.is_unsent((0, 0), 0), "not named");
        assert!(owner.evidence().is_none(), "another process reads it");
        evidence.remove();
        assert!(!owner.path().exists());
    }

    #[test]
    fn a_permit_that_is_named_twice_is_unsent_only_if_neither_is_marked() {
        let mut owner = Owner::new();
        let file = owner.file.take().unwrap();
        assert!(file.name(2, 5, 9));
        file.clear(1);
        drop(file);
        let evidence = owner.evidence().unwrap();
        assert!(evidence.is_unsent((5, 9), 0) && !evidence.is_unsent((5, 9), 1));
        assert!(!evidence.is_unsent((5, 10), 0), "cleared");
    }

    #[test]
    fn a_file_of_another_boot_owner_or_place_is_not_believed() {
        let mut owner = Owner::new();
        owner.file = None;
        assert!(Evidence::read(&owner.path(), OWNER, "another boot").is_none());
        assert!(Evidence::read(&owner.path(), OWNER, "").is_none());
        assert!(Evidence::read(&owner.path(), Token::from_bytes([8; 16]), &boot_id()).is_none());
        let copy = owner.folder.path().join("copy");
        std::fs::copy(owner.path(), &copy).unwrap();
        std::fs::rename(&copy, owner.path()).unwrap();
        assert!(owner.evidence().is_none(), "a copy may be older");
    }

    #[test]
    fn a_file_that_is_not_complete_is_not_believed() {
        for damage in [
            |file: &File| file.set_len(0),
            |file: &File| file.set_len((HEAD + ENTRY) as u64),
            |file: &File| file.set_len((HEAD + 4 * ENTRY - 1) as u64),
            |file: &File| file.write_all_at(&[0; HEAD], 0),
            |file: &File| file.write_all_at(b"C", 0),
        ] {
            let mut owner = Owner::new();
            owner.file = None;
            damage(&private_file::open(&owner.path()).unwrap()).unwrap();
            assert!(owner.evidence().is_none());
        }
        let mut owner = Owner::new();
        owner.file = None;
        std::fs::remove_file(owner.path()).unwrap();
        assert!(owner.evidence().is_none());
        std::os::unix::fs::symlink("/dev/zero", owner.path()).unwrap();
        assert!(owner.evidence().is_none());
    }

    #[test]
    fn a_mark_that_cannot_be_written_makes_the_file_prove_nothing_or_forbids_to_send() {
        let owner = Owner::new();
        let readable = File::open(owner.path()).unwrap();
        let file = OwnerFile::new(readable, owner.path(), 4);
        assert!(file.mark(0, 0), "the file was removed, so the row may be sent");
        assert!(!owner.path().exists());
        assert!(file.mark(0, 2) && !file.name(0, 1, 1));
        let file = OwnerFile::new(File::open("/dev/null").unwrap(), owner.path(), 4);
        assert!(!file.mark(0, 0) && file.is_stuck(), "nothing could be written or removed");
    }

    #[test]
    fn a_folder_on_a_disk_or_that_others_can_write_to_is_not_used() {
        let disk = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let memory = memory();
        assert!(!is_usable(disk.path()) && is_usable(memory.path()));
        let link = memory.path().join("link");
        std::os::unix::fs::symlink(memory.path(), &link).unwrap();
        assert!(!is_usable(&link) && !is_usable(&memory.path().join("none/inner")));
        let wide = std::os::unix::fs::PermissionsExt::from_mode(0o770);
        std::fs::set_permissions(memory.path(), wide).unwrap();
        assert!(!is_usable(memory.path()));
        assert!(OwnerFile::create_in(memory.path(), OWNER, 4, None).is_none());
    }

    fn set_age(path: &Path, age: Duration) {
        let file = private_file::open(path).unwrap();
        file.set_modified(std::time::SystemTime::now() - age).unwrap();
    }

    /// The owners of the files that are left in a folder, and whether they are abandoned.
    fn left(folder: &Path) -> Vec<(Token, bool)> {
        LeftFile::all_in(folder, &boot_id()).iter().map(|left| (left.owner, left.is_abandoned())).collect()
    }

    #[test]
    fn files_of_earlier_boots_are_removed_and_those_of_this_boot_stay() {
        let mut owner = Owner::new();
        let old = owner.folder.path().join("old");
        let earlier = format!("{:HEAD$}", "cpaas owner 2\nx\nearlier boot\n");
        std::fs::write(&old, &earlier).unwrap();
        assert_eq!(left(owner.folder.path()), [], "the owner has its file open");
        assert!(!old.exists() && owner.path().exists());
        owner.file = None;
        assert_eq!(left(owner.folder.path()), [(OWNER, false)]);
        std::fs::write(&old, &earlier).unwrap();
        let open = File::open(&old).unwrap();
        open.lock().unwrap();
        left(owner.folder.path());
        assert!(old.exists(), "somebody has it open");
    }

    #[test]
    fn a_file_without_a_head_stays_while_its_owner_may_be_starting() {
        let folder = memory();
        let path = folder.path().join(OWNER.to_hex());
        for size in [0, 1, HEAD - 1] {
            std::fs::write(&path, vec![0; size]).unwrap();
            assert_eq!(left(folder.path()), []);
            assert!(path.exists(), "{size}");
            set_age(&path, KEPT - Duration::from_secs(60));
            left(folder.path());
            assert!(path.exists(), "{size}");
            set_age(&path, KEPT);
            left(folder.path());
            assert!(!path.exists(), "{size}");
        }
    }

    #[test]
    fn only_an_old_file_of_a_journal_that_does_not_exist_is_abandoned() {
        let (folder, journals) = (memory(), tempfile::tempdir().unwrap());
        let path = folder.path().join(OWNER.to_hex());
        let journal = journals.path().join("campaign.db");
        for (exists, age, is_abandoned) in [
            (true, Duration::ZERO, false),
            (true, KEPT * 2, false),
            (false, KEPT - Duration::from_secs(60), false),
            (false, KEPT, true),
        ] {
            std::fs::write(&journal, "").unwrap();
            drop(OwnerFile::create_in(folder.path(), OWNER, 4, Some(&journal)).unwrap());
            assert!(Evidence::read(&path, OWNER, &boot_id()).is_some());
            set_age(&path, age);
            if !exists {
                std::fs::remove_file(&journal).unwrap();
            }
            assert_eq!(left(folder.path()), [(OWNER, is_abandoned)], "{exists} {age:?}");
            std::fs::remove_file(&path).unwrap();
        }
        // Of a journal in a database server, and of one with a path that does not fit, nothing is known.
        let long = journals.path().join("x".repeat(250)).join("campaign.db");
        std::fs::create_dir(long.parent().unwrap()).unwrap();
        std::fs::write(&long, "").unwrap();
        for journal in [None, Some(long.as_path())] {
            drop(OwnerFile::create_in(folder.path(), OWNER, 4, journal).unwrap());
            assert!(Evidence::read(&path, OWNER, &boot_id()).is_some());
            set_age(&path, KEPT * 9);
            assert_eq!(left(folder.path()), [(OWNER, false)]);
            std::fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn a_forked_or_stopped_process_that_has_the_file_open_keeps_it_locked() {
        let mut owner = Owner::new();
        let inherited = owner.file.as_ref().unwrap().file.try_clone().unwrap();
        owner.file = None;
        assert!(owner.evidence().is_none(), "the copy of the descriptor has the same lock");
        drop(inherited);
        assert!(owner.evidence().is_some());
    }
}
