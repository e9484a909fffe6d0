//! The application's side of callbacks: answers as it is told and remembers what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::Value;

#[derive(Debug, Clone)]
pub struct Received {
    pub method: String,
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Received {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// A query parameter, still encoded.
    pub fn param(&self, name: &str) -> Option<&str> {
        let query = self.target.split_once('?')?.1;
        query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// What the receiver does with the next requests.
#[derive(Debug, Clone)]
pub enum Behave {
    Status(u16),
    Redirect(String),
    /// Reads and closes.
    Reset,
    /// Reads and says nothing until the other side gives up.
    Hang,
}

pub struct Receiver {
    pub url: String,
    address: SocketAddr,
    got: Arc<Mutex<Vec<Received>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Receiver {
    pub fn new() -> Self {
        Self::scripted(vec![])
    }

    /// Behaves as told, one after the other, then answers 200.
    pub fn scripted(script: Vec<Behave>) -> Self {
        Self::start(script, None)
    }

    /// Over TLS, as `localhost`.
    pub fn over_tls(config: ServerConfig) -> Self {
        Self::start(vec![], Some(Arc::new(config)))
    }

    fn start(mut script: Vec<Behave>, tls: Option<Arc<ServerConfig>>) -> Self {
        script.reverse();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let url = match tls {
            Some(_) => format!("https://localhost:{}", address.port()),
            None => format!("http://{address}"),
        };
        let (got, script) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(script)));
        let stop = Arc::new(AtomicBool::new(false));
        let thread = {
            let (got, script, stop) = (Arc::clone(&got), Arc::clone(&script), Arc::clone(&stop));
            std::thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    if stop.load(Ordering::Acquire) {
                        return;
                    }
                    match &tls {
                        Some(config) => {
                            let connection = ServerConnection::new(Arc::clone(config)).unwrap();
                            serve(StreamOwned::new(connection, stream), &got, &script);
                        }
                        None => serve(stream, &got, &script),
                    }
                }
            })
        };
        Self { url, address, got, stop, thread: Some(thread) }
    }

    pub fn got(&self) -> Vec<Received> {
        self.got.lock().unwrap().clone()
    }

    pub fn take(&self) -> Vec<Received> {
        std::mem::take(&mut *self.got.lock().unwrap())
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve<S: Read + Write>(stream: S, got: &Mutex<Vec<Received>>, script: &Mutex<Vec<Behave>>) {
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    if stream.read_line(&mut line).unwrap_or(0) == 0 {
        return;
    }
    let mut words = line.split(' ');
    let (method, target) = (words.next().unwrap().to_owned(), words.next().unwrap().to_owned());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.push((name.to_owned(), value.to_owned())),
            None => break,
        }
    }
    let length = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let mut body = vec![0; length.map_or(0, |(_, length)| length.parse().unwrap())];
    stream.read_exact(&mut body).unwrap();
    let received = Received { method, target, headers, body: String::from_utf8(body).unwrap() };
    got.lock().unwrap().push(received);
    let behave = script.lock().unwrap().pop().unwrap_or(Behave::Status(200));
    let (status, extra) = match behave {
        Behave::Status(status) => (status, String::new()),
        Behave::Redirect(to) => (302, format!("location: {to}\r\n")),
        Behave::Reset => return,
        Behave::Hang => {
            let _ = stream.read(&mut [0; 1]);
            return;
        }
    };
    let text = format!("HTTP/1.1 {status} X\r\n{extra}content-length: 4\r\nconnection: close\r\n\r\nnote");
    let _ = stream.get_mut().write_all(text.as_bytes());
    let _ = stream.get_mut().flush();
}
