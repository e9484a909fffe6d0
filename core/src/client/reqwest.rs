//! The default transport. Nothing of reqwest is public.

mod faults;
mod tls;
mod watched;

use std::time::Duration;

use super::limits::seconds;
use super::transport::{BoxFuture, Transport, TransportError};
use crate::config::Config;
use crate::error::{Error, Reason, Sent};
use crate::http::{HttpRequest, HttpResponse};
use crate::operation::Method;

use faults::Faults;
use watched::Watch;

pub(crate) struct ReqwestTransport {
    client: reqwest::Client,
    faults: Faults,
}

/// Below common keep-alives: a connection that the server closed gives a false unknown.
const POOL_IDLE: Duration = Duration::from_secs(4);
const POOL_SIZE: usize = 64;

impl ReqwestTransport {
    pub(crate) fn new(config: &Config, needs_tls: bool) -> Result<Self, Error> {
        let connect = seconds("connect_timeout", config.connect_timeout, 5.0)?;
        let proxy = config.proxy.as_deref().map(reqwest::Proxy::all).transpose();
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
        let tls = needs_tls || config.proxy.as_deref().is_some_and(|proxy| !proxy.starts_with("http://"));
        let client = tls::build(builder, config.ca_bundle.as_deref(), tls)?;
        Ok(Self { client, faults: Faults { proxied: proxy.is_some() } })
    }

    async fn exchange(
        &self,
        request: &HttpRequest,
        timeout: Duration,
    ) -> Result<HttpResponse, TransportError> {
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(TransportError::new(Sent::No, Reason::Config));
        }
        let mut builder = self.client.request(method(request.method), request.url.as_str()).timeout(timeout);
        for (name, value) in &request.headers {
            builder = builder.header(name.as_str(), value.as_str());
        }
        let mut watch = None;
        if let Some(body) = &request.body {
            let (body, watching) = Watch::new(body);
            builder = builder.body(body);
            watch = Some(watching);
        }
        let failed = |error: reqwest::Error| self.faults.explain(&error, watch.as_ref());
        let mut response = builder.send().await.map_err(failed)?;
        let mut answer = HttpResponse::new(response.status().as_u16(), headers(&response), Vec::new());
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) => answer.body.extend_from_slice(&chunk),
                Ok(None) => return Ok(answer),
                Err(error) => return Err(self.faults.cut(&error).partial(answer)),
            }
        }
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

const fn method(method: Method) -> reqwest::Method {
    match method {
        Method::Get => reqwest::Method::GET,
        Method::Post => reqwest::Method::POST,
        Method::Put => reqwest::Method::PUT,
        Method::Delete => reqwest::Method::DELETE,
    }
}

fn headers(response: &reqwest::Response) -> Vec<(String, String)> {
    let text = |value: &reqwest::header::HeaderValue| match value.to_str() {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(value.as_bytes()).into_owned(),
    };
    response.headers().iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}
