use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

/// Tells whether a request's body was ever asked for.
///
/// hyper asks for the body after it put the head into its buffer and before it writes the buffer: a
/// body that was never asked for is proof that not one byte of the request left the machine, also
/// when a timeout struck while the connection was still being made.
pub(crate) struct Watch(Arc<AtomicBool>);

impl Watch {
    pub(crate) fn new(body: &[u8]) -> (reqwest::Body, Self) {
        let asked = Arc::new(AtomicBool::new(false));
        let watched = Watched { bytes: Some(Bytes::copy_from_slice(body)), asked: Arc::clone(&asked) };
        (reqwest::Body::wrap(watched), Self(asked))
    }

    pub(crate) fn is_unsent(&self) -> bool {
        !self.0.load(Ordering::Acquire)
    }
}

struct Watched {
    bytes: Option<Bytes>,
    asked: Arc<AtomicBool>,
}

impl Body for Watched {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.asked.store(true, Ordering::Release);
        Poll::Ready(self.bytes.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
}
