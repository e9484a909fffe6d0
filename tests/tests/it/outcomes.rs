//! The outcome matrix of `cpaas_tests::outcome_cells`, and outcomes without a response.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cpaas::OperationId;
use cpaas::client::{Attempt, Client, Transport, TransportError};
use cpaas::clock::BoxFuture;
use cpaas::error::{Outcome, Reason, SentState};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas_tests::examples::{config, example};
use cpaas_tests::fault_server::{Accept, ConnectionEnd, FaultServer, Reply, response_bytes};
use cpaas_tests::outcome_cells::{COLUMNS, CellServer, OutcomeCell, Report, call, outcome_cells};
use tokio::sync::Semaphore;

/// The differences of a cell, and whether its call was repeated. On a busy machine, the time limit for a silent server can pass before the
/// server has read the request; then the cell is repeated with a longer limit.
async fn run(cell: OutcomeCell) -> (Vec<String>, bool) {
    let mut timeout = RESPONSE_TIMEOUT;
    loop {
        let limit = if cell.hangs() { timeout } else { Duration::from_secs(100) };
        let mut server = CellServer::start(cell).await.unwrap();
        let report = Report::of_result(&call(&server.url().unwrap(), cell.id, limit).await);
        if report.is_retryable() {
            let url = server.recover();
            let again = call(&url, cell.id, limit).await;
            assert!(again.is_ok(), "{}: {again:?}", cell.name());
        }
        let differences = server.differences(&report);
        timeout *= 3;
        if differences.is_empty() || !cell.hangs() || timeout > Duration::from_secs(60) {
            return (differences, report.is_retryable());
        }
    }
}

/// The time limit of an attempt if the server does not respond.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(2);

/// `processed` and `retryable` of an error, such as `m+`.
fn effect(error: &cpaas::Error) -> String {
    Report::of_result::<()>(&Err(error.clone())).effect().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_fault_has_the_expected_requests_and_outcome() {
    let side_by_side = Arc::new(Semaphore::new(64));
    let all = outcome_cells();
    assert_eq!(all.len(), 528);
    let mut cells = tokio::task::JoinSet::new();
    for cell in all {
        let side_by_side = Arc::clone(&side_by_side);
        cells.spawn(async move {
            let _permit = side_by_side.acquire_owned().await.unwrap();
            (cell.name(), run(cell).await)
        });
    }
    let (mut wrong, mut repeated) = (Vec::new(), 0);
    while let Some(cell) = cells.join_next().await {
        let (name, (differences, is_repeated)) = cell.unwrap();
        repeated += usize::from(is_repeated);
        wrong.extend(differences.into_iter().map(|difference| format!("{name}: {difference}")));
    }
    wrong.sort();
    assert!(repeated > 100, "{repeated} cells are retryable");
    assert!(wrong.is_empty(), "of 528 cells:\n{}", wrong.join("\n"));
}

/// The error that a binding reports for a cancelled call.
#[tokio::test]
async fn a_cancelled_call_is_retryable_if_nothing_was_sent_or_a_second_request_changes_nothing() {
    for (id, sent, expected) in [
        ("sms.send", true, "m-"),
        ("sms.send", false, "n+"),
        ("otp.limits.update", true, "m+"),
        ("otp.cancel", true, "m+"),
        ("otp.get", true, "m+"),
        ("otp.verify", true, "m-"),
    ] {
        let effects = Arc::new(std::sync::Mutex::new(Vec::new()));
        let kept = Arc::clone(&effects);
        let client = Client::with_transport(&config("http://cpaas.test"), Pending { sent }).unwrap();
        let client = client.on_outcome(move |event| {
            let error = event.cancelled_error();
            kept.lock().unwrap().push((effect(&error), error.reason));
        });
        let call = client.call_json(OperationId::find(id).unwrap(), example(id).request);
        assert!(futures_util::FutureExt::now_or_never(call).is_none());
        assert_eq!(*effects.lock().unwrap(), [(expected.to_owned(), Reason::Cancelled)], "{id} {sent}");
    }
}

/// A transport that never responds.
struct Pending {
    sent: bool,
}

impl Transport for Pending {
    fn send<'a>(
        &'a self,
        _: &'a HttpRequest,
        _: Duration,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        Box::pin(std::future::pending())
    }

    fn attempt<'a>(
        &'a self,
        request: &'a HttpRequest,
        attempt: Attempt<'a>,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        if self.sent {
            attempt.progress().mark_maybe_sent();
        }
        self.send(request, attempt.timeout())
    }
}

/// Errors of the transport without a response, as the table of `processed` and `retryable` lists them.
#[tokio::test(start_paused = true)]
async fn a_rejected_certificate_and_a_missing_runtime_are_not_retryable() {
    let not_sent = |reason| TransportError::new(SentState::No, reason);
    for (error, expected) in [
        (not_sent(Reason::Dns), "n+"),
        (not_sent(Reason::Proxy), "n+"),
        (not_sent(Reason::Resources), "n+"),
        (not_sent(Reason::Tls), "n+"),
        (not_sent(Reason::Tls).certificate(Some("it was revoked")), "n-"),
        (not_sent(Reason::Runtime), "n-"),
        (not_sent(Reason::Config), "n-"),
    ] {
        for id in COLUMNS {
            let error = error.clone();
            let transport = move |_: HttpRequest| {
                let error = error.clone();
                async move { Err(error) }
            };
            let client = Client::with_transport(&config("http://cpaas.test"), transport).unwrap();
            let found = client.call_json(OperationId::find(id).unwrap(), example(id).request).await;
            let found = found.unwrap_err();
            assert_eq!(effect(&found), expected, "{id}: {found:?}");
        }
    }
}

/// An attempt that may have been processed counts more than a later one that was not sent.
#[tokio::test(start_paused = true)]
async fn an_unknown_attempt_before_one_that_was_not_sent_counts() {
    for (id, expected) in
        [("otp.get", "m+"), ("otp.limits.update", "m+"), ("otp.cancel", "m+"), ("sms.send", "m-")]
    {
        let count = Arc::new(AtomicUsize::new(0));
        let transport = move |_: HttpRequest| {
            let first = count.fetch_add(1, Ordering::SeqCst) == 0;
            async move {
                Err(if first {
                    TransportError::new(SentState::Maybe, Reason::Reset)
                } else {
                    TransportError::new(SentState::No, Reason::Connect)
                })
            }
        };
        let client =
            Client::with_transport(&config("http://cpaas.test").retry_unknown(true), transport).unwrap();
        let found = client.call_json(OperationId::find(id).unwrap(), example(id).request).await.unwrap_err();
        assert_eq!((found.outcome, found.attempts), (Outcome::Unknown, 3), "{id}");
        assert_eq!(effect(&found), expected, "{id}");
    }
}

/// hyper detects the reset while it connects (not sent) or after it has written (unknown).
#[tokio::test]
async fn after_a_reset_of_a_new_connection_the_outcome_is_not_sent_or_unknown() {
    for id in COLUMNS {
        let server = FaultServer::start(
            |_| Accept::Until(0, ConnectionEnd::Rst),
            |_| Reply::new(response_bytes(200, "", b""), ConnectionEnd::Keep),
        )
        .await
        .unwrap();
        let client = Client::new(&config(&server.url()).max_attempts(1)).unwrap();
        let error = client.call_json(OperationId::find(id).unwrap(), example(id).request).await.unwrap_err();
        assert!(matches!(error.outcome, Outcome::NotSent | Outcome::Unknown), "{id}: {error:?}");
        assert_eq!(server.requests().len(), 0);
    }
}
