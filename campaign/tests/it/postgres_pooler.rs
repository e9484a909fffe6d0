//! A journal in Postgres behind pgbouncer, which gives each transaction or each connection another session of the server.
//! `tests/suites/campaign` starts the server and installs pgbouncer.
#![cfg(feature = "postgres")]

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::kills::{kill_workers, number};
use crate::support::cluster::make_writable_by_server;
use crate::support::{Scratch, assert_adds_up, client, create, open, sent};
use cpaas_campaign::blocking;
use cpaas_campaign::campaign::status;
use cpaas_campaign::journal::Settings;
use cpaas_campaign::protocol::RowOutcome;
use cpaas_campaign::send_once;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_sandbox::Sandbox;

const PROGRAM: &str = "/usr/sbin/pgbouncer";

/// The modes of pgbouncer, with the number of sessions. In session mode, each connection of a worker keeps a session.
const MODES: [(&str, u32); 2] = [("transaction", 3), ("session", 40)];

/// A running pgbouncer.
struct Pooler {
    child: Child,
    folder: tempfile::TempDir,
    port: u16,
    /// The name of the database of the journal.
    database: String,
}

impl Pooler {
    /// Starts pgbouncer in front of the server of the journal `url`.
    fn start(url: &str, (mode, sessions): (&str, u32)) -> Self {
        let (front, database) = url.rsplit_once('/').unwrap();
        let server_port = front.rsplit_once(':').unwrap().1;
        let folder = tempfile::tempdir().unwrap();
        make_writable_by_server(folder.path());
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let (path, users) = (folder.path().join("pgbouncer.ini"), folder.path().join("users"));
        let settings = format!(
            "[databases]\n* = host=localhost port={server_port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
            unix_socket_dir = {}\nauth_type = trust\nauth_file = {}\npool_mode = {mode}\ndefault_pool_size = {sessions}\n",
            folder.path().display(),
            users.display()
        );
        std::fs::write(&path, settings).unwrap();
        std::fs::write(&users, "\"postgres\" \"\"\n").unwrap();
        let child = command(&path).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let pooler = Self { child, folder, port, database: database.to_owned() };
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::sleep(Duration::from_millis(20));
        }
        pooler
    }

    /// The address of the journal by the port of pgbouncer.
    fn by_port(&self) -> String {
        format!("postgres://postgres@localhost:{}/{}", self.port, self.database)
    }

    /// The address of the journal by the socket of pgbouncer.
    fn by_socket(&self) -> String {
        let folder = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://postgres@{folder}:{}/{}", self.port, self.database)
    }
}

/// Whether pgbouncer is installed; prints that the test is skipped if not.
fn is_installed() -> bool {
    let is_installed = Path::new(PROGRAM).exists();
    if !is_installed {
        println!("skipped: pgbouncer is not installed");
    }
    is_installed
}

fn command(settings: &Path) -> Command {
    if !rustix::process::getuid().is_root() {
        let mut command = Command::new(PROGRAM);
        command.arg(settings);
        return command;
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid", "postgres", "--regid", "postgres", "--clear-groups", PROGRAM]).arg(settings);
    command
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "starts pgbouncer; tests/suites/campaign"]
async fn every_row_is_sent_once_behind_a_pooler() {
    for mode in MODES.into_iter().filter(|_| is_installed()) {
        every_row_is_sent_once(mode).await;
    }
}

async fn every_row_is_sent_once(mode: (&str, u32)) {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let pooler = Pooler::start(&Scratch::new().url(), mode);
    // By its port, and by its socket, which a password file and an address may name too.
    let (by_port, by_socket) = (pooler.by_port(), pooler.by_socket());
    let mut journal = tokio::task::spawn_blocking({
        let url = by_port.clone();
        move || open(&url)
    })
    .await
    .unwrap();
    create(&mut journal, "pooled", 3000, Settings::default());
    let mut workers = Vec::new();
    for number in 0..6 {
        let url = if number % 2 == 0 { by_port.clone() } else { by_socket.clone() };
        let journal = tokio::task::spawn_blocking(move || open(&url)).await.unwrap();
        let client = client(sandbox.config());
        workers.push(tokio::spawn(async move {
            run(journal, "pooled", &client, RunOptions::default().concurrency(8)).await.map(|(end, _)| end)
        }));
    }
    for worker in workers {
        assert_eq!(worker.await.unwrap().unwrap(), RunEnd::Done);
    }
    let found = status(&mut journal, "pooled").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.attempts, found.state), (3000, 3000, "done"));
    let counts = sent(&sandbox.ledger().await);
    assert_eq!((counts.len(), counts.values().max()), (3000, Some(&1)));
    journal.purge("pooled").unwrap();
    let journal = Arc::new(Mutex::new(journal));
    let request = r#"{"from": "Acme", "to": "306900000001", "text": "Hi", "type": "auto"}"#;
    for _ in 0..2 {
        let client = client(sandbox.config());
        let once = send_once(journal.clone(), &client, "key", "sms.send", request, Duration::from_secs(20));
        assert_eq!(once.await.unwrap().outcome, RowOutcome::Accepted);
    }
    assert_eq!(sandbox.ledger().await.len(), 3001);
}

#[test]
#[ignore = "starts pgbouncer; tests/suites/campaign"]
fn killed_workers_behind_a_pooler_send_no_row_twice_and_lose_none() {
    let (rows, kills) = (number("CAMPAIGN_ROWS", 600), number("CAMPAIGN_KILLS", 4));
    for mode in MODES.into_iter().filter(|_| is_installed()) {
        let pooler = Pooler::start(&Scratch::new().url(), mode);
        println!("pgbouncer, pool_mode = {}:", mode.0);
        kill_workers(&pooler.by_port(), rows, kills, number("CAMPAIGN_WORKERS", 3));
    }
}

/// A pooler that accepts logins also while it cannot reach the server, as pgbouncer does.
struct Relay {
    port: u16,
    is_down: Arc<AtomicBool>,
    streams: Arc<Mutex<Vec<TcpStream>>>,
}

impl Relay {
    fn start(server_port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (is_down, streams) = (Arc::new(AtomicBool::new(false)), Arc::<Mutex<Vec<TcpStream>>>::default());
        let relay = Self { port, is_down: is_down.clone(), streams: streams.clone() };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let is_down = is_down.load(Ordering::SeqCst);
                if is_down {
                    std::thread::spawn(move || refuse(stream));
                    continue;
                }
                let server = TcpStream::connect(("127.0.0.1", server_port)).unwrap();
                let ends = [&stream, &server].map(|end| end.try_clone().unwrap());
                streams.lock().unwrap().extend(ends);
                for (mut from, mut to) in
                    [(stream.try_clone().unwrap(), server.try_clone().unwrap()), (server, stream)]
                {
                    std::thread::spawn(move || {
                        let _ = std::io::copy(&mut from, &mut to);
                        let _ = to.shutdown(Shutdown::Both);
                    });
                }
            }
        });
        relay
    }

    /// Loses the server for this time.
    fn lose_server(&self, time: Duration) {
        self.is_down.store(true, Ordering::SeqCst);
        for stream in self.streams.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
        let is_down = self.is_down.clone();
        std::thread::spawn(move || {
            std::thread::sleep(time);
            is_down.store(false, Ordering::SeqCst);
        });
    }
}

/// Accepts a login, and answers the first statement with a protocol violation.
fn refuse(mut stream: TcpStream) {
    let mut bytes = [0; 4096];
    let _ = stream.read(&mut bytes);
    // AuthenticationOk, ReadyForQuery.
    let _ = stream.write_all(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I");
    let _ = stream.read(&mut bytes);
    let fields = b"SFATAL\0VFATAL\0C08P01\0Mserver login has been failing\0\0";
    let length = u32::try_from(fields.len() + 4).unwrap().to_be_bytes();
    let _ = stream.write_all(&[&b"E"[..], &length, fields].concat());
}

#[test]
#[ignore = "needs a server"]
fn a_journal_behind_a_pooler_that_lost_the_server_waits_for_it() {
    let scratch = Scratch::new();
    let url = scratch.url();
    let (front, database) = url.rsplit_once('/').unwrap();
    let relay = Relay::start(front.rsplit_once(':').unwrap().1.parse().unwrap());
    let user = front.split_once("://").unwrap().1.split_once('@').map_or("postgres", |(user, _)| user);
    let by_relay = format!("postgres://{user}@127.0.0.1:{}/{database}?sslmode=disable", relay.port);
    let mut journal = open(&by_relay);
    create(&mut journal, "c", 10, Settings::default());
    relay.lose_server(Duration::from_secs(2));
    let began = std::time::Instant::now();
    assert_eq!(status(&mut journal, "c").unwrap().rows, 10);
    assert!(began.elapsed() > Duration::from_secs(1), "the server was lost");
    // A journal that opens anew reports it at once.
    relay.lose_server(Duration::from_secs(2));
    let error = blocking::open_journal(&by_relay, Default::default()).map(drop).unwrap_err();
    assert!(error.to_string().contains("pooler"), "{error}");
}
