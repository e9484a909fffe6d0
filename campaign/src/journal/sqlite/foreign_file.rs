//! Recognizes files that are not journals, or are journals of a newer version, without changing them and without creating a file
//! beside them.

use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use rusqlite::Connection;

use super::file_system::beside;
use super::main_file::MainFile;
use super::unlocked::{connect_unchanging, connect_unlocked};
use crate::error::{Error, Result, unopened};
use crate::journal::schema;
use crate::protocol::Token;

/// What is at the path of a journal, from its type and size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Nothing,
    EmptyFile,
    File,
}

impl Found {
    /// # Errors
    /// When it is not a file.
    pub(super) fn at(path: &Path) -> Result<Self> {
        let found = match std::fs::metadata(path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::Nothing),
            Err(error) => return Err(unopened(path.display())(error)),
        };
        let kind = found.file_type();
        if kind.is_file() {
            return Ok(if found.len() == 0 { Self::EmptyFile } else { Self::File });
        }
        let name = match kind {
            kind if kind.is_dir() => "a directory",
            kind if kind.is_fifo() => "a named pipe",
            kind if kind.is_socket() => "a socket",
            _ => "a device",
        };
        Err(foreign(path, name))
    }
}

pub(super) fn foreign(path: &Path, found: &'static str) -> Error {
    Error::NotAJournal { place: path.display().to_string(), found }
}

pub(super) fn empty_file(path: &Path) -> Error {
    foreign(path, "an empty file; remove it if a journal is to begin there")
}

/// Refuses a file that is not a journal, or is one of a newer version. No transaction may write to the file meanwhile, because its
/// log is ignored. `has_lock_file` is true for a file beside a lock file of this library: it may be a journal whose creation was
/// interrupted, or whose tables are still in its log.
pub(super) fn refuse_foreign(path: &Path, main: &MainFile, has_lock_file: bool) -> Result<()> {
    if has_lock_file && beside(path, "-journal").exists() {
        return Ok(());
    }
    if !main.is_sqlite().map_err(unopened(path.display()))? {
        return Err(foreign(path, "a file that is not a SQLite database"));
    }
    // A process that ended within a checkpoint leaves a database whose pages fit together only with those of its log.
    let connection = if has_lock_file { connect_unchanging(path)? } else { connect_unlocked(path)? };
    let contents = match Contents::of(&connection) {
        Err(_) if has_lock_file => return Ok(()),
        contents => contents.map_err(|_| foreign(path, "a SQLite database that cannot be read"))?,
    };
    match contents {
        Contents::Journal { version } => schema::check(version),
        Contents::NoTables if has_lock_file => Ok(()),
        Contents::NoTables => Err(foreign(path, "a SQLite database without tables")),
        Contents::Foreign => Err(foreign(path, "a SQLite database of another program")),
    }
}

/// What a database contains.
enum Contents {
    /// A journal. Its version is 0 until its tables are created.
    Journal {
        version: usize,
    },
    NoTables,
    Foreign,
}

impl Contents {
    fn of(connection: &Connection) -> rusqlite::Result<Self> {
        let count = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
        if count("SELECT COUNT(*) FROM sqlite_schema")? == 0 {
            return Ok(Self::NoTables);
        }
        let columns = "SELECT COUNT(*) FROM pragma_table_info('meta') WHERE name IN ('name', 'value')";
        if count(columns)? != 2 {
            return Ok(Self::Foreign);
        }
        let value = |name: &str| {
            let mut statement = connection.prepare("SELECT value FROM meta WHERE name = ?1")?;
            let mut rows = statement.query([name])?;
            let Some(row) = rows.next()? else { return Ok::<_, rusqlite::Error>(None) };
            Ok(row.get_ref(0)?.as_str().ok().map(str::to_owned))
        };
        let has_epoch = value("epoch")?.is_some_and(|epoch| Token::from_hex(&epoch).is_some());
        let tables =
            "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('campaigns', 'permits')";
        let version = value("version")?.and_then(|version| version.parse().ok()).unwrap_or(0);
        if has_epoch || version > 0 && count(tables)? == 2 {
            return Ok(Self::Journal { version });
        }
        Ok(Self::Foreign)
    }
}
