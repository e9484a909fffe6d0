//! The right to send the rows of a campaign, among the copies of a journal on one machine.
//!
//! A campaign keeps its id in every copy. A restored copy that takes a campaign over writes a new token into the state folder and then into
//! the campaign. From then on a journal whose campaign has another token, or none, sends nothing of it. Other campaigns are not affected.

use super::ONCE_PREFIX;
use super::campaign_record::CampaignRecord;
use super::fence::{COPY, Fence};
use super::state_folder::TakenFile;
use super::store::Transaction;
use crate::error::{Error, Result};
use crate::protocol::Token;

/// What a claim compares after its commit, before anything is sent.
pub(super) struct Right {
    campaign: String,
    id: String,
    fence: Fence,
    /// `None` for a campaign that is not that of a key.
    keys: Option<KeysRight>,
}

impl Right {
    pub(super) fn of(campaign: &CampaignRecord) -> Self {
        let (name, id) = (campaign.name.clone(), campaign.id.clone());
        Self { campaign: name, id, fence: campaign.fence, keys: None }
    }

    /// The right to claim rows. For a key it is also the right to keys: a copy that accepts new ones may have got this one too.
    pub(super) fn to_claim(transaction: &mut dyn Transaction, campaign: &CampaignRecord) -> Result<Self> {
        let is_key = campaign.name.starts_with(ONCE_PREFIX);
        let keys = is_key.then(|| KeysRight::read(transaction)).transpose()?;
        Ok(Self { keys, ..Self::of(campaign) })
    }

    /// Compares the right of the journal at `place` with the state folder.
    ///
    /// # Errors
    /// [`Error::TakenOver`], [`Error::KeysTakenOver`], [`Error::UnreadableRight`], or [`Error::RestoredCopy`] for a copy that has not taken
    /// the campaign over.
    pub(super) fn check(&self, place: &str) -> Result<()> {
        if self.fence == Fence::Copy {
            return Err(Error::RestoredCopy { campaign: self.campaign.clone(), place: place.to_owned() });
        }
        let taken = TakenFile::other_than(&self.id, self.fence.token(), place);
        let taken = taken.map_err(|file| file.refuse(format!("the campaign `{}`", self.campaign)))?;
        taken.map_or(Ok(()), |taken| {
            Err(Error::TakenOver {
                campaign: self.campaign.as_str().into(),
                place: place.into(),
                by: taken.by(place).into(),
                file: taken.file.display().to_string().into(),
            })
        })?;
        self.keys.as_ref().map_or(Ok(()), |keys| keys.check(place))
    }

    /// As [`Right::check`]. A copy that has not taken the campaign over passes: none of its rows is eligible. Others learn the place of the
    /// one that has.
    pub(super) fn check_to_open(&self, place: &str) -> Result<()> {
        if self.fence == Fence::Copy {
            return Ok(());
        }
        self.check(place)?;
        if let Some(token) = self.fence.token() {
            // Only messages contain the place.
            let _ = TakenFile::follow(&self.id, token, place);
        }
        Ok(())
    }

    /// Adds to the result of a change that it does not reach the copy that took the campaign over. It does not matter then why this journal
    /// does not permit the change.
    ///
    /// # Errors
    /// [`Error::NotInCopy`], [`Error::UnreadableRight`], or that of the change.
    pub(super) fn reach<T>(&self, place: &str, changed: Result<T>) -> Result<T> {
        match (self.check_to_open(place), changed) {
            (
                Err(Error::TakenOver { campaign, by, .. }),
                Ok(_) | Err(Error::State { .. } | Error::LostCommits),
            ) => Err(Error::NotInCopy { campaign, by }),
            (checked, Ok(changed)) => checked.map(|()| changed),
            (_, failed) => failed,
        }
    }
}

impl CampaignRecord {
    /// The place of the restored copy that took the campaign over, as far as this machine knows. Writes nothing.
    pub(super) fn taken_over_by(&self, place: &str) -> Option<String> {
        match TakenFile::read(&self.id) {
            Ok(taken) => taken.filter(|it| it.is_of_another(self.fence.token())).map(|it| it.by(place)),
            Err(_) => Some(TakenFile::UNKNOWN.to_owned()),
        }
    }
}

/// Takes a campaign over within a transaction, unless it was taken over since. The state folder comes first: after a kill before the commit
/// nobody sends the rows.
pub(super) fn take_over(
    transaction: &mut dyn Transaction,
    id: &str,
    token: Token,
    place: &str,
) -> Result<bool> {
    match CampaignRecord::by_id(transaction, id)?.fence {
        // After a commit whose response was lost.
        Fence::Taken(known, _) if known == token => return Ok(true),
        Fence::Copy => {}
        Fence::Original | Fence::Taken(..) => return Ok(false),
    }
    let now = transaction.now_us()?;
    TakenFile::replace(id, token, place);
    let fence = format!("{} {now}", token.to_hex());
    transaction.execute("UPDATE campaigns SET fence = $1 WHERE id = $2", &[fence.into(), id.into()])?;
    Ok(true)
}

/// Makes a restored journal a copy for its campaigns, those excepted whose right it keeps `in_place`.
pub(super) fn restore(transaction: &mut dyn Transaction, in_place: bool) -> Result<()> {
    if !in_place {
        return transaction.execute("UPDATE campaigns SET fence = $1", &[COPY.into()]).map(drop);
    }
    for campaign in CampaignRecord::all(transaction)? {
        if !campaign.fence.is_kept(&campaign.id) {
            let sql = "UPDATE campaigns SET fence = $1 WHERE id = $2";
            transaction.execute(sql, &[COPY.into(), campaign.id.into()])?;
        }
    }
    Ok(())
}

/// The right of this journal to keys of `send_once` that are new: `keys_id` in `meta`, which is equal in all copies, and the token `keys` of a
/// copy that took them over.
pub(super) struct KeysRight {
    id: Option<String>,
    token: Option<Token>,
}

impl KeysRight {
    pub(super) fn read(transaction: &mut dyn Transaction) -> Result<Self> {
        let mut right = Self { id: None, token: None };
        for row in transaction.query("SELECT name, value FROM meta WHERE name IN ('keys_id', 'keys')", &[])? {
            match row.text("name")? {
                "keys" => right.token = Token::from_hex(row.text("value")?),
                _ => right.id = Some(row.text("value")?.to_owned()),
            }
        }
        Ok(right)
    }

    /// Compares the right of the journal at `place` with the state folder.
    ///
    /// # Errors
    /// [`Error::KeysTakenOver`] or [`Error::UnreadableRight`]
    pub(super) fn check(&self, place: &str) -> Result<()> {
        let Some(id) = &self.id else { return Ok(()) };
        let taken = TakenFile::other_than(id, self.token, place);
        let taken = taken.map_err(|file| file.refuse("the new keys of `send_once`".to_owned()))?;
        taken.map_or(Ok(()), |taken| {
            Err(Error::KeysTakenOver { by: taken.by(place), place: place.to_owned() })
        })
    }

    /// Takes the keys over within a transaction, the state folder first.
    pub(super) fn take_over(
        &self,
        transaction: &mut dyn Transaction,
        token: Token,
        place: &str,
    ) -> Result<()> {
        if let Some(id) = &self.id {
            TakenFile::replace(id, token, place);
        }
        let sql = "INSERT INTO meta (name, value) VALUES ('keys', $1)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value";
        transaction.execute(sql, &[token.to_hex().into()]).map(drop)
    }
}
