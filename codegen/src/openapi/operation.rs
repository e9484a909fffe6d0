//! One operation: parameters, request body, responses.

use cpaas::operation::Meta;
use cpaas::schema::{Field, Format};
use serde_json::json;

use super::error_responses::{Family, family, reason, statuses};
use super::openapi_style::{OpenApiStyle, Side, has_body, location, request_name};
use crate::json_schema::{Json, described, kind};
use crate::object_names::{ObjectNames, metas};

pub(super) fn operation(names: &ObjectNames, meta: &Meta, id: &str) -> Json {
    let family = family(meta.family);
    let parameters: Vec<Json> = meta
        .input
        .fields
        .iter()
        .filter_map(|field| Some(parameter(names, field, location(field)?)))
        .collect();
    Json::object([
        ("operationId", id.into()),
        ("tags", json!([family.tag]).into()),
        ("summary", described(meta.input.doc).unwrap_or_else(|| meta.id.into())),
    ])
    .and("description", note(meta.id).map(Into::into))
    .with("security", family.security())
    .and("parameters", (!parameters.is_empty()).then_some(Json::List(parameters)))
    .and("requestBody", has_body(meta).then(|| request(meta)))
    .with("responses", responses(names, meta, family))
}

fn note(id: &str) -> Option<&'static str> {
    match id {
        "messages.send" | "messages.send_failover" => Some(
            "`/messages/send` and `/message/send` both accept a request with one channel object and a request with several and `failover`.",
        ),
        "otp.search" => Some("The parameters can also be sent as a JSON body."),
        "messages.send_bulk" => Some("Exists from version 1.1."),
        _ => None,
    }
}

/// `/sms` with an XML response.
pub(super) fn xml() -> Json {
    let family = family(cpaas::http::Family::Sms);
    let body = json!({"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SmsSendRequest"}}}});
    let response = |status: u16| {
        let content = json!({"application/xml": {"schema": {"type": "string"}}});
        let headers = super::error_responses::response_headers(status);
        let response = Json::object([
            ("description", reason(status).into()),
            ("headers", headers),
            ("content", content.into()),
        ]);
        (status.to_string(), response)
    };
    Json::object([
        ("operationId", "sms.send.xml".into()),
        ("tags", json!([family.tag]).into()),
        ("summary", "Sends one SMS; the response is XML (B1).".into()),
        ("security", family.security()),
        ("requestBody", body.into()),
        (
            "responses",
            Json::Object(statuses(cpaas::OperationId::SmsSend.meta()).into_iter().map(response).collect()),
        ),
    ])
}

fn parameter(names: &ObjectNames, field: &Field, location: &str) -> Json {
    let style = OpenApiStyle { names, side: Side::Request, operation: "" };
    let schema = match (field.wire, location) {
        _ if field.format == Format::CommaList => json!({"type": "string"}).into(),
        ("version", "path") => json!({"type": "string", "examples": ["1.1"]}).into(),
        _ => kind(&style, &field.kind),
    };
    Json::object([("name", field.wire.into()), ("in", location.into())])
        .and("description", described(field.doc))
        .with("required", location == "path" || field.required)
        .with("schema", schema)
}

/// The operations with the same method and path: two for a message and a failover, otherwise one.
fn twins(meta: &Meta) -> Vec<&'static Meta> {
    metas().filter(|other| (other.method, other.path) == (meta.method, meta.path)).collect()
}

fn either(mut schemas: Vec<Json>) -> Json {
    match schemas.pop() {
        Some(only) if schemas.is_empty() => only,
        last => {
            schemas.extend(last);
            Json::object([("anyOf", Json::List(schemas))])
        }
    }
}

fn request(meta: &Meta) -> Json {
    let reference = |meta: &'static Meta| {
        Json::object([("$ref", format!("#/components/schemas/{}", request_name(meta)).into())])
    };
    let schema = either(twins(meta).into_iter().map(reference).collect());
    Json::object([
        ("required", true.into()),
        ("content", Json::object([("application/json", Json::object([("schema", schema)]))])),
    ])
}

fn responses(names: &ObjectNames, meta: &Meta, family: &Family) -> Json {
    let response = |status: u16| {
        if status != 200 {
            let response = json!({"$ref": format!("#/components/responses/{}", family.error_name())});
            return (status.to_string(), response.into());
        }
        let style = OpenApiStyle { names, side: Side::Response, operation: "" };
        let mut schemas: Vec<Json> = twins(meta).iter().map(|twin| kind(&style, &twin.output)).collect();
        if family.errors_under_200 {
            schemas.push(family.error());
        }
        let content = Json::object([("application/json", Json::object([("schema", either(schemas))]))]);
        let response = Json::object([
            ("description", reason(200).into()),
            ("headers", super::error_responses::response_headers(200)),
            ("content", content),
        ]);
        ("200".to_owned(), response)
    };
    let any = json!({"$ref": format!("#/components/responses/{}", family.error_name())});
    let mut all: Vec<(String, Json)> = statuses(meta).into_iter().map(response).collect();
    all.push(("default".to_owned(), any.into()));
    Json::Object(all)
}
