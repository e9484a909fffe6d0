//! SOCKS proxies that refuse, fail and answer nonsense.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use cpaas::error::Reason;
use cpaas_tests::examples::example;
use cpaas_tests::fault_server::{FaultServer, Reply};

use crate::certificate_authority::Authority;
use crate::proxies::assert_party;
use crate::{ClosedPort, config, send};

/// The greeting of a client with credentials, whose first byte is the version.
const NO_AUTHENTICATION: &[u8] = &[5, 0];
const WITH_PASSWORD: &[u8] = &[5, 2];

/// A proxy for one connection: after each message of the client it sends the next part of its script, then it closes the
/// connection, or connects to the target of the last message if the script ends with a success.
fn socks(script: &'static [&'static [u8]], target: Option<u16>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        for part in script {
            let mut message = [0; 512];
            if client.read(&mut message).unwrap_or(0) == 0 {
                return;
            }
            client.write_all(part).unwrap();
        }
        if let Some(port) = target {
            let mut server = TcpStream::connect(("127.0.0.1", port)).unwrap();
            let (mut from, mut to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            std::thread::spawn(move || std::io::copy(&mut from, &mut to));
            let _ = std::io::copy(&mut server, &mut client);
        }
    });
    format!("127.0.0.1:{port}")
}

/// A response of version 5 with this code, and an address of IPv4.
const fn command(code: u8) -> [u8; 10] {
    [5, code, 0, 1, 127, 0, 0, 1, 0, 80]
}

const GRANTED: &[u8] = &command(0);
const NOT_ALLOWED: &[u8] = &command(2);
const NETWORK_UNREACHABLE: &[u8] = &command(3);
const REFUSED: &[u8] = &command(5);
const UNKNOWN_CODE: &[u8] = &command(99);

#[tokio::test]
async fn nothing_is_sent_if_the_proxy_opens_no_tunnel() {
    let no_tunnel = "the proxy failed before it opened a tunnel";
    let refused = "the proxy refused to open a tunnel";
    let credentials = "the proxy requires other credentials";
    let cases: &[(&str, &str, &'static [&'static [u8]], &str)] = &[
        ("closes at once", "socks5h", &[], no_tunnel),
        ("closes after the greeting", "socks5h", &[NO_AUTHENTICATION], no_tunnel),
        ("is an HTTP proxy", "socks5h", &[b"HTTP/1.1 400 Bad Request\r\n\r\n"], no_tunnel),
        ("does not allow the target", "socks5h", &[NO_AUTHENTICATION, NOT_ALLOWED], refused),
        ("cannot reach the target", "socks5h", &[NO_AUTHENTICATION, NETWORK_UNREACHABLE], refused),
        ("the target refuses", "socks5h", &[NO_AUTHENTICATION, REFUSED], refused),
        ("an unknown code", "socks5h", &[NO_AUTHENTICATION, UNKNOWN_CODE], no_tunnel),
        ("wants a password", "socks5h", &[&[5, 0xff]], credentials),
        ("refuses the password", "socks5h://user:secret", &[WITH_PASSWORD, &[1, 1]], credentials),
        ("version 4 refuses", "socks4a", &[&[0, 91, 0, 80, 127, 0, 0, 1]], refused),
    ];
    for target in ["http://provider.test", "https://provider.test"] {
        for (name, scheme, script, expected) in cases {
            let address = socks(script, None);
            let proxy = match scheme.split_once("://") {
                Some((scheme, user)) => format!("{scheme}://{user}@{address}"),
                None => format!("{scheme}://{address}"),
            };
            let result = send(&config(target).proxy(proxy)).await;
            let message = &result.as_ref().unwrap_err().message;
            assert!(message.contains(expected), "{name}: {message}");
            assert_party(result, Reason::Proxy, expected);
        }
        let closed = ClosedPort::new().url().replace("http", "socks5h");
        assert_party(
            send(&config(target).proxy(closed)).await,
            Reason::Proxy,
            "the connection to the proxy could not be made",
        );
        // The error of a SOCKS connection does not contain that of its resolver.
        let result = send(&config(target).proxy("socks5h://proxy.invalid:1")).await;
        assert_party(result, Reason::Proxy, "the connection to the proxy could not be made");
    }
}

#[tokio::test]
async fn requests_pass_through_the_tunnel() {
    let server = FaultServer::serve(|_| Reply::json(200, example("sms.send").response)).await.unwrap();
    let port = server.url().rsplit_once(':').unwrap().1.parse().unwrap();
    let proxy = format!("socks5h://{}", socks(&[NO_AUTHENTICATION, GRANTED], Some(port)));
    assert_eq!(send(&config(&format!("http://localhost:{port}")).proxy(proxy)).await.unwrap(), "M1");
    // In the tunnel, the TLS handshake is with the provider.
    let authority = Authority::new();
    let server = authority.server("localhost");
    let port = server.url().rsplit_once(':').unwrap().1.parse().unwrap();
    let proxy = format!("socks5h://{}", socks(&[NO_AUTHENTICATION, GRANTED], Some(port)));
    let result = send(&config(&server.url()).proxy(proxy)).await;
    assert_party(result, Reason::Tls, "the server's certificate was not accepted");
    assert_eq!(server.requests(), 0);
}
