//! One connection: a request is written, its answer read.

use std::future::poll_fn;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::Progress;
use super::head::{self, Head};
use super::request::Outgoing;
use super::stream::Stream;
use crate::error::Reason;

pub(crate) struct Connection {
    stream: Stream,
    /// What was received and not yet read.
    pub(super) buffer: Vec<u8>,
    /// Whether the last exchange ended such that another may follow.
    keeps: bool,
}

/// So much is read at a time.
const PIECE: usize = 8192;

impl Connection {
    pub(crate) const fn new(stream: Stream) -> Self {
        Self { stream, buffer: Vec::new(), keeps: true }
    }

    /// Sends a request and reads its answer whole. `progress` is true at every point at which this may be dropped.
    pub(crate) async fn exchange(
        &mut self,
        outgoing: &Outgoing,
        progress: &mut Progress,
    ) -> Result<(), Reason> {
        self.keeps = false;
        let whole = self.write(outgoing.bytes(), progress).await?;
        let head = self.head().await?;
        let answer = progress.answer.insert(head.response);
        self.body(head.length, &mut answer.body).await?;
        self.keeps = whole && head.keeps && self.buffer.is_empty();
        Ok(())
    }

    /// Whether nothing came that was not asked for.
    pub(crate) fn is_reusable(&mut self) -> bool {
        self.keeps && self.stream.is_drained()
    }

    /// Whether the server has neither closed nor said anything since.
    pub(crate) fn is_silent(&self) -> bool {
        self.stream.is_silent()
    }

    /// The stream behind a proxy's consent; none where it gives none.
    pub(super) async fn into_tunnel(mut self) -> Option<Stream> {
        let head = self.head().await.ok()?;
        (matches!(head.response.status, 200..=299) && self.buffer.is_empty()).then_some(self.stream)
    }

    /// Writes a request; false when an answer may have come before the end of it.
    async fn write(&mut self, mut bytes: &[u8], progress: &mut Progress) -> Result<bool, Reason> {
        self.stream.watch();
        poll_fn(|cx| {
            let polled = poll_write(&mut self.stream, &mut bytes, cx);
            progress.written |= self.stream.is_written();
            match polled {
                Poll::Ready(Ok(())) => Poll::Ready(Ok(true)),
                // Who refuses a request may say so, and close before having read it.
                Poll::Ready(Err(_)) if progress.written => Poll::Ready(Ok(false)),
                Poll::Ready(Err(_)) => Poll::Ready(Err(Reason::Reset)),
                Poll::Pending => ready!(self.poll_answered(cx)).map(|()| false).into(),
            }
        })
        .await
    }

    /// Ready when an answer has begun, though the request is not written to its end.
    fn poll_answered(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Reason>> {
        loop {
            match ready!(self.poll_fill(cx)) {
                Ok(0) | Err(_) => return Poll::Ready(Err(Reason::Reset)),
                Ok(_) if !matches!(self.look(), Ok(None)) => return Poll::Ready(Ok(())),
                Ok(_) => {}
            }
        }
    }

    async fn head(&mut self) -> Result<Head, Reason> {
        let mut is_worth_a_look = !self.buffer.is_empty();
        loop {
            if is_worth_a_look && let Some((head, end)) = self.look()? {
                self.buffer.drain(..end);
                return Ok(head);
            }
            let before = self.buffer.len();
            if self.fill().await? == 0 {
                self.look()?;
                return Err(Reason::Reset);
            }
            // Not at every byte of a head that drips in, or that would be quadratic.
            let new = self.buffer.get(before..).unwrap_or_default();
            is_worth_a_look = before == 0 || new.contains(&b'\n') || self.buffer.len() > head::LONGEST;
        }
    }

    /// The first head in the buffer that is not only informational, and where it ends.
    fn look(&mut self) -> Result<Option<(Head, usize)>, Reason> {
        loop {
            match head::read(&self.buffer).map_err(|_| Reason::Decode)? {
                Some((head, end)) if matches!(head.response.status, 100 | 102..=199) => {
                    self.buffer.drain(..end);
                }
                found => return Ok(found),
            }
        }
    }

    /// Reads what is there into the buffer; 0 at the end.
    pub(super) async fn fill(&mut self) -> Result<usize, Reason> {
        poll_fn(|cx| self.poll_fill(cx)).await.map_err(|_| Reason::Reset)
    }

    fn poll_fill(&mut self, cx: &mut Context<'_>) -> Poll<std::io::Result<usize>> {
        let mut space = [const { MaybeUninit::uninit() }; PIECE];
        let mut piece = ReadBuf::uninit(&mut space);
        ready!(Pin::new(&mut self.stream).poll_read(cx, &mut piece))?;
        self.buffer.extend_from_slice(piece.filled());
        Poll::Ready(Ok(piece.filled().len()))
    }
}

fn poll_write(stream: &mut Stream, bytes: &mut &[u8], cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
    while !bytes.is_empty() {
        let count = ready!(Pin::new(&mut *stream).poll_write(cx, bytes))?;
        if count == 0 {
            return Poll::Ready(Err(std::io::ErrorKind::WriteZero.into()));
        }
        *bytes = bytes.get(count..).unwrap_or_default();
    }
    Pin::new(stream).poll_flush(cx)
}

/// Writes bytes that are no request of the caller's.
pub(super) async fn write_all(stream: &mut Stream, mut bytes: &[u8]) -> std::io::Result<()> {
    poll_fn(|cx| poll_write(stream, &mut bytes, cx)).await
}
