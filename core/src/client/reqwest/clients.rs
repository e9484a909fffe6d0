use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Id;

use super::environment::Proxies;
use super::places::Places;
use super::tls;
use crate::client::pool::Pool;
use crate::config::Config;
use crate::error::{Error, Reason};

/// A client of reqwest for each runtime: a connection is driven by the runtime that it was made in, and stands still
/// where that one is not driven.
pub(crate) struct Clients {
    settings: Settings,
    /// The oldest first; the first one waits for its runtime.
    made: Mutex<Vec<(Option<Id>, reqwest::Client)>>,
}

struct Settings {
    idle: usize,
    user_agent: String,
    proxies: Proxies,
    tls: rustls::ClientConfig,
    connect: Duration,
}

/// Below common keep-alives: a connection that the server closed gives a false unknown.
const POOL_IDLE: Duration = Duration::from_secs(4);
/// So many runtimes keep their connections.
const MOST_RUNTIMES: usize = 128;

impl Clients {
    pub(crate) fn new(
        config: &Config,
        pool: &Pool,
        proxies: Proxies,
        places: &Places,
        connect: Duration,
    ) -> Result<Self, Error> {
        let settings = Settings {
            idle: places.idle(),
            user_agent: pool.user_agent.clone(),
            tls: tls::config(config.ca_bundle.as_deref(), pool.tls || proxies.tls)?,
            proxies,
            connect,
        };
        let first = settings.build().map_err(|_| Error::config("the HTTP client cannot be built"))?;
        Ok(Self { settings, made: Mutex::new(vec![(None, first)]) })
    }

    /// The client of a runtime.
    pub(crate) fn of(&self, runtime: Id) -> Result<reqwest::Client, Reason> {
        if let Some(client) = find(&mut self.lock(), runtime) {
            return Ok(client);
        }
        let client = self.settings.build().map_err(|_| Reason::Config)?;
        let mut made = self.lock();
        if made.len() >= MOST_RUNTIMES {
            made.remove(0);
        }
        made.push((Some(runtime), client.clone()));
        Ok(client)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Option<Id>, reqwest::Client)>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn find(made: &mut [(Option<Id>, reqwest::Client)], runtime: Id) -> Option<reqwest::Client> {
    let (owner, client) = made.iter_mut().find(|(owner, _)| owner.is_none_or(|owner| owner == runtime))?;
    *owner = Some(runtime);
    Some(client.clone())
}

impl Settings {
    fn build(&self) -> reqwest::Result<reqwest::Client> {
        let builder = reqwest::Client::builder()
            .connect_timeout(self.connect)
            .pool_idle_timeout(POOL_IDLE)
            .pool_max_idle_per_host(self.idle)
            .tcp_nodelay(true)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .user_agent(&self.user_agent)
            .tls_backend_preconfigured(self.tls.clone());
        let builder = if self.proxies.system { builder } else { builder.no_proxy() };
        self.proxies.list.iter().cloned().fold(builder, reqwest::ClientBuilder::proxy).build()
    }
}
