//! The changes of suppression stores that runs have read, as rows of `meta`: one for each store with its last change, and one for each
//! campaign with its store. A store without these changes is older, and has forgotten people who asked to stop.

use cpaas::suppression::StoreChange;

use super::Journal;
use super::store::{Row, Transaction};
use crate::error::{Error, Result};

/// The beginning of the name of the row of a store.
const STORE: &str = "suppression_store ";

/// The beginning of the name of the row of a campaign.
const CAMPAIGN: &str = "suppression_store_of ";

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

    /// Accepts the suppression stores that the next runs consult, although they may lack changes that earlier runs have read: a store that
    /// was restored from a backup, or another one. People who opted out meanwhile get messages again until they are added again. A
    /// [`SqlSuppressionStore`](crate::SqlSuppressionStore) needs `mark_restored` too. Returns the number of changes that are forgotten.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn accept_suppression_store(&mut self) -> Result<u64> {
        let changes = self.suppression_changes()?;
        self.write(|transaction| {
            let sql = "DELETE FROM meta WHERE name LIKE $1 OR name LIKE $2";
            transaction.execute(sql, &[format!("{STORE}%").into(), format!("{CAMPAIGN}%").into()])
        })?;
        Ok(changes)
    }

    /// The number of changes of suppression stores that runs of this journal have read.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn suppression_changes(&mut self) -> Result<u64> {
        self.read(|transaction| {
            let sql = "SELECT name, value FROM meta WHERE name LIKE $1";
            let rows = transaction.query(sql, &[format!("{STORE}%").into()])?;
            rows.iter().map(|row| store(row).map(|change| change.number)).sum()
        })
    }
}
