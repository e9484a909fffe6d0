//! A reverse proxy on loopback that responds early, late, twice, or never, independently of the server behind it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What happens to one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProxyFault {
    /// Forwarded, and its response returned.
    Pass,
    /// The proxy responds itself and forwards nothing.
    EarlyAlone,
    /// The proxy responds itself and also forwards the request.
    EarlyAndForwarded,
    /// The request is forwarded; the response arrives after the client stopped waiting.
    Late,
    /// Forwarded; the response is written twice.
    Twice,
    /// Forwarded; no response, and the connection stays open.
    Never,
    /// Forwarded; the connection is closed instead of a response.
    ResponseDropped,
    /// Forwarded; the response is truncated.
    Truncated,
    /// The connection is closed and nothing is forwarded.
    Closed,
}

/// The faults, with equal frequency.
pub const PROXY_FAULTS: [ProxyFault; 8] = [
    ProxyFault::EarlyAlone,
    ProxyFault::EarlyAndForwarded,
    ProxyFault::Late,
    ProxyFault::Twice,
    ProxyFault::Never,
    ProxyFault::ResponseDropped,
    ProxyFault::Truncated,
    ProxyFault::Closed,
];

/// The responses that the proxy writes itself.
const EARLY: [&str; 5] = [
    "HTTP/1.1 503 Backend fetch failed\r\nretry-after: 0\r\ncontent-length: 0\r\n\r\n",
    "HTTP/1.1 503 Unavailable\r\nretry-after: 1\r\ncontent-type: text/html\r\ncontent-length: 13\r\n\r\n<html></html>",
    "HTTP/1.1 504 Gateway Timeout\r\ncontent-type: application/json\r\ncontent-length: 49\r\n\r\n{\"code\":4,\"message\":\"context deadline exceeded!\"}",
    "HTTP/1.1 429 Too Many Requests\r\nretry-after: 0\r\ncontent-length: 0\r\n\r\n",
    "HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
];

struct Plan {
    upstream: SocketAddr,
    late: Duration,
    requests: AtomicU64,
    seed: u64,
}

impl Plan {
    /// The fault of the next request: one request in five has a fault, determined by the seed and the number of the request.
    fn next(&self) -> (ProxyFault, u64) {
        let number = self.requests.fetch_add(1, Ordering::SeqCst);
        let mixed = mix(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let fault = usize::try_from(mixed % 40).ok().and_then(|index| PROXY_FAULTS.get(index).copied());
        (fault.unwrap_or(ProxyFault::Pass), mixed >> 8)
    }
}

/// The finalizer of `SplitMix64`.
const fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Starts the proxy in front of a server; late responses arrive after `late`. The proxy ends with the runtime.
///
/// # Errors
/// No port is free.
pub async fn start(upstream: SocketAddr, seed: u64, late: Duration) -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let plan = Arc::new(Plan { upstream, late, requests: AtomicU64::new(0), seed });
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(connection(stream, Arc::clone(&plan)));
        }
    });
    Ok(address)
}

async fn connection(mut client: TcpStream, plan: Arc<Plan>) -> Option<()> {
    let mut rest = Vec::new();
    loop {
        let request = read_message(&mut client, &mut rest).await?;
        let (fault, random) = plan.next();
        let early = EARLY.get(usize::try_from(random % EARLY.len() as u64).ok()?)?.as_bytes();
        match fault {
            ProxyFault::Closed => return None,
            ProxyFault::EarlyAlone => client.write_all(early).await.ok()?,
            ProxyFault::EarlyAndForwarded => {
                let forwarded = tokio::spawn(forward(plan.upstream, request));
                client.write_all(early).await.ok()?;
                forwarded.await.ok()??;
            }
            ProxyFault::Pass => {
                let response = forward(plan.upstream, request).await?;
                client.write_all(&response).await.ok()?;
            }
            ProxyFault::Late => {
                let response = forward(plan.upstream, request).await?;
                tokio::time::sleep(plan.late).await;
                client.write_all(&response).await.ok()?;
            }
            ProxyFault::Twice => {
                let response = forward(plan.upstream, request).await?;
                client.write_all(&[response.as_slice(), &response].concat()).await.ok()?;
            }
            ProxyFault::Never => {
                forward(plan.upstream, request).await?;
                // Stays open until the client gives up.
                let _ = client.read(&mut [0; 64]).await;
                return None;
            }
            ProxyFault::ResponseDropped => {
                forward(plan.upstream, request).await?;
                return None;
            }
            ProxyFault::Truncated => {
                let response = forward(plan.upstream, request).await?;
                let half = usize::try_from(random).ok()? % response.len().max(1);
                client.write_all(response.get(..half)?).await.ok()?;
                return None;
            }
        }
    }
}

/// Sends one request over a new connection and returns the complete response.
async fn forward(upstream: SocketAddr, request: Vec<u8>) -> Option<Vec<u8>> {
    let mut server = TcpStream::connect(upstream).await.ok()?;
    server.write_all(&request).await.ok()?;
    read_message(&mut server, &mut Vec::new()).await
}

/// Reads a head and a body of `content-length`; further bytes stay in `rest`.
async fn read_message(stream: &mut TcpStream, rest: &mut Vec<u8>) -> Option<Vec<u8>> {
    let head = loop {
        if let Some(at) = rest.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(rest).await.ok()? == 0 {
            return None;
        }
    };
    let text = String::from_utf8_lossy(rest.get(..head)?).to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let complete = head + length.unwrap_or(0_usize);
    while rest.len() < complete {
        if stream.read_buf(rest).await.ok()? == 0 {
            return None;
        }
    }
    let after = rest.split_off(complete);
    Some(std::mem::replace(rest, after))
}
