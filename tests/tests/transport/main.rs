//! The default transport with real sockets: name resolution, TLS, proxies, trust roots and regions, each with outcome, sent
//! state and reason.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod bounds;
mod certificate_authority;
mod connecting;
mod connections;
mod dropped_calls;
mod environment;
mod proxies;
mod regions;
mod responses;
mod runtimes;
#[cfg(feature = "socks")]
mod socks;
mod tls;
mod tunnel;
mod wrapped;

use std::time::Duration;

use cpaas::Config;
use cpaas::client::Client;
use cpaas::error::{Error, Outcome, Reason, SentState};
use cpaas_tests::examples;

/// A configuration with this address, a single attempt, and time limits long enough for a busy machine.
pub(crate) fn config(url: &str) -> Config {
    let config = examples::config(url).max_attempts(1).accept_repeated_ids(true);
    config
        .connect_timeout(Duration::from_secs(100))
        .timeout(Duration::from_secs(120))
        .deadline(Duration::from_secs(150))
}

pub(crate) async fn send(config: &Config) -> Result<String, Error> {
    let client = Client::new(config)?;
    let message = cpaas::sms::SendSms::new("Acme", "306912345678", "Your table is ready");
    client.call(message).await.map(|sent| sent.value.id)
}

/// Fails unless the call was not sent, for this reason.
#[track_caller]
pub(crate) fn assert_not_sent(result: Result<String, Error>, reason: Reason) {
    let error = result.unwrap_err();
    assert_eq!(
        (error.outcome, error.sent, error.reason),
        (Outcome::NotSent, SentState::No, reason),
        "{error:?}"
    );
}

/// A reserved port of the loopback interface without a listener.
pub(crate) struct ClosedPort(tokio::net::TcpSocket);

impl ClosedPort {
    pub(crate) fn new() -> Self {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Self(socket)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.0.local_addr().unwrap())
    }
}
