//! `openapi.json`: the provider's interface as OpenAPI 3.1, from the list of operations and the schemas of the models.
//! The sandbox contains a copy without white space, so that its crate is complete when it is published.

mod operation;
mod refusals;
mod wire;

use cpaas::operation::Meta;
use serde_json::json;

use super::names::{Names, metas};
use super::schema::{Json, object};
use wire::{RequestContext, Side};

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
    let names = Names::of_requests_and_answers();
    Json::object([
        ("openapi", "3.1.1".into()),
        ("info", info()),
        ("servers", servers()),
        ("tags", tags()),
        ("paths", paths(&names)),
        ("components", components(&names)),
    ])
}

fn info() -> Json {
    Json::object([
        ("title", "cpaas".into()),
        ("version", env!("CARGO_PKG_VERSION").into()),
        (
            "description",
            "One-time passcodes, SMS, number lookup and chat messages: the provider's interface as the sandbox answers it. \
             Generated from the list of operations. Statuses other than those of the specification are labelled defaults; \
             an answer that leans on some names them in `X-Sandbox-Assumed`. Every path of the families otp, sms and lookup \
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
    let tags = refusals::FAMILIES
        .iter()
        .map(|family| json!({"name": family.tag, "description": family.what}).into());
    Json::List(tags.collect())
}

/// Lookups accept both methods with and without the suffix.
const ALIASES: &[(&str, &str)] =
    &[("lookup.numbers", "/lookup"), ("lookup.numbers_by_query", "/lookup.json")];

/// Each operation once. Single message and failover share a method and two paths, which accept both: each gets one.
fn paths(names: &Names) -> Json {
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

fn components(names: &Names) -> Json {
    let requests = RequestContext { names, side: Side::Request, operation: "" };
    let answers = RequestContext { names, side: Side::Response, operation: "" };
    let mut schemas: Vec<(String, Json)> = Vec::new();
    for (name, shape) in &names.objects {
        let answered = metas().any(|meta| wire::holds(&meta.output, shape));
        schemas.push((name.clone(), object(if answered { &answers } else { &requests }, shape)));
    }
    for meta in metas().filter(|meta| wire::has_body(meta)) {
        schemas.push((wire::request_name(meta), wire::body(names, meta)));
    }
    schemas.extend(refusals::FAMILIES.iter().map(|family| (family.error_name(), family.schema())));
    let responses = refusals::FAMILIES.iter().map(|family| (family.error_name(), family.response()));
    Json::object([
        ("schemas", Json::Object(schemas)),
        ("responses", Json::Object(responses.collect())),
        ("headers", refusals::headers()),
        ("securitySchemes", refusals::security_schemes()),
    ])
}
