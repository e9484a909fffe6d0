//! A loopback TCP server with injected faults. It ends connections after a given number of bytes and counts connections, requests
//! and bytes.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// How a connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectionEnd {
    /// The connection stays open and the next request is read.
    Keep,
    /// Closed by FIN.
    Fin,
    /// Closed by RST.
    Rst,
    /// Left open without a response.
    Stall,
    /// Bytes that are not HTTP, then closed by FIN.
    Garbage,
}

/// What happens to a new connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accept {
    /// Complete requests are read.
    Serve,
    /// This number of bytes is read, then the connection ends.
    Until(usize, ConnectionEnd),
}

/// The bytes of a response, and how the connection ends after them.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The bytes of the response.
    pub bytes: Vec<u8>,
    /// How the connection ends.
    pub ending: ConnectionEnd,
}

impl Reply {
    /// A response with these bytes, after which the connection ends as `ending` says.
    #[must_use]
    pub fn new(bytes: impl Into<Vec<u8>>, ending: ConnectionEnd) -> Self {
        Self { bytes: bytes.into(), ending }
    }

    /// A complete response with a JSON body; the connection stays open.
    #[must_use]
    pub fn json(status: u16, body: &str) -> Self {
        Self::new(
            response_bytes(status, "content-type: application/json\r\n", body.as_bytes()),
            ConnectionEnd::Keep,
        )
    }
}

/// A complete response. Each line of `headers` ends with CR LF.
#[must_use]
pub fn response_bytes(status: u16, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status} x\r\n{headers}content-length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// A complete request.
#[derive(Debug, Clone)]
pub struct Request {
    /// The method, such as `POST`.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// The head as received.
    pub head: String,
    /// The body.
    pub body: Vec<u8>,
    /// Its length on the wire.
    pub bytes: usize,
}

#[derive(Default)]
struct Seen {
    connections: AtomicUsize,
    bytes: AtomicUsize,
    ended: AtomicUsize,
    requests: Mutex<Vec<Request>>,
}

/// The server. Dropping it closes the listener.
pub struct FaultServer {
    address: SocketAddr,
    seen: Arc<Seen>,
    task: JoinHandle<()>,
}

type OnRequest = dyn Fn(&Request) -> Reply + Send + Sync;

impl FaultServer {
    /// Starts on a free port of the loopback interface.
    ///
    /// # Errors
    /// No port is free.
    pub async fn start(
        accept: impl Fn(usize) -> Accept + Send + Sync + 'static,
        reply: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let seen = Arc::<Seen>::default();
        let (kept, reply) = (Arc::clone(&seen), Arc::new(reply));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let nth = kept.connections.fetch_add(1, Ordering::SeqCst);
                let (seen, reply) = (Arc::clone(&kept), Arc::clone(&reply));
                tokio::spawn(connection(stream, accept(nth), seen, reply));
            }
        });
        Ok(Self { address, seen, task })
    }

    /// Starts a server that reads every request and responds.
    ///
    /// # Errors
    /// No port is free.
    pub async fn serve(reply: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> std::io::Result<Self> {
        Self::start(|_| Accept::Serve, reply).await
    }

    /// `http://127.0.0.1:…`
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// How many connections were accepted.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.seen.connections.load(Ordering::SeqCst)
    }

    /// How many connections the server has ended, whether or not the client has noticed.
    #[must_use]
    pub fn ended(&self) -> usize {
        self.seen.ended.load(Ordering::SeqCst)
    }

    /// How many bytes of truncated requests were read.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.seen.bytes.load(Ordering::SeqCst)
    }

    /// The complete requests.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.seen.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for FaultServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn connection(mut stream: TcpStream, accept: Accept, seen: Arc<Seen>, reply: Arc<OnRequest>) {
    if let Accept::Until(bytes, ending) = accept {
        let read = read_some(&mut stream, bytes).await;
        seen.bytes.fetch_add(read, Ordering::SeqCst);
        return end(stream, ending, &seen.ended).await;
    }
    while let Some(request) = read_request(&mut stream).await {
        let reply = reply(&request);
        seen.requests.lock().unwrap_or_else(PoisonError::into_inner).push(request);
        if stream.write_all(&reply.bytes).await.is_err() {
            return;
        }
        if reply.ending != ConnectionEnd::Keep {
            return end(stream, reply.ending, &seen.ended).await;
        }
    }
}

async fn end(mut stream: TcpStream, ending: ConnectionEnd, ended: &AtomicUsize) {
    match ending {
        ConnectionEnd::Rst => {
            drop(stream.set_zero_linger());
            drop(stream);
            ended.fetch_add(1, Ordering::SeqCst);
        }
        ConnectionEnd::Fin | ConnectionEnd::Garbage => {
            if ending == ConnectionEnd::Garbage {
                let _ = stream.write_all(&[0xff; 64]).await;
            }
            // Unread bytes would turn the FIN into a reset.
            let _ = stream.shutdown().await;
            ended.fetch_add(1, Ordering::SeqCst);
            read_some(&mut stream, usize::MAX).await;
        }
        ConnectionEnd::Stall | ConnectionEnd::Keep => {
            read_some(&mut stream, usize::MAX).await;
        }
    }
}

async fn read_some(stream: &mut TcpStream, bytes: usize) -> usize {
    let mut left = bytes;
    let mut buffer = [0; 4096];
    while left > 0 {
        let most = left.min(buffer.len());
        match stream.read(buffer.get_mut(..most).unwrap_or_default()).await {
            Ok(0) | Err(_) => break,
            Ok(read) => left -= read,
        }
    }
    bytes - left
}

async fn read_request(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8_lossy(bytes.get(..end)?).into_owned();
    let length = |line: &str| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    };
    let complete = end + head.lines().find_map(length).unwrap_or(0);
    while bytes.len() < complete {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    let mut words = head.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    Some(Request { method, path, body: bytes.get(end..)?.to_vec(), bytes: complete, head })
}
