use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::error::{Reason, SentState};
use crate::http::{HttpRequest, HttpResponse};

/// A boxed future.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The only I/O of a call: one request, one answer. It must neither retry nor follow redirects, and
/// must say [`SentState::No`] only with proof that no byte of the request was processed.
pub trait Transport: Send + Sync {
    /// Sends one request and reads its answer whole, within `timeout`.
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
        timeout: Duration,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>>;

    /// As [`Transport::send`], and says in `attempt` when the request may have left: a call that is dropped midway is
    /// reported by that. A transport that does not implement this counts as having sent from the start.
    fn attempt<'a>(
        &'a self,
        request: &'a HttpRequest,
        attempt: Attempt<'a>,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        attempt.progress.may_have_left();
        self.send(request, attempt.timeout())
    }
}

/// A closure is a transport; inside a tokio runtime it is held to the timeout.
impl<F, R> Transport for F
where
    F: Fn(HttpRequest) -> R + Send + Sync,
    R: Future<Output = Result<HttpResponse, TransportError>> + Send + 'static,
{
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
        timeout: Duration,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        let answer = self(request.clone());
        if tokio::runtime::Handle::try_current().is_err() {
            return Box::pin(answer);
        }
        Box::pin(async move {
            let late = |_| Err(TransportError::new(SentState::Maybe, Reason::Timeout));
            tokio::time::timeout(timeout, answer).await.unwrap_or_else(late)
        })
    }
}

/// The times of one attempt, and where its progress is told.
#[derive(Debug, Clone, Copy)]
pub struct Attempt<'a> {
    limit: Duration,
    left: Duration,
    progress: &'a Progress,
}

impl<'a> Attempt<'a> {
    pub(crate) const fn new(limit: Duration, left: Duration, progress: &'a Progress) -> Self {
        Self { limit, left, progress }
    }

    /// The time that this attempt may take, once it has begun.
    #[must_use]
    pub const fn limit(&self) -> Duration {
        self.limit
    }

    /// The time left to the whole call; an attempt may wait so long before it begins.
    #[must_use]
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// The smaller of the two.
    #[must_use]
    pub fn timeout(&self) -> Duration {
        self.limit.min(self.left)
    }

    /// Where to tell that the request may have left.
    #[must_use]
    pub const fn progress(&self) -> &'a Progress {
        self.progress
    }
}

/// Whether the request under way may have left. At first it has not.
#[derive(Debug, Default)]
pub struct Progress(AtomicBool);

impl Progress {
    /// From here on the server may have seen the request.
    pub fn may_have_left(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// What is known of it: [`SentState::No`] or [`SentState::Maybe`].
    #[must_use]
    pub fn sent(&self) -> SentState {
        if self.0.load(Ordering::Acquire) { SentState::Maybe } else { SentState::No }
    }
}

/// Why one attempt failed, and what is known of the request.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TransportError {
    /// Whether the server can have seen the request.
    pub sent: SentState,
    /// Why.
    pub reason: Reason,
    /// What was received: status and headers at the least, the body as far as it came.
    pub partial: Option<HttpResponse>,
}

impl TransportError {
    /// From its parts.
    #[must_use]
    pub const fn new(sent: SentState, reason: Reason) -> Self {
        Self { sent, reason, partial: None }
    }

    /// With what was received before the fault.
    #[must_use]
    pub fn partial(mut self, partial: HttpResponse) -> Self {
        self.partial = Some(partial);
        self
    }
}
