//! What the models of results are: pages, records with a code, and records that are only nested.

use cpaas::schema::{Field, Kind, Schema};

use crate::object_names::metas;

/// Whether an operation returns the model itself; otherwise it is only nested.
pub(crate) fn is_returned(schema: &'static Schema) -> bool {
    let same = |other: &Schema| other.name == schema.name && std::ptr::eq(other.fields, schema.fields);
    metas().any(|meta| matches!(meta.output, Kind::Object(output) if same(output)))
}

/// Whether a result has a code that reports success.
pub(crate) fn has_success_code(schema: &'static Schema) -> bool {
    is_returned(schema) && schema.field("code").is_some() && schema.field("ok").is_none()
}

/// The path from a page to its records, if the model is a page.
pub(crate) fn items(schema: &'static Schema) -> Option<Vec<&'static Field>> {
    let total = |schema: &Schema| schema.field("total").is_some() && schema.field("page").is_some();
    let list = |schema: &'static Schema| {
        schema.fields.iter().find(|field| matches!(field.kind, Kind::Array(Kind::Object(_))))
    };
    if total(schema) {
        return Some(vec![list(schema)?]);
    }
    let data = schema.field("data")?;
    match data.kind {
        Kind::Object(inner) if total(inner) => Some(vec![data, list(inner)?]),
        _ => None,
    }
}

/// The model of the records of a page.
pub(crate) fn item(path: &[&'static Field]) -> Option<&'static Schema> {
    object(&path.last()?.kind)
}

/// The model inside a kind.
pub(crate) fn object(kind: &Kind) -> Option<&'static Schema> {
    match kind {
        Kind::Object(schema) => Some(schema),
        Kind::Array(inner) | Kind::Map(inner) => object(inner),
        _ => None,
    }
}
