//! Responses in every form of HTTP/1, and whether the next call uses the same connection.

use std::time::Duration;

use cpaas::client::{Client, RawCall};
use cpaas::error::{Outcome, Reason};
use cpaas::http::{Family, Method};
use cpaas_tests::examples::example;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::config;

/// A server that writes `pieces` one after the other as the response to each request, and closes the connection if `closes`.
struct Server {
    url: String,
    connections: tokio::task::JoinHandle<()>,
    count: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

impl Server {
    async fn start(pieces: Vec<Vec<u8>>, closes: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let count = std::sync::Arc::<std::sync::atomic::AtomicUsize>::default();
        let counted = std::sync::Arc::clone(&count);
        let connections = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                tokio::spawn(serve(stream, pieces.clone(), closes));
            }
        });
        Self { url, connections, count }
    }

    fn connections(&self) -> usize {
        self.count.load(std::sync::atomic::Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.connections.abort();
    }
}

async fn serve(mut stream: TcpStream, pieces: Vec<Vec<u8>>, closes: bool) {
    let mut request = [0; 4096];
    while matches!(stream.read(&mut request).await, Ok(1..)) {
        for (at, piece) in pieces.iter().enumerate() {
            if at > 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            if stream.write_all(piece).await.is_err() {
                return;
            }
        }
        if closes {
            return;
        }
    }
}

fn chunked(body: &str) -> String {
    let (first, second) = body.split_at(10);
    format!("A;x=\"y\"\r\n{first}\r\n{:x}\r\n{second}\r\n0\r\nx-trailer: 1\r\n\r\n", second.len())
}

/// Checks that two calls with this response are accepted and use this number of connections. The response is written at once, then
/// byte by byte.
async fn accepted(response: String, closes: bool, connections: usize) {
    for size in [response.len(), 1] {
        accepted_in(&response, size, closes, connections).await;
    }
}

async fn accepted_in(response: &str, size: usize, closes: bool, connections: usize) {
    let pieces = response.as_bytes().chunks(size).map(<[u8]>::to_vec).collect();
    let server = Server::start(pieces, closes).await;
    let client = Client::new(&config(&server.url)).unwrap();
    for _ in 0..2 {
        let sent = client.call(cpaas::sms::SendSms::new("Acme", "306912345678", "Hi")).await;
        assert_eq!(sent.unwrap_or_else(|error| panic!("{response}: {error:?}")).value.id, "M1", "{response}");
    }
    assert_eq!(server.connections(), connections, "{response}");
}

#[tokio::test]
async fn the_connection_is_reused_after_a_response_of_known_length() {
    let body = example("sms.send").response;
    let length = body.len();
    for head in [
        format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n"),
        format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\ncontent-length: {length}\r\n\r\n"),
        format!("HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: {length}\r\n\r\n"),
        format!("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n"),
        format!(
            "HTTP/1.1 103 Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 102 x\r\n\r\nHTTP/1.1 200\r\ncontent-length: {length}\r\n\r\n"
        ),
    ] {
        accepted(head + body, false, 1).await;
    }
    let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    accepted(head.to_owned() + &chunked(body), false, 1).await;
    // Chunked encoding overrides content-length.
    let both = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\ntransfer-encoding: chunked\r\n\r\n");
    accepted(both + &chunked(body), false, 1).await;
}

#[tokio::test]
async fn the_next_call_opens_a_new_connection_if_the_response_closes_the_old_one() {
    let body = example("sms.send").response;
    let length = body.len();
    for headers in [
        format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {length}\r\n"),
        format!("HTTP/1.1 200 OK\r\nconnection: x, Close\r\ncontent-length: {length}\r\n"),
        format!("HTTP/1.0 200 OK\r\ncontent-length: {length}\r\n"),
    ] {
        accepted(format!("{headers}\r\n{body}"), false, 2).await;
    }
    // The end of the connection is the end of the body.
    for head in ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n"] {
        accepted(head.to_owned() + body, true, 2).await;
    }
}

#[tokio::test]
async fn bytes_after_a_response_are_not_used_as_the_response_to_the_next_call() {
    let own = example("sms.send").response;
    let other = own.replace("M1", "M2");
    let bytes =
        [own, &other].map(|body| format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", own.len()));
    let bytes = bytes.concat();
    accepted_in(&bytes, bytes.len(), false, 2).await;
}

#[tokio::test]
async fn the_outcome_is_unknown_after_a_response_that_is_truncated_or_not_http() {
    let cases = [
        ("HTTP/1.1 200 OK\r\ncontent-length: 5x\r\n\r\n", Reason::Decode),
        ("HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n", Reason::Decode),
        ("HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", Reason::Decode),
        ("SSH-2.0-x\r\n", Reason::Decode),
        ("HTTP/1.1 200 OK\r\nx", Reason::Reset),
        ("HTTP/1.1 100 Continue\r\n\r\n", Reason::Reset),
        ("", Reason::Reset),
        ("HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{", Reason::Reset),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n", Reason::Reset),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n+1\r\n{\r\n0\r\n\r\n", Reason::Reset),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\n{\n0\n\n", Reason::Reset),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n", Reason::Reset),
    ];
    for (response, reason) in cases {
        let server = Server::start(vec![response.as_bytes().to_vec()], true).await;
        let error = crate::send(&config(&server.url)).await.unwrap_err();
        assert_eq!((error.outcome, error.reason), (Outcome::Unknown, reason), "{response}: {error:?}");
        assert_eq!(server.connections(), 1);
    }
}

/// A raw call with a body of this size.
async fn post(
    client: &Client,
    size: usize,
) -> Result<cpaas::client::Response<serde_json::Value>, cpaas::Error> {
    let call = RawCall::new(Method::Post, Family::Sms, "/x");
    client.call_raw(call.body("x".repeat(size))).await
}

/// A server can reject a large request without reading all of it.
#[tokio::test]
async fn a_rejection_is_returned_while_the_request_is_still_being_written() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.read_exact(&mut [0; 100]).await.unwrap();
        stream.write_all(b"HTTP/1.1 413 x\r\ncontent-length: 0\r\n\r\n").await.unwrap();
        tokio::time::sleep(Duration::from_secs(60)).await;
    });
    let client = Client::new(&config(&url)).unwrap();
    let error = post(&client, 32 << 20).await.unwrap_err();
    assert_eq!((error.outcome, error.status), (Outcome::Rejected, Some(413)), "{error:?}");
}

/// A connection with an incomplete request cannot carry another one.
#[tokio::test]
async fn a_connection_with_an_early_rejection_is_not_reused() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut refused, _) = listener.accept().await.unwrap();
        refused.read_exact(&mut [0; 100]).await.unwrap();
        refused.write_all(b"HTTP/1.1 413 x\r\ncontent-length: 0\r\n\r\n").await.unwrap();
        let (mut next, _) = listener.accept().await.unwrap();
        assert_ne!(next.read(&mut [0; 4096]).await.unwrap(), 0);
        next.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").await.unwrap();
        drop(refused);
    });
    let client = Client::new(&config(&url)).unwrap();
    assert_eq!(post(&client, 32 << 20).await.unwrap_err().status, Some(413));
    assert_eq!(post(&client, 1).await.unwrap().raw.body, b"{}");
}

/// A server can reject before the client has finished writing; the end of the connection can overtake the response.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rejection_that_closes_the_connection_is_returned_or_the_outcome_is_unknown() {
    for _ in 0..30 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.read_exact(&mut [0; 100]).await.unwrap();
            stream.write_all(b"HTTP/1.1 413 x\r\ncontent-length: 0\r\n\r\n").await.unwrap();
        });
        let client = Client::new(&config(&url)).unwrap();
        let error = post(&client, 4 << 20).await.unwrap_err();
        match error.status {
            Some(413) => assert_eq!(error.outcome, Outcome::Rejected, "{error:?}"),
            status => assert_eq!((error.outcome, status), (Outcome::Unknown, None), "{error:?}"),
        }
    }
}

#[tokio::test]
async fn an_informational_response_does_not_interrupt_the_writing_of_a_request() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.read_exact(&mut [0; 100]).await.unwrap();
        stream.write_all(b"HTTP/1.1 102 x\r\n\r\nHTTP/1.1 103 Hi").await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        stream.write_all(b"nts\r\nlink: x\r\n\r\n").await.unwrap();
        let mut read = 100;
        while read < 32 << 20 {
            read += stream.read(&mut [0; 1 << 16]).await.unwrap();
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").await.unwrap();
    });
    let client = Client::new(&config(&url)).unwrap();
    let response = post(&client, 32 << 20).await.unwrap();
    assert_eq!(response.raw.body, b"{}");
}
