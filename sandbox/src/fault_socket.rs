//! A connection that can misbehave: faults happen on the socket, below the HTTP layer.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

/// What happens to the next answer on its way out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spoil {
    /// Half of the head, then the end.
    TruncatedHead,
    /// The head and half of the body, then the end.
    TruncatedBody,
    /// Bytes that are no HTTP, then the end.
    Garbage,
    /// All of it, and the same once more that nobody asked for; the connection stays.
    Twice,
    /// All of it, one byte at a time.
    SlowDrip(Duration),
}

/// How a request handler reaches its connection.
#[derive(Debug, Default)]
pub(crate) struct Line {
    armed: AtomicBool,
    spoil: Mutex<Option<Spoil>>,
    reset: AtomicBool,
}

impl Line {
    pub(crate) fn spoil(&self, spoil: Spoil) {
        *self.spoil.lock().unwrap_or_else(PoisonError::into_inner) = Some(spoil);
        self.armed.store(true, Ordering::Release);
    }

    /// The connection ends with a reset instead of a close.
    pub(crate) fn reset(&self) {
        self.reset.store(true, Ordering::Release);
    }

    fn take(&self) -> Option<Spoil> {
        self.armed.store(false, Ordering::Release);
        self.spoil.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The socket with its line.
#[derive(Debug)]
pub(crate) struct Socket {
    tcp: TcpStream,
    line: Arc<Line>,
    held: Vec<u8>,
    script: Option<Script>,
}

#[derive(Debug)]
struct Script {
    bytes: Vec<u8>,
    written: usize,
    pause: Option<Duration>,
    sleep: Option<Pin<Box<Sleep>>>,
    ends: bool,
}

impl Socket {
    pub(crate) fn new(tcp: TcpStream, line: Arc<Line>) -> Self {
        Self { tcp, line, held: Vec::new(), script: None }
    }

    fn play(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Some(script) = &mut self.script else { return Poll::Ready(Ok(())) };
        while let Some(rest) = script.bytes.get(script.written..).filter(|rest| !rest.is_empty()) {
            if let Some(sleep) = &mut script.sleep {
                std::task::ready!(Future::poll(sleep.as_mut(), context));
                script.sleep = None;
            }
            let piece = if script.pause.is_some() { rest.get(..1).unwrap_or(rest) } else { rest };
            let written = std::task::ready!(Pin::new(&mut self.tcp).poll_write(context, piece))?;
            script.written += written;
            script.sleep = script.pause.map(|pause| Box::pin(sleep_until(Instant::now() + pause)));
        }
        let ends = script.ends;
        self.script = None;
        if ends {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        Poll::Ready(Ok(()))
    }
}

/// The bytes that go out instead of an answer, and whether the connection ends after them.
fn script(spoil: Spoil, answer: Vec<u8>) -> Script {
    let head = answer.windows(4).position(|four| four == b"\r\n\r\n").map_or(answer.len(), |at| at + 4);
    let (bytes, pause, ends) = match spoil {
        Spoil::TruncatedHead => (cut(answer, head / 2), None, true),
        Spoil::TruncatedBody => {
            let length = head + (answer.len() - head) / 2;
            (cut(answer, length), None, true)
        }
        Spoil::Garbage => (b"\x16\x03\x01 this is no HTTP \x00\xff\r\n\r\n".to_vec(), None, true),
        Spoil::Twice => (answer.repeat(2), None, false),
        Spoil::SlowDrip(pause) => (answer, Some(pause), false),
    };
    Script { bytes, written: 0, pause, sleep: None, ends }
}

fn cut(mut bytes: Vec<u8>, length: usize) -> Vec<u8> {
    bytes.truncate(length);
    bytes
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_read(context, buffer)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.line.armed.load(Ordering::Acquire) || self.script.is_some() {
            self.held.extend_from_slice(bytes);
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.tcp).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.script.is_none() && !self.held.is_empty() {
            let answer = std::mem::take(&mut self.held);
            self.script = match self.line.take() {
                Some(spoil) => Some(script(spoil, answer)),
                None => Some(Script { bytes: answer, written: 0, pause: None, sleep: None, ends: false }),
            };
        }
        std::task::ready!(self.play(context))?;
        Pin::new(&mut self.tcp).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(context)
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        if self.line.reset.load(Ordering::Acquire) {
            let _ = self.tcp.set_zero_linger();
        }
    }
}
