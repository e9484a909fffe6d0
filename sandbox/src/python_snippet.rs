//! Writes a logged request as a Python program that runs without changes.

use cpaas::OperationId;
use cpaas::http::Family;
use cpaas::request::IncomingRequest;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::log_entries::LoggedRequest;

/// The program; the client reads its addresses and keys from the environment. `body` contains no secrets.
pub(crate) fn program(logged: &LoggedRequest, family: Option<Family>, body: &str) -> String {
    let request = logged
        .operation
        .and_then(|name| request_of(name, logged, body).map(|request| (name, literal(&request))));
    let lines = match request {
        Some(("otp.verify", request)) => format!(
            "    if client.call(\"otp.verify\", {request}):\n        print(\"valid\")\n    else:\n        print(\"invalid\")"
        ),
        Some((name, request)) => format!("    print(client.call({}, {request}))", string(name)),
        None => format!("    print({}.json())", raw(logged, family, body)),
    };
    let cut = if logged.truncated { "# The log contains only the beginning of the body.\n" } else { "" };
    let (os, lines) = with_bot_id(lines);
    format!(
        "{cut}{os}import cpaas\n\nwith cpaas.Client() as client:  # CPAAS_SMS_URL, CPAAS_SMS_KEY, …\n{lines}"
    )
}

/// Lets the program read the bot id from the environment, because the log does not contain it. Returns the import and the
/// lines.
fn with_bot_id(lines: String) -> (&'static str, String) {
    const BOT_ID: &str = "os.environ[\"CPAAS_BOT_ID\"]";
    let read = lines
        .replace("\"bot_id\": \"[secret]\"", &format!("\"bot_id\": {BOT_ID}"))
        .replace("\"/[secret]/", &format!("\"/\" + {BOT_ID} + \"/"));
    if read == lines { ("", lines) } else { ("import os\n\n", read) }
}

/// The request with the names of the specification, as the clients accept it.
pub(crate) fn request_of(name: &str, logged: &LoggedRequest, body: &str) -> Option<Value> {
    let operation = OperationId::find(name)?;
    let (path, query) = logged.target.split_once('?').unwrap_or((&logged.target, ""));
    let members = path_members(operation.meta().path, path)?;
    let members: Vec<(&str, &str)> = members.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let query = parameters(query);
    let request = IncomingRequest::new(&members, &query, body.as_bytes());
    let json = operation.decode_request(&request).ok()?;
    serde_json::from_str(&json).ok()
}

fn raw(logged: &LoggedRequest, family: Option<Family>, body: &str) -> String {
    let (path, query) = logged.target.split_once('?').unwrap_or((&logged.target, ""));
    let family = family.unwrap_or(Family::Sms).as_str();
    let mut call = format!("client.call_raw({}, {}, {}", string(logged.method), string(family), string(path));
    let query: serde_json::Map<String, Value> =
        parameters(query).into_iter().map(|(name, value)| (name, Value::from(value))).collect();
    if !query.is_empty() {
        call.push_str(&format!(", query={}", literal(&Value::from(query))));
    }
    if let Ok(body) = serde_json::from_str(body) {
        call.push_str(&format!(", body={}", literal(&body)));
    }
    call + ")"
}

/// The members of a path such as `/2fa/{sid}`, decoded; `None` if the path has another form.
fn path_members<'a>(template: &'a str, path: &str) -> Option<Vec<(&'a str, String)>> {
    let mut members = Vec::new();
    let mut parts = path.rsplit('/');
    for expected in template.rsplit('/').filter(|part| !part.is_empty()) {
        let found = parts.next()?;
        match expected.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?))) {
            Some((before, (name, after))) => {
                let value = found.strip_prefix(before)?.strip_suffix(after)?;
                members.push((name, percent_decode_str(value).decode_utf8_lossy().into_owned()));
            }
            None if found == expected => {}
            None => return None,
        }
    }
    Some(members)
}

pub(crate) fn parameters(query: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// A JSON value as a Python literal.
fn literal(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => string(text),
        Value::Array(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let members: Vec<_> =
                members.iter().map(|(name, value)| format!("{}: {}", string(name), literal(value))).collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

/// A JSON string is also a Python string.
fn string(text: &str) -> String {
    Value::from(text).to_string()
}
