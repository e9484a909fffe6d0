//! Opens a journal: a new file, one whose identity is compared, one for reading only, or one that gets a new identity.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::file_system::{beside, canonical, inode, refuse_mounted_file, refuse_network};
use super::identity::{Stored, begin_epoch, has_table, is_empty, older_inode};
use super::lock_file::{Contents, LockFile};
use super::main_file::MainFile;
use super::{BUSY_WAIT, OpenOptions, SqliteStore, failed};
use crate::difference::{Difference, Witness};
use crate::error::{Error, Result};
use crate::journal::state_folder::StateFile;
use crate::private_file::refuse_wide;
use crate::protocol::Token;

impl SqliteStore {
    /// Opens or creates a journal.
    ///
    /// # Errors
    /// When the file cannot be opened, is not the journal that was written last, or is on a network file system.
    pub fn open(path: &Path, options: OpenOptions) -> Result<Self> {
        let path = canonical(path).map_err(Error::Open)?;
        let must_exist = options.existing || options.read_only || options.declares;
        if must_exist && inode(&path) == 0 {
            return Err(Error::Open(io::ErrorKind::NotFound.into()));
        }
        refuse_network(path.parent().unwrap_or(&path))?;
        let lock_path = beside(&path, "-lock");
        if options.read_only {
            return open_to_read(path, &lock_path);
        }
        let lock = open_lock(&path, &lock_path, options)?;
        // SQLite does not wait for another connection that changes a new file to a write-ahead log, so this lock does.
        lock.lock().map_err(Error::Open)?;
        let opened = if inode(&lock_path) == lock.inode().map_err(Error::Open)? {
            open_locked(path, &lock, options)
        } else {
            Err(Error::Replaced)
        };
        lock.unlock().map_err(Error::Open)?;
        let mut store = opened?;
        store.files.push((lock_path, lock.inode().map_err(Error::Open)?));
        store.lock = Some(lock);
        Ok(store)
    }

    fn new(connection: Connection, main: MainFile, path: PathBuf) -> Self {
        let files = vec![(path.clone(), main.inode())];
        Self {
            connection,
            main,
            lock: None,
            state: StateFile::default(),
            path,
            files,
            process: std::process::id(),
            epoch: Token::from_bytes([0; 16]),
            seen: (0, 0),
            seen_header: 0,
            synced: Instant::now(),
            warning: None,
        }
    }
}

fn is_empty_file(path: &Path) -> bool {
    std::fs::metadata(path).map_or(true, |found| found.len() == 0)
}

/// Opens the lock file. Only a new database, or one that gets a new identity, gets a new one.
fn open_lock(path: &Path, lock_path: &Path, options: OpenOptions) -> Result<LockFile> {
    let may_create = options.declares || is_empty_file(path);
    let opened = if may_create { LockFile::create(lock_path) } else { LockFile::open(lock_path) };
    opened.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if !may_create => copied(path, Difference::LockFileMissing),
        _ => Error::Open(error),
    })
}

fn copied(path: &Path, difference: Difference) -> Error {
    Error::Copied { place: path.display().to_string(), difference }
}

fn open_locked(path: PathBuf, lock: &LockFile, options: OpenOptions) -> Result<SqliteStore> {
    let is_new = is_empty_file(&path);
    if is_new && options.declares {
        return Err(Error::NotAJournal);
    }
    if is_new {
        refuse_mounted_file(&path)?;
        refuse_wide(&files(&path))?;
        initialize_lock(&path, lock)?;
    }
    let main = MainFile::open(&path, is_new).map_err(Error::Open)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = connect(&path, flags)?;
    let mut store = SqliteStore::new(connection, main, path);
    let stored = Stored::read_any(&store.connection).map_err(failed)?;
    if options.declares {
        if !has_version(&store.connection)? {
            return Err(Error::NotAJournal);
        }
        refuse_wide(&files(&store.path))?;
        configure(&store.connection).map_err(failed)?;
    } else if let Some(epoch) = stored.epoch {
        let header = store.main.header().map_err(Error::Open)?;
        let contents = lock.contents().map_err(Error::Open)?;
        let is_own = is_own(lock, contents.as_ref())?;
        compare(&stored, header, contents.as_ref(), is_own).map_err(|it| store.copied(it))?;
        refuse_wide(&files(&store.path))?;
        configure(&store.connection).map_err(failed)?;
        store.adopt(lock, epoch, stored.generation)?;
    } else {
        begin(&mut store, lock, &stored)?;
    }
    let log = beside(&store.path, "-wal");
    let log_inode = inode(&log);
    store.files.push((log, log_inode));
    Ok(store)
}

/// Writes the lock file of a new database, before the database.
fn initialize_lock(path: &Path, lock: &LockFile) -> Result<()> {
    match lock.contents().map_err(Error::Open)? {
        None => lock.initialize(path, Token::random()?, 0).map_err(Error::Open),
        // The creation ended after this step.
        Some(contents) if contents.generation == 0 => Ok(()),
        Some(_) => Err(copied(path, Difference::DatabaseMissing)),
    }
}

/// Stores the identity of a new database, or of one of an older version.
fn begin(store: &mut SqliteStore, lock: &LockFile, stored: &Stored) -> Result<()> {
    let contents = lock.contents().map_err(Error::Open)?;
    let epoch = match contents {
        Some(contents) if is_empty(&store.connection).map_err(failed)? => {
            let compared = stored.check_witness(Witness::LockFile, contents.generation);
            compared.map_err(|it| store.copied(it))?;
            contents.epoch
        }
        None if older_inode(&store.connection).map_err(failed)? == Some(store.main.inode()) => {
            let epoch = Token::random()?;
            lock.initialize(&store.path, epoch, 0).map_err(Error::Open)?;
            epoch
        }
        _ if has_version(&store.connection)? => return Err(store.copied(Difference::NoIdentity)),
        _ => return Err(Error::NotAJournal),
    };
    refuse_wide(&files(&store.path))?;
    configure(&store.connection).map_err(failed)?;
    let generation = stored.generation + 1;
    store.connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
    begin_epoch(&store.connection, &store.main, epoch, generation)?;
    store.connection.execute_batch("COMMIT").map_err(failed)?;
    store.adopt(lock, epoch, generation)
}

/// Opens a journal for reading. It needs no lock: what witnesses remember is read before the journal, and the header before and
/// after it.
fn open_to_read(path: PathBuf, lock_path: &Path) -> Result<SqliteStore> {
    let main = MainFile::open(&path, false).map_err(Error::Open)?;
    let lock = LockFile::open_to_read(lock_path).ok();
    let contents = lock.as_ref().and_then(|lock| lock.contents().ok().flatten());
    let header = main.header().map_err(Error::Open)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = connect(&path, flags)?;
    if !has_version(&connection)? {
        return Err(Error::NotAJournal);
    }
    connection.execute_batch("BEGIN").map_err(failed)?;
    let stored = Stored::read_any(&connection).map_err(failed)?;
    connection.execute_batch("COMMIT").map_err(failed)?;
    let mut store = SqliteStore::new(connection, main, path);
    let later = store.main.header().map_err(Error::Open)?;
    // A checkpoint in between raises the header.
    let seen = seen_header(&stored, contents.as_ref()).max(stored.base);
    let header = if header < seen { later } else { header };
    let compared = match &lock {
        None => Err(Difference::LockFileMissing),
        Some(lock) => compare(&stored, header, contents.as_ref(), is_own(lock, contents.as_ref())?),
    };
    let warning = compared.map_err(|it| store.copied(it)).and_then(|()| refuse_wide(&files(&store.path)));
    store.warning = warning.err();
    Ok(store)
}

/// All files of a journal.
fn files(path: &Path) -> [PathBuf; 4] {
    ["", "-wal", "-shm", "-lock"].map(|suffix| beside(path, suffix))
}

fn is_own(lock: &LockFile, contents: Option<&Contents>) -> Result<bool> {
    contents.map_or(Ok(false), |contents| lock.is_own(contents)).map_err(Error::Open)
}

/// The header that the lock file of the same epoch remembers.
fn seen_header(stored: &Stored, contents: Option<&Contents>) -> i64 {
    let own = contents.filter(|contents| stored.epoch == Some(contents.epoch));
    own.map_or(0, |contents| contents.header)
}

/// Compares a journal with its header, its lock file and the state folder.
fn compare(
    stored: &Stored,
    header: i64,
    contents: Option<&Contents>,
    is_own: bool,
) -> Result<(), Difference> {
    let epoch = stored.epoch.ok_or(Difference::NoIdentity)?;
    stored.check_header(header, seen_header(stored, contents))?;
    stored.check_lock_file(contents, is_own)?;
    stored.check_witness(Witness::StateFolder, StateFile::existing(epoch).highest())
}

fn has_version(connection: &Connection) -> Result<bool> {
    if !has_table(connection, "meta").map_err(failed)? {
        return Ok(false);
    }
    let sql = "SELECT COUNT(*) FROM meta WHERE name IN ('version', 'epoch')";
    let rows = connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(failed)?;
    Ok(rows > 0)
}

/// Closing the connection runs no checkpoint: if its locks were released by another SQLite library, the checkpoint would remove a
/// log that other connections still write to.
fn connect(path: &Path, flags: OpenFlags) -> Result<Connection> {
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(BUSY_WAIT).map_err(failed)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "secure_delete", true)
}
