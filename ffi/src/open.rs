//! The table of clients: a handle is a ticket into it.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use cpaas_core::client::Client;
use cpaas_core::config::Config;
use cpaas_core::error::Error;
use tokio::sync::oneshot::Sender;

use crate::client::cpaas_client;
use crate::cpaas_status;

/// What stands behind a ticket.
pub(crate) struct Open {
    pub(crate) ticket: u64,
    pub(crate) client: Client,
    config: Config,
    pid: u32,
    flights: Mutex<Flights>,
    idle: Condvar,
}

/// The calls whose callback has not returned, each with what cancels it.
#[derive(Default)]
struct Flights {
    closed: bool,
    cancels: BTreeMap<u64, Option<Sender<()>>>,
}

pub(crate) type Table = BTreeMap<u64, Arc<Open>>;

static NEXT: AtomicU64 = AtomicU64::new(1);
static TABLE: RwLock<Table> = RwLock::new(Table::new());

/// Tickets look like aligned addresses, which debuggers and sanitizers like better.
const STEP: u64 = 16;

thread_local! {
    /// The client whose callback this thread runs; 0 for none.
    pub(crate) static CALLING_BACK: Cell<u64> = const { Cell::new(0) };
}

pub(crate) fn write() -> RwLockWriteGuard<'static, Table> {
    TABLE.write().unwrap_or_else(PoisonError::into_inner)
}

fn read() -> RwLockReadGuard<'static, Table> {
    TABLE.read().unwrap_or_else(PoisonError::into_inner)
}

fn ticket(client: *const cpaas_client) -> Result<u64, cpaas_status> {
    let address = client.addr() as u64;
    match address {
        0 => Err(cpaas_status::CPAAS_BAD_ARGUMENT),
        _ if !address.is_multiple_of(STEP) => Err(cpaas_status::CPAAS_BAD_HANDLE),
        _ => Ok(address / STEP),
    }
}

pub(crate) fn find(client: *const cpaas_client) -> Result<Arc<Open>, cpaas_status> {
    let ticket = ticket(client)?;
    let open = read().get(&ticket).cloned();
    let open = open.ok_or(cpaas_status::CPAAS_BAD_HANDLE)?;
    if open.is_ours() { Ok(open) } else { after_fork(ticket, open) }
}

/// The child of a fork makes a client of its own. The parent's is left as it is: closing it could say
/// goodbye on connections that the parent still uses, and its locks may be held by threads that are gone.
fn after_fork(ticket: u64, parents: Arc<Open>) -> Result<Arc<Open>, cpaas_status> {
    let config = parents.config.clone();
    std::mem::forget(parents);
    let fresh = Open::new(ticket, config).map_err(|_| cpaas_status::CPAAS_INVALID)?;
    let mut table = write();
    let slot = table.get_mut(&ticket).ok_or(cpaas_status::CPAAS_BAD_HANDLE)?;
    if !slot.is_ours() {
        std::mem::forget(std::mem::replace(slot, Arc::new(fresh)));
    }
    Ok(Arc::clone(slot))
}

pub(crate) fn add(config: Config) -> Result<*mut cpaas_client, Error> {
    let ticket = NEXT.fetch_add(1, Ordering::Relaxed);
    let open = Open::new(ticket, config)?;
    write().insert(ticket, Arc::new(open));
    Ok(std::ptr::without_provenance_mut((ticket * STEP) as usize))
}

pub(crate) fn remove(client: *const cpaas_client) {
    let Ok(ticket) = ticket(client) else { return };
    let Some(open) = write().remove(&ticket) else { return };
    if !open.is_ours() {
        return std::mem::forget(open);
    }
    open.close();
    drop(open);
    crate::runtime::settle();
}

impl Open {
    #[inline(never)]
    fn new(ticket: u64, config: Config) -> Result<Self, Error> {
        Ok(Self {
            ticket,
            client: Client::in_language(&config, "c")?,
            config,
            pid: std::process::id(),
            flights: Mutex::default(),
            idle: Condvar::new(),
        })
    }

    fn is_ours(&self) -> bool {
        self.pid == std::process::id()
    }

    fn flights(&self) -> MutexGuard<'_, Flights> {
        self.flights.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a call that starts.
    pub(crate) fn started(&self, number: u64, cancel: Sender<()>) -> Result<(), cpaas_status> {
        let mut flights = self.flights();
        if flights.closed {
            return Err(cpaas_status::CPAAS_BAD_HANDLE);
        }
        flights.cancels.insert(number, Some(cancel));
        Ok(())
    }

    /// Notes a call whose callback has returned.
    pub(crate) fn ended(&self, number: u64) {
        self.flights().cancels.remove(&number);
        self.idle.notify_all();
    }

    pub(crate) fn cancel(&self, number: u64) {
        let cancel = self.flights().cancels.get_mut(&number).and_then(Option::take);
        if let Some(cancel) = cancel {
            let _ = cancel.send(());
        }
    }

    /// Cancels every call and waits for the callbacks, unless this is one of them.
    fn close(&self) {
        let mut flights = self.flights();
        flights.closed = true;
        for cancel in flights.cancels.values_mut().filter_map(Option::take) {
            let _ = cancel.send(());
        }
        if CALLING_BACK.get() == self.ticket {
            return;
        }
        while !flights.cancels.is_empty() {
            flights = self.idle.wait(flights).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
