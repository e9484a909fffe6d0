//! The journal in one SQLite file.

mod backup;
mod complete;
pub(super) mod file_system;
mod foreign_file;
mod identity;
mod lock_file;
mod main_file;
mod open;
mod unlocked;
mod watch;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, ToSql};

use super::state_folder::{Retirement, StateFile};
use super::store::{Declaration, DeclarationWork, Location, Row, Store, Transaction, Value, Watch, Work};
use crate::error::{Error, Result};
use crate::identity_mismatch::{IdentityMismatch, RETIRED, Witness};
use crate::protocol::Token;
use file_system::inode;
use identity::{
    Stored, begin_epoch, disk, finish_retirement, replaced_in_place, set_generation, store_base,
    store_retirement,
};
use lock_file::LockFile;
use main_file::MainFile;
pub(crate) use unlocked::connect_unchanging;

/// How often the lock file and the state folder become durable. After a power failure they remember less, never too much.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// How long a connection waits for another one that has a lock of SQLite.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a purge waits for readers. Workers wait meanwhile.
const READER_WAIT: Duration = Duration::from_secs(5);

/// How a journal is opened.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The journal must exist.
    pub existing: bool,
    /// Nothing is written. A journal that is not the one that was written last opens too, with
    /// [`Journal::warning`](super::Journal::warning).
    pub read_only: bool,
    /// The journal gets a new identity, so its identity is not compared.
    pub(crate) declares: bool,
}

impl OpenOptions {
    pub(crate) const fn to_read() -> Self {
        Self { existing: true, read_only: true, declares: false }
    }

    pub(crate) const fn to_declare() -> Self {
        Self { existing: true, read_only: false, declares: true }
    }
}

/// One SQLite file with mode 0600, a write-ahead log and `synchronous=FULL`. A separate lock file serializes transactions, because
/// another SQLite library in the same process can release the locks of this one.
pub struct SqliteStore {
    connection: Connection,
    main: MainFile,
    /// `None` in a journal that is only read.
    lock: Option<LockFile>,
    state: StateFile,
    path: PathBuf,
    /// The files of the journal and their inodes: the database, its log and its lock file.
    files: Vec<(PathBuf, u64)>,
    process: u32,
    epoch: Token,
    /// The highest generations of the journal and of the lock file that this store has seen.
    seen: (i64, i64),
    /// The header that is durable and that the lock file remembers. The watch of the files reads it too.
    seen_header: Arc<AtomicI64>,
    /// The schema number of the last transaction.
    seen_schema: Arc<AtomicI64>,
    /// The random bits of the file; 0 in a journal of an older version.
    file_id: i64,
    synced: Instant,
    warning: Option<Error>,
}

/// The new identity of a journal, and the epoch whose journals are refused from now on.
struct Declared {
    epoch: Token,
    generation: i64,
    retired: Option<Retirement>,
}

impl SqliteStore {
    fn checked(&self) -> Result<()> {
        if std::process::id() != self.process {
            return Err(Error::Forked);
        }
        // SQLite would read the pages of a file that was written into the database, and those of the log over them.
        let is_same_file = self.main.header().map_err(disk)?.file_id == self.file_id;
        if !is_same_file || self.files.iter().any(|(path, known)| inode(path) != *known) {
            return Err(Error::Replaced);
        }
        Ok(())
    }

    /// Compares the journal with what it was at the last transaction: its epoch, its header and what witnesses remember. Returns
    /// the generation in its header too.
    fn compare_identity(&mut self, lock: &LockFile) -> Result<(Stored, i64)> {
        let stored = Stored::read(&self.connection).map_err(failed)?;
        if stored.epoch != Some(self.epoch) {
            return Err(Error::Replaced);
        }
        let header = self.main.header().map_err(disk)?;
        let (remembered, seen_header) = lock.remembered().map_err(disk)?;
        let compared = stored
            .check_header(header, seen_header.max(self.seen_header()))
            .and_then(|()| stored.check_witness(Witness::LockFile, remembered))
            .and_then(|()| stored.check_witness(Witness::StateFolder, self.state.highest()))
            .and_then(|()| stored.check_witness(Witness::Worker, self.seen.0))
            .and_then(|()| stored.check_tables());
        compared.map_err(|mismatch| self.copied(mismatch))?;
        if remembered < self.seen.1 {
            return Err(self.copied(IdentityMismatch::LockFileCopied));
        }
        self.seen_header.fetch_max(seen_header, Ordering::SeqCst);
        self.seen_schema.store(stored.schema, Ordering::SeqCst);
        Ok((stored, header.generation))
    }

    /// As [`Self::compare_identity`], in a transaction that writes: stores a new header as the base.
    fn check_identity(&mut self, lock: &LockFile) -> Result<Stored> {
        let (stored, header) = self.compare_identity(lock)?;
        if header != stored.base {
            store_base(&self.connection, &self.main, header)?;
        }
        Ok(stored)
    }

    fn seen_header(&self) -> i64 {
        self.seen_header.load(Ordering::SeqCst)
    }

    fn copied(&self, mismatch: IdentityMismatch) -> Error {
        Error::Copied { place: self.path.display().to_string(), mismatch }
    }

    /// Runs a transaction, and returns its generation if it changed something.
    fn committed(&mut self, lock: &LockFile, work: Work<'_>) -> Result<Option<i64>> {
        self.checked()?;
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
        let result = self.worked(lock, work);
        let result = result.and_then(|generation| {
            self.connection.execute_batch("COMMIT").map_err(failed).map(|()| generation)
        });
        if result.is_err() {
            // After most errors SQLite has already rolled back.
            let _ = self.connection.execute_batch("ROLLBACK");
            return result;
        }
        // The log is also compared after the commit: if it was removed meanwhile, the commit is lost.
        let log = self.files.get(1).is_none_or(|(path, known)| inode(path) == *known);
        if log { result } else { Err(Error::Replaced) }
    }

    fn worked(&mut self, lock: &LockFile, work: Work<'_>) -> Result<Option<i64>> {
        let before = self.connection.total_changes();
        let stored = self.check_identity(lock)?;
        self.seen.0 = self.seen.0.max(stored.generation);
        let mut open = Open::new(&self.connection);
        work(&mut open)?;
        if !open.ran_script && self.connection.total_changes() == before {
            return Ok(None);
        }
        let generation = stored.generation + 1;
        set_generation(&self.connection, generation)?;
        Ok(Some(generation))
    }

    /// Makes the witnesses remember a generation whose commit is durable.
    fn record(&mut self, lock: &LockFile, generation: i64) -> Result<()> {
        self.seen.0 = generation;
        self.remember(lock, generation).map_err(|error| Error::NotRecorded(error.to_string()))?;
        self.seen.1 = generation;
        self.state.raise(generation).map_err(|mismatch| self.copied(mismatch))
    }

    /// Writes the generation and the header into the lock file. The commit may have run a checkpoint, whose header becomes
    /// durable first: after a power failure the header must not be before the one that the lock file remembers.
    fn remember(&mut self, lock: &LockFile, generation: i64) -> io::Result<()> {
        let header = self.main.header()?.generation;
        if header > self.seen_header() {
            self.main.sync()?;
            self.seen_header.store(header, Ordering::SeqCst);
        }
        lock.remember(generation, self.seen_header())
    }

    fn write_with(&mut self, lock: &LockFile, work: Work<'_>) -> Result<()> {
        lock.lock().map_err(lock_failed)?;
        let result = match self.committed(lock, work) {
            Ok(Some(generation)) => self.record(lock, generation),
            result => result.map(|_| ()),
        };
        lock.unlock().map_err(lock_failed)?;
        result?;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.synced = Instant::now();
            self.state.sync();
            lock.sync().map_err(|error| Error::NotRecorded(error.to_string()))?;
        }
        Ok(())
    }

    /// Writes the file anew without what was deleted, and empties the log. Pages may contain copies of deleted rows, because
    /// SQLite clears what it deletes, but not what it moved before.
    fn erase_with(&mut self, lock: &LockFile) -> Result<()> {
        let generation = self.generation_of_own_files(lock)?;
        self.connection.execute_batch("VACUUM").map_err(failed)?;
        self.connection.busy_timeout(READER_WAIT).map_err(failed)?;
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        let is_busy = self.connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(failed);
        self.connection.busy_timeout(BUSY_TIMEOUT).map_err(failed)?;
        if is_busy? != 0 {
            return Err(Error::NotErased(crate::private_file::quoted(&self.path)));
        }
        self.remember(lock, generation).map_err(disk)
    }

    /// The generation, if the files are still those that were opened: a checkpoint would write the log into a file that replaced the
    /// database. The caller has the lock.
    fn generation_of_own_files(&mut self, lock: &LockFile) -> Result<i64> {
        self.checked()?;
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
        let compared = self.compare_identity(lock);
        self.connection.execute_batch("ROLLBACK").map_err(failed)?;
        compared.map(|(stored, _)| stored.generation)
    }

    /// The transaction that gives the journal a new identity.
    fn declared(
        &self,
        lock: &LockFile,
        declaration: Declaration,
        work: DeclarationWork<'_>,
    ) -> Result<Declared> {
        let check: String =
            self.connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(failed)?;
        if check != "ok" {
            return Err(Error::Damaged("SQLite's quick_check fails; restore another backup"));
        }
        let stored = Stored::read_any(&self.connection).map_err(failed)?;
        let finished = finish_retirement(&self.connection, stored.epoch).map_err(failed)?;
        let contents = lock.contents().map_err(disk)?;
        let replaced = replaced_in_place(&self.connection).map_err(failed)?;
        let is_own = contents.as_ref().is_some_and(|contents| {
            [stored.epoch, replaced].contains(&Some(contents.epoch)) && lock.is_own(contents).unwrap_or(false)
        });
        let of_epoch = contents.filter(|contents| stored.epoch == Some(contents.epoch));
        let (by_lock, seen_header) =
            of_epoch.map_or((0, 0), |contents| (contents.generation, contents.header));
        let by_state = stored.epoch.map_or(0, |epoch| StateFile::existing(epoch).highest());
        // An original whose identity a copy has got is a copy now.
        let location = match is_own {
            true if finished.is_ok() && by_state != RETIRED => Location::InPlace,
            true => Location::Uncertain,
            false => Location::Elsewhere,
        };
        if declaration == Declaration::Moved {
            let header = self.main.header().map_err(disk)?;
            let compared = finished
                .and_then(|()| stored.check_header(header, seen_header))
                .and_then(|()| stored.check_witness(Witness::LockFile, by_lock))
                .and_then(|()| stored.check_witness(Witness::StateFolder, by_state))
                // A dump that was loaded into a new file may lack nothing.
                .and_then(|()| stored.check_tables().or_else(IdentityMismatch::unless_movable));
            compared.map_err(|mismatch| self.copied(mismatch))?;
        }
        work(&mut Open::new(&self.connection), location)?;
        let by_state = if by_state == RETIRED { 0 } else { by_state };
        let (epoch, generation) = (Token::random()?, stored.generation.max(by_lock).max(by_state) + 1);
        begin_epoch(&self.connection, &self.main, epoch, generation)?;
        let at = (declaration == Declaration::Moved).then_some(stored.generation);
        // A copy that was restored under another name sends no row that the original may send.
        let retires = declaration == Declaration::Moved || location == Location::InPlace;
        let retired = stored.epoch.filter(|_| retires).map(|epoch| Retirement { epoch, at });
        store_retirement(&self.connection, retired)?;
        Ok(Declared { epoch, generation, retired })
    }

    fn declare_with(
        &mut self,
        lock: &LockFile,
        declaration: Declaration,
        work: DeclarationWork<'_>,
    ) -> Result<()> {
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
        let result = self.declared(lock, declaration, work);
        let result =
            result.and_then(|new| self.connection.execute_batch("COMMIT").map_err(failed).map(|()| new));
        if result.is_err() {
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        let Declared { epoch, generation, retired } = result?;
        // After a crash before this, the next open of the journal does it: nothing is sent in between.
        let finished = retired.map_or(Ok(()), |retired| retired.carry_out(epoch));
        finished.map_err(|mismatch| self.copied(mismatch))?;
        if declaration == Declaration::Restored {
            self.merge_log()?;
        }
        // A crash before this leaves a lock file of another epoch, so the journal is refused until the command runs again.
        lock.initialize(&self.path, epoch, generation).map_err(disk)?;
        self.adopt(lock, epoch, generation)
    }

    /// Moves the log into the file. A backup that was copied over the file while the log stayed has another header, which would be
    /// refused again.
    fn merge_log(&self) -> Result<()> {
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        let is_busy: i64 = self.connection.query_row(sql, [], |row| row.get(0)).map_err(failed)?;
        if is_busy == 0 { Ok(()) } else { Err(Error::InUse) }
    }

    /// Takes over an identity that was compared or stored, and makes the witnesses remember it.
    fn adopt(&mut self, lock: &LockFile, epoch: Token, generation: i64) -> Result<()> {
        self.epoch = epoch;
        self.state = StateFile::open(epoch);
        self.record(lock, generation)?;
        lock.sync().map_err(disk)?;
        self.state.sync();
        Ok(())
    }
}

impl Store for SqliteStore {
    fn write(&mut self, work: Work<'_>) -> Result<()> {
        let lock = self.lock.take().ok_or(Error::ReadOnly)?;
        let result = self.write_with(&lock, work);
        self.lock = Some(lock);
        result
    }

    fn read(&mut self, work: Work<'_>) -> Result<()> {
        self.checked()?;
        self.connection.execute_batch("BEGIN").map_err(failed)?;
        let result = work(&mut Open::new(&self.connection));
        let ended = self.connection.execute_batch("COMMIT").map_err(failed);
        result.and(ended)
    }

    fn declare(&mut self, declaration: Declaration, work: DeclarationWork<'_>) -> Result<()> {
        let lock = self.lock.take().ok_or(Error::ReadOnly)?;
        let result = lock.lock().map_err(lock_failed).and_then(|()| {
            let declared = self.checked().and_then(|()| self.declare_with(&lock, declaration, work));
            lock.unlock().map_err(lock_failed).and(declared)
        });
        self.lock = Some(lock);
        result
    }

    fn erase_deleted(&mut self) -> Result<()> {
        let lock = self.lock.take().ok_or(Error::ReadOnly)?;
        let result = lock.lock().map_err(lock_failed).and_then(|()| {
            let erased = self.erase_with(&lock);
            lock.unlock().map_err(lock_failed).and(erased)
        });
        self.lock = Some(lock);
        result
    }

    fn backup(&mut self, file: &Path) -> Result<u64> {
        backup::write(self, file)
    }

    fn integrity(&mut self) -> Result<Vec<String>> {
        let mut statement = self.connection.prepare("PRAGMA integrity_check(20)").map_err(failed)?;
        let found = statement.query_map([], |row| row.get::<_, String>(0)).map_err(failed)?;
        let mut found: Vec<String> = found.collect::<rusqlite::Result<_>>().map_err(failed)?;
        found.retain(|line| line != "ok");
        Ok(found)
    }

    fn files(&self) -> Vec<PathBuf> {
        complete::files(&self.path)
    }

    fn complete(&mut self) {
        complete::complete(self);
    }

    fn watch(&self) -> Option<Watch> {
        Some(watch::watch(self))
    }

    fn place(&self) -> String {
        self.path.display().to_string()
    }

    fn bytes_type(&self) -> &'static str {
        "BLOB"
    }

    fn is_read_only(&self) -> bool {
        self.lock.is_none()
    }

    fn warning(&self) -> Option<&Error> {
        self.warning.as_ref()
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        if let Some(lock) = &self.lock
            && std::process::id() == self.process
        {
            let _ = lock.sync();
            self.state.sync();
        }
    }
}

fn lock_failed(error: io::Error) -> Error {
    Error::Journal(error.to_string(), Some(Box::new(error)))
}

pub(crate) struct Open<'c> {
    connection: &'c Connection,
    /// A script may change the schema, which SQLite does not count as a change.
    ran_script: bool,
}

impl<'c> Open<'c> {
    pub(crate) const fn new(connection: &'c Connection) -> Self {
        Self { connection, ran_script: false }
    }
}

impl Transaction for Open<'_> {
    fn query(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Row>> {
        let mut statement = self.connection.prepare_cached(sql).map_err(failed)?;
        let names: Arc<[String]> = statement.column_names().map(str::to_owned).collect();
        let read = |row: &rusqlite::Row<'_>| {
            let values = (0..names.len()).map(|column| value(row, column));
            Ok(Row::new(Arc::clone(&names), values.collect::<rusqlite::Result<_>>()?))
        };
        let rows = statement.query_map(rusqlite::params_from_iter(parameters), read);
        rows.map_err(failed)?.collect::<rusqlite::Result<_>>().map_err(failed)
    }

    fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<u64> {
        let mut statement = self.connection.prepare_cached(sql).map_err(failed)?;
        let changed = statement.execute(rusqlite::params_from_iter(parameters)).map_err(failed)?;
        Ok(u64::try_from(changed).unwrap_or_default())
    }

    fn run_script(&mut self, sql: &str) -> Result<()> {
        self.ran_script = true;
        self.connection.execute_batch(sql).map_err(failed)
    }

    fn now_us(&mut self) -> Result<i64> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }
}

fn value(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Value> {
    Ok(match row.get_ref(column)? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(value) => Value::Int(value),
        ValueRef::Text(value) => Value::Text(String::from_utf8_lossy(value).into_owned()),
        ValueRef::Blob(value) => Value::Bytes(value.to_vec()),
        ValueRef::Real(_) => Value::Null,
    })
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(value) => ValueRef::Integer(*value),
            Self::Text(value) => ValueRef::Text(value.as_bytes()),
            Self::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

pub(crate) fn failed(error: rusqlite::Error) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => Error::DiskFull,
        Some(ErrorCode::SystemIoFailure) => Error::Disk(error.to_string(), Some(Box::new(error))),
        // SQLite returns it for a page that the disk could not read, too.
        Some(ErrorCode::DatabaseCorrupt) => Error::Journal(
            format!("{error}, or the disk cannot read it; check the disk, then `cpaas campaign verify`"),
            Some(Box::new(error)),
        ),
        _ => Error::Journal(error.to_string(), Some(Box::new(error))),
    }
}

/// `Debug` shows no content.
impl std::fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SqliteStore")
            .field("path", &self.path)
            .field("process", &self.process)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::journal::{ChunkView, Claim, Journal, Settings};
    use crate::source::IteratorSource;
    use crate::{Messages, Template, campaign};

    #[test]
    fn an_error_of_sqlite_is_the_source() {
        use std::error::Error as _;

        let io_error = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR);
        let damaged = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
        for (error, is_disk) in [
            (rusqlite::Error::QueryReturnedNoRows, false),
            (rusqlite::Error::SqliteFailure(io_error, None), true),
            (rusqlite::Error::SqliteFailure(damaged, None), false),
        ] {
            let text = error.to_string();
            let error = failed(error);
            assert_eq!(
                (matches!(error, Error::Disk(..)), matches!(error, Error::Journal(..))),
                (is_disk, !is_disk)
            );
            assert!(error.to_string().contains(&text), "{error}");
            assert!(error.source().unwrap().is::<rusqlite::Error>(), "{error:?}");
        }
        let locked = lock_failed(io::Error::from(io::ErrorKind::WouldBlock));
        assert!(locked.source().unwrap().is::<io::Error>());
    }

    #[test]
    fn a_damaged_page_may_be_an_error_of_the_disk() {
        let damaged = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
        let error = failed(rusqlite::Error::SqliteFailure(damaged, None));
        assert!(error.to_string().contains("check the disk"), "{error}");
    }

    #[test]
    fn a_file_that_cannot_be_read_was_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaign.db");
        let mut store = SqliteStore::open(&path, OpenOptions::default()).unwrap();
        store.main = store.main.without_right_to_read(&path);
        let error = store.write(&mut |_| Ok(())).unwrap_err();
        assert!(matches!(error, Error::Disk(..)), "{error}");
    }

    /// A lock file that cannot be written, beside a database that can.
    #[test]
    fn a_claim_that_no_witness_remembers_is_settled_as_not_sent() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaign.db");
        let open = || SqliteStore::open(&path, OpenOptions::default()).unwrap();
        let mut journal = Journal::new(Box::new(open())).unwrap();
        let template = json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi", "type": "auto"});
        let messages = Messages::new("sms.send", Template::new(template).unwrap());
        let row =
            |row: u64| json!({"phone": (306_910_000_000 + row).to_string()}).as_object().unwrap().clone();
        let mut rows = IteratorSource((0..3).map(row));
        let id = crate::blocking::create(&mut journal, "c", &mut rows, &messages, Settings::default(), None)
            .unwrap()
            .id;
        let owner = journal.register_owner(&id).unwrap();
        let rows = journal.rows(&id, 0).unwrap();
        let (history, version) = journal.history(&id, 0).unwrap();
        let mut view = ChunkView::new(0, &rows, history, version);
        let mut store = open();
        store.lock = Some(LockFile::open_to_read(&folder.path().join("campaign.db-lock")).unwrap());
        let mut broken = Journal::new(Box::new(store)).unwrap();
        let claim = Claim {
            owner,
            token: Token::random().unwrap(),
            limit: 2,
            requested: &|_| true,
            may_halt: true,
            provider: &[],
        };
        let error = broken.exchange(&id, owner, &[], 0, Some((&claim, &mut view))).unwrap_err();
        assert!(matches!(error, Error::NotRecorded(_)), "{error}");
        let found = campaign::status(&mut journal, "c").unwrap();
        assert_eq!((found.pending, found.in_flight, found.attempts), (3, 0, 2), "{found:?}");
    }
}
