//! `schemas.js`: JSON Schemas of the requests. They say what has which type and what is required; values
//! that the specification shows are examples, because the provider may take others.

use cpaas::shape::{Field, Kind, Shape};
use serde_json::{Value, json};

use super::names::{Names, metas};

pub(super) fn module(names: &Names) -> String {
    let mut out = "/** The objects inside requests. */\nexport const OBJECTS = {\n".to_owned();
    for (name, shape) in &names.objects {
        out += &format!("  {name}: {},\n", object(names, shape));
    }
    out += "};\n\n/** The request of each operation. */\nexport const REQUESTS = {\n";
    for meta in metas() {
        out += &format!("  {:?}: {},\n", meta.id, object(names, &meta.input));
    }
    out + "};\n"
}

/// The members stand in the order of the specification, which forms follow.
fn object(names: &Names, shape: &Shape) -> String {
    let member = |field: &Field| format!("{:?}:{}", field.wire, schema(names, &field.kind));
    let properties: Vec<String> = shape.fields.iter().map(member).collect();
    let required: Vec<&str> =
        shape.fields.iter().filter(|field| field.required).map(|field| field.wire).collect();
    let required =
        if required.is_empty() { String::new() } else { format!(",\"required\":{}", json!(required)) };
    format!("{{\"type\":\"object\",\"properties\":{{{}}}{required}}}", properties.join(","))
}

fn schema(names: &Names, kind: &Kind) -> Value {
    match kind {
        Kind::Boolean => json!({"type": "boolean"}),
        Kind::Integer => json!({"type": "integer"}),
        Kind::Number => json!({"type": "number"}),
        Kind::String => json!({"type": "string"}),
        Kind::Scalar => json!({"type": ["number", "string"]}),
        Kind::OneOrMany(inner) => {
            let inner = schema(names, inner);
            json!({"anyOf": [inner, {"type": "array", "items": inner}]})
        }
        Kind::Enum(values) => json!({"type": "string", "examples": values}),
        Kind::Object(shape) => json!({"$ref": names.of(shape)}),
        Kind::Array(inner) => json!({"type": "array", "items": schema(names, inner)}),
        Kind::Map(inner) => json!({"type": "object", "additionalProperties": schema(names, inner)}),
        _ => json!({}),
    }
}
