//! The client for programs without an async runtime.

use tokio::runtime::{Builder, Handle, Runtime};

use super::{Answer, Client as AsyncClient};
use crate::config::Config;
use crate::error::{Error, Outcome, Reason, Sent};
use crate::operation::Operation;
use crate::operations::OperationId;

/// Calls the provider and waits. `Send` and `Sync`; one worker thread a client.
#[derive(Debug)]
pub struct Client {
    inner: AsyncClient,
    runtime: Runtime,
}

impl Client {
    /// A client over reqwest and rustls.
    ///
    /// # Errors
    /// `invalid` with the reason `config`.
    pub fn new(config: &Config) -> Result<Self, Error> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|_| Error::config("no worker thread can be started"))?;
        Ok(Self { inner: AsyncClient::new(config)?, runtime })
    }

    /// Calls an operation.
    ///
    /// # Errors
    /// Every outcome but accepted; inside an async runtime, `invalid`.
    pub fn call<O: Operation>(&self, operation: O) -> Result<Answer<O::Output>, Error> {
        outside(O::ID)?;
        self.runtime.block_on(self.inner.call(operation))
    }

    /// Calls an operation with its request as JSON.
    ///
    /// # Errors
    /// Every outcome but accepted; inside an async runtime, `invalid`.
    pub fn call_json(&self, operation: OperationId, request: &str) -> Result<Answer<String>, Error> {
        outside(operation.meta().id)?;
        self.runtime.block_on(self.inner.call_json(operation, request))
    }
}

fn outside(operation: &'static str) -> Result<(), Error> {
    if Handle::try_current().is_err() {
        return Ok(());
    }
    let message =
        "nothing was sent: the blocking client was called inside an async runtime; use `cpaas::Client` there";
    Err(Error::new(Outcome::Invalid, Sent::No, Reason::Config, operation, message))
}
