//! The layer: runs the handler of each event once.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum_core::body::Body;
use axum_core::extract::{FromRef, Request};
use axum_core::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use tower_layer::Layer;
use tower_service::Service;
use tracing::Instrument as _;

use super::{Callback, received};
use crate::callback::lease::unless_it_panics;
use crate::callback::{LeaseMemory, LeaseReply, LeaseStore, Leases, Receiver};

/// A layer for routes of callbacks: it verifies each request and runs the handler of each event once; see [`Leases`].
///
/// A response of 2xx means that the handler has completed. After any other response, and after a panic, the event is freed, so that
/// the next repeat runs the handler again. The handler runs in a task of its own and ends even if the provider disconnects.
/// The handler takes the event with the extractor [`Callback`]. `state` is a state of the router that provides the
/// `Arc<Receiver>`. Every request to a route below the layer must be a callback: others get 403.
pub struct LeaseLayer<State, S = LeaseMemory> {
    leases: Leases<S>,
    state: State,
}

impl<State, S> LeaseLayer<State, S> {
    /// The layer of a filter, with the state of the router.
    pub const fn new(leases: Leases<S>, state: State) -> Self {
        Self { leases, state }
    }
}

impl<State: Clone, S> Clone for LeaseLayer<State, S> {
    fn clone(&self) -> Self {
        Self { leases: self.leases.clone(), state: self.state.clone() }
    }
}

impl<State, S> fmt::Debug for LeaseLayer<State, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LeaseLayer").field("leases", &self.leases).finish_non_exhaustive()
    }
}

impl<State: Clone, S, Inner> Layer<Inner> for LeaseLayer<State, S> {
    type Service = LeaseService<State, S, Inner>;

    fn layer(&self, inner: Inner) -> Self::Service {
        LeaseService { leases: self.leases.clone(), state: self.state.clone(), inner }
    }
}

/// The service of a [`LeaseLayer`].
pub struct LeaseService<State, S, Inner> {
    leases: Leases<S>,
    state: State,
    inner: Inner,
}

impl<State: Clone, S, Inner: Clone> Clone for LeaseService<State, S, Inner> {
    fn clone(&self) -> Self {
        Self { leases: self.leases.clone(), state: self.state.clone(), inner: self.inner.clone() }
    }
}

impl<State, S, Inner> fmt::Debug for LeaseService<State, S, Inner> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LeaseService").field("leases", &self.leases).finish_non_exhaustive()
    }
}

impl<State, S, Inner> Service<Request> for LeaseService<State, S, Inner>
where
    Arc<Receiver>: FromRef<State>,
    S: LeaseStore,
    Inner: Service<Request, Error = Infallible> + Clone + Send + 'static,
    Inner::Response: IntoResponse,
    Inner::Future: Send,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        // The service that was ready handles this request.
        let next = self.inner.clone();
        let inner = std::mem::replace(&mut self.inner, next);
        let receiver = Arc::<Receiver>::from_ref(&self.state);
        let leases = self.leases.clone();
        Box::pin(async move {
            let response = handled(request, &receiver, &leases, inner).await;
            Ok(response.unwrap_or_else(IntoResponse::into_response))
        })
    }
}

/// The response of the handler, or the one that replaces it.
async fn handled<S, Inner>(
    request: Request,
    receiver: &Receiver,
    leases: &Leases<S>,
    mut inner: Inner,
) -> Result<Response, Response>
where
    S: LeaseStore,
    Inner: Service<Request, Error = Infallible> + Send + 'static,
    Inner::Response: IntoResponse,
    Inner::Future: Send,
{
    let (mut parts, body, event) = received(request, receiver).await.map_err(IntoResponse::into_response)?;
    let lease = leases.claim(&event).await.map_err(IntoResponse::into_response)?;
    parts.extensions.insert(Callback(event));
    let request = Request::from_parts(parts, Body::from(body));
    let handler = async move {
        let response = async {
            match inner.call(request).await {
                Ok(response) => response.into_response(),
                Err(never) => match never {},
            }
        };
        let response = unless_it_panics(response).await;
        let response = response.unwrap_or_else(|| StatusCode::INTERNAL_SERVER_ERROR.into_response());
        if response.status().is_success() {
            lease.done().await;
        } else {
            lease.free().await;
        }
        response
    };
    // The task ends without a response if its runtime ends.
    tokio::spawn(handler.in_current_span())
        .await
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

impl IntoResponse for LeaseReply {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() =
            StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
