//! Bytes to and from a server, in the clear or through TLS, also through TLS to a proxy.

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll};

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

/// A socket that knows whether anything was written to it.
pub(crate) struct Socket {
    tcp: TcpStream,
    written: bool,
}

pub(crate) enum Stream {
    Plain(Socket),
    Tls(Box<TlsStream<Stream>>),
}

impl Stream {
    pub(crate) const fn new(tcp: TcpStream) -> Self {
        Self::Plain(Socket { tcp, written: false })
    }

    /// From here on it counts whether a byte leaves; below TLS, since a record may wait there.
    pub(crate) fn watch(&mut self) {
        match self {
            Self::Plain(socket) => socket.written = false,
            Self::Tls(tls) => tls.get_mut().0.watch(),
        }
    }

    /// Whether a byte has left since it was watched.
    pub(crate) fn is_written(&self) -> bool {
        self.socket().written
    }

    fn socket(&self) -> &Socket {
        match self {
            Self::Plain(socket) => socket,
            Self::Tls(tls) => tls.get_ref().0.socket(),
        }
    }

    /// Whether the socket has nothing to read, not even its end. It is asked itself: the runtime may not have been driven
    /// since the end came.
    pub(crate) fn is_silent(&self) -> bool {
        let mut byte = [MaybeUninit::uninit()];
        let peeked = SockRef::from(&self.socket().tcp).peek(&mut byte);
        peeked.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }

    /// Whether all that TLS took out of the socket was read.
    pub(crate) fn is_drained(&mut self) -> bool {
        let Self::Tls(tls) = self else { return true };
        let (below, session) = tls.get_mut();
        let state = session.process_new_packets();
        state.is_ok_and(|state| state.plaintext_bytes_to_read() == 0 && !state.peer_has_closed())
            && below.is_drained()
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(socket) => Pin::new(&mut socket.tcp).poll_read(cx, buffer),
            Self::Tls(tls) => Pin::new(tls).poll_read(cx, buffer),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(socket) => {
                let polled = Pin::new(&mut socket.tcp).poll_write(cx, bytes);
                socket.written |= matches!(polled, Poll::Ready(Ok(1..)));
                polled
            }
            Self::Tls(tls) => Pin::new(tls).poll_write(cx, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(_) => Poll::Ready(Ok(())),
            Self::Tls(tls) => Pin::new(tls).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(socket) => Pin::new(&mut socket.tcp).poll_shutdown(cx),
            Self::Tls(tls) => Pin::new(tls).poll_shutdown(cx),
        }
    }
}
