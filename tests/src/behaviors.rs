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
    /// The method and the path of the request that sends a message, such as `POST /sms`. A `GET` sends one if it has a query.
    pub request: String,
    /// The request header whose repeated value sends nothing, if the provider documents one.
    pub idempotency_header: Option<String>,
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

impl Answers {
    fn is_message(&self, request: &Request) -> bool {
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        self.request == format!("{} {path}", request.method) && (request.method != "GET" || !query.is_empty())
    }
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
        plain(&format!("location: {redirect_target}\r\n"))
    } else {
        plain("")
    }
}

/// What the provider did in a cell.
#[derive(Debug, Default)]
struct Ledger {
    keys: HashSet<String>,
    attempts: usize,
    processed: usize,
}

impl Ledger {
    /// Counts a request that is a message. It is processed unless it repeats an idempotency key or the behavior does not process it.
    fn receive(&mut self, request: &Request, answers: &Answers, processes: bool) {
        self.attempts += 1;
        if !processes {
            return;
        }
        let key = answers.idempotency_header.as_deref().and_then(|name| header(request, name));
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
    /// Starts it on a free port of the loopback interface. Its redirects lead to the path of `answers.request` at a second address, which
    /// processes each message and returns a success, and returns `{}` to any other request.
    ///
    /// # Errors
    /// The name is not in [`BEHAVIORS`], `answers.request` is not a method and a path, or no port is free.
    pub async fn start(behavior: &str, answers: &Answers) -> std::io::Result<Self> {
        let unknown = || std::io::Error::other(format!("unknown behavior: {behavior}"));
        let processes = processes(behavior).ok_or_else(unknown)?;
        let not_a_request =
            || std::io::Error::other("`request` must be a method and a path, such as `POST /sms`");
        let path = answers.request.split_once(" /").ok_or_else(not_a_request)?.1;
        let ledger = Arc::<Mutex<Ledger>>::default();
        let received = {
            let (ledger, answers) = (Arc::clone(&ledger), answers.clone());
            Arc::new(move |request: &Request, processes| {
                let is_message = answers.is_message(request);
                if is_message {
                    let mut ledger = ledger.lock().unwrap_or_else(PoisonError::into_inner);
                    ledger.receive(request, &answers, processes);
                }
                is_message
            })
        };
        let (receive, success) = (Arc::clone(&received), reply("response", answers, "").ok_or_else(unknown)?);
        let second =
            FaultServer::serve(
                move |request| {
                    if receive(request, true) { success.clone() } else { Reply::json(200, "{}") }
                },
            );
        let second = second.await?;
        let accept = match behavior {
            "accept then close" => Accept::Until(0, ConnectionEnd::Fin),
            _ => Accept::Serve,
        };
        let is_refused = behavior == "refuse";
        let refused = || Some(Reply::new("", ConnectionEnd::Fin));
        let is_unread = is_refused || behavior == "accept then close";
        let redirect_target = format!("{}/{path}", second.url());
        let answer = if is_unread { refused() } else { reply(behavior, answers, &redirect_target) }
            .ok_or_else(unknown)?;
        let server = FaultServer::start(
            move |_| accept,
            move |request| {
                received(request, processes);
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

    /// The number of these that are messages, sent or not.
    #[must_use]
    pub fn attempts(&self) -> usize {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner).attempts
    }

    /// The number of messages that were sent.
    #[must_use]
    pub fn processed(&self) -> usize {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner).processed
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    /// Sends the requests, each on a connection of its own, and returns the numbers of requests, attempts and sent messages.
    async fn counts(behavior: &str, answers: &Answers, requests: &[&str]) -> std::io::Result<[usize; 3]> {
        let provider = Provider::start(behavior, answers).await?;
        for request in requests {
            let mut stream =
                tokio::net::TcpStream::connect(provider.url()?.trim_start_matches("http://")).await?;
            let head =
                format!("{request} HTTP/1.1\r\nkey: 1\r\nidempotency-key: 1\r\ncontent-length: 0\r\n\r\n");
            stream.write_all(head.as_bytes()).await?;
            stream.read_u8().await?;
        }
        Ok([provider.requests(), provider.attempts(), provider.processed()])
    }

    fn answers(request: &str, idempotency_header: Option<&str>) -> Answers {
        Answers {
            request: request.to_owned(),
            idempotency_header: idempotency_header.map(str::to_owned),
            success_status: 200,
            content_type: "application/json".to_owned(),
            success: "{}".to_owned(),
            decided: "{".to_owned(),
            rejection: "{}".to_owned(),
        }
    }

    #[tokio::test]
    async fn only_the_declared_request_is_a_message() -> std::io::Result<()> {
        let post = answers("POST /sms", None);
        let sent = ["POST /token", "GET /sms?to=1", "PUT /sms", "POST /sms", "POST /sms?a=1"];
        assert_eq!(counts("response", &post, &sent).await?, [5, 2, 2]);
        assert_eq!(counts("401", &post, &sent).await?, [5, 2, 0]);
        let get = answers("GET /sms", None);
        assert_eq!(counts("503", &get, &["GET /sms", "GET /sms?to=1", "POST /sms"]).await?, [3, 1, 1]);
        assert!(Provider::start("response", &answers("/sms", None)).await.is_err());
        Ok(())
    }

    #[tokio::test]
    async fn only_a_declared_idempotency_header_prevents_a_second_message() -> std::io::Result<()> {
        let twice = ["POST /sms", "POST /sms"];
        assert_eq!(counts("503", &answers("POST /sms", None), &twice).await?, [2, 2, 2]);
        assert_eq!(counts("503", &answers("POST /sms", Some("Idempotency-Key")), &twice).await?, [2, 2, 1]);
        assert_eq!(counts("503", &answers("POST /sms", Some("Other")), &twice).await?, [2, 2, 2]);
        Ok(())
    }
}
