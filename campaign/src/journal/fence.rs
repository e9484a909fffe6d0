//! The right of this journal to a campaign, as the campaign contains it.

use super::state_folder::TakenFile;
use crate::error::{Error, Result};
use crate::protocol::Token;

/// The column `fence` of a restored copy.
pub(super) const COPY: &str = "copy";

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

    pub(super) const fn token(self) -> Option<Token> {
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
    pub(super) fn is_kept(self, id: &str) -> bool {
        match (self, TakenFile::read(id)) {
            (Self::Original, Ok(None)) => true,
            (Self::Taken(token, _), Ok(Some(taken))) => taken.token == Some(token),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_right_is_read_back_and_another_text_is_damaged() {
        let token = Token::from_bytes([7; 16]);
        assert_eq!(Fence::parse(None).unwrap(), Fence::Original);
        assert_eq!(Fence::parse(Some("copy")).unwrap(), Fence::Copy);
        let taken = format!("{} 12", token.to_hex());
        assert_eq!(Fence::parse(Some(&taken)).unwrap(), Fence::Taken(token, 12));
        for text in ["", "original", "07", &token.to_hex(), "copy 12"] {
            assert!(matches!(Fence::parse(Some(text)), Err(Error::Damaged(_))), "{text}");
        }
    }

    #[test]
    fn claims_from_before_a_take_over_are_as_old_as_it() {
        let taken = Fence::Taken(Token::from_bytes([7; 16]), 100);
        assert_eq!((taken.latest_claim(99), taken.latest_claim(100)), (i64::MIN, 100));
        assert_eq!((Fence::Original.latest_claim(5), Fence::Copy.latest_claim(5)), (5, 5));
    }
}
