//! The text of a store's error, which may contain a number or a password, is the source of the error of its call, and in no log line.

use std::error::Error as _;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use cpaas::client::Client;
use cpaas::clock::BoxFuture;
use cpaas::guard::{Guard, GuardReason, GuardRequest, GuardSettings, GuardStore};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::suppression::{StoreError, SuppressionStore};
use cpaas::{Config, OperationId};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

const SECRET: &str = "postgres://u:hunter2@db: 306900000001 is not in the table";
const SMS: &str = r#"{"from":"Acme","to":"306900000001","text":"Hi"}"#;
const OTP: &str = r#"{"service":"login","from":"Acme","to":"306900000001","body":"{code}"}"#;

/// Keeps the lines of the library, each field as `name=value;`.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0 += &format!("{}={value:?};", field.name());
    }
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("cpaas")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields(format!("{} ", event.metadata().level()));
        event.record(&mut fields);
        self.0.lock().unwrap().push(fields.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// A store whose commands fail: all of them, or only those after the call.
struct Failing {
    admits: bool,
}

fn fails<T>() -> Result<T, StoreError> {
    Err(SECRET.into())
}

impl SuppressionStore for Failing {
    fn is_suppressed<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async { fails() })
    }

    fn add<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async { fails() })
    }

    fn remove<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async { fails() })
    }
}

impl GuardStore for Failing {
    fn admit<'a>(
        &'a self,
        _: &'a GuardRequest,
        _: &'a GuardSettings,
    ) -> BoxFuture<'a, Result<Option<GuardReason>, StoreError>> {
        Box::pin(async { if self.admits { Ok(None) } else { fails() } })
    }

    fn withdraw<'a>(&'a self, _: &'a GuardRequest) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async { fails() })
    }

    fn sent<'a>(&'a self, _: &'a str, _: &'a GuardRequest) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async { fails() })
    }

    fn converted<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async { fails() })
    }
}

fn client() -> Client {
    let config = Config::default()
        .otp_url("https://otp.example")
        .account_sid("AC1")
        .api_key("key")
        .sms_url("https://sms.example");
    let response = r#"{"code":200,"message":"OK","requestID":"OTP1","responseCode":0,"id":"m-1"}"#;
    let transport = move |_: HttpRequest| async move { Ok(HttpResponse::new(200, vec![], response)) };
    Client::with_transport(&config, transport).unwrap()
}

fn guard(sends_without_store: bool, admits: bool) -> Guard {
    let mut settings = GuardSettings::default();
    settings.sends_without_store = sends_without_store;
    Guard::with_store(settings, Arc::new(Failing { admits })).unwrap()
}

/// The value of a field in a line.
fn value<'a>(line: &'a str, name: &str) -> &'a str {
    let start = format!("{name}=");
    line.split([';', ' '])
        .find_map(|field| field.strip_prefix(start.as_str()))
        .unwrap_or_else(|| panic!("{name}: {line}"))
}

#[tokio::test]
async fn the_text_of_a_store_is_in_the_source_and_in_no_log_line() {
    let cases: [(&str, Client, OperationId, &str, bool); 4] = [
        (
            "suppression",
            client().suppression(Arc::new(Failing { admits: false })),
            OperationId::SmsSend,
            SMS,
            false,
        ),
        ("guard", client().guard(guard(false, false)), OperationId::OtpSend, OTP, false),
        ("guard", client().guard(guard(true, false)), OperationId::OtpSend, OTP, true),
        // The store learns of the call after its end.
        ("guard", client().guard(guard(false, true)), OperationId::OtpSend, OTP, true),
    ];
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/rust.md")).unwrap();
    assert!(page.contains("| `a store failed` | WARN |"));
    for (store, client, operation, request, is_sent) in cases {
        let lines = Lines::default();
        let default = tracing::subscriber::set_default(lines.clone());
        let result = client.call_json(operation, request).await;
        drop(default);
        assert_eq!(result.is_ok(), is_sent, "{store}");
        let lines = lines.0.lock().unwrap();
        let failed: Vec<_> = lines.iter().filter(|line| line.contains("a store failed")).collect();
        let [failed] = failed.as_slice() else { panic!("{lines:?}") };
        assert!(failed.starts_with("WARN "), "{failed}");
        assert_eq!(value(failed, "store"), format!("{store:?}"));
        assert_eq!(value(failed, "operation"), format!("{:?}", operation.meta().id));
        // The line of the end has the same number.
        let ended = lines.iter().find(|line| line.contains("call ended")).unwrap();
        assert_eq!(value(failed, "call_id"), value(ended, "call_id"));
        assert!(
            lines.iter().all(|line| !line.contains("hunter2") && !line.contains("900000001")),
            "{lines:?}"
        );
        let Err(error) = result else { continue };
        assert_eq!(error.source().map(ToString::to_string).as_deref(), Some(SECRET));
        for shown in [error.to_string(), format!("{error:?}"), error.to_json()] {
            assert!(!shown.contains("hunter2") && !shown.contains("900000001"), "{shown}");
            assert!(!shown.contains("the log contains"), "{shown}");
        }
    }
}
