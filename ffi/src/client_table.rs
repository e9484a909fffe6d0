//! The table of clients, with the stores and the asynchronous calls of each.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use cpaas_core::client::Client;
use cpaas_core::config::Config;
use cpaas_core::error::Error;
use cpaas_core::guard::{Guard, GuardSettings};
use cpaas_core::suppression::SuppressionStore;
use tokio::sync::oneshot::Sender;

use crate::boundary::Failure;
use crate::cpaas_status;
use crate::handles::{bad_handle, cpaas_client, key, new_key};
use crate::process::callback::CALLBACK_OF;
use crate::process::handoff::{Handoff, SharedHandoff};
use crate::process::program_function;
use crate::program_store::ProgramStore;
use crate::result_queue::ResultQueue;

/// How long a callback waits for the callbacks of a client that it frees. Callbacks that free each other's clients end within 5 seconds.
const WAIT_IN_CALLBACK: Duration = Duration::from_secs(4);

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

/// The calls of a client. In the child of a fork, its locks may be held by threads that do not exist there.
pub(crate) struct OpenClient {
    pub(crate) key: u64,
    config: Config,
    pid: u32,
    pub(crate) results: ResultQueue,
    async_calls: Mutex<AsyncCalls>,
    idle: Condvar,
    /// Joined by each callback that has returned, and published by the thread that waits for all of them.
    pub(crate) ended_callbacks: SharedHandoff,
}

/// An asynchronous call: the channel that cancels it, once, and the hand-over of its `user_data`.
pub(crate) struct RunningCall {
    pub(crate) cancel: Option<Sender<()>>,
    pub(crate) handoff: Arc<Handoff>,
}

/// The asynchronous calls whose callback has not returned.
#[derive(Default)]
struct AsyncCalls {
    phase: Phase,
    running: BTreeMap<u64, RunningCall>,
}

/// Whether a client accepts asynchronous calls.
#[derive(Default, PartialEq)]
enum Phase {
    #[default]
    Open,
    Drained,
    Freed,
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
    entry.open.close();
    true
}

impl Entry {
    fn new(key: u64, config: Config, stores: ClientStores) -> Result<Self, Error> {
        let client = stores.apply(Client::for_binding(&config, "c")?)?;
        let open = OpenClient {
            key,
            config,
            pid: std::process::id(),
            results: ResultQueue::default(),
            async_calls: Mutex::default(),
            idle: Condvar::new(),
            ended_callbacks: SharedHandoff::new(),
        };
        Ok(Self { open: Arc::new(open), client, stores })
    }
}

impl OpenClient {
    fn belongs_to_this_process(&self) -> bool {
        self.pid == std::process::id()
    }

    fn async_calls(&self) -> MutexGuard<'_, AsyncCalls> {
        self.async_calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a call before it starts.
    pub(crate) fn add_call(&self, number: u64, call: RunningCall) -> Result<(), Failure> {
        let mut calls = self.async_calls();
        match calls.phase {
            Phase::Open => {
                calls.running.insert(number, call);
                Ok(())
            }
            Phase::Drained => {
                Err(Failure::Argument(cpaas_status::CPAAS_BAD_HANDLE, "client", "must not be drained"))
            }
            Phase::Freed => Err(bad_handle("client")),
        }
    }

    /// Removes a call whose callback has returned.
    pub(crate) fn remove_call(&self, number: u64) {
        self.async_calls().running.remove(&number);
        self.idle.notify_all();
    }

    pub(crate) fn cancel(&self, number: u64) {
        let cancel = self.async_calls().running.get_mut(&number).and_then(RunningCall::take_cancel);
        if let Some((cancel, handoff)) = cancel {
            handoff.pass();
            let _ = cancel.send(());
        }
    }

    /// Refuses further calls, waits at most `timeout` for those that run, and cancels the rest. In a callback of this client, cancels
    /// them at once.
    pub(crate) fn drain(&self, timeout: Duration) {
        let mut calls = self.async_calls();
        if calls.phase == Phase::Open {
            calls.phase = Phase::Drained;
        }
        if CALLBACK_OF.get() != self.key {
            let waited = self.idle.wait_timeout_while(calls, timeout, is_running);
            (calls, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        self.cancel_all(calls);
    }

    fn close(&self) {
        let mut calls = self.async_calls();
        calls.phase = Phase::Freed;
        self.cancel_all(calls);
    }

    /// Cancels every call. Waits for the callbacks, unless this thread runs one of them, or a log function or suppression function, whose
    /// call may be one of them. In a callback of another client, waits at most [`WAIT_IN_CALLBACK`]: a callback of this client may free that one.
    fn cancel_all(&self, mut calls: MutexGuard<'_, AsyncCalls>) {
        for (cancel, handoff) in calls.running.values_mut().filter_map(RunningCall::take_cancel) {
            handoff.pass();
            let _ = cancel.send(());
        }
        match CALLBACK_OF.get() {
            _ if program_function::running().is_some() => {}
            0 => drop(self.idle.wait_while(calls, is_running)),
            key if key == self.key => {}
            _ => drop(self.idle.wait_timeout_while(calls, WAIT_IN_CALLBACK, is_running)),
        }
        self.ended_callbacks.publish();
    }
}

impl RunningCall {
    /// What cancels the call, unless it was taken before.
    fn take_cancel(&mut self) -> Option<(Sender<()>, Arc<Handoff>)> {
        self.cancel.take().map(|cancel| (cancel, Arc::clone(&self.handoff)))
    }
}

/// Whether calls have not ended.
fn is_running(calls: &mut AsyncCalls) -> bool {
    !calls.running.is_empty()
}
