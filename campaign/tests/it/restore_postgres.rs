//! Backups of a journal in Postgres that are restored in every usual way, and what must open nevertheless.
//! `tests/suites/campaign` sets `CAMPAIGN_TEST_POSTGRES_BIN`.
#![cfg(feature = "postgres")]

use crate::support::cluster::{Cluster, make_writable_by_server, tool};
use crate::support::{assert_adds_up, claim, create, open, phone, settlement, state_file, token, view, won};
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::campaign::{Status, status};
use cpaas_campaign::journal::{Claim, Journal, OpenOptions, Settings};
use cpaas_campaign::protocol::RowOutcome;
use cpaas_campaign::{Error, IdentityMismatch, Witness};

/// Claims two rows and settles the first as accepted.
fn claim_and_settle(url: &str) {
    let mut journal = open(url);
    let id = journal.campaign("c").unwrap().id;
    let owner = journal.register_owner(&id).unwrap();
    let mut view = view(&mut journal, &id);
    let permit = won(claim(&mut journal, &id, owner, token(), &mut view));
    let row = permit.rows[0].row;
    journal.exchange(&id, owner, &[settlement(&permit, row, RowOutcome::Accepted)], 0, None).unwrap();
    journal.release_owner(owner).unwrap();
}

/// A database with a campaign of 20 rows, 2 of which were claimed.
fn history(cluster: &Cluster, database: &str) -> String {
    cluster.query(&format!("CREATE DATABASE {database}"));
    let url = cluster.url(database);
    create(&mut open(&url), "c", 20, Settings::default());
    claim_and_settle(&url);
    url
}

fn refused(url: &str) -> IdentityMismatch {
    match open_journal(url, OpenOptions::default()).map(|_| ()).unwrap_err() {
        Error::Copied { place, mismatch } => {
            assert_eq!(place, url, "the address has no password");
            mismatch
        }
        other => panic!("{other}"),
    }
}

fn read(url: &str) -> (Status, Option<String>) {
    let mut options = OpenOptions::default();
    options.read_only = true;
    let mut journal = open_journal(url, options).unwrap();
    (status(&mut journal, "c").unwrap(), journal.warning())
}

fn refused_until_restored(url: &str, expected: &IdentityMismatch) {
    assert_eq!(refused(url), *expected);
    let (before, warning) = read(url);
    assert!(warning.unwrap().contains("campaign restored --journal"));
    let summary = Journal::mark_restored(url, false).unwrap();
    let after = status(&mut open(url), "c").unwrap();
    assert_adds_up(&after);
    assert_eq!((after.accepted, after.pending), (before.accepted, 0), "{after:?}");
    assert_eq!(summary.unknown, u64::try_from(after.unknown).unwrap());
}

fn opens_as_moved(url: &str, expected: &Status, mismatch: &IdentityMismatch) {
    assert_eq!(refused(url), *mismatch);
    Journal::mark_moved(url).unwrap();
    assert_eq!(status(&mut open(url), "c").unwrap(), *expected);
    assert_eq!(read(url), (expected.clone(), None));
}

#[test]
#[ignore = "starts a server; tests/suites/campaign"]
fn dumps_and_copies_of_a_database_are_refused_and_a_vacuum_or_a_restart_opens() {
    let folder = tempfile::tempdir().unwrap();
    make_writable_by_server(folder.path());
    let cluster = Cluster::start(folder.path());
    let dump = folder.path().join("dump").display().to_string();
    let backed_up = |url: &str| tool("pg_dump", &["-Fc", "-f", &dump, url]);

    let url = history(&cluster, "cleaned");
    backed_up(&url);
    claim_and_settle(&url);
    tool("pg_restore", &["--clean", "-d", &url, &dump]);
    refused_until_restored(&url, &IdentityMismatch::Loaded);

    let url = history(&cluster, "data_only");
    backed_up(&url);
    claim_and_settle(&url);
    let tables =
        "meta, campaigns, chunks, permits, outcomes, resolutions, reports, owners, suppressions, attempts";
    tool("psql", &["-qc", &format!("TRUNCATE {tables}"), &url]);
    tool("pg_restore", &["--data-only", "-d", &url, &dump]);
    refused_until_restored(&url, &IdentityMismatch::Loaded);

    let url = history(&cluster, "dumped");
    backed_up(&url);
    claim_and_settle(&url);
    cluster.query("CREATE DATABASE later");
    let later = cluster.url("later");
    tool("pg_restore", &["-d", &later, &dump]);
    let error = Journal::mark_moved(&later).unwrap_err();
    let is_behind = |error: &Error| match error {
        Error::Copied { mismatch: IdentityMismatch::Behind { witness, .. }, .. } => {
            *witness == Witness::StateFolder
        }
        _ => false,
    };
    assert!(is_behind(&error), "{error}");
    refused_until_restored(&later, &IdentityMismatch::OtherDatabase);
    claim_and_settle(&url);

    let url = history(&cluster, "carried");
    // A service that is idle, such as one with `send_once`.
    let mut idle = open(&url);
    let id = idle.campaign("c").unwrap().id;
    backed_up(&url);
    let expected = read(&url).0;
    cluster.query("CREATE DATABASE elsewhere");
    let other = cluster.url("elsewhere");
    tool("pg_restore", &["-d", &other, &dump]);
    opens_as_moved(&other, &expected, &IdentityMismatch::OtherDatabase);
    let error = idle.register_owner(&id).unwrap_err();
    assert!(matches!(error, Error::Copied { mismatch: IdentityMismatch::Retired, .. }), "{error}");
    assert_eq!(refused(&url), IdentityMismatch::Retired);
    tool("pg_restore", &["--clean", "-d", &other, &dump]);
    let error = Journal::mark_moved(&other).unwrap_err();
    assert!(matches!(error, Error::Copied { mismatch: IdentityMismatch::Retired, .. }), "{error}");

    let url = history(&cluster, "original");
    cluster.query("CREATE DATABASE copied TEMPLATE original");
    refused_until_restored(&cluster.url("copied"), &IdentityMismatch::OtherDatabase);
    claim_and_settle(&url);

    let url = history(&cluster, "kept");
    let expected = read(&url);
    tool("psql", &["-qc", "VACUUM FULL", "-c", "VACUUM FREEZE", "-c", "VACUUM FULL meta", &url]);
    assert_eq!(status(&mut open(&url), "c").unwrap(), expected.0);
    cluster.stop("fast");
    cluster.run();
    assert_eq!(status(&mut open(&url), "c").unwrap(), expected.0);
    claim_and_settle(&url);
    let mut journal = open(&url);
    let id = journal.campaign("c").unwrap().id;
    let owner = journal.register_owner(&id).unwrap();
    assert!(matches!(Journal::mark_restored(&url, false), Err(Error::InUse)));
    journal.release_owner(owner).unwrap();
    Journal::mark_restored(&url, false).unwrap();
    assert!(matches!(journal.suppress(&id, &[]), Err(Error::Replaced)), "another epoch");
}

/// Whichever tables are restored alone, nobody may send: the rows that they forget were sent.
#[test]
#[ignore = "starts a server; tests/suites/campaign"]
fn a_restore_of_single_tables_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    make_writable_by_server(folder.path());
    let cluster = Cluster::start(folder.path());
    let dump = folder.path().join("dump").display().to_string();
    let sets: [&[&str]; 9] = [
        &["suppressions"],
        &["reports"],
        &["owners"],
        &["permits"],
        &["outcomes"],
        &["campaigns"],
        &["permits", "outcomes"],
        &["permits", "outcomes", "campaigns"],
        &["permits", "outcomes", "campaigns", "chunks", "resolutions", "owners"],
    ];
    for (number, tables) in sets.iter().enumerate() {
        let url = history(&cluster, &format!("tables_{number}"));
        tool("pg_dump", &["-Fc", "-f", &dump, &url]);
        claim_and_settle(&url);
        let mut journal = open(&url);
        let id = journal.campaign("c").unwrap().id;
        let owner = journal.register_owner(&id).unwrap();
        let mut arguments = vec!["--clean", "--if-exists", "-d", &url];
        arguments.extend(tables.iter().flat_map(|table| ["-t", table]));
        arguments.push(&dump);
        tool("pg_restore", &arguments);
        assert_eq!(refused(&url), IdentityMismatch::OtherTables, "{tables:?}");
        let error = journal.heartbeat(owner).unwrap_err();
        assert!(
            matches!(error, Error::Copied { mismatch: IdentityMismatch::OtherTables, .. }),
            "a worker that was running: {error}"
        );
    }
}

/// The same with the rows only of the opt-outs: no row was sent, and people who have opted out since must not get a message.
#[test]
#[ignore = "starts a server; tests/suites/campaign"]
fn a_restore_of_the_rows_of_suppressions_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    make_writable_by_server(folder.path());
    let cluster = Cluster::start(folder.path());
    let dump = folder.path().join("dump").display().to_string();
    let url = history(&cluster, "opt_outs");
    let id = open(&url).campaign("c").unwrap().id;
    open(&url).suppress(&id, &[phone(11), phone(12)]).unwrap();
    tool("pg_dump", &["-Fc", "-f", &dump, &url]);
    let restore = || {
        tool("psql", &["-qc", "TRUNCATE suppressions", &url]);
        tool("pg_restore", &["--data-only", "-t", "suppressions", "-d", &url, &dump]);
    };
    restore();
    assert_eq!(open(&url).suppressed(&id).unwrap().len(), 2, "nothing is lost");
    open(&url).suppress(&id, &[phone(13)]).unwrap();
    restore();
    let mut journal = open(&url);
    for error in
        [journal.register_owner(&id).map(drop).unwrap_err(), journal.suppressed(&id).map(drop).unwrap_err()]
    {
        assert!(matches!(error, Error::SuppressionsLost { stored: 3, found: 2 }), "{error}");
    }
    let problems = Journal::verify(&url).unwrap().problems;
    assert!(problems.iter().any(|problem| problem.message.contains("`suppressions` has 2")), "{problems:?}");
    journal.suppress(&id, &[phone(13)]).unwrap();
    assert_eq!(journal.suppressed(&id).unwrap().len(), 3, "suppressed again");
    drop(journal);
    restore();
    let lost = Journal::mark_restored(&url, false).unwrap().lost_suppressions;
    assert_eq!(lost, [("c".to_owned(), 1)].into());
    assert_eq!(Journal::verify(&url).unwrap().problems.len(), 1, "it is still lost");
    open(&url).suppress(&id, &[phone(13)]).unwrap();
    assert_eq!(Journal::verify(&url).unwrap().problems, []);
    assert_eq!(open(&url).suppressed(&id).unwrap().len(), 3);
    open(&url).register_owner(&id).unwrap();
}

/// The same with the rows only, which keep the tables: what follows from the tables does not add up.
#[test]
#[ignore = "starts a server; tests/suites/campaign"]
fn a_restore_of_the_rows_of_single_tables_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    make_writable_by_server(folder.path());
    let cluster = Cluster::start(folder.path());
    let dump = folder.path().join("dump").display().to_string();
    let sets: [&[&str]; 6] = [
        &["permits"],
        &["outcomes"],
        &["campaigns"],
        &["permits", "outcomes"],
        &["permits", "outcomes", "campaigns"],
        // All but `meta`.
        &[
            "campaigns",
            "chunks",
            "permits",
            "outcomes",
            "resolutions",
            "reports",
            "owners",
            "suppressions",
            "attempts",
        ],
    ];
    for (number, tables) in sets.iter().enumerate() {
        let url = history(&cluster, &format!("rows_{number}"));
        tool("pg_dump", &["-Fc", "-f", &dump, &url]);
        claim_and_settle(&url);
        tool("psql", &["-qc", &format!("TRUNCATE {}", tables.join(", ")), &url]);
        let mut arguments = vec!["--data-only", "-d", &url];
        arguments.extend(tables.iter().flat_map(|table| ["-t", table]));
        arguments.push(&dump);
        tool("pg_restore", &arguments);
        let mut journal = open(&url);
        let id = journal.campaign("c").unwrap().id;
        let error = journal.register_owner(&id).unwrap_err();
        assert!(matches!(error, Error::MixedTables { .. }), "{tables:?}: {error}");
        let found = Journal::verify(&url).unwrap();
        assert!(!found.problems.is_empty(), "{tables:?}");
        drop(journal);
        Journal::mark_restored(&url, false).unwrap();
        if tables.contains(&"campaigns") && tables.contains(&"outcomes") {
            open(&url).register_owner(&id).unwrap();
        }
    }
}

/// The same under a worker that waits, or that has another chunk.
#[test]
#[ignore = "starts a server; tests/suites/campaign"]
fn rows_that_are_restored_under_a_worker_are_refused_at_its_next_claim() {
    let folder = tempfile::tempdir().unwrap();
    make_writable_by_server(folder.path());
    let cluster = Cluster::start(folder.path());
    let of_chunk = ["permits", "outcomes", "chunks", "attempts"];
    let of_all = ["campaigns", "permits", "outcomes", "chunks", "owners", "attempts"];
    let sets: [(&[&str], &str); 4] =
        [(&of_chunk, "chunk = 0"), (&of_chunk[..3], "chunk = 0"), (&of_all, "true"), (&of_all[..5], "true")];
    for (number, (tables, condition)) in sets.iter().enumerate() {
        cluster.query(&format!("CREATE DATABASE live_{number}"));
        let url = cluster.url(&format!("live_{number}"));
        let mut journal = open(&url);
        let id = create(&mut journal, "c", 1500, Settings::default());
        let owner = journal.register_owner(&id).unwrap();
        let mut of_first = view(&mut journal, &id);
        let permit = won(claim(&mut journal, &id, owner, token(), &mut of_first));
        of_first.won(&permit);
        let keep: String =
            tables.iter().map(|table| format!("CREATE TABLE old_{table} AS TABLE {table};")).collect();
        tool("psql", &["-qc", &keep, &url]);
        won(claim(&mut journal, &id, owner, token(), &mut of_first));
        let put_back = tables.iter().map(|table| {
            format!(
                "DELETE FROM {table} WHERE {condition};
                INSERT INTO {table} SELECT * FROM old_{table} WHERE {condition};"
            )
        });
        tool("psql", &["-qc", &put_back.collect::<String>(), &url]);
        let mut claimed_again = || {
            journal.open_chunks(&id)?;
            let mut view = view(&mut journal, &id);
            let claim = Claim {
                owner,
                token: token(),
                limit: 2,
                requested: &|_| true,
                may_halt: true,
                provider: &[],
            };
            journal.exchange(&id, owner, &[], 0, Some((&claim, &mut view)))
        };
        let error = claimed_again().unwrap_err();
        assert!(matches!(error, Error::MixedTables { .. }), "{tables:?}: {error}");
    }
}

#[test]
#[ignore = "starts a server; tests/suites/campaign"]
fn a_backup_restored_under_an_open_journal_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    make_writable_by_server(folder.path());
    let cluster = Cluster::start(folder.path());
    let dump = folder.path().join("dump").display().to_string();
    let url = history(&cluster, "running");
    tool("pg_dump", &["-Fc", "-f", &dump, &url]);
    let mut journal = open(&url);
    let id = journal.campaign("c").unwrap().id;
    let owner = journal.register_owner(&id).unwrap();
    tool("pg_restore", &["--clean", "-d", &url, &dump]);
    let error = journal.heartbeat(owner).unwrap_err();
    assert!(matches!(error, Error::Copied { mismatch: IdentityMismatch::Loaded, .. }), "{error}");
}

#[test]
#[ignore = "starts two servers; tests/suites/campaign"]
fn a_base_backup_is_refused_by_the_state_folder_and_a_promotion_by_its_timeline() {
    let folder = tempfile::tempdir().unwrap();
    make_writable_by_server(folder.path());
    let primary = Cluster::start(folder.path());
    history(&primary, "campaigns");
    let backup = primary.base_backup(folder.path());
    claim_and_settle(&primary.url("campaigns"));
    let standby = primary.standby(folder.path());
    let expected = read(&primary.url("campaigns")).0;
    let behind = "SELECT count(*) > 0 FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()";
    while primary.query(behind) != "t" {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    primary.stop("fast");
    standby.promote();
    opens_as_moved(&standby.url("campaigns"), &expected, &IdentityMismatch::OtherTimeline);
    backup.run();
    assert_eq!(refused(&backup.url("campaigns")), IdentityMismatch::Retired, "the standby was declared");
    Journal::mark_restored(&backup.url("campaigns"), false).unwrap();
    assert_eq!(status(&mut open(&backup.url("campaigns")), "c").unwrap().pending, 0);
}

/// A kill between the commit of `moved` and the step after it: the state folder does not know that the old identity was replaced.
#[test]
#[ignore = "starts a server; tests/suites/campaign"]
fn a_command_that_was_killed_after_its_commit_is_finished_by_the_next_open() {
    let folder = tempfile::tempdir().unwrap();
    make_writable_by_server(folder.path());
    let cluster = Cluster::start(folder.path());
    let url = history(&cluster, "killed");
    let output = folder.path().join("epoch");
    let sql = "SELECT split_part(value, ' ', 3) FROM meta WHERE name = 'lock'";
    tool("psql", &["-Atqc", sql, "-o", &output.display().to_string(), &url]);
    let state = state_file(std::fs::read_to_string(output).unwrap().trim());
    let remembered = std::fs::read(&state).unwrap();
    Journal::mark_moved(&url).unwrap();
    let retired = std::fs::read(&state).unwrap();
    assert_ne!(retired, remembered);
    for reopen in [|url: &str| drop(open(url)), |url: &str| Journal::mark_moved(url).unwrap()] {
        std::fs::write(&state, &remembered).unwrap();
        reopen(&url);
        assert_eq!(std::fs::read(&state).unwrap(), retired);
    }
}
