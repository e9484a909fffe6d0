//! Connections between calls: which of them the next call uses, and which are closed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cpaas::client::Client;
use cpaas_tests::examples::example;
use cpaas_tests::fault_server::{ConnectionEnd, FaultServer, Reply, response_bytes};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Barrier;

use crate::config;

fn message() -> cpaas::sms::SendSms {
    cpaas::sms::SendSms::new("Acme", "306912345678", "Your table is ready")
}

/// A server that responds when `width` requests have arrived, and counts the open connections.
struct BarrierServer {
    url: String,
    open: Arc<AtomicUsize>,
}

impl BarrierServer {
    async fn serve(width: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (open, all) = (Arc::<AtomicUsize>::default(), Arc::new(Barrier::new(width)));
        let count = Arc::clone(&open);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (open, all) = (Arc::clone(&count), Arc::clone(&all));
                tokio::spawn(async move {
                    open.fetch_add(1, Ordering::SeqCst);
                    serve(stream, &all).await;
                    open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        Self { url, open }
    }

    /// Waits until this number of connections is open.
    async fn settles_at(&self, count: usize) {
        for _ in 0..20_000 {
            if self.open.load(Ordering::SeqCst) == count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{} connections are open, not {count}", self.open.load(Ordering::SeqCst));
    }
}

async fn serve(mut stream: TcpStream, all: &Barrier) {
    let mut buffer = [0; 4096];
    while matches!(stream.read(&mut buffer).await, Ok(1..)) {
        all.wait().await;
        let reply = response_bytes(200, "", example("sms.send").response.as_bytes());
        stream.write_all(&reply).await.unwrap();
    }
}

#[tokio::test]
async fn one_call_after_another_uses_one_connection() {
    let server = FaultServer::serve(|_| Reply::json(200, example("sms.send").response)).await.unwrap();
    let client = Client::new(&config(&server.url())).unwrap();
    for _ in 0..20 {
        client.call(message()).await.unwrap();
    }
    assert_eq!((server.connections(), server.requests().len()), (1, 20));
}

/// The client detects that the server has ended a connection before it uses the connection again.
#[tokio::test]
async fn a_connection_that_the_server_closed_is_not_used() {
    for ending in [ConnectionEnd::Fin, ConnectionEnd::Rst, ConnectionEnd::Garbage] {
        let complete = response_bytes(200, "", example("sms.send").response.as_bytes());
        let server = FaultServer::serve(move |_| Reply::new(complete.clone(), ending)).await.unwrap();
        let client = Client::new(&config(&server.url())).unwrap();
        for _ in 0..20 {
            // A reset can overtake the response that was written before it.
            assert!(client.call(message()).await.is_ok() || ending == ConnectionEnd::Rst);
        }
        assert_eq!((server.connections(), server.requests().len()), (20, 20), "{ending:?}");
    }
}

/// The client detects that the server has closed the connection, although the runtime, which would notice the end of the connection, did not run meanwhile.
#[test]
fn a_connection_closed_while_the_runtime_was_idle_is_not_used() {
    let other = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let complete = response_bytes(200, "", example("sms.send").response.as_bytes());
    let reply = move |_: &_| Reply::new(complete.clone(), ConnectionEnd::Fin);
    let server = other.block_on(FaultServer::serve(reply)).unwrap();
    let client = Client::new(&config(&server.url())).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for nth in 1..=20 {
        runtime.block_on(client.call(message())).unwrap();
        let mut attempts = 0..20_000;
        while server.ended() < nth && attempts.next().is_some() {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(server.ended(), nth);
    }
    assert_eq!((server.connections(), server.requests().len()), (20, 20));
}

#[test]
fn each_runtime_has_its_own_connections() {
    let runtime =
        || tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let (own, first, second) = (runtime(), runtime(), runtime());
    let server =
        own.block_on(FaultServer::serve(|_| Reply::json(200, example("sms.send").response))).unwrap();
    let client = Client::new(&config(&server.url())).unwrap();
    let call = |runtime: &tokio::runtime::Runtime| runtime.block_on(client.call(message())).unwrap();
    for _ in 0..3 {
        call(&first);
        call(&second);
    }
    assert_eq!(server.connections(), 2);
    // Connections of a runtime that no longer exists are not used and do not count.
    drop(first);
    call(&second);
    assert_eq!(server.connections(), 2);
    drop(second);
    call(&runtime());
    assert_eq!(server.connections(), 3);
}

#[tokio::test]
async fn all_connections_of_parallel_calls_are_reused() {
    let server = BarrierServer::serve(64).await;
    let client = Client::new(&config(&server.url).max_connections(128)).unwrap();
    for _ in 0..2 {
        let calls: Vec<_> = (0..64)
            .map(|_| {
                let client = client.clone();
                tokio::spawn(async move { client.call(message()).await.map(|sent| sent.value.id) })
            })
            .collect();
        for call in calls {
            assert_eq!(call.await.unwrap().unwrap(), "M1");
        }
        server.settles_at(64).await;
    }
    drop(client);
    server.settles_at(0).await;
}

#[tokio::test]
async fn a_call_that_is_dropped_closes_its_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let client = Client::new(&config(&url)).unwrap();
    let call = tokio::spawn(async move { client.call(message()).await });
    let (mut stream, _) = listener.accept().await.unwrap();
    assert_ne!(stream.read(&mut [0; 4096]).await.unwrap(), 0);
    call.abort();
    assert_eq!(stream.read(&mut [0; 4096]).await.unwrap(), 0);
}
