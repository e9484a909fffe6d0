//! Reading a journal where nothing can be written, and copies of every kind: with a warning, without checks, and without a new file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Scratch, close_as_killed, create, exported, open};
use cpaas_campaign::Error;
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::campaign::{TestMessage, TestRows, pause, status};
use cpaas_campaign::journal::{Journal, OpenOptions, Settings};

fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", path.display()))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn open_to_read(url: &str) -> Result<Journal, Error> {
    let mut options = OpenOptions::default();
    options.read_only = true;
    open_journal(url, options)
}

/// A journal whose worker was killed: 20 rows, and a log that contains the newest change (a pause).
fn with_log() -> Scratch {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    create(&mut open(&url), "c", 20, Settings::default());
    let mut journal = open(&url);
    pause(&mut journal, "c").unwrap();
    close_as_killed(journal, &url);
    scratch
}

#[test]
fn a_copy_is_read_with_its_log_or_without_and_no_file_is_created() {
    let scratch = with_log();
    for (files, expected) in [
        (&[""][..], "created"),
        (&["", "-wal"], "paused"),
        (&["", "-lock"], "created"),
        (&["", "-wal", "-lock"], "paused"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("50% of it?.db");
        for suffix in files {
            fs::copy(suffixed(&scratch.path(), suffix), suffixed(&copy, suffix)).unwrap();
        }
        let before = names(folder.path());
        let contents = |suffix: &str| fs::read(suffixed(&copy, suffix)).ok();
        let bytes = ["", "-wal", "-lock"].map(contents);
        let mut journal = open_to_read(copy.to_str().unwrap()).unwrap();
        assert!(journal.warning().unwrap().contains("campaign restored --journal"), "{files:?}");
        let found = status(&mut journal, "c").unwrap();
        assert_eq!((found.state, found.rows), (expected, 20), "{files:?}");
        assert_eq!((exported(&mut journal, "c").len(), journal.campaigns().unwrap().len()), (20, 1));
        assert!(matches!(pause(&mut journal, "c"), Err(Error::ReadOnly)));
        drop(journal);
        let verified = Journal::verify(copy.to_str().unwrap()).unwrap();
        assert!(verified.problems.is_empty() && verified.identity.is_some(), "{verified:?}");
        assert_eq!(names(folder.path()), before, "{files:?}");
        assert_eq!(["", "-wal", "-lock"].map(contents), bytes, "{files:?}");
    }
}

/// The program that reads a journal in a folder that is mounted read-only; not a test by itself.
#[test]
#[ignore = "runs in a process of its own"]
fn reader_of_a_read_only_mount() {
    let (Ok(url), Ok(expected)) = (std::env::var("CAMPAIGN_JOURNAL"), std::env::var("CAMPAIGN_EXPECTED"))
    else {
        return;
    };
    assert!(fs::write(format!("{url}-probe"), "x").is_err(), "the folder can be written");
    let mut journal = open_to_read(&url).unwrap();
    // SQLite can use an index of the log that exists, so nothing is missing then.
    let is_complete = ["-shm", "-lock"].iter().all(|suffix| Path::new(&format!("{url}{suffix}")).exists());
    let warning = journal.warning().unwrap_or_default();
    let expected_warning = warning.contains("is read without locks") || warning.contains("-lock");
    assert!(expected_warning || is_complete && warning.is_empty(), "{warning}");
    let found = status(&mut journal, "c").unwrap();
    assert_eq!((found.state, found.rows), (expected.as_str(), 20));
    assert_eq!(exported(&mut journal, "c").len(), 20);
    let verified = Journal::verify(&url).unwrap();
    assert!(verified.problems.is_empty(), "{verified:?}");
    if warning.contains("is read without locks") {
        assert_eq!((verified.identity, verified.warning), (None, Some(warning)));
    } else {
        assert_eq!((verified.identity.unwrap_or_default(), verified.warning), (warning, None));
    }
    let backup = std::env::temp_dir().join(format!("backup-{}.db", std::process::id()));
    Journal::backup(&url, &backup).unwrap();
    assert_eq!(status(&mut open_to_read(backup.to_str().unwrap()).unwrap(), "c").unwrap().state, expected);
    fs::remove_file(backup).unwrap();
    for refused in [
        open_journal(&url, OpenOptions::default()).map(drop),
        Journal::mark_moved(&url),
        Journal::mark_restored(&url, false).map(drop),
    ] {
        assert!(refused.is_err());
    }
}

/// All combinations of files on a read-only mount: complete, with a log, with the index of a log, and without a lock file.
#[test]
fn a_journal_on_a_read_only_medium_is_read() {
    for (files, expected) in [
        (&["", "-wal", "-shm", "-lock"][..], "paused"),
        (&["", "-wal", "-lock"], "paused"),
        (&["", "-lock"], "created"),
        (&["", "-wal"], "paused"),
        (&[""], "created"),
    ] {
        let scratch = with_log();
        let folder = scratch.folder.path();
        for suffix in ["-wal", "-shm", "-lock"] {
            if !files.contains(&suffix) {
                fs::remove_file(suffixed(&scratch.path(), suffix)).unwrap();
            }
        }
        let before = names(folder);
        let script = "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\" && exec \"$1\" --exact read_only::reader_of_a_read_only_mount --ignored";
        let mut command = Command::new("unshare");
        command.args(["--mount", "--map-root-user", "bash", "-c", script]).arg(folder);
        command.arg(std::env::current_exe().unwrap());
        command.env("CAMPAIGN_JOURNAL", scratch.path()).env("CAMPAIGN_EXPECTED", expected);
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        if text.contains("unshare") || text.contains("mount:") && !text.contains("panicked") {
            println!("skipped: no right to mount: {text}");
            return;
        }
        assert!(output.status.success(), "{files:?}: {text}");
        assert_eq!(names(folder), before, "{files:?}");
    }
}

/// The mode of the folder stops every user but root.
#[test]
fn a_journal_in_a_folder_without_the_right_to_write_is_read() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = with_log();
    fs::remove_file(suffixed(&scratch.path(), "-shm")).unwrap();
    let folder = scratch.folder.path();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    for suffix in ["", "-wal", "-lock"] {
        mode(&suffixed(&scratch.path(), suffix), 0o400);
    }
    mode(folder, 0o500);
    let mut journal = open_to_read(&scratch.url_of_file()).unwrap();
    assert_eq!(status(&mut journal, "c").unwrap().state, "paused");
    drop(journal);
    mode(folder, 0o700);
}

/// A journal that is in use is read with locks and without a warning.
#[test]
fn a_journal_in_use_is_read_without_a_warning() {
    let scratch = with_log();
    let journal = open_to_read(&scratch.url_of_file()).unwrap();
    assert_eq!(journal.warning(), None);
    let lock = fs::File::open(format!("{}-lock", scratch.url_of_file())).unwrap();
    lock.lock().unwrap();
    let mut journal = open_to_read(&scratch.url_of_file()).unwrap();
    assert_eq!((journal.warning(), status(&mut journal, "c").unwrap().state), (None, "paused"));
}

/// Test messages are real, so the rows of a copy are not sent.
#[test]
fn a_test_of_a_copy_is_refused() {
    let scratch = with_log();
    let copy = scratch.folder.path().join("copy.db");
    fs::copy(scratch.path(), &copy).unwrap();
    let prepared = |url: &str| {
        let mut journal = open_to_read(url).unwrap();
        let to = ["306900000001".to_owned()];
        TestMessage::prepare(&mut journal, "c", &TestRows::First(1), &to).map(|messages| messages.len())
    };
    assert!(matches!(prepared(copy.to_str().unwrap()), Err(Error::Copied { .. })));
    assert_eq!(prepared(&scratch.url_of_file()).unwrap(), 1);
}
