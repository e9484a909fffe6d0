use std::sync::{Arc, Mutex};

use axum::extract::{FromRef, State};
use axum::{Router, routing::any};
use cpaas::callback::{Arrival, Duplicates, Event, Receiver, axum::Callback};

#[derive(Clone)]
struct App {
    duplicates: Arc<Mutex<Duplicates>>,
}

/// Reads the configuration for each request, so that an edited callbacks.json applies to the next one.
impl FromRef<App> for Arc<Receiver> {
    fn from_ref(_: &App) -> Self {
        let configuration = std::fs::read_to_string("callbacks.json").expect("callbacks.json can be read");
        Arc::new(Receiver::from_json(&configuration).expect("callbacks.json is valid"))
    }
}

async fn callback(State(app): State<App>, Callback(received): Callback) {
    if app.duplicates.lock().unwrap().check(&received) == Arrival::Repeat {
        return;
    }
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
    let app = App { duplicates: Arc::new(Mutex::new(Duplicates::new(100_000))) };
    let router = Router::new().route("/hooks", any(callback)).with_state(app);
    let port = std::env::var("PORT").unwrap_or_else(|_| "8000".to_owned());
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    axum::serve(listener, router).await?;
    Ok(())
}
