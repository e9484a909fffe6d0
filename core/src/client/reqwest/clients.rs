//! The reqwest clients of a transport.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Id;

use super::proxies::Proxies;
use super::tls::Tls;
use crate::client::connection_settings::ConnectionSettings;
use crate::config::Config;
use crate::error::{Error, Reason};

/// The reqwest clients of each tokio runtime. A connection makes progress only while the runtime in which it was made runs.
pub(crate) struct Clients {
    settings: Settings,
    /// The oldest first.
    clients: Mutex<Vec<RuntimeClient>>,
}

struct RuntimeClient {
    /// A client that has no runtime yet is given to the next new runtime.
    runtime: Option<Id>,
    connection: Connection,
    client: reqwest::Client,
}

/// The connection of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Connection {
    /// One that has carried another request, if one is idle.
    Kept,
    /// Of its own; see [`crate::http::HttpRequest::needs_own_connection`].
    Own,
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
        let first = settings
            .build(Connection::Kept)
            .map_err(|_| Error::config("the HTTP client could not be built"))?;
        let first = RuntimeClient { runtime: None, connection: Connection::Kept, client: first };
        Ok(Self { settings, clients: Mutex::new(vec![first]) })
    }

    /// The client of a runtime.
    pub(crate) fn of(&self, runtime: Id, connection: Connection) -> Result<reqwest::Client, Reason> {
        if let Some(client) = find(&mut self.lock(), runtime, connection) {
            return Ok(client);
        }
        let client = self.settings.build(connection).map_err(|_| Reason::Config)?;
        let mut clients = self.lock();
        // Another thread may have been first.
        if let Some(client) = find(&mut clients, runtime, connection) {
            return Ok(client);
        }
        if clients.len() >= MAX_CLIENTS {
            clients.remove(0);
        }
        clients.push(RuntimeClient { runtime: Some(runtime), connection, client: client.clone() });
        Ok(client)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<RuntimeClient>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn find(clients: &mut [RuntimeClient], runtime: Id, connection: Connection) -> Option<reqwest::Client> {
    let is_usable = |client: &RuntimeClient| {
        client.connection == connection && client.runtime.is_none_or(|owner| owner == runtime)
    };
    let found = clients.iter_mut().find(|client| is_usable(client))?;
    found.runtime = Some(runtime);
    Some(found.client.clone())
}

impl Settings {
    fn build(&self, connection: Connection) -> reqwest::Result<reqwest::Client> {
        let idle = if connection == Connection::Own { 0 } else { self.idle };
        let builder = reqwest::Client::builder()
            .connect_timeout(self.connect_timeout)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .pool_max_idle_per_host(idle)
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
