//! A server closes idle connections at random, also while the client writes the next request. No call is sent twice; the test
//! prints the number of unknown outcomes. `CPAAS_CALLS` is the number of calls (default: 2,000).

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cpaas::error::Outcome;
use cpaas::{Client, Config, sms};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

type Received = Arc<Mutex<HashMap<String, u32>>>;

async fn connection(mut stream: TcpStream, received: Received, mut random: u64) -> Option<()> {
    let mut bytes = Vec::new();
    loop {
        let head = loop {
            if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break at + 4;
            }
            if stream.read_buf(&mut bytes).await.ok()? == 0 {
                return None;
            }
        };
        let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
        let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
        let complete = head + length.unwrap_or(0_usize);
        while bytes.len() < complete {
            if stream.read_buf(&mut bytes).await.ok()? == 0 {
                return None;
            }
        }
        let request: Value = serde_json::from_slice(&bytes[head..complete]).unwrap();
        bytes.drain(..complete);
        let to = request["to"].as_str().unwrap().to_owned();
        *received.lock().unwrap().entry(to.clone()).or_default() += 1;
        let body = json!({"id": to, "responseCode": 0, "timestamp": "t"}).to_string();
        let response = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(response.as_bytes()).await.ok()?;
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // After one response in four the connection ends immediately or within 0.4 ms, in which the next request may arrive.
        match (random >> 33) % 4 {
            0 if (random >> 40).is_multiple_of(2) => return None,
            0 => {
                tokio::time::sleep(Duration::from_micros((random >> 41) % 400)).await;
                return None;
            }
            _ => {}
        }
    }
}

async fn server(received: Received) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        for nth in 1.. {
            let Ok((stream, _)) = listener.accept().await else { return };
            tokio::spawn(connection(stream, Arc::clone(&received), nth));
        }
    });
    url
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_close_at_random_duplicate_no_message() {
    let calls: u64 = std::env::var("CPAAS_CALLS").ok().and_then(|calls| calls.parse().ok()).unwrap_or(2000);
    let received = Received::default();
    let url = server(Arc::clone(&received)).await;
    let client = Client::new(&Config::default().sms_url(url).sms_key("k")).unwrap();
    let mut workers = Vec::new();
    for worker in 0..8 {
        let client = client.clone();
        workers.push(tokio::spawn(async move {
            let mut reported = Vec::new();
            for number in (worker..calls).step_by(8) {
                let to = (30_690_000_000_000 + number).to_string();
                let result = client.call(sms::SendSms::new("Acme", &*to, "Hi")).await;
                reported.push((to, result.map(|sent| sent.id.clone()).map_err(|error| error.outcome)));
            }
            reported
        }));
    }
    let (mut accepted, mut unknown) = (0_u64, 0_u64);
    for worker in workers {
        for (to, reported) in worker.await.unwrap() {
            let times = received.lock().unwrap().get(&to).copied().unwrap_or_default();
            assert!(times <= 1, "a call was sent {times} times");
            match reported {
                Ok(id) => {
                    assert_eq!((id, times), (to, 1), "accepted");
                    accepted += 1;
                }
                Err(Outcome::Unknown) => unknown += 1,
                Err(other) => assert_eq!(times, 0, "{other:?}"),
            }
        }
    }
    assert!(accepted > calls / 2, "{accepted} of {calls}");
    println!("{calls} calls: {accepted} accepted, {unknown} unknown, 0 sent twice");
}
