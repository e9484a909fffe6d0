//! A journal whose identity was replaced by `moved` or `restored`: copies with the old identity are refused on this machine.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{
    Scratch, claim, close_as_killed, create, open, settlement, state_file, token, view, won,
};
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::journal::{ChunkView, Claim, Exchange, Journal, OpenOptions, Settings};
use cpaas_campaign::protocol::{RowOutcome, Token};
use cpaas_campaign::{Error, IdentityMismatch, Witness};

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

/// An owner and a view of the campaign, of a worker that runs.
fn worker(journal: &mut Journal) -> (String, Token, ChunkView) {
    let id = journal.campaign("c").unwrap().id;
    let owner = journal.register_owner(&id).unwrap();
    let view = view(journal, &id);
    (id, owner, view)
}

/// The claim of a worker that has opened the journal before.
fn claimed(
    journal: &mut Journal,
    (id, owner, view): &mut (String, Token, ChunkView),
) -> Result<Exchange, Error> {
    let claim = Claim {
        owner: *owner,
        token: token(),
        limit: 2,
        requested: &|_| true,
        may_halt: true,
        provider: &[],
    };
    journal.exchange(id, *owner, &[], 0, Some((&claim, view)))
}

/// A journal with a worker that runs, and copies of its files, which do not know that the worker lives.
fn running(scratch: &Scratch, copies: &[&Path]) -> (Journal, (String, Token, ChunkView)) {
    let mut journal = open(&scratch.url_of_file());
    create(&mut journal, "c", 20, Settings::default());
    sends_two(&mut journal);
    let worker = worker(&mut journal);
    for copy in copies {
        for suffix in FILES {
            fs::copy(suffixed(&scratch.path(), suffix), suffixed(copy, suffix)).unwrap();
        }
        rusqlite::Connection::open(copy).unwrap().execute("UPDATE owners SET is_gone = 1", []).unwrap();
    }
    (journal, worker)
}

/// The worker has opened the journal before, and claims after its copy was declared.
#[test]
fn a_running_worker_does_not_undo_a_retirement() {
    let scratch = Scratch::file();
    let (live, copy) = (scratch.path(), scratch.folder.path().join("copy.db"));
    let (mut journal, mut worker) = running(&scratch, &[&copy]);
    let state = state_file(&epoch(&live));
    Journal::mark_moved(&url(&copy)).unwrap();
    let retired = fs::read_to_string(&state).unwrap();
    assert_eq!(retired, format!("9999999999999999\nretired {}\n", epoch(&copy)));
    assert_eq!(mismatch(claimed(&mut journal, &mut worker).unwrap_err()), IdentityMismatch::Retired);
    assert_eq!(fs::read_to_string(&state).unwrap(), retired);
    // The claim may have begun before the command: what an older library writes then does not make the journal usable.
    let older = retired.replacen("9999999999999999", "0000000000000009", 1);
    fs::write(&state, older).unwrap();
    assert_eq!(mismatch(claimed(&mut journal, &mut worker).unwrap_err()), IdentityMismatch::Retired);
    drop(journal);
    assert_eq!(refused(&live), IdentityMismatch::Retired);
}

/// The state of a journal after `moved` was killed between its commit and the steps after it.
fn kill_after_commit(path: &Path) {
    let (old, lock) = (epoch(path), suffixed(path, "-lock"));
    let (remembered, locked) = (fs::read(state_file(&old)).unwrap(), fs::read(&lock).ok());
    Journal::mark_moved(&url(path)).unwrap();
    fs::write(state_file(&old), remembered).unwrap();
    locked.map_or_else(|| fs::remove_file(&lock), |locked| fs::write(&lock, locked)).unwrap();
    fs::remove_file(state_file(&epoch(path))).unwrap();
}

/// The original runs on, so the copy lacks what it sent.
#[test]
fn a_copy_that_was_killed_before_it_retired_the_original_is_behind_it() {
    let scratch = Scratch::file();
    let (_, copy) = copied(&scratch);
    kill_after_commit(&copy);
    let mut original = open(&scratch.url_of_file());
    sends_two(&mut original);
    let is_behind = |found| matches!(found, IdentityMismatch::Behind { witness: Witness::StateFolder, .. });
    assert!(is_behind(refused(&copy)));
    assert!(is_behind(mismatch(Journal::mark_moved(&url(&copy)).unwrap_err())));
    sends_two(&mut original);
    // As a copy it can be used.
    Journal::mark_restored(&url(&copy), false).unwrap();
    assert_eq!(cpaas_campaign::campaign::status(&mut open(&url(&copy)), "c").unwrap().pending, 0);
    sends_two(&mut original);
    drop(original);
    open(&scratch.url_of_file());
}

/// Both copies say that they are the original; the first one that says it is.
#[test]
fn of_two_copies_that_were_moved_one_is_retired() {
    for is_killed in [false, true] {
        let scratch = Scratch::file();
        let (live, first) = copied(&scratch);
        let second = scratch.folder.path().join("second.db");
        for suffix in FILES {
            fs::copy(suffixed(&first, suffix), suffixed(&second, suffix)).unwrap();
        }
        if is_killed {
            kill_after_commit(&first);
        } else {
            Journal::mark_moved(&url(&first)).unwrap();
        }
        let (winner, loser) = if is_killed { (&second, &first) } else { (&first, &second) };
        if is_killed {
            Journal::mark_moved(&url(winner)).unwrap();
        }
        sends_two(&mut open(&url(winner)));
        assert_eq!(mismatch(Journal::mark_moved(&url(loser)).unwrap_err()), IdentityMismatch::Retired);
        assert_eq!(refused(&live), IdentityMismatch::Retired);
        sends_two(&mut open(&url(winner)));
    }
}

/// What `restored` did in its place must not make it the journal again.
#[test]
fn an_original_that_was_retired_is_a_copy_after_restored_in_its_place() {
    let scratch = Scratch::file();
    let (live, copy) = copied(&scratch);
    Journal::mark_moved(&url(&copy)).unwrap();
    let state = state_file(&epoch(&live));
    let retired = fs::read_to_string(&state).unwrap();
    Journal::mark_restored(&url(&live), false).unwrap();
    assert_eq!(retirement(&live), None);
    assert_eq!(fs::read_to_string(&state).unwrap(), retired);
    open(&url(&live));
    sends_two(&mut open(&url(&copy)));
    // The same without the first command: the row is that of the identity that was replaced.
    let scratch = Scratch::file();
    let (live, _) = copied(&scratch);
    let old = epoch(&live);
    Journal::mark_restored(&url(&live), false).unwrap();
    assert_eq!(retirement(&live), Some(old));
}

/// What an open of the journal carries out.
fn retirement(path: &Path) -> Option<String> {
    let sql = "SELECT value FROM meta WHERE name = 'retired'";
    rusqlite::Connection::open(path).unwrap().query_row(sql, [], |row| row.get(0)).ok()
}

#[test]
fn a_state_file_of_an_older_version_is_read() {
    let scratch = Scratch::file();
    let (live, _) = copied(&scratch);
    let state = state_file(&epoch(&live));
    let remembered = fs::read_to_string(&state).unwrap();
    assert_eq!(remembered.len(), 16, "a generation, without a second line");
    fs::write(&state, "9999999999999999").unwrap();
    assert_eq!(refused(&live), IdentityMismatch::Retired);
    fs::write(&state, remembered).unwrap();
    open(&url(&live));
}

/// A move to another disk, where nothing can be wrong: with a state folder that knows nothing, with one from another machine, and again.
#[test]
fn a_journal_that_was_moved_twice_opens_also_where_the_state_folder_was_lost() {
    let scratch = Scratch::file();
    let (live, _) = copied(&scratch);
    let first = epoch(&live);
    Journal::mark_moved(&url(&live)).unwrap();
    let second = epoch(&live);
    sends_two(&mut open(&url(&live)));
    let other = scratch.folder.path().join("other");
    fs::create_dir(&other).unwrap();
    let moved = other.join("campaign.db");
    for suffix in FILES {
        drop(fs::copy(suffixed(&live, suffix), suffixed(&moved, suffix)));
        drop(fs::remove_file(suffixed(&live, suffix)));
    }
    for epoch in [&first, &second] {
        fs::remove_file(state_file(epoch)).unwrap();
    }
    Journal::mark_moved(&url(&moved)).unwrap();
    sends_two(&mut open(&url(&moved)));
    // The state folder of the home came back from a backup of an earlier day.
    fs::write(state_file(&first), "0000000000000003").unwrap();
    fs::write(state_file(&second), "0000000000000003").unwrap();
    sends_two(&mut open(&url(&moved)));
    Journal::mark_moved(&url(&moved)).unwrap();
    sends_two(&mut open(&url(&moved)));
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

/// Two copies say that they are the original, and the first command is killed. Of the three journals at most one sends afterwards, whatever
/// runs next.
#[test]
#[ignore = "needs strace; tests/suites/campaign"]
fn a_command_that_is_killed_at_any_write_leaves_one_journal_that_sends() {
    let mut writes = 0;
    loop {
        writes += 1;
        let scratch = Scratch::file();
        let [first, second] = ["first.db", "second.db"].map(|name| scratch.folder.path().join(name));
        let (mut original, mut worker) = running(&scratch, &[&first, &second]);
        let was_killed = killed_at(writes, &url(&first), false);
        let claimed = claimed(&mut original, &mut worker).is_ok();
        let sends = |path: &Path| Journal::mark_moved(&url(path)).is_ok();
        let found = [claimed, sends(&second), sends(&first)];
        assert_eq!(found.iter().filter(|sends| **sends).count(), 1, "write {writes}: {found:?}");
        if !was_killed {
            break;
        }
    }
}
