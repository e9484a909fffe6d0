//! A dry run: what a campaign would do. Nothing is sent or stored.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::error::Result;
use crate::prepare::{Messages, Preparer, RowProblem};
use crate::prices::format_amount;
use crate::protocol::Base;
use crate::provider;
use crate::source::Source;

/// Problems that a plan keeps; further ones are only counted.
const KEPT_PROBLEMS: usize = 1000;

/// Rows, parts and price of one destination prefix or encoding.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Share {
    /// Rows that would be sent.
    pub rows: u64,
    /// Their parts.
    pub parts: u64,
    /// Their price, as a decimal number.
    pub price: String,
    #[serde(skip)]
    billionths: i64,
}

impl Share {
    fn add(&mut self, parts: u32, price: i64) {
        self.rows += 1;
        self.parts += u64::from(parts);
        self.billionths = self.billionths.saturating_add(price);
        self.price = format_amount(self.billionths);
    }
}

/// What a campaign would do.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct Plan {
    /// All rows.
    pub rows: u64,
    /// Rows that would be sent.
    pub valid: u64,
    /// Rows that break a rule.
    pub invalid: u64,
    /// Rows whose recipient an earlier row has.
    pub duplicate: u64,
    /// Rows with a suppressed recipient.
    pub suppressed: u64,
    /// The first 1,000 problems.
    #[serde(skip)]
    pub problems: Vec<RowProblem>,
    /// All problems.
    pub problem_count: u64,
    /// Everything that would be sent.
    pub total: Share,
    /// By encoding: `gsm7` and `ucs2`.
    pub by_encoding: BTreeMap<String, Share>,
    /// By the prefix of the price; the empty prefix has no price.
    pub by_prefix: BTreeMap<String, Share>,
    /// The currency of the prices.
    pub currency: Option<String>,
    /// How long it takes at the rate.
    pub duration: Option<Duration>,
    /// Whether delivery reports can settle rows whose outcome is unknown.
    pub reports_settle: bool,
    /// SHA-256 of the file, to be compared when the campaign is created.
    pub digest: Option<String>,
}

/// Reads a source to its end and reports what a campaign would do at `rate` rows per second. Memory holds the
/// recipients, and nothing else of the rows.
///
/// # Errors
/// When the source cannot be read or the template does not fit its columns.
pub fn plan(source: &mut dyn Source, messages: &Messages, rate: Option<f64>) -> Result<Plan> {
    let mut preparer = Preparer::new(messages, source.columns())?;
    let mut plan = Plan {
        reports_settle: provider::has_reference(preparer.operation()),
        currency: messages.prices.as_ref().map(|prices| prices.currency().to_owned()),
        ..Plan::default()
    };
    while let Some(columns) = source.next_row()? {
        let prepared = preparer.prepare(&columns);
        plan.rows += 1;
        match prepared.frozen.base {
            Base::Ready => {
                let (parts, price) = (prepared.frozen.parts, prepared.frozen.price);
                plan.valid += 1;
                plan.total.add(parts, price);
                if let Some(encoding) = prepared.encoding {
                    plan.by_encoding.entry(encoding.to_owned()).or_default().add(parts, price);
                }
                if let Some(prefix) = prepared.prefix {
                    plan.by_prefix.entry(prefix).or_default().add(parts, price);
                }
            }
            Base::Invalid => plan.invalid += 1,
            Base::Suppressed => plan.suppressed += 1,
            Base::Duplicate => plan.duplicate += 1,
        }
        plan.problem_count += prepared.problems.len() as u64;
        let left = KEPT_PROBLEMS.saturating_sub(plan.problems.len());
        plan.problems.extend(prepared.problems.into_iter().take(left));
    }
    plan.digest = source.digest();
    #[allow(clippy::cast_precision_loss)]
    let seconds = rate.map(|rate| plan.valid as f64 / rate);
    plan.duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    Ok(plan)
}
