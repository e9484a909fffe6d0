use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

/// Tells whether a request was ever asked for, and can forbid it.
///
/// hyper asks for the body after it put the head into its buffer and before it writes the buffer: a
/// body that was never asked for is proof that not one byte of the request left the machine, also
/// when a timeout struck while the connection was still being made. Of a request without a body it asks whether there
/// is one, before it writes the head: that counts as well. The connection may live on in a task
/// of its own: whoever wants the proof withdraws the body in the same step, and hyper drops a request whose
/// body fails without writing any of it.
pub(crate) struct Watch {
    state: Arc<AtomicU8>,
    proves: bool,
}

const WAITING: u8 = 0;
const ASKED: u8 = 1;
const WITHDRAWN: u8 = 2;

/// What is sent as a body.
pub(crate) enum Content<'a> {
    Bytes(&'a [u8]),
    /// None, and the head says so.
    Empty,
    /// None.
    Absent,
}

impl Watch {
    /// HTTP/2 (`proves` is false) writes the head before it asks for the body: there, only a connection that was
    /// never made is proof.
    pub(crate) fn new(content: &Content<'_>, proves: bool) -> (reqwest::Body, Self) {
        let state = Arc::new(AtomicU8::new(WAITING));
        let bytes = match content {
            Content::Bytes(bytes) => Bytes::copy_from_slice(bytes),
            Content::Empty | Content::Absent => Bytes::new(),
        };
        let is_empty = bytes.is_empty();
        let watched = Watched {
            bytes: (!is_empty).then_some(bytes),
            is_empty,
            is_absent: matches!(content, Content::Absent),
            state: Arc::clone(&state),
        };
        (reqwest::Body::wrap(watched), Self { state, proves })
    }

    /// Withdraws the body; whether not one byte of the request was written or will be.
    pub(crate) fn withdraw(&self) -> bool {
        self.proves && move_on(&self.state, WITHDRAWN) == WITHDRAWN
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
    is_empty: bool,
    is_absent: bool,
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
        if !self.is_empty {
            return self.bytes.is_none();
        }
        move_on(&self.state, ASKED) == ASKED && self.is_absent
    }

    /// A withdrawn request has a body whatever it had before: one that fails.
    fn size_hint(&self) -> SizeHint {
        if self.is_empty && self.state.load(Ordering::Acquire) == WITHDRAWN {
            return SizeHint::with_exact(1);
        }
        SizeHint::with_exact(self.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
}
