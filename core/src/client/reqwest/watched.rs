use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

/// Tells whether a request's body was ever asked for, and can forbid it.
///
/// hyper asks for the body after it put the head into its buffer and before it writes the buffer: a
/// body that was never asked for is proof that not one byte of the request left the machine, also
/// when a timeout struck while the connection was still being made. The connection may live on in a task
/// of its own: whoever wants the proof withdraws the body in the same step, and hyper drops a request whose
/// body fails without writing any of it.
pub(crate) struct Watch(Arc<AtomicU8>);

const WAITING: u8 = 0;
const ASKED: u8 = 1;
const WITHDRAWN: u8 = 2;

impl Watch {
    pub(crate) fn new(body: &[u8]) -> (reqwest::Body, Self) {
        let state = Arc::new(AtomicU8::new(WAITING));
        let watched = Watched { bytes: Some(Bytes::copy_from_slice(body)), state: Arc::clone(&state) };
        (reqwest::Body::wrap(watched), Self(state))
    }

    /// Withdraws the body; whether not one byte of the request was written or will be.
    pub(crate) fn withdraw(&self) -> bool {
        move_on(&self.0, WITHDRAWN) == WITHDRAWN
    }
}

/// Moves on from `WAITING`; the state then.
fn move_on(state: &AtomicU8, to: u8) -> u8 {
    match state.compare_exchange(WAITING, to, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => to,
        Err(state) => state,
    }
}

struct Watched {
    bytes: Option<Bytes>,
    state: Arc<AtomicU8>,
}

/// The call ended before anything of it was written.
#[derive(Debug)]
struct Withdrawn;

impl std::fmt::Display for Withdrawn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("withdrawn")
    }
}

impl std::error::Error for Withdrawn {}

impl Body for Watched {
    type Data = Bytes;
    type Error = Withdrawn;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Withdrawn>>> {
        if move_on(&self.state, ASKED) == WITHDRAWN {
            return Poll::Ready(Some(Err(Withdrawn)));
        }
        Poll::Ready(self.bytes.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
}
