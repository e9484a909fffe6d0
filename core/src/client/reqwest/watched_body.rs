//! The body of a request, which shows whether the request was written.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

use crate::error::SentState;

/// Shows whether hyper polled the body of a request, and can withdraw the body.
///
/// hyper polls the body after it has put the head into its buffer and before it writes the buffer. A body that was not
/// polled proves that no byte of the request was written, also after a timeout while connecting. For a request without a
/// body, hyper calls `is_end_stream` before it writes the head, which counts as polling. The connection's task may poll the
/// body later, so [`BodyWatch::withdraw`] checks and withdraws the body in one atomic step: a withdrawn body fails when it
/// is polled, and hyper then drops the request without writing any of it.
pub(crate) struct BodyWatch {
    state: Arc<AtomicU8>,
    /// Set when hyper releases the bytes of the body, which it does after it has written all of them.
    is_released: Arc<AtomicBool>,
    is_proof: bool,
}

/// The bytes of a body, whose release is recorded.
struct RecordedBytes {
    bytes: Vec<u8>,
    is_released: Arc<AtomicBool>,
}

impl AsRef<[u8]> for RecordedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for RecordedBytes {
    fn drop(&mut self) {
        self.is_released.store(true, Ordering::Release);
    }
}

const WAITING: u8 = 0;
const POLLED: u8 = 1;
const WITHDRAWN: u8 = 2;

/// The content of a body.
pub(crate) enum Content<'a> {
    Bytes(&'a [u8]),
    /// No body, with `content-length: 0`.
    Empty,
    /// No body.
    Absent,
}

impl BodyWatch {
    /// `is_proof` is false for HTTP/2, which writes the head before it polls the body: then a body that was not polled proves
    /// nothing.
    pub(crate) fn new(content: &Content<'_>, is_proof: bool) -> (reqwest::Body, Self) {
        let state = Arc::new(AtomicU8::new(WAITING));
        let is_released = Arc::new(AtomicBool::new(false));
        let bytes = match content {
            Content::Bytes(bytes) => Bytes::from_owner(RecordedBytes {
                bytes: bytes.to_vec(),
                is_released: Arc::clone(&is_released),
            }),
            Content::Empty | Content::Absent => {
                is_released.store(true, Ordering::Release);
                Bytes::new()
            }
        };
        let is_empty = bytes.is_empty();
        let watched = WatchedBody {
            bytes: (!is_empty).then_some(bytes),
            is_empty,
            is_absent: matches!(content, Content::Absent),
            state: Arc::clone(&state),
        };
        (reqwest::Body::wrap(watched), Self { state, is_released, is_proof })
    }

    /// Whether the whole body was written.
    pub(crate) fn is_written(&self) -> bool {
        self.is_released.load(Ordering::Acquire)
    }

    /// Withdraws the body, unless hyper has polled it; returns `No` if no byte of the request was written or will be written.
    pub(crate) fn withdraw(&self) -> SentState {
        let is_unsent = self.is_proof && transition(&self.state, WITHDRAWN) == WITHDRAWN;
        if is_unsent { SentState::No } else { SentState::Maybe }
    }
}

/// Changes the state from `WAITING`; returns the state afterwards.
fn transition(state: &AtomicU8, to: u8) -> u8 {
    match state.compare_exchange(WAITING, to, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => to,
        Err(state) => state,
    }
}

struct WatchedBody {
    bytes: Option<Bytes>,
    is_empty: bool,
    is_absent: bool,
    state: Arc<AtomicU8>,
}

/// The error of a withdrawn body: the call ended before anything was written.
#[derive(Debug)]
struct Withdrawn;

impl std::fmt::Display for Withdrawn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("withdrawn")
    }
}

impl std::error::Error for Withdrawn {}

impl Body for WatchedBody {
    type Data = Bytes;
    type Error = Withdrawn;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Withdrawn>>> {
        if transition(&self.state, POLLED) == WITHDRAWN {
            return Poll::Ready(Some(Err(Withdrawn)));
        }
        Poll::Ready(self.bytes.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        if !self.is_empty {
            return self.bytes.is_none();
        }
        transition(&self.state, POLLED) == POLLED && self.is_absent
    }

    /// A withdrawn request always has a body, which fails.
    fn size_hint(&self) -> SizeHint {
        if self.is_empty && self.state.load(Ordering::Acquire) == WITHDRAWN {
            return SizeHint::with_exact(1);
        }
        SizeHint::with_exact(self.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
}
