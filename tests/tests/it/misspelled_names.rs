//! Each pair of names of one thing has a vector: the name of another request, in place of the name that the request documents.

use std::collections::BTreeSet;
use std::path::Path;

use cpaas::OperationId;
use cpaas::schema::{Kind, Schema};
use serde_json::Value;

/// Names of one thing in the requests of the specification.
const NAMES: &[&[&str]] = &[
    &["from", "sender"],
    &["to", "destination", "destinations", "msisdn"],
    &["text", "body", "message"],
    &["url", "mediaUrl", "fileUrl"],
    &["trafficAccountId", "ta"],
    &["requestId", "sid"],
];

/// An object of a request, and the name of another request in it. Models that several requests share are one object.
type Pair = (String, &'static str);

fn inner(kind: Kind) -> Option<&'static Schema> {
    match kind {
        Kind::Object(schema) => Some(schema),
        Kind::Array(kind) | Kind::OneOrMany(kind) | Kind::Map(kind) => inner(*kind),
        _ => None,
    }
}

fn has(schema: &Schema, name: &str) -> bool {
    schema.fields.iter().any(|field| field.wire == name || field.aliases.contains(&name))
}

fn collect(object: &str, schema: &'static Schema, pairs: &mut BTreeSet<Pair>) {
    for names in NAMES.iter().filter(|names| names.iter().any(|name| has(schema, name))) {
        let others = names.iter().filter(|name| !has(schema, name));
        pairs.extend(others.map(|name| (object.to_owned(), *name)));
    }
    for schema in schema.fields.iter().filter_map(|field| inner(field.kind)) {
        collect(schema.name, schema, pairs);
    }
}

/// The object of a problem and the name in it.
fn pair(operation: OperationId, pointer: &str) -> Option<Pair> {
    let (path, name) = pointer.rsplit_once('/')?;
    let (mut object, mut schema) = (operation.meta().id, &operation.meta().input);
    for step in path.split('/').skip(1).filter(|step| step.parse::<usize>().is_err()) {
        schema = inner(schema.fields.iter().find(|field| field.wire == step)?.kind)?;
        object = schema.name;
    }
    let name = NAMES.iter().flat_map(|names| names.iter()).find(|known| **known == name)?;
    Some((object.to_owned(), name))
}

#[test]
fn each_pair_of_names_has_a_vector() {
    let mut expected = BTreeSet::new();
    for operation in OperationId::ALL {
        collect(operation.meta().id, &operation.meta().input, &mut expected);
    }
    assert!(expected.len() > 60, "{}", expected.len());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/problems/misspelled.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut found = BTreeSet::new();
    for case in file["cases"].as_array().unwrap() {
        let operation = OperationId::find(case["operation"].as_str().unwrap()).unwrap();
        let problems = case["expect"].as_array().unwrap().iter();
        let errors = problems.filter(|problem| problem["severity"] == "error");
        found.extend(errors.filter_map(|problem| pair(operation, problem["pointer"].as_str().unwrap())));
    }
    let missing: Vec<_> = expected.difference(&found).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
