//! Connections that cannot be established: the call is not sent, and the reason is reported.

use std::time::Duration;

use cpaas::error::{Outcome, Reason, SentState};
use cpaas_tests::examples::example;
use cpaas_tests::fault_server::{FaultServer, Reply};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

use crate::{ClosedPort, assert_not_sent, config, send};

/// RFC 6761 reserves `.invalid`, which never resolves.
#[tokio::test]
async fn a_name_that_does_not_resolve_is_reported() {
    assert_not_sent(send(&config("http://provider.invalid")).await, Reason::Dns);
    assert_not_sent(send(&config("https://provider.invalid")).await, Reason::Dns);
}

#[tokio::test]
async fn a_refused_connection_is_reported() {
    assert_not_sent(send(&config(&ClosedPort::new().url())).await, Reason::Connect);
}

/// The message names the host, the port and the number of attempts; never the path, the query or the credentials of the address.
#[tokio::test]
async fn the_message_names_the_address_and_the_attempts() {
    let closed = ClosedPort::new();
    let address = closed.url();
    let host = address.trim_start_matches("http://");
    let message = |error: cpaas::error::Error| error.message.clone();
    let error = send(&config(&format!("{address}/secret-path")).max_attempts(2)).await.unwrap_err();
    assert_eq!(
        message(error),
        format!(
            "not sent: the connection to the provider could not be made ({host}, 2 attempts); it is safe to retry"
        )
    );
    let error = send(&config("https://provider.invalid/secret-path")).await.unwrap_err();
    assert_eq!(
        message(error),
        "not sent: the provider's host name could not be resolved (provider.invalid:443, 1 attempt); it is safe to retry"
    );
    // The proxy failed, so the address of the provider is not the cause.
    let error = send(&config("http://provider.invalid").proxy(address)).await.unwrap_err();
    assert_eq!(
        message(error),
        "not sent: the connection to the proxy could not be made: check `proxy` (1 attempt); it is safe to retry"
    );
}

#[tokio::test]
async fn an_invalid_address_is_reported() {
    for url in ["no scheme", "http://", "http://[::1", "ftp://127.0.0.1"] {
        let error = send(&config(url)).await.unwrap_err();
        assert_eq!(error.sent, SentState::No, "{url}: {error:?}");
        assert!(matches!(error.outcome, Outcome::NotSent | Outcome::Invalid), "{url}: {error:?}");
    }
}

/// A listener whose queue is full, so that a new connection is never established.
pub(crate) struct Full {
    listener: TcpListener,
    _held: Vec<TcpStream>,
}

impl Full {
    pub(crate) async fn new() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let listener = socket.listen(1).unwrap();
        let address = listener.local_addr().unwrap();
        let mut held = Vec::new();
        let soon = Duration::from_millis(200);
        while let Ok(Ok(stream)) = tokio::time::timeout(soon, TcpStream::connect(address)).await {
            held.push(stream);
        }
        Self { listener, _held: held }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.listener.local_addr().unwrap())
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_connection_that_is_never_established_ends_with_the_first_time_limit() {
    let server = Full::new().await;
    let url = server.url();
    assert_not_sent(send(&config(&url).connect_timeout(Duration::from_millis(300))).await, Reason::Connect);
    // The time limit of the attempt passes first. Nothing was sent, because the transport never asked for the body of the request.
    assert_not_sent(send(&config(&url).timeout(Duration::from_millis(300))).await, Reason::Timeout);
    // The deadline of the call passes first.
    assert_not_sent(send(&config(&url).deadline(Duration::from_millis(300))).await, Reason::Deadline);
}

#[tokio::test]
async fn a_name_that_is_not_ascii_is_resolved_as_punycode() {
    assert_not_sent(send(&config("http://bücher.invalid")).await, Reason::Dns);
    let carries = FaultServer::serve(|_| Reply::json(200, example("sms.send").response)).await.unwrap();
    assert_eq!(send(&config("http://bücher.invalid").proxy(carries.url())).await.unwrap(), "M1");
    assert_eq!(carries.requests()[0].path, "http://xn--bcher-kva.invalid/sms");
}
