//! A journal in Postgres: TLS, connections that are lost around a commit, and transactions that a proxy replays.
//! `tests/suites/campaign` starts a server and sets `CAMPAIGN_TEST_POSTGRES` and `CAMPAIGN_TEST_CA`.
#![cfg(feature = "postgres")]

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};

use crate::support::{Scratch, assert_adds_up, client, create, messages, rows, sent};
use cpaas_campaign::Error;
use cpaas_campaign::blocking;
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::campaign::status;
use cpaas_campaign::journal::{OpenOptions, Settings};
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_sandbox::Sandbox;

/// What the proxy does with every seventh commit of a transaction that writes, or with rollbacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The connection is lost before the server receives the commit.
    LostBefore,
    /// The connection is lost after the commit, before the client receives the response.
    LostAfter,
    /// After the commit the proxy runs all statements of the transaction again. The client receives the result of the first run.
    Replayed,
    /// As `Replayed`, but the client receives the result of the second run.
    ReplayReported,
    /// The first time only: the commit is not sent to the server, which ends the silent session, as for a suspended client.
    Frozen,
    /// The server does not receive rollbacks, and the client receives an error for them.
    RollbackFails,
}

/// Starts a proxy for the server of an address. Returns the address of the proxy, and the number of faults so far.
fn proxy(url: &str, fault: Fault) -> (String, Arc<AtomicUsize>) {
    let (front, database) = url.rsplit_once('/').unwrap();
    let (user, server) = front.rsplit_once('@').unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let faults = Arc::new(AtomicUsize::new(0));
    let (server, counted) = (server.to_owned(), faults.clone());
    std::thread::spawn(move || {
        let commits = Arc::new(AtomicUsize::new(0));
        for stream in listener.incoming() {
            let (server, counted, commits) = (server.clone(), counted.clone(), commits.clone());
            std::thread::spawn(move || {
                let (client, server) = (stream.unwrap(), TcpStream::connect(server).unwrap());
                client.set_nodelay(true).unwrap();
                server.set_nodelay(true).unwrap();
                let proxied = Proxied { client, server, transaction: Vec::new() };
                // Returns an error when the connection ends.
                let _ = proxied.serve(fault, &commits, &counted);
            });
        }
    });
    (format!("{user}@{address}/{database}?sslmode=disable"), faults)
}

struct Proxied {
    client: TcpStream,
    server: TcpStream,
    /// The messages of the open transaction.
    transaction: Vec<Vec<u8>>,
}

impl Proxied {
    fn serve(mut self, fault: Fault, commits: &AtomicUsize, faults: &AtomicUsize) -> io::Result<()> {
        let mut length = [0; 4];
        self.client.read_exact(&mut length)?;
        let startup = rest(&mut self.client, length.to_vec())?;
        self.server.write_all(&startup)?;
        let ready = self.response()?;
        self.client.write_all(&ready)?;
        loop {
            let message = message(&mut self.client)?;
            if message[0] == b'Q' && message[5..].starts_with(b"BEGIN") {
                self.transaction.clear();
            }
            self.transaction.push(message.clone());
            if fault == Fault::RollbackFails && message[5..] == *b"ROLLBACK\0" {
                faults.fetch_add(1, Ordering::Relaxed);
                self.client.write_all(b"E\0\0\0\x20SERROR\0CXX000\0Mno rollback\0\0Z\0\0\0\x05T")?;
                continue;
            }
            let is_commit = message[0] == b'Q' && message.ends_with(b"COMMIT\0") && message.len() > 20;
            if fault != Fault::RollbackFails && is_commit && commits.fetch_add(1, Ordering::Relaxed) % 7 == 6
            {
                faults.fetch_add(1, Ordering::Relaxed);
                if fault == Fault::LostBefore {
                    return Ok(());
                }
                if fault == Fault::Frozen && faults.load(Ordering::Relaxed) == 1 {
                    self.server.read_to_end(&mut Vec::new())?;
                    return Ok(());
                }
                self.server.write_all(&message)?;
                let first = self.response()?;
                match fault {
                    Fault::LostBefore | Fault::LostAfter | Fault::RollbackFails => return Ok(()),
                    Fault::Frozen => self.client.write_all(&first)?,
                    Fault::Replayed => {
                        self.replay()?;
                        self.client.write_all(&first)?;
                    }
                    Fault::ReplayReported => {
                        let second = self.replay()?;
                        self.client.write_all(&second)?;
                    }
                }
                continue;
            }
            self.server.write_all(&message)?;
            if matches!(message[0], b'Q' | b'S') {
                let response = self.response()?;
                self.client.write_all(&response)?;
            }
        }
    }

    /// Runs the transaction again and returns the response to its commit.
    fn replay(&mut self) -> io::Result<Vec<u8>> {
        let mut last = Vec::new();
        for message in std::mem::take(&mut self.transaction) {
            self.server.write_all(&message)?;
            if matches!(message[0], b'Q' | b'S') {
                last = self.response()?;
            }
        }
        self.server.write_all(b"Q\0\0\0\x0dROLLBACK\0")?;
        self.response()?;
        // Report to the client that no transaction is open.
        if let Some(state) = last.last_mut() {
            *state = b'I';
        }
        Ok(last)
    }

    /// The messages of the server up to `ReadyForQuery`.
    fn response(&mut self) -> io::Result<Vec<u8>> {
        let mut all = Vec::new();
        loop {
            let message = message(&mut self.server)?;
            all.extend_from_slice(&message);
            if message[0] == b'Z' {
                return Ok(all);
            }
        }
    }
}

/// One message: its type, its length and its content.
fn message(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut head = [0; 5];
    stream.read_exact(&mut head)?;
    rest(stream, head.to_vec())
}

/// Reads the rest of a message and appends it to `head`, which ends with the length of the message.
fn rest(stream: &mut TcpStream, mut head: Vec<u8>) -> io::Result<Vec<u8>> {
    let length = u32::from_be_bytes(*head.last_chunk().unwrap()) as usize;
    let begin = head.len();
    head.resize(begin + length - 4, 0);
    stream.read_exact(&mut head[begin..])?;
    Ok(head)
}

async fn every_row_is_sent_once_despite(fault: Fault) {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "proxied", 1500, Settings::default());
    let (url, faults) = proxy(&scratch.url(), fault);
    let proxied = tokio::task::spawn_blocking(move || crate::support::open(&url)).await.unwrap();
    let options = RunOptions::default().concurrency(16);
    let (end, _) = run(proxied, "proxied", &client(sandbox.config()), options).await.unwrap();
    assert_eq!(end, RunEnd::Done);
    let found = status(&mut journal, "proxied").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.attempts, found.state), (1500, 1500, "done"), "{fault:?}");
    let sent = sent(&sandbox.ledger().await);
    assert_eq!((sent.len(), sent.values().max()), (1500, Some(&1)), "{fault:?}");
    assert!(faults.load(Ordering::Relaxed) >= 10, "{fault:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_row_is_sent_once_if_connections_are_lost_before_commits() {
    every_row_is_sent_once_despite(Fault::LostBefore).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_row_is_sent_once_if_connections_are_lost_after_commits() {
    every_row_is_sent_once_despite(Fault::LostAfter).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_row_is_sent_once_if_transactions_are_replayed() {
    every_row_is_sent_once_despite(Fault::Replayed).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_row_is_sent_once_if_the_result_of_a_replayed_transaction_is_reported() {
    every_row_is_sent_once_despite(Fault::ReplayReported).await;
}

/// All transactions that write wait for the one of the frozen worker. The server must end its session within 90 s.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_freezes_within_a_transaction_does_not_block_the_others() {
    let run = every_row_is_sent_once_despite(Fault::Frozen);
    tokio::time::timeout(std::time::Duration::from_secs(90), run)
        .await
        .expect("the server must end the session");
}

#[test]
fn a_connection_is_not_used_again_after_a_failed_rollback() {
    let (url, faults) = proxy(&Scratch::new().url(), Fault::RollbackFails);
    let mut journal = crate::support::open(&url);
    create(&mut journal, "one", 3, Settings::default());
    let again = blocking::create(&mut journal, "one", &mut rows(3), &messages(), Settings::default(), None);
    assert!(matches!(again, Err(Error::NameTaken)), "{again:?}");
    assert_eq!(faults.load(Ordering::Relaxed), 1);
    create(&mut journal, "two", 3, Settings::default());
    assert_eq!(status(&mut journal, "two").unwrap().rows, 3);
}

#[test]
fn tls_verifies_what_the_mode_requires() {
    let ca = std::env::var("CAMPAIGN_TEST_CA").unwrap();
    let url = Scratch::new().url();
    let by_number = url.replace("localhost", "127.0.0.1");
    let opens = |url: &str, query: &str| {
        open_journal(&format!("{url}?{query}"), OpenOptions::default()).map(|_| ()).is_ok()
    };
    for query in ["sslmode=disable", "sslmode=prefer", "sslmode=require"] {
        assert!(opens(&by_number, query), "{query}");
    }
    let with_root = |mode: &str| format!("sslmode={mode}&sslrootcert={ca}");
    assert!(opens(&url, &with_root("verify-full")));
    assert!(opens(&by_number, &with_root("verify-ca")));
    assert!(!opens(&by_number, &with_root("verify-full")), "the certificate names localhost only");
    for mode in ["verify-ca", "verify-full"] {
        assert!(!opens(&url, &format!("sslmode={mode}")), "the system does not trust the certificate");
    }
    assert!(!opens(&url, "sslmode=maybe"));
}

#[test]
fn callers_that_create_a_journal_on_a_server_at_once_all_open_it() {
    for _ in 0..15 {
        let scratch = Scratch::new();
        let (url, start) = (scratch.url(), Barrier::new(8));
        std::thread::scope(|scope| {
            let open = || {
                start.wait();
                open_journal(&url, OpenOptions::default()).map(drop)
            };
            let callers: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            for caller in callers {
                caller.join().unwrap().unwrap();
            }
        });
    }
}
