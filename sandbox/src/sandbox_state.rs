//! The state of one sandbox, which all its connections share.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use tokio::sync::{OnceCell, Semaphore};
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;

use crate::account::{Account, Credentials};
use crate::ledger::{self, Ledger};
use crate::options::Options;
use crate::random::Random;
use crate::start_error::{OpenError, StartError};

/// The maximum number of concurrent callbacks.
const MAX_CONCURRENT_CALLBACKS: usize = 256;

/// The state that all callbacks share.
pub(crate) struct CallbackShared {
    /// Made when the first callback needs TLS.
    pub(crate) tls: OnceCell<Option<TlsConnector>>,
    /// One permit for each running callback.
    pub(crate) permits: Semaphore,
}

impl Default for CallbackShared {
    fn default() -> Self {
        Self { tls: OnceCell::new(), permits: Semaphore::new(MAX_CONCURRENT_CALLBACKS) }
    }
}

/// The maximum number of concurrent event streams.
pub(crate) const MAX_STREAMS: usize = 64;

pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) base: OnceLock<String>,
    /// The address that the sandbox listens on.
    pub(crate) listener: OnceLock<SocketAddr>,
    accounts: RwLock<Accounts>,
    random: Mutex<Random>,
    pub(crate) net: CallbackShared,
    /// The tasks that stop with the sandbox: the schedulers of the accounts, and requests to which a fault responds early.
    pub(crate) tasks: Mutex<JoinSet<()>>,
    /// One permit for each event stream.
    pub(crate) streams: Arc<Semaphore>,
}

#[derive(Default)]
struct Accounts {
    list: Vec<Arc<Account>>,
    by_credential: HashMap<String, Arc<Account>>,
}

impl Shared {
    pub(crate) fn new(options: Options) -> Result<Arc<Self>, StartError> {
        let random = Random::new(options.seed).map_err(StartError::Random)?;
        Ok(Arc::new(Self {
            options,
            base: OnceLock::new(),
            listener: OnceLock::new(),
            accounts: RwLock::default(),
            random: Mutex::new(random),
            net: CallbackShared::default(),
            tasks: Mutex::new(JoinSet::new()),
            streams: Arc::new(Semaphore::new(MAX_STREAMS)),
        }))
    }

    /// The ledger of a new account: in the file of `--db`, in one beside it for a further account, or in memory.
    fn ledger(&self, sid: &str, is_first: bool) -> Result<Ledger, OpenError> {
        let Some(db) = &self.options.db else { return Ok(Ledger::default()) };
        let path = if is_first { db.clone() } else { ledger::path(db, sid) };
        Ledger::create(&path).map_err(|error| OpenError::Ledger(path, error))
    }

    pub(crate) fn open_streams(&self) -> usize {
        MAX_STREAMS - self.streams.available_permits()
    }

    pub(crate) fn base(&self) -> &str {
        self.base.get().map_or("", String::as_str)
    }

    /// A new account with keys of its own.
    pub(crate) fn add_account(&self) -> Result<Arc<Account>, OpenError> {
        // Held until the account is in the list, so that callers at once do not exceed the limit.
        let mut random = self.random.lock().unwrap_or_else(PoisonError::into_inner);
        let count = self.accounts.read().unwrap_or_else(PoisonError::into_inner).list.len();
        if count >= self.options.accounts {
            return Err(OpenError::Full(count));
        }
        let credentials = Credentials::new(&mut random);
        let ledger = self.ledger(&credentials.account_sid, count == 0)?;
        let account = Arc::new(Account::new(credentials, &self.options, &mut random, ledger));
        let keys = &account.credentials;
        let texts = [
            &keys.account_sid,
            &keys.api_key,
            &keys.sms_key,
            &keys.traffic_account_id,
            &keys.messenger_b_token,
        ];
        let mut accounts = self.accounts.write().unwrap_or_else(PoisonError::into_inner);
        for text in texts {
            accounts.by_credential.insert(text.clone(), Arc::clone(&account));
        }
        accounts.by_credential.insert(keys.basic(), Arc::clone(&account));
        accounts.by_credential.insert(keys.bot_id.clone(), Arc::clone(&account));
        if let Some(token) = keys.bot_id.strip_prefix("bot") {
            accounts.by_credential.insert(token.to_owned(), Arc::clone(&account));
        }
        accounts.list.push(Arc::clone(&account));
        drop(accounts);
        drop(random);
        Ok(account)
    }

    /// Spawns a task that stops with the sandbox.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }

    /// The account with this sid, key, token, traffic account or `Authorization` header.
    pub(crate) fn account(&self, text: &str) -> Option<Arc<Account>> {
        self.accounts.read().unwrap_or_else(PoisonError::into_inner).by_credential.get(text).cloned()
    }

    pub(crate) fn accounts(&self) -> Vec<Arc<Account>> {
        self.accounts.read().unwrap_or_else(PoisonError::into_inner).list.clone()
    }

    /// Whether an address reaches the sandbox's own listener. `from` is the local address of the
    /// callback's connection; a connection to an address of this machine has the same address at both ends.
    pub(crate) fn is_own(&self, address: SocketAddr, from: Option<IpAddr>) -> bool {
        let Some(listener) = self.listener.get() else { return false };
        let ip = address.ip().to_canonical();
        let here = ip.is_loopback() || ip.is_unspecified() || ip == listener.ip() || Some(ip) == from;
        here && address.port() == listener.port()
    }

    /// The first account.
    pub(crate) fn first(&self) -> Option<Arc<Account>> {
        self.accounts.read().unwrap_or_else(PoisonError::into_inner).list.first().cloned()
    }
}
