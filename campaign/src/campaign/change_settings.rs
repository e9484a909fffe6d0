//! Changes the settings of a campaign while it runs.

use super::{check_concurrency, check_rate};
use crate::error::Result;
use crate::journal::Journal;
use crate::settings::SettingChanges;

/// Changes settings from now on. All workers take over the rate with their next permit, which can be ten seconds away, and the others
/// within about a second.
///
/// # Errors
/// When a setting is invalid, the campaign does not exist, or the journal fails.
pub fn set(journal: &mut Journal, name: &str, changes: &SettingChanges) -> Result<()> {
    check_rate(changes.rate)?;
    check_concurrency(changes.concurrency)?;
    journal.change_settings(name, |settings| changes.apply(settings))
}

/// Changes the rate of all workers from now on.
///
/// # Errors
/// As [`set`].
pub fn set_rate(journal: &mut Journal, name: &str, rate: f64) -> Result<()> {
    set(journal, name, &SettingChanges { rate: Some(rate), ..SettingChanges::default() })
}
