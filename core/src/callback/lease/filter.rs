//! The filter: claims an event before its handler, and settles it afterwards.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tracing::Instrument as _;

use super::{
    Claimed, DEFAULT_KEEP, DEFAULT_LEASE, LeaseError, LeaseMemory, LeaseStore, MAX_LEASE, MIN_KEEP,
    new_token, retry_after, valid_lease,
};
use crate::callback::{ACCEPTED_STATUS, Received};

/// `Retry-After` after the store failed, in seconds.
const STORE_FAILED: u64 = 5;
/// The time for which a request waits for one command of the store.
const STORE_LIMIT: Duration = Duration::from_secs(2);

/// The response to a callback whose handler does not run, or has ended. Its body is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeaseReply {
    /// The HTTP status: 200 if the event is done; 503 if another request is processing it or the store failed; 500 if the
    /// handler failed.
    pub status: u16,
    /// The header `Retry-After` of a 503, in seconds.
    pub retry_after: Option<u64>,
}

impl LeaseReply {
    const DONE: Self = Self { status: ACCEPTED_STATUS, retry_after: None };
    const HANDLER_FAILED: Self = Self { status: 500, retry_after: None };

    const fn busy(seconds: u64) -> Self {
        Self { status: 503, retry_after: Some(seconds) }
    }
}

/// Runs the handler of each event once, although the provider repeats callbacks, and loses no accepted event.
///
/// [`Leases::run`] runs a handler; `axum::LeaseLayer` does so for the routes of axum; [`Leases::claim`] is for a program
/// with a flow of its own. All of them need a Tokio runtime. A clone shares the store. An event without a key
/// ([`Received::key`]) always runs.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
/// use cpaas::callback::{Keyring, Leases, Receiver, Source};
///
/// let receiver = Receiver::new("shop", "https://shop.example/dlr")?.delivery_keys(Keyring::new([("d1", [1; 32])])?);
/// let leases = Leases::in_memory(100_000);
/// # let now = 1_700_000_000;
/// # let url = format!("{}&msgid=m-1&status=delivered&reference=booking-7", receiver.url(Source::SmsReport, "booking-7", now)?);
///
/// let received = receiver.receive("GET", &url, &[], b"", now)?;
/// let reply = leases
///     .run(received, async |received| {
///         // Store the event here.
///         Ok::<(), std::io::Error>(())
///     })
///     .await;
/// assert_eq!((reply.status, reply.retry_after), (200, None)); // respond with this status and header
/// # Ok::<(), Box<dyn std::error::Error>>(()) })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Leases<S = LeaseMemory> {
    store: Arc<S>,
    lease: Duration,
    keep: Duration,
    prefix: Arc<str>,
}

impl Leases {
    /// A filter in the memory of this process, for `capacity` events; see [`LeaseMemory`]. Several processes, and a process
    /// that is restarted, need a store of their own with [`Leases::new`].
    #[must_use]
    pub fn in_memory(capacity: usize) -> Self {
        Self::new(LeaseMemory::new(capacity))
    }
}

impl<S: LeaseStore> Leases<S> {
    /// A filter with a store. The lease is 90 seconds, and an event is remembered as done for 14 days.
    #[must_use]
    pub fn new(store: S) -> Self {
        Self { store: Arc::new(store), lease: DEFAULT_LEASE, keep: DEFAULT_KEEP, prefix: "".into() }
    }

    /// Sets the maximum time of a handler, from 1 to 86,400 seconds. Afterwards a repeat runs the handler again, even if the
    /// first run has not ended. A lease is not renewed.
    ///
    /// # Errors
    /// [`LeaseError::Lease`].
    pub fn lease(self, lease: Duration) -> Result<Self, LeaseError> {
        Ok(Self { lease: valid_lease(lease)?, ..self })
    }

    /// Sets the time for which an event is remembered as done, at least 1 second.
    ///
    /// # Errors
    /// [`LeaseError::Keep`].
    pub fn keep(self, keep: Duration) -> Result<Self, LeaseError> {
        if keep < MIN_KEEP { Err(LeaseError::Keep) } else { Ok(Self { keep, ..self }) }
    }

    /// Sets the start of all keys in the store. Handlers that share a store need different prefixes.
    #[must_use]
    pub fn prefix(self, prefix: &str) -> Self {
        Self { prefix: prefix.into(), ..self }
    }

    /// Claims an event. Run its handler only if the result is `Ok`, then call [`Lease::done`]; a lease that is dropped, or
    /// given to [`Lease::free`], lets the next repeat run the handler. Move the lease into the task that runs the handler.
    ///
    /// # Errors
    /// The response to send instead, without a call of the handler.
    ///
    /// # Panics
    /// Outside a Tokio runtime with time.
    pub async fn claim(&self, received: &Received) -> Result<Lease<S>, LeaseReply> {
        let Some(key) = received.key() else { return Ok(Lease { held: None }) };
        let Some(token) = new_token() else {
            tracing::error!(target: "cpaas::callback", "no random bytes for a claim; the handler does not run");
            return Err(LeaseReply::busy(STORE_FAILED));
        };
        let key = format!("{}{key}", self.prefix);
        let (runtime, lease) = (Handle::current(), self.lease);
        let held = Held { store: self.store.clone(), key, token, keep: self.keep, runtime };
        // A command is not cancelled with its request. A lease that comes too late for its request is dropped, and freed.
        let command = tokio::spawn(async move {
            match held.store.claim(&held.key, &held.token, lease).await {
                Ok(Claimed::New) => Ok(Ok(Lease { held: Some(held) })),
                Ok(Claimed::Done) => Ok(Err(LeaseReply::DONE)),
                Ok(Claimed::Busy(left)) if left <= MAX_LEASE => Ok(Err(LeaseReply::busy(retry_after(left)))),
                Ok(Claimed::Busy(_)) => {
                    Err("an event is busy for at most 86,400 seconds, got more".to_owned())
                }
                Err(error) => Err(error.to_string()),
            }
        });
        finished(command).await.unwrap_or_else(|error| {
            tracing::error!(target: "cpaas::callback", error, "the store failed to claim a callback; its handler does not run");
            Err(LeaseReply::busy(STORE_FAILED))
        })
    }

    /// Claims the event, runs the handler in a task of its own and settles the event. Returns the response to send. The handler
    /// also ends if the request is dropped, for example because the provider disconnected. If it returns an error or panics,
    /// the event is freed and the response is 500; the error is logged.
    ///
    /// # Panics
    /// Outside a Tokio runtime with time.
    pub async fn run<H, F, E>(&self, received: Received, handler: H) -> LeaseReply
    where
        H: FnOnce(Received) -> F,
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: fmt::Display + Send,
    {
        let lease = match self.claim(&received).await {
            Ok(lease) => lease,
            Err(reply) => return reply,
        };
        let handler = match catch_unwind(AssertUnwindSafe(|| handler(received))) {
            Ok(handler) => handler,
            Err(_) => {
                lease.free().await;
                return LeaseReply::HANDLER_FAILED;
            }
        };
        let task = async move {
            match unless_it_panics(handler).await {
                Some(Ok(())) => {
                    lease.done().await;
                    return LeaseReply::DONE;
                }
                Some(Err(error)) => {
                    tracing::error!(target: "cpaas::callback", %error, "the handler of a callback failed");
                }
                None => {}
            }
            lease.free().await;
            LeaseReply::HANDLER_FAILED
        };
        // The task ends without a reply if its runtime ends.
        tokio::spawn(task.in_current_span()).await.unwrap_or(LeaseReply::HANDLER_FAILED)
    }
}

impl<S> Clone for Leases<S> {
    fn clone(&self) -> Self {
        Self { store: self.store.clone(), lease: self.lease, keep: self.keep, prefix: self.prefix.clone() }
    }
}

impl<S> fmt::Debug for Leases<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Leases");
        out.field("lease", &self.lease).field("keep", &self.keep).finish_non_exhaustive()
    }
}

/// The claim of one request on its event. Dropped without [`Lease::done`], it frees the event in a task of its own, which may end after
/// the response; [`Lease::free`] ends before it.
#[must_use = "a lease that is dropped frees its event"]
pub struct Lease<S: LeaseStore = LeaseMemory> {
    /// `None` for an event without a key, and after the settlement.
    held: Option<Held<S>>,
}

struct Held<S> {
    store: Arc<S>,
    key: String,
    token: String,
    keep: Duration,
    runtime: Handle,
}

impl<S: LeaseStore> Lease<S> {
    /// Records that the handler has completed. Call it before the response. If the store fails, that is logged, and the response
    /// is 200 nevertheless: the work is done.
    pub async fn done(mut self) {
        let Some(held) = self.held.take() else { return };
        let command = tokio::spawn(async move {
            held.store.done(&held.key, &held.token, held.keep).await.map_err(|error| error.to_string())
        });
        if let Err(error) = finished(command).await {
            tracing::error!(target: "cpaas::callback", error, "the store failed to record a completed callback");
        }
    }

    /// Frees the event, because its handler failed. Respond with 500, so that the provider repeats the callback.
    pub async fn free(mut self) {
        if let Some(held) = self.held.take() {
            log_free(finished(tokio::spawn(held.free())).await);
        }
    }
}

impl<S: LeaseStore> Held<S> {
    async fn free(self) -> Result<(), String> {
        self.store.free(&self.key, &self.token).await.map_err(|error| error.to_string())
    }
}

fn log_free(result: Result<(), String>) {
    if let Err(error) = result {
        tracing::error!(target: "cpaas::callback", error, "the store failed to free a callback; its lease ends by itself");
    }
}

impl<S: LeaseStore> Drop for Lease<S> {
    fn drop(&mut self) {
        if let Some(held) = self.held.take() {
            let runtime = held.runtime.clone();
            runtime.spawn(async { log_free(held.free().await) });
        }
    }
}

impl<S: LeaseStore> fmt::Debug for Lease<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lease").finish_non_exhaustive()
    }
}

/// Runs a handler to its end. `None` if it panicked: then its event is freed before the response, as after an error.
pub(in crate::callback) async fn unless_it_panics<T>(handler: impl Future<Output = T>) -> Option<T> {
    AssertUnwindSafe(handler).catch_unwind().await.ok()
}

/// The result of a command of the store, which continues if the request no longer waits for it.
async fn finished<T>(command: JoinHandle<Result<T, String>>) -> Result<T, String> {
    match tokio::time::timeout(STORE_LIMIT, command).await {
        Ok(Ok(result)) => result,
        Ok(Err(_)) => Err("the command panicked, or its runtime has ended".to_owned()),
        Err(_) => Err("no answer within 2 seconds".to_owned()),
    }
}
