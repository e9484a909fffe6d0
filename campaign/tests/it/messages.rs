//! What messages tell an operator: the place that an error is about, what a setting needs, and why nothing is sent.

use crate::support::{Scratch, client, create, messages};
use cpaas_campaign::blocking::{self, open_journal};
use cpaas_campaign::campaign::{self, status};
use cpaas_campaign::journal::{Journal, OpenOptions, Settings};
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_campaign::{
    ChangeDescription, Prices, SettingChanges, SqlSuppressionStore, parse_amount, plan, plan_created,
};
use cpaas_sandbox::Sandbox;
use serde_json::{Value, json};

fn reading() -> OpenOptions {
    let mut options = OpenOptions::default();
    options.read_only = true;
    options
}

#[test]
fn a_journal_that_cannot_be_opened_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let missing = folder.join("none.db").display().to_string();
    let error = open_journal(&missing, reading()).map(drop).unwrap_err();
    assert_eq!(error.to_string(), format!("the journal {missing} cannot be opened: the file does not exist"));
    assert_eq!(error.code(), "no_journal");
    let error = Journal::verify(&missing).map(drop).unwrap_err().to_string();
    assert!(error.contains(&missing), "{error}");
    let nowhere = folder.join("nowhere/x.db").display().to_string();
    for result in [
        open_journal(&nowhere, OpenOptions::default()).map(drop),
        open_journal(&format!("sqlite://{nowhere}"), reading()).map(drop),
    ] {
        let error = result.unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("the journal {nowhere} cannot be opened: No such file")),
            "{error}"
        );
    }
    let error = SqlSuppressionStore::open(&nowhere).map(drop).unwrap_err().to_string();
    let expected = format!("the suppression store cannot be opened: {nowhere}: No such file");
    assert!(error.starts_with(&expected), "{error}");
}

/// Nobody listens on the port.
#[cfg(feature = "postgres")]
#[test]
fn a_server_that_cannot_be_reached_is_named_with_its_port_and_without_the_password() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let url = format!("postgres://ann:Canary-4711@127.0.0.1:{port}/shop?sslmode=disable");
    let server = format!("the server 127.0.0.1, port {port}, database shop: ");
    let errors = [
        open_journal(&url, OpenOptions::default()).map(drop).unwrap_err().to_string(),
        Journal::verify(&url).map(drop).unwrap_err().to_string(),
        cpaas_campaign::SqlGuardStore::open(&url).map(drop).unwrap_err().to_string(),
    ];
    for error in errors {
        assert!(error.contains(&server) && error.contains("refused"), "{error}");
        assert!(!error.contains("Canary"), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let host = folder.path().display().to_string().replace('/', "%2F");
    let error = open_journal(&format!("postgres://ann@{host}/shop"), reading()).map(drop).unwrap_err();
    let expected = format!("the server {}, port 5432, database shop: ", folder.path().display());
    assert!(error.to_string().contains(&expected), "{error}");
    assert_eq!(error.code(), "open", "nothing was sent");
}

/// A campaign of priced rows that may spend 0.10: two of its rows.
fn capped(journal: &mut Journal, name: &str, rows: u64, has_maximum: bool) {
    let mut messages = messages();
    messages.prices = Some(Prices::read(&b"prefix,price,currency\n3069,0.05,EUR\n"[..]).unwrap());
    let mut settings = Settings::default();
    settings.max_spend = has_maximum.then(|| parse_amount("0.10").unwrap());
    let _ =
        blocking::create(journal, name, &mut crate::support::rows(rows), &messages, settings, None).unwrap();
}

fn changes(description: Value) -> SettingChanges {
    serde_json::from_value::<ChangeDescription>(description).unwrap().compile().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_budget_of_a_halted_campaign_is_raised() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let client = client(sandbox.config());
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    capped(&mut journal, "c", 5, true);
    assert_eq!(status(&mut journal, "c").unwrap().max_spend.as_deref(), Some("0.1"));
    let (end, mut journal) = run(journal, "c", &client, RunOptions::default()).await.unwrap();
    assert_eq!((end, status(&mut journal, "c").unwrap().accepted), (RunEnd::Halted, 2));
    // Less than what is spent permits nothing more.
    campaign::set(&mut journal, "c", &changes(json!({"max_spend": "0.01"}))).unwrap();
    campaign::resume(&mut journal, "c").unwrap();
    let (end, mut journal) = run(journal, "c", &client, RunOptions::default()).await.unwrap();
    assert_eq!((end, status(&mut journal, "c").unwrap().accepted), (RunEnd::Halted, 2));
    campaign::set(&mut journal, "c", &changes(json!({"max_spend": "0.20"}))).unwrap();
    let found = status(&mut journal, "c").unwrap();
    assert_eq!((found.state, found.max_spend.as_deref()), ("halted", Some("0.2")), "it starts nothing");
    campaign::resume(&mut journal, "c").unwrap();
    let (end, mut journal) = run(journal, "c", &client, RunOptions::default()).await.unwrap();
    let found = status(&mut journal, "c").unwrap();
    assert_eq!((end, found.accepted, found.spend.as_deref()), (RunEnd::Halted, 4, Some("0.2")));
    campaign::set(&mut journal, "c", &changes(json!({"max_spend": "10"}))).unwrap();
    campaign::resume(&mut journal, "c").unwrap();
    let (end, _) = run(journal, "c", &client, RunOptions::default()).await.unwrap();
    assert_eq!((end, sandbox.ledger().await.len()), (RunEnd::Done, 5));
}

#[test]
fn a_budget_is_compared_with_prices_in_its_own_currency() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    capped(&mut journal, "c", 3, true);
    capped(&mut journal, "without", 3, false);
    let prices = |csv: &str| Prices::read(format!("prefix,price,currency\n{csv}").as_bytes()).unwrap();
    for other in ["3069,0.05,USD\n", "3069,0.05,EUR\n1,0.01,USD\n"] {
        let error = plan_created(&mut journal, "c", Some(&prices(other)), None).unwrap_err();
        assert_eq!(error.code(), "setting");
        assert!(error.to_string().contains("in the currency of the campaign"), "{error}");
        plan_created(&mut journal, "without", Some(&prices(other)), None).unwrap();
    }
    let same = |csv| plan_created(&mut journal, "c", Some(&prices(csv)), None).unwrap().exceeds_max_spend;
    assert_eq!(["3069,0.05,EUR\n", "3069,0.03,EUR\n"].map(same), [true, false]);
}

#[test]
fn a_campaign_that_may_spend_nothing_is_refused() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let mut messages = messages();
    messages.prices = Some(Prices::read(&b"prefix,price,currency\n3069,0.05,EUR\n"[..]).unwrap());
    for amount in [0, -1] {
        let mut settings = Settings::default();
        settings.max_spend = Some(amount);
        let mut rows = crate::support::rows(3);
        let error = plan(&mut rows, &messages, &settings).unwrap_err();
        assert!(error.to_string().contains("to send nothing, pause the campaign"), "{error}");
        blocking::create(&mut journal, "c", &mut rows, &messages, settings, None).unwrap_err();
    }
}

#[test]
fn a_budget_that_would_not_hold_is_refused() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    capped(&mut journal, "c", 3, true);
    capped(&mut journal, "without", 3, false);
    let error = campaign::set(&mut journal, "without", &changes(json!({"max_spend": "5"}))).unwrap_err();
    assert_eq!(error.code(), "setting");
    assert!(error.to_string().contains("created with one"), "{error}");
    let error = campaign::set(&mut journal, "c", &changes(json!({"max_spend": "0"}))).unwrap_err();
    assert!(error.to_string().contains("to send nothing, pause the campaign"), "{error}");
    let read = serde_json::from_value::<ChangeDescription>(json!({"max_spend": "-1"})).unwrap();
    assert!(read.compile().is_err());
    // An invalid setting changes no other one.
    let both = changes(json!({"max_spend": "5", "rate": 3.0}));
    campaign::set(&mut journal, "without", &both).unwrap_err();
    assert_eq!(status(&mut journal, "without").unwrap().rate, None);
    assert_eq!(status(&mut journal, "c").unwrap().max_spend.as_deref(), Some("0.1"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_of_a_campaign_that_has_ended_are_not_changed() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let client = client(sandbox.config());
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "cancelled", 2, Settings::default());
    create(&mut journal, "done", 2, Settings::default());
    campaign::set(&mut journal, "done", &changes(json!({"rate": 100.0}))).unwrap();
    campaign::pause(&mut journal, "cancelled").unwrap();
    campaign::set(&mut journal, "cancelled", &changes(json!({"rate": 100.0}))).unwrap();
    campaign::cancel(&mut journal, "cancelled").unwrap();
    let (_, mut journal) = run(journal, "done", &client, RunOptions::default()).await.unwrap();
    for name in ["cancelled", "done"] {
        let error = campaign::set(&mut journal, name, &changes(json!({"rate": 5.0}))).unwrap_err();
        let expected = format!("the campaign must be neither cancelled nor done, got {name}");
        assert_eq!((error.code(), error.to_string()), ("state", expected));
        assert_eq!(status(&mut journal, name).unwrap().rate, Some(100.0));
    }
}
