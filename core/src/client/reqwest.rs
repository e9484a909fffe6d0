//! The default transport. Nothing of reqwest is public.

mod faults;
mod outgoing;
mod tls;
mod watched;

use std::time::Duration;

use super::limits::seconds;
use super::transport::{BoxFuture, Transport, TransportError};
use crate::config::Config;
use crate::error::{Error, Reason, Sent};
use crate::http::{HttpRequest, HttpResponse};
use crate::secret::Secret;

use faults::Faults;
use outgoing::Urls;
use watched::Watch;

pub(crate) struct ReqwestTransport {
    client: reqwest::Client,
    faults: Faults,
    urls: Urls,
}

/// Below common keep-alives: a connection that the server closed gives a false unknown.
const POOL_IDLE: Duration = Duration::from_secs(4);
const POOL_SIZE: usize = 64;

impl ReqwestTransport {
    pub(crate) fn new(config: &Config, needs_tls: bool) -> Result<Self, Error> {
        let connect = seconds("connect_timeout", config.connect_timeout, 5.0)?;
        let address = config.proxy.as_ref().map(Secret::expose);
        let proxy = address.map(reqwest::Proxy::all).transpose();
        let proxy = proxy.map_err(|_| Error::config("`proxy` is no URL of a proxy"))?;
        let builder = || {
            let builder = reqwest::Client::builder()
                .connect_timeout(connect)
                .pool_idle_timeout(POOL_IDLE)
                .pool_max_idle_per_host(POOL_SIZE)
                .tcp_nodelay(true)
                .redirect(reqwest::redirect::Policy::none())
                .retry(reqwest::retry::never());
            match &proxy {
                Some(proxy) => builder.proxy(proxy.clone()),
                None => builder,
            }
        };
        let tls = needs_tls || address.is_some_and(|proxy| !proxy.starts_with("http://"));
        let client = tls::build(builder, config.ca_bundle.as_deref(), tls)?;
        Ok(Self { client, faults: Faults { proxied: proxy.is_some() }, urls: Urls::default() })
    }

    async fn exchange(
        &self,
        request: &HttpRequest,
        timeout: Duration,
    ) -> Result<HttpResponse, TransportError> {
        // Without a runtime, or without time left, nothing may even begin.
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(TransportError::new(Sent::No, Reason::Config));
        }
        if timeout.is_zero() {
            return Err(TransportError::new(Sent::No, Reason::Timeout));
        }
        let (outgoing, watch) = outgoing::build(request, &self.urls)
            .ok_or_else(|| TransportError::new(Sent::No, Reason::Config))?;
        let mut answer = None;
        let travelled = tokio::time::timeout(timeout, self.travel(outgoing, &mut answer)).await;
        match (travelled, answer) {
            (Ok(Ok(())), Some(answer)) => Ok(answer),
            (Ok(Err(error)), Some(answer)) => Err(self.faults.cut(&error).partial(answer)),
            (Ok(Err(error)), None) => Err(self.faults.explain(&error, watch.as_ref())),
            (Err(_), Some(answer)) => Err(TransportError::new(Sent::Yes, Reason::Timeout).partial(answer)),
            (Ok(Ok(())) | Err(_), None) => Err(faults::late(watch.as_ref())),
        }
    }

    /// `answer` holds what has come as soon as the status line has.
    async fn travel(
        &self,
        outgoing: reqwest::Request,
        answer: &mut Option<HttpResponse>,
    ) -> Result<(), reqwest::Error> {
        let mut response = self.client.execute(outgoing).await?;
        let answer = answer.insert(HttpResponse::new(
            response.status().as_u16(),
            headers(response.headers()),
            Vec::new(),
        ));
        while let Some(chunk) = response.chunk().await? {
            answer.body.extend_from_slice(&chunk);
        }
        Ok(())
    }
}

impl Transport for ReqwestTransport {
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
        timeout: Duration,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        Box::pin(self.exchange(request, timeout))
    }
}

fn headers(map: &reqwest::header::HeaderMap) -> Vec<(String, String)> {
    let text = |value: &reqwest::header::HeaderValue| match value.to_str() {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(value.as_bytes()).into_owned(),
    };
    map.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}
