//! The reqwest clients of a transport.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Id;

use super::proxies::Proxies;
use super::tls::Tls;
use crate::client::connection_settings::ConnectionSettings;
use crate::config::Config;
use crate::error::{Error, Reason};

/// A reqwest client for each tokio runtime and pool. A connection makes progress only while the runtime in which it was made runs.
pub(crate) struct Clients {
    settings: Settings,
    /// The oldest first.
    clients: Mutex<Vec<PooledClient>>,
}

struct PooledClient {
    /// A client that has no runtime yet is given to the next new runtime.
    runtime: Option<Id>,
    pool: Pool,
    client: reqwest::Client,
}

/// The pool of connections of a request. The responses to `otp.send`, `otp.verify` and `otp.cancel` have the same form (A2). If a proxy
/// delivers the response to a send twice, the second one must not be taken for the response to a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pool {
    /// For most operations.
    Ordinary,
    /// For `otp.verify` and `otp.cancel`, whose successes differ by their message.
    Verification,
}

struct Settings {
    idle: usize,
    user_agent: String,
    proxies: Proxies,
    tls: Tls,
    connect_timeout: Duration,
}

/// Shorter than the keep-alive times of common servers: if the server closes the connection of a request, the outcome is
/// unknown.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);
/// The maximum number of clients that keep their connections.
const MAX_CLIENTS: usize = 256;

impl Clients {
    pub(crate) fn new(
        config: &Config,
        connections: &ConnectionSettings,
        proxies: Proxies,
        idle: usize,
        connect_timeout: Duration,
    ) -> Result<Self, Error> {
        let settings = Settings {
            idle,
            user_agent: connections.user_agent.clone(),
            tls: Tls::new(
                connections.caller_tls.as_ref(),
                config.ca_bundle.as_deref(),
                connections.tls || proxies.tls,
            )?,
            proxies,
            connect_timeout,
        };
        let first = settings.build().map_err(|_| Error::config("the HTTP client could not be built"))?;
        let first = PooledClient { runtime: None, pool: Pool::Ordinary, client: first };
        Ok(Self { settings, clients: Mutex::new(vec![first]) })
    }

    /// The client of a runtime and a pool.
    pub(crate) fn of(&self, runtime: Id, pool: Pool) -> Result<reqwest::Client, Reason> {
        if let Some(client) = find(&mut self.lock(), runtime, pool) {
            return Ok(client);
        }
        let client = self.settings.build().map_err(|_| Reason::Config)?;
        let mut clients = self.lock();
        if clients.len() >= MAX_CLIENTS {
            clients.remove(0);
        }
        clients.push(PooledClient { runtime: Some(runtime), pool, client: client.clone() });
        Ok(client)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<PooledClient>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn find(clients: &mut [PooledClient], runtime: Id, pool: Pool) -> Option<reqwest::Client> {
    let is_usable =
        |client: &PooledClient| client.pool == pool && client.runtime.is_none_or(|owner| owner == runtime);
    let found = clients.iter_mut().find(|client| is_usable(client))?;
    found.runtime = Some(runtime);
    Some(found.client.clone())
}

impl Settings {
    fn build(&self) -> reqwest::Result<reqwest::Client> {
        let builder = reqwest::Client::builder()
            .connect_timeout(self.connect_timeout)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .pool_max_idle_per_host(self.idle)
            .tcp_nodelay(true)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .user_agent(&self.user_agent)
            // Another crate of the program can enable these features of reqwest, which are then on by default.
            .no_gzip()
            .no_brotli()
            .no_zstd()
            .no_deflate()
            .no_hickory_dns();
        let builder = self.tls.apply(builder);
        let builder = if self.proxies.system { builder } else { builder.no_proxy() };
        self.proxies.list.iter().cloned().fold(builder, reqwest::ClientBuilder::proxy).build()
    }
}
