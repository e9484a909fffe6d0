//! Suppression after the creation of a campaign, and purging.

use super::campaign_record::{CampaignRecord, State};
use super::copy_rights::Right;
use super::{Journal, suppressions};
use crate::error::{Error, Result};

impl Journal {
    /// Suppresses recipients from now on. Running workers read it with their next exchange.
    ///
    /// # Errors
    /// [`Error::NotInCopy`] when a copy of the journal has taken the campaign over, which does not have them, or when the journal fails.
    pub fn suppress(&mut self, id: &str, recipients: &[String]) -> Result<()> {
        self.change(|transaction, right| {
            *right = Some(Right::of(&CampaignRecord::by_id(transaction, id)?));
            suppressions::add(transaction, id, recipients)?;
            transaction.execute("UPDATE campaigns SET version = version + 1 WHERE id = $1", &[id.into()])?;
            Ok(())
        })
    }

    /// The recipients that were suppressed after creation.
    ///
    /// # Errors
    /// [`Error::SuppressionsLost`], or when the journal fails.
    pub fn suppressed(&mut self, id: &str) -> Result<Vec<String>> {
        self.read(|transaction| suppressions::read(transaction, id))
    }

    /// Removes texts, recipients, kept columns, message ids and responses, also from the unused space of a SQLite file and from its
    /// log. Counts, digests, permits and outcomes stay. It may be repeated.
    ///
    /// A Postgres server keeps the old versions of the rows until `VACUUM`, see `docs/campaigns.md`.
    ///
    /// # Errors
    /// [`Error::State`] when rows may still be sent or have no outcome yet, [`Error::NotErased`] when another process reads the
    /// file.
    pub fn purge(&mut self, name: &str) -> Result<()> {
        // Rows that were certainly not sent become pending, and are then not purged.
        let id = self.campaign(name)?.id;
        self.settle_unsent_rows(&id)?;
        self.write(|transaction| {
            let known = CampaignRecord::by_name(transaction, name)?;
            let may_send = known.state != State::Cancelled && known.counts.pending > 0;
            let is_live = super::owners::owners(transaction, &known.id)?
                .iter()
                .any(|owner| owner.possibly_alive && owner.open > 0);
            if may_send || is_live {
                let actual = format!("{} with rows to send", known.state.as_str());
                return Err(Error::State { expected: "done or cancelled", actual });
            }
            let id = known.id.as_str();
            let sql = "UPDATE chunks SET body = NULL, kept = NULL, recipient = NULL WHERE campaign = $1";
            transaction.execute(sql, &[id.into()])?;
            let sql = "UPDATE outcomes SET message_id = NULL, detail = NULL WHERE campaign = $1";
            transaction.execute(sql, &[id.into()])?;
            suppressions::remove(transaction, id)
        })?;
        self.store().erase_deleted()
    }
}
