use std::sync::Arc;

use axum::extract::FromRef;
use axum::{Router, routing::any};
use cpaas::callback::axum::{Callback, LeaseLayer};
use cpaas::callback::{Event, Leases, Receiver};

#[derive(Clone)]
struct App;

/// Reads the configuration for each request, so that an edited callbacks.json applies to the next one.
impl FromRef<App> for Arc<Receiver> {
    fn from_ref(_: &App) -> Self {
        let configuration = std::fs::read_to_string("callbacks.json").expect("callbacks.json can be read");
        Arc::new(Receiver::from_json(&configuration).expect("callbacks.json is valid"))
    }
}

async fn callback(Callback(received): Callback) {
    match &received.event {
        Event::SmsReport(_) | Event::ChatReport(_) => {
            let status = received.event.status().map_or("?", |status| status.as_str());
            println!("{} {} {status}", received.event.kind(), received.event.message_id().unwrap_or("?"));
        }
        other => println!("{}", other.kind()),
    }
}

#[tokio::main(flavor = "current_thread")]
pub(crate) async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let leases = LeaseLayer::new(Leases::in_memory(100_000), App);
    let router = Router::new().route("/hooks", any(callback)).route_layer(leases).with_state(App);
    let port = std::env::var("PORT").unwrap_or_else(|_| "8000".to_owned());
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    axum::serve(listener, router).await?;
    Ok(())
}
