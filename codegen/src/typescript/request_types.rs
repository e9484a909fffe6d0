//! `requests.d.ts`: the TypeScript types of requests.

use cpaas::schema::{Field, Format, Kind, Schema};

use crate::object_names::{ObjectNames, camel, metas};

pub(super) fn module(names: &ObjectNames) -> String {
    let mut out = String::new();
    for (name, schema) in &names.objects {
        out += &interface(names, name, schema);
    }
    for meta in metas() {
        out += &interface(names, &camel(meta.id), &meta.input);
    }
    out += "\n/** The request of each operation. */\nexport interface Requests {\n";
    for meta in metas() {
        out += &format!("  {:?}: {};\n", meta.id, camel(meta.id));
    }
    out + "}\n"
}

fn interface(names: &ObjectNames, name: &str, schema: &Schema) -> String {
    let mut out = format!("\n{}export interface {name} {{\n", comment(schema.doc, ""));
    for field in schema.fields {
        let mark = if field.required { "" } else { "?" };
        out += &comment(field.doc, "  ");
        out += &format!("  {}{mark}: {};\n", field.wire, member(names, field));
    }
    out += "  /** Members that the specification does not document; merged into the object. */\n";
    out + "  extra?: Record<string, unknown>;\n}\n"
}

fn member(names: &ObjectNames, field: &Field) -> String {
    let plain = hint(names, &field.kind);
    if field.format == Format::JsonString { format!("{plain} | string") } else { plain }
}

pub(super) fn hint(names: &ObjectNames, kind: &Kind) -> String {
    match kind {
        Kind::Boolean => "boolean".to_owned(),
        Kind::Integer | Kind::Number => "number".to_owned(),
        Kind::String => "string".to_owned(),
        Kind::Scalar => "number | string".to_owned(),
        Kind::OneOrMany(inner) => format!("{0} | {0}[]", hint(names, inner)),
        Kind::Enum(values) => {
            let values: Vec<_> = values.iter().map(|value| format!("{value:?}")).collect();
            format!("{} | (string & {{}})", values.join(" | "))
        }
        Kind::Object(schema) => names.of(schema).to_owned(),
        Kind::Array(inner) => format!("{}[]", hint(names, inner)),
        Kind::Map(inner) => format!("Record<string, {}>", hint(names, inner)),
        _ => "unknown".to_owned(),
    }
}

pub(super) fn comment(doc: &str, indent: &str) -> String {
    let text = doc.split_whitespace().collect::<Vec<_>>().join(" ").replace("*/", "* /");
    if text.is_empty() { text } else { format!("{indent}/** {text} */\n") }
}
