//! A proxy delivers a response twice: the second one must not become the response to a later verification, whose success has the same form.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cpaas::error::{Outcome, Reason};
use cpaas::http::HttpResponse;
use cpaas::otp::{CancelPasscode, Code, RequestId, SendPasscode, VerifyPasscode};
use cpaas::sms::SendSms;
use cpaas::{Client, Config, OperationId};
use cpaas_tests::fault_server::response_bytes;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The right passcode.
const RIGHT: &str = "482913";

static PASSCODES: AtomicUsize = AtomicUsize::new(0);

/// Reads a request: its path and its body.
async fn request(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<(String, Value)> {
    loop {
        let text = String::from_utf8_lossy(bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok()
            });
            if let Some(body) = body.get(..length.unwrap_or(0)) {
                let path = head.split_whitespace().nth(1)?.to_owned();
                let request = serde_json::from_str(body).ok()?;
                bytes.drain(..head.len() + 4 + body.len());
                return Some((path, request));
            }
        }
        if stream.read_buf(bytes).await.ok()? == 0 {
            return None;
        }
    }
}

/// Answers as the provider does. Each success is delivered again after `delay`.
async fn connection(mut stream: TcpStream, delay: Duration) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut bytes = Vec::new();
    loop {
        let (path, request) = request(&mut stream, &mut bytes).await?;
        let body = match path.as_str() {
            "/2fa/send" => {
                let number = PASSCODES.fetch_add(1, Ordering::SeqCst);
                json!({"code": 200, "message": "OK", "requestID": format!("OTP{number:032x}")})
            }
            "/2fa/cancel" => json!({"code": 404, "message": "unknown", "requestID": null}),
            _ if request["code"] == RIGHT => {
                json!({"code": 200, "message": "OK", "requestID": request["requestId"]})
            }
            _ => json!({"code": 400, "message": "Invalid code", "requestID": null}),
        };
        let is_success = body["code"] == 200;
        if !is_success {
            // The copy of an earlier response arrives first.
            tokio::time::sleep(4 * delay).await;
        }
        let response = response_bytes(200, "content-type: application/json\r\n", body.to_string().as_bytes());
        stream.write_all(&response).await.ok()?;
        if is_success {
            tokio::time::sleep(delay).await;
            stream.write_all(&response).await.ok()?;
        }
    }
}

async fn client(delay: Duration) -> Client {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(connection(stream, delay));
        }
    });
    let config = Config::default().otp_url(url).account_sid("AC1").api_key("key").read_environment(false);
    Client::new(&config.max_attempts(1)).unwrap()
}

async fn send(client: &Client) -> RequestId {
    let request = SendPasscode::new("login", "Acme", "306912345678", "Your code is {code}");
    client.call(request).await.unwrap().request_id.clone().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_second_response_to_a_send_verifies_and_cancels_nothing() {
    for delay in [1, 5] {
        let client = client(Duration::from_millis(delay)).await;
        for _ in 0..10 {
            let id = send(&client).await;
            let verify = VerifyPasscode::new("login", id.clone(), Code::new("000000"));
            let error = client.call(verify).await.unwrap_err();
            assert_eq!((error.outcome, error.reason), (Outcome::Rejected, Reason::NotVerified), "{delay} ms");
            let error = client.call(CancelPasscode::new(send(&client).await)).await.unwrap_err();
            assert_eq!(error.outcome, Outcome::Rejected, "{delay} ms");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_second_response_to_a_verification_decides_no_other() {
    let client = client(Duration::from_millis(2)).await;
    for _ in 0..10 {
        let id = send(&client).await;
        client.call(VerifyPasscode::new("login", id.clone(), Code::new(RIGHT))).await.unwrap();
        let error = client.call(VerifyPasscode::new("login", id, Code::new("000000"))).await.unwrap_err();
        assert_eq!((error.outcome, error.reason), (Outcome::Rejected, Reason::NotVerified));
    }
}

/// Each response of a cache belongs to another request.
#[tokio::test]
async fn a_cached_response_verifies_nothing() {
    for (age, is_verified) in [("0", true), ("3", false), ("x", false)] {
        let transport = move |_| async move {
            let body = r#"{"code":200,"message":"OK","requestID":"OTP1"}"#;
            Ok(HttpResponse::new(200, vec![("age".to_owned(), age.to_owned())], body))
        };
        let config = Config::default().otp_url("http://127.0.0.1:9").account_sid("AC1").api_key("key");
        let client = Client::with_transport(&config, transport).unwrap();
        let verify = VerifyPasscode::new("login", RequestId::new("OTP1"), Code::new(RIGHT));
        let ended = client.call(verify).await.map(drop).map_err(|error| (error.outcome, error.reason));
        assert_eq!(
            ended,
            if is_verified { Ok(()) } else { Err((Outcome::Unknown, Reason::Mismatch)) },
            "{age}"
        );
    }
}

/// A response that no request caused, and when the server writes it.
#[derive(Debug, Clone, Copy)]
enum Unasked {
    /// In the same bytes as the response to the request.
    AtOnce,
    /// While the connection is idle.
    Later,
}

/// The provider's own form of a rate limit, after which a request is sent again.
const LIMIT: &str = r#"{"responseCode":906,"responseText":"slow down"}"#;

/// Accepts each message, or limits its rate once if its text is `limited`. The first connection also writes a rate limit that no request caused.
async fn accept_sms(
    mut stream: TcpStream,
    is_first: bool,
    unasked: Unasked,
    received: Arc<Mutex<Vec<String>>>,
) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let limit = response_bytes(429, "content-type: application/json\r\nretry-after: 1\r\n", LIMIT.as_bytes());
    let mut bytes = Vec::new();
    loop {
        let (_, sms) = request(&mut stream, &mut bytes).await?;
        let text = sms["text"].as_str()?.to_owned();
        let number = {
            let mut received = received.lock().unwrap();
            received.push(text.clone());
            received.len()
        };
        let own = if text == "limited" && number == 1 {
            limit.clone()
        } else {
            let body = json!({"id": format!("m-{number}"), "responseCode": 0}).to_string();
            response_bytes(200, "content-type: application/json\r\n", body.as_bytes())
        };
        match unasked {
            _ if !is_first => stream.write_all(&own).await.ok()?,
            Unasked::AtOnce => stream.write_all(&[own.as_slice(), &limit].concat()).await.ok()?,
            Unasked::Later => {
                stream.write_all(&own).await.ok()?;
                tokio::time::sleep(Duration::from_millis(50)).await;
                stream.write_all(&limit).await.ok()?;
            }
        }
    }
}

/// Sends two messages, the second one after a pause in which nothing drives the runtime of the client, as between two calls of a program in
/// Python or C. Returns what the server received.
fn received_texts(unasked: Unasked, first: &str, client_runtime: &tokio::runtime::Runtime) -> Vec<String> {
    let server = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let received = Arc::<Mutex<Vec<String>>>::default();
    let listener = server.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let kept = Arc::clone(&received);
    server.spawn(async move {
        let mut is_first = true;
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(accept_sms(stream, std::mem::take(&mut is_first), unasked, Arc::clone(&kept)));
        }
    });
    let config = Config::default().sms_url(url).sms_key("key").read_environment(false);
    let client = Client::new(&config).unwrap();
    for text in [first, "second"] {
        let sent = client_runtime.block_on(client.call(SendSms::new("Acme", "306912345678", text)));
        assert!(sent.is_ok(), "{unasked:?} {text}: {sent:?}");
        std::thread::sleep(Duration::from_millis(300));
    }
    let received = received.lock().unwrap();
    received.clone()
}

/// The connection is closed, and the response decides about no other call: a rate limit would send the message again.
#[test]
fn a_rate_limit_that_no_request_caused_sends_nothing_again() {
    let current = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let several =
        || tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    for runtime in [current(), several()] {
        for unasked in [Unasked::AtOnce, Unasked::Later] {
            assert_eq!(received_texts(unasked, "first", &runtime), ["first", "second"], "{unasked:?}");
            // The provider's own rate limit, written twice: the message is sent again, once.
            let texts = received_texts(unasked, "limited", &runtime);
            assert_eq!(texts, ["limited", "limited", "second"], "{unasked:?}");
        }
    }
}

/// A server that responds before it has read the request cannot have refused it: the request may still be processed.
#[tokio::test]
async fn a_rate_limit_before_the_request_was_written_is_unknown_and_not_repeated() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&requests);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(async move {
                let _ = stream.read(&mut [0; 1024]).await;
                let body = br#"{"code":429,"message":"slow down"}"#;
                let headers = "content-type: application/json\r\nretry-after: 1\r\n";
                let _ = stream.write_all(&response_bytes(429, headers, body)).await;
                // Reads no more, so that the request, which is larger than the buffers of the system, is never written.
                std::future::pending::<()>().await;
            });
        }
    });
    let config = Config::default().messaging_url(url).messaging_key("key").read_environment(false);
    let client = Client::new(&config).unwrap();
    let request = json!({
        "trafficAccountId": "0f8fad5b-d9cb-469f-a165-70867728950e", "destination": "306912345678",
        "messenger_a": {"type": "regular", "regular": {"type": "text", "text": "a".repeat(6_000_000)}}
    });
    let error = client.call_json(OperationId::MessagesSend, &request.to_string()).await.unwrap_err();
    assert_eq!((error.outcome, error.reason, error.attempts), (Outcome::Unknown, Reason::Http, 1));
    assert!(!error.retryable());
    assert_eq!(requests.load(Ordering::SeqCst), 1);
}
