//! Owners: worker processes or threads, and whether they may live.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::attempts;
use super::copy_rights::Right;
use super::progress::Progress;
use super::store::{Transaction, Value};
use super::suppressions;
use super::{CampaignRecord, Journal};
use crate::error::{Error, Result};
use crate::platform::Process;
use crate::protocol::{Resolution, RowOutcome, Token};

/// An owner that cannot be observed counts as ended after this much silence, in microseconds.
const OWNER_SILENCE_US: u64 = 60_000_000;

/// Owners of this process that ended while the journal failed, so that their end is not stored. The next owner of this process
/// stores it.
static ENDED: Mutex<Vec<Token>> = Mutex::new(Vec::new());

fn ended() -> MutexGuard<'static, Vec<Token>> {
    ENDED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A worker: a process or one of its threads.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Owner {
    /// Its token.
    pub id: Token,
    /// Rows under its permits without an outcome.
    pub open: i64,
    /// Whether it may still settle these rows. An owner that this process cannot observe counts as ended after a minute without
    /// a sign of life.
    pub possibly_alive: bool,
    /// Whether it is certain that the owner has ended.
    pub is_certain: bool,
    /// Whether it is certain that the owner runs, because it is on this machine.
    pub is_here: bool,
    /// Whether the journal was restored since. The owner cannot settle its rows any more, even if it lives.
    pub is_restored: bool,
}

/// A campaign and what is known about its workers, at one moment.
pub(crate) struct Moment {
    pub(crate) campaign: CampaignRecord,
    pub(crate) owners: Vec<Owner>,
    pub(crate) progress: Progress,
    /// The moment, in microseconds of the database's clock.
    pub(crate) now_us: i64,
}

/// The owners of a campaign.
pub(super) fn owners(transaction: &mut dyn Transaction, id: &str) -> Result<Vec<Owner>> {
    selected(transaction, "campaign = $1", &[id.into()])
}

/// An owner of any campaign.
pub(super) fn owner(transaction: &mut dyn Transaction, owner: Token) -> Result<Option<Owner>> {
    Ok(selected(transaction, "id = $1", &[owner.into()])?.pop())
}

/// Whether an owner of any campaign runs on this machine. One from before the journal was restored uses another journal, or is refused.
pub(super) fn any_lives_here(transaction: &mut dyn Transaction) -> Result<bool> {
    Ok(not_gone(transaction)?.iter().any(|owner| owner.is_here && !owner.is_restored))
}

/// Whether an owner of any campaign may live, here or elsewhere.
pub(super) fn any_possibly_alive(transaction: &mut dyn Transaction) -> Result<bool> {
    Ok(not_gone(transaction)?.iter().any(|owner| owner.possibly_alive))
}

/// The owners of all campaigns whose end is not stored.
fn not_gone(transaction: &mut dyn Transaction) -> Result<Vec<Owner>> {
    selected(transaction, "is_gone = 0", &[])
}

/// The owners that a condition selects.
fn selected(transaction: &mut dyn Transaction, condition: &str, parameters: &[Value]) -> Result<Vec<Owner>> {
    let me = Process::current();
    let now = transaction.now_us()?;
    let sql =
        format!("SELECT id, process, seen_us, n_open, is_gone, is_restored FROM owners WHERE {condition}");
    let rows = transaction.query(&sql, parameters)?;
    rows.iter()
        .map(|row| {
            let process: Process = serde_json::from_str(row.text("process")?)
                .map_err(|_| Error::Damaged("an owner's process"))?;
            let owner = row.token("id")?;
            let has_ended = row.int("is_gone")? != 0 || ended().contains(&owner);
            let ended = if has_ended { Some(true) } else { process.has_ended(&me) };
            // The absolute difference, so that setting the clock back does not prolong the time.
            let is_silent = now.abs_diff(row.int("seen_us")?) > OWNER_SILENCE_US;
            let is_restored = row.int("is_restored")? != 0;
            Ok(Owner {
                id: owner,
                open: row.int("n_open")?,
                possibly_alive: !is_restored && !ended.unwrap_or(is_silent),
                is_certain: ended == Some(true),
                is_here: ended == Some(false),
                is_restored,
            })
        })
        .collect()
}

/// Compares the permitted rows of a campaign with its outcomes, on one snapshot. Each permitted row has an outcome or a resolution, or is
/// in flight, and each of these has its permit. A row in flight has none of these if a report settled it, or if it was accepted under an
/// earlier permit that was resolved as not sent. Returns the number of the permitted rows.
fn tables_belong_together(transaction: &mut dyn Transaction, id: &str) -> Result<i64> {
    let sql = "SELECT n_attempts, n_open,
        (SELECT COUNT(*) FROM outcomes WHERE campaign = campaigns.id) AS settled,
        (SELECT COUNT(*) FROM resolutions WHERE campaign = campaigns.id AND NOT EXISTS (
            SELECT 1 FROM outcomes WHERE outcomes.campaign = resolutions.campaign
                AND outcomes.chunk = resolutions.chunk AND outcomes.sequence = resolutions.sequence
                AND outcomes.row_index = resolutions.row_index)) AS resolved,
        (SELECT COUNT(*) FROM outcomes WHERE campaign = campaigns.id AND NOT EXISTS (
            SELECT 1 FROM permits WHERE permits.campaign = outcomes.campaign
                AND permits.chunk = outcomes.chunk AND permits.sequence = outcomes.sequence)) AS unfounded,
        (SELECT COUNT(*) FROM (
            SELECT chunk, row_index FROM reports WHERE campaign = $1
            UNION SELECT outcomes.chunk, outcomes.row_index FROM resolutions JOIN outcomes
                ON outcomes.campaign = resolutions.campaign AND outcomes.chunk = resolutions.chunk
                    AND outcomes.sequence = resolutions.sequence AND outcomes.row_index = resolutions.row_index
                WHERE resolutions.campaign = $1 AND resolution = $2 AND outcome = $3) AS settled_rows) AS settled_otherwise
        FROM campaigns WHERE id = $1";
    let (not_sent, accepted) = (Resolution::NotSent.as_str(), RowOutcome::Accepted.as_str());
    let rows = transaction.query(sql, &[id.into(), not_sent.into(), accepted.into()])?;
    let Some(row) = rows.first() else { return Ok(0) };
    let attempts = row.int("n_attempts")?;
    let found = row.int("n_open")? + row.int("settled")? + row.int("resolved")? - row.int("unfounded")?;
    let is_explained = (0..=row.int("settled_otherwise")?).contains(&(attempts - found));
    if is_explained { Ok(attempts) } else { Err(Error::MixedTables { attempts, found }) }
}

/// Compares only counters, so that it is fast: the permitted rows of a campaign with those that were `seen`, which never become fewer.
fn counters_belong_together(transaction: &mut dyn Transaction, id: &str, seen: i64) -> Result<()> {
    attempts::compare_all(transaction, id)?;
    let rows = transaction.query("SELECT n_attempts FROM campaigns WHERE id = $1", &[id.into()])?;
    let found = rows.first().map_or(Ok(0), |row| row.int("n_attempts"))?;
    if found < seen {
        return Err(Error::MixedTables { attempts: seen, found });
    }
    attempts::compare_pending(transaction, id)
}

impl Journal {
    /// Registers this process as an owner.
    ///
    /// # Errors
    /// [`Error::TakenOver`] when a copy of the journal has taken the campaign over, or when the journal fails.
    pub fn register_owner(&mut self, id: &str) -> Result<Token> {
        self.register(id, &Process::current())
    }

    /// Registers the calling thread as an owner. Other processes of the machine notice its end even if that cannot be stored.
    ///
    /// # Errors
    /// As [`Journal::register_owner`].
    pub fn register_thread(&mut self, id: &str) -> Result<Token> {
        self.register(id, &Process::current_thread())
    }

    fn register(&mut self, id: &str, process: &Process) -> Result<Token> {
        let owner = Token::random()?;
        let process = serde_json::to_string(process).map_err(|_| Error::Damaged("process"))?;
        // Outcomes and suppressions are counted without the lock, because other workers would wait for it.
        let (seen, right) = self.read(|transaction| {
            suppressions::read(transaction, id)?;
            let campaign = CampaignRecord::by_id(transaction, id)?;
            let right = Right::to_claim(transaction, &campaign)?;
            Ok((tables_belong_together(transaction, id)?, right))
        })?;
        // A claim compares it again, before anything is sent.
        right.check_to_open(&self.store().place())?;
        self.write(|transaction| {
            counters_belong_together(transaction, id, seen)?;
            for gone in owners(transaction, id)?.iter().filter(|owner| owner.is_certain) {
                transaction.execute("UPDATE owners SET is_gone = 1 WHERE id = $1", &[gone.id.into()])?;
            }
            let now = transaction.now_us()?;
            let sql = "INSERT INTO owners (id, campaign, process, seen_us, n_open, is_gone)
                VALUES ($1, $2, $3, $4, 0, 0) ON CONFLICT DO NOTHING";
            transaction.execute(sql, &[owner.into(), id.into(), process.as_str().into(), now.into()])?;
            Ok(())
        })?;
        Ok(owner)
    }

    /// Compares what the tables count about a campaign, as its workers do when they find nothing to claim.
    ///
    /// # Errors
    /// [`Error::MixedTables`] or [`Error::MixedChunks`] when some tables were restored without the others, or when the journal fails.
    pub(crate) fn compare_counters(&mut self, id: &str) -> Result<()> {
        self.read(|transaction| {
            attempts::compare_all(transaction, id)?;
            attempts::compare_pending(transaction, id)
        })
    }

    /// Records that an owner is running.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn heartbeat(&mut self, owner: Token) -> Result<()> {
        self.write(|transaction| {
            let now = transaction.now_us()?;
            transaction
                .execute("UPDATE owners SET seen_us = $1 WHERE id = $2", &[now.into(), owner.into()])?;
            Ok(())
        })
    }

    /// Records that an owner ended. The owner calls this method after its last settlement. If the journal fails, this
    /// process still remembers the end (`ENDED`).
    ///
    /// # Errors
    /// When the journal fails.
    pub fn release_owner(&mut self, owner: Token) -> Result<()> {
        ended().push(owner);
        self.write(|transaction| {
            transaction.execute("UPDATE owners SET is_gone = 1 WHERE id = $1", &[owner.into()])?;
            Ok(())
        })?;
        ended().retain(|known| *known != owner);
        Ok(())
    }

    /// A campaign and its owners, at one moment.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn campaign_with_owners(&mut self, name: &str) -> Result<(CampaignRecord, Vec<Owner>)> {
        self.campaign_at_moment(name).map(|moment| (moment.campaign, moment.owners))
    }

    /// A campaign, its owners and its progress, at one moment.
    pub(crate) fn campaign_at_moment(&mut self, name: &str) -> Result<Moment> {
        self.read(|transaction| {
            let campaign = CampaignRecord::by_name(transaction, name)?;
            let owners = owners(transaction, &campaign.id)?;
            let now_us = transaction.now_us()?;
            let progress = Progress::read(transaction, &campaign.id, now_us)?;
            Ok(Moment { campaign, owners, progress, now_us })
        })
    }

    /// The owners of a campaign.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn owners(&mut self, id: &str) -> Result<Vec<Owner>> {
        self.read(|transaction| owners(transaction, id))
    }
}
