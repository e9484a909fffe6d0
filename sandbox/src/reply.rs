//! Answers before they become HTTP.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use serde::Serialize;
use tokio::sync::mpsc;

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Content,
}

/// The body of an answer: whole, or a stream of server-sent events.
#[derive(Debug)]
pub(crate) enum Content {
    Whole(Option<Bytes>),
    Stream(mpsc::Receiver<Bytes>),
}

pub(crate) const JSON: &str = "application/json";

impl Reply {
    pub(crate) fn new(status: u16, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        Self { status, content_type, headers: Vec::new(), body: Content::Whole(Some(body.into())) }
    }

    pub(crate) fn json<T: Serialize + ?Sized>(status: u16, value: &T) -> Self {
        Self::new(status, JSON, serde_json::to_vec(value).unwrap_or_default())
    }

    pub(crate) fn ok<T: Serialize + ?Sized>(value: &T) -> Self {
        Self::json(200, value)
    }

    pub(crate) fn stream(content_type: &'static str, events: mpsc::Receiver<Bytes>) -> Self {
        Self { status: 200, content_type, headers: Vec::new(), body: Content::Stream(events) }
    }

    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// As hyper sends it.
    pub(crate) fn into_http(self) -> hyper::Response<Content> {
        let mut response = hyper::Response::new(self.body);
        *response.status_mut() =
            hyper::StatusCode::from_u16(self.status).unwrap_or(hyper::StatusCode::INTERNAL_SERVER_ERROR);
        let headers = response.headers_mut();
        if !self.content_type.is_empty() {
            headers.insert(
                hyper::header::CONTENT_TYPE,
                hyper::header::HeaderValue::from_static(self.content_type),
            );
        }
        for (name, value) in self.headers {
            if let Ok(value) = hyper::header::HeaderValue::from_str(&value) {
                headers.append(hyper::header::HeaderName::from_static(name), value);
            }
        }
        response
    }
}

impl Body for Content {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut() {
            Self::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Self::Stream(events) => {
                events.poll_recv(context).map(|event| event.map(|bytes| Ok(Frame::data(bytes))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Whole(bytes) => bytes.as_ref().is_none_or(Bytes::is_empty),
            Self::Stream(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
            Self::Stream(_) => SizeHint::default(),
        }
    }
}
