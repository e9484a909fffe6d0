//! Processes that fork after a campaign was created.

use std::process::{Command, Stdio};

use crate::support::{Scratch, assert_adds_up, client, create, open, sent};
use cpaas::Config;
use cpaas_campaign::Error;
use cpaas_campaign::campaign::status;
use cpaas_campaign::journal::Settings;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_sandbox::BlockingSandbox;
use fork::{Fork, fork, waitpid};

const WORKERS: usize = 3;

/// Runs in a forked child. The journal of its parent must be refused; then the child opens its own and runs the campaign.
fn child(url: &str, of_parent: &mut cpaas_campaign::journal::Journal) -> bool {
    if !matches!(status(of_parent, "forked"), Err(Error::Forked)) {
        return false;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = client(Config::from_env().unwrap());
        let ended = run(open(url), "forked", &client, RunOptions::default().concurrency(8)).await;
        matches!(ended, Ok((RunEnd::Done, _)))
    })
}

/// The program of the parent of the workers; not a test by itself.
#[test]
#[ignore = "runs in a process of its own"]
fn forking_process() {
    let Ok(url) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let mut journal = open(&url);
    create(&mut journal, "forked", 1500, Settings::default());
    let mut children = Vec::new();
    for _ in 0..WORKERS {
        match fork().unwrap() {
            Fork::Child => std::process::exit(if child(&url, &mut journal) { 0 } else { 1 }),
            Fork::Parent(pid) => children.push(pid),
        }
    }
    for pid in children {
        let status = waitpid(pid).unwrap();
        assert_eq!(status, 0, "a child failed");
    }
    // The journal of the parent still works.
    assert_eq!(status(&mut journal, "forked").unwrap().state, "done");
}

#[test]
fn forked_workers_use_journals_of_their_own() {
    let sandbox: BlockingSandbox = cpaas_sandbox::Sandbox::builder().start_blocking().unwrap();
    let scratch = Scratch::new();
    let config = sandbox.config();
    let ended = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "fork::forking_process", "--ignored"])
        .env("CAMPAIGN_JOURNAL", scratch.url())
        .env("CPAAS_SMS_URL", config.sms_url.unwrap())
        .env("CPAAS_SMS_KEY", config.sms_key.or(config.api_key).unwrap().expose())
        .stdout(Stdio::null())
        .status();
    assert!(ended.unwrap().success());
    let found = status(&mut scratch.journal(), "forked").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.state), (1500, "done"));
    let sent = sent(&sandbox.ledger());
    assert_eq!((sent.len(), sent.values().max()), (1500, Some(&1)));
}
