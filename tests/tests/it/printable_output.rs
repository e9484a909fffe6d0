//! Names that a caller chose do not change a log or a terminal: no message, log line or text of a hook contains a control character,
//! a separator of lines or an invisible formatting character, and each has a maximum length.

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use cpaas::client::{CallOptions, Client, RawCall};
use cpaas::config::Validation;
use cpaas::http::Family;
use cpaas::http::Method;
use cpaas::{Config, Error, OperationId};
use cpaas_tests::examples::{EXAMPLES, config, example};
use cpaas_tests::fault_server::{FaultServer, Reply};
use serde_json::{Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

static NAMES: LazyLock<[String; 4]> = LazyLock::new(|| {
    [
        "\n\u{1b}[31m\u{2028}\u{202e}".to_owned(),
        "x".repeat(10_000),
        format!("a\r\u{8}\u{7f}\u{9b}31m\u{2066}/~{}", "\u{200b}y".repeat(5_000)),
        format!("\u{feff}{}\u{85}\u{2029}\u{e0041}", "é".repeat(10_000)),
    ]
});

/// Longer than a message of the maximum length with its operation, its pointer and its code.
const MAX: usize = 2_500;

#[track_caller]
fn assert_printable(text: &str) {
    let is_bad = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    let length = text.chars().count();
    assert!(length <= MAX, "{length} characters: {}…", text.chars().take(300).collect::<String>());
    assert!(!text.chars().any(is_bad), "{}", text.escape_debug());
}

#[track_caller]
fn assert_printable_error(error: &Error) {
    for text in [error.to_string(), error.message.clone()] {
        assert_printable(&text);
    }
    for problem in &error.problems {
        assert_printable(&problem.to_string());
        assert_printable(&problem.message);
        assert_printable(&format!("{problem:?}"));
    }
}

/// Requests in which one object has the additional member `name`, or a member that is renamed to it.
fn with_name(request: &Value, name: &str) -> Vec<Value> {
    let mut pointers = Vec::new();
    objects(request, String::new(), &mut pointers);
    let mut changed = Vec::new();
    for pointer in pointers {
        let members = request.pointer(&pointer).unwrap().as_object().unwrap();
        let mut more = members.clone();
        more.insert(name.to_owned(), json!(1));
        let renamed = members.keys().map(|old| {
            let mut renamed = members.clone();
            let value = renamed.remove(old).unwrap();
            renamed.insert(name.to_owned(), value);
            renamed
        });
        for members in renamed.chain([more]) {
            let mut all = request.clone();
            *all.pointer_mut(&pointer).unwrap() = Value::Object(members);
            changed.push(all);
        }
    }
    changed
}

fn objects(value: &Value, pointer: String, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let token = name.replace('~', "~0").replace('/', "~1");
                objects(member, format!("{pointer}/{token}"), found);
            }
            found.push(pointer);
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| objects(item, format!("{pointer}/{i}"), found));
        }
        _ => {}
    }
}

#[test]
fn problems_of_every_operation_are_printable() {
    let mut problems = 0;
    for example in EXAMPLES.iter() {
        let operation = OperationId::find(example.id).unwrap();
        let request: Value = serde_json::from_str(example.request).unwrap();
        for name in NAMES.iter() {
            for changed in with_name(&request, name) {
                let report = operation.validate_json(&changed.to_string());
                let found = report.errors.into_iter().chain(report.warnings).collect::<Vec<_>>();
                problems += found.len();
                // The pointer itself is data: it stays as it is.
                assert!(!found.iter().any(|problem| problem.pointer.contains('\u{FFFD}')));
                assert_printable_error(&Error::invalid(example.id, found));
            }
        }
    }
    assert!(problems > 500, "{problems}");
}

#[test]
fn errors_of_configurations_are_printable() {
    for name in NAMES.iter() {
        for value in [json!(1), json!("x"), json!({name: 1})] {
            let members = [
                json!({name: value}),
                json!({"channel_names": {name: value}}),
                json!({"sms_url": {name: value}}),
            ];
            for config in members.into_iter().chain([json!(name), json!([name])]) {
                if let Err(error) = Config::from_json(&config.to_string()) {
                    assert_printable_error(&error);
                }
                if let Err(error) = cpaas::callback::Receiver::from_json(&config.to_string()) {
                    assert_printable(&error.to_string());
                }
            }
        }
        assert_printable(&OperationId::find(name).map_or_else(String::new, |id| id.meta().id.to_owned()));
    }
}

#[test]
fn the_message_about_an_invalid_configuration_quotes_no_value() {
    for config in [
        r#""hunter2""#,
        "31337",
        r#"["hunter2"]"#,
        "hunter2",
        "true",
        r#"{"max_connections": 13373133731337313373}"#,
    ] {
        let message = Config::from_json(config).unwrap_err().message.clone();
        assert!(!message.contains("hunter2") && !message.contains("31337"), "{message}");
    }
}

#[test]
fn messages_about_switches_of_the_sandbox_are_printable() {
    for name in NAMES.iter() {
        for arguments in [
            vec![format!("--{name}")],
            vec![name.clone()],
            vec![format!("-{name}")],
            vec!["--port".to_owned(), name.clone()],
            vec![format!("--bind={name}")],
        ] {
            let arguments = arguments.into_iter().map(std::ffi::OsString::from);
            assert_printable(&cpaas_sandbox::command_line::read(arguments).unwrap_err());
        }
        let error = cpaas_sandbox::Sandbox::builder().set(name, "1").unwrap_err();
        assert_printable(&error.to_string());
    }
}

type Lines = Arc<Mutex<Vec<String>>>;

/// Records the fields of the events of this library as they are.
struct Recorder(Lines);

struct Fields(String);

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        write!(self.0, " {}={value}", field.name()).unwrap();
    }
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("cpaas")
    }
    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields(String::new());
        span.record(&mut fields);
        self.0.lock().unwrap().push(fields.0);
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields(String::new());
        event.record(&mut fields);
        self.0.lock().unwrap().push(fields.0);
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[test]
fn log_lines_and_texts_of_hooks_are_printable() {
    let lines = Lines::default();
    let _recording = tracing::subscriber::set_default(Recorder(lines.clone()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for name in NAMES.iter() {
            for (status, body) in [(200, example("sms.send").response), (503, "{}"), (400, "{}")] {
                let server = FaultServer::serve(move |_| Reply::json(status, body)).await.unwrap();
                let (requests, responses, outcomes) = (lines.clone(), lines.clone(), lines.clone());
                let client =
                    Client::new(&config(&server.url()).max_attempts(2).deadline(Duration::from_secs(5)))
                        .unwrap()
                        .on_request(move |event| {
                            requests.lock().unwrap().extend([event.url.clone(), format!("{event:?}")])
                        })
                        .on_response(move |event| responses.lock().unwrap().push(format!("{event:?}")))
                        .on_outcome(move |event| outcomes.lock().unwrap().push(format!("{event:?}")));
                let off =
                    Client::new(&config(&server.url()).validation(Validation::Off).max_attempts(1)).unwrap();
                for client in [&client, &off] {
                    for member in ["reference", name] {
                        let mut request: Value = serde_json::from_str(example("sms.send").request).unwrap();
                        request[member] = json!(name);
                        if let Err(error) = client.call_json(OperationId::SmsSend, &request.to_string()).await
                        {
                            assert_printable_error(&error);
                        }
                    }
                    let request = example("sms.send").request;
                    for header in
                        [(name.as_str(), "v"), ("a", name), ("x-api-key", "v"), (&"x".repeat(10_000), "\n")]
                    {
                        let client = client.with(CallOptions::default().header(header.0, header.1));
                        if let Err(error) = client.call_json(OperationId::SmsSend, request).await {
                            assert_printable_error(&error);
                        }
                    }
                    let calls = [
                        RawCall::new(Method::Get, Family::Sms, "/x").query(name, "v"),
                        RawCall::new(Method::Get, Family::Sms, "/x").header(name, "v"),
                        RawCall::new(Method::Get, Family::Sms, format!("/{name}")),
                        RawCall::new(Method::Post, Family::Sms, format!("/x?{name}=1"))
                            .body(json!({name: 1})),
                    ];
                    for call in calls {
                        if let Err(error) = client.call_raw(call).await {
                            assert_printable_error(&error);
                        }
                    }
                }
            }
        }
    });
    let lines = lines.lock().unwrap();
    lines.iter().for_each(|line| assert_printable(line));
    println!("{} lines", lines.len());
    for part in ["reference=", "call_id", "REDACTED", "trying again"] {
        assert!(lines.iter().any(|line| line.contains(part)), "no line with {part}");
    }
}
