//! Keys and tokens that are not printed.
//!
//! The crate `secrecy` does not fit: its `SecretString` has no `PartialEq`, `Default` or `Serialize`, all of which a
//! configuration needs, so it would need a wrapper of the same length.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A key or token. `Debug` and `Serialize` write `[secret]`; only [`Secret::expose`] returns the value. The memory is overwritten
/// on drop. There is no `Display`, so that no `to_string()` takes the place of `expose()`:
///
/// ```compile_fail,E0599
/// let key: String = cpaas::Secret::new("key").to_string();
/// ```
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// A secret with this value.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether the value is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&str> for Secret {
    fn from(value: &str) -> Self {
        Self::new(value)
    }
}

impl From<String> for Secret {
    fn from(value: String) -> Self {
        Self(value)
    }
}

impl Serialize for Secret {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("[secret]")
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.0);
    }
}
