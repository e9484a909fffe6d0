//! The beginning of a connection: whether TLS is used, what must not be sent without it, and whether a pooler answers.

use std::error::Error as StdError;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_postgres_rustls::MakeRustlsConnect;

/// The request for TLS, before the session begins.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// What is sent without TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WithoutTls {
    /// Nothing: the server must have TLS.
    Nothing,
    /// As `Nothing`, because no `sslmode` is written.
    NothingByDefault,
    /// Everything but the password in clear text.
    NoClearPassword,
    /// Everything.
    Everything,
}

/// What the server sent about the session.
#[derive(Debug, Default)]
pub(super) struct Announced {
    /// The number of the server's process, by which a request is cancelled. A pooler sends a number of its own.
    process: AtomicI32,
}

impl Announced {
    pub(super) fn process(&self) -> i32 {
        self.process.load(Ordering::SeqCst)
    }
}

/// Negotiates TLS with a server.
#[derive(Clone)]
pub(super) struct Negotiator {
    /// `None` for `sslmode=disable`.
    pub(super) tls: Option<MakeRustlsConnect>,
    pub(super) without: WithoutTls,
    pub(super) announced: Arc<Announced>,
}

impl Negotiator {
    /// The stream of a session without TLS.
    pub(super) fn plain<S>(&self, stream: S) -> Watched<S> {
        let may_send = self.without == WithoutTls::Everything;
        Watched { stream, messages: Some(Vec::new()), refuses: !may_send, announced: self.announced.clone() }
    }
}

type BoxError = Box<dyn StdError + Send + Sync>;
type TlsOf<S> = <MakeRustlsConnect as MakeTlsConnect<S>>::TlsConnect;
type StreamOf<S> = <MakeRustlsConnect as MakeTlsConnect<S>>::Stream;

impl<S> MakeTlsConnect<S> for Negotiator
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Watched<Negotiated<S>>;
    type TlsConnect = Negotiation<S>;
    type Error = BoxError;

    fn make_tls_connect(&mut self, host: &str) -> Result<Self::TlsConnect, Self::Error> {
        let tls = match &mut self.tls {
            Some(tls) => Some(MakeTlsConnect::<S>::make_tls_connect(tls, host)?),
            None => None,
        };
        Ok(Negotiation { tls, negotiator: self.clone() })
    }
}

/// One negotiation.
pub(super) struct Negotiation<S>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    tls: Option<TlsOf<S>>,
    negotiator: Negotiator,
}

impl<S> TlsConnect<S> for Negotiation<S>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Watched<Negotiated<S>>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Stream, Self::Error>> + Send>>;

    fn connect(self, mut stream: S) -> Self::Future {
        Box::pin(async move {
            let Self { tls, negotiator } = self;
            let Some(tls) = tls else { return Ok(negotiator.plain(Negotiated::Plain(stream))) };
            stream.write_all(&SSL_REQUEST).await?;
            stream.flush().await?;
            // Exactly one byte: what follows belongs to TLS.
            if stream.read_u8().await? == b'S' {
                let stream = Negotiated::Tls(tls.connect(stream).await?);
                let announced = negotiator.announced.clone();
                return Ok(Watched { stream, messages: Some(Vec::new()), refuses: false, announced });
            }
            match negotiator.without {
                WithoutTls::Nothing => Err("the server has no TLS, which sslmode requires".into()),
                WithoutTls::NothingByDefault => Err(
                    "the server has no TLS, which the default sslmode=require needs; write sslmode=disable if you trust the network"
                        .into(),
                ),
                _ => Ok(negotiator.plain(Negotiated::Plain(stream))),
            }
        })
    }
}

/// A stream with or without TLS.
pub(super) enum Negotiated<S>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    Plain(S),
    Tls(StreamOf<S>),
}

macro_rules! delegate {
    ($self:ident, $method:ident $(, $argument:expr)*) => {
        match $self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).$method($($argument),*),
            Self::Tls(stream) => Pin::new(stream).$method($($argument),*),
        }
    };
}

impl<S> AsyncRead for Negotiated<S>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        delegate!(self, poll_read, cx, buf)
    }
}

impl<S> AsyncWrite for Negotiated<S>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        delegate!(self, poll_write, cx, buf)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        delegate!(self, poll_flush, cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        delegate!(self, poll_shutdown, cx)
    }
}

/// A stream whose first messages from the server are read: up to the first one that is not about authentication and settings.
pub(super) struct Watched<S> {
    stream: S,
    /// What is not read yet; `None` after the beginning.
    messages: Option<Vec<u8>>,
    /// Whether a request for the password in clear text is refused.
    refuses: bool,
    announced: Arc<Announced>,
}

impl<S> Watched<S> {
    fn watch(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(messages) = &mut self.messages else { return Ok(()) };
        messages.extend_from_slice(bytes);
        loop {
            let Some((head, body)) = messages.split_at_checked(5) else { return Ok(()) };
            let (kind, length) = match head {
                [kind, length @ ..] => (*kind, u32::from_be_bytes(length.try_into().unwrap_or_default())),
                [] => return Ok(()),
            };
            let number = body.first_chunk::<4>().map(|bytes| i32::from_be_bytes(*bytes));
            match (kind, number) {
                // Authentication, notices, parameters and the key of a session. Others end the beginning.
                (b'R', Some(3)) if self.refuses => {
                    return Err(io::Error::other(
                        "the server requests the password in clear text without TLS; use sslmode=verify-full, or sslmode=disable if you trust the network",
                    ));
                }
                (b'K', Some(process)) => self.announced.process.store(process, Ordering::SeqCst),
                (b'R' | b'K', None) => return Ok(()),
                (b'R' | b'N' | b'S' | b'v', _) => {}
                _ => {
                    self.messages = None;
                    return Ok(());
                }
            }
            let end = usize::try_from(length).unwrap_or(usize::MAX).saturating_add(1);
            if end > messages.len() {
                return Ok(());
            }
            messages.drain(..end);
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
        let read = buf.filled().get(before..).unwrap_or_default();
        Poll::Ready(self.watch(read))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl<S> TlsStream for Watched<Negotiated<S>>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    fn channel_binding(&self) -> ChannelBinding {
        match &self.stream {
            Negotiated::Plain(_) => ChannelBinding::none(),
            Negotiated::Tls(stream) => stream.channel_binding(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: u8, body: &[u8]) -> Vec<u8> {
        let length = u32::try_from(body.len() + 4).unwrap();
        [&[kind], length.to_be_bytes().as_slice(), body].concat()
    }

    fn watched(without: WithoutTls) -> Watched<()> {
        Negotiator { tls: None, without, announced: Arc::default() }.plain(())
    }

    #[test]
    fn a_request_for_the_password_in_clear_text_is_refused_however_it_arrives() {
        let request = message(b'R', &[0, 0, 0, 3]);
        let all = [message(b'N', b"SNOTICE\0\0"), request].concat();
        for cut in 0..=all.len() {
            let mut stream = watched(WithoutTls::NoClearPassword);
            let result = stream.watch(&all[..cut]).and_then(|()| stream.watch(&all[cut..]));
            assert!(result.unwrap_err().to_string().contains("clear text"), "{cut}");
            let mut stream = watched(WithoutTls::Everything);
            assert!(stream.watch(&all[..cut]).and_then(|()| stream.watch(&all[cut..])).is_ok());
        }
        let mut stream = watched(WithoutTls::NoClearPassword);
        assert!(stream.watch(&message(b'R', &[0, 0, 0, 10, b'S'])).is_ok(), "SCRAM");
    }

    #[test]
    fn the_process_is_read_and_nothing_after_the_beginning() {
        let mut stream = watched(WithoutTls::NoClearPassword);
        let begin =
            [message(b'R', &[0; 4]), message(b'S', b"a\0b\0"), message(b'K', &[0, 0, 1, 2, 9, 9, 9, 9])];
        for byte in begin.concat() {
            stream.watch(&[byte]).unwrap();
        }
        assert_eq!(stream.announced.process(), 258);
        stream.watch(&message(b'Z', b"I")).unwrap();
        assert!(stream.messages.is_none());
        stream.watch(&message(b'R', &[0, 0, 0, 3])).unwrap();
    }
}
