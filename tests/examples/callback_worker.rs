//! A worker of `tests/nightly/callback_kills`: axum with leases in SQLite. Serves one port until it is killed, and logs each run of its handler.
//!
//! `callback_worker DATABASE PORT LOG`. The database has the table of `docs/callbacks.md`.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::{FromRef, State};
use axum::http::StatusCode;
use axum::routing::any;
use cpaas::callback::axum::{Callback, LeaseLayer};
use cpaas::callback::{Claimed, Keyring, LeaseStore, Leases, Receiver};
use rusqlite::{Connection, OptionalExtension as _, named_params};

/// Seconds since 1970, by the clock that all processes of the machine share.
macro_rules! now {
    () => {
        "((julianday('now') - 2440587.5) * 86400)"
    };
}

const CLAIM: &str = concat!(
    "INSERT INTO callbacks VALUES (:key, :token, ",
    now!(),
    " + :seconds) ON CONFLICT (key) DO UPDATE SET token = excluded.token, until = excluded.until WHERE callbacks.until <= ",
    now!(),
    " OR callbacks.token = excluded.token RETURNING key"
);
const HELD: &str =
    concat!("SELECT token IS NULL, max(0, until - ", now!(), ") FROM callbacks WHERE key = :key");
const DONE: &str = concat!(
    "INSERT INTO callbacks VALUES (:key, NULL, ",
    now!(),
    " + :seconds) ON CONFLICT (key) DO UPDATE SET token = NULL, until = excluded.until"
);
const FREE: &str = "DELETE FROM callbacks WHERE key = :key AND token = :token";

/// One connection in autocommit mode. Its commands run outside of the event loop, and wait at most 2 seconds for the file.
struct SqliteStore(Arc<Mutex<Connection>>);

impl SqliteStore {
    fn open(path: &str) -> Result<Self, Box<dyn std::error::Error>> {
        keep_private(path)?;
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(2))?;
        Ok(Self(Arc::new(Mutex::new(connection))))
    }

    async fn command<T: Send + 'static>(
        &self,
        command: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, String> {
        let connection = self.0.clone();
        let command = move || command(&connection.lock().unwrap_or_else(PoisonError::into_inner));
        let result = tokio::task::spawn_blocking(command).await.map_err(|error| error.to_string())?;
        result.map_err(|error| error.to_string())
    }
}

/// Creates the file with mode 0600, which SQLite gives to the files beside it. Refuses files that others can access.
fn keep_private(path: &str) -> std::io::Result<()> {
    let created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    if let Err(error) = created
        && error.kind() != ErrorKind::AlreadyExists
    {
        return Err(error);
    }
    for file in [path.to_owned(), format!("{path}-wal"), format!("{path}-shm")] {
        let mode = match std::fs::metadata(&file) {
            Ok(found) => found.permissions().mode() & 0o7777,
            Err(error) if file != path && error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        if mode & 0o077 != 0 {
            let quoted = file.replace('\'', r"'\''");
            let message = format!(
                "only its owner may have access to a store, got the mode {mode:04o}; run `chmod 600 -- '{quoted}'`"
            );
            return Err(std::io::Error::new(ErrorKind::PermissionDenied, message));
        }
    }
    Ok(())
}

impl LeaseStore for SqliteStore {
    type Error = String;

    async fn claim(&self, key: &str, token: &str, lease: Duration) -> Result<Claimed, String> {
        let (key, token) = (key.to_owned(), token.to_owned());
        let held = move |connection: &Connection| {
            let values = named_params! {":key": key, ":token": token, ":seconds": lease.as_secs_f64()};
            if connection.query_row(CLAIM, values, |_| Ok(())).optional()?.is_some() {
                return Ok(None);
            }
            let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
            // A row that has been removed since is busy for a second.
            let held = connection.query_row(HELD, named_params! {":key": key}, row).optional()?;
            Ok(Some(held.unwrap_or((false, 1.0))))
        };
        Ok(match self.command(held).await? {
            None => Claimed::New,
            Some((true, _)) => Claimed::Done,
            Some((false, left)) => {
                Claimed::Busy(Duration::try_from_secs_f64(left).map_err(|error| error.to_string())?)
            }
        })
    }

    async fn done(&self, key: &str, _: &str, keep: Duration) -> Result<(), String> {
        let key = key.to_owned();
        self.command(move |connection| {
            connection.execute(DONE, named_params! {":key": key, ":seconds": keep.as_secs_f64()}).map(drop)
        })
        .await
    }

    async fn free(&self, key: &str, token: &str) -> Result<(), String> {
        let (key, token) = (key.to_owned(), token.to_owned());
        self.command(move |connection| {
            connection.execute(FREE, named_params! {":key": key, ":token": token}).map(drop)
        })
        .await
    }
}

#[derive(Clone)]
struct App {
    receiver: Arc<Receiver>,
    log: Arc<File>,
}

impl FromRef<App> for Arc<Receiver> {
    fn from_ref(app: &App) -> Self {
        app.receiver.clone()
    }
}

impl App {
    /// Writes one line with one write, which survives `kill -9`.
    fn note(&self, word: &str, id: &str) {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        let line = format!("{word} {id} {} {}.{:09}\n", std::process::id(), now.tv_sec, now.tv_nsec);
        (&*self.log).write_all(line.as_bytes()).unwrap();
    }
}

/// Takes up to 50 ms. One run in twenty fails: half of them panic.
async fn handle(State(app): State<App>, Callback(received): Callback) -> StatusCode {
    let id = received.event.message_id().unwrap();
    let random = getrandom::u32().unwrap();
    app.note("start", id);
    tokio::time::sleep(Duration::from_millis(u64::from(random % 50 + 1))).await;
    if (random >> 8).is_multiple_of(20) {
        app.note("fail", id);
        assert!(random >> 31 == 0, "the handler panics");
        return StatusCode::INTERNAL_SERVER_ERROR;
    }
    app.note("end", id);
    StatusCode::OK
}

#[tokio::main]
async fn main() {
    let [database, port, log] = std::env::args().skip(1).collect::<Vec<_>>().try_into().unwrap();
    // The receiver of `python/tests/callback_adapters.py`.
    let keys = Keyring::new([("k1", "delivery secret one, 32 bytes or more")]).unwrap();
    let receiver = Receiver::new("shop", "https://shop.example/hooks").unwrap().delivery_keys(keys);
    let app =
        App { receiver: receiver.into(), log: OpenOptions::new().append(true).open(log).unwrap().into() };
    let leases = Leases::new(SqliteStore::open(&database).unwrap()).lease(Duration::from_secs(2)).unwrap();
    let router = Router::new()
        .route("/hooks", any(handle))
        .route_layer(LeaseLayer::new(leases, app.clone()))
        .with_state(app);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port.parse().unwrap())).await.unwrap();
    axum::serve(listener, router).await.unwrap();
}

#[test]
fn only_its_owner_can_access_the_file() {
    let folder = std::env::temp_dir().join(format!("cpaas-callback-worker-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("it's a store.db").display().to_string();
    drop(SqliteStore::open(&path).unwrap());
    let mode = || std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    for wide in [0o640, 0o604, 0o666, 0o601] {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(wide)).unwrap();
        let error = SqliteStore::open(&path).err().unwrap().to_string();
        assert!(error.contains(&format!("got the mode {wide:04o}")), "{error}");
        let command = error.split('`').nth(1).unwrap();
        assert!(std::process::Command::new("sh").args(["-c", command]).status().unwrap().success());
        assert_eq!(mode(), 0o600);
    }
    let link = folder.join("link.db");
    std::os::unix::fs::symlink(folder.join("target.db"), &link).unwrap();
    assert!(SqliteStore::open(link.to_str().unwrap()).is_err() && !folder.join("target.db").exists());
    std::fs::remove_dir_all(&folder).unwrap();
}
