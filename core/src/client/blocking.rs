//! The client for programs without an async runtime.

use serde_json::Value;
use tokio::runtime::{Builder, Handle, Runtime};

use super::pages::PageWalk;
use super::{CallOptions, Client as AsyncClient, RawCall, Response};
use crate::config::Config;
use crate::error::{Error, Outcome, Reason, SentState};
use crate::operation::{ListOperation, Operation};
use crate::operations::OperationId;

/// Calls the provider and blocks the calling thread until the result. `Send` and `Sync`: calls from several threads run in
/// parallel. Each client has one worker thread, which its clones share; dropping the last clone ends it.
///
/// Inside an async runtime, a call is refused, also in `spawn_blocking` and `block_in_place`: tokio does not tell whether a thread of
/// a runtime may block. There, use the async client: `Handle::current().block_on(client.call(…))`.
///
/// ```
/// # use cpaas::{Config, client::blocking::Client};
/// let client = Client::new(&Config::default().sms_url("http://127.0.0.1:9"))?;
/// # Ok::<(), cpaas::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Client {
    inner: AsyncClient,
    runtime: std::sync::Arc<Owned>,
}

/// A runtime that is dropped without waiting: waiting is not allowed inside another runtime.
#[derive(Debug)]
struct Owned(Option<Runtime>);

impl Drop for Owned {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Client {
    /// A client that uses HTTP/1.1, and TLS by the features of this build.
    ///
    /// # Errors
    /// `invalid` with the reason `config`, see [`AsyncClient::new`].
    pub fn new(config: &Config) -> Result<Self, Error> {
        Self::over(AsyncClient::new(config)?)
    }

    /// A blocking client with the transport, hooks and limits of an async client.
    ///
    /// # Errors
    /// `invalid` with the reason `config` if no thread can be started.
    pub fn over(inner: AsyncClient) -> Result<Self, Error> {
        let build = || {
            Builder::new_multi_thread()
                .worker_threads(1)
                // A server that floods a connection must not delay the deadlines.
                .event_interval(4)
                .thread_name("cpaas")
                .enable_all()
                .build()
        };
        // tokio panics if its signal driver, which another crate may enable, finds no free file descriptor.
        let runtime = std::panic::catch_unwind(build)
            .ok()
            .and_then(Result::ok)
            .ok_or_else(|| Error::config("the worker thread could not be started"))?;
        Ok(Self { inner, runtime: std::sync::Arc::new(Owned(Some(runtime))) })
    }

    /// Returns the same client with other options.
    #[must_use]
    pub fn with(&self, options: CallOptions) -> Self {
        Self { inner: self.inner.with(options), runtime: self.runtime.clone() }
    }

    /// Calls an operation.
    ///
    /// # Errors
    /// Those of [`AsyncClient::call`]; inside an async runtime, `invalid` with the reason `config`.
    pub fn call<O: Operation>(&self, operation: O) -> Result<Response<O::Output>, Error> {
        self.wait(O::ID, self.inner.call(operation))
    }

    /// Calls an operation with its request as JSON.
    ///
    /// # Errors
    /// Every outcome except accepted; inside an async runtime, `invalid` with the reason `config`.
    pub fn call_json(&self, operation: OperationId, request: &str) -> Result<Response<String>, Error> {
        self.wait(operation.meta().id, self.inner.call_json(operation, request))
    }

    /// Calls an endpoint that no operation covers.
    ///
    /// # Errors
    /// Every outcome except accepted; inside an async runtime, `invalid` with the reason `config`.
    pub fn call_raw(&self, call: RawCall) -> Result<Response<Value>, Error> {
        self.wait("raw", self.inner.call_raw(call))
    }

    /// Returns the pages of a list operation: one call for each page. The iterator ends after the last page or the first error.
    pub fn pages<O: ListOperation>(
        &self,
        operation: O,
    ) -> impl Iterator<Item = Result<Response<O::Output>, Error>> {
        let client = self.clone();
        let mut walk = PageWalk::new(operation);
        std::iter::from_fn(move || {
            if let Some(error) = walk.take_error() {
                return Some(Err(error));
            }
            let (operation, request) = walk.take()?;
            let mut result = client.call(operation);
            if let Ok(response) = &mut result {
                walk.add_page(&request, response);
            }
            Some(result)
        })
    }

    fn wait<T>(
        &self,
        operation: &'static str,
        call: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        match &self.runtime.0 {
            Some(runtime) if Handle::try_current().is_err() => runtime.block_on(call),
            _ => Err(inside_runtime(operation)),
        }
    }
}

fn inside_runtime(operation: &'static str) -> Error {
    let message = "nothing was sent: the blocking client must not be called inside an async runtime; use `cpaas::Client` there";
    Error::new(Outcome::Invalid, SentState::No, Reason::Config, operation, message)
}
