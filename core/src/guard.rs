//! A guard against pumping: fraud that requests passcodes for many numbers of an operator that shares its revenue.
//!
//! A client consults the guard of [`Client::guard`](crate::Client::guard) before the first attempt of each `otp.send`, and of each
//! `sms.send` if [`GuardSettings::includes_sms`] is set (never `sms.send_bulk` and `messages.*`). A refused call is `invalid` with a problem `guard.…`, and nothing is sent. A
//! successful `otp.verify` counts as the conversion of its passcode. A call does not count if its error proves that nothing was sent
//! ([`Record::processed`](crate::error::Record::processed) is `No`: not sent, or rejected by a working provider); one that was dropped
//! counts. [`RawCall`](crate::client::RawCall) and requests that another HTTP client sends after
//! [`OperationId::prepare_json`](crate::OperationId::prepare_json) are not guarded.
//!
//! | Problem | Refused | Default | Source |
//! |---|---|---|---|
//! | `guard.recipient` | a further message to a number | 3 in 10 minutes, 5 in an hour | limits that Telnyx recommends (Verify, security best practices) |
//! | `guard.sequence` | a further number in a run of consecutive numbers | 5 numbers | "a block of adjacent numbers" is the first sign of an attack (Twilio, Preventing fraud in Verify); the length is ours |
//! | `guard.range` | a further number with the same digits except the last four | 20 numbers in 10 minutes | operators assign numbers in blocks of 10,000 (ITU-T E.164); the limit is ours |
//! | `guard.prefix` | a further message with the same digits except the last seven | 200 messages in 10 minutes | ours; raise it if you send more |
//! | `guard.country` | a further message with the same country code (ITU-T E.164) | 1,000 messages in 10 minutes | ours; raise it if you send more |
//! | `guard.conversion` | every message of a prefix whose passcodes are not entered | off; if [`GuardSettings::min_conversion`] is set, at least 30 passcodes in 24 hours are counted | a falling conversion rate shows an attack (Twilio); the numbers are ours |
//! | `guard.unavailable` | every message while the store fails, or does not answer within five seconds and the deadline of the call | refused | [`GuardSettings::sends_without_store`], which waits for at most half of the time to the deadline |
//!
//! So an attack on numbers with the same digits except the last seven costs at most 200 messages in 10 minutes, and one that is spread
//! over the prefixes of a country at most 1,000. After [`GuardSettings::grace`], [`GuardSettings::min_conversion`] stops each prefix whose
//! passcodes are not entered. If you send to few countries, limit them with the setting `allow_countries`. Countries that share a country
//! code, such as those of +1, count together.
//!
//! Messages whose passcode was entered do not count for runs, ranges, prefixes and countries. A message younger than
//! [`GuardSettings::grace`] does not count as not entered.
//!
//! [`MemoryGuardStore`] counts for one process, until it ends. Several processes share `SqlGuardStore` of the crate `cpaas-campaign`, in
//! an SQLite file or in Postgres, or a store of your own; otherwise each has limits of its own. The conversion needs one store for all
//! processes that send or verify passcodes, and its counters must survive a restart: a process that does not see the `otp.verify` of
//! another one counts its passcode as not entered. That is why the rule is off by default.
//!
//! After a call the client waits for the store at most one second, and not longer than the deadline of the call. A
//! [`Clock`](crate::clock::Clock) that cannot wait sets no limit.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::clock::BoxFuture;
use crate::error::Error;
use crate::json::type_names;
use crate::problem::{Code, codes};
use crate::suppression::StoreError;
use crate::util::serde_message;

/// The most messages that [`MemoryGuardStore`] remembers of one prefix, and the most ids.
const MAX_REMEMBERED: usize = 10_000;

/// After how many messages the old messages of all prefixes are removed.
const SWEEP_INTERVAL: usize = 1_000;

/// Windows and thresholds of a [`Guard`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GuardSettings {
    /// Messages to one number, each limit in its window.
    pub recipient_limits: Vec<(usize, Duration)>,
    /// The longest run of consecutive numbers within [`Self::window`].
    pub max_sequence: usize,
    /// Numbers with the same digits except the last four, within [`Self::window`].
    pub max_range: usize,
    /// Messages with the same digits except the last seven, within [`Self::window`].
    pub max_prefix: usize,
    /// Messages with the same country code, within [`Self::window`].
    pub max_country: usize,
    /// The window of runs, ranges, prefixes and countries.
    pub window: Duration,
    /// The share of passcodes that must be entered, from 0 to 1, such as 0.2; 0 disables the rule. It needs a store that all
    /// processes share.
    pub min_conversion: f64,
    /// The passcodes of a prefix from which on their share counts.
    pub min_passcodes: usize,
    /// The window of the share.
    pub conversion_window: Duration,
    /// The time that a person has to enter a passcode before it counts as not entered.
    pub grace: Duration,
    /// Whether `sms.send` is guarded too. Its messages have no conversion. `sms.send_bulk` and `messages.*` are never guarded.
    pub includes_sms: bool,
    /// Whether messages are sent while the store fails, or does not answer within five seconds and half of the time that is left to the
    /// deadline of the call; the other half is for sending.
    pub sends_without_store: bool,
}

impl Default for GuardSettings {
    fn default() -> Self {
        let minutes = |count: u64| Duration::from_secs(60 * count);
        Self {
            recipient_limits: vec![(3, minutes(10)), (5, minutes(60))],
            max_sequence: 5,
            max_range: 20,
            max_prefix: 200,
            max_country: 1_000,
            window: minutes(10),
            min_conversion: 0.0,
            min_passcodes: 30,
            conversion_window: minutes(24 * 60),
            grace: minutes(2),
            includes_sms: false,
            sends_without_store: false,
        }
    }
}

/// [`GuardSettings`] as JSON; times are seconds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SettingsJson {
    recipient_limits: Vec<(usize, f64)>,
    max_sequence: usize,
    max_range: usize,
    max_prefix: usize,
    max_country: usize,
    window: f64,
    min_conversion: f64,
    min_passcodes: usize,
    conversion_window: f64,
    grace: f64,
    includes_sms: bool,
    sends_without_store: bool,
}

impl Default for SettingsJson {
    fn default() -> Self {
        let settings = GuardSettings::default();
        let limits = settings.recipient_limits.iter();
        Self {
            recipient_limits: limits.map(|(max, window)| (*max, window.as_secs_f64())).collect(),
            max_sequence: settings.max_sequence,
            max_range: settings.max_range,
            max_prefix: settings.max_prefix,
            max_country: settings.max_country,
            window: settings.window.as_secs_f64(),
            min_conversion: settings.min_conversion,
            min_passcodes: settings.min_passcodes,
            conversion_window: settings.conversion_window.as_secs_f64(),
            grace: settings.grace.as_secs_f64(),
            includes_sms: settings.includes_sms,
            sends_without_store: settings.sends_without_store,
        }
    }
}

/// The error of settings that cannot be read: names the first member that is invalid when it is the only one, and what it must be.
fn invalid_settings(json: &str, error: &serde_json::Error) -> Error {
    let members = match serde_json::from_str(json) {
        Ok(Value::Object(members)) => members,
        Ok(_) => return Error::config("the settings of a guard must be a JSON object"),
        Err(error) => return Error::config(format!("the settings of a guard are invalid JSON: {error}")),
    };
    let alone = |(name, value): (String, Value)| {
        let error = SettingsJson::deserialize(Value::Object(Map::from_iter([(name.clone(), value.clone())])))
            .err()?;
        Some((name, value, error.to_string()))
    };
    let Some((name, value, text)) = members.into_iter().find_map(alone) else {
        return Error::config(format!("the settings of a guard are invalid: {error}")); // a member that occurs twice
    };
    let Some(expected) = expected_value(&name) else {
        return Error::config(format!("the settings of a guard are invalid: {text}")); // unknown field
    };
    let found = serde_message::found_type(&text).filter(|_| !value.is_number() && !value.is_array());
    let got = found.map_or_else(String::new, |found| format!(", got {found}"));
    Error::config(format!("`{name}` must be {expected}{got}"))
}

/// What a setting must be; `None` for an unknown one.
fn expected_value(name: &str) -> Option<&'static str> {
    Some(match name {
        "recipient_limits" => "an array of pairs of a count and a window in seconds, such as [[3, 600]]",
        "max_sequence" | "max_range" | "max_prefix" | "max_country" | "min_passcodes" => {
            "an integer of 1 or greater"
        }
        "window" | "conversion_window" | "grace" => "a number of seconds",
        "min_conversion" => "a number from 0 to 1",
        "includes_sms" | "sends_without_store" => type_names::BOOLEAN,
        _ => return None,
    })
}

fn seconds(name: &str, value: f64) -> Result<Duration, Error> {
    Duration::try_from_secs_f64(value)
        .map_err(|_| Error::config(format!("`{name}` must be a number of seconds that is not negative")))
}

impl GuardSettings {
    /// Settings from a JSON object with the names of the fields; times are seconds. A field that is absent has its default.
    ///
    /// ```
    /// use cpaas::guard::GuardSettings;
    /// let settings = GuardSettings::from_json(r#"{"recipient_limits": [[3, 600]], "max_prefix": 500}"#)?;
    /// assert_eq!((settings.recipient_limits.len(), settings.max_prefix, settings.max_range), (1, 500, 20));
    /// assert!(GuardSettings::from_json(r#"{"max_prefixes": 500}"#).is_err());
    /// # Ok::<(), cpaas::Error>(())
    /// ```
    ///
    /// # Errors
    /// `invalid` with the reason `config`: an unknown field, or a value of another type. [`Guard::with_store`] checks the values.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let given: SettingsJson =
            serde_json::from_str(json).map_err(|error| invalid_settings(json, &error))?;
        // serde reads an array as a struct too.
        if !json.trim_start().starts_with('{') {
            return Err(Error::config("the settings of a guard must be a JSON object"));
        }
        let limits = given.recipient_limits.into_iter();
        Ok(Self {
            recipient_limits: limits
                .map(|(max, window)| Ok((max, seconds("recipient_limits", window)?)))
                .collect::<Result<_, Error>>()?,
            max_sequence: given.max_sequence,
            max_range: given.max_range,
            max_prefix: given.max_prefix,
            max_country: given.max_country,
            window: seconds("window", given.window)?,
            min_conversion: given.min_conversion,
            min_passcodes: given.min_passcodes,
            conversion_window: seconds("conversion_window", given.conversion_window)?,
            grace: seconds("grace", given.grace)?,
            includes_sms: given.includes_sms,
            sends_without_store: given.sends_without_store,
        })
    }

    /// How long a store must remember a message. [`Self::conversion_window`] does not count while [`Self::min_conversion`] is 0.
    #[must_use]
    pub fn longest_window(&self) -> Duration {
        let recipient = self.recipient_limits.iter().map(|(_, window)| *window).max().unwrap_or_default();
        let conversion = if self.min_conversion > 0.0 { self.conversion_window } else { Duration::ZERO };
        recipient.max(self.window).max(conversion)
    }

    fn check(&self) -> Result<(), Error> {
        if self.recipient_limits.iter().any(|(max, window)| *max == 0 || window.is_zero()) {
            return Err(Error::config(
                "`recipient_limits` must contain counts of 1 or greater, and windows greater than 0 seconds",
            ));
        }
        at_least_one("max_sequence", self.max_sequence)?;
        at_least_one("max_range", self.max_range)?;
        at_least_one("max_prefix", self.max_prefix)?;
        at_least_one("max_country", self.max_country)?;
        at_least_one("min_passcodes", self.min_passcodes)?;
        positive("window", self.window)?;
        positive("conversion_window", self.conversion_window)?;
        if (0.0..=1.0).contains(&self.min_conversion) {
            return Ok(());
        }
        Err(Error::config("`min_conversion` must be from 0 to 1"))
    }
}

fn at_least_one(name: &str, count: usize) -> Result<(), Error> {
    if count > 0 {
        return Ok(());
    }
    Err(Error::config(format!("`{name}` must be 1 or greater")))
}

fn positive(name: &str, window: Duration) -> Result<(), Error> {
    if !window.is_zero() {
        return Ok(());
    }
    Err(Error::config(format!("`{name}` must be greater than 0 seconds")))
}

/// Why a message is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GuardReason {
    /// Too many messages to this number.
    Recipient,
    /// A run of consecutive numbers.
    Sequence,
    /// Too many numbers that differ in their last four digits.
    Range,
    /// Too many messages to numbers that differ in their last seven digits.
    Prefix,
    /// Too many messages to numbers with the same country code.
    Country,
    /// Too few passcodes of the prefix are entered.
    Conversion,
}

impl GuardReason {
    pub(crate) const fn code(self) -> &'static Code {
        match self {
            Self::Recipient => &codes::GUARD_RECIPIENT,
            Self::Sequence => &codes::GUARD_SEQUENCE,
            Self::Range => &codes::GUARD_RANGE,
            Self::Prefix => &codes::GUARD_PREFIX,
            Self::Country => &codes::GUARD_COUNTRY,
            Self::Conversion => &codes::GUARD_CONVERSION,
        }
    }
}

/// A message that is about to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GuardRequest {
    /// The number in its canonical form.
    pub number: String,
    /// Whether it is a passcode.
    pub is_passcode: bool,
    /// The time since 1970.
    pub now: Duration,
}

impl GuardRequest {
    /// A message to a number at a time.
    #[must_use]
    pub fn new(number: impl Into<String>, is_passcode: bool, now: Duration) -> Self {
        Self { number: number.into(), is_passcode, now }
    }

    /// The number as an integer. `None` for a text that is not a number: a store counts nothing for it and refuses nothing.
    #[must_use]
    pub fn digits(&self) -> Option<u64> {
        self.number.parse().ok()
    }

    /// The digits of the number except the last seven; of a short number except the last four. A store counts each prefix for
    /// itself.
    #[must_use]
    pub fn prefix(&self) -> Option<u64> {
        self.digits().map(prefix)
    }

    /// The digits of the number except the last four.
    #[must_use]
    pub fn range(&self) -> Option<u64> {
        self.digits().map(range)
    }

    /// The country code of the number, one to three digits (ITU-T E.164).
    #[must_use]
    pub fn country(&self) -> Option<u64> {
        self.digits().map(country)
    }
}

/// The counters of a guard: [`MemoryGuardStore`], `SqlGuardStore` of the crate `cpaas-campaign`, or one of your own.
///
/// `admit` must be atomic for one [country](GuardRequest::country). It counts what it remembers, and
/// [`GuardSettings::refusal`] decides. What is older than [`GuardSettings::longest_window`] may be removed.
pub trait GuardStore: Send + Sync + 'static {
    /// Counts a message and returns `None`, or returns why it is refused and counts nothing.
    fn admit<'a>(
        &'a self,
        request: &'a GuardRequest,
        settings: &'a GuardSettings,
    ) -> BoxFuture<'a, Result<Option<GuardReason>, StoreError>>;

    /// Withdraws a message that `admit` counted, because nothing was sent.
    fn withdraw<'a>(&'a self, request: &'a GuardRequest) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Remembers the id of an accepted passcode.
    fn sent<'a>(&'a self, id: &'a str, request: &'a GuardRequest) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Counts the passcode with this id as entered.
    fn converted<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<(), StoreError>>;
}

/// Settings and a store, for [`Client::guard`](crate::Client::guard).
#[derive(Clone)]
pub struct Guard {
    pub(crate) settings: GuardSettings,
    pub(crate) store: Arc<dyn GuardStore>,
}

impl Guard {
    /// A guard that counts in memory.
    ///
    /// # Errors
    /// As [`Guard::with_store`].
    pub fn new(settings: GuardSettings) -> Result<Self, Error> {
        Self::with_store(settings, Arc::new(MemoryGuardStore::default()))
    }

    /// A guard that counts in a store.
    ///
    /// # Errors
    /// `invalid` with the reason `config`: a count or a window is 0, or the share is not from 0 to 1.
    pub fn with_store(settings: GuardSettings, store: Arc<dyn GuardStore>) -> Result<Self, Error> {
        settings.check()?;
        Ok(Self { settings, store })
    }
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// A store in memory, for one process.
#[derive(Debug, Default)]
pub struct MemoryGuardStore {
    state: Mutex<State>,
}

/// A prefix of numbers or a country code, and whether the messages are passcodes.
type Key = (u64, bool);

#[derive(Debug, Default)]
struct State {
    messages: HashMap<Key, VecDeque<Message>>,
    /// The messages of each country within the window, without those whose passcode was entered.
    countries: HashMap<Key, VecDeque<Message>>,
    ids: HashMap<String, (Key, u64)>,
    /// The ids from the oldest to the newest.
    order: VecDeque<String>,
    /// The messages since all prefixes were swept.
    unswept: usize,
}

#[derive(Debug)]
struct Message {
    at: Duration,
    number: u64,
    is_converted: bool,
}

impl MemoryGuardStore {
    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl GuardStore for MemoryGuardStore {
    fn admit<'a>(
        &'a self,
        request: &'a GuardRequest,
        settings: &'a GuardSettings,
    ) -> BoxFuture<'a, Result<Option<GuardReason>, StoreError>> {
        Box::pin(async move { Ok(self.with(|state| state.admit(request, settings))) })
    }

    fn withdraw<'a>(&'a self, request: &'a GuardRequest) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            self.with(|state| state.withdraw(request));
            Ok(())
        })
    }

    fn sent<'a>(&'a self, id: &'a str, request: &'a GuardRequest) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            self.with(|state| state.sent(id, request));
            Ok(())
        })
    }

    fn converted<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            self.with(|state| state.converted(id));
            Ok(())
        })
    }
}

/// The digits of a number except the last seven; of a short number except the last four.
const fn prefix(number: u64) -> u64 {
    if number >= 1_000_000_000 { number / 10_000_000 } else { range(number) }
}

/// The digits of a number except the last four.
const fn range(number: u64) -> u64 {
    number / 10_000
}

/// The country code of a number (ITU-T E.164): one digit in the zones 1 and 7, two digits if they are in the list, else three.
fn country(number: u64) -> u64 {
    const TWO_DIGITS: [u64; 44] = [
        20, 27, 30, 31, 32, 33, 34, 36, 39, 40, 41, 43, 44, 45, 46, 47, 48, 49, 51, 52, 53, 54, 55, 56, 57,
        58, 60, 61, 62, 63, 64, 65, 66, 81, 82, 84, 86, 90, 91, 92, 93, 94, 95, 98,
    ];
    let mut first = number;
    while first >= 1_000 {
        first /= 10;
    }
    match first {
        100..200 | 700..800 => first / 100,
        _ if TWO_DIGITS.contains(&(first / 10)) => first / 10,
        _ => first,
    }
}

impl State {
    fn admit(&mut self, request: &GuardRequest, settings: &GuardSettings) -> Option<GuardReason> {
        let number = request.digits()?;
        let (now, longest) = (request.now, settings.longest_window());
        self.unswept += 1;
        if self.unswept >= SWEEP_INTERVAL {
            self.unswept = 0;
            remove_old_everywhere(&mut self.messages, now, longest);
            remove_old_everywhere(&mut self.countries, now, settings.window);
        }
        let messages = self.messages.entry((prefix(number), request.is_passcode)).or_default();
        remove_old(messages, now, longest);
        let of_country = self.countries.entry((country(number), request.is_passcode)).or_default();
        remove_old(of_country, now, settings.window);
        let refused = settings.refusal(request, &counts(messages, of_country, number, request, settings));
        if refused.is_none() {
            if messages.len() >= MAX_REMEMBERED {
                messages.pop_front();
            }
            messages.push_back(Message { at: now, number, is_converted: false });
            of_country.push_back(Message { at: now, number, is_converted: false });
        }
        refused
    }

    fn withdraw(&mut self, request: &GuardRequest) {
        let Some(number) = request.digits() else { return };
        let messages = (&mut self.messages, prefix(number));
        for (counted, group) in [messages, (&mut self.countries, country(number))] {
            let key = (group, request.is_passcode);
            let Some(messages) = counted.get_mut(&key) else { continue };
            let index = messages.iter().rposition(|message| {
                message.number == number && message.at == request.now && !message.is_converted
            });
            if let Some(index) = index {
                messages.remove(index);
            }
            if messages.is_empty() {
                counted.remove(&key);
            }
        }
    }

    fn sent(&mut self, id: &str, request: &GuardRequest) {
        let Some(number) = request.digits() else { return };
        self.ids.insert(id.to_owned(), ((prefix(number), request.is_passcode), number));
        self.order.push_back(id.to_owned());
        if self.order.len() > MAX_REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.ids.remove(&oldest);
        }
    }

    /// The person proved to have the phone: all passcodes to this number count as entered.
    fn converted(&mut self, id: &str) {
        let Some((key, number)) = self.ids.remove(id) else { return };
        let messages = self.messages.get_mut(&key).into_iter().flatten();
        messages.filter(|message| message.number == number).for_each(|message| message.is_converted = true);
        if let Some(of_country) = self.countries.get_mut(&(country(number), true)) {
            of_country.retain(|message| message.number != number);
        }
    }
}

fn remove_old(messages: &mut VecDeque<Message>, now: Duration, longest: Duration) {
    while messages.front().is_some_and(|first| now.saturating_sub(first.at) >= longest) {
        messages.pop_front();
    }
}

fn remove_old_everywhere(messages: &mut HashMap<Key, VecDeque<Message>>, now: Duration, longest: Duration) {
    messages.retain(|_, messages| {
        remove_old(messages, now, longest);
        !messages.is_empty()
    });
}

/// What a store counted of the messages that it remembers, for [`GuardSettings::refusal`]. Messages to the same prefix
/// ([`GuardRequest::prefix`]) that are passcodes as the request is, or are not as it is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GuardCounts {
    /// For each of [`GuardSettings::recipient_limits`], the messages to the number within its window.
    pub to_recipient: Vec<usize>,
    /// The open numbers that differ from the number by at most [`GuardSettings::max_sequence`], and the number itself if it is open. A
    /// number is open if a message within [`GuardSettings::window`] was sent to it whose passcode was not entered.
    pub neighbors: Vec<u64>,
    /// The open numbers that have the same [`GuardRequest::range`].
    pub in_range: usize,
    /// The messages to open numbers whose passcodes were not entered.
    pub in_prefix: usize,
    /// The same for all numbers with the same [`GuardRequest::country`].
    pub in_country: usize,
    /// The messages within [`GuardSettings::conversion_window`] whose passcodes were entered, or that are older than
    /// [`GuardSettings::grace`].
    pub passcodes: usize,
    /// Those of them whose passcodes were entered.
    pub entered: usize,
}

impl GuardSettings {
    /// Why a message is refused, from what a store counted before it.
    #[must_use]
    pub fn refusal(&self, request: &GuardRequest, counts: &GuardCounts) -> Option<GuardReason> {
        let number = request.digits()?;
        if self.recipient_limits.iter().zip(&counts.to_recipient).any(|((max, _), count)| count >= max) {
            return Some(GuardReason::Recipient);
        }
        let numbers: HashSet<u64> = counts.neighbors.iter().copied().collect();
        let run = |next: fn(u64, u64) -> Option<u64>| {
            (1..).take_while(|steps| next(number, *steps).is_some_and(|one| numbers.contains(&one))).count()
        };
        if !numbers.contains(&number) {
            if run(u64::checked_sub) + run(u64::checked_add) >= self.max_sequence {
                return Some(GuardReason::Sequence);
            }
            if counts.in_range >= self.max_range {
                return Some(GuardReason::Range);
            }
        }
        if counts.in_prefix >= self.max_prefix {
            return Some(GuardReason::Prefix);
        }
        if counts.in_country >= self.max_country {
            return Some(GuardReason::Country);
        }
        let is_low = counts.passcodes >= self.min_passcodes
            && share(counts.entered, counts.passcodes) < self.min_conversion;
        (request.is_passcode && is_low).then_some(GuardReason::Conversion)
    }
}

fn counts(
    messages: &VecDeque<Message>,
    of_country: &VecDeque<Message>,
    number: u64,
    request: &GuardRequest,
    settings: &GuardSettings,
) -> GuardCounts {
    let age = |message: &Message| request.now.saturating_sub(message.at);
    let to_recipient = |(_, window): &(usize, Duration)| {
        messages.iter().filter(|message| message.number == number && age(message) < *window).count()
    };
    let open = || messages.iter().filter(|message| !message.is_converted && age(message) < settings.window);
    let numbers: HashSet<u64> = open().map(|message| message.number).collect();
    let reach = u64::try_from(settings.max_sequence).unwrap_or(u64::MAX);
    let counted = || {
        messages.iter().filter(|message| {
            age(message) < settings.conversion_window
                && (message.is_converted || age(message) >= settings.grace)
        })
    };
    GuardCounts {
        to_recipient: settings.recipient_limits.iter().map(to_recipient).collect(),
        in_range: numbers.iter().filter(|one| range(**one) == range(number)).count(),
        neighbors: numbers.into_iter().filter(|one| one.abs_diff(number) <= reach).collect(),
        in_prefix: open().count(),
        in_country: of_country.iter().filter(|message| age(message) < settings.window).count(),
        passcodes: counted().count(),
        entered: counted().filter(|message| message.is_converted).count(),
    }
}

/// The quotient of two counts.
fn share(part: usize, whole: usize) -> f64 {
    f64::from(u32::try_from(part).unwrap_or(u32::MAX)) / f64::from(u32::try_from(whole).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_setting_is_named_with_what_it_must_be() {
        let count = "must be an integer of 1 or greater";
        let pairs = "must be an array of pairs of a count and a window in seconds, such as [[3, 600]]";
        for (json, expected) in [
            (r#"{"max_sequence": "five"}"#, format!("`max_sequence` {count}, got a string")),
            (r#"{"max_range": -1}"#, format!("`max_range` {count}")),
            (r#"{"window": 60, "max_prefix": 1.5}"#, format!("`max_prefix` {count}")),
            (r#"{"max_country": null}"#, format!("`max_country` {count}, got null")),
            (r#"{"min_passcodes": {}}"#, format!("`min_passcodes` {count}, got an object")),
            (r#"{"recipient_limits": [3, 600]}"#, format!("`recipient_limits` {pairs}")),
            (r#"{"recipient_limits": [[3]]}"#, format!("`recipient_limits` {pairs}")),
            (r#"{"recipient_limits": [["3", 600]]}"#, format!("`recipient_limits` {pairs}")),
            (r#"{"recipient_limits": true}"#, format!("`recipient_limits` {pairs}, got a boolean")),
            (r#"{"window": "10m"}"#, "`window` must be a number of seconds, got a string".to_owned()),
            (r#"{"grace": []}"#, "`grace` must be a number of seconds".to_owned()),
            (
                r#"{"conversion_window": true}"#,
                "`conversion_window` must be a number of seconds, got a boolean".to_owned(),
            ),
            (
                r#"{"min_conversion": "0.2"}"#,
                "`min_conversion` must be a number from 0 to 1, got a string".to_owned(),
            ),
            (r#"{"includes_sms": 1}"#, "`includes_sms` must be a boolean".to_owned()),
            (
                r#"{"sends_without_store": "yes"}"#,
                "`sends_without_store` must be a boolean, got a string".to_owned(),
            ),
            (r#"{"window": -1}"#, "`window` must be a number of seconds that is not negative".to_owned()),
            ("[]", "the settings of a guard must be a JSON object".to_owned()),
            ("7", "the settings of a guard must be a JSON object".to_owned()),
        ] {
            assert_eq!(GuardSettings::from_json(json).unwrap_err().message, expected, "{json}");
        }
        for (json, start) in [
            ("{", "the settings of a guard are invalid JSON: "),
            (
                r#"{"max_prefixes": 1}"#,
                "the settings of a guard are invalid: unknown field `max_prefixes`, expected one of ",
            ),
            (
                r#"{"window": 1, "window": 2}"#,
                "the settings of a guard are invalid: duplicate field `window`",
            ),
        ] {
            let message = GuardSettings::from_json(json).unwrap_err().message.clone();
            assert!(message.starts_with(start), "{message}");
        }
    }

    #[test]
    fn every_setting_has_an_expected_value() {
        let text = GuardSettings::from_json(r#"{"x": 1}"#).unwrap_err().message.clone();
        let names: Vec<&str> = text.split('`').skip(3).step_by(2).collect();
        assert_eq!(names.len(), 12);
        assert!(names.iter().all(|name| expected_value(name).is_some()), "{names:?}");
    }

    #[test]
    fn country_codes_have_one_to_three_digits() {
        for (number, code) in [
            (12_015_550_123, 1),
            (79_161_234_567, 7),
            (306_912_345_678, 30),
            (442_079_460_018, 44),
            (6_281_234_567_890, 62),
            (989_121_234_567, 98),
            (355_661_234_567, 355),
            (970_591_234_567, 970),
            (80_012_345_678, 800),
            (59_995_123_456, 599),
            (12, 12),
            (7, 7),
        ] {
            assert_eq!(country(number), code, "{number}");
        }
    }

    #[test]
    fn prefixes_without_recent_messages_are_forgotten() {
        let mut state = State::default();
        let settings = GuardSettings { max_country: 10_000, ..GuardSettings::default() };
        let request = |n: u64, seconds| {
            GuardRequest::new(
                (306_900_000_000 + n * 10_000_000).to_string(),
                true,
                Duration::from_secs(seconds),
            )
        };
        for n in 0..5_000 {
            assert_eq!(state.admit(&request(n, 0), &settings), None);
        }
        assert_eq!(state.messages.len(), 5_000);
        for n in 5_000..6_000 {
            assert_eq!(state.admit(&request(n, 2 * 86_400), &settings), None);
        }
        assert!(state.messages.len() <= 1_000, "{}", state.messages.len());
        let of_countries = |state: &State| state.countries.values().map(VecDeque::len).sum::<usize>();
        assert!(of_countries(&state) <= 1_000, "{}", of_countries(&state));
        state.withdraw(&request(5_500, 2 * 86_400));
        let before = state.messages.len();
        state.withdraw(&request(5_501, 2 * 86_400));
        assert_eq!(state.messages.len(), before - 1, "a prefix without messages");
    }
}
