//! A build without TLS: only addresses that begin with `http://` can be called.

use std::error::Error as StdError;

use crate::client::connection_settings::CallerConfig;
use crate::error::Error;

pub(crate) struct Tls;

impl Tls {
    pub(crate) fn new(
        _caller: Option<&CallerConfig>,
        ca_bundle: Option<&str>,
        needed: bool,
    ) -> Result<Self, Error> {
        let setting = match (ca_bundle, needed) {
            (Some(_), _) => "`ca_bundle` is set",
            (None, true) => "an address or the proxy begins with https://",
            (None, false) => return Ok(Self),
        };
        Err(Error::config(format!(
            "{setting}, but this build has no TLS: enable the feature `rustls-aws-lc` or `rustls-ring` of `cpaas`"
        )))
    }

    pub(crate) fn apply(&self, builder: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
        builder
    }
}

pub(crate) const fn is_error(_source: &(dyn StdError + 'static)) -> bool {
    false
}

pub(crate) const fn certificate_error(_source: &(dyn StdError + 'static)) -> Option<&'static str> {
    None
}

pub(crate) const fn is_not_tls(_source: &(dyn StdError + 'static)) -> bool {
    false
}
