//! Limits of one client: connections, bytes and time.

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cpaas::client::{CallOptions, Client, RawCall};
use cpaas::error::{Error, Outcome, Reason, SentState};
use cpaas::http::{Family, Method};
use cpaas_tests::examples::example;
use cpaas_tests::fault_server::{ConnectionEnd, FaultServer, Reply, response_bytes};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::{config, send};

fn message() -> cpaas::sms::SendSms {
    cpaas::sms::SendSms::new("Acme", "306912345678", "Your table is ready")
}

/// Counts the open connections and their maximum.
#[derive(Default)]
struct Count {
    open: AtomicUsize,
    most: AtomicUsize,
}

/// A server that responds to every request and counts.
async fn counted(count: &Arc<Count>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let count = Arc::clone(count);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let open = count.open.fetch_add(1, Ordering::SeqCst) + 1;
            count.most.fetch_max(open, Ordering::SeqCst);
            let count = Arc::clone(&count);
            tokio::spawn(async move {
                respond_to_all(stream).await;
                count.open.fetch_sub(1, Ordering::SeqCst);
            });
        }
    });
    url
}

async fn respond_to_all(mut stream: TcpStream) {
    let mut buffer = [0; 4096];
    let reply = response_bytes(200, "", example("sms.send").response.as_bytes());
    while matches!(stream.read(&mut buffer).await, Ok(1..)) {
        stream.write_all(&reply).await.unwrap();
    }
}

async fn all(clients: &[Client], calls: usize) {
    let calls: Vec<_> = (0..calls)
        .map(|at| {
            let client = clients[at % clients.len()].clone();
            tokio::spawn(async move { client.call(message()).await.map(|sent| sent.value.id) })
        })
        .collect();
    for call in calls {
        assert_eq!(call.await.unwrap().unwrap(), "M1");
    }
}

fn ten_thousand(runtime: &tokio::runtime::Runtime) {
    let other = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let count = Arc::<Count>::default();
    let url = other.block_on(counted(&count));
    let client = Client::new(&config(&url).max_connections(64)).unwrap();
    runtime.block_on(all(&[client], 10_000));
    let most = count.most.load(Ordering::SeqCst);
    // On a busy machine the server counts connections that the client has already closed.
    assert!((1..=128).contains(&most), "{most} connections at a time");
}

#[test]
fn ten_thousand_calls_at_once_share_64_connections() {
    ten_thousand(&tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap());
    ten_thousand(
        &tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap(),
    );
}

/// Idle connections to one server count towards the limit for calls to another server. The test allows a few more than the limit,
/// because the servers notice a closed connection later than the client.
#[tokio::test]
async fn idle_connections_to_other_servers_count_towards_the_limit() {
    let count = Arc::<Count>::default();
    let (first, second) = (counted(&count).await, counted(&count).await);
    let config = config(&first).otp_url(&second).max_connections(8);
    let client = Client::new(&config).unwrap();
    for _ in 0..3 {
        all(std::slice::from_ref(&client), 100).await;
        all(&[client.reconfigured(&config.clone().sms_url(&second).otp_url(&first)).unwrap()], 100).await;
    }
    let most = count.most.load(Ordering::SeqCst);
    assert!((1..=12).contains(&most), "{most} connections at a time");
}

#[tokio::test]
async fn a_call_waits_for_a_connection_until_its_deadline() {
    let server = FaultServer::serve(|_| Reply::new("", ConnectionEnd::Stall)).await.unwrap();
    let config = config(&server.url()).max_connections(1);
    let client = Client::new(&config).unwrap();
    let first = tokio::spawn({
        let client = client.clone();
        async move { client.call(message()).await }
    });
    while server.requests().is_empty() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    // The wait may exceed the time limit of an attempt, which begins only when there is a connection.
    let options = cpaas::client::CallOptions::new();
    let quick = client.with(options.timeout(Duration::from_millis(50)).deadline(Duration::from_millis(300)));
    let error = quick.call(message()).await.unwrap_err();
    let observed = (error.outcome, error.sent, error.reason, error.attempts);
    assert_eq!(observed, (Outcome::NotSent, SentState::No, Reason::Deadline, 1), "{error:?}");
    assert_eq!((server.connections(), server.requests().len()), (1, 1));
    first.abort();
}

/// A server that responds with a head and `beginning`, and then repeats `more` forever. Returns its URL and the number of repeated
/// bytes.
async fn endless(
    beginning: &'static str,
    more: &'static [u8],
    pause: Duration,
) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let written = Arc::<AtomicUsize>::default();
    let count = Arc::clone(&written);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let count = Arc::clone(&count);
            tokio::spawn(async move {
                assert_ne!(stream.read(&mut [0; 4096]).await.unwrap(), 0);
                let head = format!("HTTP/1.1 200 OK\r\ncontent-length: 999999999999\r\n\r\n{beginning}");
                let mut next = stream.write_all(head.as_bytes()).await;
                while next.is_ok() {
                    tokio::time::sleep(pause).await;
                    next = stream.write_all(more).await;
                    count.fetch_add(more.len(), Ordering::SeqCst);
                }
            });
        }
    });
    (url, written)
}

const SPACES: &[u8] = &[b' '; 1 << 16];

#[tokio::test]
async fn a_response_that_is_too_large_counts_as_truncated() {
    let cases = [
        ("", Outcome::Unknown),
        (r#"{"id":"M1","#, Outcome::Unknown),
        (r#"{"id":"M1","responseCode":0,"#, Outcome::AcceptedIdUnknown),
        (r#"{"responseCode":901,"#, Outcome::Rejected),
    ];
    for (beginning, outcome) in cases {
        let (url, _) = endless(beginning, SPACES, Duration::ZERO).await;
        let error = send(&config(&url).max_response_bytes(1000)).await.unwrap_err();
        assert_eq!(error.outcome, outcome, "{beginning}: {error:?}");
        if outcome != Outcome::Rejected {
            assert_eq!(error.reason, Reason::TooLarge, "{beginning}: {error:?}");
        }
    }
}

/// By default the client reads at most 8 MiB of a body. The server can write more, which the socket buffers hold.
#[tokio::test]
async fn an_endless_response_is_read_up_to_the_limit() {
    let (url, written) = endless("{", SPACES, Duration::ZERO).await;
    let error = send(&config(&url)).await.unwrap_err();
    assert_eq!((error.outcome, error.reason), (Outcome::Unknown, Reason::TooLarge), "{error:?}");
    let written = written.load(Ordering::SeqCst);
    assert!((8 << 20..64 << 20).contains(&written), "{written}");
}

#[tokio::test]
async fn a_response_can_have_the_maximum_size() {
    let body = example("sms.send").response;
    for (most, passes) in [(body.len(), true), (body.len() - 1, false)] {
        let server = FaultServer::serve(move |_| Reply::json(200, body)).await.unwrap();
        let client = Client::new(&config(&server.url()).max_response_bytes(most)).unwrap();
        for _ in 0..3 {
            let observed = client.call(message()).await;
            assert_eq!(observed.is_ok(), passes);
            assert!(observed.is_ok() || observed.unwrap_err().reason == Reason::TooLarge);
        }
    }
}

#[tokio::test]
async fn a_head_with_too_many_or_too_long_headers_is_refused() {
    let many = "x: y\r\n".repeat(101);
    let long = format!("x: {}\r\n", "y".repeat(2_000_000));
    for headers in [many, long] {
        let server = FaultServer::serve(move |_| {
            Reply::new(response_bytes(200, &headers, b"{}"), ConnectionEnd::Stall)
        });
        let error = send(&config(&server.await.unwrap().url())).await.unwrap_err();
        assert_eq!((error.outcome, error.reason), (Outcome::Unknown, Reason::TooLarge), "{error:?}");
        assert!(error.message.contains("more than 100 headers"), "{error}");
        assert!(!error.message.contains("max_response_bytes"), "{error}");
    }
}

#[tokio::test]
async fn the_deadline_ends_a_call_with_a_slow_body() {
    let (url, _) = endless("{", b" ", Duration::from_millis(5)).await;
    let began = Instant::now();
    let error = send(&config(&url).deadline(Duration::from_millis(500))).await.unwrap_err();
    assert_eq!((error.outcome, error.reason), (Outcome::Unknown, Reason::Deadline), "{error:?}");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

/// Accepts one connection on a separate thread, reads a request and then calls `respond`.
fn respond_once(respond: impl FnOnce(std::net::TcpStream) + Send + 'static) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        assert_ne!(stream.read(&mut [0; 4096]).unwrap(), 0);
        respond(stream);
    });
    url
}

/// Writes informational responses until the client closes the connection.
fn flood(response: &'static str) -> String {
    respond_once(move |mut stream| {
        let many = response.repeat(1000);
        while stream.write_all(many.as_bytes()).is_ok() {}
    })
}

const INFORMATIONAL: [&str; 2] =
    ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n"];

#[track_caller]
fn assert_deadline(error: &Error, began: Instant) {
    let found = (error.outcome, error.sent, error.reason, error.attempts);
    assert_eq!(found, (Outcome::Unknown, SentState::Maybe, Reason::Deadline, 1), "{error:?}");
    assert!(began.elapsed() < Duration::from_secs(100), "{:?}", began.elapsed());
}

#[test]
fn the_deadline_ends_a_call_that_receives_only_informational_responses() {
    let runtimes = [
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap(),
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap(),
    ];
    for response in INFORMATIONAL {
        for runtime in &runtimes {
            let config = config(&flood(response)).deadline(Duration::from_millis(500));
            let began = Instant::now();
            assert_deadline(&runtime.block_on(send(&config)).unwrap_err(), began);
        }
        let client = cpaas::client::blocking::Client::new(
            &config(&flood(response)).deadline(Duration::from_millis(500)),
        )
        .unwrap();
        let began = Instant::now();
        assert_deadline(&client.call(message()).unwrap_err(), began);
    }
}

#[tokio::test]
async fn informational_responses_before_the_response_are_skipped() {
    let url = respond_once(|mut stream| {
        let many = INFORMATIONAL.concat().repeat(100);
        stream.write_all(many.as_bytes()).unwrap();
        stream.write_all(&response_bytes(200, "", example("sms.send").response.as_bytes())).unwrap();
        let _ = stream.read(&mut [0; 16]);
    });
    assert_eq!(send(&config(&url)).await.unwrap(), "M1");
}

/// A server whose response body has the member `responseCode`, up to its comma, before byte `end`. The last `missing` bytes of the
/// body are not sent.
fn response_code_at(end: usize, missing: usize) -> String {
    let member = r#"","responseCode":901,"#;
    let mut body = format!(r#"{{"a":"{}{member}"#, "x".repeat(end - member.len() - r#"{"a":""#.len()));
    assert_eq!(body.len(), end);
    body.push_str(&" ".repeat(100_000));
    body.push_str(r#""b":0}"#);
    respond_once(move |mut stream| {
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&body.as_bytes()[..body.len() - missing]).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let _ = stream.read(&mut [0; 16]);
    })
}

/// All bytes of a complete body are considered, but only the first 65,536 bytes of a truncated one.
#[tokio::test]
async fn only_the_first_64_kib_of_a_truncated_body_decide_the_outcome() {
    const LIMIT: usize = 65_536;
    let cases = [
        (LIMIT, 1, Outcome::Rejected),
        (LIMIT + 1, 1, Outcome::Unknown),
        (LIMIT, 0, Outcome::Rejected),
        (LIMIT + 1, 0, Outcome::Rejected),
    ];
    for (end, missing, outcome) in cases {
        let error = send(&config(&response_code_at(end, missing))).await.unwrap_err();
        assert_eq!(error.outcome, outcome, "member ends at {end}, {missing} bytes missing: {error:?}");
    }
}

/// The head contains the length of the body, so the client does not wait for the end of the connection.
#[tokio::test]
async fn a_complete_response_is_returned_while_the_connection_stays_open() {
    let whole = response_bytes(200, "", example("sms.send").response.as_bytes());
    let server = FaultServer::serve(move |_| Reply::new(whole.clone(), ConnectionEnd::Stall)).await.unwrap();
    assert_eq!(send(&config(&server.url()).deadline(Duration::from_secs(100))).await.unwrap(), "M1");
}

/// Time that passes after the response was read does not change the outcome.
#[tokio::test]
async fn a_response_that_was_received_is_returned_although_the_deadline_has_passed() {
    let config = config("http://127.0.0.1:9").deadline(Duration::from_millis(50));
    let client = Client::with_transport(&config, |_| async {
        std::thread::sleep(Duration::from_millis(100));
        Ok(cpaas::http::HttpResponse::new(200, vec![], example("sms.send").response))
    });
    let sent: Result<_, Error> = client.unwrap().call(message()).await;
    assert_eq!(sent.unwrap().value.id, "M1");
}

#[tokio::test]
async fn the_user_agent_names_the_library_and_can_be_extended() {
    let server = FaultServer::serve(|_| Reply::json(200, example("sms.send").response)).await.unwrap();
    let own = format!("user-agent: cpaas/{} (rust)", env!("CARGO_PKG_VERSION"));
    let cases = [(None, own.clone()), (Some("shop/2.1"), format!("{own} shop/2.1")), (Some(" "), own)];
    for (more, expected) in cases {
        let mut config = config(&server.url());
        config.user_agent = more.map(str::to_owned);
        send(&config).await.unwrap();
        let head = server.requests().pop().unwrap().head;
        let lines: Vec<&str> =
            head.lines().filter(|line| line.to_ascii_lowercase().starts_with("user-agent")).collect();
        assert_eq!(lines, [expected], "{more:?}");
    }
    for wrong in ["shop\n", "a\rb", "café", "\0"] {
        let error = send(&config(&server.url()).user_agent(format!("x{wrong}x"))).await.unwrap_err();
        assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config), "{wrong:?}");
        assert!(error.message.contains("`user_agent`"), "{}", error.message);
    }
}

#[test]
fn bounds_below_one_are_refused_by_name() {
    let config = || config("http://127.0.0.1:9");
    for (config, name) in [
        (config().max_connections(0), "`max_connections`"),
        (config().max_response_bytes(0), "`max_response_bytes`"),
    ] {
        let own = Client::with_transport(&config, |_| async { Ok(cpaas::http::HttpResponse::default()) });
        for error in [Client::new(&config).unwrap_err(), own.unwrap_err()] {
            assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config));
            assert!(error.message.contains(name), "{}", error.message);
        }
    }
    assert!(Client::new(&config().max_connections(usize::MAX).max_response_bytes(usize::MAX)).is_ok());
}

/// The advice of a call that never got a connection differs from that of a slow provider.
#[tokio::test]
async fn a_call_that_waited_for_a_connection_names_the_setting() {
    let server = FaultServer::serve(|_| Reply::new("", ConnectionEnd::Stall)).await.unwrap();
    let client = Client::new(&config(&server.url()).max_connections(1)).unwrap();
    let call = || RawCall::new(Method::Post, Family::Sms, "/x");
    let first = tokio::spawn({
        let client = client.clone();
        async move { client.call_raw(call()).await }
    });
    while server.requests().is_empty() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let quick = client.with(CallOptions::new().deadline(Duration::from_millis(200)));
    let error = quick.call_raw(call()).await.unwrap_err();
    assert_eq!((error.outcome, error.reason), (Outcome::NotSent, Reason::Deadline));
    assert!(error.message.contains("waited for one of the connections"), "{error}");
    assert!(error.message.contains("`max_connections`"), "{error}");
    assert_eq!(server.requests().len(), 1);
    first.abort();
}
