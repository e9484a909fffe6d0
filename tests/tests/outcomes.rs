//! The outcome matrix: every fault of a server with every class of operation. The table contains the number of requests that reach
//! the server, and the outcome. It is written by hand from the rule that one call sends at most one message.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::Arc;

use cpaas::OperationId;
use cpaas::client::Client;
use cpaas::error::Outcome;
use cpaas_tests::examples::{config, example};
use cpaas_tests::fault_server::{Accept, ConnectionEnd, FaultServer, Reply, Request, response_bytes};
use tokio::sync::Semaphore;

/// The columns: one operation per class, and one per family among the sends.
const COLUMNS: [&str; 11] = [
    "otp.get",                  // read
    "lookup.numbers",           // charged read
    "otp.limits.create",        // create by name
    "otp.limits.update",        // idempotent
    "otp.workflows.update",     // append
    "otp.cancel",               // cancel
    "otp.verify",               // verify
    "otp.send",                 // send, family A
    "sms.send",                 // send, family B
    "messages.send",            // send, family D
    "webhooks.messenger_b.set", // idempotent, rejections only in the member `status`
];

/// Each cell is the number of requests that the server reads completely, and the outcome: A accepted, R rejected, N not sent,
/// U unknown, I accepted with the id unknown, ? not sent or unknown. The last one depends on whether the client writes the request
/// before it detects that the connection is closed.
#[rustfmt::skip]
const TABLE: &[(&str, &str)] = &[
    //                              get look crea upd  app  canc veri otp  sms  msg  hook
    ("refuse",                       "0N  0N   0N   0N   0N   0N   0N   0N   0N   0N   0N"),
    ("accept then close",            "0?  0?   0?   0?   0?   0?   0?   0?   0?   0?   0?"),
    ("read all then close",          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("read all then reset",          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("read all then hang",           "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("half a status line",           "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("garbage",                      "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("200 cut before the verdict",   "3U  1U   1U   3U   1U   3U   1U   1U   1U   1I   3U"),
    ("200 cut after the verdict",    "3U  1U   1I   1I   1I   1I   1U   1I   1I   1I   1I"),
    ("200 without a body",           "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("200 html",                     "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("200 other json",               "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("200 with a rejection",         "1R  1A   1R   1R   1R   1R   1R   1R   1R   1U   1R"),
    ("408",                          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("429",                          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("429 after 0 s",                "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("429 after 61 s",               "1U  1U   1U   1U   1U   1U   1U   1U   1U   1U   1U"),
    ("429 html",                     "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("429 with a rejection",         "1R  1R   1R   1R   1R   1R   1R   1R   1R   3R   1R"),
    ("429 with a rejection, cached", "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("429 with a success",           "3U  1A   1A   1A   1A   1A   1A   1A   1A   1A   1A"),
    ("499",                          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("499 with a rejection",         "1R  1R   1R   1R   1R   1R   1R   1R   1R   1U   3U"),
    ("500",                          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("500 with a rejection",         "3R  1R   1R   1R   1R   1R   1R   1R   1R   1U   3U"),
    ("500 with a rejection, cached", "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("501",                          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("502",                          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("503",                          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("503 after 0 s",                "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("503 after 1 s",                "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("503 after 61 s",               "1U  1U   1U   1U   1U   1U   1U   1U   1U   1U   1U"),
    ("503 html",                     "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("503 with a success",           "3U  1A   1A   1A   1A   1A   1A   1A   1A   1A   1A"),
    ("504",                          "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("504 gateway",                  "3U  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("400 with a success",           "1R  1U   1U   3U   1U   3U   1U   1U   1U   1U   3U"),
    ("404 gateway",                  "1R  1R   1R   1R   1R   1R   1A   1R   1R   1R   1R"),
    ("403 html",                     "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("301",                          "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("302",                          "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("303",                          "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("307",                          "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("308",                          "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("400",                          "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("401",                          "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("404",                          "1R  1R   1R   1R   1R   1R   1R   1R   1R   1R   1R"),
    ("response",                     "1A  1A   1A   1A   1A   1A   1A   1A   1A   1A   1A"),
];

/// The beginning of a successful response with its deciding member, and a complete rejection, by operation.
fn deciding_bodies(id: &str) -> (&'static str, &'static str) {
    match id.split('.').next().unwrap() {
        "otp" => (r#"{"code":200,"#, r#"{"code":499,"message":"no","requestID":null}"#),
        "sms" => (r#"{"responseCode":0,"#, r#"{"responseCode":902,"responseText":"no"}"#),
        "webhooks" => (r#"{"status":0,"#, r#"{"status":1,"status_message":"no"}"#),
        "lookup" => (r#"[{"response":0},"#, r#"[{"response":902}]"#),
        _ => (r#"{"messageId":"M1","#, r#"{"code":902,"message":"no"}"#),
    }
}

fn cut(body: &str) -> Reply {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n";
    Reply::new([head, body].concat(), ConnectionEnd::Fin)
}

fn status(code: u16, headers: &str) -> Reply {
    Reply::new(response_bytes(code, headers, b""), ConnectionEnd::Keep)
}

fn reply_under(fault: &str, id: &str, redirect_target: &str) -> Reply {
    let (success, rejection) = deciding_bodies(id);
    let good = example(id).response;
    match fault {
        "read all then close" => Reply::new("", ConnectionEnd::Fin),
        "read all then reset" => Reply::new("", ConnectionEnd::Rst),
        "read all then hang" => Reply::new("", ConnectionEnd::Stall),
        "half a status line" => Reply::new("HTTP/1.1 20", ConnectionEnd::Fin),
        "garbage" => Reply::new("\u{0}\u{1}% nothing like it %\r\n\r\n", ConnectionEnd::Fin),
        "200 cut before the verdict" => cut("{\"me"),
        "200 cut after the verdict" => cut(success),
        "200 without a body" => status(200, ""),
        "200 html" => Reply::new(
            response_bytes(200, "content-type: text/html\r\n", b"<html><body>Log in</body></html>"),
            ConnectionEnd::Keep,
        ),
        "429 html" | "503 html" | "403 html" => Reply::new(
            response_bytes(
                number(fault),
                "content-type: text/html\r\n",
                b"<html><body>Guru Meditation</body></html>",
            ),
            ConnectionEnd::Keep,
        ),
        "504 gateway" => Reply::json(504, r#"{"code":4,"message":"context deadline exceeded"}"#),
        "404 gateway" => Reply::json(404, r#"{"code":5,"message":"Not Found"}"#),
        "429 with a rejection" | "499 with a rejection" => Reply::json(number(fault), rejection),
        "429 with a rejection, cached" | "500 with a rejection, cached" => {
            let headers = "content-type: application/json\r\nage: 7\r\n";
            Reply::new(response_bytes(number(fault), headers, rejection.as_bytes()), ConnectionEnd::Keep)
        }
        "429 with a success" | "503 with a success" | "400 with a success" => {
            Reply::json(number(fault), good)
        }
        "200 other json" => Reply::json(200, r#"{"hello":"world"}"#),
        "200 with a rejection" => Reply::json(200, rejection),
        "500 with a rejection" => Reply::json(500, rejection),
        "response" => Reply::json(200, good),
        _ => {
            let code = number(fault);
            match fault.split_once(" after ") {
                Some((_, wait)) => status(code, &format!("retry-after: {}\r\n", wait.trim_end_matches(" s"))),
                None if code / 100 == 3 => status(code, &format!("location: {redirect_target}/caught\r\n")),
                None => status(code, ""),
            }
        }
    }
}

fn number(fault: &str) -> u16 {
    fault.split(' ').next().unwrap().parse().unwrap()
}

fn hangs(fault: &str) -> bool {
    fault.ends_with("hang")
}

/// The observed cell, in the form of the table. On a busy machine, the time limit for a silent server can pass before the server has
/// read the request; then the cell is repeated with a longer limit.
async fn cell(fault: &'static str, id: &'static str, expected: &str) -> (String, Option<u64>) {
    let mut timeout = RESPONSE_TIMEOUT;
    loop {
        let (requests, letter, retry_after) = run(fault, id, timeout).await;
        let found = format!("{requests}{letter}");
        timeout *= 3.0;
        if found == expected || !hangs(fault) || timeout > 60.0 {
            return (found, retry_after);
        }
    }
}

/// Whether a request is that of the operation, not a query of the records.
fn is_own(id: &str, request: &Request) -> bool {
    id == "otp.get" || request.method != "GET"
}

/// The time limit of an attempt if the server does not respond, in seconds.
const RESPONSE_TIMEOUT: f64 = 2.0;

async fn run(fault: &'static str, id: &'static str, timeout: f64) -> (usize, char, Option<u64>) {
    let trap = FaultServer::serve(|_| Reply::json(200, "{}")).await.unwrap();
    let redirect_target = trap.url();
    let accept = move |_| match fault {
        "accept then close" => Accept::Until(0, ConnectionEnd::Fin),
        _ => Accept::Serve,
    };
    let server = FaultServer::start(accept, move |request| {
        if is_own(id, request) { reply_under(fault, id, &redirect_target) } else { status(404, "") }
    });
    let server = server.await.unwrap();
    // Bound but not listening: no other process receives the port, and it refuses connections.
    let closed_listener = tokio::net::TcpSocket::new_v4().unwrap();
    closed_listener.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let url = match fault {
        "refuse" => format!("http://{}", closed_listener.local_addr().unwrap()),
        _ => server.url(),
    };
    let time_limit = if hangs(fault) { timeout } else { 100.0 };
    let client =
        Client::new(&config(&url).connect_timeout(100.0).timeout(time_limit).deadline(400.0)).unwrap();
    let result = client.call_json(OperationId::find(id).unwrap(), example(id).request).await;
    let (letter, retry_after) = match &result {
        Ok(_) => ('A', None),
        Err(error) => (letter(error.outcome), error.retry_after_ms),
    };
    assert_eq!(trap.connections(), 0, "{fault} {id}: a redirect was followed");
    let own = server.requests().iter().filter(|request| is_own(id, request)).count();
    (own, letter, retry_after)
}

const fn letter(outcome: Outcome) -> char {
    match outcome {
        Outcome::Invalid => 'V',
        Outcome::Rejected => 'R',
        Outcome::NotSent => 'N',
        Outcome::Unknown => 'U',
        Outcome::AcceptedIdUnknown => 'I',
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_fault_has_the_expected_requests_and_outcome() {
    let side_by_side = Arc::new(Semaphore::new(64));
    let mut cells = tokio::task::JoinSet::new();
    for (fault, row) in TABLE {
        let expected: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(expected.len(), COLUMNS.len());
        for (id, expected) in COLUMNS.into_iter().zip(expected) {
            let side_by_side = Arc::clone(&side_by_side);
            cells.spawn(async move {
                let _permit = side_by_side.acquire_owned().await.unwrap();
                (*fault, id, expected, cell(fault, id, expected).await)
            });
        }
    }
    let mut wrong = Vec::new();
    while let Some(cell) = cells.join_next().await {
        let (fault, id, expected, (found, retry_after)) = cell.unwrap();
        if found != expected && !(expected == "0?" && matches!(&*found, "0N" | "0U")) {
            wrong.push(format!("{fault} x {id}: expected {expected}, found {found}"));
        }
        if fault.ends_with("61 s") {
            assert_eq!(retry_after, Some(61_000), "{fault} {id}");
        }
    }
    wrong.sort();
    assert!(
        wrong.is_empty(),
        "{} of {} cells:\n{}",
        wrong.len(),
        TABLE.len() * COLUMNS.len(),
        wrong.join("\n")
    );
}

/// hyper detects the reset while it connects (not sent) or after it has written (unknown).
#[tokio::test]
async fn after_a_reset_of_a_new_connection_the_outcome_is_not_sent_or_unknown() {
    for id in COLUMNS {
        let server =
            FaultServer::start(|_| Accept::Until(0, ConnectionEnd::Rst), |_| status(200, "")).await.unwrap();
        let client = Client::new(&config(&server.url()).max_attempts(1)).unwrap();
        let error = client.call_json(OperationId::find(id).unwrap(), example(id).request).await.unwrap_err();
        assert!(matches!(error.outcome, Outcome::NotSent | Outcome::Unknown), "{id}: {error:?}");
        assert_eq!(server.requests().len(), 0);
    }
}
