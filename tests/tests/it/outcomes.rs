//! The outcome matrix: every fault of a server with every class of operation. The table contains the number of requests that reach
//! the server, and the outcome. It is written by hand from the rule that one call sends at most one message.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use cpaas::OperationId;
use cpaas::client::{Attempt, Client, Transport, TransportError};
use cpaas::clock::BoxFuture;
use cpaas::error::{Outcome, Reason, SentState};
use cpaas::http::{HttpRequest, HttpResponse};
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
    "otp.send",                 // send, `otp`
    "sms.send",                 // send, `sms`
    "messages.send",            // send, `messaging`
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

/// `processed` and `retryable` of each record, written by hand from the table: n no, m maybe, y yes; + retryable, - not
/// retryable; . accepted; ? as for not sent or unknown. The columns are those of [`COLUMNS`].
#[rustfmt::skip]
const EFFECTS: &[(&str, &str)] = &[
    //                                  get look crea upd app canc veri otp sms msg hook
    ("refuse",                          "n+ n+ n+ n+ n+ n+ n+ n+ n+ n+ n+"),
    ("accept then close",               "?  ?  ?  ?  ?  ?  ?  ?  ?  ?  ? "),
    ("read all then close",             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("read all then reset",             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("read all then hang",              "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("half a status line",              "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("garbage",                         "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("200 cut before the verdict",      "m+ m- m- m+ m- m+ m- m- m- y- m+"),
    ("200 cut after the verdict",       "m+ m- y- y- y- y- m- y- y- y- y-"),
    ("200 without a body",              "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("200 html",                        "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("200 other json",                  "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("200 with a rejection",            "n- .  n- n- n- n- n- n- n- m- n-"),
    ("408",                             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("429",                             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("429 after 0 s",                   "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("429 after 61 s",                  "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("429 html",                        "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("429 with a rejection",            "n- n- n- n- n- n- n- n- n- n+ n-"),
    ("429 with a rejection, cached",    "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("429 with a success",              "m+ .  .  .  .  .  .  .  .  .  . "),
    ("499",                             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("499 with a rejection",            "n- n- n- n- n- n- n- n- n- m- m+"),
    ("500",                             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("500 with a rejection",            "m+ m- m- m- m- m- m- m- m- m- m+"),
    ("500 with a rejection, cached",    "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("501",                             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("502",                             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("503",                             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("503 after 0 s",                   "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("503 after 1 s",                   "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("503 after 61 s",                  "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("503 html",                        "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("503 with a success",              "m+ .  .  .  .  .  .  .  .  .  . "),
    ("504",                             "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("504 gateway",                     "m+ m- m- m+ m- m+ m- m- m- m- m+"),
    ("400 with a success",              "n- m- m- m+ m- m+ m- m- m- m- m+"),
    ("404 gateway",                     "n- n- n- n- n- n- .  n- n- n- n-"),
    ("403 html",                        "n- n- n- n- n- n- n- n- n- n- n-"),
    ("301",                             "n- n- n- n- n- n- n- n- n- n- n-"),
    ("302",                             "n- n- n- n- n- n- n- n- n- n- n-"),
    ("303",                             "n- n- n- n- n- n- n- n- n- n- n-"),
    ("307",                             "n- n- n- n- n- n- n- n- n- n- n-"),
    ("308",                             "n- n- n- n- n- n- n- n- n- n- n-"),
    ("400",                             "n- n- n- n- n- n- n- n- n- n- n-"),
    ("401",                             "n- n- n- n- n- n- n- n- n- n- n-"),
    ("404",                             "n- n- n- n- n- n- n- n- n- n- n-"),
    ("response",                        ".  .  .  .  .  .  .  .  .  .  . "),
];

/// The operations whose second request acts again.
const ACTING: [&str; 7] = [
    "lookup.numbers",
    "otp.limits.create",
    "otp.workflows.update",
    "otp.verify",
    "otp.send",
    "sms.send",
    "messages.send",
];

/// Whether a provider may have processed a request to which it gave this reply: every reply that is not its own rejection, or a
/// status of 3xx and 4xx that only a server without a provider behind it returns.
fn is_processed_under(fault: &str) -> bool {
    let rejected = ["200 with a rejection", "429 with a rejection", "499 with a rejection"].contains(&fault);
    let refused = ["404 gateway", "403 html", "301", "302", "303", "307", "308", "400", "401", "404"];
    !rejected && !refused.contains(&fault)
}

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

/// A cell: the requests with the outcome in the form of the table, the effect in the form of [`EFFECTS`], the requested wait, and
/// the number of requests that the provider processed: in the first call, and in all.
struct Cell {
    outcome: String,
    effect: String,
    retry_after: Option<u64>,
    processed: (usize, usize),
}

/// The observed cell. On a busy machine, the time limit for a silent server can pass before the server has
/// read the request; then the cell is repeated with a longer limit.
async fn cell(fault: &'static str, id: &'static str, expected: &str) -> Cell {
    let mut timeout = RESPONSE_TIMEOUT;
    loop {
        let cell = run(fault, id, timeout).await;
        timeout *= 3.0;
        if cell.outcome == expected || !hangs(fault) || timeout > 60.0 {
            return cell;
        }
    }
}

/// Whether a request is that of the operation, not a query of the records.
fn is_own(id: &str, request: &Request) -> bool {
    id == "otp.get" || request.method != "GET"
}

/// The time limit of an attempt if the server does not respond, in seconds.
const RESPONSE_TIMEOUT: f64 = 2.0;

async fn run(fault: &'static str, id: &'static str, timeout: f64) -> Cell {
    let trap = FaultServer::serve(|_| Reply::json(200, "{}")).await.unwrap();
    let redirect_target = trap.url();
    let recovered = Arc::new(AtomicBool::new(false));
    let ledger = Arc::new(AtomicUsize::new(0));
    let is_recovered = Arc::clone(&recovered);
    let accept = move |_| match fault {
        "accept then close" if !is_recovered.load(Ordering::SeqCst) => Accept::Until(0, ConnectionEnd::Fin),
        _ => Accept::Serve,
    };
    let (is_recovered, processed) = (Arc::clone(&recovered), Arc::clone(&ledger));
    let server = FaultServer::start(accept, move |request| {
        let fault = if is_recovered.load(Ordering::SeqCst) { "response" } else { fault };
        if !is_own(id, request) {
            return status(404, "");
        }
        if is_processed_under(fault) {
            processed.fetch_add(1, Ordering::SeqCst);
        }
        reply_under(fault, id, &redirect_target)
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
    let new_client = |url: &str| {
        let config = config(url).connect_timeout(Duration::from_secs(100)).deadline(Duration::from_secs(400));
        Client::new(&config.timeout(Duration::from_secs_f64(time_limit))).unwrap()
    };
    let call =
        async |client: Client| client.call_json(OperationId::find(id).unwrap(), example(id).request).await;
    let result = call(new_client(&url)).await;
    let (letter, retry_after) = match &result {
        Ok(_) => ('A', None),
        Err(error) => (letter(error.outcome), error.retry_after_ms),
    };
    assert_eq!(trap.connections(), 0, "{fault} {id}: a redirect was followed");
    let own = server.requests().iter().filter(|request| is_own(id, request)).count();
    let first = ledger.load(Ordering::SeqCst);
    let effect = result.as_ref().map_or_else(effect, |_| ".".to_owned());
    if effect.ends_with('+') {
        recovered.store(true, Ordering::SeqCst);
        let again = call(new_client(&server.url())).await;
        assert!(again.is_ok(), "{fault} {id}: {again:?}");
    }
    let processed = (first, ledger.load(Ordering::SeqCst));
    Cell { outcome: format!("{own}{letter}"), effect, retry_after, processed }
}

/// `processed` and `retryable` of a record, in the form of [`EFFECTS`].
fn effect(error: &cpaas::Error) -> String {
    let record: serde_json::Value = serde_json::from_str(&error.to_json()).unwrap();
    let processed = record["processed"].as_str().unwrap();
    let sign = if record["retryable"].as_bool().unwrap() { '+' } else { '-' };
    format!("{}{sign}", processed.chars().next().unwrap())
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
    assert_eq!(TABLE.len(), EFFECTS.len());
    for ((fault, row), (same, effects)) in TABLE.iter().zip(EFFECTS) {
        assert_eq!(fault, same);
        let expected: Vec<&str> = row.split_whitespace().collect();
        let effects: Vec<&str> = effects.split_whitespace().collect();
        assert_eq!((expected.len(), effects.len()), (COLUMNS.len(), COLUMNS.len()));
        for (id, expected) in COLUMNS.into_iter().zip(expected.into_iter().zip(effects)) {
            let side_by_side = Arc::clone(&side_by_side);
            cells.spawn(async move {
                let _permit = side_by_side.acquire_owned().await.unwrap();
                (*fault, id, expected, cell(fault, id, expected.0).await)
            });
        }
    }
    let (mut wrong, mut repeated) = (Vec::new(), 0);
    while let Some(cell) = cells.join_next().await {
        let (fault, id, (expected, expected_effect), cell) = cell.unwrap();
        let Cell { outcome: found, effect, retry_after, processed } = cell;
        if found != expected && !(expected == "0?" && matches!(&*found, "0N" | "0U")) {
            wrong.push(format!("{fault} x {id}: expected {expected}, found {found}"));
        }
        let is_expected = match expected_effect {
            "?" if found == "0N" => effect == "n+",
            "?" if ACTING.contains(&id) => effect == "m-",
            "?" => effect == "m+",
            exact => effect == exact,
        };
        if !is_expected {
            wrong.push(format!("{fault} x {id}: expected {expected_effect}, found {effect}"));
        }
        let is_repeated = effect.ends_with('+');
        repeated += usize::from(is_repeated);
        if ACTING.contains(&id) && processed.1 > 1 {
            wrong.push(format!("{fault} x {id}: processed {} times", processed.1));
        }
        // A read has no effect.
        if effect.starts_with('n') && processed.0 > 0 && id != "otp.get" {
            wrong.push(format!("{fault} x {id}: processed, but the record says that it was not"));
        }
        if is_repeated && processed.1 == processed.0 {
            wrong.push(format!("{fault} x {id}: the repetition was not processed"));
        }
        if fault.ends_with("61 s") {
            assert_eq!(retry_after, Some(61_000), "{fault} {id}");
        }
    }
    wrong.sort();
    assert!(repeated > 100, "{repeated} cells are retryable");
    assert!(
        wrong.is_empty(),
        "{} of {} cells:\n{}",
        wrong.len(),
        TABLE.len() * COLUMNS.len(),
        wrong.join("\n")
    );
}

/// The error that a binding reports for a cancelled call.
#[tokio::test]
async fn a_cancelled_call_is_retryable_if_nothing_was_sent_or_a_second_request_changes_nothing() {
    for (id, sent, expected) in [
        ("sms.send", true, "m-"),
        ("sms.send", false, "n+"),
        ("otp.limits.update", true, "m+"),
        ("otp.cancel", true, "m+"),
        ("otp.get", true, "m+"),
        ("otp.verify", true, "m-"),
    ] {
        let effects = Arc::new(std::sync::Mutex::new(Vec::new()));
        let kept = Arc::clone(&effects);
        let client = Client::with_transport(&config("http://cpaas.test"), Pending { sent }).unwrap();
        let client = client.on_outcome(move |event| {
            let error = event.cancelled_error();
            kept.lock().unwrap().push((effect(&error), error.reason));
        });
        let call = client.call_json(OperationId::find(id).unwrap(), example(id).request);
        assert!(futures_util::FutureExt::now_or_never(call).is_none());
        assert_eq!(*effects.lock().unwrap(), [(expected.to_owned(), Reason::Cancelled)], "{id} {sent}");
    }
}

/// A transport that never responds.
struct Pending {
    sent: bool,
}

impl Transport for Pending {
    fn send<'a>(
        &'a self,
        _: &'a HttpRequest,
        _: Duration,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        Box::pin(std::future::pending())
    }

    fn attempt<'a>(
        &'a self,
        request: &'a HttpRequest,
        attempt: Attempt<'a>,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        if self.sent {
            attempt.progress().mark_maybe_sent();
        }
        self.send(request, attempt.timeout())
    }
}

/// Errors of the transport without a response, as the table of `processed` and `retryable` lists them.
#[tokio::test(start_paused = true)]
async fn a_rejected_certificate_and_a_missing_runtime_are_not_retryable() {
    let not_sent = |reason| TransportError::new(SentState::No, reason);
    for (error, expected) in [
        (not_sent(Reason::Dns), "n+"),
        (not_sent(Reason::Proxy), "n+"),
        (not_sent(Reason::Resources), "n+"),
        (not_sent(Reason::Tls), "n+"),
        (not_sent(Reason::Tls).certificate(Some("it was revoked")), "n-"),
        (not_sent(Reason::Runtime), "n-"),
        (not_sent(Reason::Config), "n-"),
    ] {
        for id in COLUMNS {
            let error = error.clone();
            let transport = move |_: HttpRequest| {
                let error = error.clone();
                async move { Err(error) }
            };
            let client = Client::with_transport(&config("http://cpaas.test"), transport).unwrap();
            let found = client.call_json(OperationId::find(id).unwrap(), example(id).request).await;
            let found = found.unwrap_err();
            assert_eq!(effect(&found), expected, "{id}: {found:?}");
        }
    }
}

/// An attempt that may have been processed counts more than a later one that was not sent.
#[tokio::test(start_paused = true)]
async fn an_unknown_attempt_before_one_that_was_not_sent_counts() {
    for (id, expected) in
        [("otp.get", "m+"), ("otp.limits.update", "m+"), ("otp.cancel", "m+"), ("sms.send", "m-")]
    {
        let count = Arc::new(AtomicUsize::new(0));
        let transport = move |_: HttpRequest| {
            let first = count.fetch_add(1, Ordering::SeqCst) == 0;
            async move {
                Err(if first {
                    TransportError::new(SentState::Maybe, Reason::Reset)
                } else {
                    TransportError::new(SentState::No, Reason::Connect)
                })
            }
        };
        let client =
            Client::with_transport(&config("http://cpaas.test").retry_unknown(true), transport).unwrap();
        let found = client.call_json(OperationId::find(id).unwrap(), example(id).request).await.unwrap_err();
        assert_eq!((found.outcome, found.attempts), (Outcome::Unknown, 3), "{id}");
        assert_eq!(effect(&found), expected, "{id}");
    }
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
