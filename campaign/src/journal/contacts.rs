//! The recipients that campaigns of a journal sent messages to.

use std::time::Duration;

use super::store::Value;
use super::{CampaignRecord, Journal, ONCE_PREFIX, State};
use crate::chunk::{ChunkRow, decode};
use crate::error::{Error, Result};
use crate::frequency_cap::Contacts;
use crate::protocol::{CreationDecision, History, RowOutcome, RowState};

use super::load_history::history;

impl Journal {
    /// The number of messages to each recipient within a time, over all campaigns of the journal: rows that were accepted or may have
    /// been sent (`accepted`, `unknown` and `in_flight`) and whose last permit was claimed within the time. Rows that are pending and
    /// keys of `send_once` do not count, and campaigns that were purged count nothing.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn contacts(&mut self, within: Duration) -> Result<Contacts> {
        let within_us = i64::try_from(within.as_micros()).unwrap_or(i64::MAX);
        let (since_us, campaigns) = self.read(|transaction| {
            let since_us = transaction.now_us()?.saturating_sub(within_us);
            Ok((since_us, CampaignRecord::all(transaction)?))
        })?;
        let mut contacts = Contacts::default();
        for campaign in campaigns.iter().filter(|campaign| !campaign.name.starts_with(ONCE_PREFIX)) {
            for chunk in self.chunks_claimed_since(&campaign.id, since_us)? {
                self.add_contacts(&campaign.id, chunk, since_us, &mut contacts)?;
            }
        }
        Ok(contacts)
    }

    /// Adds the recipients of rows that are pending in campaigns of the journal which are not cancelled, for a warning.
    ///
    /// # Errors
    /// When the journal fails.
    pub(crate) fn add_pending_contacts(&mut self, contacts: &mut Contacts) -> Result<()> {
        let campaigns = self.read(CampaignRecord::all)?;
        let may_send = |state| matches!(state, State::Active | State::Paused | State::Halted);
        for campaign in campaigns.iter().filter(|one| may_send(one.state) && one.counts.pending > 0) {
            if campaign.name.starts_with(ONCE_PREFIX) {
                continue;
            }
            let sql = "SELECT chunk FROM chunks WHERE campaign = $1 AND n_pending > 0 ORDER BY chunk";
            let chunks = self.read(|transaction| transaction.query(sql, &[campaign.id.as_str().into()]))?;
            for chunk in chunks {
                let number = u32::try_from(chunk.int("chunk")?);
                let number = number.map_err(|_| Error::Damaged("a chunk's number"))?;
                self.with_states(&campaign.id, number, |_, row, state, _| {
                    if matches!(state, RowState::Ready | RowState::NotSent) {
                        row.recipients.iter().for_each(|recipient| contacts.add_pending(recipient));
                    }
                })?;
            }
        }
        Ok(())
    }

    fn chunks_claimed_since(&mut self, id: &str, since_us: i64) -> Result<Vec<u32>> {
        let sql =
            "SELECT DISTINCT chunk FROM permits WHERE campaign = $1 AND claimed_us >= $2 ORDER BY chunk";
        let parameters: [Value; 2] = [id.into(), since_us.into()];
        let rows = self.read(|transaction| transaction.query(sql, &parameters))?;
        let number = |row: i64| u32::try_from(row).map_err(|_| Error::Damaged("a chunk's number"));
        rows.iter().map(|row| number(row.int("chunk")?)).collect()
    }

    fn add_contacts(&mut self, id: &str, chunk: u32, since_us: i64, contacts: &mut Contacts) -> Result<()> {
        self.with_states(id, chunk, |index, row, state, history| {
            let may_be_sent = matches!(
                state,
                RowState::Open { .. } | RowState::Settled(RowOutcome::Accepted | RowOutcome::Unknown)
            );
            if may_be_sent && history.last_permit(index).is_some_and(|permit| permit.claimed_us >= since_us) {
                row.recipients.iter().for_each(|recipient| contacts.add(recipient));
            }
        })
    }

    /// Calls a function with the rows of a chunk and their states; not for one that was purged, or removed meanwhile.
    fn with_states(
        &mut self,
        id: &str,
        chunk: u32,
        mut visit: impl FnMut(u16, &ChunkRow, RowState, &History),
    ) -> Result<()> {
        let sql = "SELECT digest, body FROM chunks WHERE campaign = $1 AND chunk = $2";
        let (found, history) = self.read(|transaction| {
            Ok((transaction.query(sql, &[id.into(), chunk.into()])?, history(transaction, id, chunk)?))
        })?;
        let Some(stored) = found.first() else { return Ok(()) };
        let Some(body) = stored.bytes("body")? else { return Ok(()) };
        let rows = decode(body, stored.text("digest")?)?;
        let bases: Vec<CreationDecision> = rows.iter().map(|row| row.base).collect();
        for ((index, row), state) in (0..=u16::MAX).zip(&rows).zip(history.states(&bases)) {
            visit(index, row, state, &history);
        }
        Ok(())
    }
}
