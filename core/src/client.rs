//! The client: one road for a call.
//!
//! operation -> validate -> prepare -> transport (the only I/O) -> verdict -> parse. Retries, deadlines
//! and tracing live on that road once. One call sends at most one message, and the caller is always
//! told which of the outcomes of [`crate::error::Outcome`] it was.
//!
//! | Failure | Tried again by itself |
//! |---|---|
//! | proof of not sent: DNS, connect, TLS, proxy | every operation: 3 attempts, 0.2-5 s between them, or the next region at once |
//! | 429 in the provider's own form | every operation, after `Retry-After` or a backoff; above 60 s or the deadline: rejected, with `retry_after_ms` |
//! | 408, 429, 499 and 5xx of others, a lost or unreadable response | reads, idempotent operations and cancel; never a send or a lookup |
//! | any other 4xx, 3xx, a refusal in the body | never; reads again on a 5xx |
//!
//! Where an earlier attempt may have been processed, neither a refusal of a later one nor proof that it was not
//! sent makes the call one that was not done: it stays unknown, but for reads.
//!
//! After an unknown outcome, creates, workflow updates, cancel and verify are looked for in the
//! provider's records ([`crate::reconcile`]). All retries of a client and its clones share a budget of
//! fifty, refilled by a tenth of each accepted call. Retrying waits with tokio's timer; outside a tokio
//! runtime nothing is retried.

mod answer;
#[cfg(feature = "blocking")]
pub mod blocking;
mod budget;
mod explain;
mod failure;
mod hooks;
mod limits;
mod minted;
mod pages;
mod pool;
mod raw;
mod read;
mod readers;
mod reqwest;
mod retry;
mod road;
mod scan;
mod transport;
mod trip;
mod verdict;

use std::sync::Arc;

use crate::config::Config;
use crate::error::Error;
use crate::operation::{Meta, Operation};
use crate::operations::OperationId;
use crate::prepared;
use crate::wire::RequestContext;

pub use answer::Response;
pub use hooks::{CallEnd, Event};
pub use limits::CallOptions;
pub use pages::Pages;
pub use raw::RawCall;
pub use transport::{Attempt, BoxFuture, Progress, Transport, TransportError};

use budget::Budget;
use hooks::Hooks;
use limits::Limits;
use minted::Minted;
use pool::Pool;
use readers::{Text, Typed};
use verdict::Subject;

/// Calls the provider. Cheap to clone; every clone shares the pool of connections and the budget of
/// retries. `Send` and `Sync`.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use cpaas::client::Client;
/// use cpaas::http::{HttpRequest, HttpResponse};
/// use cpaas::{Config, sms};
///
/// let config = Config::default().sms_url("https://sms.example").sms_key("key");
/// // `Client::new(&config)` calls over HTTP; a closure is a transport of your own.
/// let client = Client::with_transport(&config, |_request: HttpRequest| async {
///     Ok(HttpResponse::new(200, vec![], r#"{"id":"m-1","timestamp":"2024-01-01T00:00:00Z","responseCode":0}"#))
/// })?;
/// let sent = client.call(sms::Send::new("Acme", "306912345678", "Your table is ready")).await?;
/// assert_eq!((sent.id.as_str(), sent.attempts), ("m-1", 1));
/// # Ok::<(), cpaas::Error>(()) }).unwrap();
/// ```
#[derive(Clone)]
pub struct Client {
    wire: Arc<RequestContext>,
    shared: Arc<Shared>,
    limits: Limits,
}

#[derive(Clone)]
struct Shared {
    transport: Arc<dyn Transport>,
    /// What the transport was made for; none for one of the user's own, which fits any configuration.
    pool: Option<Pool>,
    budget: Arc<Budget>,
    minted: Arc<Minted>,
    hooks: Hooks,
}

impl Client {
    /// A client over reqwest: HTTP/1.1 and rustls.
    ///
    /// Calls need a tokio runtime with timers and sockets; without one they are `not_sent`, reason `runtime`.
    ///
    /// # Errors
    /// `invalid` with the reason `config`, also for a proxy in the environment that cannot be used.
    pub fn new(config: &Config) -> Result<Self, Error> {
        Self::in_language(config, "rust")
    }

    /// As [`Client::new`], for a binding: its language is part of the `User-Agent` header.
    ///
    /// # Errors
    /// `invalid` with the reason `config`.
    #[doc(hidden)]
    pub fn in_language(config: &Config, language: &'static str) -> Result<Self, Error> {
        let pool = Pool::new(config, language)?;
        let transport = reqwest::ReqwestTransport::new(config, &pool)?;
        let mut client = Self::with_transport(config, transport)?;
        Arc::make_mut(&mut client.shared).pool = Some(pool);
        Ok(client)
    }

    /// A client with another configuration that shares the connections, the budget of retries and the
    /// hooks of this one. Connections of its own it gets where these do not fit: for another `proxy`,
    /// `ca_bundle`, `connect_timeout`, `max_connections`, `max_response_bytes` or `user_agent`, or for the address of
    /// a server that this client does not call.
    ///
    /// ```
    /// # use cpaas::{Config, client::Client};
    /// let config = Config::default().sms_url("http://127.0.0.1:9").sms_key("one");
    /// let client = Client::new(&config)?;
    /// let other = client.reconfigured(&config.sms_key("two"))?;
    /// # Ok::<(), cpaas::Error>(())
    /// ```
    ///
    /// # Errors
    /// `invalid` with the reason `config`.
    pub fn reconfigured(&self, config: &Config) -> Result<Self, Error> {
        let mut shared = self.shared.clone();
        if let Some(pool) = &self.shared.pool {
            let wanted = Pool::new(config, pool.language)?;
            if !pool.fits(&wanted) {
                let transport = reqwest::ReqwestTransport::new(config, &wanted)?;
                let shared = Arc::make_mut(&mut shared);
                shared.transport = Arc::new(transport);
                shared.pool = Some(wanted);
            }
        }
        Ok(Self { wire: Arc::new(RequestContext::new(config)?), shared, limits: Limits::new(config)? })
    }

    /// A client over a transport of your own.
    ///
    /// # Errors
    /// `invalid` with the reason `config`.
    pub fn with_transport(config: &Config, transport: impl Transport + 'static) -> Result<Self, Error> {
        Ok(Self {
            wire: Arc::new(RequestContext::new(config)?),
            shared: Arc::new(Shared {
                transport: Arc::new(transport),
                pool: None,
                budget: Arc::default(),
                minted: Arc::default(),
                hooks: Hooks::default(),
            }),
            limits: Limits::new(config)?,
        })
    }

    /// The same client with other times, counts or validation, for one call or many.
    ///
    /// ```
    /// # use cpaas::{Config, client::{CallOptions, Client}};
    /// # use std::time::Duration;
    /// # let client = Client::new(&Config::default().sms_url("http://127.0.0.1:9"))?;
    /// let quick = client.with(CallOptions::new().deadline(Duration::from_secs(2)));
    /// # Ok::<(), cpaas::Error>(())
    /// ```
    #[must_use]
    pub fn with(&self, options: CallOptions) -> Self {
        let mut client = self.clone();
        client.limits = client.limits.with(&options);
        if let Some(validation) = options.validation {
            Arc::make_mut(&mut client.wire).validation = validation;
        }
        client
    }

    /// Calls `hook` with every outcome of this client and of the clones made from it afterwards: also
    /// for a call that the caller drops midway, with [`CallEnd::Abandoned`]. It runs on the calling
    /// task and must not block.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// # use std::sync::{Arc, Mutex};
    /// # use cpaas::{Config, client::{Client, TransportError}, error::{Reason, SentState}, http::HttpRequest, sms};
    /// # let config = Config::default().sms_url("https://sms.example").sms_key("key");
    /// # let transport = |_: HttpRequest| async { Err(TransportError::new(SentState::Maybe, Reason::Reset)) };
    /// let seen = Arc::new(Mutex::new(Vec::new()));
    /// let keep = seen.clone();
    /// let client = Client::with_transport(&config, transport)?.on_outcome(move |event| {
    ///     keep.lock().unwrap().push((event.operation, event.ending.as_str(), event.sent.as_str()));
    /// });
    /// let _ = client.call(sms::Send::new("Acme", "306912345678", "Hi")).await;
    /// assert_eq!(*seen.lock().unwrap(), [("sms.send", "unknown", "maybe")]);
    /// # Ok::<(), cpaas::Error>(()) }).unwrap();
    /// ```
    #[must_use]
    pub fn on_outcome(mut self, hook: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        Arc::make_mut(&mut self.shared).hooks.on_outcome = Some(Arc::new(hook));
        self
    }

    /// Asks `hook` once for each call, inside the call's span, for the value of the header
    /// `traceparent`; every attempt of the call carries it.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// # use cpaas::{Config, client::Client, http::{HttpRequest, HttpResponse}, sms};
    /// # let config = Config::default().sms_url("https://sms.example").sms_key("key");
    /// const TRACE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    /// let client = Client::with_transport(&config, |request: HttpRequest| async move {
    ///     assert!(request.headers.contains(&("traceparent".to_owned(), TRACE.to_owned())));
    ///     Ok(HttpResponse::new(200, vec![], r#"{"id":"m","responseCode":0}"#))
    /// })?
    /// .traceparent(|| Some(TRACE.to_owned()));
    /// client.call(sms::Send::new("Acme", "306912345678", "Hi")).await?;
    /// # Ok::<(), cpaas::Error>(()) }).unwrap();
    /// ```
    #[must_use]
    pub fn traceparent(mut self, hook: impl Fn() -> Option<String> + Send + Sync + 'static) -> Self {
        Arc::make_mut(&mut self.shared).hooks.traceparent = Some(Arc::new(hook));
        self
    }

    /// Addresses, credentials and names of this client.
    #[must_use]
    pub fn wire(&self) -> &RequestContext {
        &self.wire
    }

    /// Calls an operation. Dropping the future abandons the call: one event tells whether the request
    /// may have been sent.
    ///
    /// # Errors
    /// Every outcome but accepted.
    pub async fn call<O: Operation>(&self, operation: O) -> Result<Response<O::Output>, Error> {
        let prepared = prepared::typed(operation, &self.wire)
            .inspect_err(|error| self.shared.hooks.tell_invalid(error))?;
        let mut reader = Typed::<O>(None);
        let subject = Subject::of(&Meta::of::<O>(), self.limits.strict_refusals);
        let passed = road::travel(self, subject, prepared, &mut reader).await?;
        match reader.0 {
            Some(value) => Ok(Response::new(value, passed)),
            None => Err(unread(&subject, &passed)),
        }
    }

    /// Calls an operation with its request as JSON; the result is JSON too.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// # use cpaas::{Config, OperationId, client::Client, http::{HttpRequest, HttpResponse}};
    /// # let config = Config::default().sms_url("https://sms.example").sms_key("key");
    /// # let client = Client::with_transport(&config, |_: HttpRequest| async {
    /// #     Ok(HttpResponse::new(200, vec![], r#"{"id":"m","responseCode":0}"#))
    /// # })?;
    /// let request = r#"{"from":"Acme","to":"306912345678","text":"Hi"}"#;
    /// let sent = client.call_json(OperationId::SmsSend, request).await?;
    /// assert!(sent.value.contains(r#""id":"m""#));
    ///
    /// let refused = client.call_json(OperationId::SmsSend, r#"{"from":"Acme"}"#).await.unwrap_err();
    /// assert_eq!(refused.problems[0].pointer, "/to");
    /// # Ok::<(), cpaas::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// Every outcome but accepted.
    pub async fn call_json(&self, operation: OperationId, request: &str) -> Result<Response<String>, Error> {
        let meta: &Meta = operation.meta();
        let prepared = operation
            .prepare_json(request, &self.wire)
            .inspect_err(|error| self.shared.hooks.tell_invalid(error))?;
        let mut reader = Text(operation, None);
        let subject = Subject::of(meta, self.limits.strict_refusals);
        let passed = road::travel(self, subject, prepared, &mut reader).await?;
        match reader.1 {
            Some(value) => Ok(Response::new(value, passed)),
            None => Err(unread(&subject, &passed)),
        }
    }
}

/// A response that passed and was not kept; no reader does that.
fn unread(subject: &Subject, passed: &road::Passed) -> Error {
    subject.doubted(crate::operation::Doubt::Missing, &passed.response).error
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("limits", &self.limits).finish_non_exhaustive()
    }
}
