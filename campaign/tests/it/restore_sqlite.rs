//! Backups of a journal in a file that are restored in every usual way, what must open nevertheless, and the two commands.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::{
    Scratch, assert_adds_up, claim, client, close_as_killed, create, exported, open, sent, settlement, token,
    view, won,
};
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::campaign::{Status, resolve, status};
use cpaas_campaign::journal::{Journal, NewCampaign, OpenOptions, Settings};
use cpaas_campaign::protocol::{Resolution, RowOutcome};
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_campaign::{Error, IdentityMismatch, Witness, send_once};
use cpaas_sandbox::{BlockingSandbox, Sandbox};

const FILES: [&str; 3] = ["", "-wal", "-lock"];

fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", path.display()))
}

fn copy(from: &Path, to: &Path, suffixes: &[&str]) {
    for suffix in suffixes {
        fs::copy(suffixed(from, suffix), suffixed(to, suffix)).unwrap();
    }
}

fn remove(path: &Path, suffixes: &[&str]) {
    for suffix in suffixes {
        let _ = fs::remove_file(suffixed(path, suffix));
    }
}

/// Another SQLite that uses the file.
fn sqlite(path: &Path) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open(path).unwrap();
    let _ = connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    connection
}

fn checkpoint(path: &Path) {
    let connection = sqlite(path);
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
}

/// Copies by SQLite's backup API.
fn back_up(from: &Path, to: &Path) {
    let (from, mut to) = (sqlite(from), sqlite(to));
    let backup = rusqlite::backup::Backup::new(&from, &mut to).unwrap();
    backup.run_to_completion(100, Duration::ZERO, None).unwrap();
}

/// As `umask 077` does for a file that another program creates.
fn make_private(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

/// Claims two rows and settles the first as accepted.
fn claim_and_settle(journal: &mut Journal, id: &str) {
    let owner = journal.register_owner(id).unwrap();
    let mut view = view(journal, id);
    let permit = won(claim(journal, id, owner, token(), &mut view));
    let row = permit.rows[0].row;
    journal.exchange(id, owner, &[settlement(&permit, row, RowOutcome::Accepted)], 0, None).unwrap();
    journal.release_owner(owner).unwrap();
}

/// A journal with a campaign of 20 rows: 2 claimed before the backup, 2 after it and before a checkpoint, 2 after that.
struct Restored {
    scratch: Scratch,
    live: PathBuf,
    /// Copies of the files at the moment of the backup.
    backup: PathBuf,
    /// A copy of that moment by the backup API.
    online: PathBuf,
    /// A copy of that moment by `VACUUM INTO`.
    vacuumed: PathBuf,
}

fn history() -> Restored {
    let scratch = Scratch::file();
    let (live, folder) = (scratch.path(), scratch.folder.path().to_owned());
    let mut journal = open(&scratch.url_of_file());
    let id = create(&mut journal, "c", 20, Settings::default());
    claim_and_settle(&mut journal, &id);
    checkpoint(&live);
    claim_and_settle(&mut journal, &id);
    let backup = folder.join("backup.db");
    copy(&live, &backup, &FILES);
    let online = folder.join("online.db");
    back_up(&live, &online);
    make_private(&online);
    let vacuumed = folder.join("vacuumed.db");
    sqlite(&live).execute("VACUUM INTO ?1", [vacuumed.to_str()]).unwrap();
    make_private(&vacuumed);
    claim_and_settle(&mut journal, &id);
    checkpoint(&live);
    claim_and_settle(&mut journal, &id);
    close_as_killed(journal, &scratch.url_of_file());
    Restored { scratch, live, backup, online, vacuumed }
}

fn refused(path: &Path) -> IdentityMismatch {
    match open_journal(&path.display().to_string(), OpenOptions::default()).map(|_| ()).unwrap_err() {
        Error::Copied { place, mismatch } => {
            assert_eq!(Path::new(&place), path.canonicalize().unwrap());
            mismatch
        }
        other => panic!("{other}"),
    }
}

/// The same status, in other files.
fn assert_same(found: &Status, expected: &Status) {
    let mut found = found.clone();
    found.files.clone_from(&expected.files);
    assert_eq!(found, *expected);
}

const fn is_behind(mismatch: &IdentityMismatch, by: Witness) -> bool {
    matches!(mismatch, IdentityMismatch::Behind { witness, .. } if *witness as u8 == by as u8)
}

/// The lock file remembers both the generation and the header of the newer file; the header is compared first.
const fn is_noticed_by_lock_file(mismatch: &IdentityMismatch) -> bool {
    matches!(mismatch, IdentityMismatch::Header { .. }) || is_behind(mismatch, Witness::LockFile)
}

/// The journal at this path is refused. After `restored` it opens, and no row may be sent.
fn refused_until_restored(path: &Path) -> IdentityMismatch {
    let url = path.display().to_string();
    let mismatch = refused(path);
    let mut options = OpenOptions::default();
    options.read_only = true;
    let mut reading = open_journal(&url, options).unwrap();
    let before = status(&mut reading, "c").unwrap();
    assert!(reading.warning().unwrap().contains("campaign restored --journal"));
    drop(reading);
    let summary = Journal::mark_restored(&url, false).unwrap();
    let mut journal = open(&url);
    let after = status(&mut journal, "c").unwrap();
    assert_adds_up(&after);
    assert_eq!((after.accepted, after.pending, after.in_flight), (before.accepted, 0, 0), "{after:?}");
    assert_eq!(summary.unknown, u64::try_from(after.unknown).unwrap());
    let rows = exported(&mut journal, "c");
    let unknown = rows.iter().filter(|row| row.outcome == "unknown");
    assert!(unknown.clone().all(|row| row.reason.as_deref() == Some("restored")));
    assert_eq!(unknown.count(), usize::try_from(after.unknown).unwrap());
    mismatch
}

#[test]
fn a_backup_of_the_database_over_the_file_is_refused() {
    let it = history();
    copy(&it.backup, &it.live, &[""]);
    remove(&it.live, &["-wal", "-shm"]);
    assert!(is_noticed_by_lock_file(&refused_until_restored(&it.live)));
}

#[test]
fn a_backup_over_the_file_beside_the_newer_log_is_refused() {
    let it = history();
    copy(&it.backup, &it.live, &[""]);
    assert!(matches!(refused(&it.live), IdentityMismatch::Header { .. }));
    let error = Journal::mark_moved(&it.scratch.url_of_file()).unwrap_err();
    assert!(matches!(error, Error::Copied { mismatch: IdentityMismatch::Header { .. }, .. }), "{error}");
}

#[test]
fn a_backup_of_database_and_log_over_the_files_is_refused() {
    let it = history();
    remove(&it.live, &["-shm"]);
    copy(&it.backup, &it.live, &["", "-wal"]);
    assert!(is_noticed_by_lock_file(&refused_until_restored(&it.live)));
}

#[test]
fn a_backup_that_sqlite_writes_into_the_file_is_refused() {
    let it = history();
    back_up(&it.online, &it.live);
    // SQLite writes the backup into the log. The header still has the newer generation.
    assert!(matches!(refused_until_restored(&it.live), IdentityMismatch::Header { .. }));
}

#[test]
fn a_backup_moved_over_the_file_is_refused() {
    let it = history();
    fs::rename(&it.online, &it.live).unwrap();
    remove(&it.live, &["-wal", "-shm"]);
    assert!(is_noticed_by_lock_file(&refused_until_restored(&it.live)));
}

#[test]
fn an_older_copy_renamed_over_the_file_beside_the_newer_log_is_refused() {
    let it = history();
    fs::rename(&it.backup, &it.live).unwrap();
    remove(&it.live, &["-shm"]);
    assert!(matches!(refused(&it.live), IdentityMismatch::Header { .. }));
}

#[test]
fn a_copy_with_a_new_name_is_refused() {
    let it = history();
    let copied = it.live.with_file_name("copy.db");
    copy(&it.live, &copied, &["", "-wal"]);
    assert_eq!(refused_until_restored(&copied), IdentityMismatch::LockFileMissing);
    open(&it.scratch.url_of_file());
}

#[test]
fn a_copy_of_all_files_with_a_new_name_is_refused() {
    let it = history();
    let copied = it.live.with_file_name("copy.db");
    copy(&it.live, &copied, &FILES);
    assert_eq!(refused_until_restored(&copied), IdentityMismatch::LockFileCopied);
}

#[test]
fn a_backup_of_all_files_over_the_files_is_refused_by_the_state_folder() {
    let it = history();
    remove(&it.live, &["-shm"]);
    copy(&it.backup, &it.live, &FILES);
    assert!(is_behind(&refused_until_restored(&it.live), Witness::StateFolder));
}

#[test]
fn a_journal_without_its_lock_file_is_refused() {
    let it = history();
    remove(&it.live, &["-lock"]);
    assert_eq!(refused(&it.live), IdentityMismatch::LockFileMissing);
    assert!(!suffixed(&it.live, "-lock").exists(), "an open never creates it");
    fs::write(suffixed(&it.live, "-lock"), "").unwrap();
    make_private(&suffixed(&it.live, "-lock"));
    assert_eq!(refused_until_restored(&it.live), IdentityMismatch::LockFileForeign);
}

#[test]
fn a_vacuumed_backup_is_refused() {
    let it = history();
    assert_eq!(refused(&it.vacuumed), IdentityMismatch::LockFileMissing);
    fs::rename(&it.vacuumed, &it.live).unwrap();
    remove(&it.live, &["-wal", "-shm"]);
    assert!(is_noticed_by_lock_file(&refused_until_restored(&it.live)));
}

#[test]
fn a_journal_without_its_log_is_refused() {
    let it = history();
    remove(&it.live, &["-wal", "-shm"]);
    assert!(is_behind(&refused_until_restored(&it.live), Witness::LockFile));
}

#[test]
fn the_lock_file_of_another_journal_and_a_missing_database_are_refused() {
    let (it, other) = (history(), history());
    copy(&other.live, &it.live, &["-lock"]);
    assert_eq!(refused_until_restored(&it.live), IdentityMismatch::LockFileOfAnotherEpoch);
    remove(&other.live, &["", "-wal", "-shm"]);
    let error = open_journal(&other.scratch.url_of_file(), OpenOptions::default()).map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::Copied { mismatch: IdentityMismatch::DatabaseMissing, .. }), "{error}");
    assert!(!other.live.exists());
    remove(&other.live, &["-lock"]);
    open(&other.scratch.url_of_file());
}

#[test]
fn a_journal_that_was_moved_vacuumed_or_checkpointed_with_nothing_lost_opens() {
    let it = history();
    let expected = status(&mut open(&it.scratch.url_of_file()), "c").unwrap();
    let same =
        |path: &Path| assert_same(&status(&mut open(&path.display().to_string()), "c").unwrap(), &expected);
    sqlite(&it.live).execute_batch("VACUUM").unwrap();
    same(&it.live);
    checkpoint(&it.live);
    same(&it.live);
    // Another SQLite that is the last to close the file removes the log.
    drop(rusqlite::Connection::open(&it.live).unwrap());
    same(&it.live);
    let moved = it.scratch.folder.path().join("moved");
    fs::create_dir(&moved).unwrap();
    let moved = moved.join("autumn.db");
    for suffix in FILES {
        let _ = fs::rename(suffixed(&it.live, suffix), suffixed(&moved, suffix));
    }
    same(&moved);
    let renamed = it.scratch.folder.path().join("renamed");
    fs::rename(moved.parent().unwrap(), &renamed).unwrap();
    same(&renamed.join("autumn.db"));
    // A copy of the newest state over the file lacks nothing.
    let newest = it.live.with_file_name("newest.db");
    let live = renamed.join("autumn.db");
    back_up(&live, &newest);
    make_private(&newest);
    remove(&live, &["-wal", "-shm"]);
    fs::rename(&newest, &live).unwrap();
    same(&live);
}

/// Mounts one file system by two loop devices, one after the other.
#[test]
#[ignore = "mounts a file system; tests/suites/campaign"]
fn a_journal_whose_device_number_changed_opens() {
    let scratch = Scratch::file();
    let (image, folder) = (scratch.folder.path().join("image"), scratch.folder.path().join("mounted"));
    fs::create_dir(&folder).unwrap();
    let shell = |script: &str| {
        let mut command = std::process::Command::new("bash");
        let status = command.args(["-ec", script]).arg(&image).arg(&folder).status();
        assert!(status.unwrap().success(), "{script}");
    };
    let mount = |device: &str| shell(&format!("losetup {device} \"$0\"; mount {device} \"$1\""));
    let unmount = |device: &str| shell(&format!("umount \"$1\"; losetup -d {device}"));
    shell("truncate -s 20M \"$0\"; mkfs.ext4 -q \"$0\"");
    let path = folder.join("campaign.db");
    mount("/dev/loop6");
    create(&mut open(path.to_str().unwrap()), "c", 20, Settings::default());
    let device = fs::metadata(&path).unwrap().dev();
    unmount("/dev/loop6");
    mount("/dev/loop7");
    let found = status(&mut open(path.to_str().unwrap()), "c").map(|status| status.pending);
    let other = fs::metadata(&path).unwrap().dev();
    unmount("/dev/loop7");
    assert_eq!(found.unwrap(), 20);
    assert_ne!(device, other);
}

#[test]
fn a_lock_file_contains_neither_device_nor_machine() {
    let it = history();
    let lock = suffixed(&it.live, "-lock");
    let text = fs::read_to_string(&lock).unwrap();
    let lines: Vec<_> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(lines[2..], ["epoch", "inode", "birth"], "{text}");
    assert!(lines[1].parse::<i64>().unwrap() > 0, "the generation of a checkpoint");
    assert!(text.contains(&format!("inode {}\n", fs::metadata(&lock).unwrap().ino())), "{text}");
    let generation: i64 = lines[0].parse().unwrap();
    let found: i64 = sqlite(&it.live).query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    assert_eq!(generation, found);
}

#[test]
fn every_transaction_that_changes_something_raises_the_generation_by_one() {
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url_of_file());
    let id = create(&mut journal, "c", 20, Settings::default());
    let generation =
        || -> i64 { sqlite(&scratch.path()).query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap() };
    let before = generation();
    journal.suppress(&id, &["306900000001".to_owned()]).unwrap();
    let owner = journal.register_owner(&id).unwrap();
    journal.heartbeat(owner).unwrap();
    assert_eq!(generation(), before + 3);
    status(&mut journal, "c").unwrap();
    journal.exchange(&id, owner, &[], 0, None).unwrap();
    assert_eq!(generation(), before + 3, "nothing was changed");
}

#[test]
fn a_journal_of_an_older_version_gets_its_identity_if_its_inode_is_the_same() {
    for (changed, is_same) in [(0, true), (1, false)] {
        let it = history();
        let inode = fs::metadata(&it.live).unwrap().ino() + changed;
        let older = format!(
            "DELETE FROM meta WHERE name IN ('epoch', 'base', 'generation');
            INSERT INTO meta (name, value) VALUES ('identity', '1:{inode}:another machine');
            PRAGMA user_version = 0"
        );
        sqlite(&it.live).execute_batch(&older).unwrap();
        checkpoint(&it.live);
        fs::write(suffixed(&it.live, "-lock"), "").unwrap();
        if is_same {
            let pending = status(&mut open(&it.scratch.url_of_file()), "c").unwrap().pending;
            assert_eq!(pending, 12);
            open(&it.scratch.url_of_file());
        } else {
            assert_eq!(refused_until_restored(&it.live), IdentityMismatch::NoIdentity);
        }
    }
}

#[test]
fn a_journal_at_the_last_generation_is_full() {
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url_of_file());
    let id = create(&mut journal, "c", 5, Settings::default());
    let sql =
        "PRAGMA user_version = 2147483646; UPDATE meta SET value = '2147483646' WHERE name = 'generation'";
    sqlite(&scratch.path()).execute_batch(sql).unwrap();
    let owner = journal.register_owner(&id).unwrap();
    assert!(matches!(journal.heartbeat(owner), Err(Error::Full)));
    assert_eq!(status(&mut journal, "c").unwrap().pending, 5);
}

#[test]
fn a_journal_moved_with_nothing_lost_keeps_its_rows_and_one_that_lacks_commits_is_not_moved() {
    let it = history();
    let moved = it.live.with_file_name("moved.db");
    copy(&it.live, &moved, &["", "-wal"]);
    let url = moved.display().to_string();
    let mut options = OpenOptions::default();
    options.read_only = true;
    let expected = status(&mut open_journal(&url, options).unwrap(), "c").unwrap();
    assert!(expected.pending > 0);
    let not_moved = |path: &Path| match Journal::mark_moved(&path.display().to_string()).unwrap_err() {
        Error::Copied { mismatch, .. } => mismatch,
        other => panic!("{other}"),
    };
    assert!(is_behind(&not_moved(&it.online), Witness::StateFolder));
    Journal::mark_moved(&url).unwrap();
    assert_same(&status(&mut open(&url), "c").unwrap(), &expected);
    assert_eq!(not_moved(&it.online), IdentityMismatch::Retired);
    assert!(matches!(Journal::mark_moved("/nowhere/x.db"), Err(Error::Open { .. })));
}

#[test]
fn a_journal_in_use_on_this_machine_is_not_declared() {
    let it = history();
    let mut journal = open(&it.scratch.url_of_file());
    let id = journal.campaign("c").unwrap().id;
    let owner = journal.register_owner(&id).unwrap();
    for declared in [
        Journal::mark_moved(&it.scratch.url_of_file()),
        Journal::mark_restored(&it.scratch.url_of_file(), false).map(|_| ()),
    ] {
        assert!(matches!(declared, Err(Error::InUse)), "{declared:?}");
    }
    journal.release_owner(owner).unwrap();
    Journal::mark_restored(&it.scratch.url_of_file(), false).unwrap();
    // The journal that was open has another epoch.
    assert!(matches!(journal.suppress(&id, &[]), Err(Error::Replaced)));
}

#[test]
fn restored_always_acts_and_its_rows_can_be_resolved_only_by_the_rules() {
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url_of_file());
    create(&mut journal, "c", 5, Settings::default());
    let settings = Settings::default();
    let new = NewCampaign { name: "begun", operation: "sms.send", digest: "", settings: &settings };
    journal.create(&new).unwrap();
    drop(journal);
    let summary = Journal::mark_restored(&scratch.url_of_file(), false).unwrap();
    assert_eq!((summary.campaigns, summary.unknown, summary.cancelled), (1, 5, 1));
    let mut journal = open(&scratch.url_of_file());
    assert_eq!(status(&mut journal, "begun").unwrap().state, "cancelled");
    assert!(matches!(journal.create(&new), Err(Error::NameTaken)));
    let found = status(&mut journal, "c").unwrap();
    assert_eq!((found.unknown, found.pending, found.state), (5, 0, "done"));
    assert_eq!(
        resolve(&mut journal, "c", Resolution::NotSent, None, false).unwrap().resolved,
        0,
        "too young"
    );
    assert_eq!(resolve(&mut journal, "c", Resolution::Accepted, None, false).unwrap().resolved, 5);
}

#[test]
fn a_restored_journal_refuses_new_keys_until_they_are_forgotten() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let sandbox: BlockingSandbox = Sandbox::builder().start_blocking().unwrap();
    let scratch = Scratch::file();
    let client = client(sandbox.config());
    let url = scratch.url_of_file();
    let once = |key: &str| {
        let journal = std::sync::Arc::new(std::sync::Mutex::new(open(&url)));
        let request = r#"{"from": "Acme", "to": "306900000001", "text": "Hi", "type": "auto"}"#;
        runtime.block_on(send_once(journal, &client, key, "sms.send", request, Duration::from_secs(5)))
    };
    assert_eq!(once("a").unwrap().outcome, RowOutcome::Accepted);
    assert!(!Journal::mark_restored(&url, false).unwrap().accepts_keys);
    assert_eq!(once("a").unwrap().outcome, RowOutcome::Accepted, "a known key");
    assert!(matches!(once("b"), Err(Error::KeysLost { .. })));
    assert!(Journal::mark_restored(&url, true).unwrap().accepts_keys);
    assert_eq!(once("b").unwrap().outcome, RowOutcome::Accepted);
    assert_eq!(sandbox.ledger().len(), 2);
}

#[test]
fn files_of_other_programs_are_refused_and_stay_as_they_are() {
    let scratch = Scratch::file();
    let path = scratch.path();
    sqlite(&path).execute_batch("CREATE TABLE orders (id INTEGER)").unwrap();
    let before = fs::read(&path).unwrap();
    let url = scratch.url_of_file();
    let opened = open_journal(&url, OpenOptions::default()).map(drop);
    assert!(matches!(opened, Err(Error::NotAJournal { .. })), "{opened:?}");
    for declared in [Journal::mark_moved(&url), Journal::mark_restored(&url, true).map(|_| ())] {
        assert!(matches!(declared, Err(Error::NotAJournal { .. })), "{declared:?}");
    }
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_single_file_that_is_mounted_is_refused() {
    let scratch = Scratch::file();
    let (path, other) = (scratch.path(), scratch.folder.path().join("mounted"));
    fs::write(&other, "").unwrap();
    fs::write(&path, "").unwrap();
    let script = "mount --bind \"$0\" \"$1\" && exec \"$2\" --exact restore_sqlite::creation_in_a_mounted_file --ignored";
    let mut command = std::process::Command::new("unshare");
    command.args(["--mount", "--map-root-user", "bash", "-c", script]).arg(&other).arg(&path);
    let output =
        command.arg(std::env::current_exe().unwrap()).env("CAMPAIGN_JOURNAL", &path).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    if text.contains("unshare") || text.contains("mount") && !text.contains("panicked") {
        println!("skipped: no right to mount: {text}");
        return;
    }
    assert!(output.status.success(), "{text}");
}

/// The program that creates a journal in a mounted file; not a test by itself.
#[test]
#[ignore = "runs in a process of its own"]
fn creation_in_a_mounted_file() {
    let Ok(journal) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let error = open_journal(&journal, OpenOptions::default()).map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::MountedFile(_)), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_restored_under_a_running_worker_ends_it_before_the_next_row() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::file();
    let path = scratch.path();
    let mut journal = open(&scratch.url_of_file());
    let mut settings = Settings::default();
    settings.rate = Some(1000.0);
    create(&mut journal, "c", 3000, settings);
    let backup = path.with_file_name("backup.db");
    copy(&path, &backup, &["", "-wal"]);
    let client = client(sandbox.config());
    let worker = tokio::spawn({
        let client = client.clone();
        async move { run(journal, "c", &client, RunOptions::default()).await.map(|_| ()) }
    });
    while sandbox.ledger().await.len() < 300 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    for suffix in ["", "-wal"] {
        fs::rename(suffixed(&backup, suffix), suffixed(&path, suffix)).unwrap();
    }
    let error = worker.await.unwrap().unwrap_err();
    assert!(matches!(error.error, Error::Replaced) || error.to_string().contains("was replaced"), "{error}");
    assert!(sandbox.ledger().await.len() < 3000);
    remove(&path, &["-shm"]);
    let url = scratch.url_of_file();
    assert!(is_behind(&refused(&path), Witness::LockFile));
    Journal::mark_restored(&url, false).unwrap();
    let (end, mut journal) = run(open(&url), "c", &client, RunOptions::default()).await.unwrap();
    assert_eq!((end, status(&mut journal, "c").unwrap().unknown), (RunEnd::Done, 3000));
    let ledger = sandbox.ledger().await;
    assert_eq!(sent(&ledger).len(), ledger.len(), "no row twice");
}

/// Replaces the rows of all tables but `meta` by those of a backup.
fn replace_rows(path: &Path, backup: &Path) {
    let connection = sqlite(path);
    connection.execute("ATTACH ?1 AS old", [backup.to_str()]).unwrap();
    for table in [
        "campaigns",
        "chunks",
        "permits",
        "outcomes",
        "resolutions",
        "reports",
        "owners",
        "suppressions",
        "attempts",
    ] {
        let sql = format!("DELETE FROM main.{table}; INSERT INTO main.{table} SELECT * FROM old.{table}");
        connection.execute_batch(&sql).unwrap();
    }
}

/// They add up, but forget rows that were sent since.
#[test]
fn old_rows_of_all_tables_but_meta_are_refused() {
    for (newer, expected) in [("c", (4, 2)), ("created since", (2, 0))] {
        let scratch = Scratch::file();
        let url = scratch.url_of_file();
        let mut journal = open(&url);
        let id = create(&mut journal, "c", 20, Settings::default());
        claim_and_settle(&mut journal, &id);
        let old = scratch.folder.path().join("old.db");
        back_up(&scratch.path(), &old);
        replace_rows(&scratch.path(), &old);
        let owner = journal.register_owner(&id).unwrap();
        journal.release_owner(owner).unwrap();
        let newer =
            if newer == "c" { id.clone() } else { create(&mut journal, newer, 20, Settings::default()) };
        claim_and_settle(&mut journal, &newer);
        replace_rows(&scratch.path(), &old);
        match journal.register_owner(&id).unwrap_err() {
            Error::MixedTables { attempts, found } => assert_eq!((attempts, found), expected),
            other => panic!("{other}"),
        }
        drop(journal);
        let problems = Journal::verify(&url).unwrap().problems;
        assert!(
            problems.iter().any(|problem| problem.message.contains("must belong together")),
            "{problems:?}"
        );
        Journal::mark_restored(&url, false).unwrap();
        assert_eq!(Journal::verify(&url).unwrap().problems, []);
        let mut journal = open(&url);
        let found = status(&mut journal, "c").unwrap();
        assert_eq!((found.pending, found.accepted, found.unknown), (0, 1, 19), "{found:?}");
        let new = create(&mut journal, "after it", 20, Settings::default());
        claim_and_settle(&mut journal, &new);
        claim_and_settle(&mut journal, &new);
    }
}

/// The file by its other name has another log and another lock file, so the worker would not be seen.
#[test]
fn a_hard_link_of_a_journal_is_not_declared() {
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url_of_file());
    let id = create(&mut journal, "c", 4, Settings::default());
    let _owner = journal.register_owner(&id).unwrap();
    let link = scratch.folder.path().join("link.db");
    fs::hard_link(scratch.path(), &link).unwrap();
    let before = fs::read(&link).unwrap();
    for declared in [
        Journal::mark_restored(link.to_str().unwrap(), false).map(drop),
        Journal::mark_restored(link.to_str().unwrap(), true).map(drop),
        Journal::mark_moved(link.to_str().unwrap()),
    ] {
        let error = declared.unwrap_err();
        assert!(error.to_string().contains("must have one name, got 2 hard links"), "{error}");
    }
    assert_eq!(fs::read(&link).unwrap(), before);
    assert!(!suffixed(&link, "-lock").exists());
    drop(journal);
    let copied = scratch.folder.path().join("copied.db");
    fs::copy(&link, &copied).unwrap();
    Journal::mark_restored(copied.to_str().unwrap(), false).unwrap();
}
