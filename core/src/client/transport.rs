use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use crate::error::{Reason, Sent};
use crate::http::{HttpRequest, HttpResponse};

/// A boxed future.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The only I/O of a call: one request, one answer. It must neither retry nor follow redirects, and
/// must say [`Sent::No`] only with proof that no byte of the request was processed.
pub trait Transport: Send + Sync {
    /// Sends one request and reads its answer whole, within `timeout`.
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
        timeout: Duration,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>>;
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
            let late = |_| Err(TransportError::new(Sent::Maybe, Reason::Timeout));
            tokio::time::timeout(timeout, answer).await.unwrap_or_else(late)
        })
    }
}

/// Why one attempt failed, and what is known of the request.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TransportError {
    /// Whether the server can have seen the request.
    pub sent: Sent,
    /// Why.
    pub reason: Reason,
    /// What was received: status and headers at the least, the body as far as it came.
    pub partial: Option<HttpResponse>,
}

impl TransportError {
    /// From its parts.
    #[must_use]
    pub const fn new(sent: Sent, reason: Reason) -> Self {
        Self { sent, reason, partial: None }
    }

    /// With what was received before the fault.
    #[must_use]
    pub fn partial(mut self, partial: HttpResponse) -> Self {
        self.partial = Some(partial);
        self
    }
}
