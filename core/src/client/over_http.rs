//! Clients over reqwest and tokio.

use std::sync::Arc;

use super::Client;
use super::call_environment::CallEnvironment;
use super::connection_settings::{ConnectionSettings, Connections, changed_setting};
use super::reqwest::HttpTransport;
use super::tokio_clock::TokioClock;
use super::transport::Transport;
use crate::config::Config;
use crate::error::Error;

impl Client {
    /// A client that uses reqwest: HTTP/1.1, and TLS by the features of this build.
    ///
    /// Calls need a tokio runtime with timers and sockets; without one their outcome is `not_sent` with the reason `runtime`.
    ///
    /// # Errors
    /// `invalid` with the reason `config`: a member has an invalid value, or the environment names an unusable proxy.
    pub fn new(config: &Config) -> Result<Self, Error> {
        Self::for_binding(config, "rust")
    }

    /// Like [`Client::new`], for a binding: `language` becomes part of the `User-Agent` header.
    ///
    /// # Errors
    /// `invalid` with the reason `config`.
    #[doc(hidden)]
    pub fn for_binding(config: &Config, language: &'static str) -> Result<Self, Error> {
        Self::over_http(config, ConnectionSettings::new(config, language)?)
    }

    /// Like [`Client::new`], with a TLS configuration of the program: its provider, trust roots and client certificates. The
    /// protocols of ALPN are replaced by those of this build.
    ///
    /// # Errors
    /// As for [`Client::new`]; also if `ca_bundle` is set, because the configuration already contains the trust roots.
    #[cfg(feature = "rustls-no-provider")]
    pub fn with_rustls_config(config: &Config, tls: ::rustls::ClientConfig) -> Result<Self, Error> {
        let mut connections = ConnectionSettings::new(config, "rust")?;
        connections.caller_tls = Some(Arc::new(tls));
        Self::over_http(config, connections)
    }

    fn over_http(config: &Config, connections: ConnectionSettings) -> Result<Self, Error> {
        let transport = HttpTransport::with_settings(config, &connections)?;
        let client = Self::with_transport(config, transport)?;
        Ok(Self { connections: Connections::Client(Arc::new(connections)), ..client })
    }

    /// Returns a client with another configuration. It shares the connections, the retry budget and the hooks of this client,
    /// but has separate connections if its `proxy`, `ca_bundle`, `connect_timeout`, `max_connections`, `max_response_bytes` or
    /// `user_agent` differs, or if it calls a server that this client does not call.
    ///
    /// ```
    /// # use cpaas::{Config, client::Client};
    /// let config = Config::default().sms_url("http://127.0.0.1:9").sms_key("one");
    /// let client = Client::new(&config)?;
    /// let other = client.reconfigured(&config.sms_key("two"))?;
    /// # Ok::<(), cpaas::Error>(())
    /// ```
    ///
    /// # Errors
    /// `invalid` with the reason `config`; also if one of the six connection settings differs and the client was made with a transport
    /// of the program, which owns the connections, and for the client that the closure of [`Client::steps`] receives.
    pub fn reconfigured(&self, config: &Config) -> Result<Self, Error> {
        let (mut shared, mut connections) = (Arc::clone(&self.environment.shared), self.connections.clone());
        match &self.connections {
            Connections::Client(current) => {
                let mut needed = ConnectionSettings::new(config, current.language)?;
                needed.caller_tls.clone_from(&current.caller_tls);
                if !current.fits(&needed) {
                    Arc::make_mut(&mut shared).transport =
                        Arc::new(HttpTransport::with_settings(config, &needed)?);
                    connections = Connections::Client(Arc::new(needed));
                }
            }
            Connections::Program(current) => {
                if let Some(name) = changed_setting(current, config) {
                    return Err(Error::config(format!(
                        "`{name}` cannot be changed here: the connections are those of the program's own transport"
                    )));
                }
            }
            Connections::Steps => {
                return Err(Error::config(
                    "a client that runs step by step cannot be reconfigured: reconfigure the client that makes the steps",
                ));
            }
        }
        Ok(Self { environment: CallEnvironment::over(config, shared)?, connections })
    }

    /// A client that uses a custom transport, and the clock of tokio and the operating system.
    ///
    /// # Errors
    /// `invalid` with the reason `config`.
    pub fn with_transport(config: &Config, transport: impl Transport + 'static) -> Result<Self, Error> {
        Self::with_transport_and_clock(config, transport, TokioClock)
    }
}
