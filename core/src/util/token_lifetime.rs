//! The limits of the lifetime of a callback token. A client has the setting also without the feature `callback`.

/// The shortest lifetime, in seconds.
pub(crate) const MIN: u32 = 60;

/// The longest lifetime of a token that expires, in seconds: 61 days.
pub(crate) const MAX: u32 = 61 * 24 * 3600;
