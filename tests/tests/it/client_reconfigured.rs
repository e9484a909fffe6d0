//! `Client::reconfigured`: a client with another configuration shares the connections, unless connection settings differ.

use std::time::Duration;

use cpaas::{Client, Config, sms};
use cpaas_tests::fault_server::{FaultServer, Reply};

fn send() -> sms::SendSms {
    sms::SendSms::new("Acme", "306912345678", "Hi")
}

async fn server() -> FaultServer {
    FaultServer::serve(|_| Reply::json(200, r#"{"id":"m-1","responseCode":0}"#)).await.unwrap()
}

#[tokio::test]
async fn other_keys_and_times_share_the_connections() {
    let server = server().await;
    let config = Config::default().sms_url(server.url()).sms_key("one").accept_repeated_ids(true);
    let client = Client::new(&config).unwrap();
    client.call(send()).await.unwrap();
    let other =
        client.reconfigured(&config.sms_key("two").timeout(Duration::from_secs(50)).max_attempts(1)).unwrap();
    other.call(send()).await.unwrap();
    client.call(send()).await.unwrap();
    let with_two = |head: &str| head.to_ascii_lowercase().contains("x-service-api-key: two");
    let other_key: Vec<bool> = server.requests().iter().map(|request| with_two(&request.head)).collect();
    assert_eq!(other_key, [false, true, false]);
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn other_connection_settings_open_new_connections() {
    let server = server().await;
    let config = Config::default().sms_url(server.url()).sms_key("one").accept_repeated_ids(true);
    let client = Client::new(&config).unwrap();
    client.call(send()).await.unwrap();
    let other = client.reconfigured(&config.clone().connect_timeout(Duration::from_secs(50))).unwrap();
    other.call(send()).await.unwrap();
    assert_eq!(server.connections(), 2);
    let proxied = client.reconfigured(&config.proxy("http://127.0.0.1:9").max_attempts(1)).unwrap();
    assert!(proxied.call(send()).await.is_err());
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn an_invalid_configuration_is_refused() {
    let server = server().await;
    let config = Config::default().sms_url(server.url()).sms_key("one").accept_repeated_ids(true);
    let client = Client::new(&config).unwrap();
    assert!(client.reconfigured(&config.timeout(Duration::from_secs(0))).is_err());
}
