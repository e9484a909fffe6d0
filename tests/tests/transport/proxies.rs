//! Proxies that fail, and requests without TLS through a proxy.

use cpaas::error::{Error, Outcome, Reason};
use cpaas_tests::examples::example;
use cpaas_tests::fault_server::{Accept, ConnectionEnd, FaultServer, Reply, response_bytes};

use crate::certificate_authority::Authority;
use crate::tls::http_server;
use crate::{ClosedPort, assert_not_sent, config, send};

async fn proxy(status: u16) -> FaultServer {
    let reply =
        move |_: &_| Reply::new(response_bytes(status, "connection: close\r\n", b""), ConnectionEnd::Fin);
    FaultServer::serve(reply).await.unwrap()
}

/// The message names the party that failed: it names the proxy only if `expected` does.
#[track_caller]
pub(crate) fn assert_party(result: Result<String, Error>, reason: Reason, expected: &str) {
    let message = result.as_ref().unwrap_err().message.clone();
    assert_not_sent(result, reason);
    assert!(message.contains(expected), "{message}");
    assert_eq!(message.contains("proxy"), expected.contains("proxy"), "{message}");
}

#[tokio::test]
async fn nothing_is_sent_if_the_proxy_opens_no_tunnel() {
    let server = Authority::new().server("localhost");
    for (status, expected) in [
        (403, "the proxy refused to open a tunnel"),
        (407, "the proxy requires other credentials"),
        (502, "the proxy refused to open a tunnel"),
    ] {
        let proxy = proxy(status).await;
        assert_party(send(&config(&server.url()).proxy(proxy.url())).await, Reason::Proxy, expected);
        let asked = proxy.requests();
        assert_eq!((asked.len(), asked[0].method.as_str()), (1, "CONNECT"));
        assert!(!asked[0].head.contains("k-sms-91bc"), "the key went to the proxy");
    }
    assert_eq!(server.requests(), 0);
}

/// hyper-util does not distinguish a refusal from a response that is not HTTP, so the message has both.
#[tokio::test]
async fn a_proxy_that_answers_with_something_else_than_http_is_not_only_called_a_refusal() {
    let garbage = FaultServer::serve(|_| Reply::new("SSH-2.0-OpenSSH_9.6\r\n", ConnectionEnd::Fin)).await;
    let garbage = garbage.unwrap();
    let expected = "the proxy refused to open a tunnel to the provider, or does not answer as a proxy: check `proxy` and the rules";
    assert_party(send(&config("https://provider.test").proxy(garbage.url())).await, Reason::Proxy, expected);
}

#[tokio::test]
async fn a_proxy_that_does_not_speak_tls_is_named() {
    let url = http_server().await;
    for target in ["http://provider.test", "https://provider.test"] {
        let result = send(&config(target).proxy(url.as_str())).await;
        let expected = "the proxy does not speak TLS at this port: check `proxy`";
        assert_party(result, Reason::Tls, expected);
    }
}

#[tokio::test]
async fn nothing_is_sent_if_the_proxy_refuses_the_connection() {
    for target in ["http://provider.test", "https://provider.test"] {
        let result = send(&config(target).proxy(ClosedPort::new().url())).await;
        assert_party(result, Reason::Proxy, "the connection to the proxy could not be made");
    }
}

#[tokio::test]
async fn nothing_is_sent_if_the_name_of_the_proxy_does_not_resolve() {
    for target in ["http://provider.test", "https://provider.test"] {
        let result = send(&config(target).proxy("http://proxy.invalid")).await;
        assert_party(result, Reason::Dns, "the proxy's host name could not be resolved");
    }
}

#[tokio::test]
async fn nothing_is_sent_if_the_proxy_closes_the_connection() {
    let closes = FaultServer::start(|_| Accept::Until(20, ConnectionEnd::Fin), |_| Reply::json(200, "{}"));
    let closes = closes.await.unwrap();
    let result = send(&config("https://provider.test").proxy(closes.url())).await;
    assert_party(result, Reason::Proxy, "the proxy failed before it opened a tunnel");
}

/// Without TLS the proxy receives the complete request, and its response counts as the provider's.
#[tokio::test]
async fn a_request_without_tls_is_sent_to_the_proxy() {
    let carries = FaultServer::serve(|_| Reply::json(200, example("sms.send").response)).await.unwrap();
    assert_eq!(send(&config("http://provider.test").proxy(carries.url())).await.unwrap(), "M1");
    assert_eq!(carries.requests()[0].path, "http://provider.test/sms");

    let asks = proxy(407).await;
    let error = send(&config("http://provider.test").proxy(asks.url())).await.unwrap_err();
    assert_eq!((error.outcome, error.status), (Outcome::Rejected, Some(407)));
}

#[tokio::test]
async fn a_proxy_setting_that_is_not_a_url_is_a_configuration_error() {
    let socks = if cfg!(feature = "socks") { "socks6://p:1" } else { "socks5://p:1" };
    for wrong in ["::", "", "http://", ":8080", "proxy:port", "http://[::1", "ftp://p", socks, "p:99999"] {
        let error = send(&config("http://provider.test").proxy(wrong)).await.unwrap_err();
        assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config), "{wrong}");
        assert!(error.message.contains("`proxy`"), "{}", error.message);
    }
}
