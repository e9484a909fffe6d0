//! The behaviors of a server after a request, for the response bodies of any provider: the rows of [`outcome_cells`](crate::outcome_cells),
//! under which `tests/conformance` also calls the clients of other providers.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;

use crate::fault_server::{Accept, ConnectionEnd, FaultServer, Reply, Request, response_bytes};

/// The names of the behaviors. A name that begins with a number begins with the status of the response.
pub const BEHAVIORS: [&str; 48] = [
    "refuse",
    "accept then close",
    "read all then close",
    "read all then reset",
    "read all then hang",
    "half a status line",
    "garbage",
    "200 cut before the verdict",
    "200 cut after the verdict",
    "200 without a body",
    "200 html",
    "200 other json",
    "200 with a rejection",
    "408",
    "429",
    "429 after 0 s",
    "429 after 61 s",
    "429 html",
    "429 with a rejection",
    "429 with a rejection, cached",
    "429 with a success",
    "499",
    "499 with a rejection",
    "500",
    "500 with a rejection",
    "500 with a rejection, cached",
    "501",
    "502",
    "503",
    "503 after 0 s",
    "503 after 1 s",
    "503 after 61 s",
    "503 html",
    "503 with a success",
    "504",
    "504 gateway",
    "400 with a success",
    "404 gateway",
    "403 html",
    "301",
    "302",
    "303",
    "307",
    "308",
    "400",
    "401",
    "404",
    "response",
];

/// Whether a provider may have processed a request to which it gave this response: every response that is not its own rejection, or a
/// status of 3xx and 4xx that only a server without a provider behind it returns. `None` for a name that is not in [`BEHAVIORS`].
#[must_use]
pub fn processes(behavior: &str) -> Option<bool> {
    let unprocessed = [
        "refuse",
        "accept then close",
        "200 with a rejection",
        "429 with a rejection",
        "499 with a rejection",
        "404 gateway",
        "403 html",
        "301",
        "302",
        "303",
        "307",
        "308",
        "400",
        "401",
        "404",
    ];
    BEHAVIORS.contains(&behavior).then(|| !unprocessed.contains(&behavior))
}

/// The responses of a provider to one operation.
#[derive(Debug, Clone, Deserialize)]
pub struct Answers {
    /// The status of a success.
    pub success_status: u16,
    /// The content type of both bodies.
    pub content_type: String,
    /// The body of a success.
    pub success: String,
    /// The beginning of that body, with the member that distinguishes it from a rejection.
    pub decided: String,
    /// The body of a rejection.
    pub rejection: String,
}

/// The reply of the behavior to a complete request. Redirects lead to `redirect_target`. `None` for an unknown name.
#[must_use]
pub fn reply(behavior: &str, answers: &Answers, redirect_target: &str) -> Option<Reply> {
    let number = behavior.split(' ').next().and_then(|word| word.parse::<u16>().ok());
    let own = |status, headers: &str, body: &str| {
        let headers = format!("content-type: {}\r\n{headers}", answers.content_type);
        Some(Reply::new(response_bytes(status, &headers, body.as_bytes()), ConnectionEnd::Keep))
    };
    let cut = |body: &str| {
        let kind = &answers.content_type;
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: 500\r\n\r\n");
        Some(Reply::new([head.as_str(), body].concat(), ConnectionEnd::Fin))
    };
    let html = |status, body: &str| {
        let bytes = response_bytes(status, "content-type: text/html\r\n", body.as_bytes());
        Some(Reply::new(bytes, ConnectionEnd::Keep))
    };
    let close = |bytes: &str, ending| Some(Reply::new(bytes, ending));
    match behavior {
        "read all then close" => return close("", ConnectionEnd::Fin),
        "read all then reset" => return close("", ConnectionEnd::Rst),
        "read all then hang" => return close("", ConnectionEnd::Stall),
        "half a status line" => return close("HTTP/1.1 20", ConnectionEnd::Fin),
        "garbage" => return close("\u{0}\u{1}% nothing like it %\r\n\r\n", ConnectionEnd::Fin),
        "200 cut before the verdict" => return cut(answers.success.get(..4).unwrap_or_default()),
        "200 cut after the verdict" => return cut(&answers.decided),
        "200 html" => return html(200, "<html><body>Log in</body></html>"),
        "200 other json" => return Some(Reply::json(200, r#"{"hello":"world"}"#)),
        "404 gateway" => return Some(Reply::json(404, r#"{"code":5,"message":"Not Found"}"#)),
        "504 gateway" => {
            return Some(Reply::json(504, r#"{"code":4,"message":"context deadline exceeded"}"#));
        }
        "response" => return own(answers.success_status, "", &answers.success),
        _ => {}
    }
    let status = number?;
    let plain = |headers: &str| Some(Reply::new(response_bytes(status, headers, b""), ConnectionEnd::Keep));
    if behavior.ends_with(" html") {
        html(status, "<html><body>Guru Meditation</body></html>")
    } else if behavior.ends_with(" with a rejection") {
        own(status, "", &answers.rejection)
    } else if behavior.ends_with(", cached") {
        own(status, "age: 7\r\n", &answers.rejection)
    } else if behavior.ends_with(" with a success") {
        own(status, "", &answers.success)
    } else if let Some((_, wait)) = behavior.split_once(" after ") {
        plain(&format!("retry-after: {}\r\n", wait.trim_end_matches(" s")))
    } else if status / 100 == 3 {
        plain(&format!("location: {redirect_target}/caught\r\n"))
    } else {
        plain("")
    }
}

/// What the provider did in a cell.
#[derive(Debug, Default)]
struct Ledger {
    keys: HashSet<String>,
    processed: usize,
}

impl Ledger {
    /// Processes a request, unless it repeats an idempotency key.
    fn process(&mut self, request: &Request) {
        let key = header(request, "idempotency-key");
        if key.is_none_or(|key| self.keys.insert(key.to_owned())) {
            self.processed += 1;
        }
    }
}

fn header<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    let value = |line: &'a str| {
        let (found, value) = line.split_once(':')?;
        found.eq_ignore_ascii_case(name).then(|| value.trim())
    };
    request.head.lines().skip(1).find_map(value)
}

/// A provider with one behavior. Dropping it closes its listeners.
pub struct Provider {
    server: FaultServer,
    second: FaultServer,
    ledger: Arc<Mutex<Ledger>>,
    /// Bound but not listening: it refuses connections, and no other process receives its port.
    closed: tokio::net::TcpSocket,
    is_refused: bool,
}

impl Provider {
    /// Starts it on a free port of the loopback interface. Each request but a `GET` is a send. Its redirects lead to a second address,
    /// which processes each send and returns a success, and returns `{}` to a `GET`.
    ///
    /// # Errors
    /// The name is not in [`BEHAVIORS`], or no port is free.
    pub async fn start(behavior: &str, answers: &Answers) -> std::io::Result<Self> {
        let unknown = || std::io::Error::other(format!("unknown behavior: {behavior}"));
        let processes = processes(behavior).ok_or_else(unknown)?;
        let ledger = Arc::<Mutex<Ledger>>::default();
        let process = |ledger: &Mutex<Ledger>, request: &Request| {
            ledger.lock().unwrap_or_else(PoisonError::into_inner).process(request);
        };
        let (kept, success) = (Arc::clone(&ledger), reply("response", answers, "").ok_or_else(unknown)?);
        let second = FaultServer::serve(move |request| {
            if request.method == "GET" {
                return Reply::json(200, "{}");
            }
            process(&kept, request);
            success.clone()
        });
        let second = second.await?;
        let accept = match behavior {
            "accept then close" => Accept::Until(0, ConnectionEnd::Fin),
            _ => Accept::Serve,
        };
        let (kept, is_refused) = (Arc::clone(&ledger), behavior == "refuse");
        let refused = || Some(Reply::new("", ConnectionEnd::Fin));
        let is_unread = is_refused || behavior == "accept then close";
        let answer = if is_unread { refused() } else { reply(behavior, answers, &second.url()) }
            .ok_or_else(unknown)?;
        let server = FaultServer::start(
            move |_| accept,
            move |request| {
                if processes && request.method != "GET" {
                    process(&kept, request);
                }
                answer.clone()
            },
        );
        let closed = tokio::net::TcpSocket::new_v4()?;
        closed.bind(std::net::SocketAddr::from(([127, 0, 0, 1], 0)))?;
        Ok(Self { server: server.await?, second, ledger, closed, is_refused })
    }

    /// The address that a client calls, `http://127.0.0.1:…`.
    ///
    /// # Errors
    /// The address of the socket cannot be read.
    pub fn url(&self) -> std::io::Result<String> {
        if self.is_refused {
            return Ok(format!("http://{}", self.closed.local_addr()?));
        }
        Ok(self.server.url())
    }

    /// The number of complete requests, at both addresses.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.server.requests().len() + self.second.requests().len()
    }

    /// The number of messages that were sent.
    #[must_use]
    pub fn processed(&self) -> usize {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner).processed
    }
}
