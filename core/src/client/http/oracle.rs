//! Answers in many forms, right ones and some thousand that are nearly right, read here and by hyper: both say the same.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener};

use http_body_util::BodyExt;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use super::stream::Stream;
use super::*;

/// What is told of an answer.
#[derive(Debug, PartialEq)]
enum Told {
    Whole(u16, Vec<u8>),
    Cut(u16, Vec<u8>),
    NoAnswer,
    NoHttp,
}

/// Reads a request and writes `bytes`, to two connections; their end follows.
fn serve(bytes: Vec<u8>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().take(2) {
            let mut stream = stream.unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).unwrap();
                head.extend(byte);
            }
            let _ = stream.write_all(&bytes);
            let _ = stream.shutdown(Shutdown::Write);
            let _ = stream.read(&mut [0]);
        }
    });
    address
}

async fn ours(address: SocketAddr) -> Told {
    let mut connection = Connection::new(Stream::new(TcpStream::connect(address).await.unwrap()));
    let outgoing = Outgoing::raw(b"GET /x HTTP/1.1\r\nhost: a\r\n\r\n");
    let mut progress = Progress::default();
    let result = connection.exchange(&outgoing, &mut progress).await;
    match (result, progress.answer) {
        (Ok(()), Some(answer)) => Told::Whole(answer.status, answer.body),
        (Err(_), Some(answer)) => Told::Cut(answer.status, answer.body),
        (Err(Reason::Decode), None) => Told::NoHttp,
        _ => Told::NoAnswer,
    }
}

async fn hypers(address: SocketAddr) -> Told {
    let stream = TokioIo::new(TcpStream::connect(address).await.unwrap());
    let (mut sender, connection) = hyper::client::conn::http1::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    let request = hyper::Request::get("/x").header("host", "a").body(String::new()).unwrap();
    let response = match sender.send_request(request).await {
        Ok(response) => response,
        Err(error) if error.is_parse() => return Told::NoHttp,
        Err(_) => return Told::NoAnswer,
    };
    let (status, mut incoming) = (response.status().as_u16(), response.into_body());
    let mut body = Vec::new();
    while let Some(frame) = incoming.frame().await {
        match frame.map(|frame| frame.into_data()) {
            Ok(data) => body.extend_from_slice(&data.unwrap_or_default()),
            Err(_) => return Told::Cut(status, body),
        }
    }
    Told::Whole(status, body)
}

const FORMS: [&str; 12] = [
    "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nContent-Type: x\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 404 Not Found\r\ncontent-length: 5\r\ncontent-length: 5, 5\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\n\r\nuntil the end",
    "HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 5\r\n\r\nhello",
    "HTTP/1.0 200 OK\r\n\r\nuntil the end",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\nA;x=y\r\n0123456789\r\n1\r\n!\r\n0\r\nt: 1\r\n\r\n",
    "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "HTTP/1.1 204 No Content\r\n\r\n",
    "HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi",
];

/// Changes a form in one to three places; the same for the same number.
fn changed(number: u64) -> Vec<u8> {
    let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut pick = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap() % below
    };
    let mut bytes = FORMS[pick(FORMS.len())].as_bytes().to_vec();
    for _ in 0..=pick(3) {
        let (at, byte) = (pick(bytes.len()), b"\r\n: ;,0159afx\x00\xff\t-+"[pick(17)]);
        match pick(4) {
            0 => bytes[at] = byte,
            1 => bytes.insert(at, byte),
            2 if bytes.len() > 1 => drop(bytes.remove(at)),
            _ => bytes.truncate(at + 1),
        }
    }
    bytes
}

/// None where both say the same.
async fn difference(bytes: Vec<u8>) -> Option<String> {
    let address = serve(bytes.clone());
    let (ours, hypers) = (ours(address).await, hypers(address).await);
    (ours != hypers).then(|| format!("{:?}: {ours:?}, hyper {hypers:?}", String::from_utf8_lossy(&bytes)))
}

#[test]
fn answers_are_read_as_hyper_reads_them() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let cases = FORMS.iter().map(|form| form.as_bytes().to_vec()).chain((0..3000).map(changed));
    let found = runtime.block_on(async {
        let mut found = Vec::new();
        for case in cases {
            found.extend(difference(case).await);
        }
        found
    });
    assert!(found.is_empty(), "{} differences:\n{}", found.len(), found.join("\n"));
}
