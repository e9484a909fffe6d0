//! Serves the cells of the outcome matrix and of the malformed responses to a client of any language: `wasm/test/client_cells.test.mjs`.
//!
//! Each line of standard input is a command, and is answered by a line of standard output with the same `number`; several commands may run at once.
//! The first line of standard output lists the cells. The commands:
//! - `{"do": "start", "cell": 7}` starts the server of a cell: `{"run": 1, "url": "http://…"}`;
//! - `{"do": "recover", "run": 1}` ends its fault, for the repetition of a call that is retryable: `{"url": "http://…"}`;
//! - `{"do": "end", "run": 1, "record": …}` stops it; `record` is that of the client's error, or null: `{"differences": […]}`;
//! - `{"do": "rust", "cell": 7}` makes the call of a cell with the client of Rust: `{"record": "…"}`, or `{"value": "…", "warnings": […]}`, with JSON
//!   as text, so that the order of its members is seen.
#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::io::{self, BufRead as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cpaas::client::{Client, Response};
use cpaas::{Error, OperationId};
use cpaas_tests::examples::{config, example};
use cpaas_tests::fault_server::{FaultServer, Reply};
use cpaas_tests::malformed_cells::{MalformedCell, malformed_cells};
use cpaas_tests::outcome_cells::{self, CellServer, OutcomeCell, Report, outcome_cells};
use serde::Deserialize;
use serde_json::{Value, json};

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[derive(Deserialize)]
struct Line {
    number: u64,
    #[serde(flatten)]
    command: Command,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Command {
    Start { cell: usize },
    Recover { run: u64 },
    End { run: u64, record: Option<Value> },
    Rust { cell: usize },
}

#[derive(Clone)]
enum Cell {
    Outcome(OutcomeCell),
    Malformed(Box<MalformedCell>),
}

enum Server {
    Outcome(CellServer),
    Malformed(Box<MalformedCell>, FaultServer),
}

#[derive(Clone)]
struct Cells {
    all: Arc<Vec<Cell>>,
    /// The started servers, by the number of their run.
    started: Arc<Mutex<HashMap<u64, Server>>>,
}

fn main() -> Result<(), Failure> {
    let outcomes = outcome_cells().into_iter().map(Cell::Outcome);
    let malformed = malformed_cells().into_iter().map(|cell| Cell::Malformed(Box::new(cell)));
    let cells = Cells { all: Arc::new(outcomes.chain(malformed).collect()), started: Arc::default() };
    write(&cells.list())?;
    let runtime = tokio::runtime::Runtime::new()?;
    for line in io::stdin().lock().lines() {
        let Line { number, command } = serde_json::from_str(&line?)?;
        let cells = cells.clone();
        runtime.spawn(async move {
            let mut reply =
                cells.run(number, command).await.unwrap_or_else(|error| json!({"error": error.to_string()}));
            if let Some(reply) = reply.as_object_mut() {
                reply.insert("number".to_owned(), number.into());
            }
            write(&reply)
        });
    }
    Ok(())
}

fn write(line: &impl serde::Serialize) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(line)?)?;
    Ok(out.flush()?)
}

impl Cells {
    /// The request is the text of the example, because the order of members matters in a failover.
    fn list(&self) -> Value {
        let row = |cell: &Cell| {
            let (kind, name, id, hangs) = match cell {
                Cell::Outcome(cell) => ("outcome", cell.name(), cell.id, cell.hangs()),
                Cell::Malformed(cell) => ("malformed", cell.name(), cell.id, false),
            };
            json!({"kind": kind, "name": name, "id": id, "hangs": hangs, "request": example(id).request})
        };
        json!({"cells": self.all.iter().map(row).collect::<Vec<_>>()})
    }

    fn cell(&self, number: usize) -> Result<Cell, Failure> {
        Ok(self.all.get(number).ok_or("no such cell")?.clone())
    }

    /// Runs a command; the number of its line becomes that of the run that it starts.
    async fn run(&self, number: u64, command: Command) -> Result<Value, Failure> {
        match command {
            Command::Start { cell } => {
                let server = Server::start(self.cell(cell)?).await?;
                let url = server.url()?;
                self.started().insert(number, server);
                Ok(json!({"run": number, "url": url}))
            }
            Command::Recover { run } => {
                let mut started = self.started();
                let Some(Server::Outcome(server)) = started.get_mut(&run) else {
                    return Err("no such run of an outcome".into());
                };
                Ok(json!({"url": server.recover()}))
            }
            Command::End { run, record } => {
                let server = self.started().remove(&run).ok_or("no such run")?;
                Ok(json!({"differences": server.differences(&Report::of(record.as_ref()))}))
            }
            Command::Rust { cell } => call(self.cell(cell)?).await,
        }
    }

    fn started(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Server>> {
        self.started.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Server {
    async fn start(cell: Cell) -> io::Result<Self> {
        match cell {
            Cell::Outcome(cell) => Ok(Self::Outcome(CellServer::start(cell).await?)),
            Cell::Malformed(cell) => {
                let body = cell.response.to_string();
                let server = FaultServer::serve(move |_| Reply::json(200, &body)).await?;
                Ok(Self::Malformed(cell, server))
            }
        }
    }

    fn url(&self) -> io::Result<String> {
        match self {
            Self::Outcome(server) => server.url(),
            Self::Malformed(_, server) => Ok(server.url()),
        }
    }

    fn differences(&self, report: &Report) -> Vec<String> {
        match self {
            Self::Outcome(server) => server.differences(report),
            Self::Malformed(cell, _) => cell.differences(report),
        }
    }
}

/// Makes the call of a cell with the client of Rust.
async fn call(cell: Cell) -> Result<Value, Failure> {
    let server = Server::start(cell.clone()).await?;
    let url = server.url()?;
    let result = match cell {
        Cell::Outcome(cell) => {
            let timeout = Duration::from_secs(if cell.hangs() { 2 } else { 100 });
            outcome_cells::call(&url, cell.id, timeout).await
        }
        Cell::Malformed(cell) => once(&url, cell.id).await,
    };
    match result {
        Err(error) => Ok(json!({"record": error.to_json()})),
        Ok(Response { value, warnings, .. }) => {
            let warnings: Vec<_> = warnings.iter().map(|problem| problem.pointer.clone()).collect();
            Ok(json!({"value": value, "warnings": warnings}))
        }
    }
}

/// Makes one attempt.
async fn once(url: &str, id: &str) -> Result<Response<String>, Error> {
    let client = Client::new(&config(url).max_attempts(1))?;
    let operation = OperationId::find(id).ok_or_else(|| Error::config("no such operation"))?;
    client.call_json(operation, example(id).request).await
}
