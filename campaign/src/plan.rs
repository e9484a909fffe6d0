//! A dry run of a campaign. Nothing is sent or stored.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use cpaas::problem::codes::CAMPAIGN_FREQUENCY_CAP;
use cpaas::text::msisdn;
use cpaas::{OperationId, Problem};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde_json::Value;

use crate::blocking::open_journal;
use crate::campaign::{Place, check, check_rate, place, start_at};
use crate::chunk::ChunkRow;
use crate::cpaas_calls;
use crate::error::{Error, Result};
use crate::figures::letters;
use crate::frequency_cap::Contacts;
use crate::journal::{CHUNK_ROWS, Journal, OpenOptions};
use crate::kept::{Kept, RowId};
use crate::prepare::{Preparer, RowProblem};
use crate::prices::{Prices, RowPrice, format_amount};
use crate::protocol::CreationDecision;
use crate::recipients;
use crate::settings::{Messages, Settings};
use crate::source::Source;
use crate::suppression::SuppressionSummary;
use crate::window::time_zone;

/// The maximum number of problems in a plan. Further problems are only counted.
const KEPT_PROBLEMS: usize = 1000;
/// The number of rows that a group of problems names.
const NAMED_ROWS: usize = 3;
/// Without a frequency cap, messages of earlier campaigns within this time are compared.
const RECENT: Duration = Duration::from_secs(30 * 86_400);
/// The number of rendered requests in a plan.
const SAMPLES: usize = 3;
/// The number of digits by which rows without a price are counted: the longest country code.
const UNPRICED_DIGITS: usize = 3;

/// Rows, parts and price of one destination prefix, currency or encoding.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Share {
    /// Rows that would be sent.
    pub rows: u64,
    /// Their parts.
    pub parts: u64,
    /// Their price, as a decimal number; `None` if it is in several currencies.
    pub price: Option<String>,
    /// The currency of the price; `None` if there are several, or if no row has a price.
    pub currency: Option<String>,
    #[serde(skip)]
    billionths: i64,
    #[serde(skip)]
    has_several_currencies: bool,
}

impl Share {
    fn add(&mut self, parts: u32, price: &RowPrice) {
        self.rows += 1;
        self.parts += u64::from(parts);
        for (currency, (_, billionths)) in &price.by_currency {
            self.spend(currency, *billionths);
        }
        self.show_price();
    }

    fn spend(&mut self, currency: &str, billionths: i64) {
        self.billionths = self.billionths.saturating_add(billionths);
        self.has_several_currencies |= self.currency.as_deref().is_some_and(|known| known != currency);
        self.currency.get_or_insert_with(|| currency.to_owned());
    }

    fn show_price(&mut self) {
        self.price = (!self.has_several_currencies).then(|| format_amount(self.billionths));
        if self.has_several_currencies {
            self.currency = None;
        }
    }
}

/// A request that would be sent. `Debug` does not show it.
#[derive(Clone, Serialize)]
#[serde(transparent)]
pub struct Sample(pub Value);

impl std::fmt::Debug for Sample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sample(…)")
    }
}

/// The problems with one code and one message, whatever the figures in the message are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ProblemGroup {
    /// The rule.
    pub code: String,
    /// The number of problems.
    pub count: u64,
    /// The first three rows with such a problem, from 1.
    pub rows: Vec<u64>,
    /// The lines of the file in which these rows begin; empty if the rows are not those of a file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<u64>,
    /// The keys of these rows, if the messages name their column (`id`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<RowId>,
    /// The member of the first problem, as a JSON pointer.
    pub pointer: String,
    /// What the rule requires, for the first problem. The message quotes no value.
    pub message: String,
}

/// The result of a dry run.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct Plan {
    /// All rows.
    pub rows: u64,
    /// Rows that would be sent.
    pub valid: u64,
    /// Rows that break a rule.
    pub invalid: u64,
    /// Rows with the same recipient as an earlier row.
    pub duplicate: u64,
    /// Rows with a suppressed recipient, including those of the frequency cap.
    pub suppressed: u64,
    /// Rows that the frequency cap suppresses.
    pub frequency_capped: u64,
    /// Rows that break no rule, and with a recipient that had a message of an earlier campaign of the journal within `recent_seconds`;
    /// `None` without a journal.
    pub recently_contacted: Option<u64>,
    /// The time of `recently_contacted`: that of the frequency cap, or 30 days.
    pub recent_seconds: Option<u64>,
    /// The first 1,000 problems.
    #[serde(skip)]
    pub problems: Vec<RowProblem>,
    /// The number of all problems.
    pub problem_count: u64,
    /// All problems by their codes and messages, in the order in which they occur.
    pub problem_groups: Vec<ProblemGroup>,
    /// Warnings about the requests of valid rows, such as an unknown member: the first row for each member and rule, at most
    /// 1,000 warnings; and about columns in single braces (`SINGLE_BRACES`).
    pub warnings: Vec<RowProblem>,
    /// Everything that would be sent.
    pub total: Share,
    /// By encoding: `gsm7` and `ucs2`.
    pub by_encoding: BTreeMap<String, Share>,
    /// By destination prefix; `""` contains the rows without a price.
    pub by_prefix: BTreeMap<String, Share>,
    /// By currency: the rows with a recipient whose price is in this currency, and the parts and the price of these recipients.
    /// Empty for a campaign that was created, without new prices.
    pub by_currency: BTreeMap<String, Share>,
    /// The currency of all prices or of all rows; `None` without prices, or if there are several.
    pub currency: Option<String>,
    /// How long the campaign takes at the rate, from its start; `None` without a rate. With a send window it begins when the window
    /// is open for the first time after the start, and includes the times in which the window is closed, for each row in its own time
    /// zone; `None` for more than two years.
    pub duration: Option<Duration>,
    /// Whether delivery reports can settle rows whose outcome is unknown.
    pub reports_settle: bool,
    /// SHA-256 of the file, to be compared when the campaign is created.
    pub digest: Option<String>,
    /// The first three requests that would be sent.
    pub samples: Vec<Sample>,
    /// The number of rows with a recipient without a price, by the first three digits of the number; `""` for a recipient that is
    /// not a number. Duplicates and suppressed rows are not counted. Empty without prices.
    pub unpriced: BTreeMap<String, u64>,
    /// Whether the price of all rows exceeds the maximum spend, so that the campaign would halt.
    pub exceeds_max_spend: bool,
    /// The columns of the rows, from their header; `None` for rows without a header.
    pub header: Option<Vec<String>>,
    /// What was read of the suppression list.
    pub suppression: Option<SuppressionSummary>,
    /// What the user should know about the rows that would be sent, such as empty cells. The notes quote no cell.
    pub notes: Vec<String>,
    /// The local times of day between which rows are sent, such as 09:00-20:00.
    pub window: Option<String>,
    /// The time zone of the window and of the start: UTC if the campaign has none.
    pub time_zone: String,
    /// The moment before which no row is sent, in RFC 3339.
    pub start_at: Option<String>,
    /// The rows that would be sent, by the time zone that they name.
    #[serde(skip)]
    time_zones: BTreeMap<Option<String>, u64>,
}

/// Reads a source to its end and reports what a campaign with its rows would send. Only the recipients are kept in memory.
///
/// # Errors
/// When a setting is invalid, the source or the suppression list cannot be read, or the template uses a name that is not a column.
pub fn plan(source: &mut dyn Source, messages: &Messages, settings: &Settings) -> Result<Plan> {
    plan_with(None, source, messages, settings)
}

/// As [`plan`], for a campaign that is created in a journal: compares the recipients with those of its earlier campaigns.
///
/// # Errors
/// As [`plan`], or when the journal fails.
pub fn plan_in(
    journal: &mut Journal,
    source: &mut dyn Source,
    messages: &Messages,
    settings: &Settings,
) -> Result<Plan> {
    let within = messages.frequency_cap.map_or(RECENT, |cap| cap.within);
    let mut contacts = journal.contacts(within)?;
    if messages.frequency_cap.is_some() {
        journal.add_pending_contacts(&mut contacts)?;
    }
    plan_with(Some((contacts, within)), source, messages, settings)
}

/// As [`plan_in`], for the journal at an address, which is only read. A file that does not exist yet has no earlier campaigns.
///
/// # Errors
/// As [`plan_in`], or when the journal cannot be opened.
pub fn plan_at(url: &str, source: &mut dyn Source, messages: &Messages, settings: &Settings) -> Result<Plan> {
    if is_new_file(url) {
        let within = messages.frequency_cap.map_or(RECENT, |cap| cap.within);
        return plan_with(Some((Contacts::default(), within)), source, messages, settings);
    }
    plan_in(&mut open_journal(url, OpenOptions::to_read())?, source, messages, settings)
}

/// Whether [`create`](crate::campaign::create) would begin a file at this address. One whose lock file exists is lost.
fn is_new_file(url: &str) -> bool {
    let Ok(Place::File(path)) = place(url) else { return false };
    let is_missing =
        |path: &Path| path.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound);
    let mut lock = path.as_os_str().to_owned();
    lock.push("-lock");
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.is_none_or(Path::is_dir) && is_missing(path) && is_missing(Path::new(&lock))
}

fn plan_with(
    contacts: Option<(Contacts, Duration)>,
    source: &mut dyn Source,
    messages: &Messages,
    settings: &Settings,
) -> Result<Plan> {
    check(messages, settings)?;
    let recent = contacts.as_ref().map(|(_, within)| within.as_secs());
    let contacts = contacts.map(|(contacts, _)| contacts);
    let mut preparer = Preparer::new(messages, settings, source.columns(), contacts)?;
    let mut plan = Plan {
        recently_contacted: recent.map(|_| 0),
        recent_seconds: recent,
        reports_settle: cpaas_calls::has_reference(preparer.operation()),
        currency: messages.prices.as_ref().and_then(Prices::currency).map(str::to_owned),
        header: source.columns().map(<[String]>::to_vec),
        suppression: preparer.suppression().cloned(),
        ..Plan::default()
    };
    while let Some(columns) = source.next_row()? {
        let prepared = preparer.prepare(&columns, source.line());
        plan.count(&prepared.row, prepared.encoding, &prepared.price);
        plan.count_currencies(&prepared.row, &prepared.price);
        if let Some(rows) = &mut plan.recently_contacted {
            *rows += u64::from(prepared.is_known);
        }
        plan.show(&prepared.row);
        plan.count_unpriced(&prepared.row, prepared.unpriced.as_deref());
        plan.keep(prepared.problems);
        plan.warn(prepared.warnings, prepared.row.line, prepared.id);
        prepared.braces.into_iter().for_each(|warning| plan.add_warning(warning));
    }
    preparer.finish()?;
    plan.notes = preparer.notes();
    plan.digest = source.digest();
    plan.exceeds_max_spend = settings.max_spend.is_some_and(|limit| plan.total.billionths > limit);
    plan.finish(settings.rate, settings);
    Ok(plan)
}

/// The plan of a campaign that was created, from its stored rows. `prices` replaces the prices that it was created with.
///
/// # Errors
/// When the campaign was purged or the journal fails, or when the campaign has a maximum spend and the prices are in other currencies.
pub fn plan_created(
    journal: &mut Journal,
    name: &str,
    prices: Option<&Prices>,
    rate: Option<f64>,
) -> Result<Plan> {
    check_rate(rate)?;
    let mut campaign = journal.campaign(name)?;
    let suppression = campaign.settings.suppression.take();
    let operation = cpaas_calls::operation(&campaign.operation)?;
    let known = campaign.settings.currency.clone();
    if let Some(prices) = prices.filter(|_| campaign.settings.max_spend.is_some())
        && prices.currency() != known.as_deref()
    {
        let message = "the prices must be in the currency of the campaign, because its maximum spend is";
        return Err(Error::Setting(message.to_owned()));
    }
    let currency = prices.map_or(known, |prices| prices.currency().map(str::to_owned));
    let mut plan = Plan {
        reports_settle: campaign.settings.has_reference,
        currency,
        digest: Some(campaign.digest.clone()).filter(|digest| !digest.is_empty()),
        suppression,
        ..Plan::default()
    };
    for chunk in 0..journal.chunk_count(&campaign.id)? {
        let first = u64::from(chunk) * CHUNK_ROWS as u64 + 1;
        let mut kept = journal.kept(&campaign, chunk)?.into_iter();
        for (number, mut row) in (first..).zip(journal.rows(&campaign.id, chunk)?) {
            let price = match prices {
                Some(prices) => price(&row, prices),
                None => RowPrice::from_stored(&row, campaign.settings.currency.as_deref()),
            };
            plan.count(&row, encoding(operation, &row), &price);
            if prices.is_some() {
                plan.count_currencies(&row, &price);
            }
            plan.show(&row);
            let kept = kept.next().unwrap_or_default();
            if let Some(prices) = prices.filter(|_| row.base != CreationDecision::Invalid) {
                plan.count_unpriced(&row, recipients::unpriced(&row.recipients, prices));
            }
            if let Some(request) = row.request.as_ref().filter(|_| row.base == CreationDecision::Ready) {
                plan.warn(cpaas_calls::validate(operation, request.get()).warnings, row.line, None);
            }
            if row.base == CreationDecision::Invalid {
                let problem = row.problem.take().map(|found| found_at(number, row.line, &found, kept));
                plan.keep(problem.into_iter().collect());
            }
        }
    }
    if prices.is_none() && campaign.settings.has_several_currencies {
        plan.hide_prices();
    }
    let max_spend = campaign.settings.max_spend;
    plan.exceeds_max_spend = max_spend.is_some_and(|limit| plan.total.billionths > limit);
    plan.finish(rate.or(campaign.settings.rate), &campaign.settings);
    plan.notes.extend(journal.taken_over_by(&campaign).map(|by| {
        format!(
            "the campaign was taken over by the restored copy {by}, so this journal sends none of its rows"
        )
    }));
    Ok(plan)
}

/// The price of a row that was created, by its recipients.
fn price(row: &ChunkRow, prices: &Prices) -> RowPrice {
    let count = u32::try_from(row.recipients.len()).ok().filter(|count| *count > 0);
    count.map_or_else(RowPrice::default, |count| prices.of_row(&row.recipients, row.parts / count))
}

fn encoding(operation: OperationId, row: &ChunkRow) -> Option<&'static str> {
    let request: Value = serde_json::from_str(row.request.as_ref()?.get()).ok()?;
    cpaas_calls::parts(operation, &request).map(|(_, encoding)| encoding)
}

fn found_at(row: u64, line: Option<u64>, found: &str, kept: Kept) -> RowProblem {
    let first = found.split(',').next().unwrap_or_default();
    let (pointer, code) = first.rsplit_once(' ').unwrap_or(("", first));
    let message = "the row is invalid".to_owned();
    RowProblem { row, line, pointer: pointer.to_owned(), code: code.to_owned(), message, kept, id: None }
}

impl Plan {
    fn count(&mut self, row: &ChunkRow, encoding: Option<&str>, price: &RowPrice) {
        self.rows += 1;
        match row.base {
            CreationDecision::Ready => {
                self.valid += 1;
                self.total.add(row.parts, price);
                match self.time_zones.get_mut(&row.time_zone) {
                    Some(rows) => *rows += 1,
                    None => drop(self.time_zones.insert(row.time_zone.clone(), 1)),
                }
                if let Some(encoding) = encoding {
                    self.by_encoding.entry(encoding.to_owned()).or_default().add(row.parts, price);
                }
                if let Some(prefix) = &price.prefix {
                    self.by_prefix.entry(prefix.clone()).or_default().add(row.parts, price);
                }
            }
            CreationDecision::Invalid => self.invalid += 1,
            CreationDecision::Suppressed => {
                self.suppressed += 1;
                let is_capped = row.problem.as_deref() == Some(CAMPAIGN_FREQUENCY_CAP.id);
                self.frequency_capped += u64::from(is_capped);
            }
            CreationDecision::Duplicate => self.duplicate += 1,
        }
    }

    fn count_currencies(&mut self, row: &ChunkRow, price: &RowPrice) {
        if row.base == CreationDecision::Ready {
            for (currency, (parts, billionths)) in &price.by_currency {
                let share = self.by_currency.entry(currency.clone()).or_default();
                share.rows += 1;
                share.parts += u64::from(*parts);
                share.spend(currency, *billionths);
                share.show_price();
            }
        }
    }

    /// Leaves prices out that are unknown.
    fn hide_prices(&mut self) {
        for share in self.by_encoding.values_mut().chain([&mut self.total]) {
            share.has_several_currencies = true;
            share.show_price();
        }
    }

    /// Keeps the requests of the first rows.
    fn show(&mut self, row: &ChunkRow) {
        if self.samples.len() < SAMPLES
            && row.base == CreationDecision::Ready
            && let Some(request) = &row.request
        {
            self.samples.extend(serde_json::from_str(request.get()).map(Sample));
        }
    }

    /// Counts a recipient without a price, unless its row is a duplicate or suppressed.
    fn count_unpriced(&mut self, row: &ChunkRow, recipient: Option<&str>) {
        let is_left_out = matches!(row.base, CreationDecision::Duplicate | CreationDecision::Suppressed);
        if let Some(recipient) = recipient.filter(|_| !is_left_out) {
            let digits = if msisdn::is_canonical(recipient) { UNPRICED_DIGITS } else { 0 };
            let prefix: String = recipient.chars().take(digits).collect();
            *self.unpriced.entry(prefix).or_default() += 1;
        }
    }

    fn keep(&mut self, problems: Vec<RowProblem>) {
        self.problem_count += problems.len() as u64;
        for problem in &problems {
            self.group(problem);
        }
        let left = KEPT_PROBLEMS.saturating_sub(self.problems.len());
        self.problems.extend(problems.into_iter().take(left));
    }

    fn group(&mut self, problem: &RowProblem) {
        let groups = &mut self.problem_groups;
        let is_same = |group: &ProblemGroup| {
            group.code == problem.code && letters(&group.message).eq(letters(&problem.message))
        };
        let index = groups.iter().position(is_same).unwrap_or_else(|| {
            groups.push(ProblemGroup {
                code: problem.code.clone(),
                count: 0,
                rows: Vec::new(),
                lines: Vec::new(),
                ids: Vec::new(),
                pointer: problem.pointer.clone(),
                message: problem.message.clone(),
            });
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(index) {
            group.count += 1;
            if group.rows.len() < NAMED_ROWS && !group.rows.contains(&problem.row) {
                group.rows.push(problem.row);
                group.lines.extend(problem.line);
                group.ids.extend(problem.id.clone());
            }
        }
    }

    /// Adds warnings about the row that was counted last.
    fn warn(&mut self, warnings: Vec<Problem>, line: Option<u64>, id: Option<RowId>) {
        for warning in warnings {
            let problem = RowProblem::new(self.rows, warning);
            self.add_warning(RowProblem { line, id: id.clone(), ..problem });
        }
    }

    fn add_warning(&mut self, warning: RowProblem) {
        let is_known = |known: &RowProblem| known.pointer == warning.pointer && known.code == warning.code;
        if self.warnings.len() < KEPT_PROBLEMS && !self.warnings.iter().any(is_known) {
            self.warnings.push(warning);
        }
    }

    fn finish(&mut self, rate: Option<f64>, settings: &Settings) {
        self.total.show_price();
        self.currency = self.currency.take().or_else(|| self.total.currency.clone());
        self.window = settings.window.map(|window| window.to_string());
        self.time_zone = settings.time_zone.clone().unwrap_or_else(|| "UTC".to_owned());
        self.start_at = start_at(settings).ok().flatten().map(|start| start.to_string());
        self.duration = rate.and_then(|rate| duration(&self.time_zones, rate, settings, Timestamp::now()));
    }
}

/// The time from the first moment after the start of the campaign at which the window is open, until the rows of each time zone are sent at
/// this rate.
/// Without a window, it is the time that all rows take.
fn duration(
    time_zones: &BTreeMap<Option<String>, u64>,
    rate: f64,
    settings: &Settings,
    now: Timestamp,
) -> Option<Duration> {
    #[allow(clippy::cast_precision_loss)]
    let length = |rows: u64| SignedDuration::try_from_secs_f64(rows as f64 / rate).ok();
    let Some(window) = settings.window else { return length(time_zones.values().sum())?.try_into().ok() };
    let zone = |name: &Option<String>| {
        let name = name.as_deref().or(settings.time_zone.as_deref());
        name.map_or(Ok(TimeZone::UTC), time_zone).ok()
    };
    let left = time_zones.iter().map(|(name, rows)| Some((zone(name)?, length(*rows)?)));
    let left = left.collect::<Option<Vec<_>>>()?;
    let start = start_at(settings).ok()?.map_or(now, |start| start.max(now));
    let opening =
        |zone| if window.is_open(start, zone) { Some(start) } else { window.next_opening(start, zone) };
    let openings = left.iter().map(|(zone, _)| opening(zone));
    let opening = openings.collect::<Option<Vec<_>>>()?.into_iter().min().unwrap_or(start);
    window.end_of_rows(opening, left)?.duration_since(opening).try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::IteratorSource;
    use crate::template::Template;
    use crate::window::{StartTime, Window};
    use serde_json::json;

    /// As many rows as one row per second takes these hours, in the time zone of the campaign.
    fn rows_of_hours(hours: f64) -> BTreeMap<Option<String>, u64> {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let rows = (hours * 3600.0) as u64;
        BTreeMap::from([(None, rows)])
    }

    #[test]
    fn the_duration_includes_the_windows_of_the_time_zones_of_rows() {
        let template = json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi"});
        let mut messages = Messages::new("sms.send", Template::new(template).unwrap());
        messages.time_zone_column = Some("tz".to_owned());
        let row =
            |(phone, zone): (&str, &str)| json!({"phone": phone, "tz": zone}).as_object().unwrap().clone();
        let people = [("306900000001", "Asia/Tokyo"), ("306900000002", "Asia/Kolkata")];
        let settings = Settings {
            window: Some(Window::parse("09:00-12:00").unwrap()),
            rate: Some(1.0),
            ..Settings::default()
        };
        // Kolkata opens three hours and a half after Tokyo, and its row takes one second. Neither has clock changes.
        let mut source = IteratorSource(people.map(row).into_iter());
        let found = plan(&mut source, &messages, &settings).unwrap();
        // Before Tokyo opens: which zone opens first depends on the time of day.
        let now: Timestamp = "2026-01-15T20:00:00Z".parse().unwrap();
        let of_zones = duration(&found.time_zones, 1.0, &settings, now);
        assert_eq!(of_zones, Some(Duration::from_secs(3 * 3600 + 1800 + 1)));
        let mut source = IteratorSource(people[..1].iter().copied().map(row));
        let found = plan(&mut source, &messages, &settings).unwrap();
        assert_eq!(found.duration, Some(Duration::from_secs(1)));
    }

    #[test]
    fn the_duration_includes_the_times_in_which_the_window_is_closed() {
        let hours = |hours: f64, window: &str| {
            let settings = Settings { window: Some(Window::parse(window).unwrap()), ..Settings::default() };
            // Noon, and the windows are closed or have just opened.
            let now = if window.starts_with('0') { "2026-01-15T20:30:00Z" } else { "2026-01-15T12:00:00Z" };
            let found = duration(&rows_of_hours(hours), 1.0, &settings, now.parse().unwrap());
            found.unwrap().as_secs_f64() / 3600.0
        };
        assert_eq!(hours(5.0, "09:00-20:00"), 5.0);
        assert_eq!(hours(11.0, "09:00-20:00"), 11.0, "the whole window of one day");
        assert_eq!(hours(12.0, "09:00-20:00"), 25.0, "one night");
        assert_eq!(hours(22.0, "09:00-20:00"), 35.0);
        assert_eq!(hours(23.0, "09:00-20:00"), 49.0, "two nights");
        assert_eq!(hours(5.0, "22:00-02:00"), 25.0);
        assert_eq!(hours(100.0, "00:00-24:00"), 100.0);
        assert_eq!(hours(0.0, "09:00-20:00"), 0.0);
        let without = duration(&rows_of_hours(1.5), 2.0, &Settings::default(), Timestamp::now());
        assert_eq!(without, Some(Duration::from_secs(45 * 60)));
    }

    #[test]
    fn the_duration_begins_now_while_the_window_is_open() {
        let settings =
            Settings { window: Some(Window::parse("09:00-20:00").unwrap()), ..Settings::default() };
        let hours = |hours: f64, now: &str| {
            let found = duration(&rows_of_hours(hours), 1.0, &settings, now.parse().unwrap());
            found.unwrap().as_secs_f64() / 3600.0
        };
        assert_eq!(hours(2.0, "2026-01-15T10:00:00Z"), 2.0);
        assert_eq!(hours(2.0, "2026-01-15T19:00:00Z"), 15.0, "one hour today, a night, one hour tomorrow");
        assert_eq!(hours(2.0, "2026-01-15T20:00:00Z"), 2.0, "it has just closed");
    }

    #[test]
    fn the_duration_includes_the_hour_of_a_clock_change() {
        let mut settings = Settings {
            window: Some(Window::parse("09:00-20:00").unwrap()),
            time_zone: Some("Europe/Athens".to_owned()),
            ..Settings::default()
        };
        let hours = |settings: &Settings, now: &str| {
            let found = duration(&rows_of_hours(12.0), 1.0, settings, now.parse().unwrap());
            found.unwrap().as_secs() / 3600
        };
        assert_eq!(hours(&settings, "2026-10-23T00:00:00Z"), 25);
        assert_eq!(hours(&settings, "2026-10-24T00:00:00Z"), 26, "clocks go back in this night");
        assert_eq!(hours(&settings, "2026-10-24T18:00:00Z"), 25, "it begins on the next day");
        assert_eq!(hours(&settings, "2026-03-28T00:00:00Z"), 24, "clocks go forward in this night");
        settings.start_at = Some(StartTime::parse("2026-10-24T09:00").unwrap());
        assert_eq!(hours(&settings, "2026-07-01T00:00:00Z"), 26, "at the start of the campaign");
    }

    #[test]
    fn an_unknown_member_is_reported_once_as_a_warning() {
        let template =
            json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi", "txet": "Hi", "color": "red"});
        let messages = Messages::new("sms.send", Template::new(template).unwrap());
        let row = |phone: &str| json!({"phone": phone}).as_object().unwrap().clone();
        let rows = ["x", "306900000001", "306900000002"].map(row);
        let plan = plan(&mut IteratorSource(rows.into_iter()), &messages, &Settings::default()).unwrap();
        let warnings: Vec<_> =
            plan.warnings.iter().map(|warning| (warning.row, warning.pointer.as_str())).collect();
        assert_eq!(warnings, [(2, "/color"), (2, "/txet")]);
        assert_eq!(plan.warnings[0].code, "msg.field.unknown");
        assert_eq!((plan.valid, plan.problem_count), (2, 1));
    }

    #[test]
    fn problems_are_grouped_by_code_with_three_rows() {
        let template = json!({"from": "Acme", "to": "{{ phone }}", "text": "{{ text }}"});
        let messages = Messages::new("sms.send", Template::new(template).unwrap());
        let row =
            |phone: &str, text: &str| json!({"phone": phone, "text": text}).as_object().unwrap().clone();
        let mut rows = vec![row("306900000001", "Hi")];
        rows.extend((0..1_005).map(|_| row("+306900000002", "Hi")));
        rows.push(row("306900000003", ""));
        rows.push(row("+306900000004", ""));
        let plan = plan(&mut IteratorSource(rows.into_iter()), &messages, &Settings::default()).unwrap();
        let groups: Vec<_> = plan
            .problem_groups
            .iter()
            .map(|group| (group.code.as_str(), group.count, group.rows.as_slice(), group.pointer.as_str()))
            .collect();
        let expected: [(&str, u64, &[u64], &str); 2] = [
            ("sms.to.not_digits", 1_006, &[2, 3, 4], "/to"),
            ("sms.text.required", 2, &[1_007, 1_008], "/text"),
        ];
        assert_eq!(groups, expected);
        assert_eq!((plan.problems.len(), plan.problem_count), (1_000, 1_008));
        let json = serde_json::to_value(&plan).unwrap();
        assert_eq!(json["problem_groups"][0]["count"], 1_006);
    }

    #[test]
    fn problems_have_the_keys_of_their_rows() {
        let template = json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi", "color": "red"});
        let mut messages = Messages::new("sms.send", Template::new(template).unwrap());
        messages.id = Some("customer".to_owned());
        let row = |value: Value| value.as_object().unwrap().clone();
        let rows = [
            row(json!({"phone": "306900000001", "customer": "c1"})),
            row(json!({"phone": "x", "customer": 7})),
            row(json!({"phone": "y"})),
            row(json!({"phone": "z", "customer": ["a", null]})),
            row(json!({"phone": "w", "customer": "c5"})),
        ];
        let settings = Settings::default();
        let found = plan(&mut IteratorSource(rows.clone().into_iter()), &messages, &settings).unwrap();
        let ids: Vec<Value> = found.problems.iter().map(|problem| json!(problem.id)).collect();
        assert_eq!(ids, [json!(7), json!(null), json!(["a", null]), json!("c5")]);
        assert_eq!(json!(found.problem_groups[0].ids), json!([7, null, ["a", null]]));
        assert_eq!(json!(found.warnings[0].id), json!("c1"));
        assert!(!format!("{found:?}").contains("c5"), "Debug shows keys");
        messages.id = Some("client".to_owned());
        let error = plan(&mut IteratorSource(rows.into_iter()), &messages, &settings).unwrap_err();
        assert_eq!(error.to_string(), "id: expected the column `client`, got the columns customer, phone");
    }

    #[test]
    fn each_reason_of_a_code_has_a_group_of_its_own() {
        let template = json!({"from": "Acme", "to": "{{ phone | normalize_number('GR') }}", "text": "Hi"});
        let messages = Messages::new("sms.send", Template::new(template).unwrap());
        let row = |phone: &str| json!({"phone": phone}).as_object().unwrap().clone();
        let rows = ["abc", "", "691234567", "306912345678.0", "xyz", "69123456"].map(row);
        let plan = plan(&mut IteratorSource(rows.into_iter()), &messages, &Settings::default()).unwrap();
        let groups: Vec<_> =
            plan.problem_groups.iter().map(|group| (group.code.as_str(), group.rows.as_slice())).collect();
        let expected: [(&str, &[u64]); 4] =
            [("TEMPLATE", &[1, 5]), ("TEMPLATE", &[2]), ("TEMPLATE", &[3, 6]), ("TEMPLATE", &[4])];
        assert_eq!(groups, expected);
        assert_eq!(plan.problem_groups.iter().map(|group| group.count).sum::<u64>(), plan.problem_count);
    }

    #[test]
    fn messages_that_differ_in_figures_have_one_group() {
        let template = json!({"from": "Acme", "to": "306900000001", "text": "{{ text }}"});
        let mut messages = Messages::new("sms.send", Template::new(template).unwrap());
        messages.max_parts = Some(1);
        let row = |length: usize| json!({"text": "A".repeat(length)}).as_object().unwrap().clone();
        let rows = [200, 400, 2_000].map(row);
        let plan = plan(&mut IteratorSource(rows.into_iter()), &messages, &Settings::default()).unwrap();
        let groups: Vec<_> = plan.problem_groups.iter().map(|group| (group.count, &group.rows)).collect();
        assert_eq!(groups, [(3, &vec![1, 2, 3])]);
    }

    #[test]
    fn rows_that_are_not_sent_have_no_part_in_the_rows_without_a_price() {
        let prices = Prices::read(&b"prefix,price,currency\n306,0.05,EUR"[..]).unwrap();
        let template = json!({"from": "Acme", "to": "{{ phone }}", "text": "{{ text }}"});
        let mut messages = Messages::new("sms.send", Template::new(template).unwrap());
        messages.prices = Some(prices);
        let row =
            |phone: &str, text: &str| json!({"phone": phone, "text": text}).as_object().unwrap().clone();
        let rows = [
            row("447400000001", "Hi"),
            row("447400000001", "Hi"),
            row("447400000001", "Hi"),
            row("447400000002", ""),
        ];
        let plan = plan(&mut IteratorSource(rows.into_iter()), &messages, &Settings::default()).unwrap();
        assert_eq!((plan.valid, plan.duplicate, plan.invalid), (1, 2, 1));
        assert_eq!(plan.unpriced, [("447".to_owned(), 1)].into_iter().collect());
    }

    #[test]
    fn a_recipient_that_is_not_a_number_has_no_price() {
        let prices = Prices::read(&b"prefix,price,currency\n306,0.05,EUR\n691,0.01,EUR"[..]).unwrap();
        let template = json!({
            "trafficAccountId": "0f8fad5b-d9cb-469f-a165-70867728950e",
            "destination": "{{ phone }}",
            "sms": {"text": "Hi", "sender": "Acme"}
        });
        let mut messages = Messages::new("messages.send", Template::new(template).unwrap());
        messages.prices = Some(prices);
        let row = |phone: &str| json!({"phone": phone}).as_object().unwrap().clone();
        let rows = ["+306900000001", "691 234 5678", "447000000001"].map(row);
        let plan = plan(&mut IteratorSource(rows.into_iter()), &messages, &Settings::default()).unwrap();
        assert_eq!((plan.valid, plan.total.price.as_deref()), (3, Some("0.05")));
        let expected = [(String::new(), 1), ("447".to_owned(), 1)];
        assert_eq!(plan.unpriced, expected.into_iter().collect());
    }

    #[test]
    fn a_campaign_reserves_the_price_of_an_unassigned_number() {
        // 306012345678 is not in an assigned range. Its row is valid, so it may be sent.
        let template = json!({"from": "Acme", "to": "{{ phone }}", "text": "Hi"});
        let mut messages = Messages::new("sms.send", Template::new(template).unwrap());
        messages.prices =
            Some(Prices::read(&b"prefix,price,currency\n30,0.05,EUR\n306,0.04,EUR"[..]).unwrap());
        let row = |phone: &str| json!({"phone": phone}).as_object().unwrap().clone();
        let mut rows = IteratorSource(["306012345678"].map(row).into_iter());
        let plan = plan(&mut rows, &messages, &Settings::default()).unwrap();
        assert_eq!((plan.valid, plan.total.price.as_deref(), plan.unpriced.len()), (1, Some("0.04"), 0));
    }
    #[test]
    fn prices_in_several_currencies_have_a_sum_for_each() {
        let template = json!({"from": "Acme", "to": "{{ phone }}", "text": "{{ text }}"});
        let mut messages = Messages::new("sms.send", Template::new(template).unwrap());
        let csv = "prefix,price,currency\n30,0.05,EUR\n306,0.0375,EUR\n44,0.04,GBP\n1,0.01,USD";
        messages.prices = Some(Prices::read(csv.as_bytes()).unwrap());
        let row =
            |phone: &str, text: &str| json!({"phone": phone, "text": text}).as_object().unwrap().clone();
        let long = "я".repeat(71);
        let rows = vec![
            row("306900000001", "Hi"),
            row("302101234567", "Hi"),
            row("447400123456", &long),
            row("306900000001", "Hi"),
            row("4915112345678", "Hi"),
        ];
        let settings = Settings::default();
        let found = plan(&mut IteratorSource(rows.clone().into_iter()), &messages, &settings).unwrap();
        let by = |shares: &BTreeMap<String, Share>| {
            let share = |(name, share): (&String, &Share)| {
                (name.clone(), share.rows, share.parts, share.price.clone(), share.currency.clone())
            };
            shares.iter().map(share).collect::<Vec<_>>()
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            by(&found.by_currency),
            [
                ("EUR".into(), 2, 2, some("0.0875"), some("EUR")),
                ("GBP".into(), 1, 2, some("0.08"), some("GBP"))
            ]
        );
        assert_eq!(
            by(&found.by_encoding),
            [
                ("gsm7".into(), 3, 3, some("0.0875"), some("EUR")),
                ("ucs2".into(), 1, 2, some("0.08"), some("GBP"))
            ]
        );
        assert_eq!(by(&found.by_prefix)[0], (String::new(), 1, 1, some("0"), None));
        let total = &found.total;
        assert_eq!((total.rows, total.parts, &total.price, &total.currency), (4, 5, &None, &None));
        assert_eq!((found.valid, found.duplicate, found.currency), (4, 1, None));
        // All rows in one of the currencies: there is one sum.
        let found = plan(&mut IteratorSource(rows[..2].iter().cloned()), &messages, &settings).unwrap();
        assert_eq!((found.total.price.as_deref(), found.currency.as_deref()), (Some("0.0875"), Some("EUR")));
        let capped = Settings { max_spend: Some(1), ..Settings::default() };
        let error = plan(&mut IteratorSource(rows.into_iter()), &messages, &capped).unwrap_err();
        let expected = "the maximum spend requires prices in one currency, because it is one amount";
        assert_eq!(error.to_string(), expected);
    }
}
