//! How a journal shows that it is not the one that was written last.

use std::fmt;

/// What the state folder remembers of an identity after `moved` or `restored` gave its journal another one: higher than every generation,
/// so that a copy with the old identity is refused.
pub(crate) const RETIRED: i64 = 9_999_999_999_999_999;

/// Why a journal is refused: it was copied, moved or restored.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum IdentityMismatch {
    /// The database has no lock file beside it.
    LockFileMissing,
    /// The lock file beside the database is empty or was not written by this library.
    LockFileForeign,
    /// The lock file was copied: its inode or time of birth is not the one that it contains.
    LockFileCopied,
    /// The lock file belongs to another journal, or the journal got a new identity since.
    LockFileOfAnotherEpoch,
    /// The lock file exists, and the database is missing or empty.
    DatabaseMissing,
    /// The database or its write-ahead log was replaced: the last checkpoint is not between the two generations.
    Header {
        /// The generation of the checkpoint that the journal knows.
        base: i64,
        /// The generation in the header of the file.
        header: i64,
        /// The generation of the journal.
        generation: i64,
    },
    /// The database was replaced by another one while its write-ahead log stayed: its random id differs, or it was rebuilt since.
    FileReplaced,
    /// A witness remembers a generation that the journal has not reached.
    Behind {
        /// Who remembers it.
        witness: Witness,
        /// What it remembers.
        remembered: i64,
        /// The generation of the journal.
        found: i64,
    },
    /// `moved` or `restored` gave the journal another identity since, here or on a copy.
    Retired,
    /// Older tables were loaded into the file.
    OlderTables {
        /// The generation that the tables contain.
        tables: i64,
        /// The generation of the file.
        file: i64,
    },
    /// The journal has no identity, or one of an older version of this library that does not match.
    NoIdentity,
    /// The database is on another server.
    OtherServer,
    /// The server was restored or promoted since the last transaction.
    OtherTimeline,
    /// The journal is in another database of the server.
    OtherDatabase,
    /// The tables were loaded from a dump.
    Loaded,
    /// A table was dropped and created again, as by the restore of a single table.
    OtherTables,
}

/// Who remembers the generation of a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Witness {
    /// The lock file beside the database.
    LockFile,
    /// The state folder of this machine.
    StateFolder,
    /// This worker.
    Worker,
}

impl IdentityMismatch {
    /// What it means that a witness remembers another generation than that of the journal.
    pub(crate) const fn of_witness(witness: Witness, remembered: i64, found: i64) -> Result<(), Self> {
        match remembered {
            RETIRED => Err(Self::Retired),
            _ if remembered > found => Err(Self::Behind { witness, remembered, found }),
            _ => Ok(()),
        }
    }

    /// Whether nothing may be lost, so that the journal may be declared as moved.
    pub(crate) const fn may_be_moved(&self) -> bool {
        !matches!(
            self,
            Self::Header { .. }
                | Self::FileReplaced
                | Self::Behind { .. }
                | Self::Retired
                | Self::DatabaseMissing
                | Self::OlderTables { .. }
                | Self::OtherTables
        )
    }

    /// The mismatch as an error, unless a journal with it may be declared as moved.
    pub(crate) const fn unless_movable(self) -> Result<(), Self> {
        if self.may_be_moved() { Ok(()) } else { Err(self) }
    }

    /// What to do about a journal at this place.
    pub(crate) fn help(&self, place: &str) -> String {
        if *self == Self::DatabaseMissing {
            return format!(
                "Put the database back, or remove {place}-lock if the journal is to begin without any campaign"
            );
        }
        let restored = format!(
            "run `cpaas campaign restored --journal {place}`: every row without an outcome becomes unknown"
        );
        let files = files_of(place);
        if !self.may_be_moved() {
            return format!("{files}Stop all workers, then {restored}");
        }
        format!(
            "{files}If it was moved with nothing lost while all workers were stopped, run `cpaas campaign moved --journal {place}`. \
             If it is a copy or a restored backup, {restored}"
        )
    }
}

/// Which files belong together; empty for a journal in a database server.
fn files_of(place: &str) -> String {
    if place.starts_with("postgres://") {
        return String::new();
    }
    format!(
        "{place}, {place}-wal (where it exists) and {place}-lock belong together and are moved together. "
    )
}

impl fmt::Display for IdentityMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LockFileMissing => f.write_str("its lock file (the name with `-lock`) is missing"),
            Self::LockFileForeign => {
                f.write_str("its lock file (the name with `-lock`) has no valid contents")
            }
            Self::LockFileCopied => f.write_str("its lock file (the name with `-lock`) is a copy"),
            Self::LockFileOfAnotherEpoch => {
                f.write_str("its lock file (the name with `-lock`) belongs to another journal")
            }
            Self::DatabaseMissing => f.write_str(
                "its lock file (the name with `-lock`) exists, and the database is missing or empty",
            ),
            Self::Header { base, header, generation } => write!(
                f,
                "its file or its write-ahead log was replaced: the checkpoint in its header is {header}, and the journal knows {base} to {generation}"
            ),
            Self::FileReplaced => {
                f.write_str("its file was replaced by another database while its write-ahead log stayed")
            }
            Self::Behind { witness, remembered, found } => {
                write!(f, "{witness} has seen generation {remembered}, and the journal is at {found}")
            }
            Self::Retired => f.write_str(
                "`moved` or `restored` has given this journal or a copy of it another identity: use the journal on which the command was run",
            ),
            Self::OlderTables { tables, file } => write!(
                f,
                "older tables were loaded into its file: they are of generation {tables}, and the file is at {file}"
            ),
            Self::NoIdentity => f.write_str("it has no valid identity"),
            Self::OtherServer => f.write_str("the server has another system identifier"),
            Self::OtherTimeline => {
                f.write_str("the server has another timeline: it was promoted or restored")
            }
            Self::OtherDatabase => f.write_str("it is in another database"),
            Self::Loaded => f.write_str("its tables were loaded from a dump"),
            Self::OtherTables => f.write_str(
                "one of its tables was dropped and created again, as by the restore of a single table",
            ),
        }
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LockFile => "its lock file",
            Self::StateFolder => "the state folder of this machine",
            Self::Worker => "this worker",
        })
    }
}
