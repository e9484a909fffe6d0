//! Leases of callbacks with stores that fail, hang, lie and lose replies, with handlers that fail, and with requests that are dropped.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cpaas::callback::{
    Claimed, Event, Keyring, Lease, LeaseError, LeaseMemory, LeaseReply, LeaseStore, Leases, Received,
    Receiver, Source,
};
use cpaas::callback::{MAX_LEASE, MIN_LEASE};
use tokio::sync::Notify;

const NOW: u64 = 1_700_000_000;

fn receiver() -> Receiver {
    let keys = Keyring::new([("k1", [7; 32])]).unwrap();
    Receiver::new("shop", "https://shop.example/cb").unwrap().delivery_keys(keys)
}

/// A report of one message; the same for each call with this id.
fn report(id: &str) -> Received {
    thread_local!(static CALLBACK: (Receiver, String) = {
        let receiver = receiver();
        let callback = receiver.url(Source::SmsReport, "bulk-1", NOW).unwrap();
        (receiver, callback)
    });
    CALLBACK.with(|(receiver, callback)| {
        let url = format!("{callback}&msgid={id}&status=sent&reference=bulk-1");
        receiver.receive("GET", &url, &[], b"", NOW).unwrap()
    })
}

/// What a command of the store does in place of its work, or after it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// Fails, and does nothing.
    Down,
    /// Works, but its reply is lost.
    LostReply,
    /// Works, but its reply does not come before `resume`.
    Hangs,
    /// Waits for other tasks before it works.
    Waits,
    /// Panics.
    Panics,
    /// Answers that the event is busy for longer than any lease.
    Lies,
}

/// A store whose clock the test moves.
#[derive(Default)]
struct TestStore {
    seconds: AtomicU64,
    /// The token, or `None` for an event that is done, and the end.
    events: Mutex<HashMap<String, (Option<String>, u64)>>,
    faults: Mutex<HashMap<&'static str, Fault>>,
    resume: Notify,
    commands: Mutex<Vec<&'static str>>,
    ended: Notify,
}

impl TestStore {
    fn fault(&self, command: &'static str, fault: Fault) {
        self.faults.lock().unwrap().insert(command, fault);
    }

    fn mend(&self) {
        self.faults.lock().unwrap().clear();
        self.resume.notify_waiters();
    }

    fn pass(&self, seconds: u64) {
        self.seconds.fetch_add(seconds, Ordering::SeqCst);
    }

    fn state(&self) -> Vec<Option<String>> {
        self.events.lock().unwrap().values().map(|(token, _)| token.clone()).collect()
    }

    /// Waits until this many commands have ended.
    async fn commands(&self, count: usize) -> Vec<&'static str> {
        loop {
            let ended = self.ended.notified();
            let found = self.commands.lock().unwrap().clone();
            if found.len() >= count {
                return found;
            }
            ended.await;
        }
    }

    async fn command<T>(
        &self,
        name: &'static str,
        lie: Option<T>,
        work: impl FnOnce() -> T,
    ) -> Result<T, String> {
        let fault = self.faults.lock().unwrap().get(name).copied();
        let result = match (fault, lie) {
            (Some(Fault::Down), _) => Err("no connection".to_owned()),
            (Some(Fault::Panics), _) => panic!("the store panics"),
            (Some(Fault::Lies), Some(lie)) => Ok(lie),
            (Some(Fault::LostReply), _) => {
                work();
                Err("connection reset".to_owned())
            }
            (Some(Fault::Hangs), _) => {
                let resumed = self.resume.notified();
                let result = work();
                resumed.await;
                Ok(result)
            }
            (Some(Fault::Waits), _) => {
                for _ in 0..100 {
                    tokio::task::yield_now().await;
                }
                Ok(work())
            }
            _ => Ok(work()),
        };
        self.commands.lock().unwrap().push(name);
        self.ended.notify_waiters();
        result
    }
}

/// A shared [`TestStore`].
#[derive(Clone, Default)]
struct Shared(Arc<TestStore>);

impl LeaseStore for Shared {
    type Error = String;

    async fn claim(&self, key: &str, token: &str, lease: Duration) -> Result<Claimed, String> {
        assert!(key.starts_with("shop:cpaas:2:") && token.len() == 32 && lease == Duration::from_secs(90));
        let lie = Claimed::Busy(MAX_LEASE + Duration::from_secs(1));
        let work = || {
            let now = self.0.seconds.load(Ordering::SeqCst);
            let mut events = self.0.events.lock().unwrap();
            match events.get(key) {
                Some((None, end)) if *end > now => return Claimed::Done,
                Some((Some(owner), end)) if *end > now && *owner != token => {
                    return Claimed::Busy(Duration::from_secs(end - now) - Duration::from_millis(1));
                }
                _ => {}
            }
            events.insert(key.to_owned(), (Some(token.to_owned()), now + lease.as_secs()));
            Claimed::New
        };
        self.0.command("claim", Some(lie), work).await
    }

    async fn done(&self, key: &str, _: &str, keep: Duration) -> Result<(), String> {
        assert_eq!(keep, Duration::from_secs(1_209_600));
        let end = self.0.seconds.load(Ordering::SeqCst) + keep.as_secs();
        let work = || drop(self.0.events.lock().unwrap().insert(key.to_owned(), (None, end)));
        self.0.command("done", None, work).await
    }

    async fn free(&self, key: &str, token: &str) -> Result<(), String> {
        let work = || {
            let mut events = self.0.events.lock().unwrap();
            if events.get(key).is_some_and(|(owner, _)| owner.as_deref() == Some(token)) {
                events.remove(key);
            }
        };
        self.0.command("free", None, work).await
    }
}

fn filter() -> (Leases<Shared>, Arc<TestStore>) {
    let store = Shared::default();
    (Leases::new(store.clone()).prefix("shop:"), store.0)
}

fn shown(reply: LeaseReply) -> (u16, Option<u64>) {
    (reply.status, reply.retry_after)
}

const DONE: (u16, Option<u64>) = (200, None);
const HANDLER_FAILED: (u16, Option<u64>) = (500, None);
const STORE_FAILED: (u16, Option<u64>) = (503, Some(5));

/// Runs a handler that succeeds; returns the response and whether the handler ran.
async fn run(leases: &Leases<Shared>, id: &str) -> ((u16, Option<u64>), bool) {
    let ran = Arc::new(AtomicUsize::new(0));
    let count = ran.clone();
    let reply = leases
        .run(report(id), async move |_| {
            count.fetch_add(1, Ordering::SeqCst);
            Ok::<(), String>(())
        })
        .await;
    (shown(reply), ran.load(Ordering::SeqCst) == 1)
}

#[tokio::test]
async fn a_repeat_of_a_completed_event_is_answered_without_its_handler() {
    let (leases, store) = filter();
    assert_eq!(run(&leases, "m-1").await, (DONE, true));
    assert_eq!(run(&leases, "m-1").await, (DONE, false));
    assert_eq!(run(&leases, "m-2").await, (DONE, true));
    store.pass(1_209_600);
    assert_eq!(run(&leases, "m-1").await, (DONE, true));
}

#[tokio::test]
async fn a_handler_that_fails_or_panics_runs_again() {
    let (leases, store) = filter();
    let failed = leases.run(report("m-1"), async |_| Err("no disk")).await;
    assert_eq!((shown(failed), store.state()), (HANDLER_FAILED, vec![]));
    let panicked = leases
        .run(report("m-1"), async |received| {
            assert!(received.event.message_id().is_none(), "the handler panics");
            Ok::<(), String>(())
        })
        .await;
    assert_eq!(shown(panicked), HANDLER_FAILED);
    assert_eq!(store.commands(4).await, ["claim", "free", "claim", "free"]);
    assert_eq!(run(&leases, "m-1").await, (DONE, true));
}

#[tokio::test]
async fn an_event_is_free_before_the_response_to_a_failed_handler() {
    let (leases, store) = filter();
    store.fault("free", Fault::Waits);
    let failed = leases.run(report("m-1"), async |_| Err("no disk")).await;
    assert_eq!((shown(failed), store.state()), (HANDLER_FAILED, vec![]));
    let panicked = leases
        .run(report("m-1"), async |received| {
            assert!(received.event.message_id().is_none(), "the handler panics");
            Ok::<(), String>(())
        })
        .await;
    assert_eq!((shown(panicked), store.state()), (HANDLER_FAILED, vec![]));
}

#[tokio::test]
async fn a_handler_that_panics_before_its_future_is_a_failed_handler() {
    let (leases, store) = filter();
    let handler = |received: Received| {
        assert!(received.event.message_id().is_none(), "the handler panics");
        std::future::ready(Ok::<(), String>(()))
    };
    let panicked = leases.run(report("m-1"), handler).await;
    assert_eq!((shown(panicked), store.state()), (HANDLER_FAILED, vec![]));
    assert_eq!(run(&leases, "m-1").await, (DONE, true));
}

#[tokio::test]
async fn a_batch_in_one_request_is_one_event_without_a_key() {
    let (leases, store) = filter();
    let receiver = receiver();
    let url = receiver.url(Source::ChatReport, "", NOW).unwrap();
    let batch = br#"[{"messageId":"m-1"},{"messageId":"m-2"},{"status":"sent"}]"#;
    let items = Arc::new(AtomicUsize::new(0));
    for (expected, done) in [(HANDLER_FAILED, 2), (DONE, 5), (DONE, 8)] {
        let received = receiver.receive("POST", &url, &[], batch, NOW).unwrap();
        assert_eq!(received.key(), None);
        let items_done = items.clone();
        let handler = async move |received: Received| {
            let Event::Unknown(batch) = received.event else { return Err("not a batch") };
            for item in batch.raw.as_array().unwrap() {
                if expected == HANDLER_FAILED && item["messageId"] == "m-2" {
                    continue;
                }
                items_done.fetch_add(1, Ordering::SeqCst);
            }
            if expected == HANDLER_FAILED { Err("one item failed") } else { Ok(()) }
        };
        assert_eq!(shown(leases.run(received, handler).await), expected);
        assert_eq!(items.load(Ordering::SeqCst), done);
    }
    assert!(store.commands(0).await.is_empty());
}

#[tokio::test]
async fn an_event_in_progress_is_busy_for_the_rest_of_its_lease() {
    let (leases, store) = filter();
    let lease = leases.claim(&report("m-1")).await.unwrap();
    store.pass(20);
    assert_eq!(run(&leases, "m-1").await, ((503, Some(70)), false));
    store.pass(70);
    // The lease has ended: the next request runs, and what the first one does afterwards frees nothing of it.
    let second = leases.claim(&report("m-1")).await.unwrap();
    lease.free().await;
    assert_eq!(run(&leases, "m-1").await, ((503, Some(90)), false));
    second.done().await;
    assert_eq!(run(&leases, "m-1").await, (DONE, false));
}

#[tokio::test]
async fn a_handler_longer_than_its_lease_settles_the_event_for_everybody() {
    let (leases, store) = filter();
    let slow = leases.claim(&report("m-1")).await.unwrap();
    store.pass(90);
    let second = leases.claim(&report("m-1")).await.unwrap();
    slow.done().await;
    assert_eq!(run(&leases, "m-1").await, (DONE, false));
    second.free().await;
    assert_eq!(run(&leases, "m-1").await, (DONE, false));
}

#[tokio::test]
async fn no_handler_runs_when_the_claim_fails() {
    for fault in [Fault::Down, Fault::LostReply, Fault::Panics, Fault::Lies] {
        let (leases, store) = filter();
        store.fault("claim", fault);
        assert_eq!(run(&leases, "m-1").await, (STORE_FAILED, false), "{fault:?}");
        store.mend();
        if fault == Fault::LostReply {
            assert_eq!(run(&leases, "m-1").await, ((503, Some(90)), false));
            store.pass(90);
        }
        assert_eq!(run(&leases, "m-1").await, (DONE, true), "{fault:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_hangs_blocks_no_request_and_a_late_lease_is_freed() {
    let (leases, store) = filter();
    store.fault("claim", Fault::Hangs);
    assert_eq!(run(&leases, "m-1").await, (STORE_FAILED, false));
    store.mend();
    assert_eq!(store.commands(2).await, ["claim", "free"]);
    store.fault("done", Fault::Hangs);
    assert_eq!(run(&leases, "m-1").await, (DONE, true));
    store.mend();
    assert_eq!(run(&leases, "m-1").await, (DONE, false));
    store.fault("free", Fault::Hangs);
    let failed = leases.run(report("m-2"), async |_| Err("no disk")).await;
    assert_eq!(shown(failed), HANDLER_FAILED);
}

#[tokio::test]
async fn a_completed_event_is_accepted_although_the_store_fails_to_record_it() {
    for (fault, runs_again) in [(Fault::Down, true), (Fault::Panics, true), (Fault::LostReply, false)] {
        let (leases, store) = filter();
        store.fault("done", fault);
        assert_eq!(run(&leases, "m-1").await, (DONE, true), "{fault:?}");
        store.mend();
        store.pass(90);
        assert_eq!(run(&leases, "m-1").await, (DONE, runs_again), "{fault:?}");
    }
}

#[tokio::test]
async fn a_failure_to_free_does_not_replace_that_of_the_handler() {
    for fault in [Fault::Down, Fault::Panics, Fault::LostReply] {
        let (leases, store) = filter();
        store.fault("free", fault);
        let failed = leases.run(report("m-1"), async |_| Err("no disk")).await;
        assert_eq!(shown(failed), HANDLER_FAILED, "{fault:?}");
        store.mend();
        store.pass(90);
        assert_eq!(run(&leases, "m-1").await, (DONE, true), "{fault:?}");
    }
}

#[tokio::test]
async fn a_handler_ends_although_its_request_is_dropped() {
    let (leases, store) = filter();
    let (started, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (running, waiting) = (started.clone(), go.clone());
    let request = leases.run(report("m-1"), async move |_| {
        running.notify_one();
        waiting.notified().await;
        Ok::<(), String>(())
    });
    tokio::select! {
        _ = request => panic!("the handler waits"),
        () = started.notified() => {} // the provider disconnects: the request is dropped
    }
    assert_eq!(run(&leases, "m-1").await, ((503, Some(90)), false));
    go.notify_one();
    assert_eq!(store.commands(3).await, ["claim", "claim", "done"]);
    assert_eq!(run(&leases, "m-1").await, (DONE, false));
}

#[tokio::test]
async fn a_request_that_is_dropped_during_its_claim_leaves_no_lease() {
    let (leases, store) = filter();
    store.fault("claim", Fault::Hangs);
    let event = report("m-1");
    tokio::select! {
        biased;
        _ = leases.claim(&event) => panic!("the store hangs"),
        () = async { while store.state().is_empty() { tokio::task::yield_now().await } } => {}
    }
    store.mend();
    assert_eq!(store.commands(2).await, ["claim", "free"]);
    assert_eq!(run(&leases, "m-1").await, (DONE, true));
}

#[tokio::test]
async fn a_lease_that_is_dropped_with_its_task_is_freed() {
    let (leases, store) = filter();
    let lease = leases.claim(&report("m-1")).await.unwrap();
    let task = tokio::spawn(async move {
        let _held: Lease<Shared> = lease;
        std::future::pending::<()>().await;
    });
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
    assert_eq!(store.commands(2).await, ["claim", "free"]);
    // Also outside of the runtime.
    let lease = leases.claim(&report("m-1")).await.unwrap();
    std::thread::spawn(move || drop(lease)).join().unwrap();
    assert_eq!(store.commands(4).await, ["claim", "free", "claim", "free"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_requests_at_once_one_runs_the_handler() {
    let leases = Leases::in_memory(100);
    let runs = Arc::new(AtomicUsize::new(0));
    let (event, mut requests) = (report("m-1"), tokio::task::JoinSet::new());
    for _ in 0..100 {
        let (leases, event, runs) = (leases.clone(), event.clone(), runs.clone());
        requests.spawn(async move {
            let handler = async move |_| {
                runs.fetch_add(1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                Ok::<(), String>(())
            };
            shown(leases.run(event, handler).await)
        });
    }
    let replies = requests.join_all().await;
    assert!(replies.iter().all(|reply| [DONE, (503, Some(90))].contains(reply)), "{replies:?}");
    assert!(replies.contains(&DONE));
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_memory_full_of_events_in_progress_is_busy_for_a_second() {
    let leases = Leases::in_memory(2);
    let first = leases.claim(&report("m-1")).await.unwrap();
    let _second = leases.claim(&report("m-2")).await.unwrap();
    assert_eq!(shown(leases.claim(&report("m-3")).await.unwrap_err()), (503, Some(1)));
    assert_eq!(shown(leases.claim(&report("m-1")).await.unwrap_err()), (503, Some(90)));
    first.done().await;
    assert!(leases.claim(&report("m-3")).await.is_ok());
}

#[tokio::test]
async fn an_event_without_a_key_always_runs() {
    let (leases, store) = filter();
    for _ in 0..2 {
        assert_eq!(run(&leases, "").await, (DONE, true));
    }
    leases.claim(&report("")).await.unwrap().free().await;
    assert!(store.state().is_empty() && store.commands(0).await.is_empty());
}

/// A server that stops without waiting: what its runtime does not run any more leaves a lease that ends by itself.
#[test]
fn a_runtime_that_ends_during_a_handler_loses_no_event() {
    let (leases, store) = filter();
    let runtime =
        || tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let stopping = runtime();
    let (started, running) = std::sync::mpsc::channel();
    let of_request = leases.clone();
    stopping.spawn(async move {
        let handler = async move |_| {
            started.send(()).unwrap();
            std::future::pending::<Result<(), String>>().await
        };
        of_request.run(report("m-1"), handler).await
    });
    running.recv().unwrap();
    stopping.shutdown_timeout(Duration::ZERO);
    store.pass(90);
    assert_eq!(runtime().block_on(run(&leases, "m-1")), (DONE, true));
}

#[tokio::test]
async fn workers_with_separate_prefixes_do_not_share_events() {
    let memory = Shared::default();
    let old = Leases::new(memory.clone()).prefix("shop:");
    let new = Leases::new(memory.clone()).prefix("shop:cpaas:2:new:");
    for expected in [true, false] {
        for leases in [&old, &new] {
            assert_eq!(run(leases, "m-1").await, (DONE, expected));
        }
    }
    assert_eq!(memory.0.state(), [None, None]);
}

#[test]
fn leases_out_of_range_are_errors() {
    let leases = || Leases::in_memory(1);
    for seconds in [0.0, 0.999, 86_400.001, 1e18] {
        let found = leases().lease(Duration::from_secs_f64(seconds)).unwrap_err();
        assert_eq!(found, LeaseError::Lease, "{seconds}");
        assert_eq!(found.to_string(), "a lease must be from 1 to 86,400 seconds");
    }
    assert!(leases().lease(MIN_LEASE).is_ok() && leases().lease(MAX_LEASE).is_ok());
    assert_eq!(leases().keep(Duration::from_millis(999)).unwrap_err(), LeaseError::Keep);
    assert!(leases().keep(Duration::MAX).is_ok());
    let memory = LeaseMemory::new(1);
    memory.done("k", Duration::MAX);
    assert_eq!(memory.claim("k", "t", Duration::MAX), Claimed::Done);
    assert_eq!(format!("{memory:?}"), "LeaseMemory { in_progress: 0, done: 1, .. }");
}
