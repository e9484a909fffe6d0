//! Notices that the suppression store of the client was set back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cpaas::Client;
use cpaas::suppression::{StoreChange, SuppressionStore};
use tokio::runtime::Handle;

use crate::error::{Error, Result};
use crate::journal::Journal;
use crate::suppression::store_name;

/// The store is read at this interval.
const INTERVAL: Duration = Duration::from_millis(900);

/// A suppression store, and its last change that the journal remembers.
pub(super) struct StoreWatch {
    store: Arc<dyn SuppressionStore>,
    runtime: Handle,
    known: StoreChange,
    checked: Instant,
}

impl StoreWatch {
    /// Compares the store of a client with what runs have read, and remembers its last change. `None` without a store, or for one that
    /// does not count its changes. Blocks; the runtime must run meanwhile.
    ///
    /// # Errors
    /// [`Error::OlderSuppressionStore`], [`Error::OtherSuppressionStore`], or when the store or the journal fails.
    pub(super) fn begin(client: &Client, journal: &mut Journal, campaign: &str) -> Result<Option<Self>> {
        let Some(store) = client.suppression_store().cloned() else { return Ok(None) };
        let runtime = Handle::current();
        let place = store.place();
        let failed = |_| Error::Source(format!("{} failed, so nothing was sent", store_name(place)));
        journal.remember_place(campaign, place)?;
        let Some(last) = runtime.block_on(store.last_change()).map_err(failed)? else { return Ok(None) };
        let known = journal.known_change(campaign, &last.store)?.unwrap_or_else(|| last.clone());
        if !runtime.block_on(store.has_change(&known)).map_err(failed)? {
            return Err(older(journal, &known, &last));
        }
        journal.remember_change(campaign, &last)?;
        Ok(Some(Self { store, runtime, known: last, checked: Instant::now() }))
    }

    /// Compares the store again, at most about once a second, or at once if the run ends. A store that fails is not older: no row passes
    /// it.
    ///
    /// # Errors
    /// [`Error::OlderSuppressionStore`], or when the journal fails.
    pub(super) fn check(&mut self, journal: &mut Journal, campaign: &str, is_last: bool) -> Result<()> {
        if !is_last && self.checked.elapsed() < INTERVAL {
            return Ok(());
        }
        self.checked = Instant::now();
        let Ok(Some(last)) = self.runtime.block_on(self.store.last_change()) else { return Ok(()) };
        // The machine may remember a change that this run has not read.
        match self.runtime.block_on(self.store.has_change(&self.known)) {
            Ok(false) => return Err(older(journal, &self.known, &last)),
            Ok(true) => {}
            Err(_) => return Ok(()),
        }
        if last != self.known {
            journal.remember_change(campaign, &last)?;
            self.known = last;
        }
        Ok(())
    }
}

fn older(journal: &Journal, known: &StoreChange, last: &StoreChange) -> Error {
    let place = journal.place().into_boxed_str();
    Error::OlderSuppressionStore { known: known.number, found: last.number, place }
}
