//! A receiver that responds to every request in the same way, plain or over TLS.

use rustls::ServerConfig;
use serde_json::Value;

use crate::receiver::{Received, Receiver, Scripted};

pub(crate) struct Target {
    pub(crate) url: String,
    receiver: Receiver,
}

impl Target {
    /// Responds with 200 to every request.
    pub(crate) fn new() -> Self {
        Self::over(Receiver::new())
    }

    pub(crate) fn saying(behave: Scripted) -> Self {
        Self::over(Receiver::scripted(vec![behave; 20]))
    }

    /// Over TLS, with this certificate.
    pub(crate) fn over_tls(config: ServerConfig) -> Self {
        Self::over(Receiver::over_tls(config))
    }

    fn over(receiver: Receiver) -> Self {
        Self { url: format!("{}/hook", receiver.url), receiver }
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.receiver.received()
    }

    /// The received bodies, as JSON.
    pub(crate) fn bodies(&self) -> Vec<Value> {
        self.received().iter().map(Received::json).collect()
    }

    pub(crate) fn forget(&self) {
        self.receiver.take();
    }
}
