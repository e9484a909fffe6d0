//! A socket that injects faults below the HTTP layer, and that fails when its peer does not read.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

/// An extension of a response: the connection is closed and the response is not written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cut;

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an injected fault closed the connection")
    }
}

impl std::error::Error for Cut {}

/// A change to the bytes of the next response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SocketFault {
    /// Half of the head, then a close.
    TruncatedHead,
    /// The head and half of the body, then a close.
    TruncatedBody,
    /// Bytes that are not HTTP, then a close.
    Garbage,
    /// The whole response twice; the connection stays open.
    Twice,
    /// The whole response, one byte at a time.
    SlowDrip(Duration),
}

/// Injects faults into a connection. A request handler has the handle of its connection.
#[derive(Debug, Default)]
pub(crate) struct FaultHandle {
    armed: AtomicBool,
    next: Mutex<Option<SocketFault>>,
    reset: AtomicBool,
}

impl FaultHandle {
    /// Applies a fault to the next response.
    pub(crate) fn inject(&self, fault: SocketFault) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
        self.armed.store(true, Ordering::Release);
    }

    /// Closes the connection with a reset (RST).
    pub(crate) fn reset(&self) {
        self.reset.store(true, Ordering::Release);
    }

    fn take(&self) -> Option<SocketFault> {
        self.armed.store(false, Ordering::Release);
        self.next.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A TCP stream that applies the faults of its handle.
#[derive(Debug)]
pub(crate) struct FaultSocket {
    tcp: TcpStream,
    handle: Arc<FaultHandle>,
    /// Bytes of a response that a fault will change.
    held: Vec<u8>,
    script: Option<Script>,
    /// The time limit for a peer that does not read.
    write_timeout: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
}

#[derive(Debug)]
struct Script {
    bytes: Vec<u8>,
    written: usize,
    pause: Option<Duration>,
    sleep: Option<Pin<Box<Sleep>>>,
    ends: bool,
}

impl FaultSocket {
    pub(crate) fn new(tcp: TcpStream, handle: Arc<FaultHandle>, write_timeout: Duration) -> Self {
        Self { tcp, handle, held: Vec::new(), script: None, write_timeout, stalled: None }
    }

    /// Writes to the peer; fails when it accepts no byte within the write timeout.
    fn poll_peer(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.tcp).poll_write(context, bytes);
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let timeout = self.write_timeout;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + timeout)));
        match Future::poll(stalled.as_mut(), context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }

    fn play(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Some(mut script) = self.script.take() else { return Poll::Ready(Ok(())) };
        let played = self.play_script(&mut script, context);
        if played.is_pending() {
            self.script = Some(script);
        }
        played
    }

    fn play_script(&mut self, script: &mut Script, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(rest) = script.bytes.get(script.written..).filter(|rest| !rest.is_empty()) {
            if let Some(sleep) = &mut script.sleep {
                std::task::ready!(Future::poll(sleep.as_mut(), context));
                script.sleep = None;
            }
            let piece = if script.pause.is_some() { rest.get(..1).unwrap_or(rest) } else { rest };
            let written = std::task::ready!(self.poll_peer(context, piece))?;
            script.written += written;
            script.sleep = script.pause.map(|pause| Box::pin(sleep_until(Instant::now() + pause)));
        }
        if script.ends {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        Poll::Ready(Ok(()))
    }
}

/// The bytes to write in place of a response, and whether the connection closes after them.
fn script(fault: SocketFault, response: Vec<u8>) -> Script {
    let head = response.windows(4).position(|four| four == b"\r\n\r\n").map_or(response.len(), |at| at + 4);
    let (bytes, pause, ends) = match fault {
        SocketFault::TruncatedHead => (cut(response, head / 2), None, true),
        SocketFault::TruncatedBody => {
            let length = head + (response.len() - head) / 2;
            (cut(response, length), None, true)
        }
        SocketFault::Garbage => (b"\x16\x03\x01 this is not HTTP \x00\xff\r\n\r\n".to_vec(), None, true),
        SocketFault::Twice => (response.repeat(2), None, false),
        SocketFault::SlowDrip(pause) => (response, Some(pause), false),
    };
    Script { bytes, written: 0, pause, sleep: None, ends }
}

fn cut(mut bytes: Vec<u8>, length: usize) -> Vec<u8> {
    bytes.truncate(length);
    bytes
}

impl AsyncRead for FaultSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_read(context, buffer)
    }
}

impl AsyncWrite for FaultSocket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.handle.armed.load(Ordering::Acquire) || self.script.is_some() {
            self.held.extend_from_slice(bytes);
            return Poll::Ready(Ok(bytes.len()));
        }
        self.poll_peer(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.script.is_none() && !self.held.is_empty() {
            let response = std::mem::take(&mut self.held);
            self.script = match self.handle.take() {
                Some(fault) => Some(script(fault, response)),
                None => Some(Script { bytes: response, written: 0, pause: None, sleep: None, ends: false }),
            };
        }
        std::task::ready!(self.play(context))?;
        Pin::new(&mut self.tcp).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(context)
    }
}

impl Drop for FaultSocket {
    fn drop(&mut self) {
        if self.handle.reset.load(Ordering::Acquire) {
            let _ = self.tcp.set_zero_linger();
        }
    }
}
