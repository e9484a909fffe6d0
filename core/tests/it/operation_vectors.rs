//! The literal requests and responses of `tests/vectors`; its README documents the format.

use std::fs;
use std::path::{Path, PathBuf};

use cpaas::client::Client;
use cpaas::error::{Outcome, Reason};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::request::{IncomingRequest, Members, RequestContext};
use cpaas::{Config, Error, OperationId};
use serde::Deserialize;
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors")
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|_| panic!("{}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Runs every case of a folder; every operation must have a file with three cases or more.
fn each(folder: &str, check: impl Fn(&Value, &Value, OperationId) -> Result<(), String>) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for operation in OperationId::ALL {
        let id = operation.meta().id;
        let file = read(&root().join(folder).join(format!("{id}.json")));
        assert_eq!(file["operation"], id);
        let cases = file["cases"].as_array().unwrap();
        assert!(cases.len() >= 3, "{id}: {} cases", cases.len());
        for case in cases {
            assert!(case["section"].is_string(), "{id}: a case without a section");
            count += 1;
            if let Err(difference) = check(&file, case, *operation) {
                wrong.push(format!("{folder}/{id}, {}: {difference}", case["name"]));
            }
        }
    }
    let files = fs::read_dir(root().join(folder)).unwrap().count();
    assert_eq!(files, OperationId::ALL.len(), "a file of {folder} belongs to no operation");
    assert!(wrong.is_empty(), "{} of {count} cases differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn config(overrides: &Value) -> (Value, Config) {
    let (members, config) = read_config(overrides);
    (members, config.unwrap())
}

fn read_config(overrides: &Value) -> (Value, Result<Config, Error>) {
    let mut members = read(&root().join("config.json"));
    for (name, value) in overrides.as_object().into_iter().flatten() {
        members[name] = value.clone();
    }
    let config = Config::from_json(&members.to_string());
    (members, config)
}

fn same(what: &str, expected: &Value, actual: &Value) -> Result<(), String> {
    if expected == actual { Ok(()) } else { Err(format!("{what}: expected {expected}, got {actual}")) }
}

/// A request with its members in the order of the file.
#[derive(Deserialize)]
struct Ordered {
    name: String,
    request: Members,
}

#[derive(Deserialize)]
struct OrderedFile {
    cases: Vec<Ordered>,
}

fn ordered(operation: OperationId, name: &Value) -> String {
    let path = root().join("requests").join(format!("{}.json", operation.meta().id));
    let file: OrderedFile = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let case = file.cases.into_iter().find(|case| name == &case.name).unwrap();
    case.request.into_json().unwrap().into_owned()
}

/// `first_error` returns the first error of the report, without its details.
#[test]
fn first_error_is_that_of_the_report() {
    each("requests", |_, case, operation| {
        let request = ordered(operation, &case["name"]);
        let report = operation.validate_json(&request);
        let first = operation.first_error(&request);
        let members = |problem: &cpaas::Problem| json!([problem.code, problem.pointer, problem.message]);
        same(
            "the first error",
            &json!(report.errors.first().map(members)),
            &json!(first.as_ref().map(members)),
        )?;
        same("details", &json!(0), &json!(first.map_or(0, |error| error.params.len())))
    });
}

#[test]
fn requests_are_encoded_as_documented() {
    each("requests", |file, case, operation| {
        let (members, config) = config(&case["config"]);
        let request_json = ordered(operation, &case["name"]);
        let prepared = operation.prepare_json(&request_json, &RequestContext::new(&config).unwrap());
        let expect = &case["expect"];
        match (prepared, expect.get("invalid")) {
            (Ok(prepared), None) => {
                let address = members[file["address"].as_str().unwrap()].as_str().unwrap();
                request(address, expect, &prepared.request)
            }
            (Err(error), Some(invalid)) => {
                let errors = error.problems.iter().filter(|problem| problem.is_error());
                let found = errors.map(|problem| json!({"pointer": problem.pointer, "code": problem.code}));
                same("errors", invalid, &found.collect())
            }
            (Ok(_), Some(_)) => Err("no error was found".to_owned()),
            (Err(error), None) => Err(format!("{error:?}")),
        }
    });
}

/// A member whose schema names a member of the configuration has its value if the request does not set it.
#[test]
fn documented_defaults_of_the_configuration_are_sent() {
    let (members, config) = config(&Value::Null);
    let context = RequestContext::new(&config).unwrap();
    each("requests", |_, case, operation| {
        for field in operation.meta().input.fields {
            let Some(name) = field.config.filter(|_| case["request"].get(field.wire).is_none()) else {
                continue;
            };
            let Ok(prepared) = operation.prepare_json(&ordered(operation, &case["name"]), &context) else {
                continue;
            };
            let body: Value = serde_json::from_slice(&prepared.request.body.unwrap()).unwrap();
            same(field.wire, &members[name], &body[field.wire])?;
        }
        Ok(())
    });
}

fn request(address: &str, expect: &Value, request: &HttpRequest) -> Result<(), String> {
    same("method", &expect["method"], &json!(request.method.as_str()))?;
    same("url", &json!(format!("{address}{}", expect["path"].as_str().unwrap())), &json!(request.url))?;
    let header = |name: &str| {
        let found = request.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map_or(Value::Null, |(_, value)| json!(value))
    };
    for (name, value) in expect["headers"].as_object().into_iter().flatten() {
        same(name, value, &header(name))?;
    }
    for name in expect["absent_headers"].as_array().into_iter().flatten() {
        same("absent header", &Value::Null, &header(name.as_str().unwrap()))?;
    }
    let text = request.body.as_deref().map_or("null", |body| std::str::from_utf8(body).unwrap());
    same("body", &expect["body"], &serde_json::from_str(text).unwrap())?;
    let names = expect["order"].as_array().into_iter().flatten();
    let offsets: Vec<_> = names.map(|name| text.find(&format!("{name}:")).unwrap()).collect();
    if offsets.is_sorted() { Ok(()) } else { Err("members in another order".to_owned()) }
}

/// A server decodes the expected request; encoding the result makes the same request again.
#[test]
fn decoded_requests_are_encoded_to_the_same_request() {
    each("requests", |file, case, operation| {
        let expect = &case["expect"];
        let Some(path) = expect["path"].as_str() else { return Ok(()) };
        if case["config"].get("channel_names").is_some() {
            return Ok(()); // A server reads the documented names only.
        }
        let (members, config) = config(&case["config"]);
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let query: Vec<_> = query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .map(|(name, value)| (decoded(name), decoded(value)))
            .collect();
        let found = path_members(operation.meta().path, path);
        let found: Vec<_> = found.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let body = if expect["body"].is_null() { String::new() } else { body_in_order(expect) };
        let read = operation.decode_request(&IncomingRequest::new(&found, &query, body.as_bytes())).unwrap();
        let prepared =
            operation.prepare_json(&read, &RequestContext::new(&config).unwrap()).map_err(|error| {
                let codes: Vec<_> = error.problems.iter().map(ToString::to_string).collect();
                format!("{codes:?}")
            })?;
        let address = members[file["address"].as_str().unwrap()].as_str().unwrap();
        request(address, expect, &prepared.request)
    });
}

/// The expected body, with the members of `order` first and in that order.
fn body_in_order(expect: &Value) -> String {
    let mut members = Members::default();
    for name in expect["order"].as_array().into_iter().flatten() {
        members.set(name.as_str().unwrap(), expect["body"][name.as_str().unwrap()].clone());
    }
    for (name, value) in expect["body"].as_object().unwrap() {
        members.set(name, value.clone());
    }
    members.into_json().unwrap().into_owned()
}

fn path_members(template: &'static str, path: &str) -> Vec<(&'static str, String)> {
    let Some((before, rest)) = template.split_once('{') else { return Vec::new() };
    let (name, after) = rest.split_once('}').unwrap();
    let value = path.strip_prefix(before).and_then(|path| path.strip_suffix(after)).unwrap();
    vec![(name, decoded(value))]
}

fn decoded(text: &str) -> String {
    let mut bytes = text.bytes();
    let mut out = Vec::new();
    while let Some(byte) = bytes.next() {
        let mut digit = || char::from(bytes.next().unwrap()).to_digit(16).unwrap();
        out.push(if byte == b'%' { u8::try_from(digit() * 16 + digit()).unwrap() } else { byte });
    }
    String::from_utf8(out).unwrap()
}

#[test]
fn responses_are_read_as_documented() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    each("responses", |file, case, operation| {
        let (_, config) = config(&Value::Null);
        let headers = case["headers"].as_object().into_iter().flatten();
        let headers = headers.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()));
        let status = u16::try_from(case["status"].as_u64().unwrap()).unwrap();
        let response = HttpResponse::new(status, headers.collect(), case["body"].as_str().unwrap());
        let client = Client::with_transport(&config, move |_: HttpRequest| {
            let response = response.clone();
            async move { Ok(response) }
        })
        .unwrap();
        let expect = &case["expect"];
        match runtime.block_on(client.call_json(operation, &file["request"].to_string())) {
            Ok(response) => {
                assert_eq!(response.raw.body, case["body"].as_str().unwrap().as_bytes());
                same("result", &expect["result"], &serde_json::from_str(&response.value).unwrap())
            }
            Err(error) => {
                let record: Value = serde_json::from_str(&error.to_json()).unwrap();
                for name in ["outcome", "processed", "retryable"] {
                    assert!(expect.get(name).is_some(), "{}: no `{name}`", case["name"]);
                }
                expect
                    .as_object()
                    .unwrap()
                    .iter()
                    .try_for_each(|(name, value)| same(name, value, &record[name]))
            }
        }
    });
}

/// A header that HTTP or the client itself uses is not the header of a key, and a setting has its own values. The message does not quote the value.
#[test]
fn invalid_configurations_are_refused_by_the_name_of_the_setting() {
    let file = read(&root().join("invalid_config.json"));
    for case in file["cases"].as_array().unwrap() {
        // The type of a setting refuses a value when it is read, and the client what depends on several settings.
        let (_, config) = read_config(&case["config"]);
        let error = config.and_then(|config| Client::new(&config)).unwrap_err();
        let (member, value) = case["config"].as_object().unwrap().iter().next().unwrap();
        assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config), "{case}");
        assert!(error.message.contains(&format!("`{member}`")), "{case}: {}", error.message);
        assert!(!texts(value).iter().any(|text| error.message.contains(text)), "{case}: {}", error.message);
        assert_eq!(case["member"], *member);
    }
    for case in file["valid"].as_array().unwrap() {
        assert!(Client::new(&config(&case["config"]).1).is_ok(), "{case}");
    }
}

/// The strings of a value.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        Value::Object(members) => members.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// The settings for names and forms that the provider documents ambiguously.
const WIRE_SETTINGS: [&str; 11] = [
    "api_key_header",
    "bulk_channel_names",
    "bulk_version",
    "channel_names",
    "messaging_auth",
    "messenger_b_token_header",
    "search_body",
    "send_path",
    "messenger_c_unencoded_url",
    "sms_format",
    "otp_capitalized_names",
];

#[test]
fn every_setting_of_wire_names_has_a_case() {
    let mut set = std::collections::BTreeSet::new();
    for operation in OperationId::ALL {
        let file = read(&root().join("requests").join(format!("{}.json", operation.meta().id)));
        for case in file["cases"].as_array().unwrap() {
            set.extend(case["config"].as_object().into_iter().flatten().map(|(name, _)| name.clone()));
        }
    }
    let untouched: Vec<_> = WIRE_SETTINGS.iter().filter(|setting| !set.contains(**setting)).collect();
    assert!(untouched.is_empty(), "no case sets {untouched:?}");
    assert!(WIRE_SETTINGS.iter().all(|setting| Config::NAMES.contains(setting)), "a name is not a setting");
}
