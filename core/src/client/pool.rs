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
        let wire = Wire::new(config)?;
        if wire.addresses().any(|address| !authority(address).is_ascii()) {
            return Err(Error::config(
                "the host of an address is written in ASCII: other letters as Punycode (xn--…)",
            ));
        }
        Ok(Self {
            tls: wire.needs_tls(),
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

fn authority(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}
