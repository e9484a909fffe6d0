//! Sends through the real client while one request in five has a fault, and compares the outcomes with the ledger: no accepted
//! message is lost, none is sent twice, and every outcome agrees with the ledger.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cpaas::channel::{MessengerA, Sms};
use cpaas::client::RawCall;
use cpaas::error::Outcome;
use cpaas::http::{Family, Method};
use cpaas::{Client, Config, Error, messages, sms};
use serde_json::{Value, json};
use tokio::sync::Mutex;

/// The fault rules, which apply with equal frequency: every kind of fault of row 193 of tests/acceptance.md, and the responses of
/// several gateways.
fn faults() -> Vec<Value> {
    let plain = [
        "status",
        "latency",
        "hang",
        "reset-before-read",
        "reset-after-read",
        "close-before-read",
        "close-after-read",
        "truncated-head",
        "truncated-body",
        "garbage",
        "slow-drip",
        "accept-then-5xx",
        "duplicate-answer",
    ];
    let plain = plain.iter().map(|kind| json!({"kind": kind, "ms": 60, "status": status_of(kind)}));
    let gateways = ["gateway", "accept-then-gateway"].into_iter().flat_map(|kind| {
        let name = move |name: &str| json!({"kind": kind, "gateway": name});
        ["nginx", "varnish", "envoy", "grpc", "aws"].map(name)
    });
    // An error in the form of the called family proves that nothing was sent. These requests are accepted, so the errors have the
    // form of another family.
    let rejections = [
        (
            json!({"responseCode": 906, "responseText": "too many requests"}).to_string(),
            Some("messages.send"),
        ),
        (json!({"code": 429, "message": "too many requests"}).to_string(), Some("sms.send")),
        (json!({"id": "x", "responseCode": 0}).to_string(), None),
        (String::new(), None),
        ("<html><body><h1>429 Too Many Requests</h1></body></html>".to_owned(), None),
    ];
    let throttled = rejections.iter().flat_map(|(body, operation)| {
        let rule = move |seconds: Value| {
            let only = operation.map_or(json!({}), |operation| json!({"op": operation}));
            json!({"kind": "accept-then-429", "body": body, "retry_after": seconds, "match": only})
        };
        [rule(Value::Null), rule(json!(0))]
    });
    let early = ["answer-early", "answer-early-then-accept"]
        .into_iter()
        .flat_map(|kind| [json!({"kind": kind}), json!({"kind": kind, "status": 408})]);
    let waits = [json!({"kind": "accept-then-503-retry-after", "retry_after": 0})];
    plain.chain(gateways).chain(throttled).chain(early).chain(waits).collect()
}

fn status_of(kind: &str) -> Option<u16> {
    matches!(kind, "status" | "accept-then-5xx").then_some(503)
}

/// The first recipient. Each call has a range of three numbers.
const FIRST: u64 = 30_690_000_000_000;

/// The result of a run.
#[derive(Debug, Default)]
pub struct Tally {
    /// Number of calls.
    pub calls: u64,
    /// Calls by outcome.
    pub outcomes: HashMap<&'static str, u64>,
    /// Accepted, but not in the ledger.
    pub lost: u64,
    /// In the ledger more than once.
    pub duplicated: u64,
    /// Reported as not sent or rejected, but in the ledger.
    pub sent_though_rejected: u64,
    /// In the ledger, but no call sent it.
    pub foreign: u64,
    /// Requests with a fault that are in the ledger.
    pub faulted: u64,
    /// How often each rule was applied, by its kind, as counted by the sandbox.
    pub hits_by_kind: Vec<(String, u64)>,
}

impl Tally {
    /// Whether every message was sent at most once, every outcome agrees with the ledger, and every fault occurred.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.is_at_most_once()
            && self.hits_by_kind.len() == faults().len()
            && self.hits_by_kind.iter().all(|(_, hits)| *hits > 0)
    }

    /// Whether every message was sent at most once and every outcome agrees with the ledger.
    #[must_use]
    pub fn is_at_most_once(&self) -> bool {
        self.lost == 0
            && self.duplicated == 0
            && self.sent_though_rejected == 0
            && self.foreign == 0
            && self.outcomes.values().sum::<u64>() == self.calls
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Expected {
    InLedger,
    NotInLedger,
    Either,
}

/// Makes `calls` sends, `in_flight` at a time, against a sandbox whose faults are set with `seed`.
///
/// # Errors
/// The control API returns an error.
pub async fn run(config: &Config, calls: u64, in_flight: usize, seed: u64) -> Result<Tally, Error> {
    let control = Client::new(config)?;
    control.call_raw(RawCall::new(Method::Put, Family::Sms, "/_sandbox/faults").body(rules(seed))).await?;
    let client =
        Client::new(&config.clone().timeout(Duration::from_secs(2)).deadline(Duration::from_secs(10)))?;
    let reported = sends(client, calls, in_flight).await?;
    let page = || RawCall::new(Method::Get, Family::Sms, "/_sandbox/faults");
    let hits_by_kind = hits_by_kind(&control.call_raw(page()).await?.value);
    control
        .call_raw(RawCall::new(Method::Put, Family::Sms, "/_sandbox/faults").body(json!({"rules": []})))
        .await?;
    tallied(&control, calls, &reported, hits_by_kind).await
}

/// As [`run`], against a sandbox without faults behind [`crate::faulty_proxy`].
///
/// # Errors
/// The proxy cannot be started.
pub async fn run_through_proxy(
    config: &Config,
    calls: u64,
    in_flight: usize,
    seed: u64,
) -> Result<Tally, Error> {
    let unreachable = || Error::config("the proxy cannot be started");
    let address = config.sms_url.as_deref().and_then(|url| url.strip_prefix("http://")?.parse().ok());
    let late = Duration::from_millis(2500);
    let proxy = crate::faulty_proxy::start(address.ok_or_else(unreachable)?, seed, late).await;
    let url = format!("http://{}", proxy.map_err(|_| unreachable())?);
    let through = config
        .clone()
        .sms_url(url.clone())
        .messaging_url(url)
        .timeout(Duration::from_secs(2))
        .deadline(Duration::from_secs(10));
    let reported = sends(Client::new(&through)?, calls, in_flight).await?;
    tallied(&Client::new(config)?, calls, &reported, Vec::new()).await
}

type Reported = (HashMap<&'static str, u64>, Vec<Expected>);

async fn tallied(
    control: &Client,
    calls: u64,
    reported: &Reported,
    hits_by_kind: Vec<(String, u64)>,
) -> Result<Tally, Error> {
    let mut tally = Tally { calls, outcomes: reported.0.clone(), hits_by_kind, ..Tally::default() };
    let mut faulted = 0;
    let sent_by_recipient = ledger(control, &mut faulted).await?;
    tally.faulted = faulted;
    audit(&mut tally, &reported.1, &sent_by_recipient);
    Ok(tally)
}

async fn sends(client: Client, calls: u64, in_flight: usize) -> Result<Reported, Error> {
    let next = Arc::new(AtomicU64::new(0));
    let reported =
        Arc::new(Mutex::new((HashMap::new(), vec![Expected::Either; usize::try_from(calls).unwrap_or(0)])));
    let mut workers = Vec::new();
    for _ in 0..in_flight {
        let (client, next, reported) = (client.clone(), Arc::clone(&next), Arc::clone(&reported));
        workers.push(tokio::spawn(async move {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= calls {
                    return;
                }
                let (name, expected) = outcome_and_expectation(send(&client, number).await);
                let mut reported = reported.lock().await;
                *reported.0.entry(name).or_default() += 1;
                if let Some(slot) = usize::try_from(number).ok().and_then(|number| reported.1.get_mut(number))
                {
                    *slot = expected;
                }
            }
        }));
    }
    for worker in workers {
        worker.await.map_err(|_| Error::config("a call panicked"))?;
    }
    let reported = Arc::try_unwrap(reported).map_err(|_| Error::config("a call is still running"))?;
    Ok(reported.into_inner())
}

fn rules(seed: u64) -> Value {
    let mut rules = faults();
    // All rules together apply to about one request in five.
    let share = 0.2 / rules.len() as f64;
    for (number, rule) in (0..).zip(&mut rules) {
        if let Some(rule) = rule.as_object_mut() {
            rule.insert("probability".to_owned(), json!(share));
            rule.insert("seed".to_owned(), json!(seed + number));
        }
    }
    json!({"rules": rules})
}

/// The hits of each rule, by its kind.
fn hits_by_kind(faults: &Value) -> Vec<(String, u64)> {
    let rules = faults.get("rules").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let kind = |rule: &Value| rule.get("rule")?.get("kind")?.as_str().map(str::to_owned);
    let count = |rule: &Value| rule.get("hits").and_then(Value::as_u64);
    rules.iter().filter_map(|rule| Some((kind(rule)?, count(rule)?))).collect()
}

async fn send(client: &Client, number: u64) -> Result<(), Error> {
    let to = |recipient: u64| (FIRST + number * 3 + recipient).to_string();
    match number % 4 {
        0 => client.call(sms::SendSms::new("Acme", to(0), "Hello")).await.map(drop),
        1 => {
            let numbers = [to(0), to(1), to(2)].join(",");
            client.call(sms::SendBulkSms::new("Acme", numbers, "Hello")).await.map(drop)
        }
        2 => client.call(messages::SendMessage::new(to(0), Sms::new("Hello").sender("Acme"))).await.map(drop),
        _ => client.call(messages::SendMessage::new(to(0), MessengerA::text("Hello"))).await.map(drop),
    }
}

fn outcome_and_expectation(result: Result<(), Error>) -> (&'static str, Expected) {
    match result.map_err(|error| error.outcome) {
        Ok(()) => ("accepted", Expected::InLedger),
        Err(Outcome::AcceptedIdUnknown) => ("accepted, id unknown", Expected::InLedger),
        Err(Outcome::Unknown) => ("unknown", Expected::Either),
        Err(Outcome::Rejected) => ("rejected", Expected::NotInLedger),
        Err(Outcome::NotSent) => ("not sent", Expected::NotInLedger),
        Err(Outcome::Invalid) => ("invalid", Expected::NotInLedger),
    }
}

async fn ledger(control: &Client, faulted: &mut u64) -> Result<HashMap<u64, u32>, Error> {
    let mut seen: HashMap<u64, u32> = HashMap::new();
    let mut from = 0_usize;
    loop {
        let path = format!("/_sandbox/ledger?from={from}&limit=20000");
        let page = control.call_raw(RawCall::new(Method::Get, Family::Sms, path)).await?;
        let entries = page.value.get("entries").and_then(Value::as_array).cloned().unwrap_or_default();
        if entries.is_empty() {
            return Ok(seen);
        }
        from += entries.len();
        for entry in &entries {
            *faulted += u64::from(entry.get("fault").is_some_and(Value::is_string));
            let to = entry.get("to").and_then(Value::as_str).and_then(|to| to.parse().ok());
            *seen.entry(to.unwrap_or_default()).or_default() += 1;
        }
    }
}

fn audit(tally: &mut Tally, expected: &[Expected], ledger: &HashMap<u64, u32>) {
    let mut known = 0;
    for (number, expected) in (0..).zip(expected) {
        let recipients = if number % 4 == 1 { 3 } else { 1 };
        for recipient in 0..recipients {
            let times = ledger.get(&(FIRST + number * 3 + recipient)).copied().unwrap_or_default();
            known += u64::from(times > 0);
            tally.duplicated += u64::from(times > 1);
            tally.lost += u64::from(*expected == Expected::InLedger && times == 0);
            tally.sent_though_rejected += u64::from(*expected == Expected::NotInLedger && times > 0);
        }
    }
    tally.foreign = ledger.len() as u64 - known;
}
