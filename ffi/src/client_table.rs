//! The table of clients, with the stores of each.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

#[cfg(not(feature = "http"))]
use cpaas_core::bindings::SystemClock;
use cpaas_core::bindings::max_response_bytes;
use cpaas_core::client::Client;
use cpaas_core::config::Config;
use cpaas_core::error::Error;
use cpaas_core::guard::{Guard, GuardSettings};
use cpaas_core::suppression::SuppressionStore;

#[cfg(feature = "http")]
use crate::async_calls::AsyncCalls;
use crate::boundary::Failure;
use crate::cpaas_status;
use crate::handles::{bad_handle, cpaas_client, key, new_key};
use crate::program_store::ProgramStore;

/// The stores of a client.
#[derive(Clone, Default)]
pub(crate) struct ClientStores {
    pub(crate) suppression: Option<Arc<ProgramStore>>,
    pub(crate) guard: Option<GuardSettings>,
}

impl ClientStores {
    /// A client that consults these stores. A guard counts from zero.
    pub(crate) fn apply(&self, client: Client) -> Result<Client, Error> {
        self.apply_guard(self.apply_suppression(client))
    }

    /// The same stores in the child of a fork, where no thread of the parent holds their locks.
    fn in_child(&self) -> Self {
        let suppression = self.suppression.as_ref().map(|store| Arc::new(store.in_child()));
        Self { suppression, guard: self.guard.clone() }
    }

    pub(crate) fn apply_suppression(&self, client: Client) -> Client {
        match &self.suppression {
            Some(store) => client.suppression(Arc::clone(store) as Arc<dyn SuppressionStore>),
            None => client.without_suppression(),
        }
    }

    pub(crate) fn apply_guard(&self, client: Client) -> Result<Client, Error> {
        Ok(match &self.guard {
            Some(settings) => client.guard(Guard::new(settings.clone())?),
            None => client.without_guard(),
        })
    }
}

/// A client of the table, and the stores that it consults. Only the lock of the table guards them, which is free during a fork.
pub(crate) struct Entry {
    open: Arc<OpenClient>,
    client: Client,
    stores: ClientStores,
}

/// A client that was not freed. In the child of a fork, its locks may be held by threads that do not exist there.
pub(crate) struct OpenClient {
    pub(crate) key: u64,
    config: Config,
    pid: u32,
    /// The maximum size of the body of a response to an exchange.
    pub(crate) max_response_bytes: usize,
    #[cfg(feature = "http")]
    pub(crate) calls: AsyncCalls,
}

pub(crate) type Table = BTreeMap<u64, Entry>;

static TABLE: RwLock<Table> = RwLock::new(Table::new());

pub(crate) fn write() -> RwLockWriteGuard<'static, Table> {
    TABLE.write().unwrap_or_else(PoisonError::into_inner)
}

fn read() -> RwLockReadGuard<'static, Table> {
    TABLE.read().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn find(client: *const cpaas_client) -> Result<Arc<OpenClient>, Failure> {
    look_up(client, |entry| Arc::clone(&entry.open))
}

/// Also returns the client of the next call.
pub(crate) fn find_client(client: *const cpaas_client) -> Result<(Arc<OpenClient>, Client), Failure> {
    look_up(client, |entry| (Arc::clone(&entry.open), entry.client.clone()))
}

/// Also returns the client of the next exchange, which consults its stores on the thread that runs it.
pub(crate) fn find_client_of_exchange(
    client: *const cpaas_client,
) -> Result<(Arc<OpenClient>, Client), Failure> {
    look_up(client, |entry| {
        let client = match &entry.stores.suppression {
            Some(store) => entry.client.clone().suppression(Arc::new(store.on_calling_thread())),
            None => entry.client.clone(),
        };
        (Arc::clone(&entry.open), client)
    })
}

fn look_up<T>(client: *const cpaas_client, take: impl Fn(&Entry) -> T) -> Result<T, Failure> {
    let key = key(client, "client")?;
    let (config, stores) = {
        let table = read();
        let entry = table.get(&key).ok_or(bad_handle("client"))?;
        if entry.open.belongs_to_this_process() {
            return Ok(take(entry));
        }
        (entry.open.config.clone(), entry.stores.in_child())
    };
    rebuild_after_fork(key, config, stores)?;
    read().get(&key).map(take).ok_or(bad_handle("client"))
}

/// Builds a client for the child of a fork. The parent's client is leaked: dropping it could send TLS close messages on
/// connections that the parent still uses, and its locks may be held by threads that do not exist in the child.
fn rebuild_after_fork(key: u64, config: Config, stores: ClientStores) -> Result<(), Failure> {
    let fresh = Entry::new(key, config, stores).map_err(|_| cpaas_status::CPAAS_INVALID)?;
    let mut table = write();
    let entry = table.get_mut(&key).ok_or(bad_handle("client"))?;
    if !entry.open.belongs_to_this_process() {
        std::mem::forget(std::mem::replace(entry, fresh));
    }
    Ok(())
}

pub(crate) fn add(config: Config) -> Result<*mut cpaas_client, Error> {
    let (key, handle) = new_key();
    let entry = Entry::new(key, config, ClientStores::default())?;
    write().insert(key, entry);
    Ok(handle)
}

#[cfg(feature = "http")]
fn new_client(config: &Config) -> Result<Client, Error> {
    Client::for_binding(config, "c")
}

/// A client without a transport: the program sends the requests of its exchanges.
#[cfg(not(feature = "http"))]
fn new_client(config: &Config) -> Result<Client, Error> {
    use cpaas_core::client::TransportError;
    use cpaas_core::error::{Reason, SentState};
    use cpaas_core::http::HttpRequest;

    let transport =
        |_: HttpRequest| std::future::ready(Err(TransportError::new(SentState::No, Reason::Runtime)));
    Client::with_transport_and_clock(config, transport, SystemClock)
}

/// Changes the stores of a client for the calls that begin afterwards.
pub(crate) fn change_stores(
    client: *const cpaas_client,
    change: impl FnOnce(Client, &mut ClientStores) -> Result<Client, Error>,
) -> Result<(), Failure> {
    let open = find(client)?;
    let mut table = write();
    let entry = table.get_mut(&open.key).ok_or(bad_handle("client"))?;
    // The settings of a guard were checked before.
    if let Ok(changed) = change(entry.client.clone(), &mut entry.stores) {
        entry.client = changed;
    }
    Ok(())
}

/// Ends the calls of a client and removes it. Returns whether its connections were dropped.
pub(crate) fn remove(client: *const cpaas_client) -> bool {
    let Ok(key) = key(client, "client") else { return false };
    let Some(entry) = write().remove(&key) else { return false };
    if !entry.open.belongs_to_this_process() {
        std::mem::forget(entry);
        return false;
    }
    #[cfg(feature = "http")]
    entry.open.calls.close();
    true
}

impl OpenClient {
    fn belongs_to_this_process(&self) -> bool {
        self.pid == std::process::id()
    }
}

impl Entry {
    fn new(key: u64, config: Config, stores: ClientStores) -> Result<Self, Error> {
        let client = stores.apply(new_client(&config)?)?;
        let open = OpenClient {
            key,
            max_response_bytes: max_response_bytes(&config)?,
            config,
            pid: std::process::id(),
            #[cfg(feature = "http")]
            calls: AsyncCalls::new(key),
        };
        Ok(Self { open: Arc::new(open), client, stores })
    }
}
