use super::limits::count;
use crate::config::Config;
use crate::error::Error;
use crate::secret::Secret;
use crate::wire::RequestContext;

/// The settings that connections are made with.
#[derive(Debug, Clone)]
pub(crate) struct Pool {
    pub(crate) tls: bool,
    /// Scheme and authority of each address, once.
    pub(crate) origins: Vec<String>,
    pub(crate) connections: usize,
    pub(crate) response: usize,
    pub(crate) user_agent: String,
    /// The language that calls, for `User-Agent`.
    pub(crate) language: &'static str,
    proxy: Option<Secret>,
    ca_bundle: Option<String>,
    connect_timeout: Option<f64>,
}

impl Pool {
    pub(crate) fn new(config: &Config, language: &'static str) -> Result<Self, Error> {
        let wire = RequestContext::new(config)?;
        let mut origins: Vec<String> = wire.addresses().map(origin).collect();
        origins.sort_unstable();
        origins.dedup();
        Ok(Self {
            tls: wire.needs_tls(),
            origins,
            connections: count("max_connections", config.max_connections, 128)?,
            response: count("max_response_bytes", config.max_response_bytes, 8 << 20)?,
            user_agent: user_agent(language, config.user_agent.as_deref())?,
            language,
            proxy: config.proxy.clone(),
            ca_bundle: config.ca_bundle.clone(),
            connect_timeout: config.connect_timeout,
        })
    }

    /// Whether these connections do for a client that wants those.
    pub(crate) fn fits(&self, wanted: &Self) -> bool {
        let rest = |pool: &Self| (pool.connections, pool.response, pool.connect_timeout);
        (self.tls || !wanted.tls)
            && wanted.origins.iter().all(|origin| self.origins.contains(origin))
            && rest(self) == rest(wanted)
            && (&self.proxy, &self.ca_bundle, &self.user_agent)
                == (&wanted.proxy, &wanted.ca_bundle, &wanted.user_agent)
    }
}

fn origin(address: &str) -> String {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    format!("{scheme}://{authority}").to_ascii_lowercase()
}

fn user_agent(language: &str, more: Option<&str>) -> Result<String, Error> {
    let own = format!("cpaas/{} ({language})", env!("CARGO_PKG_VERSION"));
    match more.map(str::trim).filter(|more| !more.is_empty()) {
        None => Ok(own),
        Some(more) if more.bytes().all(|byte| matches!(byte, b' '..=b'~')) => Ok(format!("{own} {more}")),
        Some(_) => Err(Error::config("`user_agent` is printable ASCII")),
    }
}
