//! An axum extractor (feature `axum`): a handler that takes [`Callback`] runs for authentic callbacks only.
//!
//! The router's state gives an `Arc<Receiver>`; a state that swaps it does a rotation of keys without a restart. A refusal is
//! answered with 403 and an empty body, is written to `tracing` as a warning with its reason, and rides as [`Refused`] in the
//! extensions of the response. The limit of a body is axum's own (`DefaultBodyLimit`, 2 MB). Response 200.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum_core::body::Body;
use axum_core::extract::{FromRef, FromRequest, Request};
use axum_core::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{StatusCode, header};

use super::{Received, Receiver, Refusal, Refused};

/// The moment of a request, Unix seconds, in place of the system's clock where a layer puts it into the extensions of the
/// request: for tests.
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
    type Rejection = Refused;

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        let receiver = Arc::<Receiver>::from_ref(state);
        let (parts, body) = request.into_parts();
        let moment = parts.extensions.get::<Now>().map_or_else(now, |given| given.0);
        let method = parts.method.clone();
        let url = parts.uri.to_string();
        let content_type = parts.headers.get(header::CONTENT_TYPE).cloned();
        let content_type = content_type.as_ref().and_then(|value| value.to_str().ok()).unwrap_or_default();
        let request = Request::from_parts(parts, body);
        let body = Bytes::from_request(request, state).await.map_err(|_| Refused::from(Refusal::Body))?;
        let headers = [(header::CONTENT_TYPE.as_str(), content_type)];
        receiver.receive(method.as_str(), &url, &headers, &body, moment).map(Self)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        tracing::warn!(target: "cpaas::callback", reason = self.reason.as_str(), "callback refused");
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::from_u16(self.status()).unwrap_or(StatusCode::FORBIDDEN);
        response.extensions_mut().insert(self);
        response
    }
}

/// Unix seconds; a clock before 1970 gives 0, at which every token lies in the future.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
