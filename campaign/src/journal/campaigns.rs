//! Campaigns: creation, state, chunks.

use std::sync::Arc;

use super::campaign_record::{CampaignRecord, State, halt, set_state};
use super::copy_rights::Right;
use super::owners::owners;
use super::stop_reason::StopReason;
use super::store::{Transaction, Value};
use super::{CHUNK_ROWS, Journal, attempts, outages};
use crate::chunk::{ChunkRow, EncodedChunk, decode, decode_kept};
use crate::error::{Error, Result};
use crate::kept::Kept;
use crate::protocol::Token;
use crate::settings::Settings;

/// The properties of a campaign that is to be created.
#[derive(Debug, Clone)]
pub struct NewCampaign<'a> {
    /// Its name, unique in the journal.
    pub name: &'a str,
    /// The operation.
    pub operation: &'a str,
    /// SHA-256 of the source, when it is known before the rows are read.
    pub digest: &'a str,
    /// Its settings.
    pub settings: &'a Settings,
}

/// Rows of a chunk by the decision of the creation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChunkCounts {
    /// Rows that break a rule.
    pub invalid: i64,
    /// Rows with a suppressed recipient.
    pub suppressed: i64,
    /// Duplicates.
    pub duplicate: i64,
    /// Parts of all rows that the creation found ready to send; does not change afterwards.
    pub parts: i64,
}

impl Journal {
    /// Creates a campaign without rows; it cannot run before [`Journal::seal`].
    ///
    /// A campaign of this name whose creation was interrupted is replaced.
    ///
    /// # Errors
    /// [`Error::NameTaken`], or when the journal fails.
    pub fn create(&mut self, new: &NewCampaign<'_>) -> Result<String> {
        let id = Token::random()?.to_hex().chars().take(16).collect::<String>();
        self.write(|transaction| {
            match CampaignRecord::by_name(transaction, new.name) {
                Ok(known) if known.id == id => return Ok(()),
                Ok(known) if known.state == State::Creating => remove(transaction, &known.id)?,
                Ok(_) => return Err(Error::NameTaken),
                Err(Error::NoCampaign) => {}
                Err(error) => return Err(error),
            }
            insert_campaign(transaction, &id, new, State::Creating)
        })?;
        Ok(id)
    }

    /// Adds the next chunk of a campaign that is being created.
    ///
    /// # Errors
    /// [`Error::NameTaken`] when another creation has replaced the campaign, or when the journal fails.
    pub fn append_chunk(
        &mut self,
        id: &str,
        number: u32,
        chunk: &EncodedChunk,
        counts: ChunkCounts,
    ) -> Result<()> {
        self.write(|transaction| insert_chunk(transaction, id, number, chunk, counts))
    }

    /// Ends the creation of a campaign: workers may claim permits. `row_time_zones` are those of the rows that
    /// can be sent; empty if rows have none of their own.
    ///
    /// # Errors
    /// [`Error::NameTaken`] when another creation has replaced the campaign, [`Error::State`] when it was cancelled, or when the journal
    /// fails.
    pub fn seal(&mut self, id: &str, digest: &str, row_time_zones: &[String]) -> Result<()> {
        self.write(|transaction| {
            let sql = "UPDATE campaigns SET state = $1, digest = $2, version = version + 1
                WHERE id = $3 AND state = $4";
            let creating = State::Creating.as_str();
            let active = State::Active.as_str();
            if transaction.execute(sql, &[active.into(), digest.into(), id.into(), creating.into()])? > 0 {
                if !row_time_zones.is_empty() {
                    // Read again, because the settings may have changed since the creation began.
                    let mut settings = CampaignRecord::by_id(transaction, id)?.settings;
                    settings.row_time_zones = row_time_zones.to_vec();
                    store_settings(transaction, id, &settings)?;
                }
                return Ok(());
            }
            // After a commit whose response was lost, the campaign is already sealed.
            match CampaignRecord::by_id(transaction, id) {
                Ok(known) if known.state != State::Cancelled => Ok(()),
                Ok(known) => {
                    let actual = known.state.as_str().to_owned();
                    Err(Error::State { expected: creating, actual })
                }
                Err(Error::NoCampaign) => Err(Error::NameTaken),
                Err(error) => Err(error),
            }
        })
    }

    /// Removes a campaign whose creation failed.
    pub(crate) fn abandon(&mut self, id: &str) -> Result<()> {
        self.write(|transaction| {
            let sql = "SELECT id FROM campaigns WHERE id = $1 AND state = $2";
            let creating = State::Creating.as_str();
            match transaction.query(sql, &[id.into(), creating.into()])?.is_empty() {
                true => Ok(()),
                false => remove(transaction, id),
            }
        })
    }

    /// Removes a campaign that nobody has run yet.
    pub(crate) fn remove_unused(&mut self, id: &str) -> Result<()> {
        self.write(|transaction| {
            let sql = "SELECT id FROM campaigns WHERE id = $1 AND state = $2 AND n_attempts = 0
                AND NOT EXISTS (SELECT 1 FROM owners WHERE campaign = $1)";
            match transaction.query(sql, &[id.into(), State::Active.as_str().into()])?.is_empty() {
                true => Ok(()),
                false => remove(transaction, id),
            }
        })
    }

    /// A campaign by its name.
    ///
    /// # Errors
    /// [`Error::NoCampaign`], or when the journal fails.
    pub fn campaign(&mut self, name: &str) -> Result<CampaignRecord> {
        self.read(|transaction| CampaignRecord::by_name(transaction, name))
    }

    /// All campaigns except those of `send_once`, the oldest first.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn campaigns(&mut self) -> Result<Vec<CampaignRecord>> {
        let mut all = self.read(|transaction| CampaignRecord::all(transaction))?;
        all.retain(|campaign| !campaign.name.starts_with(super::ONCE_PREFIX));
        Ok(all)
    }

    /// Changes the state if it is one of `from`. A campaign that is done stays done. One that becomes active while an outage is open begins
    /// with a probe.
    ///
    /// # Errors
    /// [`Error::State`], [`Error::NotInCopy`] when a copy of the journal has taken the campaign over, or when the journal fails.
    pub fn change_state(
        &mut self,
        name: &str,
        from: &[State],
        expected: &'static str,
        to: State,
    ) -> Result<()> {
        self.change(|transaction, right| {
            let known = CampaignRecord::by_name(transaction, name)?;
            *right = Some(Right::of(&known));
            if known.state == to {
                return Ok(());
            }
            if !from.contains(&known.state) {
                return Err(Error::State { expected, actual: known.state.as_str().to_owned() });
            }
            // A campaign that is done has nothing to pause or cancel, and its state keeps saying so.
            if to != State::Active && end(transaction, &known)?.is_some() {
                return Ok(());
            }
            if to == State::Active && known.has_lost_commits() {
                return Err(Error::LostCommits);
            }
            if to == State::Active && known.outage.is_open() {
                let mut resumed = known.clone();
                resumed.outage.resume(transaction.now_us()?);
                outages::store(transaction, &resumed)?;
            }
            set_state(transaction, &known.id, to, None)
        })
    }

    /// The place of the restored copy that took a campaign over, as far as this machine knows. Writes nothing.
    pub(crate) fn taken_over_by(&self, campaign: &CampaignRecord) -> Option<String> {
        campaign.taken_over_by(&self.locked().place())
    }

    /// Records that the user knows that the journal has lost commits, so that the campaign can be resumed. It stays halted.
    ///
    /// # Errors
    /// [`Error::NoCampaign`], or when the journal fails.
    pub(crate) fn acknowledge_lost_commits(&mut self, name: &str) -> Result<()> {
        self.write(|transaction| {
            let known = CampaignRecord::by_name(transaction, name)?;
            if !known.has_lost_commits() {
                return Ok(());
            }
            set_state(transaction, &known.id, State::Halted, Some(StopReason::LostCommitsAcknowledged))
        })
    }

    /// Changes the settings of a campaign. Claims use them from then on.
    ///
    /// # Errors
    /// [`Error::NoCampaign`], [`Error::State`] when the campaign is cancelled or done, [`Error::NotInCopy`] when a copy of the journal has
    /// taken it over, the error of `change`, or when the journal fails.
    pub fn change_settings(
        &mut self,
        name: &str,
        change: impl Fn(&mut Settings) -> Result<()>,
    ) -> Result<()> {
        self.change(|transaction, right| {
            let mut known = CampaignRecord::by_name(transaction, name)?;
            *right = Some(Right::of(&known));
            if let Some(end) = end(transaction, &known)? {
                let actual = end.to_owned();
                return Err(Error::State { expected: "neither cancelled nor done", actual });
            }
            change(&mut known.settings)?;
            store_settings(transaction, &known.id, &known.settings)
        })
    }

    /// Halts a campaign that is active.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn halt(&mut self, id: &str, reason: StopReason) -> Result<()> {
        self.write(|transaction| {
            let known = CampaignRecord::by_id(transaction, id)?;
            if known.state == State::Active { halt(transaction, id, reason) } else { Ok(()) }
        })
    }

    /// The rows of a chunk.
    ///
    /// # Errors
    /// [`Error::Purged`], or when the chunk is missing or damaged.
    pub fn rows(&mut self, id: &str, chunk: u32) -> Result<Vec<ChunkRow>> {
        let row = self.read(|transaction| {
            let sql = "SELECT digest, body FROM chunks WHERE campaign = $1 AND chunk = $2";
            let rows = transaction.query(sql, &[id.into(), chunk.into()])?;
            rows.into_iter().next().ok_or(Error::Damaged("a chunk is missing"))
        })?;
        decode(row.bytes("body")?.ok_or(Error::Purged)?, row.text("digest")?)
    }

    /// The columns that a campaign keeps, for each row of a chunk; empty if it keeps none.
    ///
    /// # Errors
    /// [`Error::Purged`], or when the chunk is missing or damaged.
    pub(crate) fn kept(&mut self, campaign: &CampaignRecord, chunk: u32) -> Result<Vec<Kept>> {
        if campaign.settings.keep.is_empty() {
            return Ok(Vec::new());
        }
        let row = self.read(|transaction| {
            let sql = "SELECT kept FROM chunks WHERE campaign = $1 AND chunk = $2";
            let rows = transaction.query(sql, &[campaign.id.as_str().into(), chunk.into()])?;
            rows.into_iter().next().ok_or(Error::Damaged("a chunk is missing"))
        })?;
        let names: Vec<Arc<str>> = campaign.settings.keep.iter().map(|name| name.as_str().into()).collect();
        let rows = decode_kept(row.bytes("kept")?.ok_or(Error::Purged)?)?;
        Ok(rows.into_iter().map(|values| Kept::new(&names, values)).collect())
    }

    /// How many chunks a campaign has.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn chunk_count(&mut self, id: &str) -> Result<u32> {
        let rows = self.read(|transaction| {
            transaction.query("SELECT COUNT(*) AS chunks FROM chunks WHERE campaign = $1", &[id.into()])
        })?;
        let count = rows.first().map_or(Ok(0), |row| row.int("chunks"))?;
        u32::try_from(count).map_err(|_| Error::Damaged("too many chunks"))
    }

    /// At most 64 chunks with rows that may be sent, and the last owner that claimed rows of each.
    ///
    /// # Errors
    /// [`Error::MixedTables`] when some tables were restored without the others, or when the journal fails.
    pub fn open_chunks(&mut self, id: &str) -> Result<Vec<(u32, Option<Token>)>> {
        let rows = self.read(|transaction| {
            attempts::compare_all(transaction, id)?;
            let sql = "SELECT chunk, lease FROM chunks WHERE campaign = $1 AND n_pending > 0 ORDER BY chunk LIMIT 64";
            transaction.query(sql, &[id.into()])
        })?;
        rows.iter()
            .map(|row| {
                let chunk =
                    u32::try_from(row.int("chunk")?).map_err(|_| Error::Damaged("a chunk's number"))?;
                Ok((chunk, row.bytes("lease")?.map(|_| row.token("lease")).transpose()?))
            })
            .collect()
    }
}

fn store_settings(transaction: &mut dyn Transaction, id: &str, settings: &Settings) -> Result<()> {
    let settings = serde_json::to_string(settings).map_err(|_| Error::Damaged("settings"))?;
    let sql = "UPDATE campaigns SET settings = $1 WHERE id = $2";
    transaction.execute(sql, &[settings.into(), id.into()])?;
    Ok(())
}

/// The state of a campaign that sends no row any more, unless rows of it are resolved or retried.
fn end(transaction: &mut dyn Transaction, campaign: &CampaignRecord) -> Result<Option<&'static str>> {
    let is_left = campaign.counts.pending > 0
        || owners(transaction, &campaign.id)?.iter().any(|owner| owner.possibly_alive && owner.open > 0);
    Ok(match campaign.state {
        State::Cancelled => Some("cancelled"),
        State::Active if !is_left => Some("done"),
        _ => None,
    })
}

/// The chunk of a row, and the row's index in the chunk. `row` counts from 0.
#[must_use]
pub fn locate(row: u64) -> Option<(u32, u16)> {
    let rows = CHUNK_ROWS as u64;
    Some((u32::try_from(row / rows).ok()?, u16::try_from(row % rows).ok()?))
}

pub(super) fn count(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

fn remove(transaction: &mut dyn Transaction, id: &str) -> Result<()> {
    transaction.execute("DELETE FROM chunks WHERE campaign = $1", &[id.into()])?;
    transaction.execute("DELETE FROM campaigns WHERE id = $1", &[id.into()])?;
    Ok(())
}

pub(super) fn insert_campaign(
    transaction: &mut dyn Transaction,
    id: &str,
    new: &NewCampaign<'_>,
    state: State,
) -> Result<()> {
    let settings = serde_json::to_string(new.settings).map_err(|_| Error::Damaged("settings"))?;
    let now = transaction.now_us()?;
    let sql =
        "INSERT INTO campaigns (id, name, operation, state, reason, version, created_us, digest, settings,
        n_rows, n_invalid, n_suppressed, n_duplicate, n_accepted, n_rejected, n_unknown, n_pending, n_open,
        n_attempts, n_parts, n_evidence, spend, rate_us, backoff_us, backoff_from_us)
        VALUES ($1, $2, $3, $4, NULL, 0, $5, $6, $7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        ON CONFLICT DO NOTHING";
    let parameters: [Value; 7] = [
        id.into(),
        new.name.into(),
        new.operation.into(),
        state.as_str().into(),
        now.into(),
        new.digest.into(),
        settings.into(),
    ];
    transaction.execute(sql, &parameters)?;
    Ok(())
}

/// Stores a chunk and adds its rows to the counters. Does nothing if the chunk is already stored.
pub(super) fn insert_chunk(
    transaction: &mut dyn Transaction,
    id: &str,
    number: u32,
    chunk: &EncodedChunk,
    counts: ChunkCounts,
) -> Result<()> {
    let (rows, ready) = (count(chunk.rows), count(chunk.ready));
    let sql = "INSERT INTO chunks (campaign, chunk, n_rows, n_pending, lease, digest, body, kept)
        VALUES ($1, $2, $3, $4, NULL, $5, $6, $7) ON CONFLICT DO NOTHING";
    let parameters: [Value; 7] = [
        id.into(),
        number.into(),
        rows.into(),
        ready.into(),
        chunk.digest.as_str().into(),
        chunk.body.clone().into(),
        chunk.kept.clone().into(),
    ];
    if transaction.execute(sql, &parameters)? == 0 {
        return Ok(());
    }
    let sql = "UPDATE campaigns SET n_rows = n_rows + $1, n_pending = n_pending + $2, n_invalid = n_invalid + $3,
        n_suppressed = n_suppressed + $4, n_duplicate = n_duplicate + $5, n_parts = n_parts + $6 WHERE id = $7";
    let parameters: [Value; 7] = [
        rows.into(),
        ready.into(),
        counts.invalid.into(),
        counts.suppressed.into(),
        counts.duplicate.into(),
        counts.parts.into(),
        id.into(),
    ];
    // Without the campaign, which another creation has replaced, the chunk is not stored either.
    if transaction.execute(sql, &parameters)? == 0 { Err(Error::NameTaken) } else { Ok(()) }
}
