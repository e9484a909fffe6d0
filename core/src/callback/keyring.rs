//! The keys that sign and verify callback tokens, and their rotation.

mod lint;

use std::fmt;

use hmac::{Hmac, KeyInit};
use sha2::Sha256;
use siphasher::sip::SipHasher24;
use zeroize::Zeroizing;

pub use lint::{KeyNotice, KeyState};

/// The most keys of one keyring.
pub const MAX_KEYS: usize = 8;
/// The fewest bytes of a secret: as many as the output of the hash (RFC 2104, section 3).
pub const MIN_SECRET_BYTES: usize = 32;
/// The most characters of a key id.
pub const MAX_KID: usize = 16;

/// One key. The secret itself is not kept, only the state of the hash that was keyed with it; Debug shows neither, and what
/// is kept is overwritten when the key is dropped. Not wiped are the caller's own text of the secret, and what the compiler
/// left on the stack while the hash was keyed.
#[derive(Clone)]
pub struct Key {
    pub(super) kid: String,
    pub(super) mac: Hmac<Sha256>,
    marks: Zeroizing<[u8; 16]>,
    pub(super) retired_at: Option<u64>,
    secret_bytes: usize,
}

impl Key {
    /// A key of this id over this secret, which should be random bytes; [`Keyring::new`] checks both.
    #[must_use]
    pub fn new(kid: impl Into<String>, secret: impl AsRef<[u8]>) -> Self {
        let secret = secret.as_ref();
        let mac = Hmac::new_from_slice(secret).unwrap_or_else(|_| Hmac::new(&Default::default()));
        Self {
            kid: kid.into(),
            marks: super::token::marks_key(&mac),
            mac,
            retired_at: None,
            secret_bytes: secret.len(),
        }
    }

    /// The hash of the marks in a nonce.
    pub(super) fn marker(&self) -> SipHasher24 {
        SipHasher24::new_with_key(&self.marks)
    }

    /// Notes the moment (Unix seconds) at which the last process stopped signing with this key, for [`Keyring::lint`].
    #[must_use]
    pub fn retired_at(mut self, unix_seconds: u64) -> Self {
        self.retired_at = Some(unix_seconds);
        self
    }
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

/// 1 to 8 keys: the first signs, all verify, a key id that is not among them is refused.
///
/// Rotation is `[old]`, `[old, new]`, `[new, old]`, `[new]`, each step on every process before the next; the last when
/// [`Keyring::lint`] says so. Delivery reports (SMS and chat) and inbound events have keyrings of their own. Immutable and
/// shareable between threads; make it once and keep it, since making it keys the hashes. Minting and verifying are in
/// [`Keyring::mint`] and [`Keyring::verify`].
#[derive(Clone, Debug)]
pub struct Keyring {
    pub(super) signing: Key,
    others: Vec<Key>,
    pub(super) longest_lifetime: u32,
    pub(super) expiring_only: bool,
}

impl Keyring {
    /// A keyring of [`Key`]s or of `(kid, secret)` pairs, the signing key first.
    ///
    /// # Errors
    /// [`KeyringError`]: too few or too many keys, a bad or repeated key id, a short secret, a retired signing key.
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

    /// Promises that no token of this keyring lives longer than `seconds` (tokens without expiry aside): [`Keyring::mint`]
    /// holds to it, and [`Keyring::lint`] lets an old key go that much sooner. 61 days unless set.
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

    /// Promises that every token of this keyring expires: [`Keyring::mint`] refuses to make another, and
    /// [`Keyring::lint`] need not ask for registered URLs to be registered anew.
    #[must_use]
    pub fn expiring_only(mut self) -> Self {
        self.expiring_only = true;
        self
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &Key> {
        std::iter::once(&self.signing).chain(&self.others)
    }

    /// Key ids are public, they stand in every token: an ordinary comparison will do.
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

/// Whether the text may be a key id: 1 to [`MAX_KID`] characters of a token's alphabet without the dot.
pub(super) fn is_kid(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=MAX_KID).contains(&text.len()) && text.bytes().all(allowed)
}
