//! Samples of the progress of a campaign, from which `status` computes the rate of the last minute. They are in a row of `meta`, and
//! workers add one every few seconds, so that no commit of rows gets larger.

use super::store::Transaction;
use super::{CampaignRecord, Journal};
use crate::error::Result;

/// Workers add a sample when the last one is this old, in microseconds.
const INTERVAL_US: i64 = 5_000_000;
/// The time over which the rate is computed, in microseconds.
const MINUTE_US: i64 = 60_000_000;
/// A rate over less time than this would be a guess, in microseconds.
const LEAST_US: i64 = 1_000_000;

/// How many rows had an outcome at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sample {
    at_us: i64,
    done: i64,
}

/// The samples of the last minute, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Progress(Vec<Sample>);

impl Progress {
    fn parse(text: &str, now_us: i64) -> Self {
        let numbers = |sample: &str| {
            let (at_us, done) = sample.split_once(':')?;
            Some(Sample { at_us: at_us.parse().ok()?, done: done.parse().ok()? })
        };
        // A clock that was set back makes samples of the future, which count as none.
        let is_recent = |sample: &Sample| (now_us - MINUTE_US..=now_us).contains(&sample.at_us);
        Self(text.split(' ').filter_map(numbers).filter(is_recent).collect())
    }

    fn to_text(&self) -> String {
        let samples: Vec<_> = self.0.iter().map(|Sample { at_us, done }| format!("{at_us}:{done}")).collect();
        samples.join(" ")
    }

    fn is_due(&self, now_us: i64) -> bool {
        self.0.last().is_none_or(|last| now_us - last.at_us >= INTERVAL_US)
    }

    /// Rows per second since the oldest sample of the last minute; `None` if nobody ran the campaign in that time.
    #[allow(clippy::cast_precision_loss)] // Both numbers are small.
    pub(crate) fn rate(&self, now_us: i64, done: i64) -> Option<f64> {
        let first = self.0.first()?;
        let elapsed = now_us - first.at_us;
        (elapsed >= LEAST_US).then(|| (done - first.done).max(0) as f64 * 1_000_000.0 / elapsed as f64)
    }

    pub(super) fn read(transaction: &mut dyn Transaction, id: &str, now_us: i64) -> Result<Self> {
        let found = transaction.query("SELECT value FROM meta WHERE name = $1", &[key(id).into()])?;
        Ok(Self::parse(found.first().map_or(Ok(""), |row| row.text("value"))?, now_us))
    }
}

fn key(id: &str) -> String {
    format!("progress:{id}")
}

/// Rows that have an outcome.
pub(crate) const fn done(campaign: &CampaignRecord) -> i64 {
    campaign.counts.rows - campaign.counts.pending - campaign.counts.open
}

impl Journal {
    /// Adds a sample of the progress, unless a worker has just added one.
    pub(crate) fn record_progress(&mut self, id: &str) -> Result<()> {
        let is_due = self.read(|transaction| {
            let now_us = transaction.now_us()?;
            Ok(Progress::read(transaction, id, now_us)?.is_due(now_us))
        })?;
        if !is_due {
            return Ok(());
        }
        self.write(|transaction| {
            let now_us = transaction.now_us()?;
            let mut progress = Progress::read(transaction, id, now_us)?;
            if progress.is_due(now_us) {
                let done = done(&CampaignRecord::by_id(transaction, id)?);
                progress.0.push(Sample { at_us: now_us, done });
                let sql = "INSERT INTO meta (name, value) VALUES ($1, $2)
                    ON CONFLICT (name) DO UPDATE SET value = excluded.value";
                transaction.execute(sql, &[key(id).into(), progress.to_text().into()])?;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_700_000_000_000_000;

    #[test]
    fn the_rate_is_that_of_the_last_minute() {
        let ago = |seconds: i64, done: i64| format!("{}:{done}", NOW - seconds * 1_000_000);
        let text = [ago(300, 0), ago(50, 1000), ago(20, 1300), ago(-30, 9)].join(" ");
        let progress = Progress::parse(&text, NOW);
        assert_eq!(progress.0.len(), 2, "the old one and that of the future are ignored");
        assert_eq!(progress.rate(NOW, 1500), Some(10.0));
        assert_eq!(progress.rate(NOW, 900), Some(0.0), "rows that are retried");
        assert!(progress.is_due(NOW) && !Progress::parse(&ago(4, 1), NOW).is_due(NOW));
        assert_eq!(Progress::parse(&progress.to_text(), NOW), progress);
        assert_eq!(Progress::parse("", NOW).rate(NOW, 5), None);
        assert_eq!(Progress::parse(&ago(0, 5), NOW).rate(NOW, 5), None, "too short");
        assert_eq!(Progress::parse("damaged 1:x :", NOW), Progress::default());
    }
}
