//! What a client consults before it sends.

use std::sync::Arc;

use cpaas_core::client::Client;
use cpaas_core::error::Error;
use cpaas_core::guard::{Guard, GuardSettings};
use cpaas_core::suppression::SuppressionStore;

/// The stores of a client.
#[derive(Clone, Default)]
pub(crate) struct ClientStores {
    pub(crate) suppression: Option<Arc<dyn SuppressionStore>>,
    pub(crate) guard: Option<GuardSettings>,
}

impl ClientStores {
    /// A client that consults these stores. A guard counts from zero.
    pub(crate) fn apply(&self, client: Client) -> Result<Client, Error> {
        self.apply_guard(self.apply_suppression(client))
    }

    pub(crate) fn apply_suppression(&self, client: Client) -> Client {
        match &self.suppression {
            Some(store) => client.suppression(Arc::clone(store)),
            None => client.without_suppression(),
        }
    }

    pub(crate) fn apply_guard(&self, client: Client) -> Result<Client, Error> {
        Ok(match &self.guard {
            Some(settings) => client.guard(Guard::new(settings.clone())?),
            None => client.without_guard(),
        })
    }
}
