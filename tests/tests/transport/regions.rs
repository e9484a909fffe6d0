//! The family `sms` at several regions: the client tries the next region only after proof that nothing was sent.

use std::time::Duration;

use cpaas::Config;
use cpaas::client::Client;
use cpaas::config::Region;
use cpaas::error::{Error, Outcome, Reason, SentState};
use cpaas_tests::examples::example;
use cpaas_tests::fault_server::{Accept, ConnectionEnd, FaultServer, Reply, response_bytes};

use crate::ClosedPort;
use crate::certificate_authority::Authority;

async fn good() -> FaultServer {
    FaultServer::serve(|_| Reply::json(200, example("sms.send").response)).await.unwrap()
}

fn regions(first: &str, second: &str) -> Config {
    Config::default()
        .sms_url(first)
        .sms_url_frankfurt(second)
        .sms_key("k-sms-91bc")
        .connect_timeout(Duration::from_secs(100))
        .timeout(Duration::from_secs(120))
        .deadline(Duration::from_secs(300))
}

async fn send(config: &Config) -> Result<u32, Error> {
    let message = cpaas::sms::SendSms::new("Acme", "306912345678", "Your table is ready");
    Client::new(config)?.call(message).await.map(|sent| sent.attempts)
}

#[tokio::test]
async fn a_refused_connection_leads_to_the_next_region() {
    let server = good().await;
    let attempts = send(&regions(&ClosedPort::new().url(), &server.url())).await.unwrap();
    assert_eq!((attempts, server.requests().len()), (2, 1));
}

#[tokio::test]
async fn an_invalid_name_or_certificate_leads_to_the_next_region() {
    let stranger = Authority::new().server("localhost");
    for first in ["http://region.invalid".to_owned(), stranger.url()] {
        let server = good().await;
        assert_eq!(send(&regions(&first, &server.url())).await.unwrap(), 2, "{first}");
        assert_eq!(server.requests().len(), 1);
    }
    assert_eq!(stranger.requests(), 0);
}

#[tokio::test]
async fn the_chosen_region_comes_first_and_the_others_in_their_order() {
    let (nearest, singapore) = (good().await, good().await);
    let frankfurt = ClosedPort::new();
    let config = regions(&nearest.url(), &frankfurt.url()).sms_url_singapore(singapore.url());
    assert_eq!(send(&config.clone().region(Region::Singapore)).await.unwrap(), 1);
    assert_eq!((nearest.requests().len(), singapore.requests().len()), (0, 1));
    assert_eq!(send(&config.region(Region::Frankfurt)).await.unwrap(), 2);
    assert_eq!((nearest.requests().len(), singapore.requests().len()), (1, 1));
}

#[tokio::test]
async fn refused_connections_at_all_regions_are_not_sent() {
    let (first, second) = (ClosedPort::new(), ClosedPort::new());
    let error = send(&regions(&first.url(), &second.url()).max_attempts(2)).await.unwrap_err();
    assert_eq!((error.outcome, error.sent, error.reason), (Outcome::NotSent, SentState::No, Reason::Connect));
    assert_eq!(error.attempts, 2);
}

#[tokio::test]
async fn no_other_region_is_called_after_one_has_read_the_request() {
    let complete = |status, headers: &str| response_bytes(status, headers, b"");
    let ends = [
        ("close", Reply::new("", ConnectionEnd::Fin), Outcome::Unknown),
        ("reset", Reply::new("", ConnectionEnd::Rst), Outcome::Unknown),
        ("hang", Reply::new("", ConnectionEnd::Stall), Outcome::Unknown),
        ("garbage", Reply::new("nothing like it\r\n\r\n", ConnectionEnd::Fin), Outcome::Unknown),
        ("500", Reply::new(complete(500, ""), ConnectionEnd::Fin), Outcome::Unknown),
        ("503", Reply::new(complete(503, ""), ConnectionEnd::Fin), Outcome::Unknown),
        ("503 soon", Reply::new(complete(503, "retry-after: 0\r\n"), ConnectionEnd::Fin), Outcome::Unknown),
        ("429", Reply::new(complete(429, ""), ConnectionEnd::Fin), Outcome::Unknown),
        ("404", Reply::new(complete(404, ""), ConnectionEnd::Fin), Outcome::Rejected),
        ("307", Reply::new(complete(307, "location: /elsewhere\r\n"), ConnectionEnd::Fin), Outcome::Rejected),
    ];
    for (name, reply, outcome) in ends {
        let (first, second) = (FaultServer::serve(move |_| reply.clone()).await.unwrap(), good().await);
        let config = regions(&first.url(), &second.url());
        // Without a response only the time limit ends the call.
        let config = if name == "hang" { config.timeout(Duration::from_secs(5)) } else { config };
        let error = send(&config).await.unwrap_err();
        assert_eq!((error.outcome, second.connections()), (outcome, 0), "{name}: {error:?}");
        assert!(!first.requests().is_empty(), "{name}");
    }
}

/// A region may have processed a partial request.
#[tokio::test]
async fn no_other_region_is_called_after_one_has_read_a_part_of_the_request() {
    let first = FaultServer::start(|_| Accept::Until(30, ConnectionEnd::Rst), |_| Reply::json(200, "{}"))
        .await
        .unwrap();
    let second = good().await;
    let error = send(&regions(&first.url(), &second.url())).await.unwrap_err();
    assert_eq!((error.outcome, second.connections()), (Outcome::Unknown, 0), "{error:?}");
}
