//! The lines and the span of `tracing` are those of the table in `docs/rust.md`, and contain nothing that is secret or personal.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use cpaas::client::Client;
use cpaas::sms;
use cpaas_tests::examples::config;
use cpaas_tests::fault_server::{ConnectionEnd, FaultServer, Reply};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

#[derive(Clone, Debug, Default)]
struct Line {
    level: String,
    fields: BTreeMap<&'static str, String>,
}

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.fields.insert(field.name(), format!("{value:?}").trim_matches('"').to_owned());
    }
}

/// Keeps the events and the spans of the library.
#[derive(Clone, Default)]
struct Lines {
    events: Arc<Mutex<Vec<Line>>>,
    spans: Arc<Mutex<Vec<(String, Line)>>>,
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("cpaas")
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let metadata = attributes.metadata();
        let mut line = Line { level: metadata.level().to_string(), ..Line::default() };
        attributes.record(&mut line);
        self.spans.lock().unwrap().push((metadata.name().to_owned(), line));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line { level: event.metadata().level().to_string(), ..Line::default() };
        event.record(&mut line);
        self.events.lock().unwrap().push(line);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

fn send(to: &str, reference: &str) -> sms::SendSms {
    sms::SendSms::new("Acme", to, "Your table is ready").reference(reference)
}

/// Makes one call against a server with this reply; returns the lines.
async fn lines(reply: impl Fn() -> Reply + Send + Sync + 'static, request: sms::SendSms) -> Lines {
    lines_of(reply, request, |client| client).await
}

/// [`lines`] of a client with hooks.
async fn lines_of(
    reply: impl Fn() -> Reply + Send + Sync + 'static,
    request: sms::SendSms,
    with_hooks: fn(Client) -> Client,
) -> Lines {
    let lines = Lines::default();
    let guard = tracing::subscriber::set_default(lines.clone());
    let server = FaultServer::serve(move |_| reply()).await.unwrap();
    let client = with_hooks(Client::new(&config(&server.url()).max_attempts(2)).unwrap());
    let _ = client.call(request).await;
    drop(guard);
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/rust.md")).unwrap();
    let events = lines.events.lock().unwrap().clone();
    for line in &events {
        let row = format!("| `{}` | {} |", line.fields["message"], line.level);
        let row =
            page.lines().find(|listed| listed.starts_with(&row)).unwrap_or_else(|| panic!("no row {row}"));
        for name in line.fields.keys().filter(|name| **name != "message") {
            assert!(row.contains(&format!("`{name}`")), "{name}: {row}");
        }
        let shown = format!("{line:?}");
        assert!(!shown.contains("306912345678") && !shown.contains("table is ready"), "{shown}");
    }
    for (name, line) in lines.spans.lock().unwrap().iter() {
        assert!(page.contains(&format!(
            "the span `{name}` (level {}), with the fields `operation` and `call_id`",
            line.level
        )));
        assert_eq!(line.fields.keys().collect::<Vec<_>>(), [&"call_id", &"operation"]);
        assert!(events.iter().all(|event| event.fields["call_id"] == line.fields["call_id"]));
    }
    lines
}

/// The line of the end of the only call.
fn end(lines: &Lines) -> Line {
    let events = lines.events.lock().unwrap();
    let mut ended = events.iter().filter(|line| line.fields["message"] == "call ended");
    let line = ended.next().cloned().unwrap();
    assert!(ended.next().is_none(), "{events:?}");
    line
}

fn has(line: &Line, level: &str, expected: &[(&str, &str)]) {
    assert_eq!(line.level, level);
    for (name, value) in expected {
        assert_eq!(line.fields.get(name).map(String::as_str), Some(*value), "{name}: {line:?}");
    }
}

#[tokio::test]
async fn the_end_of_a_call_has_a_level_and_its_cause() {
    let to = "306912345678";
    let json = |status, body: &'static str| move || Reply::json(status, body);
    let accepted = end(&lines(json(200, r#"{"id":"m-1","responseCode":0}"#), send(to, "booking-7")).await);
    has(&accepted, "DEBUG", &[("operation", "sms.send"), ("reference", "booking-7"), ("ending", "accepted")]);
    assert!(accepted.fields.contains_key("elapsed_ms"));
    assert_eq!(accepted.fields["call_id"].len(), 32);
    assert!(!accepted.fields.contains_key("reason"));

    let rejected = json(200, r#"{"responseCode":904,"responseText":"said"}"#);
    let rejected = end(&lines(rejected, send(to, "booking-7")).await);
    has(
        &rejected,
        "INFO",
        &[("ending", "rejected"), ("reason", "http"), ("status", "200"), ("code", "904"), ("attempts", "1")],
    );

    let lost = || Reply::new("", ConnectionEnd::Fin);
    let unknown = end(&lines(lost, send(to, "booking-7")).await);
    has(&unknown, "WARN", &[("ending", "unknown"), ("reason", "reset"), ("sent", "maybe")]);

    let busy = json(429, r#"{"responseCode":906,"responseText":"said"}"#);
    let busy = end(&lines(busy, send(to, "booking-7")).await);
    has(&busy, "INFO", &[("ending", "rejected"), ("status", "429"), ("code", "906"), ("attempts", "2")]);
}

/// A call that validation refuses has a line too, with the code of the first error.
#[tokio::test]
async fn a_refused_call_is_logged() {
    let refused = lines(|| Reply::json(200, "{}"), send("", "booking-7")).await;
    let line = end(&refused);
    has(
        &line,
        "INFO",
        &[("ending", "invalid"), ("reason", "validation"), ("attempts", "0"), ("problem", "sms.to.required")],
    );
}

/// The text of the panic, which may have values, is not in the line.
#[tokio::test]
async fn the_panic_of_a_hook_is_logged() {
    let lines = lines_of(
        || Reply::json(200, r#"{"id":"m-1","responseCode":0}"#),
        send("306912345678", "a"),
        |client| client.on_response(|_| panic!("about 306912345678")),
    );
    let lines = lines.await;
    let events = lines.events.lock().unwrap();
    let line = events.iter().find(|line| line.fields["message"] == "a hook panicked").unwrap();
    has(line, "ERROR", &[("operation", "sms.send"), ("hook", "on_response")]);
    assert_eq!(line.fields["call_id"].len(), 32);
}

/// A reference may be the number of the recipient.
#[tokio::test]
async fn a_reference_with_a_number_is_left_out() {
    for reference in ["306912345678", "to +30 691 234 5678"] {
        let ended = lines(|| Reply::new("", ConnectionEnd::Fin), send("306912345678", reference)).await;
        assert!(ended.events.lock().unwrap().iter().all(|line| !line.fields.contains_key("reference")));
    }
}
