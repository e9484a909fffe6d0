//! The default transport: reqwest, over rustls. Nothing of reqwest is public.
//!
//! One exchange sends at most one request: no redirect is followed and nothing is sent again but what hyper hands back
//! untouched. `not sent` is said with proof alone: the connection was never made, or [`watched::Watch`] shows that
//! the request was never asked for. A connection that carried half an exchange is closed.
//!
//! | Bound | Value |
//! |---|---|
//! | connections | `max_connections`, see [`places::Places`] |
//! | a response's body | `max_response_bytes`; what is beyond it is not read |
//! | a response's head, by hyper | 417,792 bytes (408 KiB) and 100 headers |
//! | an idle connection | 4 s |

mod clients;
mod environment;
mod faults;
mod outgoing;
mod places;
mod runtime;
mod tls;
mod watched;

use std::time::Duration;

use ::reqwest::header::{HeaderMap, HeaderValue};
use tokio::sync::SemaphorePermit;

use super::limits::seconds;
use super::pool::Pool;
use super::transport::{Attempt, BoxFuture, Progress, Transport, TransportError};
use crate::config::Config;
use crate::error::{Error, Reason, SentState};
use crate::http::{HttpRequest, HttpResponse};

use clients::Clients;
use faults::Faults;
use outgoing::Urls;
use places::Places;
use watched::Watch;

pub(crate) struct ReqwestTransport {
    clients: Clients,
    places: Places,
    faults: Faults,
    urls: Urls,
    most: usize,
}

/// What is known of an attempt while it runs. It outlives the request that it watches: whoever drops the call midway
/// gets the proof, or is told that there is none.
struct Flight<'a> {
    watch: Watch,
    progress: &'a Progress,
}

impl Flight<'_> {
    fn sent(&self) -> SentState {
        if self.watch.withdraw() { SentState::No } else { SentState::Maybe }
    }
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        if self.sent() == SentState::Maybe {
            self.progress.may_have_left();
        }
    }
}

impl ReqwestTransport {
    pub(crate) fn new(config: &Config, pool: &Pool) -> Result<Self, Error> {
        let connect = seconds("connect_timeout", config.connect_timeout, 5.0)?;
        let places = Places::new(pool.connections, pool.origins.len());
        let proxies = environment::proxies(config)?;
        let faults = Faults { proxied: !proxies.list.is_empty() };
        let clients = Clients::new(config, pool, proxies, &places, connect)?;
        Ok(Self { clients, places, faults, urls: Urls::default(), most: pool.response })
    }

    async fn exchange(
        &self,
        request: &HttpRequest,
        attempt: Attempt<'_>,
    ) -> Result<HttpResponse, TransportError> {
        let refused = |reason| TransportError::new(SentState::No, reason);
        if attempt.timeout().is_zero() {
            return Err(refused(Reason::Timeout));
        }
        let runtime = runtime::running().await.ok_or_else(|| refused(Reason::Runtime))?;
        let client = self.clients.of(runtime).map_err(refused)?;
        let (outgoing, watch) =
            outgoing::build(request, &self.urls).ok_or_else(|| refused(Reason::Config))?;
        let flight = Flight { watch, progress: attempt.progress() };
        let mut answer = None;
        let travelled = {
            let answer = &mut answer;
            runtime::guarded(async {
                let (_place, timeout) = self.place(&attempt).await?;
                let travel = self.travel(&client, outgoing, answer);
                let travelled = tokio::time::timeout(timeout, travel).await;
                travelled.unwrap_or(Err(Fault::Late))
            })
            .await
            .unwrap_or(Err(Fault::Runtime))
        };
        match (travelled, answer) {
            (Ok(()), Some(answer)) => Ok(answer),
            (Ok(()), None) => Err(TransportError::new(flight.sent(), Reason::Reset)),
            (Err(Fault::Late), Some(answer)) if is_whole(&answer) => Ok(answer),
            (Err(fault), Some(answer)) => {
                Err(TransportError::new(SentState::Yes, self.faults.cut(&fault)).partial(answer))
            }
            (Err(fault), None) => Err(self.faults.explain(&fault, &flight)),
        }
    }

    /// A place for an attempt, and the time that is left to it. Nothing of the request is with reqwest meanwhile.
    async fn place(&self, attempt: &Attempt<'_>) -> Result<(SemaphorePermit<'_>, Duration), Fault> {
        if let Some(place) = self.places.try_take() {
            return Ok((place, attempt.timeout()));
        }
        let began = tokio::time::Instant::now();
        let place = tokio::time::timeout(attempt.left(), self.places.take()).await;
        let left = attempt.left().saturating_sub(began.elapsed());
        Ok((place.ok().flatten().ok_or(Fault::Late)?, attempt.limit().min(left)))
    }

    /// `answer` holds what has come as soon as the status line has.
    async fn travel(
        &self,
        client: &reqwest::Client,
        outgoing: reqwest::Request,
        answer: &mut Option<HttpResponse>,
    ) -> Result<(), Fault> {
        let mut response = client.execute(outgoing).await.map_err(Fault::Reqwest)?;
        let answer = answer.insert(HttpResponse::new(
            response.status().as_u16(),
            headers(response.headers()),
            Vec::new(),
        ));
        while let Some(chunk) = response.chunk().await.map_err(Fault::Reqwest)? {
            let room = self.most.saturating_sub(answer.body.len());
            answer.body.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
            if chunk.len() > room {
                return Err(Fault::TooLarge);
            }
        }
        Ok(())
    }
}

/// Why an exchange ended too soon.
enum Fault {
    Reqwest(reqwest::Error),
    /// The time was over.
    Late,
    TooLarge,
    /// The runtime ended midway.
    Runtime,
}

impl Transport for ReqwestTransport {
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
        timeout: Duration,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        Box::pin(async move {
            let progress = Progress::default();
            self.exchange(request, Attempt::new(timeout, timeout, &progress)).await
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

/// Whether the body came as far as the head said.
fn is_whole(answer: &HttpResponse) -> bool {
    let length = answer.header("content-length").and_then(|length| length.trim().parse().ok());
    length == Some(answer.body.len()) && answer.header("transfer-encoding").is_none()
}

fn headers(map: &HeaderMap) -> Vec<(String, String)> {
    let text = |value: &HeaderValue| match value.to_str() {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(value.as_bytes()).into_owned(),
    };
    map.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}
