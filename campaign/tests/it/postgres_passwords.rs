//! What a server gets to know of the password without TLS. The servers are simulated.
#![cfg(feature = "postgres")]

use std::io::{Read, Write};
use std::net::{IpAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::journal::OpenOptions;

const SECRET: &str = "Canary-4711";

/// A server without TLS that requests the password in clear text. Returns its port, and what it received after that.
fn server() -> (u16, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("0.0.0.0:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let received = serve(stream.unwrap());
            if sender.send(received).is_err() {
                return;
            }
        }
    });
    (port, receiver)
}

fn serve(mut stream: TcpStream) -> Vec<u8> {
    stream.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
    let mut head = [0; 8];
    if stream.read_exact(&mut head).is_err() {
        return Vec::new();
    }
    if head[4..] == 80_877_103_u32.to_be_bytes() {
        stream.write_all(b"N").unwrap();
        if stream.read_exact(&mut head).is_err() {
            return Vec::new();
        }
    }
    let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
    let mut startup = vec![0; length - 8];
    stream.read_exact(&mut startup).unwrap();
    stream.write_all(&[b'R', 0, 0, 0, 8, 0, 0, 0, 3]).unwrap();
    let mut received = Vec::new();
    let mut byte = [0];
    while received.len() < 5 + SECRET.len() && stream.read_exact(&mut byte).is_ok() {
        received.push(byte[0]);
    }
    received
}

/// An address of this machine that is not its loopback address.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|address| !address.is_loopback() && !address.is_unspecified())
}

fn error(host: &str, port: u16, query: &str) -> String {
    let url = format!("postgres://ann:{SECRET}@{host}:{port}/campaigns{query}");
    let error = open_journal(&url, OpenOptions::default()).map(drop).unwrap_err().to_string();
    assert!(!error.contains(SECRET), "{error}");
    error
}

fn contains_secret(received: &[u8]) -> bool {
    received.windows(SECRET.len()).any(|bytes| bytes == SECRET.as_bytes())
}

#[test]
fn a_password_is_not_sent_in_clear_text_to_another_machine() {
    let Some(own) = own_address() else {
        println!("skipped: this machine has no address beside loopback");
        return;
    };
    let (port, received) = server();
    let host = own.to_string();
    let refused = error(&host, port, "?sslmode=prefer");
    assert!(refused.contains("clear text") && refused.contains("sslmode=disable"), "{refused}");
    assert_eq!(received.recv().unwrap(), b"", "nothing is sent after the request");
    let refused = error(&host, port, "");
    assert!(refused.contains("default sslmode=require"), "{refused}");
    assert_eq!(received.recv().unwrap(), b"");
    for mode in ["require", "verify-ca&sslrootcert=system", "verify-full"] {
        let refused = error(&host, port, &format!("?sslmode={mode}"));
        assert!(refused.contains("has no TLS"), "{refused}");
        assert_eq!(received.recv().unwrap(), b"", "{mode}");
    }
    error(&host, port, "?sslmode=disable");
    assert!(contains_secret(&received.recv().unwrap()), "the caller trusts the network");
}

#[test]
fn a_password_is_sent_in_clear_text_within_this_machine() {
    let (port, received) = server();
    for query in ["", "?sslmode=prefer", "?sslmode=disable"] {
        error("127.0.0.1", port, query);
        assert!(contains_secret(&received.recv().unwrap()), "{query}");
    }
}
