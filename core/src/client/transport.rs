//! The interface between a call and the network.

use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::{Either, select};

use crate::clock::{BoxFuture, Clock};
use crate::error::{Reason, SentState, Source};
use crate::http::{Family, HttpRequest, HttpResponse};
use crate::operation::RetrySafety;
use crate::operations::OperationId;

/// The only I/O of a call: sends one request and receives one response. A transport must not retry or follow redirects. It
/// must report [`SentState::No`] only with proof that no byte of the request was processed. It should respect
/// [`HttpRequest::needs_own_connection`].
///
/// A closure is a transport, and so are `Arc<T>` and `Box<dyn Transport>`. A type of its own needs only [`Transport::send`], which
/// is not an `async fn`, because a client keeps a `dyn Transport`: it returns the boxed future of a block or of an `async fn` of the type.
///
/// ```
/// use std::time::Duration;
///
/// use cpaas::client::{Transport, TransportError};
/// use cpaas::clock::BoxFuture;
/// use cpaas::http::{HttpRequest, HttpResponse};
///
/// struct Double {
///     id: &'static str,
/// }
///
/// impl Double {
///     async fn respond(&self, request: &HttpRequest) -> Result<HttpResponse, TransportError> {
///         assert_eq!(request.operation, "sms.send");
///         Ok(HttpResponse::new(200, vec![], format!(r#"{{"id":"{}","responseCode":0}}"#, self.id)))
///     }
/// }
///
/// impl Transport for Double {
///     fn send<'a>(
///         &'a self,
///         request: &'a HttpRequest,
///         _timeout: Duration,
///     ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
///         Box::pin(self.respond(request))
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// # use cpaas::{Client, Config, sms};
/// # let config = Config::default().sms_url("https://sms.example").sms_key("key");
/// let client = Client::with_transport(&config, Double { id: "m-1" })?;
/// let sent = client.call(sms::SendSms::new("Acme", "306912345678", "Your table is ready")).await?;
/// assert_eq!(sent.id, "m-1");
/// # Ok::<(), cpaas::Error>(()) }).unwrap();
/// ```
///
/// A transport that wraps another one must forward [`Transport::attempt`] too: only `attempt` reports whether a call that was dropped
/// may have been sent.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a transport",
    note = "a transport is a type that implements `Transport`, or a closure such as `|request: HttpRequest| async move {{ Ok(HttpResponse::new(200, vec![], \"…\")) }}`"
)]
pub trait Transport: Send + Sync {
    /// Sends one request and reads the whole response, within `timeout`.
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
        timeout: Duration,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>>;

    /// Like [`Transport::send`], and reports in [`Attempt::progress`] when the request may have been sent. The event of a call
    /// that is dropped before its end contains this state. The default implementation reports it at the start.
    ///
    /// It must end within [`Attempt::left`], waits of its own included: nothing else ends it at the deadline of the call.
    fn attempt<'a>(
        &'a self,
        request: &'a HttpRequest,
        attempt: Attempt<'a>,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        attempt.progress.mark_maybe_sent();
        self.send(request, attempt.timeout())
    }
}

impl<T: Transport + ?Sized> Transport for Arc<T> {
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
        timeout: Duration,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        (**self).send(request, timeout)
    }

    fn attempt<'a>(
        &'a self,
        request: &'a HttpRequest,
        attempt: Attempt<'a>,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        (**self).attempt(request, attempt)
    }
}

impl Transport for Box<dyn Transport> {
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
        timeout: Duration,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        (**self).send(request, timeout)
    }

    fn attempt<'a>(
        &'a self,
        request: &'a HttpRequest,
        attempt: Attempt<'a>,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        (**self).attempt(request, attempt)
    }
}

impl HttpRequest {
    /// Whether the request must not be sent on a connection that carried another request: `otp.verify` and `otp.cancel`. Their responses
    /// have the form of that to `otp.send` (A2), so a response that a proxy delivers twice, the second time on a kept connection, could
    /// verify a wrong passcode.
    #[must_use]
    pub fn needs_own_connection(&self) -> bool {
        if self.family != Family::Otp {
            return false;
        }
        let safety = OperationId::find(self.operation).map(|operation| operation.meta().safety);
        matches!(safety, Some(RetrySafety::Verify | RetrySafety::Cancel))
    }
}

/// The clock that limits [`Transport::send`] of a closure, which does not receive the clock of a call.
#[cfg(all(feature = "http", not(target_family = "wasm")))]
const DEFAULT_CLOCK: Option<&'static dyn Clock> = Some(&super::tokio_clock::TokioClock);
#[cfg(not(all(feature = "http", not(target_family = "wasm"))))]
const DEFAULT_CLOCK: Option<&'static dyn Clock> = None;

/// A closure is a transport. The clock of the call limits its time; tokio's inside a tokio runtime, unless the client has another.
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
        within(timeout, DEFAULT_CLOCK, self(request.clone()))
    }

    fn attempt<'a>(
        &'a self,
        request: &'a HttpRequest,
        attempt: Attempt<'a>,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        attempt.progress.mark_maybe_sent();
        within(attempt.timeout(), Some(attempt.clock), self(request.clone()))
    }
}

/// Waits for a response until a time limit, if the clock can wait.
fn within<'a>(
    limit: Duration,
    clock: Option<&'a dyn Clock>,
    response: impl Future<Output = Result<HttpResponse, TransportError>> + Send + 'a,
) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
    Box::pin(async move {
        let Some(limit) = clock.and_then(|clock| clock.sleep(limit)) else { return response.await };
        match select(pin!(response), limit).await {
            Either::Left((response, _)) => response,
            Either::Right(_) => Err(TransportError::new(SentState::Maybe, Reason::Timeout)),
        }
    })
}

/// The time limits of one attempt, its progress and its clock.
#[derive(Clone, Copy)]
pub struct Attempt<'a> {
    limit: Duration,
    left: Duration,
    progress: &'a Progress,
    clock: &'a dyn Clock,
}

impl<'a> Attempt<'a> {
    pub(crate) const fn new(
        limit: Duration,
        left: Duration,
        progress: &'a Progress,
        clock: &'a dyn Clock,
    ) -> Self {
        Self { limit, left, progress, clock }
    }

    /// The time limit of the attempt from its start.
    #[must_use]
    pub const fn limit(&self) -> Duration {
        self.limit
    }

    /// The time left until the deadline of the call; an attempt may wait for a connection until then.
    #[must_use]
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// The smaller of [`Attempt::limit`] and [`Attempt::left`].
    #[must_use]
    pub fn timeout(&self) -> Duration {
        self.limit.min(self.left)
    }

    /// The progress, in which the transport reports that the request may have been sent.
    #[must_use]
    pub const fn progress(&self) -> &'a Progress {
        self.progress
    }

    /// The clock of the call.
    #[must_use]
    pub const fn clock(&self) -> &'a dyn Clock {
        self.clock
    }
}

impl fmt::Debug for Attempt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempt")
            .field("limit", &self.limit)
            .field("left", &self.left)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}

/// Whether the current request may have been sent; initially not. Also whether its response came too early.
#[derive(Debug, Default)]
pub struct Progress {
    may_be_sent: AtomicBool,
    is_early: AtomicBool,
}

impl Progress {
    /// Reports that the server may have received the request.
    pub fn mark_maybe_sent(&self) {
        self.may_be_sent.store(true, Ordering::Release);
    }

    /// [`SentState::No`] or [`SentState::Maybe`].
    #[must_use]
    pub fn sent(&self) -> SentState {
        if self.may_be_sent.load(Ordering::Acquire) { SentState::Maybe } else { SentState::No }
    }

    /// Reports that the response began before the whole request was written: a success is then not one of this request.
    pub fn mark_early_response(&self) {
        self.is_early.store(true, Ordering::Release);
    }

    /// Whether the response began before the whole request was written.
    #[must_use]
    pub fn has_early_response(&self) -> bool {
        self.is_early.load(Ordering::Acquire)
    }
}

/// The cause of a failed attempt, and whether its request was sent. The source is not part of `==`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TransportError {
    /// Whether the server received the request.
    pub sent: SentState,
    /// Why the attempt failed.
    pub reason: Reason,
    /// The part of the response that was received: at least status and headers.
    pub partial: Option<HttpResponse>,
    /// The error of the server's certificate, if it was rejected. Another attempt at the same server cannot succeed.
    pub certificate: Option<&'static str>,
    /// The error of the proxy, if the proxy caused the failure.
    pub(crate) proxy: Option<ProxyFailure>,
    /// Whether the attempt ended while it waited for one of the connections, all of which were in use.
    pub(crate) is_queued: bool,
    /// Whether the peer of the TLS handshake answered with something else than TLS.
    pub(crate) is_not_tls: bool,
    /// Whether the settings of the client apply to the connection, so that the message names them.
    pub(crate) has_settings: bool,
    pub(crate) source: Option<Source>,
}

/// A proxy that failed.
#[cfg_attr(not(feature = "http"), allow(dead_code, reason = "the transport over reqwest reports it"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProxyFailure {
    pub(crate) error: ProxyError,
    /// What names the proxy, for messages: the setting in backticks, or an environment variable.
    pub(crate) setting: &'static str,
}

/// How a proxy failed.
#[cfg_attr(not(feature = "http"), allow(dead_code, reason = "the transport over reqwest reports it"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProxyError {
    /// No connection to the proxy was made; the reason shows why.
    Unreachable,
    /// The proxy requires credentials, or does not accept those of its URL.
    Credentials,
    /// The proxy refused to connect to the provider, or answered a CONNECT with something else than HTTP: hyper-util does not
    /// distinguish them.
    Refused,
    /// The proxy closed the connection, its response has too many headers, or it does not speak SOCKS.
    NoTunnel,
}

impl TransportError {
    /// An error without a partial response.
    #[must_use]
    pub const fn new(sent: SentState, reason: Reason) -> Self {
        Self {
            sent,
            reason,
            partial: None,
            certificate: None,
            proxy: None,
            is_queued: false,
            is_not_tls: false,
            has_settings: false,
            source: None,
        }
    }

    /// Sets the error of the server's certificate.
    #[must_use]
    pub const fn certificate(mut self, error: Option<&'static str>) -> Self {
        self.certificate = error;
        self
    }

    /// Reports that the connection follows the settings of the client, such as `ca_bundle`: the message then names them. For the transports of
    /// this library.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_settings(mut self) -> Self {
        self.has_settings = true;
        self
    }

    /// Adds the part of the response that was received before the error.
    #[must_use]
    pub fn partial(mut self, partial: HttpResponse) -> Self {
        self.partial = Some(partial);
        self
    }

    /// Sets the error that caused this one. It becomes the source of the error of the call, so its text must show nothing of the
    /// request: no URL, which may contain a key.
    #[must_use]
    pub fn caused_by(mut self, source: Option<Source>) -> Self {
        self.source = source;
        self
    }
}

impl PartialEq for TransportError {
    fn eq(&self, other: &Self) -> bool {
        let facts = |error: &Self| {
            let (is_queued, is_not_tls) = (error.is_queued, error.is_not_tls);
            (error.sent, error.reason, error.certificate, error.proxy, is_queued, is_not_tls)
        };
        facts(self) == facts(other) && self.partial == other.partial
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the attempt failed: {}, sent: {}", self.reason.as_str(), self.sent.as_str())
    }
}

impl StdError for TransportError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
