//! The default transport: HTTP/1.1 over tokio and rustls. A connection lives in the task of the call that uses it, and
//! between calls in a list: nothing is spawned, nothing crosses threads, and a dropped call closes its connection.

mod body;
mod connect;
mod connection;
mod environment;
mod head;
mod pool;
mod proxy;
mod race;
mod request;
mod stream;
mod target;
mod tls;

use std::time::Duration;

use tokio::runtime::{Handle, Id};

use super::limits::seconds;
use super::transport::{BoxFuture, Transport, TransportError};
use crate::config::Config;
use crate::error::{Error, Reason, Sent};
use crate::http::{HttpRequest, HttpResponse};
use crate::secret::Secret;

use connect::Connector;
use connection::Connection;
use pool::Pool;
use proxy::Ways;
use request::Outgoing;
use target::Target;

pub(crate) struct HttpTransport {
    connector: Connector,
    ways: Ways,
    pool: Pool,
}

/// What is known of an attempt while it runs. It stands outside of the attempt, which may be dropped at any point.
#[derive(Default)]
struct Progress {
    /// Whether a byte of the request was written.
    written: bool,
    /// What has come, as soon as the status line has.
    answer: Option<HttpResponse>,
}

impl Progress {
    fn failed(self, reason: Reason) -> TransportError {
        match self.answer {
            Some(answer) => TransportError::new(Sent::Yes, reason).partial(answer),
            None if self.written => TransportError::new(Sent::Maybe, reason),
            None => TransportError::new(Sent::No, reason),
        }
    }
}

impl HttpTransport {
    pub(crate) fn new(config: &Config, needs_tls: bool) -> Result<Self, Error> {
        let ways = match config.proxy.as_ref().map(Secret::expose) {
            Some(address) => Ways::all(address)?,
            None => Ways::from_environment(),
        };
        let tls = tls::connector(config.ca_bundle.as_deref(), needs_tls || ways.need_tls())?;
        let connect = seconds("connect_timeout", config.connect_timeout, 5.0)?;
        Ok(Self { connector: Connector::new(connect, tls), ways, pool: Pool::default() })
    }

    async fn exchange(
        &self,
        request: &HttpRequest,
        timeout: Duration,
    ) -> Result<HttpResponse, TransportError> {
        let refused = |reason| TransportError::new(Sent::No, reason);
        // Without a runtime, or without time left, nothing may even begin.
        let runtime = Handle::try_current().map_err(|_| refused(Reason::Config))?.id();
        if timeout.is_zero() {
            return Err(refused(Reason::Timeout));
        }
        let target = Target::read(&request.url).ok_or_else(|| refused(Reason::Config))?;
        let mut progress = Progress::default();
        let travel = self.travel(request, &target, runtime, &mut progress);
        match tokio::time::timeout(timeout, travel).await.unwrap_or(Err(Reason::Timeout)) {
            Ok(()) => progress.answer.ok_or_else(|| refused(Reason::Reset)),
            Err(reason) => Err(progress.failed(reason)),
        }
    }

    async fn travel(
        &self,
        request: &HttpRequest,
        target: &Target<'_>,
        runtime: Id,
        progress: &mut Progress,
    ) -> Result<(), Reason> {
        let way = self.ways.to(target);
        let outgoing = Outgoing::new(request, target, way).ok_or(Reason::Config)?;
        while let Some(mut connection) = self.pool.take(target.origin, runtime) {
            match connection.exchange(&outgoing, progress).await {
                Ok(()) => {
                    self.keep(connection, target, runtime);
                    return Ok(());
                }
                // The proof that nothing left: another connection may carry it.
                Err(_) if !progress.written => {}
                Err(reason) => return Err(reason),
            }
        }
        let mut connection = Box::pin(self.connector.connect(target, way)).await?;
        connection.exchange(&outgoing, progress).await?;
        self.keep(connection, target, runtime);
        Ok(())
    }

    fn keep(&self, mut connection: Connection, target: &Target<'_>, runtime: Id) {
        if connection.is_reusable() {
            self.pool.put(target.origin, runtime, connection);
        }
    }
}

impl Transport for HttpTransport {
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
        timeout: Duration,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        Box::pin(self.exchange(request, timeout))
    }
}

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;
