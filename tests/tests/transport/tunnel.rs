//! TLS connections that are reused, and proxies that open tunnels. The connection to the proxy has TLS or not.

use std::sync::{Arc, Mutex};

use cpaas::client::Client;
use cpaas::error::{Outcome, Reason, SentState};
use cpaas_tests::examples::example;
use cpaas_tests::fault_server::{Accept, ConnectionEnd, FaultServer, Reply, response_bytes};
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::certificate_authority::Authority;
use crate::proxies::assert_party;
use crate::{config, send};

type Heads = Arc<Mutex<Vec<String>>>;

/// Opens a tunnel for every client and records the requests.
struct Proxy {
    port: u16,
    heads: Heads,
}

impl Proxy {
    async fn start(tls: Option<Arc<ServerConfig>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let heads = Heads::default();
        let kept = Arc::clone(&heads);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (tls, heads) = (tls.clone(), Arc::clone(&kept));
                tokio::spawn(async move {
                    match tls {
                        None => serve(stream, &heads).await,
                        Some(config) => serve(TlsAcceptor::from(config).accept(stream).await?, &heads).await,
                    }
                });
            }
        });
        Self { port, heads }
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

async fn serve(mut stream: impl AsyncRead + AsyncWrite + Unpin, heads: &Heads) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8(head).unwrap();
    let place = head.split(' ').nth(1).unwrap().to_owned();
    heads.lock().unwrap().push(head);
    let mut server = TcpStream::connect(place).await?;
    stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
    copy_bidirectional(&mut stream, &mut server).await.map(drop)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tls_connection_is_reused() {
    let authority = Authority::new();
    let server = authority.keeper("localhost");
    let bundle = authority.file("keeper");
    let client = Client::new(&config(&server.url()).ca_bundle(bundle.to_str().unwrap())).unwrap();
    for _ in 0..10 {
        let sent = client.call(cpaas::sms::SendSms::new("Acme", "306912345678", "Hi")).await.unwrap();
        assert_eq!(sent.value.id, "M1");
    }
    assert_eq!((server.connections(), server.requests()), (1, 10));
}

/// The server may have read a request that was written to TLS, on a new connection or on a reused one.
#[tokio::test]
async fn a_request_written_to_tls_is_not_sent_again() {
    let authority = Authority::new();
    let bundle = authority.file("left");
    let complete = response_bytes(200, "", example("sms.send").response.as_bytes());
    for answered in [0, 1] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        let (acceptor, complete) = (TlsAcceptor::from(authority.certify("localhost")), complete.clone());
        let server = tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            let mut stream = acceptor.accept(stream).await.unwrap();
            for nth in 0..=answered {
                assert_ne!(stream.read(&mut [0; 4096]).await.unwrap(), 0);
                if nth < answered {
                    stream.write_all(&complete).await.unwrap();
                    stream.flush().await.unwrap();
                }
            }
            drop(stream);
            listener.accept().await.unwrap();
        });
        let client = Client::new(&config(&url).ca_bundle(bundle.to_str().unwrap())).unwrap();
        let call = || client.call(cpaas::sms::SendSms::new("Acme", "306912345678", "Hi"));
        for _ in 0..answered {
            call().await.unwrap();
        }
        let error = call().await.unwrap_err();
        assert_eq!(
            (error.outcome, error.sent, error.reason),
            (Outcome::Unknown, SentState::Maybe, Reason::Reset)
        );
        assert!(!server.is_finished(), "another connection was made");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proxy_receives_only_the_request_for_a_tunnel() {
    let authority = Authority::new();
    let server = authority.keeper("localhost");
    let bundle = authority.file("tunnel");
    for tls in [false, true] {
        let proxy = Proxy::start(tls.then(|| authority.certify("localhost"))).await;
        let scheme = if tls { "https" } else { "http" };
        let address = format!("{scheme}://us%65r:pass@localhost:{}", proxy.port);
        let config = config(&server.url()).ca_bundle(bundle.to_str().unwrap()).proxy(address);
        let client = Client::new(&config).unwrap();
        for _ in 0..3 {
            let sent = client.call(cpaas::sms::SendSms::new("Acme", "306912345678", "Hi")).await.unwrap();
            assert_eq!(sent.value.id, "M1");
        }
        let place = server.url().replace("https://", "");
        let expected = format!(
            "CONNECT {place} HTTP/1.1\r\nHost: {place}\r\nuser-agent: cpaas/{} (rust)\r\nproxy-authorization: Basic dXNlcjpwYXNz\r\n\r\n",
            env!("CARGO_PKG_VERSION")
        );
        // There can be several tunnels: a call opens a new one if the previous connection is not idle yet.
        let heads = proxy.heads();
        assert!(!heads.is_empty() && heads.iter().all(|head| *head == expected), "{heads:?}");
        drop(client);
    }
    assert_eq!(server.requests(), 6);
}

#[tokio::test]
async fn a_proxy_with_an_unknown_certificate_is_refused() {
    let proxy = Proxy::start(Some(Authority::new().certify("localhost"))).await;
    let config = config("http://provider.test").proxy(format!("https://localhost:{}", proxy.port));
    assert_party(send(&config).await, Reason::Tls, "the proxy's certificate was not accepted");
    assert!(proxy.heads().is_empty());
}

/// The proxy opens the tunnel, so the errors behind it are those of the provider.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_behind_the_tunnel_is_not_an_error_of_the_proxy() {
    let (ours, theirs) = (Authority::new(), Authority::new());
    let bundle = theirs.file("behind");
    let server = ours.server("localhost");
    let proxy = Proxy::start(None).await;
    let address = format!("http://localhost:{}", proxy.port);
    let config = |url: &str| config(url).ca_bundle(bundle.to_str().unwrap()).proxy(address.as_str());
    let result = send(&config(&server.url())).await;
    assert_party(result, Reason::Tls, "the server's certificate was not accepted");
    assert_eq!((proxy.heads().len(), server.requests()), (1, 0));

    let resets = FaultServer::start(|_| Accept::Until(20, ConnectionEnd::Rst), |_| Reply::json(200, "{}"));
    let resets = resets.await.unwrap();
    let url = resets.url().replace("http:", "https:");
    let error = send(&config(&url)).await.unwrap_err();
    assert!([Reason::Connect, Reason::Tls].contains(&error.reason), "{error:?}");
    assert!(!error.message.contains("proxy"), "{}", error.message);
}
