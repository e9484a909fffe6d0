//! The documentation of the members of requests as help texts: for the command `cpaas` and for the forms of the composer.

use cpaas::schema::Schema;

use crate::json_schema::sentence;
use crate::object_names::{ObjectNames, metas};

/// The files, by their path in the repository.
#[must_use]
pub fn files() -> Vec<crate::File> {
    let requests: Vec<(String, &Schema)> = metas().map(|meta| (meta.id.to_owned(), &meta.input)).collect();
    let objects = ObjectNames::of_requests().objects;
    let all = requests.iter().chain(&objects);
    vec![
        (
            "python/cpaas/_generated/descriptions.py".to_owned(),
            format!("{PYTHON}{}}}\n", rows(requests.iter())),
        ),
        ("wasm/composer/field-descriptions.js".to_owned(), format!("{JAVASCRIPT}{}}};\n", rows(all))),
    ]
}

const PYTHON: &str = r#"# Generated from the models of requests: `cargo run -p codegen` rewrites it.
"""The documentation of the members of each request, by their names on the wire."""

DESCRIPTIONS: dict[str, dict[str, str]] = {
"#;

const JAVASCRIPT: &str = "// Generated from the models of requests: `cargo run -p codegen` rewrites it.

/** The documentation of the members of each request and of the objects inside requests, by their names on the wire. */
export const DESCRIPTIONS = {
";

/// A line for each schema, whose members are a JSON object, which is a value in both languages.
fn rows<'a>(schemas: impl Iterator<Item = &'a (String, &'a Schema)>) -> String {
    let row = |(name, schema): &(String, &Schema)| {
        let members: serde_json::Map<String, serde_json::Value> = schema
            .fields
            .iter()
            .filter_map(|field| Some((field.wire.to_owned(), sentence(field.doc)?.into())))
            .collect();
        format!("  {name:?}: {},\n", serde_json::Value::Object(members))
    };
    schemas.map(row).collect()
}
