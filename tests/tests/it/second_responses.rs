//! A proxy delivers a response twice: the second one must not become the response to a later verification, whose success has the same form.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cpaas::error::{Outcome, Reason};
use cpaas::http::HttpResponse;
use cpaas::otp::{CancelPasscode, Code, RequestId, SendPasscode, VerifyPasscode};
use cpaas::{Client, Config};
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
