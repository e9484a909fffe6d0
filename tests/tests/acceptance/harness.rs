//! Starts a sandbox and calls it.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use base64::Engine;
use cpaas_tests::openapi_check::{self, Response};
use serde_json::{Value, json};

/// Time limit of a response, long enough for a busy machine.
pub const RESPONSE_TIMEOUT: Duration = Duration::from_secs(200);

pub struct Harness {
    pub url: String,
    pub config: Value,
    connection: RefCell<Option<BufReader<TcpStream>>>,
    backend: Backend,
}

/// Holds the sandbox until the test is over.
enum Backend {
    InProcess { _sandbox: cpaas_sandbox::BlockingSandbox },
    Process(Child),
}

#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub text: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {}", self.text))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Fails if docs/openapi.json does not document this response.
    #[track_caller]
    fn is_documented(&self, method: &str, path: &str) {
        let content_type = self.header("content-type").unwrap_or_default();
        let response = Response { status: self.status, content_type, body: &self.text };
        if let Err(problem) = openapi_check::check(method, path, &response) {
            panic!("not in docs/openapi.json: {problem}");
        }
    }

    pub fn assumed(&self) -> &str {
        self.header("x-sandbox-assumed").unwrap_or("")
    }

    #[track_caller]
    pub fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        self.json()
    }

    #[track_caller]
    pub fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }
}

impl Harness {
    /// A sandbox with a virtual clock and further switches: `--name=value` or `--name`.
    pub fn new(switches: &[&str]) -> Self {
        Self::plain(&[&["--clock=virtual"], switches].concat())
    }

    /// A sandbox with only these switches.
    pub fn plain(switches: &[&str]) -> Self {
        match std::env::var("CPAAS_SANDBOX_BIN") {
            Ok(binary) => Self::spawn(&binary, switches),
            Err(_) => Self::start(switches),
        }
    }

    fn start(switches: &[&str]) -> Self {
        let mut builder = cpaas_sandbox::Sandbox::builder();
        for switch in switches {
            let (name, value) = switch.split_once('=').unwrap_or((switch, ""));
            builder = builder.set(name.trim_start_matches("--"), value).unwrap();
        }
        let sandbox = builder.start_blocking().unwrap();
        let url = sandbox.url().to_owned();
        Self::with(url, Backend::InProcess { _sandbox: sandbox })
    }

    fn spawn(binary: &str, switches: &[&str]) -> Self {
        let mut child = Command::new(binary).args(switches).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready: Value = loop {
            let line = lines.next().unwrap().unwrap();
            if line.starts_with('{') {
                break serde_json::from_str(&line).unwrap();
            }
        };
        Self::with(ready["url"].as_str().unwrap().to_owned(), Backend::Process(child))
    }

    fn with(url: String, backend: Backend) -> Self {
        let mut harness = Self { url, config: Value::Null, connection: RefCell::new(None), backend };
        harness.config = harness.control("GET", "/accounts", Value::Null)["accounts"][0]["config"].clone();
        harness
    }

    pub fn sid(&self) -> &str {
        self.config["account_sid"].as_str().unwrap()
    }

    pub fn traffic_account(&self) -> &str {
        self.config["traffic_account_id"].as_str().unwrap()
    }

    /// Creates a second account and returns its configuration.
    pub fn second(&self) -> Value {
        self.control("POST", "/accounts", json!({}))["config"].clone()
    }

    pub fn settings(&self, settings: Value) -> Value {
        self.control("PUT", &format!("/accounts/{}", self.sid()), settings)
    }

    /// The credentials of a path's family.
    pub fn auth(config: &Value, path: &str) -> Vec<(String, String)> {
        let text = |name: &str| config[name].as_str().unwrap().to_owned();
        let pair = |name: &str, value: String| vec![(name.to_owned(), value)];
        match path {
            _ if path.starts_with("/2fa") => {
                pair("Authorization", basic(&text("account_sid"), &text("api_key")))
            }
            _ if path.starts_with("/pa/") => pair("X-Channel-Auth-Token", text("messenger_b_token")),
            _ if path.starts_with("/_sandbox") || path.starts_with("/bot") => vec![],
            _ => pair("X-Service-API-Key", text("sms_key")),
        }
    }

    pub fn get(&self, path: &str) -> Reply {
        self.call("GET", path, &Self::auth(&self.config, path), None)
    }

    pub fn post(&self, path: &str, body: Value) -> Reply {
        self.send("POST", path, body)
    }

    pub fn put(&self, path: &str, body: Value) -> Reply {
        self.send("PUT", path, body)
    }

    pub fn delete(&self, path: &str) -> Reply {
        self.call("DELETE", path, &Self::auth(&self.config, path), None)
    }

    pub fn send(&self, method: &str, path: &str, body: Value) -> Reply {
        self.call(method, path, &Self::auth(&self.config, path), Some(&body.to_string()))
    }

    /// As [`Self::post`], with the credentials of another account.
    pub fn post_as(&self, config: &Value, path: &str, body: Value) -> Reply {
        self.call("POST", path, &Self::auth(config, path), Some(&body.to_string()))
    }

    pub fn call(&self, method: &str, path: &str, headers: &[(String, String)], body: Option<&str>) -> Reply {
        let mut headers = headers.to_vec();
        if body.is_some() && !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            headers.push(("Content-Type".to_owned(), "application/json".to_owned()));
        }
        let request = request(method, path, &headers, body.map(str::as_bytes));
        for fresh in [false, true] {
            let mut line = self.connection.borrow_mut();
            if fresh || line.is_none() {
                *line = Some(BufReader::new(self.connect()));
            }
            let stream = line.as_mut().unwrap();
            // Writing fails if the body is too large: the sandbox responds and closes the connection before it has read the body.
            let _ = stream.get_mut().write_all(&request);
            if let Some(reply) = read(stream) {
                reply.is_documented(method, path);
                return reply;
            }
            *line = None;
        }
        panic!("no response to {method} {path}");
    }

    /// Sends a head unchanged on a new connection.
    #[track_caller]
    pub fn head(&self, head: &str) -> Reply {
        let mut stream = BufReader::new(self.connect());
        stream.get_mut().write_all(head.as_bytes()).unwrap();
        read(&mut stream).expect("a response")
    }

    /// A GET of the control API on a new connection; usable from another thread.
    pub fn get_on_new_connection(url: &str, path: &str) -> Value {
        let stream = TcpStream::connect(url.trim_start_matches("http://")).unwrap();
        stream.set_read_timeout(Some(RESPONSE_TIMEOUT)).unwrap();
        let mut stream = BufReader::new(stream);
        stream.get_mut().write_all(&request("GET", &format!("/_sandbox{path}"), &[], None)).unwrap();
        read(&mut stream).unwrap().json()
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.url.trim_start_matches("http://")).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(RESPONSE_TIMEOUT)).unwrap();
        stream
    }

    /// All bytes that a new connection returns, and how it ends.
    pub fn raw(
        &self,
        method: &str,
        path: &str,
        extra: &[(&str, &str)],
        body: Value,
    ) -> (Vec<u8>, std::io::Result<()>) {
        let mut headers = Self::auth(&self.config, path);
        headers.extend(extra.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        headers.push(("Content-Type".to_owned(), "application/json".to_owned()));
        headers.push(("Connection".to_owned(), "close".to_owned()));
        let mut stream = self.connect();
        stream.write_all(&request(method, path, &headers, Some(body.to_string().as_bytes()))).unwrap();
        let mut bytes = Vec::new();
        let mut piece = [0; 4096];
        loop {
            match stream.read(&mut piece) {
                Ok(0) => return (bytes, Ok(())),
                Ok(count) => bytes.extend_from_slice(&piece[..count]),
                Err(error) => return (bytes, Err(error)),
            }
        }
    }

    #[track_caller]
    pub fn control(&self, method: &str, path: &str, body: Value) -> Value {
        let body = (!body.is_null()).then(|| body.to_string());
        let reply = self.call(method, &format!("/_sandbox{path}"), &[], body.as_deref());
        assert!(reply.status < 300, "{method} {path}: {} {}", reply.status, reply.text);
        reply.json()
    }

    pub fn advance(&self, length: &str) {
        self.control("POST", "/clock", json!({"advance": length}));
    }

    pub fn now(&self) -> u64 {
        self.control("GET", "/clock", Value::Null)["ms"].as_u64().unwrap()
    }

    pub fn inbox(&self, to: &str) -> Vec<Value> {
        let found = self.control("GET", &format!("/messages?limit=10000&to={to}"), Value::Null);
        found["messages"].as_array().unwrap().clone()
    }

    #[track_caller]
    pub fn last(&self, to: &str) -> Value {
        self.inbox(to).pop().expect("a message in the inbox")
    }

    pub fn inbox_is_empty(&self) -> bool {
        self.control("GET", "/messages", Value::Null)["messages"].as_array().unwrap().is_empty()
    }

    pub fn ledger(&self) -> Vec<Value> {
        self.control("GET", "/ledger?limit=1000000", Value::Null)["entries"].as_array().unwrap().clone()
    }

    pub fn events(&self, kind: &str) -> Vec<Value> {
        let found = self.control("GET", &format!("/events?kind={kind}"), Value::Null);
        found["events"].as_array().unwrap().clone()
    }

    pub fn attempts(&self) -> Vec<Value> {
        self.control("GET", "/callbacks", Value::Null)["attempts"].as_array().unwrap().clone()
    }

    pub fn requests(&self) -> Vec<Value> {
        self.control("GET", "/requests", Value::Null)["requests"].as_array().unwrap().clone()
    }

    /// A client with the configuration of the first account.
    pub fn client(&self) -> cpaas::client::blocking::Client {
        cpaas::client::blocking::Client::new(&self.client_config()).unwrap()
    }

    /// Calls an operation through the client.
    pub fn via(&self, id: &str, request: Value) -> Result<Value, cpaas::Error> {
        let operation = cpaas::OperationId::find(id).unwrap();
        let response = self.client().call_json(operation, &request.to_string())?;
        Ok(serde_json::from_str(&response.value).unwrap())
    }

    pub fn client_config(&self) -> cpaas::Config {
        let mut members = self.config.as_object().unwrap().clone();
        members.remove("bot_id");
        cpaas::Config::from_json(&Value::Object(members).to_string()).unwrap()
    }
}

impl Drop for Harness {
    fn drop(&mut self) {
        if let Backend::Process(child) = &mut self.backend {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

pub fn basic(user: &str, key: &str) -> String {
    format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(format!("{user}:{key}")))
}

fn request(method: &str, path: &str, headers: &[(String, String)], body: Option<&[u8]>) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if let Some(body) = body {
        text.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    let mut bytes = format!("{text}\r\n").into_bytes();
    bytes.extend_from_slice(body.unwrap_or_default());
    bytes
}

fn read(stream: &mut BufReader<TcpStream>) -> Option<Reply> {
    let mut line = String::new();
    stream.read_line(&mut line).ok().filter(|count| *count > 0)?;
    let status = line.split(' ').nth(1)?.parse().ok()?;
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).ok()?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.push((name.to_owned(), value.to_owned())),
            None => break,
        }
    }
    let mut reply = Reply { status, headers, text: String::new() };
    let length = reply.header("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    reply.text = String::from_utf8(body).unwrap();
    Some(reply)
}
