//! The JSON Schemas of requests: `schemas.js` without descriptions, and `schemas/*.json` with descriptions, for editors.

use cpaas::operation::Meta;
use cpaas::schema::Schema;
use serde_json::{Value, json};

use super::field_limits::limited;
use crate::json_schema::{Json, Style, object};
use crate::object_names::{ObjectNames, metas};

struct ByName<'a> {
    names: &'a ObjectNames,
    descriptions: bool,
}

impl Style for ByName<'_> {
    fn reference(&self, schema: &'static Schema) -> String {
        self.names.of(schema).to_owned()
    }

    fn has_descriptions(&self) -> bool {
        self.descriptions
    }
}

/// The schema of an object or request, with limits.
fn written(style: &ByName<'_>, schema: &Schema) -> Json {
    let Json::Object(members) = object(style, schema) else { return Json::Object(Vec::new()) };
    let properties = |(key, value): (String, Json)| match value {
        Json::Object(properties) if key == "properties" => (key, limits(schema, properties)),
        value => (key, value),
    };
    Json::Object(members.into_iter().map(properties).collect())
}

fn limits(model: &Schema, properties: Vec<(String, Json)>) -> Json {
    let member = |(wire, schema): (String, Json)| {
        let field = model.fields.iter().find(|field| field.wire == wire);
        let schema = match field {
            Some(field) => described(limited(field, schema)),
            None => schema,
        };
        (wire, schema)
    };
    Json::Object(properties.into_iter().map(member).collect())
}

/// Moves the description to the end of a member's schema. In an `anyOf`, it moves from the first choice to the whole schema.
fn described(schema: Json) -> Json {
    let Json::Object(mut members) = schema else { return schema };
    if let Some((_, Json::List(choices))) = members.first_mut().filter(|(name, _)| name == "anyOf")
        && let Some(Json::Object(first)) = choices.first_mut()
        && let Some(at) = first.iter().position(|(name, _)| name == "description")
    {
        let description = first.remove(at);
        members.push(description);
    } else if let Some(at) = members.iter().position(|(name, _)| name == "description") {
        let description = members.remove(at);
        members.push(description);
    }
    Json::Object(members)
}

pub(super) fn module(names: &ObjectNames) -> String {
    let style = ByName { names, descriptions: false };
    let text = |schema: &Schema| serde_json::to_string(&written(&style, schema)).unwrap_or_default();
    let mut out = "/** The objects inside requests. */\nexport const OBJECTS = {\n".to_owned();
    for (name, schema) in &names.objects {
        out += &format!("  {name}: {},\n", text(schema));
    }
    out += "};\n\n/** The request of each operation. */\nexport const REQUESTS = {\n";
    for meta in metas() {
        out += &format!("  {:?}: {},\n", meta.id, text(&meta.input));
    }
    out += "};\n\n/** Other spellings of members, by object and operation. They are read and never written. */\nexport const ALIASES = {\n";
    let objects = names.objects.iter().map(|(name, schema)| (name.as_str(), *schema));
    for (name, schema) in objects.chain(metas().map(|meta| (meta.id, &meta.input))) {
        let aliases: Vec<&str> = schema.fields.iter().flat_map(|field| field.aliases).copied().collect();
        if !aliases.is_empty() {
            out += &format!("  {name:?}: {},\n", json!(aliases));
        }
    }
    out + "};\n"
}

/// A dialect: the end of its file names, its identifier, and the members that contain the objects.
type Dialect = (&'static str, Option<&'static str>, &'static [&'static str]);

const DIALECTS: [Dialect; 3] = [
    (".json", Some("https://json-schema.org/draft/2020-12/schema"), &["$defs"]),
    (".draft-07.json", Some("http://json-schema.org/draft-07/schema#"), &["definitions"]),
    (".openapi-3.0.json", None, &["components", "schemas"]),
];

/// The files of all operations.
pub(super) fn files(names: &ObjectNames) -> Vec<(String, String)> {
    let files = metas().flat_map(|meta| {
        DIALECTS.iter().map(move |dialect| {
            let text = serde_json::to_string_pretty(&file(names, meta, dialect)).unwrap_or_default() + "\n";
            (format!("wasm/schemas/{}{}", meta.id, dialect.0), text)
        })
    });
    files.collect()
}

fn file(names: &ObjectNames, meta: &Meta, (_, identifier, place): &Dialect) -> Json {
    let style = ByName { names, descriptions: true };
    let request = written(&style, &meta.input);
    let mut used = Vec::new();
    mentioned(&request, names, &style, &mut used);
    let objects: Vec<(String, Json)> = names
        .objects
        .iter()
        .filter(|(name, _)| used.contains(name))
        .map(|(name, schema)| (name.clone(), written(&style, schema)))
        .collect();
    let Json::Object(members) = request else { return Json::Object(Vec::new()) };
    let mut all: Vec<(String, Json)> =
        identifier.iter().map(|identifier| ("$schema".to_owned(), Json::from(*identifier))).collect();
    all.extend(members);
    if !objects.is_empty() {
        let inner = Json::Object(objects);
        all.push(match place {
            [outer, inside] => ((*outer).to_owned(), Json::object([(inside, inner)])),
            _ => (place.first().copied().unwrap_or_default().to_owned(), inner),
        });
    }
    in_dialect(Json::Object(all), &place.join("/"))
}

/// Adds the names of the objects that a schema refers to, directly or through other objects.
fn mentioned(schema: &Json, names: &ObjectNames, style: &ByName<'_>, used: &mut Vec<String>) {
    match schema {
        Json::List(items) => items.iter().for_each(|item| mentioned(item, names, style, used)),
        Json::Object(members) => members.iter().for_each(|(key, value)| match value {
            Json::Leaf(Value::String(name)) if key == "$ref" => {
                if !used.contains(name) {
                    used.push(name.clone());
                    if let Some((_, schema)) = names.objects.iter().find(|(known, _)| known == name) {
                        mentioned(&written(style, schema), names, style, used);
                    }
                }
            }
            value => mentioned(value, names, style, used),
        }),
        Json::Leaf(_) => {}
    }
}

/// Adapts a schema to a dialect. References point into `place`. OpenAPI 3.0 has no lists of types and no `examples`. Draft 07
/// and OpenAPI 3.0 ignore the members beside a reference.
fn in_dialect(schema: Json, place: &str) -> Json {
    let is_openapi = place.contains('/');
    let Json::Object(members) = schema else {
        return match schema {
            Json::List(items) => Json::List(items.into_iter().map(|item| in_dialect(item, place)).collect()),
            other => other,
        };
    };
    let mut out = Vec::new();
    for (key, value) in members {
        match (key.as_str(), value) {
            ("$ref", Json::Leaf(Value::String(name))) => {
                let reference = Json::from(format!("#/{place}/{name}"));
                if place == "$defs" {
                    out.push((key, reference));
                } else {
                    let all = Json::List(vec![Json::object([("$ref", reference)])]);
                    out.push(("allOf".to_owned(), all));
                }
            }
            ("examples", Json::Leaf(Value::Array(_))) if is_openapi => {}
            ("type", Json::Leaf(Value::Array(types))) if is_openapi => {
                let one = |name: Value| Json::Leaf(json!({ "type": name }));
                out.push(("anyOf".to_owned(), Json::List(types.into_iter().map(one).collect())));
            }
            (_, value) => out.push((key, in_dialect(value, place))),
        }
    }
    Json::Object(out)
}
