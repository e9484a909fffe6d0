//! The client: one road for a call.
//!
//! operation -> validate -> prepare -> transport (the only I/O) -> verdict -> parse. Retries, deadlines
//! and tracing live on that road once. One call sends at most one message, and the caller is always
//! told which of the outcomes of [`crate::error::Outcome`] it was.

mod answer;
pub mod blocking;
mod failure;
mod limits;
mod read;
mod reqwest;
mod road;
mod transport;
mod verdict;

use std::sync::Arc;

use crate::config::Config;
use crate::error::Error;
use crate::json::{self, Prepared};
use crate::operation::Operation;
use crate::operations::OperationId;
use crate::wire::Wire;

pub use answer::Answer;
pub use transport::{BoxFuture, Transport, TransportError};

use limits::Limits;

/// Calls the provider. Cheap to clone; every clone shares the pool of connections. `Send` and `Sync`.
#[derive(Clone)]
pub struct Client {
    wire: Arc<Wire>,
    transport: Arc<dyn Transport>,
    limits: Limits,
}

impl Client {
    /// A client over reqwest and rustls.
    ///
    /// # Errors
    /// `invalid` with the reason `config`.
    pub fn new(config: &Config) -> Result<Self, Error> {
        let transport = reqwest::ReqwestTransport::new(config)?;
        Self::with_transport(config, transport)
    }

    /// A client over a transport of your own.
    ///
    /// # Errors
    /// `invalid` with the reason `config`.
    pub fn with_transport(config: &Config, transport: impl Transport + 'static) -> Result<Self, Error> {
        Ok(Self {
            wire: Arc::new(Wire::new(config)?),
            transport: Arc::new(transport),
            limits: Limits::new(config)?,
        })
    }

    /// Addresses, credentials and names of this client.
    #[must_use]
    pub fn wire(&self) -> &Wire {
        &self.wire
    }

    /// Calls an operation.
    ///
    /// # Errors
    /// Every outcome but accepted.
    pub async fn call<O: Operation>(&self, operation: O) -> Result<Answer<O::Output>, Error> {
        let prepared = json::typed(operation, &self.wire)?;
        let passed = road::travel(self, O::SAFETY, prepared).await?;
        match O::parse(&self.wire, &passed.response) {
            Ok(value) => Ok(Answer::new(value, passed)),
            Err(_) => Err(verdict::unreadable(O::ID, O::FAMILY, &passed)),
        }
    }

    /// Calls an operation with its request as JSON; the result is JSON too.
    ///
    /// # Errors
    /// Every outcome but accepted.
    pub async fn call_json(&self, operation: OperationId, request: &str) -> Result<Answer<String>, Error> {
        let meta = operation.meta();
        let prepared: Prepared = operation.prepare_json(request, &self.wire)?;
        let passed = road::travel(self, meta.safety, prepared).await?;
        match operation.parse_json(&self.wire, &passed.response) {
            Ok(value) => Ok(Answer::new(value, passed)),
            Err(_) => Err(verdict::unreadable(meta.id, meta.family, &passed)),
        }
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("limits", &self.limits).finish_non_exhaustive()
    }
}
