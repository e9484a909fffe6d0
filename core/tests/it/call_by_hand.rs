//! Calls over a clock and a transport of the test, polled by hand: no runtime, no thread, no socket, no timer.
#![cfg(feature = "call")]

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use cpaas::callback::{Keyring, Purpose};
use cpaas::client::{CallEnd, Client, Response, Transport, TransportError};
use cpaas::clock::{BoxFuture, Clock, NoEntropy};
use cpaas::error::{Error, Outcome, Reason, SentState};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::{Config, OperationId};

const HOUR: u64 = 3_600_000;
const SECRET: &str = "0123456789abcdef0123456789abcdef";
const SEND: &str = r#"{"from":"Acme","to":"306912345678","text":"Hi"}"#;
const VERIFY: &str = r#"{"service":"login","requestId":"OTP1","code":"012345"}"#;

/// A change of the time, in milliseconds.
#[derive(Clone, Copy)]
enum Jump {
    Ahead(u64),
    Back(u64),
}

/// How the monotonic time changes during a wait.
#[derive(Clone, Copy)]
enum Wait {
    Passes,
    StandsStill,
    GoesBack,
    IsImpossible,
}

struct State {
    now: Duration,
    unix: Duration,
    wait: Wait,
    /// Each reading of the monotonic time takes one.
    jumps: VecDeque<Jump>,
    /// The number of times that random bytes are available.
    entropy: usize,
    /// The waits that were requested, without yields.
    waits: Vec<Duration>,
}

impl State {
    fn jump(&mut self, jump: Jump) {
        self.now = match jump {
            Jump::Ahead(ms) => self.now.saturating_add(Duration::from_millis(ms)),
            Jump::Back(ms) => self.now.saturating_sub(Duration::from_millis(ms)),
        };
    }
}

#[derive(Clone)]
struct HandClock(Arc<Mutex<State>>);

impl HandClock {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(State {
            now: Duration::from_secs(10 * 3600),
            unix: Duration::from_secs(1_700_000_000),
            wait: Wait::Passes,
            jumps: VecDeque::new(),
            entropy: usize::MAX,
            waits: Vec::new(),
        })))
    }

    fn set(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.0.lock().unwrap());
    }

    fn jump(&self, jump: Jump) {
        self.set(|state| state.jump(jump));
    }

    fn waits(&self) -> Vec<u128> {
        self.0.lock().unwrap().waits.iter().map(Duration::as_millis).collect()
    }
}

impl Clock for HandClock {
    fn monotonic(&self) -> Duration {
        let mut state = self.0.lock().unwrap();
        if let Some(jump) = state.jumps.pop_front() {
            state.jump(jump);
        }
        state.now
    }

    fn unix_time(&self) -> Duration {
        self.0.lock().unwrap().unix
    }

    fn sleep(&self, duration: Duration) -> Option<BoxFuture<'_, ()>> {
        let mut state = self.0.lock().unwrap();
        let ms = u64::try_from(duration.as_millis()).unwrap();
        let jump = match state.wait {
            Wait::IsImpossible => return None,
            Wait::Passes => Jump::Ahead(ms),
            Wait::StandsStill => Jump::Ahead(0),
            Wait::GoesBack => Jump::Back(ms),
        };
        if ms > 0 {
            state.waits.push(duration);
        }
        drop(state);
        Some(Box::pin(async move {
            yield_once().await;
            self.jump(jump);
        }))
    }

    fn fill_random(&self, bytes: &mut [u8]) -> Result<(), NoEntropy> {
        let mut state = self.0.lock().unwrap();
        state.entropy = state.entropy.checked_sub(1).ok_or(NoEntropy)?;
        bytes.fill(0);
        Ok(())
    }
}

async fn yield_once() {
    let mut is_first = true;
    std::future::poll_fn(|_| if std::mem::take(&mut is_first) { Poll::Pending } else { Poll::Ready(()) })
        .await;
}

type Exchange = Result<HttpResponse, TransportError>;
type Script = dyn Fn(&HttpRequest, usize) -> Exchange + Send + Sync;

/// Answers by a script, and keeps the time limits of the attempts.
struct Scripted {
    script: Box<Script>,
    limits: Arc<Mutex<Vec<Duration>>>,
}

impl Transport for Scripted {
    fn send<'a>(&'a self, request: &'a HttpRequest, limit: Duration) -> BoxFuture<'a, Exchange> {
        Box::pin(async move {
            let number = self.limits.lock().unwrap().len();
            self.limits.lock().unwrap().push(limit);
            yield_once().await;
            (self.script)(request, number)
        })
    }
}

fn config() -> Config {
    Config::default()
        .sms_url("http://sms.test")
        .sms_key("k-1")
        .otp_url("http://otp.test")
        .account_sid("AC1")
        .api_key("k-2")
}

/// The time limits of the attempts of a client.
type Limits = Arc<Mutex<Vec<Duration>>>;

fn client(
    config: &Config,
    clock: &HandClock,
    script: impl Fn(&HttpRequest, usize) -> Exchange + Send + Sync + 'static,
) -> (Client, Limits) {
    let limits = Limits::default();
    let transport = Scripted { script: Box::new(script), limits: Arc::clone(&limits) };
    (Client::with_transport_and_clock(config, transport, clock.clone()).unwrap(), limits)
}

/// Polls a future until it is ready; nothing ever wakes it.
fn drive<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..100_000 {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
    panic!("the call does not end");
}

fn call(client: &Client, operation: &str, request: &str) -> Result<Response<String>, Error> {
    drive(client.call_json(OperationId::find(operation).unwrap(), request))
}

fn answer(status: u16, body: &str) -> Exchange {
    Ok(HttpResponse::new(status, vec![], body))
}

fn accepted() -> Exchange {
    answer(200, r#"{"id":"m-1","timestamp":"2024-01-01T00:00:00Z","responseCode":0}"#)
}

fn throttled(retry_after: &str) -> Exchange {
    let headers = vec![("retry-after".to_owned(), retry_after.to_owned())];
    Ok(HttpResponse::new(429, headers, r#"{"responseCode":906,"responseText":"slow down"}"#))
}

fn lost() -> Exchange {
    Err(TransportError::new(SentState::Maybe, Reason::Reset))
}

fn not_sent() -> Exchange {
    Err(TransportError::new(SentState::No, Reason::Connect))
}

#[test]
fn a_call_waits_by_its_clock_and_is_accepted() {
    let clock = HandClock::new();
    let (client, limits) =
        client(&config(), &clock, |_, number| if number == 0 { throttled("7") } else { accepted() });
    let sent = call(&client, "sms.send", SEND).unwrap();
    assert_eq!(sent.attempts, 2);
    assert_eq!(clock.waits(), [7000]);
    assert_eq!(limits.lock().unwrap().len(), 2);
    let repeated = call(&client, "sms.send", SEND).unwrap_err();
    assert_eq!((repeated.outcome, repeated.reason), (Outcome::Unknown, Reason::Mismatch));
}

#[test]
fn a_call_ends_at_its_deadline_whatever_its_clock_does() {
    let limited = config().max_attempts(10_000).deadline(Duration::from_secs(30));
    for wait in [Wait::Passes, Wait::StandsStill, Wait::GoesBack] {
        for jump in [Jump::Ahead(0), Jump::Back(1), Jump::Back(HOUR), Jump::Back(u64::MAX)] {
            let clock = HandClock::new();
            clock.set(|state| (state.wait, state.jumps) = (wait, VecDeque::from(vec![jump; 50_000])));
            let (client, _) = client(&limited, &clock, |_, _| not_sent());
            // Longer waits, because the retry budget allows only fifty.
            clock.set(|state| state.entropy = 0);
            let error = call(&client, "sms.send", SEND).unwrap_err();
            assert_eq!((error.outcome, error.sent), (Outcome::NotSent, SentState::No));
            let waited: u128 = clock.waits().iter().sum();
            assert!((24_000..=30_000).contains(&waited), "{waited} ms");
            assert!(error.attempts < 200);
        }
    }
}

#[test]
fn the_time_before_the_clock_went_back_stays_counted() {
    let clock = HandClock::new();
    let moved = clock.clone();
    let (client, limits) = client(&config(), &clock, move |_, number| {
        moved.jump(if number == 0 { Jump::Ahead(50_000) } else { Jump::Back(HOUR) });
        if number < 2 { not_sent() } else { accepted() }
    });
    assert_eq!(call(&client, "sms.send", SEND).unwrap().attempts, 3);
    let limits: Vec<u128> = limits.lock().unwrap().iter().map(Duration::as_millis).collect();
    // 60 s, less 50 s and the shortest waits of 0.2 s.
    assert_eq!(limits, [20_000, 9800, 9600]);
}

#[test]
fn events_have_a_duration_whatever_the_clock_does() {
    for (jump, expected) in [
        (Jump::Back(HOUR), Duration::ZERO),
        (Jump::Ahead(1500), Duration::from_millis(1500)),
        (Jump::Ahead(u64::MAX), Duration::from_millis(u64::MAX)),
    ] {
        let clock = HandClock::new();
        clock.set(|state| state.now = Duration::ZERO);
        let moved = clock.clone();
        let (client, _) = client(&config(), &clock, move |_, _| {
            moved.jump(jump);
            accepted()
        });
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (first, second) = (Arc::clone(&seen), Arc::clone(&seen));
        let client = client
            .on_response(move |event| first.lock().unwrap().push(event.elapsed))
            .on_outcome(move |event| second.lock().unwrap().push(event.elapsed));
        call(&client, "sms.send", SEND).unwrap();
        assert_eq!(*seen.lock().unwrap(), [expected, expected]);
    }
}

#[test]
fn a_retry_after_with_a_date_follows_the_unix_time() {
    // 1994-11-06 08:49:37 UTC.
    const DATE: u64 = 784_111_777;
    for (unix, wait) in [
        (Duration::from_secs(DATE - 30), Some(30_000)),
        (Duration::from_secs(DATE + 30), Some(200)),
        (Duration::MAX, Some(200)),
        // The provider seems to request a wait of many years.
        (Duration::ZERO, None),
    ] {
        let clock = HandClock::new();
        clock.set(|state| state.unix = unix);
        let (client, _) = client(&config(), &clock, |_, number| match number {
            0 => throttled("Sun, 06 Nov 1994 08:49:37 GMT"),
            _ => accepted(),
        });
        let result = call(&client, "sms.send", SEND);
        match wait {
            Some(wait) => {
                assert_eq!(clock.waits(), [wait]);
                result.unwrap();
            }
            None => {
                let error = result.unwrap_err();
                assert_eq!((error.outcome, error.attempts), (Outcome::Rejected, 1));
                assert_eq!(error.retry_after_ms, Some(DATE * 1000));
            }
        }
    }
}

/// A creation that the records do not contain is repeated after the wait that the provider requested.
#[test]
fn a_creation_that_was_not_found_respects_the_retry_after() {
    let create = r#"{"name":"by_ip","buckets":[{"name":"b","max":"3","interval":"60"}],"description":"d"}"#;
    for (seconds, waits, requests) in [(7, vec![7000], 3), (61, vec![], 2)] {
        let clock = HandClock::new();
        let (client, limits) = client(&config(), &clock, move |_, number| match number {
            0 => {
                let headers = vec![("retry-after".to_owned(), format!("{seconds}"))];
                Ok(HttpResponse::new(503, headers, "<html><body>busy</body></html>"))
            }
            1 => answer(200, r#"{"code":200,"message":"OK","data":{"result":[],"page":0,"total":0}}"#),
            _ => answer(200, r#"{"code":200,"message":"OK","data":{"sid":"LM1","name":"by_ip"}}"#),
        });
        let created = call(&client, "otp.limits.create", create);
        assert_eq!(clock.waits(), waits);
        assert_eq!(limits.lock().unwrap().len(), requests);
        match created {
            Ok(created) => assert_eq!(created.attempts, 2),
            Err(error) => {
                assert_eq!((error.outcome, error.retry_after_ms), (Outcome::Unknown, Some(61_000)));
            }
        }
    }
}

/// The settings of the connections of this library have no effect on those of the program.
#[test]
fn an_error_of_a_connection_of_the_program_names_no_setting_of_connections() {
    for reason in
        [Reason::Dns, Reason::Connect, Reason::Tls, Reason::Timeout, Reason::Resources, Reason::Reset]
    {
        for sent in [SentState::No, SentState::Maybe] {
            let clock = HandClock::new();
            let (client, _) =
                client(&config().max_attempts(1), &clock, move |_, _| Err(TransportError::new(sent, reason)));
            let error = call(&client, "sms.send", SEND).unwrap_err();
            assert!(!error.message.contains('`'), "{}", error.message);
        }
    }
}

#[test]
fn an_old_check_of_a_passcode_is_not_that_of_this_call_after_the_clock_jumped_ahead() {
    let clock = HandClock::new();
    let moved = clock.clone();
    let (client, limits) = client(&config(), &clock, move |_, number| {
        if number == 0 {
            return lost();
        }
        moved.jump(Jump::Ahead(24 * HOUR));
        let body = r#"{"sid":"OTP1","checks":[{"code":"012345","status":"invalid","dateReceived":"2024-02-29 11:50:00"}]}"#;
        let date = ("date".to_owned(), "Thu, 29 Feb 2024 12:00:00 GMT".to_owned());
        Ok(HttpResponse::new(200, vec![date], body))
    });
    let error = call(&client, "otp.verify", VERIFY).unwrap_err();
    assert_eq!((error.outcome, error.sent, error.attempts), (Outcome::Unknown, SentState::Maybe, 1));
    assert_eq!(limits.lock().unwrap().len(), 2, "the records were read");
}

/// Every sequence of five jumps at the first five readings of the clock, for four scripts.
#[test]
fn no_jump_of_the_clock_makes_an_outcome_wrong() {
    let jumps = [
        Jump::Ahead(1),
        Jump::Ahead(40_000),
        Jump::Ahead(u64::MAX),
        Jump::Back(40_000),
        Jump::Back(u64::MAX),
    ];
    let mut calls = 0;
    for sequence in 0..jumps.len().pow(5) {
        let sequence = (0..5).map(|place| jumps[sequence / jumps.len().pow(place) % jumps.len()]);
        let sequence: VecDeque<Jump> = sequence.collect();
        let run = |operation, request, script: fn(&HttpRequest, usize) -> Exchange| {
            let clock = HandClock::new();
            clock.set(|state| state.jumps.clone_from(&sequence));
            let (client, limits) = client(&config(), &clock, script);
            let result = call(&client, operation, request);
            let sent = limits.lock().unwrap().len();
            (result.map(drop).map_err(|error| (error.outcome, error.sent)), sent)
        };
        let nothing = Err((Outcome::NotSent, SentState::No));
        let unknown = Err((Outcome::Unknown, SentState::Maybe));

        match run("sms.send", SEND, |_, _| lost()) {
            (result, 0) => assert_eq!(result, nothing),
            (result, 1) => assert_eq!(result, unknown),
            (_, sent) => panic!("{sent} sends"),
        }
        match run("sms.send", SEND, |_, _| accepted()) {
            (result, 0) => assert_eq!(result, nothing),
            (result, sent) => assert_eq!((result, sent), (Ok(()), 1)),
        }
        match run("sms.send", SEND, |_, number| if number < 2 { not_sent() } else { accepted() }) {
            (result, 0..=2) => assert_eq!(result, nothing),
            (result, sent) => assert_eq!((result, sent), (Ok(()), 3)),
        }
        let limit = r#"{"sid":"L1"}"#;
        match run("otp.limits.delete", limit, |_, number| if number == 0 { lost() } else { not_sent() }) {
            (result, 0) => assert_eq!(result, nothing),
            (result, sent) => assert!(sent <= 3 && result == unknown, "{sent} {result:?}"),
        }
        calls += 4;
    }
    assert_eq!(calls, 12_500);
}

#[test]
fn a_clock_that_cannot_wait_allows_only_the_next_region() {
    let regions = config().sms_url_frankfurt("http://frankfurt.test");
    for (config, attempts) in [(config(), 1), (regions, 2)] {
        let clock = HandClock::new();
        clock.set(|state| state.wait = Wait::IsImpossible);
        let (client, _) = client(&config, &clock, |_, _| not_sent());
        let error = call(&client, "sms.send", SEND).unwrap_err();
        assert_eq!(
            (error.outcome, error.reason, error.attempts),
            (Outcome::NotSent, Reason::Connect, attempts)
        );
    }
}

#[test]
fn the_clock_of_the_client_limits_the_time_of_a_closure() {
    let clock = HandClock::new();
    let never = |_: HttpRequest| std::future::pending::<Exchange>();
    let client =
        Client::with_transport_and_clock(&config().timeout(Duration::from_secs(3)), never, clock.clone())
            .unwrap();
    let error = call(&client, "sms.send", SEND).unwrap_err();
    assert_eq!((error.outcome, error.reason), (Outcome::Unknown, Reason::Timeout));
    assert_eq!(clock.waits(), [3000]);
}

#[test]
fn a_call_that_is_dropped_is_reported() {
    let clock = HandClock::new();
    let (client, _) = client(&config(), &clock, |_, _| accepted());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&seen);
    let client = client.on_outcome(move |event| keep.lock().unwrap().push((event.ending, event.sent)));
    {
        let mut call = pin!(client.call_json(OperationId::SmsSend, SEND));
        assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    assert_eq!(*seen.lock().unwrap(), [(CallEnd::Abandoned, SentState::Maybe)]);
}

#[test]
fn no_client_is_created_without_random_bytes() {
    let clock = HandClock::new();
    clock.set(|state| state.entropy = 0);
    let error = Client::with_transport_and_clock(&config(), |_: HttpRequest| async { accepted() }, clock)
        .unwrap_err();
    assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config));
    assert_eq!(error.message, "a client needs random bytes, but no random bytes are available");
}

/// The clock has no random bytes, or only zeros.
#[test]
fn calls_without_random_bytes_have_different_ids() {
    let clock = HandClock::new();
    let (client, _) = client(&config().accept_repeated_ids(true), &clock, |_, _| accepted());
    let mut ids = Vec::new();
    for entropy in [0, 0, usize::MAX, usize::MAX] {
        clock.set(|state| state.entropy = entropy);
        ids.push(call(&client, "sms.send", SEND).unwrap().call_id);
        ids.push(call(&client, "sms.send", "{}").unwrap_err().call_id.clone().unwrap());
    }
    let is_id = |id: &String| id.len() == 32 && id.bytes().any(|byte| byte != b'0');
    assert!(ids.iter().all(is_id), "{ids:?}");
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 8);
}

#[test]
fn waits_without_random_bytes_are_halfway() {
    let clock = HandClock::new();
    let (client, _) = client(&config(), &clock, |_, number| if number < 2 { not_sent() } else { accepted() });
    clock.set(|state| state.entropy = 0);
    assert_eq!(call(&client, "sms.send", SEND).unwrap().attempts, 3);
    assert_eq!(clock.waits(), [400, 1000]);
}

#[test]
fn the_token_of_a_callback_has_the_time_and_the_random_bytes_of_the_clock() {
    let signing = config()
        .callback_keys(format!(r#"[{{"kid":"k1","secret":"{SECRET}"}}]"#))
        .callback_audience("shop")
        .accept_repeated_ids(true);
    let request = r#"{"from":"Acme","to":"306912345678","text":"Hi","reference":"r-1","callback":"https://shop.example/dlr"}"#;
    let clock = HandClock::new();
    let urls = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&urls);
    let (client, limits) = client(&signing, &clock, move |request, _| {
        let body: serde_json::Value = serde_json::from_slice(request.body.as_ref().unwrap()).unwrap();
        keep.lock().unwrap().push(body["callback"].as_str().unwrap().to_owned());
        accepted()
    });
    call(&client, "sms.send", request).unwrap();
    call(&client, "sms.send", request).unwrap();
    let urls = urls.lock().unwrap();
    assert_eq!(urls[0], urls[1]);
    let token = urls[0].strip_prefix("https://shop.example/dlr?token=").unwrap();
    let keyring = Keyring::new([("k1", SECRET)]).unwrap();
    let verify = |now| keyring.verify(token, Purpose::DeliveryReport, "shop", "r-1", now);
    assert_eq!(verify(1_700_000_000).unwrap().issued, 1_700_000_000);

    for (unix, entropy, message) in [
        (1_700_000_000, 0, "the operating system returned no random bytes"),
        (u64::MAX, usize::MAX, "the time must be before the year 2106"),
    ] {
        clock.set(|state| (state.unix, state.entropy) = (Duration::from_secs(unix), entropy));
        let error = call(&client, "sms.send", request).unwrap_err();
        assert_eq!((error.outcome, error.sent), (Outcome::Invalid, SentState::No));
        assert_eq!(error.problems[0].message, message);
    }
    assert_eq!(limits.lock().unwrap().len(), 2, "nothing else was sent");
}
