//! New connections: name, TCP, the proxy's tunnel, TLS, all within one time. Nothing of an error is kept but its reason:
//! it may hold an address, which may hold a key.

use std::time::Duration;

use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;

use super::connection::{self, Connection};
use super::proxy::{Proxy, Way};
use super::race;
use super::request::line;
use super::stream::Stream;
use super::target::Target;
use crate::error::Reason;

pub(crate) struct Connector {
    timeout: Duration,
    tls: Option<TlsConnector>,
}

impl Connector {
    pub(crate) const fn new(timeout: Duration, tls: Option<TlsConnector>) -> Self {
        Self { timeout, tls }
    }

    pub(crate) async fn connect(&self, target: &Target<'_>, way: Way<'_>) -> Result<Connection, Reason> {
        let (host, port) = target.place().ok_or(Reason::Config)?;
        let refused = if way == Way::Direct { Reason::Connect } else { Reason::Proxy };
        let open = async {
            let stream = match way {
                Way::Direct => Stream::new(race::connect(host, port, refused).await?),
                Way::Proxy(proxy) => self.through(proxy, target, (host, port)).await?,
                Way::Closed => return Err(Reason::Proxy),
            };
            if target.tls { self.secure(stream, host).await } else { Ok(stream) }
        };
        let opened = tokio::time::timeout(self.timeout, open).await.unwrap_or(Err(refused));
        opened.map(Connection::new)
    }

    async fn secure(&self, stream: Stream, host: &str) -> Result<Stream, Reason> {
        let tls = self.tls.as_ref().ok_or(Reason::Tls)?;
        let name = ServerName::try_from(host.to_owned()).map_err(|_| Reason::Tls)?;
        let stream = tls.connect(name, stream).await.map_err(|_| Reason::Tls)?;
        Ok(Stream::Tls(Box::new(stream)))
    }

    async fn through(
        &self,
        proxy: &Proxy,
        target: &Target<'_>,
        place: (&str, u16),
    ) -> Result<Stream, Reason> {
        let mut stream = Stream::new(race::connect(&proxy.host, proxy.port, Reason::Proxy).await?);
        if proxy.tls {
            stream = self.secure(stream, &proxy.host).await?;
        }
        if target.tls { tunnel(stream, place, proxy.authorization.as_deref()).await } else { Ok(stream) }
    }
}

/// Asks a proxy for a way to a server.
async fn tunnel(
    mut stream: Stream,
    place: (&str, u16),
    authorization: Option<&str>,
) -> Result<Stream, Reason> {
    let (host, port) = place;
    let place = if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") };
    let mut bytes = format!("CONNECT {place} HTTP/1.1\r\n").into_bytes();
    line(&mut bytes, "host", &place);
    if let Some(authorization) = authorization {
        line(&mut bytes, "proxy-authorization", authorization);
    }
    bytes.extend_from_slice(b"\r\n");
    connection::write_all(&mut stream, &bytes).await.map_err(|_| Reason::Proxy)?;
    Connection::new(stream).into_tunnel().await.ok_or(Reason::Proxy)
}
