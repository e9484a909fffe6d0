//! The right to send the rows of a campaign, among the copies of a journal on one machine.
//!
//! A campaign keeps its id in every copy. A restored copy that takes a campaign over writes a new token into the state folder and then into
//! the campaign. From then on a journal whose campaign has another token, or none, sends nothing of it. Other campaigns are not affected.

use super::ONCE_PREFIX;
use super::campaign_record::CampaignRecord;
use super::state_folder::TakenFile;
use super::store::Transaction;
use crate::error::{Error, Result};
use crate::protocol::Token;

/// The right of this journal to a campaign, in the column `fence`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fence {
    /// No copy has taken the campaign over, as far as this journal knows. `NULL`.
    Original,
    /// The journal is a restored copy: the original may send the rows. `copy`.
    Copy,
    /// The journal took the campaign over: the token, and the moment in microseconds of the database's clock.
    Taken(Token, i64),
}

impl Fence {
    pub(super) fn parse(text: Option<&str>) -> Result<Self> {
        let Some(text) = text else { return Ok(Self::Original) };
        if text == COPY {
            return Ok(Self::Copy);
        }
        let taken =
            text.split_once(' ').and_then(|(token, at)| Some((Token::from_hex(token)?, at.parse().ok()?)));
        taken.map(|(token, at)| Self::Taken(token, at)).ok_or(Error::Damaged("the right to a campaign"))
    }

    const fn token(self) -> Option<Token> {
        match self {
            Self::Taken(token, _) => Some(token),
            Self::Original | Self::Copy => None,
        }
    }

    /// The latest claim of a permit whose rows may be sent again, if `latest` is one without a take-over. Before a take-over, other journals
    /// may have claimed rows that this one does not know.
    pub(super) const fn latest_claim(self, latest: i64) -> i64 {
        match self {
            Self::Taken(_, at) if at > latest => i64::MIN,
            _ => latest,
        }
    }

    /// Whether `restored` in the place of the journal keeps this right.
    fn is_kept(self, id: &str) -> bool {
        match (self, TakenFile::read(id)) {
            (Self::Original, None) => true,
            (Self::Taken(token, _), Some(taken)) => taken.token == Some(token),
            _ => false,
        }
    }
}

const COPY: &str = "copy";

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
    /// [`Error::TakenOver`], [`Error::KeysTakenOver`], or [`Error::RestoredCopy`] for a copy that has not taken the campaign over.
    pub(super) fn check(&self, place: &str) -> Result<()> {
        if self.fence == Fence::Copy {
            return Err(Error::RestoredCopy { campaign: self.campaign.clone(), place: place.to_owned() });
        }
        let taken = TakenFile::other_than(&self.id, self.fence.token(), place);
        taken.map_or(Ok(()), |taken| {
            Err(Error::TakenOver {
                campaign: self.campaign.clone(),
                place: place.to_owned(),
                by: taken.place,
                file: taken.file.display().to_string(),
            })
        })?;
        self.keys.as_ref().map_or(Ok(()), |keys| keys.check(place))
    }

    /// As [`Right::check`]. A copy that has not taken the campaign over passes: none of its rows is eligible.
    pub(super) fn check_to_open(&self, place: &str) -> Result<()> {
        if self.fence == Fence::Copy { Ok(()) } else { self.check(place) }
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
    /// [`Error::KeysTakenOver`]
    pub(super) fn check(&self, place: &str) -> Result<()> {
        let taken = self.id.as_deref().and_then(|id| TakenFile::other_than(id, self.token, place));
        taken.map_or(Ok(()), |taken| Err(Error::KeysTakenOver { by: taken.place, place: place.to_owned() }))
    }

    pub(super) fn has(&self, token: Token) -> bool {
        self.token == Some(token)
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
