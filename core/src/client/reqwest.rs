//! The default transport: reqwest, with TLS by rustls. No type of reqwest is public.
//!
//! One exchange sends at most one request: redirects are not followed, and only a request that hyper returns unsent is sent
//! again. `not sent` is reported only with proof: no connection was made, or [`BodyWatch`] shows that the request was not
//! written. A connection is closed after an incomplete exchange. See [`clients::Connection`] for those of passcodes.
//!
//! | Limit | Value |
//! |---|---|
//! | connections | `max_connections`, see [`ConnectionLimit`] |
//! | body of a response | `max_response_bytes`; the rest is not read |
//! | head of a response, by hyper | 417,792 bytes (408 KiB) and 100 headers |
//! | idle connection | 4 s |

mod clients;
mod connection_limit;
mod failure_reason;
mod outgoing_request;
mod proxies;
mod runtime;
#[cfg_attr(not(feature = "rustls-no-provider"), path = "reqwest/no_tls.rs")]
mod tls;
mod watched_body;

use std::pin::pin;
use std::time::Duration;

use ::reqwest::header::{HeaderMap, HeaderValue};
use tokio::sync::SemaphorePermit;

use super::call_options::time_limit;
use super::connection_settings::ConnectionSettings;
use super::tokio_clock::TokioClock;
use super::transport::{Attempt, Progress, Transport, TransportError};
use crate::clock::BoxFuture;
use crate::config::Config;
use crate::error::{Error, Reason, SentState};
use crate::http::{HttpRequest, HttpResponse};

use clients::{Clients, Connection};
use connection_limit::ConnectionLimit;
use failure_reason::{ExchangeError, FailureReasons};
use outgoing_request::UrlCache;
use watched_body::BodyWatch;

/// The transport of [`Client::new`](super::Client::new): HTTP/1.1 over reqwest, and TLS by the features of this build. `Send` and
/// `Sync`. For a transport of the program that wraps it, for example to record requests or to limit their rate:
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use std::time::Duration;
///
/// use cpaas::client::{Attempt, Client, HttpTransport, Transport, TransportError};
/// use cpaas::clock::BoxFuture;
/// use cpaas::http::{HttpRequest, HttpResponse};
///
/// struct Counted {
///     inner: HttpTransport,
///     attempts: AtomicU64,
/// }
///
/// impl Transport for Counted {
///     fn send<'a>(
///         &'a self,
///         request: &'a HttpRequest,
///         timeout: Duration,
///     ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
///         self.attempts.fetch_add(1, Ordering::Relaxed);
///         self.inner.send(request, timeout)
///     }
///
///     // Forwarded too, so that a call that is dropped while it connects is reported as not sent.
///     fn attempt<'a>(
///         &'a self,
///         request: &'a HttpRequest,
///         attempt: Attempt<'a>,
///     ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
///         self.attempts.fetch_add(1, Ordering::Relaxed);
///         self.inner.attempt(request, attempt)
///     }
/// }
///
/// let config = cpaas::Config::default().sms_url("http://127.0.0.1:9").sms_key("key");
/// let transport = Counted { inner: HttpTransport::new(&config)?, attempts: AtomicU64::new(0) };
/// let client = Client::with_transport(&config, transport)?;
/// # Ok::<(), cpaas::Error>(())
/// ```
pub struct HttpTransport {
    clients: Clients,
    connection_limit: ConnectionLimit,
    failure_reasons: FailureReasons,
    urls: UrlCache,
    max_response_bytes: usize,
}

/// On drop, reports whether the request may have been sent, so that a call that the caller drops is reported too.
struct ProgressGuard<'a> {
    watch: BodyWatch,
    progress: &'a Progress,
}

impl Drop for ProgressGuard<'_> {
    fn drop(&mut self) {
        if self.watch.withdraw() == SentState::Maybe {
            self.progress.mark_maybe_sent();
        }
    }
}

impl HttpTransport {
    /// A transport with the connection settings of `config`: `proxy`, `ca_bundle`, `connect_timeout`, `max_connections`,
    /// `max_response_bytes` and `user_agent`.
    ///
    /// # Errors
    /// `invalid` with the reason `config`: a setting has an invalid value, or the environment names an unusable proxy.
    pub fn new(config: &Config) -> Result<Self, Error> {
        Self::with_settings(config, &ConnectionSettings::new(config, "rust")?)
    }

    pub(crate) fn with_settings(config: &Config, settings: &ConnectionSettings) -> Result<Self, Error> {
        Self::of(config, settings).map_err(|error| config.names_variables(error))
    }

    fn of(config: &Config, settings: &ConnectionSettings) -> Result<Self, Error> {
        let connect_timeout = time_limit("connect_timeout", config.connect_timeout, 5)?;
        let connection_limit = ConnectionLimit::new(settings.max_connections, settings.origins.len());
        let (proxies, matcher) = proxies::proxies(config, &settings.origins)?;
        let failure_reasons = FailureReasons { proxies: matcher };
        let clients = Clients::new(config, settings, proxies, connection_limit.idle(), connect_timeout)?;
        Ok(Self {
            clients,
            connection_limit,
            failure_reasons,
            urls: UrlCache::default(),
            max_response_bytes: settings.max_response_bytes,
        })
    }

    async fn exchange(
        &self,
        request: &HttpRequest,
        attempt: Attempt<'_>,
    ) -> Result<HttpResponse, TransportError> {
        let not_sent = |reason| TransportError::new(SentState::No, reason);
        if attempt.timeout().is_zero() {
            return Err(not_sent(Reason::Timeout));
        }
        let runtime = runtime::current().await.ok_or_else(|| not_sent(Reason::Runtime))?;
        let connection = if request.needs_own_connection() { Connection::Own } else { Connection::Kept };
        let client = self.clients.of(runtime, connection).map_err(not_sent)?;
        let (outgoing, watch) =
            outgoing_request::build(request, &self.urls).ok_or_else(|| not_sent(Reason::Config))?;
        let report = ProgressGuard { watch, progress: attempt.progress() };
        let mut response = None;
        // Futures of this size are pinned where they are: moving them copies kilobytes.
        let result = {
            let run = pin!(self.run(&client, outgoing, attempt, &report.watch, &mut response));
            runtime::catch_shutdown(run).await
        };
        match (result.unwrap_or(Err(ExchangeError::Runtime)), response) {
            (Ok(()), Some(response)) => Ok(response),
            (Ok(()), None) => Err(TransportError::new(report.watch.withdraw(), Reason::Reset)),
            (Err(ExchangeError::Timeout), Some(response)) if is_whole(&response) => Ok(response),
            (Err(error), Some(response)) => {
                let reason = self.failure_reasons.io_failure(&error);
                let failed = TransportError::new(SentState::Yes, reason).partial(response);
                Err(failed.caused_by(error.into_source()))
            }
            (Err(error), None) => {
                let failed = self.failure_reasons.before_response(&request.url, &error, &report.watch);
                Err(failed.with_settings().caused_by(error.into_source()))
            }
        }
    }

    /// Waits for a connection permit, then sends and receives within the time limit.
    async fn run(
        &self,
        client: &reqwest::Client,
        outgoing: reqwest::Request,
        attempt: Attempt<'_>,
        watch: &BodyWatch,
        response: &mut Option<HttpResponse>,
    ) -> Result<(), ExchangeError> {
        let (_permit, timeout) = self.permit(&attempt).await?;
        let on_head = || {
            if !watch.is_written() {
                attempt.progress().mark_early_response();
            }
        };
        let exchange = pin!(self.send_and_receive(client, outgoing, on_head, response));
        tokio::time::timeout(timeout, exchange).await.unwrap_or(Err(ExchangeError::Timeout))
    }

    /// A connection permit, and the time left for the attempt.
    async fn permit(&self, attempt: &Attempt<'_>) -> Result<(SemaphorePermit<'_>, Duration), ExchangeError> {
        if let Some(permit) = self.connection_limit.try_acquire() {
            return Ok((permit, attempt.timeout()));
        }
        let began = tokio::time::Instant::now();
        let permit = tokio::time::timeout(attempt.left(), self.connection_limit.acquire()).await;
        let left = attempt.left().saturating_sub(began.elapsed());
        Ok((permit.ok().flatten().ok_or(ExchangeError::Queued)?, attempt.limit().min(left)))
    }

    /// Stores the response in `response` from the status line on, so that a partial response is kept.
    async fn send_and_receive(
        &self,
        client: &reqwest::Client,
        outgoing: reqwest::Request,
        on_head: impl Fn(),
        response: &mut Option<HttpResponse>,
    ) -> Result<(), ExchangeError> {
        let mut incoming = client.execute(outgoing).await.map_err(ExchangeError::Reqwest)?;
        on_head();
        let response = response.insert(HttpResponse::new(
            incoming.status().as_u16(),
            headers(incoming.headers()),
            Vec::new(),
        ));
        while let Some(chunk) = incoming.chunk().await.map_err(ExchangeError::Reqwest)? {
            let left = self.max_response_bytes.saturating_sub(response.body.len());
            response.body.extend_from_slice(chunk.get(..left).unwrap_or(&chunk));
            if chunk.len() > left {
                return Err(ExchangeError::TooLarge);
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for HttpTransport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpTransport")
            .field("max_response_bytes", &self.max_response_bytes)
            .finish_non_exhaustive()
    }
}

impl Transport for HttpTransport {
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
        timeout: Duration,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        Box::pin(async move {
            let progress = Progress::default();
            self.exchange(request, Attempt::new(timeout, timeout, &progress, &TokioClock)).await
        })
    }

    fn attempt<'a>(
        &'a self,
        request: &'a HttpRequest,
        attempt: Attempt<'a>,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        Box::pin(self.exchange(request, attempt))
    }
}

/// Whether the body has the length that the head declares.
fn is_whole(response: &HttpResponse) -> bool {
    let length = response.header("content-length").and_then(|length| length.trim().parse().ok());
    length == Some(response.body.len()) && response.header("transfer-encoding").is_none()
}

fn headers(map: &HeaderMap) -> Vec<(String, String)> {
    let text = |value: &HeaderValue| match value.to_str() {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(value.as_bytes()).into_owned(),
    };
    map.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}
