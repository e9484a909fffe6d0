//! Calls without a runtime, and in a runtime that shuts down.

use std::pin::pin;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::Duration;

use cpaas::client::Client;
use cpaas::error::{Error, Outcome, Reason, SentState};
use cpaas_tests::examples::example;
use cpaas_tests::fault_server::{ConnectionEnd, FaultServer, Reply};
use tokio::runtime::{Builder, Runtime};

use crate::config;

type CallResult = Result<String, Error>;

async fn send(client: Client) -> CallResult {
    let message = cpaas::sms::SendSms::new("Acme", "306912345678", "Your table is ready");
    client.call(message).await.map(|sent| sent.value.id)
}

/// Runs a future on an executor without timers and I/O.
fn plain<T>(work: impl Future<Output = T>) -> T {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut work = pin!(work);
    loop {
        match work.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(done) => return done,
            Poll::Pending => std::thread::park(),
        }
    }
}

fn multi() -> Runtime {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

fn current() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

#[track_caller]
fn assert_no_runtime(reported: CallResult) {
    let error = reported.unwrap_err();
    let reported = (error.outcome, error.sent, error.reason, error.attempts);
    assert_eq!(reported, (Outcome::NotSent, SentState::No, Reason::Runtime, 1), "{error:?}");
    // A retry without a runtime cannot succeed, so the message must not advise one.
    assert!(!error.retryable());
    assert_eq!(
        error.message,
        "not sent: no async runtime is running, it has no timers or no I/O, or it is shutting down: call inside a running tokio \
         runtime that was built with `enable_all()` (1 attempt)"
    );
}

/// A client with retries, and a server that would respond.
fn client_and_server() -> (Runtime, FaultServer, Client) {
    let home = multi();
    let server =
        home.block_on(FaultServer::serve(|_| Reply::json(200, example("sms.send").response))).unwrap();
    let client = Client::new(&config(&server.url()).max_attempts(3)).unwrap();
    (home, server, client)
}

#[test]
fn a_call_without_a_runtime_is_not_sent() {
    let (_home, server, client) = client_and_server();
    assert_no_runtime(plain(send(client)));
    assert_eq!(server.connections(), 0);
}

#[test]
fn a_call_in_a_runtime_without_timers_and_sockets_is_not_sent() {
    let (_home, server, client) = client_and_server();
    assert_no_runtime(Builder::new_current_thread().build().unwrap().block_on(send(client)));
    assert_eq!(server.connections(), 0);
}

#[test]
fn a_call_in_a_runtime_that_was_shut_down_is_not_sent() {
    for build in [multi, current] {
        for warm in [false, true] {
            let (_home, server, client) = client_and_server();
            let runtime = build();
            if warm {
                runtime.block_on(send(client.clone())).unwrap();
            }
            let handle = runtime.handle().clone();
            runtime.shutdown_background();
            assert_no_runtime(handle.block_on(send(client)));
            assert_eq!(server.requests().len(), usize::from(warm));
        }
    }
}

/// Makes a call when it is dropped, and reports its result.
struct CallOnDrop(Client, Sender<CallResult>);

impl Drop for CallOnDrop {
    fn drop(&mut self) {
        let _ = self.1.send(plain(send(self.0.clone())));
    }
}

#[test]
fn a_call_made_while_a_runtime_drops_its_tasks_at_shutdown_is_not_sent() {
    for build in [multi, current] {
        for warm in [false, true] {
            let (_home, server, client) = client_and_server();
            let runtime = build();
            let (report, reported) = mpsc::channel();
            let call = CallOnDrop(client.clone(), report);
            runtime.spawn(async move {
                let _call = call;
                std::future::pending::<()>().await;
            });
            if warm {
                runtime.block_on(send(client)).unwrap();
            } else {
                runtime.block_on(tokio::task::yield_now());
            }
            runtime.shutdown_background();
            assert_no_runtime(reported.recv_timeout(Duration::from_secs(100)).unwrap());
            assert_eq!(server.requests().len(), usize::from(warm));
        }
    }
}

/// The request is already written when the runtime shuts down. Nothing panics.
#[test]
fn the_outcome_is_unknown_if_the_runtime_shuts_down_during_the_call() {
    let home = multi();
    let server = home.block_on(FaultServer::serve(|_| Reply::new("", ConnectionEnd::Stall))).unwrap();
    let client = Client::new(&config(&server.url())).unwrap();
    let runtime = multi();
    let handle = runtime.handle().clone();
    let call = std::thread::spawn(move || handle.block_on(send(client)));
    while server.requests().is_empty() {
        std::thread::sleep(Duration::from_millis(2));
    }
    runtime.shutdown_background();
    let error = call.join().unwrap().unwrap_err();
    assert_eq!((error.outcome, error.sent), (Outcome::Unknown, SentState::Maybe), "{error:?}");
    assert_eq!(server.requests().len(), 1);
}
