//! Settings of the client that runs a campaign.

use std::sync::{Arc, Mutex};

use crate::support::Scratch;
use cpaas::client::TransportError;
use cpaas::config::Normalize;
use cpaas::error::{Reason, SentState};
use cpaas::http::HttpRequest;
use cpaas::{Client, Config};
use cpaas_campaign::blocking;
use cpaas_campaign::campaign::{TestMessage, TestRows};
use cpaas_campaign::journal::Settings;
use cpaas_campaign::source::IteratorSource;
use cpaas_campaign::worker::{RunOptions, run};
use cpaas_campaign::{Messages, Template};
use serde_json::{Value, json};

/// Runs a campaign of one row with this client setting. Returns the recipients of its test message and of its row.
async fn recipients(phone: &str, of_campaign: Option<&str>, of_client: Normalize) -> Vec<String> {
    let sent = Arc::new(Mutex::new(Vec::new()));
    let sink = sent.clone();
    let transport = move |request: HttpRequest| {
        let body: Value = serde_json::from_slice(request.body.as_deref().unwrap()).unwrap();
        sink.lock().unwrap().push(body["to"].as_str().unwrap().to_owned());
        async { Err(TransportError::new(SentState::Maybe, Reason::Reset)) }
    };
    let config = Config::default().otp_url("http://otp.example").account_sid("account").api_key("key");
    let client = Client::with_transport(&config.normalize(of_client), transport).unwrap();
    let template = json!({"service": "s", "from": "Acme", "to": "{{ phone }}", "body": "{code}"});
    let messages = Messages::new("otp.send", Template::new(template).unwrap());
    let mut settings = Settings::default();
    settings.normalize = of_campaign.map(str::to_owned);
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let row = json!({"phone": phone}).as_object().unwrap().clone();
    let mut source = IteratorSource([row].into_iter());
    let _ = blocking::create(&mut journal, "c", &mut source, &messages, settings, None).unwrap();
    let test = TestMessage::prepare(&mut journal, "c", &TestRows::First(1), &[phone.to_owned()]);
    if let Ok(mut found) = test {
        found[0].send(&client).await;
    }
    let _ = run(journal, "c", &client, RunOptions::default()).await.unwrap();
    let sent = sent.lock().unwrap();
    sent.clone()
}

#[tokio::test]
async fn the_recipient_of_a_row_is_not_normalized_again() {
    let written = "+30 691 234 5678";
    let found = recipients(written, None, Normalize::International).await;
    assert_eq!(found.last().map(String::as_str), Some(written), "as it is, without the campaign's setting");
    // An Estonian number, whose digits are an Italian mobile number too.
    let estonian = "+372 512 3456";
    for region in ["international", "IT"] {
        // A region requires the numbering plans.
        let Ok(of_client) = region.parse() else { continue };
        let found = recipients(estonian, Some("international"), of_client).await;
        assert_eq!(found, ["3725123456", "3725123456"], "{region}");
    }
}
