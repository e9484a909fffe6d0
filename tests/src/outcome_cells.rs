//! The cells of the outcome matrix: every fault of a server with every class of operation, served to the clients of every language. The table contains
//! the number of requests that reach the server, and the outcome. It is written by hand from the rule that one call sends at most one message.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "the tables of this file are well-formed")]

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use cpaas::client::{Client, Response};
use cpaas::{Error, OperationId};
use serde_json::Value;
use tokio::net::TcpSocket;

use crate::examples::{config, example};
use crate::fault_server::{Accept, ConnectionEnd, FaultServer, Reply, Request, response_bytes};

/// The columns: one operation per class, and one per family among the sends.
pub const COLUMNS: [&str; 11] = [
    "otp.get",                  // read
    "lookup.numbers",           // charged read
    "otp.limits.create",        // create by name
    "otp.limits.update",        // idempotent
    "otp.workflows.update",     // append
    "otp.cancel",               // cancel
    "otp.verify",               // verify
    "otp.send",                 // send, `otp`
    "sms.send",                 // send, `sms`
    "messages.send",            // send, `messaging`
    "webhooks.messenger_b.set", // idempotent, rejections only in the member `status`
];

/// Each cell is the number of requests that the server reads completely, and the outcome: A accepted, R rejected, N not sent,
/// U unknown, I accepted with the id unknown, ? not sent or unknown. The last one depends on whether the client writes the request
/// before it detects that the connection is closed.
#[rustfmt::skip]
const TABLE: &[(&str, &str)] = &[
    //                              get look crea upd  app  canc veri otp  sms  msg  hook
    ("refuse",                       "0N  0N   0N   0N   0N   0N   0N   0N   0N   0N   0N"),
    ("accept then close",            "0?  0?   0?   0?   0?   0?   0?   0?   0?   0?   0?"),
    ("read all then close",          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("read all then reset",          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("read all then hang",           "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("half a status line",           "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("garbage",                      "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("200 cut before the verdict",   "3U  1U   1U   3U   1U   3U   1U   1U   1U   1I   3U"),
    ("200 cut after the verdict",    "3U  1U   1I   1I   1I   1I   1U   1I   1I   1I   1I"),
    ("200 without a body",           "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("200 html",                     "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("200 other json",               "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("200 with a rejection",         "1R  1A   1R   1R   1R   1R   1R   1R   1R   1U   1R"),
    ("408",                          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("429",                          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("429 after 0 s",                "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("429 after 61 s",               "1U  1U   1U   1U   1U   1U   1U   1U   1U   1U   1U"),
    ("429 html",                     "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("429 with a rejection",         "1R  1R   1R   1R   1R   1R   1R   1R   1R   3R   1R"),
    ("429 with a rejection, cached", "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("429 with a success",           "3U  1A   1A   1A   1A   1A   1U   1A   1A   1A   1A"),
    ("499",                          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("499 with a rejection",         "1R  1R   1R   1R   1R   1R   1R   1R   1R   1U   3U"),
    ("500",                          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("500 with a rejection",         "3R  1R   1R   1R   1R   1R   1R   1R   1R   1U   3U"),
    ("500 with a rejection, cached", "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("501",                          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("502",                          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("503",                          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("503 after 0 s",                "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("503 after 1 s",                "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("503 after 61 s",               "1U  1U   1U   1U   1U   1U   1U   1U   1U   1U   1U"),
    ("503 html",                     "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("503 with a success",           "3U  1A   1A   1A   1A   1A   1U   1A   1A   1A   1A"),
    ("504",                          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("504 gateway",                  "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("400 with a success",           "1R  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("404 gateway",                  "1R  1R   1R   1R   1R   1R   1A   1R   1R   1R   1R"),
    ("403 html",                     "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("301",                          "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("302",                          "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("303",                          "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("307",                          "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("308",                          "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("400",                          "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("401",                          "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("404",                          "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("response",                     "1A  1A   1A   1A   1A   1A   1A   1A   1A   1A   1A"),
];

/// `processed` and `retryable` of each record, written by hand from the table: n no, m maybe, y yes; + retryable, - not
/// retryable; . accepted; ? as for not sent or unknown. The columns are those of [`COLUMNS`].
#[rustfmt::skip]
const EFFECTS: &[(&str, &str)] = &[
    //                                  get look crea upd app canc veri otp sms msg hook
    ("refuse",                          "n+ n+ n+ n+ n+ n+ n+ n+ n+ n+ n+"),
    ("accept then close",               "?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ? "),
    ("read all then close",             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("read all then reset",             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("read all then hang",              "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("half a status line",              "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("garbage",                         "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("200 cut before the verdict",      "m+ m- m- m+ m- m+ m- m- m- y- m+"),
    ("200 cut after the verdict",       "m+ m- y- y- y- y- m- y- y- y- y-"),
    ("200 without a body",              "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("200 html",                        "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("200 other json",                  "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("200 with a rejection",            "n- .  n- n- n- n- n- n- n- m- n-"),
    ("408",                             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("429",                             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("429 after 0 s",                   "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("429 after 61 s",                  "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("429 html",                        "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("429 with a rejection",            "n- n- n- n- n- n- n- n- n- n+ n-"),
    ("429 with a rejection, cached",    "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("429 with a success",              "m+ .  .  .  .  .  m- .  .  .  . "),
    ("499",                             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("499 with a rejection",            "n- n- n- n- n- n- n- n- n- m- m+"),
    ("500",                             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("500 with a rejection",            "m+ m- m- m- m- m- m- m- m- m- m+"),
    ("500 with a rejection, cached",    "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("501",                             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("502",                             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("503",                             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("503 after 0 s",                   "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("503 after 1 s",                   "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("503 after 61 s",                  "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("503 html",                        "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("503 with a success",              "m+ .  .  .  .  .  m- .  .  .  . "),
    ("504",                             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("504 gateway",                     "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("400 with a success",              "n- m- m- m+ m- m+ m- m- m- m- m+"),
    ("404 gateway",                     "n- n- n- n- n- n- .  n- n- n- n-"),
    ("403 html",                        "n- n- n- n- n- n- n- n- n- n- n-"),
    ("301",                             "n- n- n- n- n- n- n- n- n- n- n-"),
    ("302",                             "n- n- n- n- n- n- n- n- n- n- n-"),
    ("303",                             "n- n- n- n- n- n- n- n- n- n- n-"),
    ("307",                             "n- n- n- n- n- n- n- n- n- n- n-"),
    ("308",                             "n- n- n- n- n- n- n- n- n- n- n-"),
    ("400",                             "n- n- n- n- n- n- n- n- n- n- n-"),
    ("401",                             "n- n- n- n- n- n- n- n- n- n- n-"),
    ("404",                             "n- n- n- n- n- n- n- n- n- n- n-"),
    ("response",                        ".  .  .  .  .  .  .  .  .  .  . "),
];

/// The operations whose second request acts again.
const ACTING: [&str; 7] = [
    "lookup.numbers",
    "otp.limits.create",
    "otp.workflows.update",
    "otp.verify",
    "otp.send",
    "sms.send",
    "messages.send",
];

/// Whether a provider may have processed a request to which it gave this reply: every reply that is not its own rejection, or a
/// status of 3xx and 4xx that only a server without a provider behind it returns.
fn is_processed_under(fault: &str) -> bool {
    let rejected = ["200 with a rejection", "429 with a rejection", "499 with a rejection"].contains(&fault);
    let refused = ["404 gateway", "403 html", "301", "302", "303", "307", "308", "400", "401", "404"];
    !rejected && !refused.contains(&fault)
}

/// The beginning of a successful response with its deciding member, and a complete rejection, by operation.
fn deciding_bodies(id: &str) -> (&'static str, &'static str) {
    match id.split('.').next().unwrap() {
        "otp" => (r#"{"code":200,"#, r#"{"code":499,"message":"no","requestID":null}"#),
        "sms" => (r#"{"responseCode":0,"#, r#"{"responseCode":902,"responseText":"no"}"#),
        "webhooks" => (r#"{"status":0,"#, r#"{"status":1,"status_message":"no"}"#),
        "lookup" => (r#"[{"response":0},"#, r#"[{"response":902}]"#),
        _ => (r#"{"messageId":"M1","#, r#"{"code":902,"message":"no"}"#),
    }
}

fn cut(body: &str) -> Reply {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n";
    Reply::new([head, body].concat(), ConnectionEnd::Fin)
}

fn status(code: u16, headers: &str) -> Reply {
    Reply::new(response_bytes(code, headers, b""), ConnectionEnd::Keep)
}

fn reply_under(fault: &str, id: &str, redirect_target: &str) -> Reply {
    let (success, rejection) = deciding_bodies(id);
    let good = example(id).response;
    match fault {
        "read all then close" => Reply::new("", ConnectionEnd::Fin),
        "read all then reset" => Reply::new("", ConnectionEnd::Rst),
        "read all then hang" => Reply::new("", ConnectionEnd::Stall),
        "half a status line" => Reply::new("HTTP/1.1 20", ConnectionEnd::Fin),
        "garbage" => Reply::new("\u{0}\u{1}% nothing like it %\r\n\r\n", ConnectionEnd::Fin),
        "200 cut before the verdict" => cut("{\"me"),
        "200 cut after the verdict" => cut(success),
        "200 without a body" => status(200, ""),
        "200 html" => Reply::new(
            response_bytes(200, "content-type: text/html\r\n", b"<html><body>Log in</body></html>"),
            ConnectionEnd::Keep,
        ),
        "429 html" | "503 html" | "403 html" => Reply::new(
            response_bytes(
                number(fault),
                "content-type: text/html\r\n",
                b"<html><body>Guru Meditation</body></html>",
            ),
            ConnectionEnd::Keep,
        ),
        "504 gateway" => Reply::json(504, r#"{"code":4,"message":"context deadline exceeded"}"#),
        "404 gateway" => Reply::json(404, r#"{"code":5,"message":"Not Found"}"#),
        "429 with a rejection" | "499 with a rejection" => Reply::json(number(fault), rejection),
        "429 with a rejection, cached" | "500 with a rejection, cached" => {
            let headers = "content-type: application/json\r\nage: 7\r\n";
            Reply::new(response_bytes(number(fault), headers, rejection.as_bytes()), ConnectionEnd::Keep)
        }
        "429 with a success" | "503 with a success" | "400 with a success" => {
            Reply::json(number(fault), good)
        }
        "200 other json" => Reply::json(200, r#"{"hello":"world"}"#),
        "200 with a rejection" => Reply::json(200, rejection),
        "500 with a rejection" => Reply::json(500, rejection),
        "response" => Reply::json(200, good),
        _ => {
            let code = number(fault);
            match fault.split_once(" after ") {
                Some((_, wait)) => status(code, &format!("retry-after: {}\r\n", wait.trim_end_matches(" s"))),
                None if code / 100 == 3 => status(code, &format!("location: {redirect_target}/caught\r\n")),
                None => status(code, ""),
            }
        }
    }
}

fn number(fault: &str) -> u16 {
    fault.split(' ').next().unwrap().parse().unwrap()
}

/// Whether a request is that of the operation, not a query of the records.
fn is_own(id: &str, request: &Request) -> bool {
    id == "otp.get" || request.method != "GET"
}

/// A fault of the server and an operation, with what is expected of the call.
#[derive(Debug, Clone, Copy)]
pub struct OutcomeCell {
    /// The behavior of the server.
    pub fault: &'static str,
    /// The operation.
    pub id: &'static str,
    /// Requests and outcome, in the form of [`TABLE`].
    outcome: &'static str,
    /// In the form of [`EFFECTS`].
    effect: &'static str,
}

/// All cells, row by row.
#[must_use]
pub fn outcome_cells() -> Vec<OutcomeCell> {
    let row = |(fault, outcomes): &(&'static str, &'static str)| {
        let (_, effects) = EFFECTS.iter().find(|(same, _)| same == fault).expect("a row of both tables");
        let outcomes: [&str; COLUMNS.len()] = words(outcomes);
        let effects: [&str; COLUMNS.len()] = words(effects);
        let expected = outcomes.into_iter().zip(effects);
        let cell = |(id, (outcome, effect))| OutcomeCell { fault, id, outcome, effect };
        COLUMNS.into_iter().zip(expected).map(cell).collect::<Vec<_>>()
    };
    TABLE.iter().flat_map(row).collect()
}

fn words<const N: usize>(row: &'static str) -> [&'static str; N] {
    row.split_whitespace().collect::<Vec<_>>().try_into().expect("a word for each column")
}

impl OutcomeCell {
    /// The name of the cell in messages.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} x {}", self.fault, self.id)
    }

    /// Whether the server never responds, so that the call lasts until its time limit.
    #[must_use]
    pub fn hangs(&self) -> bool {
        self.fault.ends_with("hang")
    }
}

/// What a client reports of a call.
#[derive(Debug)]
pub struct Report {
    /// The letter of [`TABLE`].
    outcome: char,
    /// In the form of [`EFFECTS`].
    effect: String,
    retry_after_ms: Option<u64>,
}

impl Report {
    /// From the record of the error; `None` if the call was accepted.
    #[must_use]
    pub fn of(record: Option<&Value>) -> Self {
        let Some(record) = record else {
            return Self { outcome: 'A', effect: ".".to_owned(), retry_after_ms: None };
        };
        let text = |name: &str| record.get(name).and_then(Value::as_str).unwrap_or("?");
        let sign = match record.get("retryable") {
            Some(Value::Bool(true)) => '+',
            Some(Value::Bool(false)) => '-',
            _ => '?',
        };
        Self {
            outcome: match text("outcome") {
                "rejected" => 'R',
                "not_sent" => 'N',
                "unknown" => 'U',
                "accepted_id_unknown" => 'I',
                _ => 'V',
            },
            effect: format!("{}{sign}", text("processed").chars().next().unwrap_or('?')),
            retry_after_ms: record.get("retry_after_ms").and_then(Value::as_u64),
        }
    }

    /// From the result of a client of Rust.
    #[must_use]
    pub fn of_result<T>(result: &Result<T, Error>) -> Self {
        let record =
            |error: &Error| serde_json::from_str::<Value>(&error.to_json()).expect("a record is JSON");
        Self::of(result.as_ref().err().map(record).as_ref())
    }

    /// The letter of [`TABLE`].
    #[must_use]
    pub const fn outcome(&self) -> char {
        self.outcome
    }

    /// `processed` and `retryable`, in the form of the tables: `m+`.
    #[must_use]
    pub fn effect(&self) -> &str {
        &self.effect
    }

    /// Whether the call may be repeated.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.effect.ends_with('+')
    }
}

/// The server of one cell.
pub struct CellServer {
    cell: OutcomeCell,
    server: FaultServer,
    /// Where redirects lead. No client follows one.
    trap: FaultServer,
    /// Bound but not listening: no other process receives the port, and it refuses connections.
    closed_listener: TcpSocket,
    recovered: Arc<AtomicBool>,
    processed: Arc<AtomicUsize>,
    first: Option<Counts>,
}

/// What a server has counted.
#[derive(Debug, Clone, Copy)]
struct Counts {
    /// Complete requests of the operation.
    requests: usize,
    /// Requests that a provider may have processed.
    processed: usize,
}

impl CellServer {
    /// Starts the server.
    ///
    /// # Errors
    /// No port is free.
    pub async fn start(cell: OutcomeCell) -> io::Result<Self> {
        let OutcomeCell { fault, id, .. } = cell;
        let trap = FaultServer::serve(|_| Reply::json(200, "{}")).await?;
        let redirect_target = trap.url();
        let recovered = Arc::new(AtomicBool::new(false));
        let processed = Arc::new(AtomicUsize::new(0));
        let is_recovered = Arc::clone(&recovered);
        let accept = move |_| match fault {
            "accept then close" if !is_recovered.load(Ordering::SeqCst) => {
                Accept::Until(0, ConnectionEnd::Fin)
            }
            _ => Accept::Serve,
        };
        let (is_recovered, count) = (Arc::clone(&recovered), Arc::clone(&processed));
        let server = FaultServer::start(accept, move |request| {
            let fault = if is_recovered.load(Ordering::SeqCst) { "response" } else { fault };
            if !is_own(id, request) {
                return status(404, "");
            }
            if is_processed_under(fault) {
                count.fetch_add(1, Ordering::SeqCst);
            }
            reply_under(fault, id, &redirect_target)
        });
        let server = server.await?;
        let closed_listener = TcpSocket::new_v4()?;
        closed_listener.bind((std::net::Ipv4Addr::LOCALHOST, 0).into())?;
        Ok(Self { cell, server, trap, closed_listener, recovered, processed, first: None })
    }

    /// The address of the call.
    ///
    /// # Errors
    /// The address cannot be read.
    pub fn url(&self) -> io::Result<String> {
        match self.cell.fault {
            "refuse" => Ok(format!("http://{}", self.closed_listener.local_addr()?)),
            _ => Ok(self.server.url()),
        }
    }

    /// Ends the fault after the call. Returns the address of its repetition.
    pub fn recover(&mut self) -> String {
        self.first = Some(self.counts());
        self.recovered.store(true, Ordering::SeqCst);
        self.server.url()
    }

    fn counts(&self) -> Counts {
        let requests = self.server.requests();
        let requests = requests.iter().filter(|request| is_own(self.cell.id, request)).count();
        Counts { requests, processed: self.processed.load(Ordering::SeqCst) }
    }

    /// The differences between what is expected, and what a client reports of the call and the server has counted. If the call is
    /// retryable, the client must have repeated it after [`recover`](Self::recover).
    #[must_use]
    pub fn differences(&self, report: &Report) -> Vec<String> {
        let OutcomeCell { fault, id, outcome: expected, effect: expected_effect } = self.cell;
        let last = self.counts();
        let first = self.first.unwrap_or(last);
        let found = format!("{}{}", first.requests, report.outcome);
        let effect = report.effect();
        let mut wrong = Vec::new();
        if found != expected && !(expected == "0?" && matches!(&*found, "0N" | "0U")) {
            wrong.push(format!("expected {expected}, found {found}"));
        }
        let is_expected = match expected_effect {
            "?" if found == "0N" => effect == "n+",
            "?" if ACTING.contains(&id) => effect == "m-",
            "?" => effect == "m+",
            exact => effect == exact,
        };
        if !is_expected {
            wrong.push(format!("expected {expected_effect}, found {effect}"));
        }
        if ACTING.contains(&id) && last.processed > 1 {
            wrong.push(format!("processed {} times", last.processed));
        }
        // A read has no effect.
        if effect.starts_with('n') && first.processed > 0 && id != "otp.get" {
            wrong.push("processed, but the record says that it was not".to_owned());
        }
        if report.is_retryable() && last.processed == first.processed {
            wrong.push("the repetition was not processed".to_owned());
        }
        if fault.ends_with("61 s") && report.retry_after_ms != Some(61_000) {
            wrong.push(format!("expected a wait of 61 s, found {:?} ms", report.retry_after_ms));
        }
        if self.trap.connections() > 0 {
            wrong.push("a redirect was followed".to_owned());
        }
        wrong
    }
}

/// Calls an operation with its example in Rust. `timeout` is the time limit of an attempt.
///
/// # Errors
/// Every outcome except accepted.
pub async fn call(url: &str, id: &str, timeout: Duration) -> Result<Response<String>, Error> {
    let config = config(url).connect_timeout(Duration::from_secs(100)).deadline(Duration::from_secs(400));
    let client = Client::new(&config.timeout(timeout))?;
    client.call_json(OperationId::find(id).expect("an operation"), example(id).request).await
}
