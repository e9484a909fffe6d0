//! Suppression after the creation of a campaign, and purging.

use super::Journal;
use super::campaign_record::{CampaignRecord, State};
use crate::error::{Error, Result};

impl Journal {
    /// Suppresses recipients from now on. Running workers read it with their next exchange.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn suppress(&mut self, id: &str, recipients: &[String]) -> Result<()> {
        self.write(|transaction| {
            for recipient in recipients {
                let sql =
                    "INSERT INTO suppressions (campaign, recipient) VALUES ($1, $2) ON CONFLICT DO NOTHING";
                transaction.execute(sql, &[id.into(), recipient.as_str().into()])?;
            }
            transaction.execute("UPDATE campaigns SET version = version + 1 WHERE id = $1", &[id.into()])?;
            Ok(())
        })
    }

    /// The recipients that were suppressed after creation.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn suppressed(&mut self, id: &str) -> Result<Vec<String>> {
        let rows = self.read(|transaction| {
            transaction.query("SELECT recipient FROM suppressions WHERE campaign = $1", &[id.into()])
        })?;
        rows.iter().map(|row| Ok(row.text("recipient")?.to_owned())).collect()
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
            transaction
                .execute("UPDATE chunks SET body = NULL, kept = NULL WHERE campaign = $1", &[id.into()])?;
            let sql = "UPDATE outcomes SET message_id = NULL, detail = NULL WHERE campaign = $1";
            transaction.execute(sql, &[id.into()])?;
            transaction.execute("DELETE FROM suppressions WHERE campaign = $1", &[id.into()])?;
            Ok(())
        })?;
        self.store().erase_deleted()
    }
}
