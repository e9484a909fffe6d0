//! Sends rows again whose rejection may pass, or that failed at the provider.

use std::collections::BTreeMap;
use std::time::Duration;

use super::RESOLVE_AFTER;
use crate::error::Result;
use crate::journal::{Journal, RetryReason};

/// The number of rows that [`retry`] would make eligible again. Nothing is changed.
///
/// # Errors
/// As [`retry`].
pub fn count_retries(
    journal: &mut Journal,
    name: &str,
    reason: &RetryReason,
    older_than: Duration,
) -> Result<u64> {
    journal.retry(name, reason, age_us(reason, older_than), true)
}

/// Makes rows with this reason eligible again, so that the next run sends them, and returns their number. It takes only rows that
/// were claimed longer ago than `older_than`, and [`RetryReason::ProviderFailure`], which may send a row twice, only rows that were
/// claimed longer ago than [`RESOLVE_AFTER`].
///
/// # Errors
/// When the campaign is cancelled, being created or purged, or the journal fails.
pub fn retry(journal: &mut Journal, name: &str, reason: &RetryReason, older_than: Duration) -> Result<u64> {
    journal.retry(name, reason, age_us(reason, older_than), false)
}

/// The reasons with which [`retry`] finds rows of a campaign, and how many rows each finds, whatever their age: what to use where a
/// retry found none. A row may be among those of several reasons, such as `setup` and the code of the provider.
///
/// # Errors
/// When the campaign does not exist, or the journal fails.
pub fn retry_reasons(journal: &mut Journal, name: &str) -> Result<BTreeMap<String, u64>> {
    journal.retry_reasons(name)
}

/// The minimum age of a permit, in microseconds.
pub(crate) fn age_us(reason: &RetryReason, older_than: Duration) -> i64 {
    let least = if reason.may_send_twice() { RESOLVE_AFTER } else { Duration::ZERO };
    i64::try_from(older_than.max(least).as_micros()).unwrap_or(i64::MAX)
}
