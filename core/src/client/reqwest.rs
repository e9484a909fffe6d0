use std::time::Duration;

use super::limits::seconds;
use super::transport::{BoxFuture, Transport, TransportError};
use crate::config::Config;
use crate::error::{Error, Reason, Sent};
use crate::http::{HttpRequest, HttpResponse};
use crate::operation::Method;

/// The default transport.
pub(crate) struct ReqwestTransport(reqwest::Client);

/// Below common keep-alives: a connection that the server closed gives a false unknown.
const POOL_IDLE: Duration = Duration::from_secs(4);

impl ReqwestTransport {
    pub(crate) fn new(config: &Config) -> Result<Self, Error> {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = reqwest::Client::builder()
            .connect_timeout(seconds("connect_timeout", config.connect_timeout, 5.0)?)
            .pool_idle_timeout(POOL_IDLE)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never());
        builder.build().map(Self).map_err(|_| Error::config("the HTTP client cannot be built"))
    }

    async fn exchange(
        &self,
        request: &HttpRequest,
        timeout: Duration,
    ) -> Result<HttpResponse, TransportError> {
        let mut builder = self.0.request(method(request.method), request.url.as_str()).timeout(timeout);
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        if let Some(body) = &request.body {
            builder = builder.body(body.clone());
        }
        let mut response = builder.send().await.map_err(|error| failed(&error))?;
        let mut answer = HttpResponse::new(response.status().as_u16(), headers(&response), Vec::new());
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) => answer.body.extend_from_slice(&chunk),
                Ok(None) => return Ok(answer),
                Err(error) => return Err(failed(&error).partial(answer)),
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

fn method(method: Method) -> reqwest::Method {
    match method {
        Method::Get => reqwest::Method::GET,
        Method::Post => reqwest::Method::POST,
        Method::Put => reqwest::Method::PUT,
        Method::Delete => reqwest::Method::DELETE,
    }
}

fn headers(response: &reqwest::Response) -> Vec<(String, String)> {
    response
        .headers()
        .iter()
        .map(|(name, value)| {
            (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
        })
        .collect()
}

fn failed(error: &reqwest::Error) -> TransportError {
    if error.is_builder() {
        TransportError::new(Sent::No, Reason::Config)
    } else if error.is_connect() {
        TransportError::new(Sent::No, Reason::Connect)
    } else if error.is_timeout() {
        TransportError::new(Sent::Maybe, Reason::Timeout)
    } else {
        TransportError::new(Sent::Maybe, Reason::Reset)
    }
}
