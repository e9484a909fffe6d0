//! Shared by the tests: a journal in a scratch folder, rows, and counts of the sandbox's ledger.

#[cfg(feature = "postgres")]
pub(crate) mod cluster;

use std::collections::BTreeMap;
use std::path::PathBuf;

use cpaas::{Client, Config};
use cpaas_campaign::blocking;
use cpaas_campaign::campaign::{self, ExportRow, Status};
use cpaas_campaign::journal::{
    ChunkView, Claim, Claimed, Exchange, Journal, OpenOptions, Settings, Settlement,
};
use cpaas_campaign::protocol::{Health, Permit, RowOutcome, Token};
use cpaas_campaign::source::IteratorSource;
use cpaas_campaign::{Columns, Messages, Template};
use cpaas_sandbox::BlockingSandbox;
use serde_json::{Value, json};

/// A new journal for one test: a file, or a database on the server that `CAMPAIGN_TEST_POSTGRES` names.
pub(crate) struct Scratch {
    pub(crate) folder: tempfile::TempDir,
    url: String,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = match std::env::var("CAMPAIGN_TEST_POSTGRES") {
            Ok(server) => database(&server),
            Err(_) => folder.path().join("campaign.db").display().to_string(),
        };
        Self { folder, url }
    }

    /// A new journal that is always a file.
    pub(crate) fn file() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = folder.path().join("campaign.db").display().to_string();
        Self { folder, url }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("campaign.db")
    }

    /// The address of the file, also where other tests use a database.
    pub(crate) fn url_of_file(&self) -> String {
        self.path().display().to_string()
    }

    pub(crate) fn url(&self) -> String {
        self.url.clone()
    }

    pub(crate) fn journal(&self) -> Journal {
        open(&self.url)
    }
}

/// Creates a database and returns its address.
fn database(server: &str) -> String {
    let name = format!("test_{}", cpaas_campaign::protocol::Token::random().unwrap().to_hex());
    let created = std::process::Command::new("psql")
        .args([&format!("{server}/postgres"), "-qc", &format!("CREATE DATABASE {name}")])
        .status();
    assert!(created.unwrap().success());
    format!("{server}/{name}")
}

pub(crate) fn open(url: &str) -> Journal {
    blocking::open_journal(url, OpenOptions::default()).unwrap()
}

/// Closes a journal in a file as the end of a killed process does: its log stays.
pub(crate) fn close_as_killed(journal: Journal, url: &str) {
    let lock = std::fs::File::open(format!("{url}-lock")).unwrap();
    lock.lock().unwrap();
    drop(journal);
    lock.unlock().unwrap();
}

pub(crate) fn messages() -> Messages {
    let template = json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi {{ name }}", "type": "auto"});
    Messages::new("sms.send", Template::new(template).unwrap())
}

/// The phone number of a row, different for each row.
pub(crate) fn phone(row: u64) -> String {
    format!("{}", 306_910_000_000_u64 + row)
}

pub(crate) fn rows(count: u64) -> IteratorSource<impl Iterator<Item = Columns>> {
    IteratorSource((0..count).map(|row| {
        let row = json!({"phone": phone(row), "name": format!("N{row}")});
        row.as_object().unwrap().clone()
    }))
}

pub(crate) fn create(journal: &mut Journal, name: &str, count: u64, settings: Settings) -> String {
    blocking::create(journal, name, &mut rows(count), &messages(), settings, None).unwrap().id
}

pub(crate) fn client(config: Config) -> Client {
    Client::new(&config).unwrap()
}

/// The number of messages in the ledger for each recipient.
pub(crate) fn sent(ledger: &[Value]) -> BTreeMap<String, usize> {
    let mut sent = BTreeMap::new();
    for entry in ledger {
        *sent.entry(entry["to"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    sent
}

/// As [`sent`], for a ledger that is too large for one response.
pub(crate) fn sent_by_pages(sandbox: &BlockingSandbox) -> BTreeMap<String, usize> {
    const PAGE: usize = 20_000;
    let mut all = BTreeMap::new();
    for page in 0.. {
        let path = format!("/ledger?from={}&limit={PAGE}", page * PAGE);
        let found = sandbox.control("GET", &path, &Value::Null).unwrap();
        let entries = found["entries"].as_array().unwrap();
        for (recipient, count) in sent(entries) {
            *all.entry(recipient).or_default() += count;
        }
        if entries.len() < PAGE {
            break;
        }
    }
    all
}

/// Asserts that no count is negative and that the counts add up to the number of rows.
pub(crate) fn assert_adds_up(status: &Status) {
    let sum = status.accepted
        + status.rejected
        + status.invalid
        + status.suppressed
        + status.duplicate
        + status.unknown
        + status.pending
        + status.in_flight
        + status.cancelled;
    assert_eq!(sum, status.rows, "{status:?}");
    let parts = [
        status.accepted,
        status.rejected,
        status.invalid,
        status.suppressed,
        status.duplicate,
        status.unknown,
        status.pending,
        status.in_flight,
        status.cancelled,
    ];
    assert!(parts.iter().all(|count| *count >= 0), "{status:?}");
}

/// Every row, by export.
pub(crate) fn exported(journal: &mut Journal, name: &str) -> Vec<ExportRow> {
    let mut rows = Vec::new();
    campaign::export(journal, name, |row| {
        rows.push(row);
        Ok(())
    })
    .unwrap();
    rows
}

pub(crate) fn view(journal: &mut Journal, id: &str) -> ChunkView {
    let rows = journal.rows(id, 0).unwrap();
    let (history, version) = journal.history(id, 0).unwrap();
    ChunkView::new(0, &rows, history, version)
}

pub(crate) fn claim(
    journal: &mut Journal,
    id: &str,
    owner: Token,
    token: Token,
    view: &mut ChunkView,
) -> Claimed {
    let claim = Claim { owner, token, limit: 2, requested: &|_| true, may_halt: true, provider: &[] };
    let exchange: Exchange = journal.exchange(id, owner, &[], 0, Some((&claim, view))).unwrap();
    exchange.claimed.unwrap()
}

pub(crate) fn won(claimed: Claimed) -> Permit {
    match claimed {
        Claimed::Won { permit, .. } => permit,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn settlement(permit: &Permit, row: u16, outcome: RowOutcome) -> Settlement {
    Settlement {
        chunk: 0,
        sequence: permit.sequence,
        row,
        outcome,
        reason: None,
        message_id: None,
        detail: None,
        price: 0,
        health: Health::Neutral,
    }
}

pub(crate) fn token() -> Token {
    Token::random().unwrap()
}

/// What the state folder of the tests remembers of an epoch.
pub(crate) fn state_file(epoch: &str) -> PathBuf {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let state =
        state.unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").unwrap()).join(".local/state"));
    state.join("cpaas/journals").join(epoch)
}
