//! Errors of campaigns and their journals. A row that is not accepted has an outcome, not an error.

use std::fmt::Display;
use std::io;

use cpaas::printable::{MAX_MESSAGE, printable};

use crate::identity_mismatch::IdentityMismatch;

/// An error of a campaign or its journal. Messages never quote rows.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The journal cannot be opened.
    #[error("the journal {} cannot be opened: {error}", printable(.place, MAX_MESSAGE))]
    Open {
        /// The path of the file, or the address of the database without its password.
        place: String,
        /// Why not; also the `source()`.
        #[source]
        error: io::Error,
    },
    /// A journal that must exist does not.
    #[error("the journal {} cannot be opened: the file does not exist", printable(.0, MAX_MESSAGE))]
    NoJournal(String),
    /// The journal was written by a newer version of this library.
    #[error(
        "the journal must have schema version {supported} or older, got {found}; use a newer version of this library"
    )]
    NewerVersion {
        /// The newest version that this library reads.
        supported: i64,
        /// The version of the journal.
        found: i64,
    },
    /// The journal was copied, moved or restored, so it may lack commits.
    #[error("the journal {} must be the one that was written last, but {mismatch}. {}{}", printable(.place, MAX_MESSAGE),
        mismatch.help(&printable(.place, MAX_MESSAGE)), in_a_program(mismatch))]
    Copied {
        /// The path of the file, or the address of the database without its password.
        place: String,
        /// How it differs.
        mismatch: IdentityMismatch,
    },
    /// A restored copy of the journal has taken the campaign over.
    #[error(
        "the campaign `{}` was taken over by the restored copy {}, which may send its rows: run it there. To send it from this journal again, stop all workers, run `cpaas campaign restored --journal {}`, and resolve as not sent, with `--owners-stopped`, only those of its unknown rows that the copy has not sent: compare its `export`. If that copy has sent none of them and is deleted, remove {} instead",
        printable(.campaign, MAX_MESSAGE), printable(.by, MAX_MESSAGE), printable(.place, MAX_MESSAGE), printable(.file, MAX_MESSAGE)
    )]
    TakenOver {
        /// The name of the campaign.
        campaign: Box<str>,
        /// The path of the file of this journal, or the address of the database without its password.
        place: Box<str>,
        /// The place of the copy.
        by: Box<str>,
        /// The file of the state folder that remembers it.
        file: Box<str>,
    },
    /// A restored copy of the journal has taken the campaign over, and a change of this journal does not reach it. What this journal permits
    /// was changed in it.
    #[error(
        "the campaign `{}` was taken over by the restored copy {}, which may send its rows, and no change of this journal reaches it: run the same command on that copy too",
        printable(.campaign, MAX_MESSAGE), printable(.by, MAX_MESSAGE)
    )]
    NotInCopy {
        /// The name of the campaign.
        campaign: Box<str>,
        /// The place of the copy.
        by: Box<str>,
    },
    /// A restored copy of the journal has taken a campaign or the new keys of `send_once` over, and the file that shows which one cannot be
    /// read, for example because another user ran the command with the home of this one.
    #[error(
        "a restored copy of the journal has taken over {}, and the file of the state folder that shows which one cannot be read: {error}. Run `{}`, then the command again",
        printable(.what, MAX_MESSAGE), printable(.command, MAX_MESSAGE)
    )]
    UnreadableRight {
        /// The campaign, or the new keys.
        what: Box<str>,
        /// The command of the shell that makes the file readable.
        command: Box<str>,
        /// Why it cannot be read; also the `source()`.
        #[source]
        error: io::Error,
    },
    /// The journal is a restored copy that has not taken the campaign over, so its original may send the rows.
    #[error(
        "the campaign is a restored copy, and the original may send the rows too: run `cpaas campaign resolve {} --as not-sent --owners-stopped --journal {}`, which takes the campaign over and resolves nothing in the first six minutes; then retry",
        printable(.campaign, MAX_MESSAGE), printable(.place, MAX_MESSAGE)
    )]
    RestoredCopy {
        /// The name of the campaign.
        campaign: String,
        /// The path of the file, or the address of the database without its password.
        place: String,
    },
    /// The suppression store of the client lacks changes that runs have read or that this machine remembers: it was restored from a backup.
    #[error(
        "the suppression store must have all changes that runs have read and that this machine remembers, and their numbers, but it lacks some, as after a restored backup, or with a `-wal` file that does not belong to it: people who opted out would get messages. Use the newer store; or add everyone who opted out since the backup again, then run `cpaas campaign accept-suppression --journal {} --suppression STORE`",
        printable(.place, MAX_MESSAGE)
    )]
    OlderSuppressionStore {
        /// The number of the last change that runs have read.
        known: u64,
        /// The number of the last change of the store.
        found: u64,
        /// The path of the file of the journal, or the address of the database without its password.
        place: Box<str>,
    },
    /// Earlier runs of the campaign consulted another suppression store.
    #[error(
        "the suppression store must be the one that earlier runs of the campaign consulted, got another one, which may lack people who opted out. Use that store; or add them, then run `cpaas campaign accept-suppression NAME --journal {}` with the name of the campaign",
        printable(.place, MAX_MESSAGE)
    )]
    OtherSuppressionStore {
        /// The path of the file of the journal, or the address of the database without its password.
        place: Box<str>,
    },
    /// The journal cannot get a new identity while a worker uses it, and one of an older version is not changed while a worker may use it.
    #[error("no worker may use the journal, but one does or may; stop it, then run the command again")]
    InUse,
    /// The journal was opened for reading only.
    #[error("the journal must be opened for writing, it was opened for reading only")]
    ReadOnly,
    /// Files that other users can access.
    #[error("only the owner of a file may have access to it, got the mode {mode:04o}; run `{}`", printable(.command, MAX_MESSAGE))]
    NotPrivate {
        /// The mode that was found.
        mode: u32,
        /// The command of the shell that mends it.
        command: String,
    },
    /// The rows are purged, and the write-ahead log still contains them.
    #[error(
        "the campaign was purged, but the files of the journal still contain its texts and recipients, because another process reads the journal; end it (`fuser {}` prints its id), then purge the campaign again", printable(.0, MAX_MESSAGE)
    )]
    NotErased(String),
    /// A file or a database that is not a journal. It was not changed.
    #[error("{} must be a journal of campaigns, got {found}", printable(.place, MAX_MESSAGE))]
    NotAJournal {
        /// The path of the file, or the address of the database without its password.
        place: String,
        /// What it is.
        found: &'static str,
    },
    /// A journal that was opened for reading only is read without locks, because its folder cannot be written.
    #[error(
        "{} is read without locks, because its folder cannot be written; changes of a worker on another machine may be missed",
        printable(.0, MAX_MESSAGE)
    )]
    Unlocked(String),
    /// A backup cannot be written.
    #[error("the backup {} cannot be written: {}", printable(.place, MAX_MESSAGE), printable(.reason, MAX_MESSAGE))]
    Backup {
        /// The path of the file.
        place: String,
        /// Why it cannot be written.
        reason: String,
    },
    /// The keys of `send_once` that were used after the backup are not known.
    #[error(
        "the journal was restored, so it may lack keys of `send_once` that were used after its backup; no new key is accepted. Give new messages keys with a new prefix, then run `cpaas campaign restored --journal {} --forget-keys`; no row changes",
        printable(.place, MAX_MESSAGE)
    )]
    KeysLost {
        /// The path of the file, or the address of the database without its password.
        place: String,
    },
    /// A restored copy of the journal accepts the new keys of `send_once`.
    #[error(
        "the restored copy {} accepts the new keys of `send_once` since `--forget-keys`, so this journal accepts none. Use that copy, or give new messages keys with a new prefix and run `cpaas campaign restored --journal {} --forget-keys`, which changes no row",
        printable(.by, MAX_MESSAGE), printable(.place, MAX_MESSAGE)
    )]
    KeysTakenOver {
        /// The place of the copy.
        by: String,
        /// The path of the file of this journal, or the address of the database without its password.
        place: String,
    },
    /// A single file is mounted, so the files beside it would be in another file system.
    #[error("the folder of the journal must be mounted, got the single file {}", printable(.0, MAX_MESSAGE))]
    MountedFile(String),
    /// The journal had 2,147,483,647 transactions.
    #[error("the journal is full: it had 2,147,483,647 transactions; begin a new journal")]
    Full,
    /// A commit is durable, and the lock file does not remember it. Nothing was sent under it.
    #[error("the commit cannot be recorded in the lock file of the journal: {0}; no row of it was sent")]
    NotRecorded(String),
    /// The file is on a file system whose locks and commits are not reliable.
    #[error("the journal must be on a local file system, got a network or FUSE file system")]
    NetworkFileSystem,
    /// The disk is full. The transaction was not committed, and nothing is sent without a commit.
    #[error("the disk of the journal is full; free some space and run the campaign again")]
    DiskFull,
    /// The disk failed, or a limit of the file size was reached.
    #[error(
        "the journal cannot be written: {0}; check the disk, its free space and limits, and run the campaign again"
    )]
    Disk(String, #[source] Option<Box<dyn std::error::Error + Send + Sync>>),
    /// The database failed. The last commit may or may not be durable.
    #[error("the journal failed: {}", printable(.0, MAX_MESSAGE))]
    Journal(String, #[source] Option<Box<dyn std::error::Error + Send + Sync>>),
    /// The files of the journal were replaced while it was open.
    #[error(
        "the journal was replaced or its write-ahead log was removed while it was open; no more rows are sent"
    )]
    Replaced,
    /// The journal was opened by the parent of this process.
    #[error("the journal must be opened by the process that uses it; it was opened before a fork")]
    Forked,
    /// Some tables of the journal were restored without the others.
    #[error(
        "the tables of the journal must belong together, but {attempts} rows of a campaign were permitted to be sent, and {found} of them follow from the other tables, as after a restore of some tables: restore all tables of one backup, then run `cpaas campaign restored`"
    )]
    MixedTables {
        /// The permitted rows that are counted.
        attempts: i64,
        /// Those that follow from the other tables.
        found: i64,
    },
    /// The suppressed recipients of a campaign are not those that were stored, so people who opted out would get a message.
    #[error(
        "the journal must have the {stored} recipients of a campaign that were suppressed after its creation, but its table `suppressions` has {found}{}, as after a restore of this table alone: {}",
        if stored == found { " others" } else { "" },
        suppress_again(*stored, *found)
    )]
    SuppressionsLost {
        /// The recipients that were stored.
        stored: i64,
        /// Those that the table has.
        found: i64,
    },
    /// The chunks of the journal were restored without its other tables, or these without the chunks.
    #[error(
        "the tables of the journal must belong together, but {pending} rows of a campaign are pending, and {found} by its chunks, as after a restore of some tables: restore all tables of one backup, then run `cpaas campaign restored`"
    )]
    MixedChunks {
        /// The pending rows of the campaign.
        pending: i64,
        /// Those of its chunks.
        found: i64,
    },
    /// The journal contains data that this library does not write.
    #[error("the journal is damaged: {0}")]
    Damaged(&'static str),
    /// No campaign has that name.
    #[error("no campaign with this name is in the journal")]
    NoCampaign,
    /// Another campaign has that name, or another program has begun to create it meanwhile.
    #[error("a campaign with this name already exists in the journal; open it, or use another name")]
    NameTaken,
    /// The campaign's state does not permit this.
    #[error("the campaign must be {expected}, got {actual}")]
    State {
        /// The states that permit it.
        expected: &'static str,
        /// The state of the campaign.
        actual: String,
    },
    /// A delivery report names a row that no worker has claimed.
    #[error(
        "the campaign halted because a delivery report names a row that no worker has claimed: the journal has lost commits, and rows may have been sent that it lists as pending. Export what is known and settle it with the provider; to send the pending rows although they may be sent twice, run `cpaas campaign resume --acknowledge-lost-commits`"
    )]
    LostCommits,
    /// The texts of the campaign were purged.
    #[error(
        "the campaign was purged: its texts, recipients, kept columns, message ids and responses are gone, so no row can be sent, planned or exported; `cpaas campaign status` still has its counts"
    )]
    Purged,
    /// The source cannot be read.
    #[error("{}", printable(.0, MAX_MESSAGE))]
    Source(String),
    /// An item of a stream of rows is an error, which is the `source()` of this one.
    #[error("row {row} of the stream is an error")]
    Item {
        /// The row, from 1.
        row: u64,
        /// The error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A template cannot be compiled, or the setting of a campaign is invalid.
    #[error("{}", printable(.0, MAX_MESSAGE))]
    Setting(String),
    /// The same key was used with another request.
    #[error("key_reused: the key was used for another request")]
    KeyReused,
    /// The campaign or the key began with another provider.
    #[error(
        "the {what} must continue with the provider that it began with, {}, got {}; use a client with that address, or permit it: the option `any_provider`, or `--any-provider` of the command",
        listed(.stored), listed(.found)
    )]
    OtherProvider {
        /// `campaign` or `key`.
        what: &'static str,
        /// The scheme, host and port of each address that it began with.
        stored: Vec<String>,
        /// Those of the client.
        found: Vec<String>,
    },
    /// The system returned no random numbers.
    #[error("the system has no random numbers: {0}")]
    Random(#[from] getrandom::Error),
    /// The system started no thread.
    #[error("a thread cannot be started: {0}")]
    Thread(#[source] io::Error),
    /// A function of the caller panicked.
    #[error("{0} panicked")]
    Panicked(&'static str),
    /// A thread or task of the run ended unexpectedly.
    #[error("a task of the run ended unexpectedly")]
    Task,
}

impl Error {
    /// Whether a journal that reported this error must be opened again before its next use.
    #[must_use]
    pub const fn closes_journal(&self) -> bool {
        matches!(
            self,
            Self::Journal(..)
                | Self::Replaced
                | Self::Disk(..)
                | Self::Copied { .. }
                | Self::NotRecorded(_)
                | Self::TakenOver { .. }
        )
    }

    /// Whether another copy of the journal has, or may have, the right to send. The journal itself has not failed.
    pub(crate) const fn is_right_of_another(&self) -> bool {
        matches!(
            self,
            Self::TakenOver { .. }
                | Self::KeysTakenOver { .. }
                | Self::UnreadableRight { .. }
                | Self::RestoredCopy { .. }
        )
    }
}

cpaas::error_codes!(pub Error, code, self: &Self, "A stable name of the error, for programs.", {
    Self::Open { .. } => "open",
    Self::NoJournal(_) => "no_journal",
    Self::NewerVersion { .. } => "newer_version",
    Self::Copied { .. } => "copied",
    Self::TakenOver { .. }
    | Self::KeysTakenOver { .. }
    | Self::NotInCopy { .. }
    | Self::UnreadableRight { .. } => "taken_over",
    Self::RestoredCopy { .. } => "restored_copy",
    Self::OlderSuppressionStore { .. } | Self::OtherSuppressionStore { .. } => "suppression_store",
    Self::InUse => "in_use",
    Self::ReadOnly => "read_only",
    Self::NotPrivate { .. } => "not_private",
    Self::NotErased(_) => "not_erased",
    Self::NotAJournal { .. } => "not_a_journal",
    Self::Unlocked(_) => "unlocked",
    Self::Backup { .. } => "backup",
    Self::KeysLost { .. } => "keys_lost",
    Self::MountedFile(_) => "mounted_file",
    Self::Full => "full",
    Self::NetworkFileSystem => "network_file_system",
    Self::DiskFull => "disk_full",
    Self::Disk(..) | Self::NotRecorded(_) => "disk",
    Self::Journal(..) => "journal",
    Self::Replaced => "replaced",
    Self::Forked => "forked",
    Self::MixedTables { .. } | Self::MixedChunks { .. } | Self::SuppressionsLost { .. } => "mixed_tables",
    Self::Damaged(_) => "damaged",
    Self::NoCampaign => "no_campaign",
    Self::NameTaken => "name_taken",
    Self::State { .. } => "state",
    Self::LostCommits => "lost_commits",
    Self::Purged => "purged",
    Self::Source(_) => "source",
    Self::Item { .. } => "item",
    Self::Setting(_) => "setting",
    Self::KeyReused => "key_reused",
    Self::OtherProvider { .. } => "other_provider",
    Self::Random(_) => "random",
    Self::Thread(_) | Self::Panicked(_) | Self::Task => "task",
});

/// The functions of a program that do what the commands of the help do.
fn in_a_program(mismatch: &IdentityMismatch) -> &'static str {
    match mismatch {
        IdentityMismatch::DatabaseMissing => "",
        _ if mismatch.may_be_moved() => ". In a program they are `mark_moved` and `mark_restored`",
        _ => ". In a program it is `mark_restored`",
    }
}

/// What helps a campaign that has lost suppressed recipients. The table may have others instead.
const fn suppress_again(stored: i64, found: i64) -> &'static str {
    if found < stored {
        "suppress them again (`cpaas campaign suppress`, also the others of the list); the campaign continues when none of them is missing. If not all of them are known, restore all tables of one backup, run `cpaas campaign restored`, and suppress again everyone who opted out since the backup"
    } else {
        "restore all tables of one backup, run `cpaas campaign restored`, and suppress again everyone who opted out since the backup"
    }
}

fn listed(addresses: &[String]) -> String {
    printable(&addresses.join(", "), MAX_MESSAGE).into_owned()
}

/// Converts an error of the system to [`Error::Open`] for the journal at this place.
pub(crate) fn unopened(place: impl Display) -> impl FnOnce(io::Error) -> Error {
    move |error| Error::Open { place: place.to_string(), error }
}

/// The result of this crate's functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;
