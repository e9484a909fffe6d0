//! Keys of single messages: each is a campaign of one row.

use std::collections::BTreeSet;

use super::campaign_record::{CampaignRecord, State};
use super::campaigns::{NewCampaign, insert_campaign, insert_chunk};
use super::counter_changes::Changes;
use super::settle::settle;
use super::settlement::Settlement;
use super::store::{Row, Transaction};
use super::{ChunkCounts, Journal, ONCE_PREFIX};
use crate::chunk::{FrozenChunk, decode};
use crate::error::{Error, Result};
use crate::protocol::Token;
use crate::settings::Settings;

/// Selects the mark of a restored journal whose keys were not forgotten.
const KEYS_LOST: &str = "SELECT value FROM meta WHERE name = 'keys_lost'";

/// A permit that is older is not that of a passcode that was just sent, although its owner ended without an outcome.
const LONGEST_SEND_US: i64 = 3_600_000_000;

impl Journal {
    /// Settles a key whose passcode was found in the provider's records: with `found`, or with `lost` if another message has that
    /// passcode or may get it. Returns whether it was `found`.
    ///
    /// # Errors
    /// When the journal fails.
    pub(crate) fn settle_found(
        &mut self,
        id: &str,
        owner: Token,
        found: &Settlement,
        lost: &Settlement,
    ) -> Result<bool> {
        let times = self.probe_times();
        self.write(|transaction| {
            let message_id = found.message_id.as_deref().unwrap_or_default();
            let is_own = !has_message(transaction, message_id)? && !has_unknown_key_alike(transaction, id)?;
            let settlement = if is_own { found } else { lost };
            let mut campaign = CampaignRecord::by_id(transaction, id)?;
            let mut changes = Changes::default();
            settle(
                transaction,
                &mut campaign,
                owner,
                std::slice::from_ref(settlement),
                &mut changes,
                &times,
            )?;
            changes.apply(transaction, id)?;
            Ok(is_own)
        })
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

/// Whether a passcode of the journal has this id of the provider. Only the outcomes of `otp.send` are read, by their primary key.
fn has_message(transaction: &mut dyn Transaction, message_id: &str) -> Result<bool> {
    // SQLite reads the tables of a `CROSS JOIN` in this order.
    let sql = "SELECT 1 AS found FROM campaigns CROSS JOIN outcomes
        WHERE campaigns.operation = 'otp.send' AND outcomes.campaign = campaigns.id AND outcomes.message_id = $1 LIMIT 1";
    Ok(!transaction.query(sql, &[message_id.into()])?.is_empty())
}

/// Whether another key has sent, or may be sending, a passcode to a recipient of this one, and its outcome is not known: not stored yet, or
/// settled as unknown, so that the record may be its own.
fn has_unknown_key_alike(transaction: &mut dyn Transaction, id: &str) -> Result<bool> {
    let sql = "SELECT digest, body FROM chunks WHERE campaign = $1";
    let own = recipients(&transaction.query(sql, &[id.into()])?)?;
    let sql = "SELECT DISTINCT chunks.digest, chunks.body FROM campaigns
        JOIN chunks ON chunks.campaign = campaigns.id JOIN permits ON permits.campaign = campaigns.id
        WHERE campaigns.operation = 'otp.send' AND campaigns.n_open + campaigns.n_unknown > 0 AND campaigns.id <> $1
            AND substr(campaigns.name, 1, 5) = $2 AND permits.claimed_us > $3";
    let since = transaction.now_us()?.saturating_sub(LONGEST_SEND_US);
    let parameters = [id.into(), ONCE_PREFIX.into(), since.into()];
    let others = recipients(&transaction.query(sql, &parameters)?)?;
    Ok(own.iter().any(|recipient| others.contains(recipient)))
}

/// The recipients of chunks. A purged one has none.
fn recipients(chunks: &[Row]) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for chunk in chunks {
        if let Some(body) = chunk.bytes("body")? {
            found.extend(decode(body, chunk.text("digest")?)?.into_iter().flat_map(|row| row.recipients));
        }
    }
    Ok(found)
}
