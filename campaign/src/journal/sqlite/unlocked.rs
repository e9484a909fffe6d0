//! Reads a database that nobody writes to, without locks and without creating a file beside it: a copy, a backup, or a journal on
//! a medium that is read-only.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::failed;
use super::file_system::beside;
use crate::error::Result;

const READ_ONLY: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// A connection that ignores the log.
pub(crate) fn connect_unchanging(path: &Path) -> Result<Connection> {
    let uri = format!("file:{}?immutable=1", percent_encoded(path));
    let flags = READ_ONLY.union(OpenFlags::SQLITE_OPEN_URI);
    Connection::open_with_flags(uri, flags).map_err(failed)
}

/// A connection that reads the database and its log, if there is one. In exclusive mode SQLite keeps the index of the log in memory
/// instead of a file.
pub(super) fn connect_unlocked(path: &Path) -> Result<Connection> {
    if !has_log(path) {
        return connect_unchanging(path);
    }
    let connection = Connection::open_with_flags_and_vfs(path, READ_ONLY, "unix-none").map_err(failed)?;
    run_no_checkpoint_on_close(&connection)?;
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE").map_err(failed)?;
    Ok(connection)
}

/// Closing the connection runs no checkpoint: if its locks were released by another SQLite library, the checkpoint would remove a
/// log that other connections still write to.
pub(super) fn run_no_checkpoint_on_close(connection: &Connection) -> Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map(drop).map_err(failed)
}

/// Whether the write-ahead log contains something.
pub(super) fn has_log(path: &Path) -> bool {
    std::fs::metadata(beside(path, "-wal")).is_ok_and(|found| found.len() > 0)
}

fn percent_encoded(path: &Path) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte);
    let encode = |byte: &u8| match is_plain(*byte) {
        true => char::from(*byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    path.as_os_str().as_bytes().iter().map(encode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_signs_of_addresses_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("50% off? #1 ελλ.db");
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE found (x INTEGER)").unwrap();
        let connection = connect_unchanging(&path).unwrap();
        let table: String =
            connection.query_row("SELECT name FROM sqlite_schema", [], |row| row.get(0)).unwrap();
        assert_eq!(table, "found");
    }
}
