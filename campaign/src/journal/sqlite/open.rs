//! Opens a journal: a new file, one whose identity is compared, one for reading only, or one that gets a new identity.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::file_system::{beside, canonical, inode, refuse_mounted_file, refuse_network};
use super::foreign_file::{Found, empty_file, foreign, refuse_foreign};
use super::identity::{
    Stored, begin_epoch, finish_retirement, is_empty, older_inode, set_file_id, stored_version,
};
use super::lock_file::{Contents, LockFile};
use super::main_file::{Header, MainFile};
use super::unlocked::{connect_unlocked, has_log, run_no_checkpoint_on_close};
use super::{BUSY_TIMEOUT, OpenOptions, SqliteStore, failed};
use crate::error::{Error, Result, unopened};
use crate::identity_mismatch::{IdentityMismatch, Witness};
use crate::journal::schema;
use crate::journal::state_folder::StateFile;
use crate::private_file::refuse_wide;
use crate::protocol::Token;

impl SqliteStore {
    /// Opens or creates a journal.
    ///
    /// # Errors
    /// When the file cannot be opened, is not the journal that was written last, or is on a network file system.
    pub fn open(path: &Path, options: OpenOptions) -> Result<Self> {
        let path = canonical(path).map_err(unopened(path.display()))?;
        let found = Found::at(&path)?;
        let must_exist = options.existing || options.read_only || options.declares;
        if must_exist && found == Found::Nothing {
            return Err(Error::NoJournal(path.display().to_string()));
        }
        refuse_network(path.parent().unwrap_or(&path))?;
        if options.declares {
            refuse_hard_links(&path)?;
        }
        let lock_path = beside(&path, "-lock");
        if found == Found::EmptyFile {
            refuse_mounted_file(&path)?;
            if options.read_only || options.declares || inode(&lock_path) == 0 {
                return Err(empty_file(&path));
            }
        }
        if options.read_only {
            return open_to_read(path, &lock_path);
        }
        if found == Found::File && inode(&lock_path) == 0 {
            let main = MainFile::open(&path, false).map_err(unopened(path.display()))?;
            refuse_foreign(&path, &main, false)?;
        }
        let lock = open_lock(&path, &lock_path, found == Found::Nothing || options.declares)?;
        // SQLite does not wait for another connection that changes a new file to a write-ahead log, so this lock does.
        lock.lock().map_err(unopened(path.display()))?;
        let opened = if inode(&lock_path) == lock.inode().map_err(unopened(path.display()))? {
            open_locked(path.clone(), &lock, options)
        } else {
            Err(Error::Replaced)
        };
        lock.unlock().map_err(unopened(path.display()))?;
        let mut store = opened?;
        store.files.push((lock_path, lock.inode().map_err(unopened(path.display()))?));
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
            seen_header: Arc::default(),
            seen_schema: Arc::default(),
            file_id: 0,
            synced: Instant::now(),
            warning: None,
        }
    }
}

/// Refuses a file with several names. Each name has its own log and lock file, so the workers that use the file by another name would not
/// be seen, and the log that they write would not be read.
fn refuse_hard_links(path: &Path) -> Result<()> {
    let names = std::fs::metadata(path).map_err(unopened(path.display()))?.nlink();
    if names < 2 {
        return Ok(());
    }
    let rule = format!(
        "the file must have one name, got {names} hard links; copy it with `cp` to a new name, and use the copy"
    );
    Err(unopened(path.display())(io::Error::other(rule)))
}

/// Opens the lock file. Only a new database, or one that gets a new identity, gets a new one.
fn open_lock(path: &Path, lock_path: &Path, may_create: bool) -> Result<LockFile> {
    let opened = if may_create { LockFile::create(lock_path) } else { LockFile::open(lock_path) };
    opened.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if !may_create => copied(path, IdentityMismatch::LockFileMissing),
        _ => unopened(path.display())(error),
    })
}

fn copied(path: &Path, mismatch: IdentityMismatch) -> Error {
    Error::Copied { place: path.display().to_string(), mismatch }
}

fn open_locked(path: PathBuf, lock: &LockFile, options: OpenOptions) -> Result<SqliteStore> {
    let found = Found::at(&path)?;
    if lock.is_foreign().map_err(unopened(path.display()))? {
        let other = "a file beside it, with its name and `-lock`, that is not the lock file of a journal; use \
            another name, or remove that file if no program needs it";
        return Err(foreign(&path, other));
    }
    if found == Found::Nothing {
        refuse_mounted_file(&path)?;
        refuse_wide(&files(&path))?;
    }
    if found != Found::File {
        initialize_lock(&path, lock, found)?;
    }
    let main = MainFile::open(&path, found == Found::Nothing).map_err(unopened(path.display()))?;
    let contents = lock.contents().map_err(unopened(path.display()))?;
    if found == Found::File {
        refuse_foreign(&path, &main, contents.is_some())?;
    }
    // SQLite gives an empty log the mode of the database when it opens it.
    refuse_wide(&files(&path))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = connect(&path, flags)?;
    let mut store = SqliteStore::new(connection, main, path);
    let stored = Stored::read_any(&store.connection).map_err(failed)?;
    // The log may contain a newer version than the file.
    schema::check(stored_version(&store.connection).map_err(failed)?)?;
    if !options.declares {
        let finished = finish_retirement(&store.connection, stored.epoch).map_err(failed)?;
        finished.map_err(|mismatch| store.copied(mismatch))?;
    }
    if options.declares {
        configure(&store.connection).map_err(failed)?;
    } else if let Some(epoch) = stored.epoch {
        let header = store.main.header().map_err(unopened(store.path.display()))?;
        let is_own = is_own(lock, contents.as_ref()).map_err(unopened(store.path.display()))?;
        let by_state = highest_in_state_folder(&stored);
        compare(&stored, header, contents.as_ref(), is_own, by_state).map_err(|it| store.copied(it))?;
        configure(&store.connection).map_err(failed)?;
        store.adopt(lock, epoch, stored.generation)?;
    } else {
        begin(&mut store, lock, &stored)?;
    }
    store.file_id = store.main.header().map_err(unopened(store.path.display()))?.file_id;
    let log = beside(&store.path, "-wal");
    let log_inode = inode(&log);
    store.files.push((log, log_inode));
    Ok(store)
}

/// Writes the lock file of a new database, before the database.
fn initialize_lock(path: &Path, lock: &LockFile, found: Found) -> Result<()> {
    match lock.contents().map_err(unopened(path.display()))? {
        None if found == Found::EmptyFile => Err(empty_file(path)),
        None => lock.initialize(path, Token::random()?, 0).map_err(unopened(path.display())),
        // The creation ended after this step.
        Some(contents) if contents.generation == 0 => Ok(()),
        Some(_) => Err(copied(path, IdentityMismatch::DatabaseMissing)),
    }
}

/// Stores the identity of a new database, or of one of an older version.
fn begin(store: &mut SqliteStore, lock: &LockFile, stored: &Stored) -> Result<()> {
    let contents = lock.contents().map_err(unopened(store.path.display()))?;
    let is_new = is_empty(&store.connection).map_err(failed)?;
    let epoch = match contents {
        Some(contents) if is_new => {
            let compared = stored.check_witness(Witness::LockFile, contents.generation);
            compared.map_err(|it| store.copied(it))?;
            contents.epoch
        }
        None if older_inode(&store.connection).map_err(failed)? == Some(store.main.inode()) => {
            let epoch = Token::random()?;
            lock.initialize(&store.path, epoch, 0).map_err(unopened(store.path.display()))?;
            epoch
        }
        _ => return Err(store.copied(IdentityMismatch::NoIdentity)),
    };
    refuse_wide(&files(&store.path))?;
    // The first transaction of a new database has no log, so the file itself shows from then on that it is a journal, and which.
    configure_durability(&store.connection).map_err(failed)?;
    let has_log = uses_log(&store.connection).map_err(failed)?;
    let generation = stored.generation + 1;
    store.connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
    if is_new && !has_log {
        set_file_id(&store.connection)?;
    }
    begin_epoch(&store.connection, &store.main, epoch, generation)?;
    store.connection.execute_batch("COMMIT").map_err(failed)?;
    configure(&store.connection).map_err(failed)?;
    store.adopt(lock, epoch, generation)
}

/// How often a reader reads a journal again because a checkpoint changed the file meanwhile.
const READS: usize = 10;

/// Opens a journal for reading. It needs no lock: what witnesses remember is read before the journal, because workers raise it
/// after each commit, and so is the header.
fn open_to_read(path: PathBuf, lock_path: &Path) -> Result<SqliteStore> {
    let main = MainFile::open(&path, false).map_err(unopened(path.display()))?;
    let lock = LockFile::open_to_read(lock_path).ok();
    let contents = lock.as_ref().and_then(|lock| lock.contents().ok().flatten());
    refuse_foreign_to_read(&path, &main, lock.as_ref(), contents.is_some())?;
    let is_own_lock = lock.as_ref().is_some_and(|lock| is_own(lock, contents.as_ref()).unwrap_or(false));
    let (connection, is_locked) = connect_to_read(&path, is_own_lock)?;
    let by_state = highest_in_state_folder(&read(&connection)?);
    let mut header = main.header().map_err(unopened(path.display()))?;
    let mut stored = read(&connection)?;
    // A checkpoint in between raises the base above the header that was read before.
    for _ in 0..READS {
        if header.generation >= stored.base {
            break;
        }
        header = main.header().map_err(unopened(path.display()))?;
        stored = read(&connection)?;
    }
    let mut store = SqliteStore::new(connection, main, path);
    store.file_id = header.file_id;
    let compared = match &lock {
        None => Err(IdentityMismatch::LockFileMissing),
        Some(_) => compare(&stored, header, contents.as_ref(), is_own_lock, by_state),
    };
    let warning = compared.map_err(|it| store.copied(it)).and_then(|()| refuse_wide(&files(&store.path)));
    store.warning = warning.err();
    if store.warning.is_none() && !is_locked {
        store.warning = Some(Error::Unlocked(store.path.display().to_string()));
    }
    Ok(store)
}

/// The identity in one transaction.
fn read(connection: &Connection) -> Result<Stored> {
    connection.execute_batch("BEGIN").map_err(failed)?;
    let stored = Stored::read_any(connection).map_err(failed)?;
    connection.execute_batch("COMMIT").map_err(failed)?;
    Ok(stored)
}

/// The generation that the state folder remembers of the epoch of a journal.
fn highest_in_state_folder(stored: &Stored) -> i64 {
    stored.epoch.map_or(0, |epoch| StateFile::existing(epoch).highest())
}

/// All files of a journal.
fn files(path: &Path) -> [PathBuf; 4] {
    ["", "-wal", "-shm", "-lock"].map(|suffix| beside(path, suffix))
}

/// Refuses a file that is not a journal, unless a transaction has the lock of the journal now: the file may change then.
fn refuse_foreign_to_read(
    path: &Path,
    main: &MainFile,
    lock: Option<&LockFile>,
    has_contents: bool,
) -> Result<()> {
    let Some(lock) = lock.filter(|_| has_contents) else { return refuse_foreign(path, main, false) };
    if !lock.try_lock().map_err(unopened(path.display()))? {
        return Ok(());
    }
    let refused = refuse_foreign(path, main, true);
    lock.unlock().map_err(unopened(path.display())).and(refused)
}

/// A connection for reading, and whether it excludes that pages change under it. SQLite needs a file beside the database for
/// that. It is neither created beside a copy nor where nothing can be written.
fn connect_to_read(path: &Path, is_live: bool) -> Result<(Connection, bool)> {
    if is_live || has_log(path) && inode(&beside(path, "-shm")) != 0 {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = connect(path, flags)?;
        match Stored::read_any(&connection) {
            Ok(_) => return Ok((connection, true)),
            Err(error) if cannot_lock(&error) => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Ok((connect_unlocked(path)?, false))
}

fn cannot_lock(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

fn is_own(lock: &LockFile, contents: Option<&Contents>) -> io::Result<bool> {
    contents.map_or(Ok(false), |contents| lock.is_own(contents))
}

/// The header that the lock file of the same epoch remembers.
fn seen_header(stored: &Stored, contents: Option<&Contents>) -> i64 {
    let own = contents.filter(|contents| stored.epoch == Some(contents.epoch));
    own.map_or(0, |contents| contents.header)
}

/// Compares a journal with its header, its lock file, the state folder and the generation in its tables. Without the lock, what the
/// last three arguments contain was read before the journal.
fn compare(
    stored: &Stored,
    header: Header,
    contents: Option<&Contents>,
    is_own: bool,
    by_state: i64,
) -> Result<(), IdentityMismatch> {
    if stored.epoch.is_none() {
        return Err(IdentityMismatch::NoIdentity);
    }
    stored.check_header(header, seen_header(stored, contents))?;
    stored.check_lock_file(contents, is_own)?;
    stored.check_witness(Witness::StateFolder, by_state)?;
    stored.check_tables()
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection> {
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(failed)?;
    run_no_checkpoint_on_close(&connection)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

fn configure_durability(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "secure_delete", true)
}

/// Configures the connection for durable commits in a write-ahead log, which exists afterwards.
fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    configure_durability(connection)?;
    is_empty(connection).map(drop)
}

fn uses_log(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0)).map(|mode| mode == "wal")
}
