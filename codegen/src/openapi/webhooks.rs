//! The requests that the provider sends: delivery reports, messages of users, events of the chat channels.

use cpaas::callback::{PayloadMember, Source};
use serde_json::json;

use crate::json_schema::Json;
use crate::object_names::camel;

pub(super) const TAG: &str = "callbacks";
pub(super) const DESCRIPTION: &str = "E: requests of the provider to your program";

/// The path items, by the name of the source.
pub(super) fn webhooks() -> Json {
    let item = |source: Source| {
        let post = Json::object([("post", operation(source, "post"))]);
        let item = match source {
            // Without a body template, the provider calls the URL with GET.
            Source::SmsReport => post.with("get", operation(source, "get")),
            _ => post,
        };
        (name(source), item)
    };
    Json::Object(Source::ALL.into_iter().map(item).collect())
}

/// The schemas of the payloads.
pub(super) fn schemas() -> Vec<(String, Json)> {
    Source::ALL.into_iter().map(|source| (schema_name(source), schema(source))).collect()
}

/// The name of a source, as in JSON.
fn name(source: Source) -> String {
    json!(source).as_str().unwrap_or_default().to_owned()
}

fn schema_name(source: Source) -> String {
    format!("{}Callback", camel(&name(source)))
}

const fn summary(source: Source) -> &'static str {
    match source {
        Source::SmsReport => "The delivery report of an SMS, with the members of your template (E).",
        Source::ChatReport => "The delivery report of a chat message (E).",
        Source::InboundSms => "An SMS from a user to a two-way number. The payload is undocumented.",
        Source::MessengerB => "An event of messenger_b (E). The payload of each event is undocumented.",
        Source::MessengerC => "An update of messenger_c. The payload is undocumented.",
        Source::BusinessChat => {
            "A message of a user, or a tap on a suggestion, of business_chat. The payload is undocumented."
        }
        _ => "A callback.",
    }
}

fn operation(source: Source, method: &str) -> Json {
    let has_body = method == "post";
    let mut parameters = vec![token()];
    if source == Source::MessengerC {
        parameters.push(traffic_account());
    }
    if !has_body {
        parameters.extend(source.payload().iter().map(query_parameter));
    }
    Json::object([
        ("operationId", format!("callback.{}.{method}", name(source)).into()),
        ("tags", json!([TAG]).into()),
        ("summary", summary(source).into()),
        ("security", json!([]).into()),
        ("parameters", Json::List(parameters)),
    ])
    .and("requestBody", has_body.then(|| body(source)))
    .with("responses", responses())
}

fn token() -> Json {
    json!({
        "name": "token", "in": "query", "required": true, "schema": {"type": "string"},
        "description": "The token of the callback URL, which your program added to it.",
    })
    .into()
}

/// The registered URL of messenger_c ends with it.
fn traffic_account() -> Json {
    json!({
        "name": "ta", "in": "query", "schema": {"type": "string"},
        "description": "The traffic account, from the registered URL.",
    })
    .into()
}

fn query_parameter(member: &PayloadMember) -> Json {
    let name = member.pointer.trim_start_matches('/');
    json!({"name": name, "in": "query", "description": member.description, "schema": {"type": "string"}})
        .into()
}

fn body(source: Source) -> Json {
    let content = json!({"schema": {"$ref": format!("#/components/schemas/{}", schema_name(source))}});
    let mut types = json!({"application/json": content});
    if source == Source::SmsReport
        && let Some(types) = types.as_object_mut()
    {
        types.insert("application/x-www-form-urlencoded".to_owned(), content);
    }
    json!({"required": true, "content": types}).into()
}

fn responses() -> Json {
    json!({
        "200": {"description": "The event was processed. Every other status is a failed attempt, and the provider repeats the request."},
        "403": {"description": "The token is missing or invalid. The body is empty."},
        "503": {
            "description": "Another request is processing the same event.",
            "headers": {"Retry-After": {"schema": {"type": "integer"}}},
        },
    })
    .into()
}

/// An object with the members of a payload; members below a member are members of nested objects.
fn schema(source: Source) -> Json {
    let members: Vec<(&str, &PayloadMember)> =
        source.payload().iter().map(|member| (member.pointer, member)).collect();
    // The specification documents the whole payload of this report only.
    let is_complete = source.payload().iter().all(|member| member.is_documented);
    let required: Vec<&str> = members.iter().map(|(pointer, _)| pointer.trim_start_matches('/')).collect();
    let schema = object(&members).and("required", is_complete.then(|| json!(required).into()));
    match schema {
        Json::Object(mut members) => {
            members.insert(1, ("description".to_owned(), summary(source).into()));
            Json::Object(members)
        }
        other => other,
    }
}

fn object(members: &[(&str, &PayloadMember)]) -> Json {
    let mut properties: Vec<(String, Json)> = Vec::new();
    for (pointer, _) in members {
        let name = pointer.split('/').nth(1).unwrap_or_default();
        if properties.iter().any(|(known, _)| known == name) {
            continue;
        }
        let inside: Vec<(&str, &PayloadMember)> = members
            .iter()
            .filter_map(|(pointer, member)| Some((pointer.strip_prefix('/')?.strip_prefix(name)?, *member)))
            .filter(|(rest, _)| rest.is_empty() || rest.starts_with('/'))
            .collect();
        let schema = match inside.as_slice() {
            [("", member)] => value(member),
            _ => object(&inside),
        };
        properties.push((name.to_owned(), schema));
    }
    Json::object([("type", "object".into()), ("properties", Json::Object(properties))])
}

fn value(member: &PayloadMember) -> Json {
    json!({"type": ["string", "number", "boolean"], "description": member.description}).into()
}
