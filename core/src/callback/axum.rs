//! For axum (feature `axum`): a handler with the argument [`Callback`] runs for authentic callbacks only, and below a [`LeaseLayer`] once
//! for each event.
//!
//! The state of the router provides an `Arc<Receiver>`; replacing the receiver rotates keys without a restart. The response to
//! a rejected callback is 403 with an empty body and has [`CallbackRejected`] in its extensions. The reason is logged with
//! `tracing` as a warning. The body limit is that of axum (`DefaultBodyLimit`, 2 MB). Handlers must respond with 200.

mod lease_layer;

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum_core::body::Body;
use axum_core::extract::{FromRef, FromRequest, Request};
use axum_core::response::{IntoResponse, Response};
use bytes::Bytes;
use http::request::Parts;
use http::{StatusCode, header};

pub use lease_layer::{LeaseLayer, LeaseService};

use super::{CallbackRejected, Received, Receiver, RejectionReason};

/// The time of a request in Unix seconds, for tests. If a layer adds it to the extensions of the request, it replaces the
/// system clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now(pub u64);

/// An authentic callback.
#[derive(Clone, Debug, PartialEq)]
pub struct Callback(pub Received);

impl<S> FromRequest<S> for Callback
where
    S: Send + Sync,
    Arc<Receiver>: FromRef<S>,
{
    type Rejection = CallbackRejected;

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        if let Some(callback) = request.extensions().get::<Self>() {
            return Ok(callback.clone()); // of a `LeaseLayer`
        }
        let (_, _, received) = received(request, &Arc::<Receiver>::from_ref(state)).await?;
        Ok(Self(received))
    }
}

/// Reads a request, and its event.
async fn received(
    request: Request,
    receiver: &Receiver,
) -> Result<(Parts, Bytes, Received), CallbackRejected> {
    let (parts, body) = request.into_parts();
    let moment = parts.extensions.get::<Now>().map_or_else(now, |given| given.0);
    // The limit of the body is in the extensions.
    let mut request = Request::new(body);
    request.extensions_mut().clone_from(&parts.extensions);
    let body =
        Bytes::from_request(request, &()).await.map_err(|_| CallbackRejected::from(RejectionReason::Body))?;
    let content_type = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let headers = [(header::CONTENT_TYPE.as_str(), content_type.unwrap_or_default())];
    let received =
        receiver.receive(parts.method.as_str(), &parts.uri.to_string(), &headers, &body, moment)?;
    Ok((parts, body, received))
}

impl IntoResponse for CallbackRejected {
    fn into_response(self) -> Response {
        tracing::warn!(target: "cpaas::callback", reason = self.reason.as_str(), "callback rejected");
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::from_u16(self.status()).unwrap_or(StatusCode::FORBIDDEN);
        response.extensions_mut().insert(self);
        response
    }
}

/// The current time in Unix seconds; 0 for a clock before 1970, so that no token is valid yet.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
