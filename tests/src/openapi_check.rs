//! Checks requests and responses against the committed OpenAPI document.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use jsonschema::Validator;
use serde_json::{Value, json};

/// Paths that only the sandbox has, which are not in the document.
const OWN: [&str; 3] = ["/_sandbox", "/assets/", "/composer"];

/// The error schema of unknown paths, by the prefix of the path.
const ERROR_SCHEMAS: [(&str, &str); 9] = [
    ("/2fa/", "OtpError"),
    ("/sms", "SmsError"),
    ("/usage/", "SmsError"),
    ("/lookup", "LookupError"),
    ("/message", "MessagesError"),
    ("/api/", "MessagesError"),
    ("/pa/", "MessengerBError"),
    ("/bot", "MessengerCError"),
    ("/", "MessagesError"),
];

/// A response.
#[derive(Debug, Clone, Copy)]
pub struct Response<'a> {
    /// The status.
    pub status: u16,
    /// The header `Content-Type`.
    pub content_type: &'a str,
    /// The body.
    pub body: &'a str,
}

struct Document {
    value: Value,
    /// The operations: method, parts of the path, pointer to the operation.
    operations: Vec<(String, Vec<String>, Value)>,
    validators: Mutex<HashMap<String, std::sync::Arc<Validator>>>,
}

fn document() -> &'static Document {
    static DOCUMENT: OnceLock<Document> = OnceLock::new();
    DOCUMENT.get_or_init(|| {
        let value: Value = serde_json::from_str(include_str!("../../docs/openapi.json")).unwrap_or_default();
        let mut operations = Vec::new();
        for (path, methods) in value.get("paths").and_then(Value::as_object).into_iter().flatten() {
            for (method, operation) in methods.as_object().into_iter().flatten() {
                operations.push((method.to_ascii_uppercase(), parts(path), operation.clone()));
            }
        }
        Document { value, operations, validators: Mutex::default() }
    })
}

/// Checks whether the document allows this response to a request.
///
/// # Errors
/// The difference from the document.
pub fn check(method: &str, target: &str, response: &Response<'_>) -> Result<(), String> {
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let path = path
        .strip_prefix("/region/")
        .and_then(|rest| rest.find('/').and_then(|at| rest.get(at..)))
        .unwrap_or(path);
    if method == "OPTIONS" || path == "/" || OWN.iter().any(|own| path.starts_with(own)) {
        return Ok(());
    }
    let text =
        || format!("{method} {path} -> {} {}: {}", response.status, response.content_type, response.body);
    let found =
        document().operations.iter().find(|(known, pattern, _)| known == method && fits(pattern, path));
    match found {
        Some((_, _, operation)) => check_response(operation, response),
        None => check_unknown_path(path, response),
    }
    .map_err(|problem| format!("{problem}\n{}", text()))
}

/// Checks whether a body is a successful response of an operation.
///
/// # Errors
/// The difference from the document.
pub fn check_example(id: &str, body: &str) -> Result<(), String> {
    let found = document().operations.iter().find(|(_, _, operation)| operation["operationId"] == id);
    let (_, _, operation) = found.ok_or("no such operation")?;
    check_response(operation, &Response { status: 200, content_type: "application/json", body })
}

/// Checks a request: the path, the required parameters, the body.
///
/// # Errors
/// The difference from the document.
pub fn check_request(method: &str, target: &str, body: Option<&str>) -> Result<(), String> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let found =
        document().operations.iter().find(|(known, pattern, _)| known == method && fits(pattern, path));
    let (_, _, operation) = found.ok_or_else(|| format!("no operation {method} {path}"))?;
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default();
        let given = query.split('&').any(|pair| pair.split('=').next() == Some(name));
        if parameter["in"] == "query" && parameter["required"] == true && !given {
            return Err(format!("`{name}` is required"));
        }
    }
    match (operation.get("requestBody"), body) {
        (Some(wanted), Some(body)) => {
            let schema = wanted.pointer("/content/application~1json/schema").unwrap_or(&Value::Null);
            valid(schema, body)
        }
        (None, None) => Ok(()),
        _ => Err("expected a body if and only if the operation has one".to_owned()),
    }
}

/// Checks a callback against the webhook of this name: the parameters of its query, or its body as JSON.
///
/// Returns the JSON pointers of the members that the document does not describe.
///
/// # Errors
/// The difference from the document.
pub fn check_callback(webhook: &str, method: &str, query: &str, body: &str) -> Result<Vec<String>, String> {
    let webhooks = document().value.get("webhooks");
    let item = webhooks.and_then(|webhooks| webhooks.get(webhook));
    let operation = item
        .and_then(|item| item.get(method.to_ascii_lowercase()))
        .ok_or_else(|| format!("no webhook {method} {webhook}"))?;
    let parameters = operation["parameters"].as_array().map_or(&[][..], Vec::as_slice);
    for parameter in parameters.iter().filter(|parameter| parameter["required"] == true) {
        let name = parameter["name"].as_str().unwrap_or_default();
        if !query.split('&').any(|pair| pair.split('=').next() == Some(name)) {
            return Err(format!("`{name}` is required"));
        }
    }
    let Some(content) = operation.pointer("/requestBody/content") else {
        let names = query.split('&').filter_map(|pair| pair.split('=').next());
        let is_described = |name: &&str| parameters.iter().any(|parameter| parameter["name"] == *name);
        return Ok(names.filter(|name| !is_described(name)).map(|name| format!("/{name}")).collect());
    };
    let schema = content.pointer("/application~1json/schema").ok_or("a callback that is not JSON")?;
    valid(schema, body)?;
    let reference = schema["$ref"].as_str().unwrap_or_default().trim_start_matches('#');
    let object = document().value.pointer(reference).ok_or("a dangling reference")?;
    let value = serde_json::from_str(body).map_err(|error| error.to_string())?;
    let mut undescribed = Vec::new();
    list_undescribed("", &value, object, &mut undescribed);
    Ok(undescribed)
}

fn list_undescribed(at: &str, value: &Value, schema: &Value, found: &mut Vec<String>) {
    for (name, inner) in value.as_object().into_iter().flatten() {
        let at = format!("{at}/{name}");
        match schema["properties"].get(name) {
            Some(schema) => list_undescribed(&at, inner, schema, found),
            None => found.push(at),
        }
    }
}

/// The names of the operations.
pub fn operations() -> impl Iterator<Item = &'static str> {
    document().operations.iter().filter_map(|(_, _, operation)| operation["operationId"].as_str())
}

fn check_response(operation: &Value, response: &Response<'_>) -> Result<(), String> {
    let injected = response.body.contains("injected fault") || response.content_type == "text/html";
    let key = if injected { "default".to_owned() } else { response.status.to_string() };
    let responses = &operation["responses"];
    let documented =
        responses.get(&key).ok_or_else(|| format!("{} has no response {key}", operation["operationId"]))?;
    let documented = match documented["$ref"].as_str() {
        Some(reference) => {
            document().value.pointer(reference.trim_start_matches('#')).ok_or("a dangling reference")?
        }
        None => documented,
    };
    let kind = response.content_type.split(';').next().unwrap_or_default().trim();
    let content = documented["content"].get(kind).ok_or_else(|| format!("no content {kind:?}"))?;
    match kind {
        "application/json" => valid(&content["schema"], response.body),
        _ => Ok(()),
    }
}

/// Checks the response to an unknown path or method.
fn check_unknown_path(path: &str, response: &Response<'_>) -> Result<(), String> {
    if !matches!(response.status, 400 | 401 | 404 | 405 | 501) && !response.body.contains("injected fault") {
        return Err("expected an error, because there is no such operation".to_owned());
    }
    let name = ERROR_SCHEMAS.iter().find(|(start, _)| path.starts_with(start)).map_or("", |(_, name)| name);
    valid(&json!({"$ref": format!("#/components/schemas/{name}")}), response.body)
}

fn valid(schema: &Value, body: &str) -> Result<(), String> {
    let value: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
    let validator = validator(schema)?;
    let problems: Vec<String> =
        validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path)).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

fn validator(schema: &Value) -> Result<std::sync::Arc<Validator>, String> {
    let key = schema.to_string();
    let mut validators = document().validators.lock().map_err(|error| error.to_string())?;
    if let Some(validator) = validators.get(&key) {
        return Ok(std::sync::Arc::clone(validator));
    }
    let root = json!({"allOf": [schema], "components": document().value.get("components")});
    let validator = jsonschema::draft202012::new(&root).map_err(|error| error.to_string())?;
    let validator = std::sync::Arc::new(validator);
    validators.insert(key, std::sync::Arc::clone(&validator));
    Ok(validator)
}

/// The segments of a path without `.json`.
fn parts(path: &str) -> Vec<String> {
    path.strip_suffix(".json").unwrap_or(path).split('/').map(str::to_owned).collect()
}

fn fits(pattern: &[String], path: &str) -> bool {
    let given = parts(path);
    let fits = |(pattern, given): (&String, &String)| match pattern.split_once('{') {
        Some((head, _)) => given.strip_prefix(head).is_some_and(|rest| !rest.is_empty()),
        None => pattern == given,
    };
    given.len() == pattern.len() && pattern.iter().zip(&given).all(fits)
}
