//! A suppression store that fails under a worker: nothing is sent, and `status` says why.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{Scratch, claim, client, create, open, phone, settlement, token, view, won};
use cpaas_campaign::SqlSuppressionStore;
use cpaas_campaign::campaign::{Status, status};
use cpaas_campaign::journal::Settings;
use cpaas_campaign::protocol::RowOutcome;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_sandbox::Sandbox;

async fn until(url: &str, is_found: impl Fn(&Status) -> bool) -> Status {
    for _ in 0..400 {
        let found = status(&mut open(url), "c").unwrap();
        if is_found(&found) {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{:?}", status(&mut open(url), "c").unwrap());
}

fn remove(path: &Path) {
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
}

fn truncate(path: &Path) {
    std::fs::File::options().write(true).open(path).unwrap().set_len(0).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn status_says_that_the_suppression_store_failed() {
    for (scratch, damage) in [(Scratch::new(), remove as fn(&Path)), (Scratch::file(), truncate)] {
        let sandbox = Sandbox::builder().start().await.unwrap();
        let url = scratch.url();
        let mut journal = open(&url);
        let mut settings = Settings::default();
        settings.rate = Some(50.0);
        create(&mut journal, "c", 300, settings);
        let path = scratch.folder.path().join("stopped.db");
        let store = SqlSuppressionStore::open(path.to_str().unwrap()).unwrap();
        store.insert(&phone(299)).unwrap();
        let client = client(sandbox.config());
        let worker_client = client.clone().suppression(Arc::new(store));
        let reports = Arc::new(Mutex::new(Vec::new()));
        let seen = reports.clone();
        let options = RunOptions::default().on_progress(move |found: &Status| {
            seen.lock().unwrap().push((found.waiting.clone(), found.last_error.clone()));
        });
        let stop = options.stopper();
        let worker = tokio::spawn(async move { run(journal, "c", &worker_client, options).await });
        while sandbox.ledger().await.len() < 20 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        damage(&path);
        let found = until(&url, |found| found.waiting.is_some()).await;
        let expected = format!(" s, because the suppression store {} failed", path.display());
        assert!(found.waiting.as_ref().is_some_and(|text| text.ends_with(&expected)), "{found:?}");
        assert_eq!(found.last_error.as_deref(), Some("suppression.unavailable"));
        let sent = sandbox.ledger().await.len();
        tokio::time::sleep(Duration::from_millis(2500)).await;
        assert_eq!(sandbox.ledger().await.len(), sent, "nothing is sent");
        stop();
        let (end, mut journal) = worker.await.unwrap().unwrap();
        assert_eq!(end, RunEnd::Stopped);
        let failed = Some("suppression.unavailable".to_owned());
        assert!(reports.lock().unwrap().iter().any(|(_, error)| *error == failed), "{reports:?}");
        // A row that passes ends it.
        remove(&path);
        let store = SqlSuppressionStore::open(path.to_str().unwrap()).unwrap();
        journal.forget_suppression_store("c").unwrap();
        let options = RunOptions::default().limit(5);
        let (_, mut journal) =
            run(journal, "c", &client.suppression(Arc::new(store)), options).await.unwrap();
        let found = status(&mut journal, "c").unwrap();
        assert_eq!((found.last_error, found.waiting), (None, None));
    }
}

/// A row that was accepted before the store failed may be settled together with the first one that the store refused.
#[test]
fn the_cause_of_a_pause_stays_as_long_as_the_pause() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 4, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut of_chunk = view(&mut journal, &id);
    let permit = won(claim(&mut journal, &id, owner, token(), &mut of_chunk));
    let mut refused = settlement(&permit, 0, RowOutcome::NotSent);
    refused.reason = Some("suppression.unavailable".to_owned());
    let accepted = settlement(&permit, 1, RowOutcome::Accepted);
    journal.exchange(&id, owner, &[refused, accepted], 60_000_000, None).unwrap();
    let found = status(&mut journal, "c").unwrap();
    assert_eq!(found.last_error.as_deref(), Some("suppression.unavailable"));
    let waiting = found.waiting.unwrap();
    assert!(waiting.ends_with(", because the suppression store failed"), "{waiting}");
}
