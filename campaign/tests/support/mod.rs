//! What the tests share: a journal in a scratch folder, rows, and the sandbox's ledger.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    dead_code,
    unreachable_pub
)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use cpaas::{Client, Config};
use cpaas_campaign::campaign::{self, ExportRow, Status};
use cpaas_campaign::journal::{Journal, OpenOptions, Settings};
use cpaas_campaign::source::IteratorSource;
use cpaas_campaign::{Columns, Messages, Template};
use serde_json::{Value, json};

pub struct Scratch {
    pub folder: tempfile::TempDir,
}

impl Scratch {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("campaign.db")
    }

    pub fn journal(&self) -> Journal {
        open(&self.path().display().to_string())
    }
}

pub fn open(url: &str) -> Journal {
    campaign::open_journal(url, OpenOptions::default()).unwrap()
}

pub fn messages() -> Messages {
    let template = json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi {{ name }}", "type": "auto"});
    Messages::new("sms.send", Template::new(template).unwrap())
}

/// The number of a row; every row has its own.
pub fn phone(row: u64) -> String {
    format!("{}", 306_910_000_000_u64 + row)
}

pub fn rows(count: u64) -> IteratorSource<impl Iterator<Item = Columns>> {
    IteratorSource((0..count).map(|row| {
        let row = json!({"phone": phone(row), "name": format!("N{row}")});
        row.as_object().unwrap().clone()
    }))
}

pub fn create(journal: &mut Journal, name: &str, count: u64, settings: Settings) -> String {
    campaign::create(journal, name, &mut rows(count), &messages(), settings, None).unwrap()
}

pub fn client(config: Config) -> Client {
    Client::new(&config).unwrap()
}

/// How often the ledger has each recipient.
pub fn sent(ledger: &[Value]) -> BTreeMap<String, usize> {
    let mut sent = BTreeMap::new();
    for entry in ledger {
        *sent.entry(entry["to"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    sent
}

pub fn assert_adds_up(status: &Status) {
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
pub fn exported(journal: &mut Journal, name: &str) -> Vec<ExportRow> {
    let mut rows = Vec::new();
    campaign::export(journal, name, |row| {
        rows.push(row);
        Ok(())
    })
    .unwrap();
    rows
}
