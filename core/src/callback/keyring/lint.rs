//! When an old key may go.

use serde::{Deserialize, Serialize};

use super::{Key, Keyring};

/// What [`Keyring::lint`] says of one key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct KeyNotice {
    /// The key id.
    pub kid: String,
    /// What to do with the key.
    pub state: KeyState,
    /// The moment (Unix seconds) after which every token that this key signed and that expires is past; known once the
    /// moment of retirement is.
    pub tokens_expire_at: Option<u64>,
}

/// What to do with a key of a keyring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum KeyState {
    /// The first key, which signs.
    Signs,
    /// It verifies and has no moment of retirement: a key that will sign next, or an old one whose
    /// [`Key::retired_at`] is still to be noted. Keep it.
    Verifies,
    /// Retired, and tokens that it signed may still be good. Keep it until `tokens_expire_at`.
    Keep,
    /// Tokens that expire are past, those without expiry are not: register the URLs that carry one anew with the first
    /// key, then take the key out.
    MayGoOnceRegisteredAnew,
    /// Nothing that the key signed can still be good: take it out.
    MayGo,
}

impl Keyring {
    /// Says of every key, in order, whether it is still needed at `now` (Unix seconds).
    ///
    /// A keyring cannot see when a key stopped signing, so that is noted with [`Key::retired_at`]; a key without the note is
    /// never said to be dispensable. The moment is the retirement plus the longest lifetime of the keyring's tokens.
    #[must_use]
    pub fn lint(&self, now: u64) -> Vec<KeyNotice> {
        self.keys().enumerate().map(|(at, key)| self.notice(at == 0, key, now)).collect()
    }

    fn notice(&self, signs: bool, key: &Key, now: u64) -> KeyNotice {
        let tokens_expire_at =
            key.retired_at.map(|retired| retired.saturating_add(self.longest_lifetime.into()));
        let state = match tokens_expire_at {
            _ if signs => KeyState::Signs,
            None => KeyState::Verifies,
            Some(moment) if now < moment => KeyState::Keep,
            Some(_) if self.expiring_only => KeyState::MayGo,
            Some(_) => KeyState::MayGoOnceRegisteredAnew,
        };
        KeyNotice { kid: key.kid.clone(), state, tokens_expire_at }
    }
}
