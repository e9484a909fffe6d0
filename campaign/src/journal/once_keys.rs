//! Keys of single messages: each is a campaign of one row.

use super::campaign_record::{CampaignRecord, State};
use super::campaigns::{NewCampaign, insert_campaign, insert_chunk};
use super::{ChunkCounts, Journal};
use crate::chunk::FrozenChunk;
use crate::error::{Error, Result};
use crate::protocol::Token;
use crate::settings::Settings;

/// Selects the mark of a restored journal whose keys were not forgotten.
const KEYS_LOST: &str = "SELECT value FROM meta WHERE name = 'keys_lost'";

impl Journal {
    /// Whether a message of the journal has this id of the provider.
    ///
    /// # Errors
    /// When the journal fails.
    pub(crate) fn has_message(&mut self, id: &str) -> Result<bool> {
        let sql = "SELECT 1 AS found FROM outcomes WHERE message_id = $1 LIMIT 1";
        self.read(|transaction| Ok(!transaction.query(sql, &[id.into()])?.is_empty()))
    }

    /// The campaign of a key, created with its only row when the key is new. `name` is [`ONCE_PREFIX`](super::ONCE_PREFIX) and a digest.
    ///
    /// # Errors
    /// [`Error::KeyReused`] when the key was used for another request; [`Error::KeysLost`] when the key is new and the journal was
    /// restored; or when the journal fails.
    pub(crate) fn open_key(
        &mut self,
        name: &str,
        operation: &str,
        digest: &str,
        has_reference: bool,
        chunk: &FrozenChunk,
    ) -> Result<CampaignRecord> {
        let id: String = Token::random()?.to_hex().chars().take(16).collect();
        let settings = Settings { has_reference, keeps_responses: true, ..Settings::default() };
        let new = NewCampaign { name, operation, digest, settings: &settings };
        self.write(|transaction| {
            match CampaignRecord::by_name(transaction, name) {
                Err(Error::NoCampaign) => {}
                Ok(known) if known.digest != digest => return Err(Error::KeyReused),
                known => return known,
            }
            if !transaction.query(KEYS_LOST, &[])?.is_empty() {
                return Err(Error::KeysLost);
            }
            insert_campaign(transaction, &id, &new, State::Active)?;
            insert_chunk(transaction, &id, 0, chunk, ChunkCounts::default())?;
            // Another caller may have been first.
            let known = CampaignRecord::by_name(transaction, name)?;
            if known.digest == digest { Ok(known) } else { Err(Error::KeyReused) }
        })
    }
}
