//! The keys that sign and verify callback tokens, and their rotation.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use siphasher::sip::SipHasher24;
use zeroize::Zeroizing;

/// The maximum number of keys in a keyring.
pub const MAX_KEYS: usize = 8;
/// The minimum length of a secret in bytes: the output size of the hash (RFC 2104, section 3).
pub const MIN_SECRET_BYTES: usize = 32;
/// The maximum length of a key id in characters.
pub const MAX_KID: usize = 16;

/// The HMAC of this text is the key of the short hashes in a nonce; see `Marks`.
const MARKS: &[u8] = b"cpaas-cb-v1 marks";

/// A key. It stores the state of the hash that was keyed with the secret, but not the secret. `Debug` shows neither, and the
/// state is zeroized when the key is dropped. The caller's copy of the secret and copies on the stack during keying are not
/// zeroized.
#[derive(Clone)]
pub struct Key {
    pub(super) kid: String,
    pub(super) mac: Hmac<Sha256>,
    marks: Zeroizing<[u8; 16]>,
    pub(super) retired_at: Option<u64>,
    secret_bytes: usize,
}

impl Key {
    /// Creates a key from an id and a secret, which should be random bytes; [`Keyring::new`] checks both.
    #[must_use]
    pub fn new(kid: impl Into<String>, secret: impl AsRef<[u8]>) -> Self {
        let secret = secret.as_ref();
        let mac = Hmac::new_from_slice(secret).unwrap_or_else(|_| Hmac::new(&Default::default()));
        Self { kid: kid.into(), marks: marks_key(&mac), mac, retired_at: None, secret_bytes: secret.len() }
    }

    /// A keyed hash for the marks in a nonce.
    pub(super) fn mark_hash(&self) -> SipHasher24 {
        SipHasher24::new_with_key(&self.marks)
    }

    /// Sets the time (Unix seconds) at which the last process stopped signing with this key, for [`Keyring::lint`].
    #[must_use]
    pub fn retired_at(mut self, unix_seconds: u64) -> Self {
        self.retired_at = Some(unix_seconds);
        self
    }
}

/// Derives the key of the marks: the first 16 bytes of an HMAC.
fn marks_key(mac: &Hmac<Sha256>) -> Zeroizing<[u8; 16]> {
    let bytes: Zeroizing<[u8; 32]> =
        Zeroizing::new(mac.clone().chain_update(MARKS).finalize().into_bytes().into());
    Zeroizing::new(bytes.first_chunk().copied().unwrap_or_default())
}

impl<K: Into<String>, S: AsRef<[u8]>> From<(K, S)> for Key {
    fn from((kid, secret): (K, S)) -> Self {
        Self::new(kid, secret)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key")
            .field("kid", &self.kid)
            .field("retired_at", &self.retired_at)
            .finish_non_exhaustive()
    }
}

/// Why a keyring cannot be made. The messages contain no secret and no key id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyringError {
    /// There is no key, or there are more than [`MAX_KEYS`].
    #[error("a keyring must have 1 to {MAX_KEYS} keys")]
    Count,
    /// The id of the key at this position (from 0) is not 1 to [`MAX_KID`] of `A-Z a-z 0-9 _ -`.
    #[error("keys[{0}]: the key id must be 1 to {MAX_KID} characters of A-Z a-z 0-9 _ -")]
    Kid(usize),
    /// The key at this position (from 0) has the id of an earlier key.
    #[error("keys[{0}]: the key id must be unique")]
    Duplicate(usize),
    /// The secret of the key at this position (from 0) has fewer than [`MIN_SECRET_BYTES`] bytes.
    #[error("keys[{0}]: the secret must have at least {MIN_SECRET_BYTES} bytes")]
    Secret(usize),
    /// The first key signs, so it cannot have a time of retirement.
    #[error("keys[0]: the first key signs and must not be retired")]
    SigningKeyRetired,
    /// The longest lifetime is not 60 seconds to 61 days.
    #[error("the longest lifetime must be 60 seconds to 61 days")]
    Lifetime,
}

/// A set of 1 to 8 keys: the first signs and all verify. A token with another key id is rejected.
///
/// The steps of a rotation are `[old]`, `[old, new]`, `[new, old]`, `[new]`; finish each step in all processes before the next,
/// and take the last step when [`Keyring::lint`] allows it. Delivery reports (SMS and chat) and inbound events have separate
/// keyrings. Immutable and thread-safe. Create a keyring once, because its creation computes HMAC states from the secrets.
#[derive(Clone, Debug)]
pub struct Keyring {
    pub(super) signing: Key,
    others: Vec<Key>,
    pub(super) longest_lifetime: u32,
    pub(super) expiring_only: bool,
}

impl Keyring {
    /// Creates a keyring from [`Key`]s or `(kid, secret)` pairs, the signing key first.
    ///
    /// # Errors
    /// [`KeyringError`]: too few or too many keys, an invalid or repeated key id, a short secret, or a retired signing key.
    pub fn new<K: Into<Key>>(keys: impl IntoIterator<Item = K>) -> Result<Self, KeyringError> {
        let keys: Vec<Key> = keys.into_iter().map(Into::into).collect();
        check(&keys)?;
        let mut keys = keys.into_iter();
        let signing = keys.next().ok_or(KeyringError::Count)?;
        if signing.retired_at.is_some() {
            return Err(KeyringError::SigningKeyRetired);
        }
        Ok(Self {
            signing,
            others: keys.collect(),
            longest_lifetime: super::MAX_LIFETIME,
            expiring_only: false,
        })
    }

    /// Limits the lifetime of tokens that expire to `seconds`. [`Keyring::mint`] enforces the limit, and [`Keyring::lint`]
    /// allows removing an old key earlier. The default is 61 days.
    ///
    /// # Errors
    /// [`KeyringError::Lifetime`] outside 60 seconds to 61 days.
    pub fn longest_lifetime(mut self, seconds: u32) -> Result<Self, KeyringError> {
        if !(super::MIN_LIFETIME..=super::MAX_LIFETIME).contains(&seconds) {
            return Err(KeyringError::Lifetime);
        }
        self.longest_lifetime = seconds;
        Ok(self)
    }

    /// Requires that every token expires: [`Keyring::mint`] returns an error for a token without an expiry, and
    /// [`Keyring::lint`] never returns [`KeyState::RemovableAfterReregistration`].
    #[must_use]
    pub fn expiring_only(mut self) -> Self {
        self.expiring_only = true;
        self
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &Key> {
        std::iter::once(&self.signing).chain(&self.others)
    }

    /// Finds a key. Key ids are public, so the comparison need not take constant time.
    pub(super) fn key(&self, kid: &str) -> Option<&Key> {
        self.keys().find(|key| key.kid == kid)
    }
}

fn check(keys: &[Key]) -> Result<(), KeyringError> {
    if keys.is_empty() || keys.len() > MAX_KEYS {
        return Err(KeyringError::Count);
    }
    for (at, key) in keys.iter().enumerate() {
        if !is_kid(&key.kid) {
            return Err(KeyringError::Kid(at));
        }
        if key.secret_bytes < MIN_SECRET_BYTES {
            return Err(KeyringError::Secret(at));
        }
        if keys.iter().take(at).any(|earlier| earlier.kid == key.kid) {
            return Err(KeyringError::Duplicate(at));
        }
    }
    Ok(())
}

/// Whether a string is a valid key id: 1 to [`MAX_KID`] characters of a token's alphabet without the dot.
pub(super) fn is_kid(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=MAX_KID).contains(&text.len()) && text.bytes().all(allowed)
}

/// The result of [`Keyring::lint`] for one key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct KeyNotice {
    /// The key id.
    pub kid: String,
    /// What to do with the key.
    pub state: KeyState,
    /// The time (Unix seconds) after which all expiring tokens of this key have expired; `None` without a time of retirement.
    pub tokens_expire_at: Option<u64>,
}

/// What to do with a key of a keyring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum KeyState {
    /// The first key, which signs.
    Signs,
    /// A key that verifies and has no time of retirement: the next signing key, or an old key without [`Key::retired_at`]. Keep it.
    Verifies,
    /// Retired, but tokens that it signed may still be valid. Keep it until `tokens_expire_at`.
    Keep,
    /// Its expiring tokens have expired, but tokens without expiry may exist: register their URLs again with the first key, then
    /// remove the key.
    RemovableAfterReregistration,
    /// All its tokens have expired: remove the key.
    Removable,
}

impl Keyring {
    /// Returns for every key, in order, whether it is still needed at `now` (Unix seconds).
    ///
    /// Set [`Key::retired_at`] when a key stops signing: a key without this time is never reported as removable. The tokens of a
    /// retired key expire at the time of retirement plus the longest lifetime of the keyring.
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
            Some(_) if self.expiring_only => KeyState::Removable,
            Some(_) => KeyState::RemovableAfterReregistration,
        };
        KeyNotice { kid: key.kid.clone(), state, tokens_expire_at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(digits: &serde_json::Value) -> Vec<u8> {
        let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        digits.as_str().unwrap().as_bytes().chunks(2).map(byte).collect()
    }

    /// The vectors of HMAC-SHA256 of Wycheproof, with tags of 256 and of 128 bits.
    #[test]
    #[ignore = "needs the file; `tests/nightly/public_data` runs it"]
    fn the_macs_of_keys_are_those_of_wycheproof() {
        let file = std::env::var_os("CPAAS_WYCHEPROOF_HMAC").expect("hmac_sha256_test.json of Wycheproof");
        let vectors: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let (mut cases, mut wrong) = (0, Vec::new());
        let groups = vectors["testGroups"].as_array().unwrap();
        for case in groups.iter().flat_map(|group| group["tests"].as_array().unwrap()) {
            let mac = Key::new("k", bytes(&case["key"])).mac.chain_update(bytes(&case["msg"]));
            let is_valid = mac.verify_truncated_left(&bytes(&case["tag"])).is_ok();
            cases += 1;
            if is_valid != (case["result"] == "valid") {
                wrong.push(case.to_string());
            }
        }
        println!("{cases} cases, {} agree, 0 explained", cases - wrong.len());
        assert_eq!(cases, 174);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
