//! Addresses of journals that name no file that remains.

use std::path::Path;

use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::journal::{Journal, OpenOptions, Settings};
use cpaas_campaign::{SqlSuppressionStore, campaign, plan_at};

use crate::support::{messages, rows};

const PATH: &str = "must be a path, sqlite:///… or postgres://…";
const MEMORY: &str =
    "must be a file, such as campaign.db, because it must outlive the process, got a database in memory";
const URI: &str = "must be a path, sqlite:///… or postgres://…, got a URI of SQLite (`file:…`)";

/// Each would be a file of that name in the working folder, which another program reads as something else.
#[test]
fn a_database_in_memory_and_a_uri_are_refused_by_every_use_and_create_no_file() {
    let cases = [
        ("", PATH),
        ("sqlite://", PATH),
        (":memory:", MEMORY),
        ("sqlite://:memory:", MEMORY),
        ("sqlite:///:memory:", MEMORY),
        ("sqlite::memory:", MEMORY),
        ("file::memory:", MEMORY),
        ("file::memory:?cache=shared", URI),
        ("file:journal?mode=memory&cache=shared", MEMORY),
        ("file:///journal.db?mode=memory", MEMORY),
        ("sqlite://journal.db?mode=memory", MEMORY),
        ("file:journal.db", URI),
        ("file:///tmp/journal.db", URI),
    ];
    for (url, rule) in cases {
        let errors = [
            open_journal(url, OpenOptions::default()).map(drop).unwrap_err(),
            plan_at(url, &mut rows(1), &messages(), &Settings::default()).map(drop).unwrap_err(),
            Journal::mark_moved(url).unwrap_err(),
            Journal::mark_restored(url, false).map(drop).unwrap_err(),
            Journal::verify(url).map(drop).unwrap_err(),
            Journal::backup(url, Path::new("backup.db")).map(drop).unwrap_err(),
        ];
        for error in errors {
            assert_eq!(
                (error.code(), error.to_string()),
                ("setting", format!("the journal {rule}")),
                "{url}"
            );
        }
        let store = SqlSuppressionStore::open(url).unwrap_err().to_string();
        assert!(store.ends_with(&format!(": it {rule}")), "{url}: {store}");
    }
    for name in [":memory:", "sqlite::memory:", "file:journal.db", "file::memory:", "backup.db"] {
        assert!(!Path::new(name).exists(), "{name}");
    }
}

#[tokio::test]
async fn a_database_in_memory_is_refused_without_blocking_too() {
    let refused = campaign::open_journal(":memory:", OpenOptions::default()).await.unwrap_err();
    assert_eq!(refused.to_string(), format!("the journal {MEMORY}"));
}
