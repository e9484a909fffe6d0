//! The changes of suppression stores that runs have read, as rows of `meta`: one for each store with its last change, and one for each
//! campaign with its store. A store without these changes is older, and has forgotten people who asked to stop.

use cpaas::suppression::StoreChange;

use super::Journal;
use super::owners::owners;
use super::store::{Row, Transaction};
use crate::client_stores::SqlSuppressionStore;
use crate::error::{Error, Result};

/// The beginning of the name of the row of a store.
const STORE: &str = "suppression_store ";

/// The beginning of the name of the row of a campaign.
const CAMPAIGN: &str = "suppression_store_of ";

/// The beginning of the name of the row with the place of a campaign's store.
const PLACE: &str = "suppression_place_of ";

fn store(row: &Row) -> Result<StoreChange> {
    let parts = row.text("value")?.split_once(' ');
    let change = parts.and_then(|(number, token)| Some((number.parse().ok()?, token.to_owned())));
    let (number, token) = change.ok_or(Error::Damaged("the change of a suppression store"))?;
    Ok(StoreChange {
        store: row.text("name")?.strip_prefix(STORE).unwrap_or_default().to_owned(),
        number,
        token,
    })
}

fn value(transaction: &mut dyn Transaction, name: &str) -> Result<Option<Row>> {
    let rows = transaction.query("SELECT name, value FROM meta WHERE name = $1", &[name.into()])?;
    Ok(rows.into_iter().next())
}

fn set(transaction: &mut dyn Transaction, name: &str, value: &str) -> Result<()> {
    let sql = "INSERT INTO meta (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    transaction.execute(sql, &[name.into(), value.into()]).map(|_| ())
}

/// The ids of the campaigns whose runs consulted a store.
fn campaigns_of(transaction: &mut dyn Transaction, store_id: &str) -> Result<Vec<String>> {
    let sql = "SELECT name FROM meta WHERE name LIKE $1 AND value = $2";
    let rows = transaction.query(sql, &[format!("{CAMPAIGN}%").into(), store_id.into()])?;
    rows.iter()
        .map(|row| Ok(row.text("name")?.strip_prefix(CAMPAIGN).unwrap_or_default().to_owned()))
        .collect()
}

/// Refuses a command while a worker of a campaign that consults a store may live.
fn refuse_in_use(transaction: &mut dyn Transaction, store_id: &str) -> Result<()> {
    campaigns_of(transaction, store_id)?.iter().try_for_each(|id| refuse_workers(transaction, id))
}

fn refuse_workers(transaction: &mut dyn Transaction, id: &str) -> Result<()> {
    let is_possibly_alive = owners(transaction, id)?.iter().any(|owner| owner.possibly_alive);
    if is_possibly_alive { Err(Error::InUse) } else { Ok(()) }
}

/// What is wrong with a store that is to be accepted.
const NOT_CONSULTED: &str = "the suppression store must be one that runs of this journal consulted, got another one, or an older state of one that was accepted since; to let a campaign consult another store, use `cpaas campaign accept-suppression NAME`";

impl Journal {
    /// The last change of a store that runs of this journal have read, if there is one.
    ///
    /// # Errors
    /// [`Error::OtherSuppressionStore`] when earlier runs of the campaign consulted another store, or when the journal fails.
    pub(crate) fn known_change(&mut self, id: &str, store_id: &str) -> Result<Option<StoreChange>> {
        let place = self.store().place();
        self.read(|transaction| {
            if let Some(row) = value(transaction, &format!("{CAMPAIGN}{id}"))?
                && row.text("value")? != store_id
            {
                return Err(Error::OtherSuppressionStore { place: place.as_str().into() });
            }
            value(transaction, &format!("{STORE}{store_id}"))?.as_ref().map(store).transpose()
        })
    }

    /// Remembers a change of the store that a campaign consults.
    ///
    /// # Errors
    /// When the journal fails.
    pub(crate) fn remember_change(&mut self, id: &str, change: &StoreChange) -> Result<()> {
        self.write(|transaction| {
            let name = format!("{STORE}{}", change.store);
            let known = value(transaction, &name)?.as_ref().map(store).transpose()?;
            // Another run may have read a later one.
            if known.is_none_or(|known| known.number < change.number) {
                set(transaction, &name, &format!("{} {}", change.number, change.token))?;
            }
            set(transaction, &format!("{CAMPAIGN}{id}"), &change.store)
        })
    }

    /// Remembers how messages name the store that a campaign consults.
    ///
    /// # Errors
    /// When the journal fails.
    pub(crate) fn remember_place(&mut self, id: &str, place: Option<&str>) -> Result<()> {
        let name = format!("{PLACE}{id}");
        let known = self.suppression_place(id)?;
        if known.as_deref() == place {
            return Ok(());
        }
        self.write(|transaction| match place {
            Some(place) => set(transaction, &name, place),
            None => {
                transaction.execute("DELETE FROM meta WHERE name = $1", &[name.as_str().into()]).map(|_| ())
            }
        })
    }

    /// How messages name the store that the last run of a campaign consulted.
    ///
    /// # Errors
    /// When the journal fails.
    pub(crate) fn suppression_place(&mut self, id: &str) -> Result<Option<String>> {
        self.read(|transaction| {
            let row = value(transaction, &format!("{PLACE}{id}"))?;
            row.map(|row| row.text("value").map(str::to_owned)).transpose()
        })
    }

    /// As [`Self::accept_suppression_store`], for a store in a database: marks it as restored first, see
    /// [`SqlSuppressionStore::mark_restored`].
    ///
    /// # Errors
    /// As there; then the store is unchanged, unless a worker began meanwhile. When no run of the journal has consulted the store, or it
    /// cannot be written.
    pub fn accept_restored_store(&mut self, store: &SqlSuppressionStore) -> Result<u64> {
        let identity = store.identity()?;
        self.read(|transaction| {
            if campaigns_of(transaction, &identity)?.is_empty() {
                return Err(Error::Setting(NOT_CONSULTED.to_owned()));
            }
            refuse_in_use(transaction, &identity)
        })?;
        let (replaced, accepted) = store.mark_restored()?;
        self.accept_suppression_store(&replaced, &accepted)
    }

    /// Accepts a suppression store that was restored from a backup, although it may lack changes that runs have read: the campaigns that
    /// consulted the store with the identity `replaced` consult the one with the identity `accepted` from now on. People who opted out
    /// meanwhile get messages again until they are added again. [`SqlSuppressionStore::mark_restored`](crate::SqlSuppressionStore::mark_restored)
    /// returns both identities; they may be equal, for a store that keeps its own. No other store is accepted. Returns the number of changes
    /// that runs have read of the store before.
    ///
    /// # Errors
    /// [`Error::InUse`] when a worker of such a campaign may live: it has read the store, and would end. When the journal fails.
    pub fn accept_suppression_store(&mut self, replaced: &str, accepted: &str) -> Result<u64> {
        let changes = self.suppression_changes(replaced)?;
        self.write(|transaction| {
            refuse_in_use(transaction, replaced)?;
            let sql = "UPDATE meta SET value = $1 WHERE name LIKE $2 AND value = $3";
            transaction.execute(sql, &[accepted.into(), format!("{CAMPAIGN}%").into(), replaced.into()])?;
            transaction.execute("DELETE FROM meta WHERE name = $1", &[format!("{STORE}{accepted}").into()])
        })?;
        Ok(changes)
    }

    /// Forgets which suppression store the runs of a campaign have consulted: its next run accepts another one. The changes that runs have
    /// read of each store stay known.
    ///
    /// # Errors
    /// [`Error::InUse`] when a worker of the campaign may live. When there is no such campaign, or the journal fails.
    pub fn forget_suppression_store(&mut self, name: &str) -> Result<()> {
        let id = self.campaign(name)?.id;
        self.write(|transaction| {
            refuse_workers(transaction, &id)?;
            transaction.execute("DELETE FROM meta WHERE name = $1", &[format!("{CAMPAIGN}{id}").into()])
        })?;
        Ok(())
    }

    /// The number of changes that runs of this journal have read of the suppression store with this identity.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn suppression_changes(&mut self, identity: &str) -> Result<u64> {
        self.read(|transaction| {
            let known = value(transaction, &format!("{STORE}{identity}"))?.as_ref().map(store).transpose()?;
            Ok(known.map_or(0, |known| known.number))
        })
    }
}
