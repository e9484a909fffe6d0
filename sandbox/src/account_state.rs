//! The state of one account, behind one lock. Its parts are the modules of this file; none of them uses `Call`.

pub(crate) mod campaigns;
pub(crate) mod chat_progress;
pub(crate) mod limit_counters;
pub(crate) mod media_files;
pub(crate) mod passcodes;
pub(crate) mod usage_counters;
pub(crate) mod webhook_targets;
pub(crate) mod workflow_runs;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use cpaas::http::Family;

use self::campaigns::Campaigns;
use self::chat_progress::{Chain, Failover, Session};
use self::limit_counters::Limits;
use self::media_files::MediaFile;
use self::passcodes::Otps;
use self::usage_counters::{Countries, Days};
use self::webhook_targets::{Bot, Hook};
use self::workflow_runs::{Run, Workflow};
use crate::bounded_log::BoundedLog;
use crate::bounded_map::BoundedMap;
use crate::callbacks::{Callbacks, Delivery, DueAttempt};
use crate::clock::Clock;
use crate::faults::Faults;
use crate::ledger::{Entry, Ledger, SendOperation, fnv, recipient};
use crate::log_entries::{Event, LoggedRequest};
use crate::magic_numbers::{self, Magic};
use crate::message::Message;
use crate::options::Options;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::random::{Id, Random};
use crate::settings::{RateWindow, Settings};
use crate::timers::{Timer, Timers};

/// The delay of every other report if reports are reordered, in milliseconds.
const REORDER_DELAY: u64 = 1_000;

pub(crate) struct State {
    pub(crate) clock: Clock,
    pub(crate) random: Random,
    pub(crate) timers: Timers,
    pub(crate) messages: BoundedLog<Message>,
    /// The numbers of the messages that were deleted from the inbox, in the order of their deletion.
    pub(crate) deleted_messages: BoundedLog<u64>,
    pub(crate) requests: BoundedLog<LoggedRequest>,
    pub(crate) events: BoundedLog<Event>,
    pub(crate) ledger: Ledger,
    pub(crate) ledger_limit: Option<usize>,
    pub(crate) faults: Faults,
    pub(crate) callbacks: Callbacks,
    pub(crate) settings: Settings,
    pub(crate) rate: RateWindow,
    pub(crate) countries: Countries,
    /// Messages whose final status is reported, with the callback URL of their request.
    pub(crate) reports: BTreeMap<u64, Option<Box<str>>>,
    pub(crate) otps: Otps,
    pub(crate) days: Days,
    pub(crate) limits: Limits,
    pub(crate) workflows: Vec<Workflow>,
    pub(crate) runs: BoundedMap<Run>,
    pub(crate) run_count: u64,
    pub(crate) messenger_b_webhook: Option<Hook>,
    pub(crate) messenger_c_webhook: Option<Bot>,
    /// The number of the last update of `messenger_c`.
    pub(crate) updates: u64,
    /// The hashes of the ids of users' messages.
    pub(crate) inbound_ids: HashSet<u64>,
    pub(crate) media: HashMap<String, MediaFile>,
    pub(crate) chains: BTreeMap<u64, Chain>,
    pub(crate) failovers: BoundedMap<Failover>,
    pub(crate) failover_count: u64,
    /// Sessions by a hash of the recipient.
    pub(crate) sessions: HashMap<u64, Session>,
    pub(crate) campaigns: Campaigns,
    /// Hashes of the magic numbers whose first request was already rejected with a 503.
    called_numbers: HashSet<u64>,
    /// The maximum number of bytes of messages, requests, events, attempts and passcodes, together.
    memory: usize,
    /// The number of delivery reports so far.
    reported: u64,
    /// Hides the running number inside an id.
    salt: u64,
}

/// An accepted message, as the ledger records it.
pub(crate) struct Accepted<'a> {
    pub(crate) operation: SendOperation,
    pub(crate) body: u64,
    pub(crate) to: &'a str,
    pub(crate) reference: Option<&'a str>,
    pub(crate) fault: Option<crate::faults::Kind>,
    pub(crate) test: bool,
}

impl State {
    pub(crate) fn new(options: &Options, mut random: Random) -> Self {
        Self {
            clock: Clock::new(options.clock, options.seed.is_some()),
            timers: Timers::default(),
            messages: BoundedLog::new(options.messages),
            deleted_messages: BoundedLog::new(options.messages),
            requests: BoundedLog::new(options.requests),
            events: BoundedLog::new(options.requests),
            ledger: Ledger::default(),
            ledger_limit: options.ledger_limit,
            faults: Faults::default(),
            callbacks: Callbacks::new(options.requests),
            settings: Settings::new(options),
            rate: RateWindow::default(),
            countries: Countries::default(),
            reports: BTreeMap::new(),
            otps: Otps::new(options.messages.saturating_mul(10)),
            days: Days::default(),
            limits: Limits::default(),
            workflows: Vec::new(),
            runs: BoundedMap::default(),
            run_count: 0,
            messenger_b_webhook: None,
            messenger_c_webhook: None,
            updates: 0,
            inbound_ids: HashSet::new(),
            media: HashMap::new(),
            chains: BTreeMap::new(),
            failovers: BoundedMap::default(),
            failover_count: 0,
            sessions: HashMap::new(),
            campaigns: Campaigns::default(),
            called_numbers: HashSet::new(),
            memory: options.memory,
            reported: 0,
            salt: random.u64(),
            random,
        }
    }

    /// Checks that the ledger has space for this many messages.
    pub(crate) fn check_capacity(&self, count: usize) -> ProviderResult<()> {
        if self.ledger.has_failed() {
            return Err(ProviderError::plain(
                507,
                "the file of --db must be writable: free some space or reset [sandbox]",
            ));
        }
        match self.ledger_limit {
            Some(limit) if self.ledger.len() + count > limit => {
                Err(ProviderError::plain(507, "the ledger is full: raise --ledger-limit or reset [sandbox]"))
            }
            _ => Ok(()),
        }
    }

    /// Writes a message to the ledger and gives it its id.
    pub(crate) fn accept(&mut self, accepted: &Accepted<'_>) -> Id {
        let id = Id(self.random.u64(), self.ledger.len() as u64 ^ self.salt);
        self.campaigns.count(accepted.reference, self.clock.now());
        self.ledger.push(Entry {
            id,
            at: self.clock.now(),
            request: accepted.body,
            to: recipient(accepted.to),
            reference: accepted.reference.map_or(0, |reference| fnv(reference.as_bytes())),
            operation: accepted.operation,
            fault: accepted.fault,
            test: accepted.test,
        });
        id
    }

    /// The ledger's entry of a message.
    pub(crate) fn entry(&self, id: Id) -> Option<Entry> {
        let number = usize::try_from(id.1 ^ self.salt).ok()?;
        self.ledger.get(number).filter(|entry| entry.id == id)
    }

    /// Whether this is the first request that names this magic number.
    fn first_call(&mut self, to: &str) -> bool {
        self.called_numbers.insert(fnv(to.as_bytes()))
    }

    /// Rejects a request to a magic number that stands for throttling, or for a 503 to the first request.
    pub(crate) fn throttle(&mut self, to: &str, family: Family) -> ProviderResult<()> {
        let (throttled, failed) = match family {
            Family::Sms | Family::Lookup => (906, 990),
            _ => (429, 503),
        };
        match magic_numbers::of(to) {
            Some(Magic::Throttled) => {
                let error = ProviderError::new(429, throttled, "throttled by a magic number [sandbox]");
                Err(error.retry_after(1))
            }
            Some(Magic::FirstCall503) if self.first_call(to) => {
                Err(ProviderError::new(503, failed, "first call to a magic number [sandbox]"))
            }
            _ => Ok(()),
        }
    }

    /// Logs an event.
    pub(crate) fn event(&mut self, event: Event) {
        self.events.push(event);
        self.trim();
    }

    /// Stores a message in the inbox; `more` bytes of it are kept elsewhere.
    pub(crate) fn store_message(&mut self, message: Message, more: usize) -> u64 {
        let number = self.messages.push_with(message, more);
        self.trim();
        number
    }

    /// Deletes a message from the inbox. Returns its number, or `None` if the inbox does not have it.
    pub(crate) fn hide_message(&mut self, id: &str) -> Option<u64> {
        let found = self.messages.iter().rev().find(|(_, message)| message.is_shown() && message.is(id));
        let number = found.map(|(number, _)| number)?;
        self.messages.get_mut(number)?.hidden = true;
        self.deleted_messages.push(number);
        Some(number)
    }

    /// Deletes all messages from the inbox. Returns their number.
    pub(crate) fn hide_messages(&mut self) -> usize {
        let shown = self.messages.iter().filter(|(_, message)| message.is_shown());
        let numbers: Vec<u64> = shown.map(|(number, _)| number).collect();
        for number in &numbers {
            if let Some(message) = self.messages.get_mut(*number) {
                message.hidden = true;
            }
            self.deleted_messages.push(*number);
        }
        numbers.len()
    }

    /// Bytes and number of the entries of each log, in the order in which `trim` evicts.
    fn record_sizes(&self) -> [(usize, usize); 5] {
        [
            (self.messages.bytes(), self.messages.len()),
            (self.requests.bytes(), self.requests.len()),
            (self.events.bytes(), self.events.len()),
            (self.callbacks.attempts.bytes(), self.callbacks.attempts.len()),
            (self.otps.records.bytes(), self.otps.records.len()),
        ]
    }

    /// The total size of all records, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.record_sizes().iter().map(|(bytes, _)| bytes).sum()
    }

    /// Evicts the oldest entries of the largest log until all logs fit into the memory limit. The newest entry of
    /// each log stays.
    pub(crate) fn trim(&mut self) {
        loop {
            let record_sizes = self.record_sizes();
            let total: usize = record_sizes.iter().map(|(bytes, _)| bytes).sum();
            if total <= self.memory {
                break;
            }
            let several = record_sizes.iter().enumerate().filter(|(_, (_, count))| *count > 1);
            let heaviest = several.max_by_key(|(_, (bytes, _))| *bytes).map(|(index, _)| index);
            match heaviest {
                Some(0) => drop(self.messages.evict()),
                Some(1) => drop(self.requests.evict()),
                Some(2) => drop(self.events.evict()),
                Some(3) => drop(self.callbacks.attempts.evict()),
                Some(_) => self.otps.evict(),
                None => break,
            }
        }
        self.forget();
    }

    /// Removes planned steps of evicted messages.
    fn forget(&mut self) {
        let first = self.messages.evicted();
        while self.reports.first_key_value().is_some_and(|(number, _)| *number < first) {
            self.reports.pop_first();
        }
        while self.chains.first_key_value().is_some_and(|(number, _)| *number < first) {
            self.chains.pop_first();
        }
    }

    /// Queues a callback for now.
    pub(crate) fn deliver(&mut self, delivery: Delivery) {
        self.deliver_at(self.clock.now(), delivery);
    }

    fn deliver_at(&mut self, at: u64, delivery: Delivery) {
        let subject = delivery.subject.clone();
        match self.callbacks.enqueue(delivery) {
            Ok(number) => self.timers.set(at, Timer::Callback(number)),
            Err(kind) => self.event(Event::new(self.clock.now(), kind).about(subject)),
        }
    }

    /// Queues a delivery report: twice, or delayed, if the account's settings say so.
    pub(crate) fn report(&mut self, delivery: Delivery) {
        if self.settings.duplicate_reports {
            self.deliver(delivery.clone());
        }
        let now = self.clock.now();
        self.reported += 1;
        if !self.settings.reorder_reports || self.reported.is_multiple_of(2) {
            self.deliver(delivery);
        } else {
            self.deliver_at(now + REORDER_DELAY, delivery);
        }
    }

    /// Fires a timer. Returns the attempt to run if the timer belongs to a callback.
    pub(crate) fn fire(&mut self, at: u64, timer: Timer) -> Option<DueAttempt> {
        match timer {
            Timer::Callback(number) => {
                let delivery = Arc::clone(self.callbacks.get(number)?);
                return Some(DueAttempt { number, at, delivery });
            }
            Timer::SmsSettles(number) => self.sms_settles(number),
            Timer::ChatStep(number) => self.chat_step(number),
            Timer::Failover(number) => self.failover_due(number),
            Timer::Purge(number) => self.purge(number),
            Timer::Workflow(number) => self.workflow_step(number),
        }
        None
    }
}
