//! A server for callbacks. It responds according to a script and records the requests.

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

/// How the receiver responds to a request.
#[derive(Debug, Clone)]
pub enum Scripted {
    Status(u16),
    Redirect(String),
    /// Reads the request and closes the connection.
    Reset,
    /// Reads the request and does not respond.
    Hang,
}

pub struct Receiver {
    pub url: String,
    address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Receiver {
    pub fn new() -> Self {
        Self::scripted(vec![])
    }

    /// Responds with one entry of the script for each request, then with 200.
    pub fn scripted(script: Vec<Scripted>) -> Self {
        Self::start(script, None)
    }

    /// A receiver over TLS, as `localhost`.
    pub fn over_tls(config: ServerConfig) -> Self {
        Self::start(vec![], Some(Arc::new(config)))
    }

    fn start(mut script: Vec<Scripted>, tls: Option<Arc<ServerConfig>>) -> Self {
        script.reverse();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let url = match tls {
            Some(_) => format!("https://localhost:{}", address.port()),
            None => format!("http://{address}"),
        };
        let (received, script) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(script)));
        let stop = Arc::new(AtomicBool::new(false));
        let thread = {
            let (received, script, stop) = (Arc::clone(&received), Arc::clone(&script), Arc::clone(&stop));
            std::thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    if stop.load(Ordering::Acquire) {
                        return;
                    }
                    match &tls {
                        Some(config) => {
                            let connection = ServerConnection::new(Arc::clone(config)).unwrap();
                            serve(StreamOwned::new(connection, stream), &received, &script);
                        }
                        None => serve(stream, &received, &script),
                    }
                }
            })
        };
        Self { url, address, received, stop, thread: Some(thread) }
    }

    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// Returns and deletes the received requests.
    pub fn take(&self) -> Vec<Received> {
        std::mem::take(&mut *self.received.lock().unwrap())
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

fn serve<S: Read + Write>(stream: S, received: &Mutex<Vec<Received>>, script: &Mutex<Vec<Scripted>>) {
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
    let request = Received { method, target, headers, body: String::from_utf8(body).unwrap() };
    received.lock().unwrap().push(request);
    let response = script.lock().unwrap().pop().unwrap_or(Scripted::Status(200));
    let (status, extra) = match response {
        Scripted::Status(status) => (status, String::new()),
        Scripted::Redirect(to) => (302, format!("location: {to}\r\n")),
        Scripted::Reset => return,
        Scripted::Hang => {
            let _ = stream.read(&mut [0; 1]);
            return;
        }
    };
    let text = format!("HTTP/1.1 {status} X\r\n{extra}content-length: 4\r\nconnection: close\r\n\r\nnote");
    let _ = stream.get_mut().write_all(text.as_bytes());
    let _ = stream.get_mut().flush();
}
