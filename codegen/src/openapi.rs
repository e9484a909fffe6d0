//! `openapi.json`: the provider's API as OpenAPI 3.1, from the list of operations and the schemas of the models.
//! The sandbox contains a copy without white space, so that its crate is complete when it is published.

mod error_responses;
mod openapi_style;
mod operation;
mod webhooks;

use cpaas::operation::Meta;
use serde_json::json;

use super::json_schema::{Json, object};
use super::object_names::{ObjectNames, metas};
use openapi_style::{OpenApiStyle, Side};

/// The files, by their path in the repository.
#[must_use]
pub fn files() -> Vec<(String, String)> {
    let document = document();
    let pretty = serde_json::to_string_pretty(&document).unwrap_or_default() + "\n";
    let short = serde_json::to_string(&document).unwrap_or_default() + "\n";
    vec![("docs/openapi.json".to_owned(), pretty), ("sandbox/openapi.json".to_owned(), short)]
}

/// The document.
#[must_use]
pub fn document() -> Json {
    let names = ObjectNames::of_requests_and_responses();
    Json::object([
        ("openapi", "3.1.1".into()),
        ("info", info()),
        ("servers", servers()),
        ("tags", tags()),
        ("paths", paths(&names)),
        ("webhooks", webhooks::webhooks()),
        ("components", components(&names)),
    ])
}

fn info() -> Json {
    Json::object([
        ("title", "cpaas".into()),
        ("version", env!("CARGO_PKG_VERSION").into()),
        (
            "description",
            "One-time passcodes, SMS, number lookup and chat messages: the provider's API as the sandbox implements it. \
             Generated from the list of operations. Statuses that the specification does not document are assumptions; the \
             header `X-Sandbox-Assumed` lists those that a response depends on. Every path of the families otp, sms and lookup \
             also ends in `.json`."
                .into(),
        ),
        ("license", json!({"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"}).into()),
    ])
}

fn servers() -> Json {
    let regions = [("fra", "Frankfurt"), ("sg", "Singapore"), ("hk", "Hong Kong"), ("us", "United States")];
    let mut servers =
        vec![json!({"url": "/", "description": "the sandbox that serves this document"}).into()];
    servers.extend(regions.map(|(path, name)| {
        json!({"url": format!("/region/{path}"), "description": format!("family sms in {name}")}).into()
    }));
    Json::List(servers)
}

fn tags() -> Json {
    let families = error_responses::FAMILIES.iter().map(|family| (family.tag, family.description));
    let tags = families.chain([(webhooks::TAG, webhooks::DESCRIPTION)]);
    Json::List(
        tags.map(|(name, description)| json!({"name": name, "description": description}).into()).collect(),
    )
}

/// Second paths: lookups accept both methods with and without the suffix `.json`.
const ALIASES: &[(&str, &str)] =
    &[("lookup.numbers", "/lookup"), ("lookup.numbers_by_query", "/lookup.json")];

/// The paths: each operation, then the aliases and `/sms.xml`. `messages.send` and `messages.send_failover` share a method and two paths. Each
/// path accepts the requests of both; the document lists one operation at each path.
fn paths(names: &ObjectNames) -> Json {
    let mut paths: Vec<(String, Json)> = Vec::new();
    let mut add = |path: &str, meta: &Meta, id: &str| {
        let method = meta.method.as_str().to_ascii_lowercase();
        let operation = operation::operation(names, meta, id);
        match paths.iter_mut().find(|(known, _)| known == path) {
            Some((_, Json::Object(methods))) => methods.push((method, operation)),
            _ => paths.push((path.to_owned(), Json::Object(vec![(method, operation)]))),
        }
    };
    for meta in metas() {
        let path = if meta.id == "messages.send_failover" { "/message/send" } else { meta.path };
        add(path, meta, meta.id);
    }
    for (id, path) in ALIASES {
        for meta in metas().filter(|meta| meta.id == *id) {
            add(path, meta, &format!("{id}.alias"));
        }
    }
    paths.push(("/sms.xml".to_owned(), Json::object([("post", operation::xml())])));
    Json::Object(paths)
}

fn components(names: &ObjectNames) -> Json {
    let requests = OpenApiStyle { names, side: Side::Request, operation: "" };
    let responses = OpenApiStyle { names, side: Side::Response, operation: "" };
    let mut schemas: Vec<(String, Json)> = Vec::new();
    for (name, schema) in &names.objects {
        let is_response = metas().any(|meta| openapi_style::contains(&meta.output, schema));
        schemas.push((name.clone(), object(if is_response { &responses } else { &requests }, schema)));
    }
    for meta in metas().filter(|meta| openapi_style::has_body(meta)) {
        schemas.push((openapi_style::request_name(meta), openapi_style::body(names, meta)));
    }
    schemas.extend(webhooks::schemas());
    schemas.extend(error_responses::FAMILIES.iter().map(|family| (family.error_name(), family.schema())));
    let responses = error_responses::FAMILIES.iter().map(|family| (family.error_name(), family.response()));
    Json::object([
        ("schemas", Json::Object(schemas)),
        ("responses", Json::Object(responses.collect())),
        ("headers", error_responses::headers()),
        ("securitySchemes", error_responses::security_schemes()),
    ])
}
