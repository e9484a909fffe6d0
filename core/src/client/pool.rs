use crate::config::Config;
use crate::error::Error;
use crate::secret::Secret;
use crate::wire::Wire;

/// The settings that connections are made with.
#[derive(Debug, Clone)]
pub(crate) struct Pool {
    pub(crate) tls: bool,
    proxy: Option<Secret>,
    ca_bundle: Option<String>,
    connect_timeout: Option<f64>,
}

impl Pool {
    pub(crate) fn new(config: &Config) -> Result<Self, Error> {
        Ok(Self {
            tls: Wire::new(config)?.needs_tls(),
            proxy: config.proxy.clone(),
            ca_bundle: config.ca_bundle.clone(),
            connect_timeout: config.connect_timeout,
        })
    }

    /// Whether these connections do for a client that wants those.
    pub(crate) fn fits(&self, wanted: &Self) -> bool {
        (self.tls || !wanted.tls)
            && (&self.proxy, &self.ca_bundle, self.connect_timeout)
                == (&wanted.proxy, &wanted.ca_bundle, wanted.connect_timeout)
    }
}
