//! What cannot be brought about from outside: a connection that dies between two looks at it, and a fork.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::time::Duration;

use tokio::runtime::{Builder, Handle};

use super::stream::Stream;
use super::*;
use crate::operation::{Family, Method};

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

/// Answers every request; says how many bytes each connection brought, at its end.
fn server() -> (String, std::sync::mpsc::Receiver<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (told, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, told) = (stream.unwrap(), told.clone());
            std::thread::spawn(move || {
                let mut bytes = 0;
                while let Ok(count @ 1..) = stream.read(&mut [0; 4096]) {
                    bytes += count;
                    let _ = stream.write_all(ANSWER);
                }
                told.send(bytes).unwrap();
                // Open to be read from for as long as the client likes.
                std::thread::sleep(Duration::from_secs(60));
            });
        }
    });
    (url, heard)
}

fn connection(url: &str) -> (Connection, TcpStream) {
    let stream = TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
    stream.set_nonblocking(true).unwrap();
    let twin = stream.try_clone().unwrap();
    (Connection::new(Stream::new(tokio::net::TcpStream::from_std(stream).unwrap())), twin)
}

fn request(url: &str) -> HttpRequest {
    HttpRequest {
        operation: "raw",
        family: Family::Sms,
        method: Method::Get,
        url: format!("{url}/x"),
        alternates: Vec::new(),
        headers: Vec::new(),
        body: None,
    }
}

fn within<T>(work: impl Future<Output = T>) -> T {
    Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

#[test]
fn a_kept_connection_that_takes_no_byte_is_followed_by_a_fresh_one() {
    within(async {
        let (url, heard) = server();
        let transport = HttpTransport::new(&Config::default(), false).unwrap();
        for _ in 0..2 {
            let (dead, twin) = connection(&url);
            twin.shutdown(Shutdown::Write).unwrap();
            assert!(dead.is_silent(), "it looks as if it lived");
            transport.pool.put(&url, Handle::current().id(), dead);
        }
        let answer = transport.send(&request(&url), Duration::from_secs(20)).await.unwrap();
        assert_eq!((answer.status, answer.body.as_slice()), (200, &b"{}"[..]));
        assert_eq!([heard.recv().unwrap(), heard.recv().unwrap()], [0, 0]);
    });
}

/// One that took a byte may have been heard.
#[test]
fn nothing_follows_one_that_took_a_byte() {
    within(async {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let transport = HttpTransport::new(&Config::default(), false).unwrap();
        let (kept, _twin) = connection(&url);
        transport.pool.put(&url, Handle::current().id(), kept);
        let closes = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 4096]);
            drop(stream);
            listener.set_nonblocking(true).unwrap();
            listener.accept().is_err()
        });
        let error = transport.send(&request(&url), Duration::from_secs(20)).await.unwrap_err();
        assert_eq!((error.sent, error.reason), (Sent::Maybe, Reason::Reset));
        assert!(closes.join().unwrap(), "another connection was made");
    });
}

#[test]
fn the_child_of_a_fork_neither_uses_nor_closes_what_it_inherited() {
    within(async {
        let (url, heard) = server();
        let runtime = Handle::current().id();
        let pool = Pool::default();
        pool.put(&url, runtime, connection(&url).0);
        let inherited = pool.of_another_process();
        assert!(inherited.take(&url, runtime).is_none());
        inherited.put(&url, runtime, connection(&url).0);
        assert!(inherited.take(&url, runtime).is_some());
        assert_eq!(heard.recv_timeout(Duration::from_secs(20)), Ok(0), "that of the child is closed");
        drop(inherited);
        assert!(heard.recv_timeout(Duration::from_millis(100)).is_err(), "that of the parent is not");
    });
}

#[test]
fn a_connection_that_waited_too_long_is_closed() {
    within(async {
        let (url, heard) = server();
        let runtime = Handle::current().id();
        let pool = Pool::default();
        pool.put(&url, runtime, connection(&url).0);
        pool.grow_older(Duration::from_secs(3));
        assert!(pool.take(&url, runtime).is_some());
        assert_eq!(heard.recv_timeout(Duration::from_secs(20)), Ok(0));
        pool.put(&url, runtime, connection(&url).0);
        pool.grow_older(Duration::from_secs(4));
        // Whatever origin is used next.
        pool.put("http://another.example", runtime, connection(&url).0);
        assert_eq!(heard.recv_timeout(Duration::from_secs(20)), Ok(0));
        assert!(pool.take(&url, runtime).is_none());
    });
}
