//! Each limit that a model declares after `where` has a rule that refuses its violation. The JSON Schemas contain the limits, and
//! `validate` the rules.

use std::collections::{BTreeMap, BTreeSet};

use cpaas::OperationId;
use cpaas::schema::{Kind, Property, Schema};
use cpaas_tests::cases::problems::expand;
use cpaas_tests::root;
use serde_json::{Value, json};

/// A limit of a member, and the path to it: the names on the wire, and `*` for the first element of an array.
struct Limit {
    /// The model or the operation, the member and the limit. Models that several requests share are one.
    name: String,
    path: Vec<&'static str>,
    property: Property,
}

/// Properties that say what a member is, and refuse nothing.
const fn is_limit(property: Property) -> bool {
    !matches!(property, Property::Shown | Property::Moment | Property::Money | Property::Phone)
}

fn collect(object: &str, schema: &Schema, path: &[&'static str], limits: &mut Vec<Limit>) {
    for field in schema.fields {
        let mut path = path.to_vec();
        path.push(field.wire);
        for property in field.properties.iter().copied().filter(|property| is_limit(*property)) {
            let name = format!("{object} {} {property:?}", field.wire);
            limits.push(Limit { name, path: path.clone(), property });
        }
        let mut kind = field.kind;
        while let Kind::Array(inner) | Kind::OneOrMany(inner) = kind {
            path.push("*");
            kind = *inner;
        }
        if let Kind::Object(inner) = kind {
            collect(inner.name, inner, &path, limits);
        }
    }
}

/// The pointer of a member in a request that contains it.
fn pointer(request: &Value, path: &[&str]) -> Option<String> {
    let mut pointer = String::new();
    let mut value = request;
    for step in path {
        let step = if *step == "*" { "0" } else { step };
        value = if value.is_array() { value.get(0)? } else { value.get(step)? };
        pointer = format!("{pointer}/{step}");
    }
    (!value.is_null()).then_some(pointer)
}

/// A value that the limit allows, and one that violates it.
fn values(property: Property, given: &Value) -> (Value, Value) {
    let text = |length: usize| json!("x".repeat(length));
    let items = |count: usize| json!(vec![given[0].clone(); count]);
    // An enum, or an array of them.
    let same_form = |value: &str| if given.is_array() { json!([value]) } else { json!(value) };
    match property {
        Property::NotBlank => (given.clone(), json!(" ")),
        Property::NotEmpty => (given.clone(), json!("")),
        Property::MaxLength(most) => (text(most), text(most + 1)),
        Property::Url => (given.clone(), json!("ftp://example.com/a")),
        Property::Uuid => (given.clone(), json!("0f8fad5b-d9cb-469f-a165-70867728950")),
        Property::Date => (given.clone(), json!("01/02/2026")),
        Property::SmsSender => (text(11), text(12)),
        Property::Min(least) => (json!(least), json!(least - 1)),
        Property::Max(most) => (json!(most), json!(most + 1)),
        Property::MinItems(least) => (items(least), items(least - 1)),
        Property::MaxItems(most) => (items(most), items(most + 1)),
        Property::ItemsNotBlank => (given.clone(), same_form(" ")),
        Property::Closed => (given.clone(), same_form("undocumented")),
        _ => panic!("{property:?}: add a value that violates it"),
    }
}

/// The codes of the errors at and below a member with this value.
fn errors(operation: OperationId, request: &Value, pointer: &str, value: Value) -> BTreeSet<String> {
    let mut request = request.clone();
    *request.pointer_mut(pointer).unwrap() = value;
    let is_below =
        |at: &str| at.strip_prefix(pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let report = operation.validate_json(&request.to_string());
    report
        .errors
        .iter()
        .filter(|error| is_below(&error.pointer))
        .map(|error| error.code.to_string())
        .collect()
}

/// The valid requests of the vectors.
fn requests() -> Vec<(OperationId, Value)> {
    let mut requests = Vec::new();
    for folder in ["requests", "problems"] {
        let entries = std::fs::read_dir(root().join("tests/vectors").join(folder)).unwrap();
        let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for path in files {
            let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
            for case in file["cases"].as_array().unwrap() {
                let Some(id) = case["operation"].as_str().or(file["operation"].as_str()) else { continue };
                let request = expand(&case["request"]);
                let operation = OperationId::find(id).unwrap();
                if operation.validate_json(&request.to_string()).ok {
                    requests.push((operation, request));
                }
            }
        }
    }
    requests
}

#[test]
fn each_limit_has_a_rule() {
    let requests = requests();
    // The limits, and whether a request has the member.
    let mut tried = BTreeMap::new();
    let mut wrong = BTreeSet::new();
    for operation in OperationId::ALL {
        let mut limits = Vec::new();
        collect(operation.meta().id, &operation.meta().input, &[], &mut limits);
        for Limit { name, path, property } in limits {
            let is_tried: &mut bool = tried.entry(name.clone()).or_default();
            for (_, request) in requests.iter().filter(|(id, _)| id == operation) {
                let Some(pointer) = pointer(request, &path) else { continue };
                *is_tried = true;
                let (allowed, refused) = values(property, request.pointer(&pointer).unwrap());
                let before = errors(*operation, request, &pointer, allowed);
                let after = errors(*operation, request, &pointer, refused);
                if after.is_subset(&before) {
                    wrong.insert(format!("{name}: no rule refuses the violation at {pointer} of {request}"));
                }
            }
        }
    }
    let untried: Vec<_> = tried.iter().filter(|(_, is_tried)| !**is_tried).map(|(name, _)| name).collect();
    assert!(untried.is_empty(), "no vector has the member in a valid request: {untried:#?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(tried.len() > 60, "{} limits", tried.len());
}
