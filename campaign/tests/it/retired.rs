//! A journal whose identity was replaced by `moved` or `restored`: copies with the old identity are refused on this machine.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{
    Scratch, claim, close_as_killed, create, open, settlement, state_file, token, view, won,
};
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::journal::{Journal, OpenOptions, Settings};
use cpaas_campaign::protocol::RowOutcome;
use cpaas_campaign::{Error, IdentityMismatch};

const FILES: [&str; 3] = ["", "-wal", "-lock"];

fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", path.display()))
}

/// Overwrites the contents of the files, which keep their inodes, as `cp` does.
fn put_back(from: &Path, to: &Path) {
    for suffix in FILES {
        match fs::read(suffixed(from, suffix)) {
            Ok(contents) => fs::write(suffixed(to, suffix), contents).unwrap(),
            Err(_) => drop(fs::remove_file(suffixed(to, suffix))),
        }
    }
}

fn sends_two(journal: &mut Journal) {
    let id = journal.campaign("c").unwrap().id;
    let owner = journal.register_owner(&id).unwrap();
    let mut view = view(journal, &id);
    let permit = won(claim(journal, &id, owner, token(), &mut view));
    let row = permit.rows[0].row;
    journal.exchange(&id, owner, &[settlement(&permit, row, RowOutcome::Accepted)], 0, None).unwrap();
    journal.release_owner(owner).unwrap();
}

/// A journal with a campaign of 20 rows, and a copy of its files.
fn copied(scratch: &Scratch) -> (PathBuf, PathBuf) {
    let (live, copy) = (scratch.path(), scratch.folder.path().join("copy.db"));
    let mut journal = open(&scratch.url_of_file());
    create(&mut journal, "c", 20, Settings::default());
    sends_two(&mut journal);
    close_as_killed(journal, &scratch.url_of_file());
    for suffix in FILES {
        fs::copy(suffixed(&live, suffix), suffixed(&copy, suffix)).unwrap();
    }
    (live, copy)
}

fn mismatch(error: Error) -> IdentityMismatch {
    match error {
        Error::Copied { mismatch, .. } => mismatch,
        other => panic!("{other}"),
    }
}

fn refused(path: &Path) -> IdentityMismatch {
    let opened = open_journal(&path.display().to_string(), OpenOptions::default());
    mismatch(opened.map(drop).unwrap_err())
}

/// The trial: a safety copy before the command, the rest is sent, the copy is put back over the files.
#[test]
fn files_from_before_a_command_are_refused_in_their_place() {
    for restores in [false, true] {
        let scratch = Scratch::file();
        let (live, copy) = copied(&scratch);
        let url = scratch.url_of_file();
        if restores {
            Journal::mark_restored(&url, false).map(drop).unwrap();
        } else {
            Journal::mark_moved(&url).unwrap();
            sends_two(&mut open(&url));
        }
        put_back(&copy, &live);
        assert_eq!(refused(&live), IdentityMismatch::Retired, "{restores}");
        assert_eq!(mismatch(Journal::mark_moved(&url).unwrap_err()), IdentityMismatch::Retired);
        let message = Error::Copied { place: url.clone(), mismatch: IdentityMismatch::Retired }.to_string();
        assert!(message.contains("use the journal on which the command was run"), "{message}");
        Journal::mark_restored(&url, false).map(drop).unwrap();
        assert_eq!(cpaas_campaign::campaign::status(&mut open(&url), "c").unwrap().pending, 0);
    }
}

/// The epoch of a journal.
fn epoch(path: &Path) -> String {
    let connection = rusqlite::Connection::open(path).unwrap();
    let sql = "SELECT value FROM meta WHERE name = 'epoch'";
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// A kill between the commit and the steps after it: neither the state folder nor the lock file knows the new identity.
#[test]
fn a_command_that_was_killed_after_its_commit_is_finished_by_the_next_one() {
    for restores in [false, true] {
        let scratch = Scratch::file();
        let (live, copy) = copied(&scratch);
        let url = scratch.url_of_file();
        let declare = || match restores {
            true => Journal::mark_restored(&url, false).map(drop).unwrap(),
            false => Journal::mark_moved(&url).unwrap(),
        };
        let (old, lock) = (epoch(&live), suffixed(&live, "-lock"));
        let (remembered, locked) = (fs::read(state_file(&old)).unwrap(), fs::read(&lock).unwrap());
        declare();
        fs::write(state_file(&old), &remembered).unwrap();
        fs::write(&lock, &locked).unwrap();
        fs::remove_file(state_file(&epoch(&live))).unwrap();

        assert_eq!(refused(&live), IdentityMismatch::LockFileOfAnotherEpoch, "{restores}");
        declare();
        if !restores {
            sends_two(&mut open(&url));
        }
        put_back(&copy, &live);
        assert_eq!(refused(&live), IdentityMismatch::Retired, "{restores}");
    }
}

/// Both may not run: the copy is the journal now.
#[test]
fn the_original_is_refused_after_its_copy_was_declared() {
    let scratch = Scratch::file();
    let (live, copy) = copied(&scratch);
    let url = copy.display().to_string();
    Journal::mark_moved(&url).unwrap();
    sends_two(&mut open(&url));
    assert_eq!(refused(&live), IdentityMismatch::Retired);
    assert_eq!(mismatch(Journal::mark_moved(&scratch.url_of_file()).unwrap_err()), IdentityMismatch::Retired);
}

/// Its rows are unknown, so the original may continue.
#[test]
fn the_original_continues_after_its_copy_was_marked_as_restored() {
    let scratch = Scratch::file();
    let (_, copy) = copied(&scratch);
    let url = copy.display().to_string();
    Journal::mark_restored(&url, false).map(drop).unwrap();
    sends_two(&mut open(&scratch.url_of_file()));
    // A job that copies each night a backup over the file of its reports, which has a lock file of its own by now.
    let backup = scratch.folder.path().join("backup.db");
    drop(Journal::backup(&scratch.url_of_file(), &backup).unwrap());
    drop(fs::remove_file(suffixed(&copy, "-wal")));
    fs::write(&copy, fs::read(&backup).unwrap()).unwrap();
    Journal::mark_restored(&url, false).map(drop).unwrap();
    sends_two(&mut open(&scratch.url_of_file()));
}

fn url(path: &Path) -> String {
    path.display().to_string()
}

/// The command of the test below; not a test by itself.
#[test]
#[ignore = "runs in a process of its own"]
fn declaring_process() {
    let Ok(journal) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    match std::env::var_os("CAMPAIGN_RESTORES") {
        Some(_) => Journal::mark_restored(&journal, false).map(drop).unwrap(),
        None => Journal::mark_moved(&journal).unwrap(),
    }
}

/// Runs the command, and kills it at the given write. Returns whether it was killed.
fn killed_at(write: u32, journal: &str, restores: bool) -> bool {
    let mut command = std::process::Command::new("strace");
    command
        .args(["-f", "-o", "/dev/null", "-e", "trace=pwrite64", "-e"])
        .arg(format!("inject=pwrite64:signal=SIGKILL:when={write}"))
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "retired::declaring_process", "--ignored"])
        .env("CAMPAIGN_JOURNAL", journal)
        .stdout(std::process::Stdio::null());
    if restores {
        command.env("CAMPAIGN_RESTORES", "1");
    }
    !command.status().unwrap().success()
}

/// After the command runs again, as the message says, a copy from before is refused, wherever the first one was killed.
#[test]
#[ignore = "needs strace; tests/suites/campaign"]
fn a_command_that_is_killed_at_any_write_retires_the_old_identity() {
    for restores in [false, true] {
        let mut writes = 0;
        loop {
            writes += 1;
            let scratch = Scratch::file();
            let (_, copy) = copied(&scratch);
            let (journal, copy) = (scratch.url_of_file(), url(&copy));
            let was_killed = killed_at(writes, &journal, restores);
            if was_killed {
                match restores {
                    true => Journal::mark_restored(&journal, false).map(drop).unwrap(),
                    false => Journal::mark_moved(&journal).unwrap(),
                }
            }
            if !restores {
                sends_two(&mut open(&journal));
            }
            let found = mismatch(Journal::mark_moved(&copy).unwrap_err());
            assert_eq!(found, IdentityMismatch::Retired, "write {writes}, {restores}");
            if !was_killed {
                break;
            }
        }
        assert!((5..500).contains(&writes), "{writes} writes");
    }
}
