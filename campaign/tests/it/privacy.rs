//! What a purge leaves in the files of a journal, and files that others can access.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{
    Scratch, claim, create, exported, messages, open, phone, rows, settlement, token, view, won,
};
use cpaas_campaign::blocking;
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::campaign::{cancel, status, suppress};
use cpaas_campaign::journal::{Journal, OpenOptions, Settings};
use cpaas_campaign::protocol::RowOutcome;
use cpaas_campaign::{Error, Suppression};

const ROWS: u64 = 1000;

fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", path.display()))
}

fn message_id(row: u16) -> String {
    format!("secret-id-{row:05}")
}

/// Suppressed numbers in an order that splits the pages of an index.
fn suppressed(row: u64) -> String {
    format!("{}", 306_970_000_000 + row * 7919 % 3000)
}

/// A campaign whose first rows were accepted, with the ids of their messages, and with suppressed numbers.
fn filled(journal: &mut Journal, name: &str) -> String {
    let id = create(journal, name, ROWS, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut view = view(journal, &id);
    for _ in 0..250 {
        let permit = won(claim(journal, &id, owner, token(), &mut view));
        view.won(&permit);
        let settlements: Vec<_> = permit
            .rows
            .iter()
            .map(|named| {
                let mut settled = settlement(&permit, named.row, RowOutcome::Accepted);
                settled.message_id = Some(message_id(named.row));
                settled.detail = Some(format!("{{\"to\":\"{}\"}}", phone(named.row.into())));
                settled
            })
            .collect();
        journal.exchange(&id, owner, &settlements, 0, None).unwrap();
    }
    journal.release_owner(owner).unwrap();
    for part in 0..10 {
        let numbers = (part * 300..part * 300 + 300).map(suppressed).collect();
        suppress(journal, name, &Suppression::Listed(numbers)).unwrap();
    }
    id
}

/// The bytes of all files of the journal.
fn files(path: &Path) -> Vec<u8> {
    let all =
        ["", "-wal", "-shm", "-lock"].map(|suffix| fs::read(suffixed(path, suffix)).unwrap_or_default());
    all.concat()
}

/// The different texts of 12 and 15 bytes that begin as numbers and ids do.
fn texts(bytes: &[u8]) -> BTreeSet<&[u8]> {
    let ids = bytes.windows(15).filter(|text| text.starts_with(b"secret-id-"));
    ids.chain(bytes.windows(12).filter(|text| text.starts_with(b"3069"))).collect()
}

/// How many ids, numbers of responses and suppressed numbers the files contain as bytes.
fn found(path: &Path) -> (usize, usize, usize) {
    let bytes = files(path);
    let texts = texts(&bytes);
    let ids = (0..500).filter(|row| texts.contains(message_id(*row).as_bytes())).count();
    let numbers = (0..500).filter(|row| texts.contains(phone(*row).as_bytes())).count();
    let opted_out = (0..3000).filter(|row| texts.contains(suppressed(*row).as_bytes())).count();
    (ids, numbers, opted_out)
}

/// The texts and ids that stock SQLite reads in the files as they were before the last `frames` frames of the log.
fn read_back(path: &Path) -> (usize, usize) {
    const HEADER: usize = 32;
    let (database, log) = (fs::read(path).unwrap(), fs::read(suffixed(path, "-wal")).unwrap_or_default());
    let page = usize::from(u16::from_be_bytes([database[16], database[17]]));
    let mut best = (0, 0);
    let frames = log.len().saturating_sub(HEADER) / (page + 24);
    for kept in (0..=frames).rev() {
        let end = HEADER + kept * (page + 24);
        // Only a frame that ends a transaction can be the last one.
        let commits = kept == 0 || log[end - page - 24 + 4..end - page - 24 + 8] != [0; 4];
        if !commits {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("copy.db");
        fs::write(&copy, &database).unwrap();
        fs::write(suffixed(&copy, "-wal"), &log[..end.min(log.len())]).unwrap();
        let connection = rusqlite::Connection::open(&copy).unwrap();
        let count =
            |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap_or(0) as usize;
        let bodies = count("SELECT COUNT(body) FROM chunks");
        let ids = count("SELECT COUNT(message_id) FROM outcomes");
        best = (best.0.max(bodies), best.1.max(ids));
    }
    best
}

#[test]
fn a_purge_leaves_no_text_number_or_id_in_any_file() {
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url_of_file());
    filled(&mut journal, "purged");
    filled(&mut journal, "kept");
    cancel(&mut journal, "purged").unwrap();
    cancel(&mut journal, "kept").unwrap();
    let path = scratch.path();
    assert_eq!(found(&path), (500, 500, 3000), "the test must find what is there");
    assert_eq!(read_back(&path), (2, 1000), "the test must read what is there");
    journal.purge("purged").unwrap();
    assert_eq!(read_back(&path), (1, 500), "the other campaign only");
    assert_eq!(exported(&mut journal, "kept").len(), 1000);
    assert_eq!(status(&mut journal, "purged").unwrap().accepted, 500);
    journal.purge("kept").unwrap();
    assert_eq!((found(&path), read_back(&path)), ((0, 0, 0), (0, 0)));
    assert_eq!(fs::metadata(suffixed(&path, "-wal")).unwrap().len(), 0);
    // The journal is still itself, for this worker and for others.
    create(&mut journal, "next", 3, Settings::default());
    drop(journal);
    let mut journal = open(&scratch.url_of_file());
    assert_eq!(status(&mut journal, "next").unwrap().pending, 3);
    create(&mut journal, "last", 3, Settings::default());
}

#[test]
fn a_purge_that_a_reader_prevents_is_an_error_and_can_be_repeated() {
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url_of_file());
    filled(&mut journal, "purged");
    cancel(&mut journal, "purged").unwrap();
    let reader = rusqlite::Connection::open(scratch.path()).unwrap();
    reader.execute_batch("BEGIN").unwrap();
    reader.query_row("SELECT COUNT(*) FROM chunks", [], |_| Ok(())).unwrap();
    let error = journal.purge("purged").unwrap_err();
    assert!(matches!(error, Error::NotErased(_)), "{error}");
    assert!(error.to_string().contains("fuser"), "{error}");
    // Other processes work meanwhile.
    let mut other = open(&scratch.url_of_file());
    create(&mut other, "other", 3, Settings::default());
    assert!(found(&scratch.path()).0 > 0);
    reader.execute_batch("COMMIT").unwrap();
    journal.purge("purged").unwrap();
    assert_eq!(found(&scratch.path()), (0, 0, 0));
    assert_eq!(status(&mut other, "other").unwrap().pending, 3);
}

/// The program of a process that opens and purges; not a test by itself.
#[test]
#[ignore = "runs in a process of its own"]
fn purging_process() {
    let Ok(url) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let mut journal = open(&url);
    loop {
        journal.purge("purged").unwrap();
    }
}

#[test]
fn a_process_killed_within_a_purge_leaves_a_journal_that_opens() {
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url_of_file());
    filled(&mut journal, "purged");
    cancel(&mut journal, "purged").unwrap();
    create(&mut journal, "next", 30, Settings::default());
    drop(journal);
    for round in 0..8 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "privacy::purging_process", "--ignored"])
            .env("CAMPAIGN_JOURNAL", scratch.url_of_file())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(60 + 23 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let mut journal = open(&scratch.url_of_file());
        assert_eq!(status(&mut journal, "next").unwrap().pending, 30);
        create(&mut journal, &format!("round{round}"), 1, Settings::default());
    }
    open(&scratch.url_of_file()).purge("purged").unwrap();
    assert_eq!(found(&scratch.path()), (0, 0, 0));
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn files_that_others_can_access_are_refused_with_the_command_that_mends_them() {
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url_of_file());
    // It stays open, so that all files exist.
    create(&mut journal, "c", 3, Settings::default());
    let path = scratch.path().canonicalize().unwrap();
    let files = ["", "-wal", "-shm", "-lock"].map(|suffix| suffixed(&path, suffix));
    for file in &files {
        for mode in [0o644, 0o660, 0o602] {
            files.iter().for_each(|file| set_mode(file, 0o600));
            set_mode(file, mode);
            let error = open_journal(&scratch.url_of_file(), OpenOptions::default()).map(drop).unwrap_err();
            assert!(matches!(error, Error::NotPrivate { .. }), "{error}");
            let message = error.to_string();
            assert!(message.contains(&format!("`chmod 600 {}`", file.display())), "{message}");
            assert!(matches!(
                Journal::mark_restored(&scratch.url_of_file(), false),
                Err(Error::NotPrivate { .. })
            ));
            let mut reads = OpenOptions::default();
            reads.read_only = true;
            let mut reader = open_journal(&scratch.url_of_file(), reads).unwrap();
            assert!(reader.warning().unwrap().contains("chmod 600"));
            assert_eq!(status(&mut reader, "c").unwrap().pending, 3);
        }
        set_mode(file, 0o600);
    }
    open(&scratch.url_of_file());
}

#[test]
fn every_file_of_a_journal_is_private_whatever_the_umask() {
    let scratch = Scratch::file();
    let script = "umask 000; exec \"$0\" --exact privacy::creating_process --ignored";
    let status = Command::new("sh")
        .args(["-c", script])
        .arg(std::env::current_exe().unwrap())
        .env("CAMPAIGN_JOURNAL", scratch.url_of_file())
        .env("XDG_STATE_HOME", scratch.folder.path().join("state"))
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success());
    let mut seen = 0;
    let mut folders = vec![scratch.folder.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
                continue;
            }
            seen += 1;
            assert_eq!(mode, 0o600, "{}", entry.path().display());
        }
    }
    assert!(seen >= 5, "database, log, index, lock file and state");
}

/// The program of a process that creates a journal; not a test by itself.
#[test]
#[ignore = "runs in a process of its own"]
fn creating_process() {
    let Ok(url) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let mut journal = open(&url);
    let _ =
        blocking::create(&mut journal, "c", &mut rows(3), &messages(), Settings::default(), None).unwrap();
}

#[test]
fn a_journal_is_not_created_through_a_link() {
    let scratch = Scratch::file();
    let target = scratch.folder.path().join("elsewhere");
    for suffix in ["", "-lock"] {
        let link = suffixed(&scratch.path(), suffix);
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let opened = open_journal(&scratch.url_of_file(), OpenOptions::default()).map(drop);
        assert!(opened.is_err(), "{}", link.display());
        assert!(!target.exists(), "{}", link.display());
        for suffix in ["", "-lock"] {
            let _ = fs::remove_file(suffixed(&scratch.path(), suffix));
        }
    }
}
