//! Changes the settings of a campaign while it runs.

use super::{check_concurrency, check_max_spend, check_rate};
use crate::error::{Error, Result};
use crate::journal::Journal;
use crate::settings::SettingChanges;

/// Changes settings from now on. All workers take over the rate and the maximum spend with their next permit, which can be ten seconds
/// away, and the others within about a second. A campaign that halted stays halted until [`resume`](super::resume).
///
/// # Errors
/// [`Error::Setting`] when a setting is invalid, or for a maximum spend of a campaign that was created without one; [`Error::State`] when
/// the campaign is cancelled or done; [`Error::NotInCopy`] when a copy of the journal has taken it over; when it does not exist; or when
/// the journal fails.
pub fn set(journal: &mut Journal, name: &str, changes: &SettingChanges) -> Result<()> {
    check_rate(changes.rate)?;
    check_concurrency(changes.concurrency)?;
    check_max_spend(changes.max_spend)?;
    journal.change_settings(name, |settings| {
        if changes.max_spend.is_some() && settings.max_spend.is_none() {
            let message = "the maximum spend can be changed only if the campaign was created with one, because otherwise rows without \
                a price are sent; create the campaign again with prices and --max-spend";
            return Err(Error::Setting(message.to_owned()));
        }
        changes.apply(settings);
        Ok(())
    })
}

/// Changes the rate of all workers from now on.
///
/// # Errors
/// As [`set`].
pub fn set_rate(journal: &mut Journal, name: &str, rate: f64) -> Result<()> {
    set(journal, name, &SettingChanges { rate: Some(rate), ..SettingChanges::default() })
}
