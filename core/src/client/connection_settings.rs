//! The settings that connections depend on.

use std::sync::Arc;
use std::time::Duration;

use url::Url;

use super::call_options::{count, max_response_bytes};
use crate::config::Config;
use crate::error::Error;
use crate::request::RequestContext;
use crate::secret::Secret;

/// The caller's configuration of rustls, see [`super::Client::with_rustls_config`]; there is none in a build without TLS.
#[cfg(feature = "rustls-no-provider")]
pub(crate) type CallerConfig = Arc<rustls::ClientConfig>;
#[cfg(not(feature = "rustls-no-provider"))]
pub(crate) type CallerConfig = std::convert::Infallible;

/// Who made the connections of a client.
#[derive(Clone)]
pub(crate) enum Connections {
    /// The client, with these settings.
    Client(Arc<ConnectionSettings>),
    /// A transport of the program. The client was made with this configuration.
    Program(Arc<Config>),
    /// The program, which sends the requests of [`super::Client::steps`].
    Steps,
}

/// The first connection setting that differs.
pub(crate) fn changed_setting(one: &Config, other: &Config) -> Option<&'static str> {
    let settings = [
        ("proxy", one.proxy == other.proxy),
        ("ca_bundle", one.ca_bundle == other.ca_bundle),
        ("connect_timeout", one.connect_timeout == other.connect_timeout),
        ("max_connections", one.max_connections == other.max_connections),
        ("max_response_bytes", one.max_response_bytes == other.max_response_bytes),
        ("user_agent", one.user_agent == other.user_agent),
    ];
    settings.into_iter().find(|(_, is_equal)| !is_equal).map(|(name, _)| name)
}

/// The settings of a connection pool. Clients with equal settings can share a pool.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionSettings {
    pub(crate) tls: bool,
    /// The origin of each configured address, without duplicates.
    pub(crate) origins: Vec<String>,
    pub(crate) max_connections: usize,
    pub(crate) max_response_bytes: usize,
    pub(crate) user_agent: String,
    /// The language of the binding, for `User-Agent`.
    pub(crate) language: &'static str,
    pub(crate) caller_tls: Option<CallerConfig>,
    proxy: Option<Secret>,
    ca_bundle: Option<String>,
    connect_timeout: Option<Duration>,
}

impl ConnectionSettings {
    pub(crate) fn new(config: &Config, language: &'static str) -> Result<Self, Error> {
        Self::of(config, language).map_err(|error| config.names_variables(error))
    }

    fn of(config: &Config, language: &'static str) -> Result<Self, Error> {
        let context = RequestContext::new(config)?;
        let mut origins: Vec<String> = context.addresses().map(origin).collect();
        origins.sort_unstable();
        origins.dedup();
        Ok(Self {
            tls: context.needs_tls(),
            origins,
            max_connections: count("max_connections", config.max_connections, 128)?,
            max_response_bytes: max_response_bytes(config)?,
            user_agent: user_agent(language, config.user_agent.as_deref())?,
            language,
            caller_tls: None,
            proxy: config.proxy.clone(),
            ca_bundle: config.ca_bundle.clone(),
            connect_timeout: config.connect_timeout,
        })
    }

    /// Whether connections with these settings can be used by a client that needs `other`.
    pub(crate) fn fits(&self, other: &Self) -> bool {
        let numbers = |settings: &Self| {
            (settings.max_connections, settings.max_response_bytes, settings.connect_timeout)
        };
        (self.tls || !other.tls)
            && other.origins.iter().all(|origin| self.origins.contains(origin))
            && numbers(self) == numbers(other)
            && (&self.proxy, &self.ca_bundle, &self.user_agent)
                == (&other.proxy, &other.ca_bundle, &other.user_agent)
    }
}

/// Scheme, host and port; an address that is not a URL stays as it is.
fn origin(address: &str) -> String {
    Url::parse(address).map_or_else(|_| address.to_owned(), |url| url.origin().ascii_serialization())
}

fn user_agent(language: &str, suffix: Option<&str>) -> Result<String, Error> {
    let own = format!("cpaas/{} ({language})", env!("CARGO_PKG_VERSION"));
    match suffix.map(str::trim).filter(|suffix| !suffix.is_empty()) {
        None => Ok(own),
        Some(suffix) if suffix.bytes().all(|byte| matches!(byte, b' '..=b'~')) => {
            Ok(format!("{own} {suffix}"))
        }
        Some(_) => Err(Error::config("`user_agent` must contain only printable ASCII characters")),
    }
}
