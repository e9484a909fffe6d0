//! Settles unknown rows: by delivery reports, or by a decision of the caller.

use std::path::Path;
use std::time::Duration;

use cpaas::callback::Status;

use super::{no_row, status};
use crate::error::{Error, Result};
use crate::journal::{DeliveredRow, Journal, ReportSummary, ResolveSummary};
use crate::protocol::Resolution;
use crate::report_file::ReportFile;

pub use crate::report_file::DeliveryReport;

/// The longest time limit of a row. [`run`](crate::worker::run) rejects a longer one.
pub const MAX_DEADLINE: Duration = Duration::from_secs(60);
/// The minimum age of a permit for `Resolution::NotSent`: [`MAX_DEADLINE`] plus five minutes. At this age, no call of the permit
/// is in progress.
pub const RESOLVE_AFTER: Duration = MAX_DEADLINE.saturating_add(Duration::from_secs(300));

/// The maximum number of reports in one transaction. Workers wait while the transaction runs.
const REPORTS: usize = 5000;

/// The `reference` of a row: the campaign's id, the row from 0 and the attempt from 1.
#[must_use]
pub fn reference(id: &str, row: u64, attempt: u16) -> String {
    format!("{id}-{row}-{attempt}")
}

/// Stores verified delivery reports, or only their references. Each report, even of a failed delivery, proves that the provider
/// accepted the row. References of other campaigns are counted as foreign. A report of a row that no worker has claimed halts the
/// campaign, and [`resume`](super::resume) refuses it until [`acknowledge_lost_commits`].
///
/// # Errors
/// When the journal fails.
pub fn report<T: Into<DeliveryReport>>(
    journal: &mut Journal,
    name: &str,
    reports: impl IntoIterator<Item = T>,
) -> Result<ReportSummary> {
    let campaign = journal.campaign(name)?;
    let (mut known, mut foreign) = (Vec::new(), 0);
    for report in reports {
        let DeliveryReport { reference, status } = report.into();
        match parse_reference(&campaign.id, &reference) {
            Some((row, attempt)) => {
                known.push(DeliveredRow { row, attempt, status: status.map(Status::new) })
            }
            None => foreign += 1,
        }
    }
    known.sort_by_key(|report| (report.row, report.attempt));
    let mut summary = ReportSummary { foreign, ..ReportSummary::default() };
    for group in known.chunks(REPORTS) {
        summary.add(journal.report(&campaign.id, group)?);
    }
    Ok(summary)
}

/// Settles rows from a file of delivery reports, see [`ReportFile::read`]. The file must contain verified reports only.
///
/// # Errors
/// When the file cannot be read, when reports of the operation have no reference, or when the journal fails.
pub fn report_file(journal: &mut Journal, name: &str, path: &Path) -> Result<ReportSummary> {
    if !journal.campaign(name)?.settings.has_reference {
        let message = "delivery reports settle only campaigns of sms.send, because only their reports have a \
            reference; resolve the rows with `--as accepted` or `--as not-sent`";
        return Err(Error::Setting(message.to_owned()));
    }
    let file = ReportFile::open(path)?;
    let mut summary = report(journal, name, file.reports)?;
    summary.without_reference = file.without_reference;
    Ok(summary)
}

fn parse_reference(id: &str, text: &str) -> Option<(u64, u16)> {
    let (row, attempt) = text.strip_prefix(id)?.strip_prefix('-')?.split_once('-')?;
    Some((row.parse().ok()?, attempt.parse().ok()?))
}

/// Records that the user knows that the journal has lost commits: [`resume`](super::resume) is permitted again. Rows that the journal
/// lists as pending may have been sent. Has no effect on other campaigns.
///
/// # Errors
/// When the journal fails.
pub fn acknowledge_lost_commits(journal: &mut Journal, name: &str) -> Result<()> {
    journal.acknowledge_lost_commits(name)
}

/// Resolves unknown rows: those with the numbers `rows` (from 1), or all.
/// [`Journal::resolve`] lists the requirements of [`Resolution::NotSent`], which may send a row twice.
///
/// # Errors
/// When a row does not exist, or the journal fails.
pub fn resolve(
    journal: &mut Journal,
    name: &str,
    resolution: Resolution,
    rows: Option<&[u64]>,
    owners_stopped: bool,
) -> Result<ResolveSummary> {
    let campaign = journal.campaign(name)?;
    if let Some(rows) = rows {
        let count = status(journal, name)?.rows;
        let exists = |row: u64| i64::try_from(row).is_ok_and(|row| (1..=count).contains(&row));
        if let Some(row) = rows.iter().find(|row| !exists(**row)) {
            return Err(no_row(*row, count));
        }
    }
    journal.settle_unsent_rows(&campaign.id)?;
    let rows: Option<Vec<u64>> = rows.map(|rows| rows.iter().filter_map(|row| row.checked_sub(1)).collect());
    let age = i64::try_from(RESOLVE_AFTER.as_micros()).unwrap_or(i64::MAX);
    journal.resolve(&campaign.id, resolution, rows.as_deref(), age, owners_stopped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_read_back() {
        let text = reference("00ff00ff00ff00ff", 12, 3);
        assert_eq!(parse_reference("00ff00ff00ff00ff", &text), Some((12, 3)));
        assert_eq!(parse_reference("10ff00ff00ff00ff", &text), None);
        assert_eq!(parse_reference("00ff00ff00ff00ff", "00ff00ff00ff00ff-12"), None);
    }
}
