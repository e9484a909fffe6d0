//! Writes JSON Schemas of the models, for the npm package and for OpenAPI. They contain types and required members. Documented
//! values are examples, because the provider may accept others.

use cpaas::schema::{Field, Kind, Schema};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::json;

/// JSON whose members keep their order.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// Any value.
    Leaf(serde_json::Value),
    /// An array.
    List(Vec<Self>),
    /// An object.
    Object(Vec<(String, Self)>),
}

impl Json {
    /// An object with these members.
    pub fn object<const N: usize>(members: [(&str, Self); N]) -> Self {
        Self::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// Adds a member to an object.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Self>) -> Self {
        if let Self::Object(members) = &mut self {
            members.push((name.into(), value.into()));
        }
        self
    }

    /// Adds an optional member to an object.
    #[must_use]
    pub fn and(self, name: &str, value: Option<Self>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }
}

impl<T: Into<serde_json::Value>> From<T> for Json {
    fn from(value: T) -> Self {
        Self::Leaf(value.into())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Leaf(value) => value.serialize(serializer),
            Self::List(items) => items.serialize(serializer),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

/// How a document writes the schemas of its objects.
pub trait Style {
    /// The reference to an object.
    fn reference(&self, schema: &'static Schema) -> String;

    /// The schema of a member if it differs from its kind.
    fn member(&self, _field: &Field) -> Option<Json> {
        None
    }

    /// Whether a member is always present.
    fn required(&self, _schema: &Schema, field: &Field) -> bool {
        field.required
    }

    /// Whether descriptions are written.
    fn has_descriptions(&self) -> bool {
        false
    }
}

/// An object with its members in the order of the specification, which generated forms follow too.
pub fn object(style: &impl Style, schema: &Schema) -> Json {
    // Members that this library computes are not on the wire.
    let fields = || schema.fields.iter().filter(|field| !field.derived);
    let properties = fields().map(|field| (field.wire.to_owned(), member(style, field))).collect();
    let required: Vec<&str> =
        fields().filter(|field| style.required(schema, field)).map(|field| field.wire).collect();
    Json::object([("type", "object".into())])
        .and("description", style.has_descriptions().then(|| described(schema.doc)).flatten())
        .with("properties", Json::Object(properties))
        .and("required", (!required.is_empty()).then(|| json!(required).into()))
}

/// One member of an object.
pub fn member(style: &impl Style, field: &Field) -> Json {
    let schema = style.member(field).unwrap_or_else(|| kind(style, &field.kind));
    schema.and("description", style.has_descriptions().then(|| described(field.doc)).flatten())
}

/// A value of a kind.
pub fn kind(style: &impl Style, wanted: &Kind) -> Json {
    let typed = |name: &str| Json::object([("type", name.into())]);
    match wanted {
        Kind::Boolean => typed("boolean"),
        Kind::Integer => typed("integer"),
        Kind::Number => typed("number"),
        Kind::String => typed("string"),
        Kind::Scalar => Json::object([("type", json!(["number", "string"]).into())]),
        Kind::OneOrMany(inner) => {
            let one = kind(style, inner);
            let many = typed("array").with("items", one.clone());
            Json::object([("anyOf", Json::List(vec![one, many]))])
        }
        Kind::Enum(values) => typed("string").with("examples", json!(values)),
        Kind::Object(schema) => Json::object([("$ref", style.reference(schema).into())]),
        Kind::Array(inner) => typed("array").with("items", kind(style, inner)),
        Kind::Map(inner) => typed("object").with("additionalProperties", kind(style, inner)),
        _ => Json::Object(Vec::new()),
    }
}

/// A description as a value.
pub fn described(doc: &str) -> Option<Json> {
    sentence(doc).map(Json::from)
}

/// A description in one line; `None` if it is empty.
pub fn sentence(doc: &str) -> Option<String> {
    let text = doc.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}
