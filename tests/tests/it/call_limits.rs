//! A limit of zero is refused.

use std::time::Duration;

use cpaas::client::{CallOptions, Client, RawCall, Transport, TransportError};
use cpaas::clock::BoxFuture;
use cpaas::error::{Error, Outcome, Reason, SentState};
use cpaas::http::{Family, HttpRequest, HttpResponse, Method};
use cpaas::{OperationId, sms};
use cpaas_tests::examples::config;

/// A transport that is not used.
struct Hang;

impl Transport for Hang {
    fn send<'a>(
        &'a self,
        _: &'a HttpRequest,
        _: Duration,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        Box::pin(std::future::pending())
    }
}

fn client() -> Client {
    Client::with_transport(&config("http://cpaas.test"), Hang).unwrap()
}

fn send() -> sms::SendSms {
    sms::SendSms::new("Acme", "306912345678", "Your table is ready").reference("booking-7")
}

#[tokio::test(start_paused = true)]
async fn a_limit_of_zero_is_invalid_as_in_the_settings() {
    let refused = |error: Error, name: &str, operation: &str| {
        assert_eq!((error.outcome, error.sent), (Outcome::Invalid, SentState::No));
        assert_eq!((error.reason, error.attempts), (Reason::Config, 0));
        let range = match name {
            "max_attempts" => "1 to 4,294,967,295",
            _ => "a number of seconds greater than 0 and less than 18,446,744,073,709,551,616",
        };
        assert_eq!(error.message, format!("nothing was sent: `{name}` must be {range}"));
        assert_eq!(error.operation, operation);
    };
    for (options, name) in [
        (CallOptions::new().timeout(Duration::ZERO), "timeout"),
        (CallOptions::new().deadline(Duration::ZERO), "deadline"),
        (CallOptions::new().max_attempts(0), "max_attempts"),
    ] {
        let client = client().with(options);
        let error = client.call(send()).await.unwrap_err();
        assert_eq!(error.reference.as_deref(), Some("booking-7"));
        refused(error, name, "sms.send");
        let json = r#"{"from":"Acme","to":"306912345678","text":"Hi"}"#;
        refused(client.call_json(OperationId::SmsSend, json).await.unwrap_err(), name, "sms.send");
        let raw = RawCall::new(Method::Post, Family::Sms, "/x");
        refused(client.call_raw(raw).await.unwrap_err(), name, "raw");
    }
}
