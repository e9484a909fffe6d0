//! A receiver that responds to every request in the same way, plain or over TLS.

use rustls::ServerConfig;
use serde_json::Value;

use crate::scripted_receiver::{Received, Receiver, Scripted};

pub(crate) struct Target {
    pub(crate) url: String,
    receiver: Receiver,
}

impl Target {
    /// Responds with 200 to every request.
    pub(crate) fn new() -> Self {
        Self::over(Receiver::new())
    }

    /// Responds as given to the first 20 requests.
    pub(crate) fn responding(response: Scripted) -> Self {
        Self::over(Receiver::scripted(vec![response; 20]))
    }

    /// Responds with 200 over TLS, with the certificate of this configuration.
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

    /// Deletes the received requests.
    pub(crate) fn forget(&self) {
        self.receiver.take();
    }
}
