use std::time::Duration;

use cpaas::error::{Outcome, Reason, Sent};
use tokio::net::{TcpSocket, TcpStream};

use crate::{Deaf, assert_not_sent, config, send};

/// RFC 6761 sets `.invalid` aside: it never resolves.
#[tokio::test]
async fn a_name_that_does_not_resolve() {
    assert_not_sent(send(&config("http://provider.invalid")).await, Reason::Dns);
    assert_not_sent(send(&config("https://provider.invalid")).await, Reason::Dns);
}

#[tokio::test]
async fn a_port_where_nobody_listens() {
    assert_not_sent(send(&config(&Deaf::new().url())).await, Reason::Connect);
}

#[tokio::test]
async fn an_address_that_is_none() {
    for url in ["no scheme", "http://", "http://[::1", "ftp://127.0.0.1"] {
        let error = send(&config(url)).await.unwrap_err();
        assert_eq!(error.sent, Sent::No, "{url}: {error:?}");
        assert!(matches!(error.outcome, Outcome::NotSent | Outcome::Invalid), "{url}: {error:?}");
    }
}

/// A listener whose queue is full leaves a connection half open.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_connection_that_is_never_made() {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut held = Vec::new();
    while let Ok(Ok(stream)) =
        tokio::time::timeout(Duration::from_millis(200), TcpStream::connect(address)).await
    {
        held.push(stream);
    }
    let url = format!("http://{address}");
    assert_not_sent(send(&config(&url).connect_timeout(0.3)).await, Reason::Connect);
    // The attempt's own time ends first: still proof, since its body was never asked for.
    assert_not_sent(send(&config(&url).timeout(0.3)).await, Reason::Timeout);
    // The deadline of the whole call, too.
    assert_not_sent(send(&config(&url).deadline(0.3)).await, Reason::Deadline);
}
