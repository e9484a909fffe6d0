//! Calls step by step: each report at each step, cancellation, hooks and stores, and the same results as calls over a transport.
#![cfg(feature = "call")]

use std::collections::VecDeque;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use cpaas::bindings::SystemClock;
use cpaas::client::{
    Attempt, CallEnd, CallSteps, Client, Progress, Response, Step, Transport, TransportError,
};
use cpaas::clock::{BoxFuture, Clock, NoEntropy};
use cpaas::error::{Error, Outcome, Reason, SentState};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::suppression::{StoreError, SuppressionStore};
use cpaas::{Config, OperationId};

use crate::support::manual_clock::ManualClock;

const SEND: &str = r#"{"from":"Acme","to":"306912345678","text":"Hi"}"#;
const VERIFY: &str = r#"{"service":"login","requestId":"OTP1","code":"012345"}"#;
const CANCEL: &str = r#"{"requestId":"OTP1"}"#;
const DELETE: &str = r#"{"sid":"LM1"}"#;
const CREATE: &str =
    r#"{"name":"by_ip","buckets":[{"name":"b","max":"3","interval":"60"}],"description":"d"}"#;

type Result<T = Response<String>> = std::result::Result<T, Error>;

fn config() -> Config {
    Config::default()
        .sms_url("http://sms.test")
        .sms_key("k-1")
        .otp_url("http://otp.test")
        .account_sid("AC1")
        .api_key("k-2")
}

/// A client whose own transport and waits must not be used.
fn client_of(config: &Config) -> (Client, ManualClock) {
    let clock = ManualClock::new();
    let unused = |_: HttpRequest| async { panic!("the transport of the client sent a request") };
    (Client::with_transport_and_clock(config, unused, clock.clone()).unwrap(), clock)
}

fn client() -> Client {
    client_of(&config()).0
}

fn start(client: &Client, operation: &str, request: &'static str) -> CallSteps<Result> {
    let operation = OperationId::find(operation).unwrap();
    client.steps(move |client| async move { client.call_json(operation, request).await })
}

/// The current step in a few words.
fn at<T>(steps: &CallSteps<T>) -> String {
    match steps.step() {
        Step::Send { request, .. } => format!("send {}", request.operation),
        Step::Wait(duration) => format!("wait {}", duration.as_millis()),
        Step::Ended => "ended".to_owned(),
        other => panic!("{other:?}"),
    }
}

fn output(steps: CallSteps<Result>) -> Result {
    assert_eq!(at(&steps), "ended");
    steps.into_output().unwrap()
}

fn response(status: u16, body: &str) -> HttpResponse {
    HttpResponse::new(status, vec![], body)
}

fn accepted() -> HttpResponse {
    response(200, r#"{"id":"m-1","timestamp":"2024-01-01T00:00:00Z","responseCode":0}"#)
}

fn throttled() -> HttpResponse {
    let headers = vec![("retry-after".to_owned(), "7".to_owned())];
    HttpResponse::new(429, headers, r#"{"responseCode":906,"responseText":"slow down"}"#)
}

fn lost() -> TransportError {
    TransportError::new(SentState::Maybe, Reason::Reset)
}

fn not_sent() -> TransportError {
    TransportError::new(SentState::No, Reason::Connect)
}

#[test]
fn a_response_ends_the_call() {
    let mut steps = start(&client(), "sms.send", SEND);
    match steps.step() {
        Step::Send { request, limit, left } => {
            assert_eq!((request.method.as_str(), request.url.as_str()), ("POST", "http://sms.test/sms"));
            assert_eq!((limit.as_secs(), left.as_secs()), (20, 60));
        }
        other => panic!("{other:?}"),
    }
    steps.respond(accepted());
    let sent = output(steps).unwrap();
    assert!(sent.value.contains("m-1"));
    assert_eq!(sent.attempts, 1);
}

#[test]
fn an_invalid_request_has_ended_at_once() {
    let error = output(start(&client(), "sms.send", "{}")).unwrap_err();
    assert_eq!((error.outcome, error.sent), (Outcome::Invalid, SentState::No));
}

#[test]
fn a_success_that_began_before_the_request_was_written_is_unknown() {
    let mut steps = start(&client(), "sms.send", SEND);
    steps.respond_early(accepted());
    let error = output(steps).unwrap_err();
    assert_eq!((error.outcome, error.sent), (Outcome::Unknown, SentState::Maybe));
    let mut steps = start(&client(), "sms.send", SEND);
    steps.respond_early(response(400, r#"{"responseCode":990,"responseText":"no"}"#));
    assert_eq!(output(steps).unwrap_err().outcome, Outcome::Rejected);
}

#[test]
fn failures_are_retried_or_end_the_call() {
    let mut steps = start(&client(), "sms.send", SEND);
    for wait in ["wait 200", "wait 200"] {
        steps.fail(not_sent());
        assert_eq!(at(&steps), wait);
        steps.time_passed();
        assert_eq!(at(&steps), "send sms.send");
    }
    steps.fail(not_sent());
    let error = output(steps).unwrap_err();
    assert_eq!((error.outcome, error.sent, error.attempts), (Outcome::NotSent, SentState::No, 3));

    let mut steps = start(&client(), "sms.send", SEND);
    steps.fail(lost());
    let error = output(steps).unwrap_err();
    assert_eq!((error.outcome, error.reason, error.attempts), (Outcome::Unknown, Reason::Reset, 1));

    let mut steps = start(&client(), "sms.send", SEND);
    steps.fail(lost().partial(accepted()));
    assert_eq!(output(steps).unwrap_err().outcome, Outcome::AcceptedIdUnknown);
}

#[test]
fn time_that_passes_during_a_request_leaves_the_outcome_unknown() {
    let mut steps = start(&client(), "sms.send", SEND);
    steps.time_passed();
    let error = output(steps).unwrap_err();
    assert_eq!(
        (error.outcome, error.sent, error.reason),
        (Outcome::Unknown, SentState::Maybe, Reason::Timeout)
    );
}

#[test]
fn a_call_waits_as_long_as_the_provider_requests() {
    let (client, clock) = client_of(&config());
    let mut steps = start(&client, "sms.send", SEND);
    steps.respond(throttled());
    assert_eq!(at(&steps), "wait 7000");
    clock.advance(Duration::from_secs(50));
    steps.time_passed();
    match steps.step() {
        Step::Send { limit, left, .. } => assert_eq!((limit.as_secs(), left.as_secs()), (20, 10)),
        other => panic!("{other:?}"),
    }
    steps.respond(accepted());
    assert_eq!(output(steps).unwrap().attempts, 2);
}

#[test]
fn the_deadline_holds_if_the_clock_stands_still() {
    let (client, _) = client_of(&config().max_attempts(10_000).deadline(Duration::from_secs(8)));
    let mut steps = start(&client, "sms.send", SEND);
    let mut waited = Duration::ZERO;
    loop {
        match steps.step() {
            Step::Send { .. } => steps.fail(not_sent()),
            Step::Wait(duration) => {
                waited += duration;
                steps.time_passed();
            }
            _ => break,
        }
    }
    assert_eq!(output(steps).unwrap_err().outcome, Outcome::NotSent);
    assert!((Duration::from_secs(7)..=Duration::from_secs(8)).contains(&waited), "{waited:?}");
}

#[test]
fn reports_that_do_not_fit_the_step_are_ignored() {
    let mut steps = start(&client(), "sms.send", SEND);
    steps.poll();
    assert_eq!(at(&steps), "send sms.send");
    steps.fail(not_sent());
    for _ in 0..2 {
        steps.respond(accepted());
        steps.respond_early(accepted());
        steps.fail(lost());
        steps.poll();
        assert_eq!(at(&steps), "wait 200");
    }
    steps.time_passed();
    steps.respond(accepted());
    for _ in 0..2 {
        steps.respond(throttled());
        steps.respond_early(accepted());
        steps.fail(lost());
        steps.time_passed();
        steps.poll();
        assert_eq!(at(&steps), "ended");
    }
    assert_eq!(output(steps).unwrap().attempts, 2);
}

/// With `retry_unknown`, a verification is repeated: the first request may have verified the passcode, and used it up.
#[test]
fn a_repeated_verification_does_not_show_that_the_passcode_was_wrong() {
    let used = || response(410, r#"{"code":410,"message":"used","requestID":null}"#);
    let (client, _) = client_of(&config().retry_unknown(true));
    let mut once = start(&client, "otp.verify", VERIFY);
    once.respond(used());
    assert!(output(once).unwrap().value.contains(r#""code":410"#));
    let mut twice = start(&client, "otp.verify", VERIFY);
    twice.fail(lost());
    twice.time_passed();
    twice.respond(used());
    let error = output(twice).unwrap_err();
    assert_eq!((error.outcome, error.sent, error.attempts), (Outcome::Unknown, SentState::Maybe, 2));
    assert_eq!(error.reason, Reason::Reset);
    assert!(!error.retryable());
}

/// The event of a call, and the error that its cancellation returned.
fn cancelled(
    operation: &str,
    request: &'static str,
    sent: SentState,
    run: impl FnOnce(&mut CallSteps<Result>),
) -> (Option<Error>, Vec<(CallEnd, SentState)>) {
    let events = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&events);
    let client = client().on_outcome(move |event| keep.lock().unwrap().push((event.ending, event.sent)));
    let mut steps = start(&client, operation, request);
    run(&mut steps);
    let error = steps.cancel(sent);
    let events = events.lock().unwrap().clone();
    (error, events)
}

#[test]
fn a_cancelled_call_reports_whether_it_was_sent() {
    type Run = fn(&mut CallSteps<Result>);
    let (no, maybe) = (SentState::No, SentState::Maybe);
    let fails_twice: Run = |steps| {
        steps.fail(not_sent());
        steps.time_passed();
        steps.fail(not_sent());
    };
    let lost_then_waits: Run = |steps| steps.fail(lost());
    let lost_then_sends: Run = |steps| {
        steps.fail(lost());
        steps.time_passed();
        assert_eq!(at(steps), "send otp.limits.delete");
    };
    let reads_a_record: Run = |steps| {
        steps.fail(lost());
        assert_eq!(at(steps), "send otp.get");
    };
    let accepted_then_reads: Run = |steps| {
        steps.fail(lost().partial(response(200, r#"{"code":200,"#)));
        assert_eq!(at(steps), "send otp.limits.list");
    };
    let accepted_then_waits: Run = |steps| {
        steps.fail(lost().partial(response(200, r#"{"code":200,"#)));
        steps.fail(not_sent());
        assert_eq!(at(steps), "wait 200");
    };
    let table: [(&str, &'static str, Run, &str, [SentState; 3]); 8] = [
        ("sms.send", SEND, |_| {}, "the request", [no, maybe, maybe]),
        ("sms.send", SEND, fails_twice, "a wait after proof", [no; 3]),
        ("sms.send", SEND, |steps| steps.respond(throttled()), "a wait after a rate limit", [no; 3]),
        ("otp.limits.delete", DELETE, lost_then_waits, "a wait after a lost response", [maybe; 3]),
        ("otp.limits.delete", DELETE, lost_then_sends, "a request after a lost response", [maybe; 3]),
        ("otp.verify", VERIFY, reads_a_record, "a request for a record", [maybe; 3]),
        ("otp.limits.create", CREATE, accepted_then_reads, "a request for an accepted record", [maybe; 3]),
        ("otp.limits.create", CREATE, accepted_then_waits, "a wait for an accepted record", [maybe; 3]),
    ];
    for (operation, request, run, point, expected) in table {
        for (sent, expected) in [no, maybe, SentState::Yes].into_iter().zip(expected) {
            let (error, events) = cancelled(operation, request, sent, run);
            let error = error.unwrap();
            assert_eq!((error.sent, error.reason), (expected, Reason::Cancelled), "{point}, {sent:?}");
            let outcome = if expected == no { Outcome::NotSent } else { Outcome::Unknown };
            assert_eq!(error.outcome, outcome, "{point}, {sent:?}");
            assert_eq!(error.operation, operation);
            assert!(error.call_id.is_some());
            assert_eq!(events, [(CallEnd::Abandoned, expected)], "{point}, {sent:?}");
        }
    }
}

#[test]
fn a_call_that_ended_cannot_be_cancelled() {
    let (error, events) = cancelled("sms.send", SEND, SentState::Maybe, |steps| steps.respond(accepted()));
    assert_eq!(error, None);
    assert_eq!(events, [(CallEnd::Accepted, SentState::Yes)]);
}

#[test]
fn a_call_that_is_dropped_was_possibly_sent() {
    let events = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&events);
    let client = client().on_outcome(move |event| keep.lock().unwrap().push((event.ending, event.sent)));
    drop(start(&client, "sms.send", SEND));
    assert_eq!(*events.lock().unwrap(), [(CallEnd::Abandoned, SentState::Maybe)]);
}

#[test]
fn calls_in_a_row_share_the_ids_of_their_client() {
    let client = client();
    let mut steps = client.steps(|client| async move {
        let first = client.call_json(OperationId::SmsSend, SEND).await;
        (first, client.call_json(OperationId::SmsSend, SEND).await)
    });
    steps.respond(accepted());
    assert_eq!(at(&steps), "send sms.send");
    steps.respond(accepted());
    let (first, second) = steps.into_output().unwrap();
    assert!(first.is_ok());
    assert_eq!(second.unwrap_err().reason, Reason::Mismatch);
    let mut steps = start(&client, "sms.send", SEND);
    steps.respond(accepted());
    assert_eq!(output(steps).unwrap_err().reason, Reason::Mismatch, "the client knows the id, too");
}

/// Runs futures at the same time.
async fn join(mut futures: Vec<Pin<Box<dyn Future<Output = Result> + Send>>>) -> Vec<Option<Result>> {
    let mut results: Vec<Option<Result>> = futures.iter().map(|_| None).collect();
    poll_fn(|context| {
        for (future, result) in futures.iter_mut().zip(&mut results) {
            if result.is_none()
                && let Poll::Ready(value) = future.as_mut().poll(context)
            {
                *result = Some(value);
            }
        }
        if results.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    results
}

#[test]
fn calls_at_the_same_time_take_turns() {
    let (client, clock) = client_of(&config().accept_repeated_ids(true));
    let mut steps = client.steps(|client| async move {
        let calls = (0..3).map(|_| {
            let client = client.clone();
            Box::pin(async move { client.call_json(OperationId::SmsSend, SEND).await }) as Pin<Box<_>>
        });
        join(calls.map(|call| call as Pin<Box<dyn Future<Output = Result> + Send>>).collect()).await
    });
    // The first call fails once and waits, while the others have their turns.
    let mut requests = 0;
    loop {
        match steps.step() {
            Step::Send { left, .. } => {
                assert!(left <= Duration::from_secs(60));
                requests += 1;
                match requests {
                    1 => steps.fail(not_sent()),
                    _ => steps.respond(accepted()),
                }
            }
            Step::Wait(duration) => {
                clock.advance(duration);
                steps.time_passed();
            }
            _ => break,
        }
    }
    assert_eq!(requests, 4);
    let attempts: Vec<u32> =
        steps.into_output().unwrap().into_iter().map(|result| result.unwrap().unwrap().attempts).collect();
    assert_eq!(attempts, [2, 1, 1]);
}

/// Futures of many calls poll only those that were woken.
#[test]
fn calls_that_are_polled_only_when_woken_take_turns() {
    let (client, _) = client_of(&config().accept_repeated_ids(true));
    let mut steps = client.steps(|client| async move {
        let calls = (0..40).map(|_| {
            let client = client.clone();
            async move { client.call_json(OperationId::SmsSend, SEND).await }
        });
        futures_util::future::join_all(calls).await
    });
    for request in 0..40 {
        assert!(matches!(steps.step(), Step::Send { .. }), "request {request}: {:?}", steps.step());
        steps.respond(accepted());
    }
    let results = steps.into_output().unwrap();
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 40);
}

/// One call has asked for its request, the other waits for its turn.
#[test]
fn of_calls_at_the_same_time_a_cancellation_reports_what_may_have_been_sent() {
    for (sent, expected) in [(SentState::Maybe, SentState::Maybe), (SentState::No, SentState::No)] {
        let steps = client().steps(|client| async move {
            let calls = (0..2).map(|_| {
                let client = client.clone();
                Box::pin(async move { client.call_json(OperationId::SmsSend, SEND).await })
                    as Pin<Box<dyn Future<Output = Result> + Send>>
            });
            join(calls.collect()).await
        });
        assert_eq!(steps.cancel(sent).unwrap().sent, expected);
    }
}

/// A call that waits for its turn until its deadline sends nothing.
#[test]
fn a_turn_after_the_deadline_sends_nothing() {
    let (client, clock) = client_of(&config());
    let mut steps = client.steps(|client| async move {
        let calls = (0..2).map(|_| {
            let client = client.clone();
            Box::pin(async move { client.call_json(OperationId::SmsSend, SEND).await })
                as Pin<Box<dyn Future<Output = Result> + Send>>
        });
        join(calls.collect()).await
    });
    clock.advance(Duration::from_secs(60));
    steps.respond(accepted());
    let results = steps.into_output().unwrap();
    let outcome = |place: usize| match results[place].as_ref().unwrap() {
        Ok(sent) => format!("accepted after {}", sent.attempts),
        Err(error) => format!("{} {}", error.outcome.as_str(), error.reason.as_str()),
    };
    assert_eq!((outcome(0), outcome(1)), ("accepted after 1".to_owned(), "not_sent deadline".to_owned()));
}

#[test]
fn hooks_run_before_the_request_and_the_program_has_a_step_for_theirs() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (one, two, three) = (Arc::clone(&seen), Arc::clone(&seen), Arc::clone(&seen));
    let trace = Arc::new(Mutex::new(None));
    let value = Arc::clone(&trace);
    let client = client()
        .on_request(move |event| one.lock().unwrap().push(format!("request {}", event.attempt)))
        .on_response(move |event| two.lock().unwrap().push(format!("response {}", event.status)))
        .on_outcome(move |event| three.lock().unwrap().push(event.ending.as_str().to_owned()))
        .traceparent(move |_| value.lock().unwrap().clone());
    let mut steps = start(&client, "sms.send", SEND);
    assert_eq!(at(&steps), "wait 0");
    assert_eq!(*seen.lock().unwrap(), ["request 1"]);
    *trace.lock().unwrap() = Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".to_owned());
    steps.time_passed();
    match steps.step() {
        Step::Send { request, .. } => {
            let sent = request.headers.iter().find(|(name, _)| name == "traceparent");
            assert_eq!(sent.map(|(_, value)| value.clone()), *trace.lock().unwrap());
        }
        other => panic!("{other:?}"),
    }
    steps.respond(accepted());
    assert_eq!(*seen.lock().unwrap(), ["request 1", "response 200", "accepted"]);
}

/// Answers when the test allows it.
#[derive(Clone, Default)]
struct SlowStore(Arc<AtomicBool>);

impl SlowStore {
    async fn answer(&self) -> std::result::Result<bool, StoreError> {
        poll_fn(|_| if self.0.load(Ordering::Relaxed) { Poll::Ready(()) } else { Poll::Pending }).await;
        Ok(false)
    }
}

impl SuppressionStore for SlowStore {
    fn is_suppressed<'a>(&'a self, _: &'a str) -> BoxFuture<'a, std::result::Result<bool, StoreError>> {
        Box::pin(self.answer())
    }
    fn add<'a>(&'a self, _: &'a str) -> BoxFuture<'a, std::result::Result<bool, StoreError>> {
        Box::pin(self.answer())
    }
    fn remove<'a>(&'a self, _: &'a str) -> BoxFuture<'a, std::result::Result<bool, StoreError>> {
        Box::pin(self.answer())
    }
}

#[test]
fn a_store_that_is_not_ready_is_polled_or_times_out() {
    let store = SlowStore::default();
    let client = client().suppression(Arc::new(store.clone()));
    let mut slow = start(&client, "sms.send", SEND);
    let waiting = start(&client, "sms.send", SEND);
    let mut ready = start(&client, "sms.send", SEND);
    assert_eq!(at(&slow), "wait 5000");
    slow.time_passed();
    let error = output(slow).unwrap_err();
    assert_eq!(error.outcome, Outcome::Invalid);
    assert_eq!(error.problems[0].code, "suppression.unavailable");
    // No call had begun.
    assert_eq!(waiting.cancel(SentState::Maybe), None);
    ready.poll();
    assert_eq!(at(&ready), "wait 5000");
    store.0.store(true, Ordering::Relaxed);
    ready.poll();
    assert_eq!(at(&ready), "send sms.send");
    ready.respond(accepted());
    assert!(output(ready).is_ok());
}

#[test]
fn a_future_of_the_program_is_polled_when_time_passes() {
    let is_ready = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&is_ready);
    let mut steps = client().steps(|_| async move {
        poll_fn(|_| if flag.load(Ordering::Relaxed) { Poll::Ready(7) } else { Poll::Pending }).await
    });
    steps.respond(accepted());
    steps.time_passed();
    assert_eq!(at(&steps), "wait 0");
    is_ready.store(true, Ordering::Relaxed);
    steps.time_passed();
    assert_eq!(at(&steps), "ended");
    assert_eq!(steps.into_output(), Some(7));
}

#[test]
fn a_panic_of_the_program_ends_the_steps() {
    let is_ready = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&is_ready);
    let mut steps = client().steps(|_| async move {
        poll_fn(|_| if flag.load(Ordering::Relaxed) { Poll::Ready(()) } else { Poll::Pending }).await;
        panic!("the program");
    });
    is_ready.store(true, Ordering::Relaxed);
    assert!(catch_unwind(AssertUnwindSafe(|| steps.time_passed())).is_err());
    steps.time_passed();
    assert_eq!(at(&steps), "ended");
    assert!(steps.into_output().is_none());
}

#[test]
fn steps_may_move_to_another_thread_and_show_nothing_of_the_request() {
    let mut steps = start(&client(), "sms.send", SEND);
    let text = format!("{steps:?}");
    assert!(text.contains("sms.send") && !text.contains("306912345678") && !text.contains("k-1"), "{text}");
    let steps = std::thread::spawn(move || {
        steps.respond(accepted());
        steps
    });
    assert!(output(steps.join().unwrap()).is_ok());
}

#[test]
fn a_passcode_is_verified_and_cancelled_on_a_connection_of_its_own() {
    for (operation, request, is_own) in [
        ("otp.verify", VERIFY, true),
        ("otp.cancel", CANCEL, true),
        ("otp.get", DELETE.replace("LM1", "OTP1").leak(), false),
        ("sms.send", SEND, false),
    ] {
        let mut steps = start(&client(), operation, request);
        match steps.step() {
            Step::Send { request, .. } => assert_eq!(request.needs_own_connection(), is_own, "{operation}"),
            other => panic!("{other:?}"),
        }
        if operation == "otp.verify" {
            steps.fail(lost());
            match steps.step() {
                Step::Send { request, .. } => assert!(!request.needs_own_connection(), "the record"),
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn the_clock_of_the_system_is_enough() {
    let clock = SystemClock;
    let (before, unix) = (clock.monotonic(), clock.unix_time());
    assert!(clock.monotonic() >= before && unix > Duration::from_secs(1_700_000_000));
    assert!(clock.sleep(Duration::ZERO).is_none());
    let mut random = [[0; 16]; 2];
    random.iter_mut().for_each(|bytes| clock.fill_random(bytes).unwrap());
    assert_ne!(random[0], random[1]);
    let unused = |_: HttpRequest| async { panic!("the transport of the client sent a request") };
    let client = Client::with_transport_and_clock(&config(), unused, SystemClock).unwrap();
    let mut steps = start(&client, "sms.send", SEND);
    steps.respond(throttled());
    assert_eq!(at(&steps), "wait 7000");
    steps.time_passed();
    steps.respond(accepted());
    assert!(output(steps).is_ok());
}

#[cfg(feature = "http")]
#[test]
fn a_client_over_http_runs_step_by_step_without_a_runtime() {
    let client = Client::new(&config()).unwrap();
    let mut steps = start(&client, "sms.send", SEND);
    steps.fail(not_sent());
    assert!(matches!(steps.step(), Step::Wait(wait) if wait >= Duration::from_millis(200)));
    steps.time_passed();
    steps.respond(accepted());
    assert_eq!(output(steps).unwrap().attempts, 2);
}

#[cfg(feature = "http")]
#[test]
fn a_client_that_runs_step_by_step_cannot_be_reconfigured() {
    for client in [Client::new(&config()).unwrap(), client()] {
        let steps = client.steps(|client| async move { client.reconfigured(&config()).map(drop) });
        let error = steps.into_output().unwrap().unwrap_err();
        assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config));
        assert!(error.message.contains("step by step"), "{}", error.message);
        assert!(client.reconfigured(&config()).is_ok());
    }
}

/// What happens to one request.
#[derive(Clone)]
enum Reply {
    Responds(HttpResponse),
    RespondsEarly(HttpResponse),
    Fails(TransportError),
    TimePasses,
}

/// What a call showed: its result, its requests, its waits and its event.
type Shown = (std::result::Result<(String, u32), String>, Vec<(String, Option<Vec<u8>>)>, Vec<String>);

fn shown(result: Result, requests: Vec<HttpRequest>, events: &Mutex<Vec<String>>) -> Shown {
    let result = result.map(|sent| (sent.value.clone(), sent.attempts)).map_err(|error| error.to_json());
    let requests = requests.into_iter().map(|request| (request.url, request.body)).collect();
    (result, requests, std::mem::take(&mut *events.lock().unwrap()))
}

fn reported(client: Client) -> (Client, Arc<Mutex<Vec<String>>>) {
    let events = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&events);
    (client.on_outcome(move |event| keep.lock().unwrap().push(format!("{event:?}"))), events)
}

fn next(replies: &mut VecDeque<Reply>) -> Reply {
    replies.pop_front().unwrap_or(Reply::Fails(lost()))
}

fn by_steps(operation: &str, request: &'static str, mut replies: VecDeque<Reply>) -> Shown {
    let (client, clock) = client_of(&config());
    let (client, events) = reported(client);
    let mut steps = start(&client, operation, request);
    let mut requests = Vec::new();
    loop {
        match steps.step() {
            Step::Send { request, limit, left } => {
                requests.push(request.clone());
                match next(&mut replies) {
                    Reply::Responds(response) => steps.respond(response),
                    Reply::RespondsEarly(response) => steps.respond_early(response),
                    Reply::Fails(error) => steps.fail(error),
                    Reply::TimePasses => {
                        clock.advance(limit.min(left));
                        steps.time_passed();
                    }
                }
            }
            Step::Wait(duration) => {
                clock.advance(duration);
                steps.time_passed();
            }
            _ => break,
        }
    }
    shown(output(steps), requests, &events)
}

/// A clock whose waits move it.
struct Waits(ManualClock);

impl Clock for Waits {
    fn monotonic(&self) -> Duration {
        self.0.monotonic()
    }
    fn unix_time(&self) -> Duration {
        self.0.unix_time()
    }
    fn sleep(&self, duration: Duration) -> Option<BoxFuture<'_, ()>> {
        Some(Box::pin(async move { self.0.advance(duration) }))
    }
    fn fill_random(&self, bytes: &mut [u8]) -> std::result::Result<(), NoEntropy> {
        self.0.fill_random(bytes)
    }
}

struct Replies {
    clock: ManualClock,
    left: Mutex<VecDeque<Reply>>,
    requests: Arc<Mutex<Vec<HttpRequest>>>,
}

impl Replies {
    fn reply(
        &self,
        request: &HttpRequest,
        timeout: Duration,
        progress: &Progress,
    ) -> std::result::Result<HttpResponse, TransportError> {
        self.requests.lock().unwrap().push(request.clone());
        match next(&mut self.left.lock().unwrap()) {
            Reply::Responds(response) => Ok(response),
            Reply::RespondsEarly(response) => {
                progress.mark_early_response();
                Ok(response)
            }
            Reply::Fails(error) => Err(error),
            Reply::TimePasses => {
                self.clock.advance(timeout);
                Err(TransportError::new(SentState::Maybe, Reason::Timeout))
            }
        }
    }
}

impl Transport for Replies {
    fn send<'a>(
        &'a self,
        _: &'a HttpRequest,
        _: Duration,
    ) -> BoxFuture<'a, std::result::Result<HttpResponse, TransportError>> {
        unreachable!("a call makes attempts")
    }
    fn attempt<'a>(
        &'a self,
        request: &'a HttpRequest,
        attempt: Attempt<'a>,
    ) -> BoxFuture<'a, std::result::Result<HttpResponse, TransportError>> {
        Box::pin(async move { self.reply(request, attempt.timeout(), attempt.progress()) })
    }
}

fn by_transport(operation: &str, request: &'static str, replies: VecDeque<Reply>) -> Shown {
    let clock = ManualClock::new();
    let requests = Arc::default();
    let transport =
        Replies { clock: clock.clone(), left: Mutex::new(replies), requests: Arc::clone(&requests) };
    let client = Client::with_transport_and_clock(&config(), transport, Waits(clock)).unwrap();
    let (client, events) = reported(client);
    let mut call = pin!(client.call_json(OperationId::find(operation).unwrap(), request));
    let Poll::Ready(result) = call.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("nothing waits");
    };
    let requests = requests.lock().unwrap().clone();
    shown(result, requests, &events)
}

/// All sequences of three replies to calls of six operations, in both forms.
#[test]
fn both_forms_of_a_call_have_the_same_results() {
    let record = |body: &str| {
        let date = vec![("date".to_owned(), "Tue, 14 Nov 2023 22:13:20 GMT".to_owned())];
        Reply::Responds(HttpResponse::new(200, date, body))
    };
    let replies = [
        Reply::Responds(accepted()),
        record(r#"{"code":200,"message":"OK","requestID":"OTP1","data":{"sid":"LM1"}}"#),
        record(
            r#"{"sid":"OTP1","status":"canceled","checks":[],"code":200,"data":{"result":[],"page":0,"total":0}}"#,
        ),
        Reply::Responds(throttled()),
        Reply::Responds(response(400, r#"{"code":493,"message":"no","requestID":null}"#)),
        Reply::Responds(response(503, "<html>")),
        Reply::RespondsEarly(accepted()),
        Reply::Fails(lost()),
        Reply::Fails(not_sent()),
        Reply::TimePasses,
    ];
    let calls = [
        ("sms.send", SEND),
        ("otp.limits.delete", DELETE),
        ("otp.limits.create", CREATE),
        ("otp.verify", VERIFY),
        ("otp.cancel", CANCEL),
        ("otp.limits.get", DELETE),
    ];
    let mut compared = 0;
    for sequence in 0..replies.len().pow(3) {
        let sequence: VecDeque<Reply> = (0..3)
            .map(|place| replies[sequence / replies.len().pow(place) % replies.len()].clone())
            .collect();
        for (operation, request) in calls {
            let steps = by_steps(operation, request, sequence.clone());
            assert_eq!(steps, by_transport(operation, request, sequence.clone()), "{operation}");
            compared += 1;
        }
    }
    assert_eq!(compared, 6000);
}
