//! Certificates and handshakes that the client rejects.

use std::time::Duration;

use cpaas::client::Client;
use cpaas::error::{Outcome, Reason};
use cpaas_tests::fault_server::{Accept, ConnectionEnd, FaultServer, Reply};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::certificate_authority::{Authority, file};
use crate::{assert_not_sent, config, send};

#[tokio::test]
async fn only_the_authorities_in_the_bundle_are_trusted() {
    let (ours, theirs) = (Authority::new(), Authority::new());
    let server = ours.server("localhost");
    let with = |bundle: &std::path::Path| config(&server.url()).ca_bundle(bundle.to_str().unwrap());
    assert_eq!(send(&with(&ours.file("ours"))).await.unwrap(), "M1");
    assert_not_sent(send(&with(&theirs.file("theirs"))).await, Reason::Tls);
    // One file can contain several roots.
    let both = file("both", &format!("{}{}", theirs.pem, ours.pem));
    assert_eq!(send(&with(&both)).await.unwrap(), "M1");
    assert_eq!(server.requests(), 2);
}

#[tokio::test]
async fn the_tls_configuration_of_the_program_is_used() {
    let (ours, theirs) = (Authority::new(), Authority::new());
    let server = ours.server("localhost");
    let config = config(&server.url());
    let send = async |client: &Client| {
        let message = cpaas::sms::SendSms::new("Acme", "306912345678", "Hi");
        client.call(message).await.map(|sent| sent.value.id)
    };
    let client = Client::with_rustls_config(&config, ours.client_config()).unwrap();
    assert_eq!(send(&client).await.unwrap(), "M1");
    // A client with connections of its own keeps the configuration.
    let other = client.reconfigured(&config.clone().max_connections(8)).unwrap();
    assert_eq!(send(&other).await.unwrap(), "M1");
    let strict = Client::with_rustls_config(&config, theirs.client_config()).unwrap();
    assert_not_sent(send(&strict).await, Reason::Tls);
    assert_eq!(server.requests(), 2);

    let bundle = ours.file("beside");
    let both = config.ca_bundle(bundle.to_str().unwrap());
    let rejected = [Client::with_rustls_config(&both, ours.client_config()), client.reconfigured(&both)];
    for error in rejected.map(Result::unwrap_err) {
        assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config));
        assert!(error.message.contains("`ca_bundle`"), "{}", error.message);
        assert!(error.message.contains("`with_rustls_config`"), "{}", error.message);
    }
}

#[tokio::test]
async fn an_unknown_certificate_is_refused() {
    let server = Authority::new().server("localhost");
    assert_not_sent(send(&config(&server.url())).await, Reason::Tls);
    assert_eq!(server.requests(), 0);
}

#[tokio::test]
async fn a_certificate_for_another_name_is_refused() {
    let authority = Authority::new();
    let server = authority.server("provider.test");
    let bundle = authority.file("name");
    assert_not_sent(send(&config(&server.url()).ca_bundle(bundle.to_str().unwrap())).await, Reason::Tls);
    assert_eq!(server.requests(), 0);
}

/// An invalid certificate stays invalid, so there is only one attempt. The message names the error.
#[tokio::test]
async fn an_invalid_certificate_is_named_and_not_retried() {
    let (ours, theirs) = (Authority::new(), Authority::new());
    let (named, other) = (ours.server("localhost"), ours.server("provider.test"));
    let ask = async |url: &str, bundle: std::path::PathBuf| {
        let config = config(url).max_attempts(3).ca_bundle(bundle.to_str().unwrap());
        let error = send(&config).await.unwrap_err();
        assert_eq!((error.outcome, error.reason, error.attempts), (Outcome::NotSent, Reason::Tls, 1));
        error.message.clone()
    };
    // Both authorities have the same name, so only the signature is invalid.
    let message = ask(&named.url(), theirs.file("faulty_theirs")).await;
    assert!(message.contains("its signature is invalid"), "{message}");
    let message = ask(&other.url(), ours.file("faulty_ours")).await;
    assert!(message.contains("it belongs to another host name"), "{message}");
}

#[tokio::test]
async fn plain_http_instead_of_tls_is_refused() {
    let server =
        FaultServer::start(|_| Accept::Until(20, ConnectionEnd::Garbage), |_| Reply::json(200, "{}"))
            .await
            .unwrap();
    assert_not_sent(send(&config(&over_tls(&server))).await, Reason::Tls);

    let result = send(&config(&http_server().await)).await;
    let message = result.as_ref().unwrap_err().message.clone();
    assert_not_sent(result, Reason::Tls);
    assert!(message.contains("the server does not speak TLS at this port"), "{message}");
    assert!(!message.contains("trust roots"), "{message}");
}

/// The `https` address of a server that answers whatever it gets with HTTP.
pub(crate) async fn http_server() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 4096]).await;
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n").await;
            let _ = stream.read(&mut [0; 4096]).await;
        }
    });
    url
}

fn over_tls(server: &FaultServer) -> String {
    server.url().replace("http://127.0.0.1", "https://localhost")
}

#[tokio::test]
async fn nothing_is_sent_if_the_handshake_is_interrupted() {
    // The client cannot distinguish a reset during the handshake from one before it.
    for (ending, reasons) in
        [(ConnectionEnd::Fin, &[Reason::Tls][..]), (ConnectionEnd::Rst, &[Reason::Connect, Reason::Tls])]
    {
        let accept = move |_| Accept::Until(usize::from(ending == ConnectionEnd::Rst) * 20, ending);
        let server = FaultServer::start(accept, |_| Reply::json(200, "{}")).await.unwrap();
        let error = send(&config(&over_tls(&server))).await.unwrap_err();
        assert_eq!(error.outcome, Outcome::NotSent, "{ending:?}: {error:?}");
        assert!(reasons.contains(&error.reason), "{ending:?}: {error:?}");
    }
}

#[tokio::test]
async fn nothing_is_sent_if_the_handshake_never_ends() {
    let accept = |_| Accept::Until(usize::MAX, ConnectionEnd::Stall);
    let server = FaultServer::start(accept, |_| Reply::json(200, "{}")).await.unwrap();
    let url = over_tls(&server);
    let error = send(&config(&url).connect_timeout(Duration::from_millis(300))).await.unwrap_err();
    assert_eq!((error.outcome, error.reason), (Outcome::NotSent, Reason::Connect), "{error:?}");
    // The time limit of the attempt passes first. Nothing was sent, because the transport never asked for the body of the request.
    let error = send(&config(&url).timeout(Duration::from_millis(300))).await.unwrap_err();
    assert_eq!((error.outcome, error.reason), (Outcome::NotSent, Reason::Timeout), "{error:?}");
}

#[tokio::test]
async fn a_bundle_without_a_certificate_is_a_configuration_error() {
    let absent = std::env::temp_dir().join("cpaas-no-such-bundle.pem");
    for path in [absent, file("empty", ""), file("prose", "no certificate")] {
        let error = send(&config("https://localhost:1").ca_bundle(path.to_str().unwrap())).await.unwrap_err();
        assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config), "{error:?}");
    }
}

/// With several features, the first of the list in docs/rust.md is used. Nothing is installed for the process.
#[test]
fn a_feature_selects_the_provider() {
    let client = Client::new(&config("https://127.0.0.1:9")).unwrap();
    let provider = cpaas::tls::provider().unwrap();
    // Without the feature, another crate of the same build can enable AWS-LC.
    let expected: &[&str] = if cfg!(feature = "rustls-aws-lc") { &["AwsLcRs"] } else { &["Ring", "AwsLcRs"] };
    assert!(
        expected.contains(&format!("{:?}", provider.secure_random).as_str()),
        "{:?}",
        provider.secure_random
    );
    assert!(rustls::crypto::CryptoProvider::get_default().is_none());
    drop(client);
}
