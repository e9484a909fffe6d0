//! Keys of single messages: each is a campaign of one row.

use super::campaign_record::{CampaignRecord, State};
use super::campaigns::{NewCampaign, insert_campaign, insert_chunk};
use super::copy_rights::KeysRight;
use super::counter_changes::Changes;
use super::mark_restored::{RestoreSummary, lost_suppressions};
use super::provider::{Provider, compare};
use super::settle::settle;
use super::settlement::Settlement;
use super::store::Transaction;
use super::{ChunkCounts, Journal};
use crate::chunk::{ChunkRow, encode};
use crate::error::{Error, Result};
use crate::protocol::Token;
use crate::settings::Settings;

/// Selects the mark of a restored journal whose keys were not forgotten.
const KEYS_LOST: &str = "SELECT value FROM meta WHERE name = 'keys_lost'";

/// The operation that sends a passcode.
const PASSCODE: &str = "otp.send";

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
            let is_own =
                !has_message(transaction, id, message_id)? && !has_unknown_key_alike(transaction, id)?;
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

    /// The number of keys of `send_once`.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn keys(&mut self) -> Result<u64> {
        self.read(|transaction| {
            let sql = "SELECT COUNT(*) AS keys FROM campaigns WHERE name LIKE $1";
            let found = transaction.query(sql, &[format!("{}%", super::ONCE_PREFIX).into()])?;
            let keys = found.first().map_or(Ok(0), |row| row.int("keys"))?;
            Ok(u64::try_from(keys).unwrap_or_default())
        })
    }

    /// Accepts new keys again in a restored journal, and refuses them in all its copies on this machine. No row changes.
    ///
    /// # Errors
    /// When the journal fails.
    pub(crate) fn forget_keys(&mut self) -> Result<RestoreSummary> {
        let (token, place) = (Token::random()?, self.store().place());
        self.write(|transaction| {
            let right = KeysRight::read(transaction)?;
            let are_lost = !transaction.query(KEYS_LOST, &[])?.is_empty();
            // A journal that accepts new keys already is left as it is.
            if are_lost || right.check(&place).is_err() {
                right.take_over(transaction, token, &place)?;
                transaction.execute("DELETE FROM meta WHERE name = 'keys_lost'", &[])?;
            }
            let lost_suppressions = lost_suppressions(transaction)?;
            Ok(RestoreSummary { accepts_keys: true, lost_suppressions, ..RestoreSummary::default() })
        })
    }

    /// The campaign of a key, created with its only row when the key is new. `name` is [`ONCE_PREFIX`](super::ONCE_PREFIX) and a digest.
    ///
    /// # Errors
    /// [`Error::KeyReused`] when the key was used for another request, [`Error::OtherProvider`] when with another provider;
    /// [`Error::KeysLost`] when the key is new and the journal was restored, [`Error::KeysTakenOver`] when a copy of it accepts the new keys;
    /// or when the journal fails.
    pub(crate) fn open_key(
        &mut self,
        name: &str,
        operation: &str,
        digest: &str,
        has_reference: bool,
        row: &ChunkRow,
        provider: &Provider,
    ) -> Result<CampaignRecord> {
        let chunk = encode(std::slice::from_ref(row))?;
        let id: String = Token::random()?.to_hex().chars().take(16).collect();
        let addresses = provider.addresses.clone();
        let settings =
            Settings { has_reference, keeps_responses: true, provider: addresses, ..Settings::default() };
        let new = NewCampaign { name, operation, digest, settings: &settings };
        let place = self.store().place();
        self.write(|transaction| {
            match CampaignRecord::by_name(transaction, name) {
                Err(Error::NoCampaign) => {}
                Ok(known) if known.digest != digest => return Err(Error::KeyReused),
                known => return compare(transaction, known?, "key", provider),
            }
            if !transaction.query(KEYS_LOST, &[])?.is_empty() {
                return Err(Error::KeysLost { place: place.clone() });
            }
            KeysRight::read(transaction)?.check(&place)?;
            insert_campaign(transaction, &id, &new, State::Active)?;
            insert_chunk(transaction, &id, 0, &chunk, ChunkCounts::default())?;
            // It is what `settle_found` compares.
            if let Some(recipient) = row.recipients.first().filter(|_| operation == PASSCODE) {
                let sql = "UPDATE chunks SET recipient = $1 WHERE campaign = $2";
                transaction.execute(sql, &[recipient.as_str().into(), id.as_str().into()])?;
            }
            // Another caller may have been first.
            let known = CampaignRecord::by_name(transaction, name)?;
            if known.digest == digest { Ok(known) } else { Err(Error::KeyReused) }
        })
    }
}

/// Selects another passcode with an id of the provider. All of these ids begin with `OTP`, so an index has them.
const OF_MESSAGE: &str =
    "SELECT campaigns.id FROM outcomes JOIN campaigns ON campaigns.id = outcomes.campaign
    WHERE substr(outcomes.message_id, 1, 3) = 'OTP' AND outcomes.message_id = $1
        AND campaigns.operation = $2 AND campaigns.id <> $3 LIMIT 1";

/// Selects another key with the same recipient, and without a known outcome: not stored yet, or settled as unknown.
const UNKNOWN_ALIKE: &str = "SELECT campaigns.id FROM chunks AS own
    JOIN chunks ON own.campaign = $1 AND chunks.recipient = own.recipient AND chunks.campaign <> own.campaign
    JOIN campaigns ON campaigns.id = chunks.campaign AND campaigns.n_open + campaigns.n_unknown > 0
    JOIN permits ON permits.campaign = campaigns.id AND permits.claimed_us > $2 LIMIT 1";

/// Whether another passcode of the journal has this id of the provider.
fn has_message(transaction: &mut dyn Transaction, id: &str, message_id: &str) -> Result<bool> {
    Ok(!transaction.query(OF_MESSAGE, &[message_id.into(), PASSCODE.into(), id.into()])?.is_empty())
}

/// Whether another key has sent, or may be sending, a passcode to the recipient of this one, so that the record may be its own.
fn has_unknown_key_alike(transaction: &mut dyn Transaction, id: &str) -> Result<bool> {
    let since = transaction.now_us()?.saturating_sub(LONGEST_SEND_US);
    Ok(!transaction.query(UNKNOWN_ALIKE, &[id.into(), since.into()])?.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::store::Value;
    use crate::journal::{ChunkView, Claim, Claimed, OpenOptions, SqliteStore};
    use crate::protocol::{CreationDecision, Health, RowOutcome};

    fn journal(folder: &tempfile::TempDir) -> Journal {
        let store = SqliteStore::open(&folder.path().join("campaign.db"), OpenOptions::default()).unwrap();
        Journal::new(Box::new(store)).unwrap()
    }

    /// A key whose only row is claimed, and its owner.
    fn claimed(journal: &mut Journal, name: &str, recipient: &str) -> (String, Token) {
        let row =
            ChunkRow { base: CreationDecision::Ready, ..ChunkRow::invalid("", vec![recipient.to_owned()]) };
        let provider = Provider { addresses: Vec::new(), replaces_any: false };
        let id = journal.open_key(name, PASSCODE, "digest", false, &row, &provider).unwrap().id;
        let owner = journal.register_owner(&id).unwrap();
        let (history, version) = journal.history(&id, 0).unwrap();
        let mut view = ChunkView::of_ready_rows(0, 1, history, version);
        let token = Token::random().unwrap();
        let claim = Claim { owner, token, limit: 1, requested: &|_| true, may_halt: true, provider: &[] };
        let exchange = journal.exchange(&id, owner, &[], 0, Some((&claim, &mut view))).unwrap();
        assert!(matches!(exchange.claimed, Some(Claimed::Won { .. })));
        (id, owner)
    }

    fn settlement(outcome: RowOutcome, message_id: Option<&str>) -> Settlement {
        Settlement {
            chunk: 0,
            sequence: 0,
            row: 0,
            outcome,
            reason: None,
            message_id: message_id.map(str::to_owned),
            detail: None,
            price: 0,
            health: Health::Neutral,
        }
    }

    #[test]
    fn a_passcode_is_found_once_also_if_its_transaction_runs_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = journal(&folder);
        let found = settlement(RowOutcome::Accepted, Some("OTP1"));
        let lost = settlement(RowOutcome::Unknown, None);
        let (first, owner) = claimed(&mut journal, "once:1", "306900000001");
        for _ in 0..2 {
            assert!(journal.settle_found(&first, owner, &found, &lost).unwrap());
        }
        let (other, owner) = claimed(&mut journal, "once:2", "306900000001");
        assert!(!journal.settle_found(&other, owner, &found, &lost).unwrap(), "the first key has the id");
        let (third, owner) = claimed(&mut journal, "once:3", "306900000001");
        let found = settlement(RowOutcome::Accepted, Some("OTP2"));
        assert!(!journal.settle_found(&third, owner, &found, &lost).unwrap(), "it may be of the second key");
        let (fourth, owner) = claimed(&mut journal, "once:4", "306900000002");
        assert!(journal.settle_found(&fourth, owner, &found, &lost).unwrap());
        journal.release_owner(owner).unwrap();
        journal.purge("once:4").unwrap();
        let sql = "SELECT chunk FROM chunks WHERE recipient = '306900000002'";
        assert_eq!(journal.read(|transaction| transaction.query(sql, &[])).unwrap(), []);
    }

    #[test]
    fn the_keys_of_a_recipient_and_of_an_id_are_found_by_indexes() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = journal(&folder);
        let mut plan = |sql: &str, values: &[Value]| {
            let sql = format!("EXPLAIN QUERY PLAN {sql}");
            let rows = journal.read(|transaction| transaction.query(&sql, values)).unwrap();
            rows.iter().map(|row| row.text("detail").unwrap().to_owned()).collect::<Vec<_>>().join("; ")
        };
        let of_message = plan(OF_MESSAGE, &["".into(), "".into(), "".into()]);
        assert!(of_message.contains("outcomes_passcode") && !of_message.contains("SCAN"), "{of_message}");
        let alike = plan(UNKNOWN_ALIKE, &["".into(), 0_i64.into()]);
        assert!(alike.contains("chunks_recipient") && !alike.contains("SCAN"), "{alike}");
    }
}
