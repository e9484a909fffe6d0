//! Differences between the JSON on the wire and the schema of a model.

use cpaas::operation::Meta;
use cpaas::schema::{Field, Format, Kind, Location, Schema};
use serde_json::json;

use crate::json_schema::{Json, Style, kind, object};
use crate::object_names::{ObjectNames, camel};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Side {
    Request,
    Response,
}

pub(super) struct OpenApiStyle<'a> {
    pub(super) names: &'a ObjectNames,
    pub(super) side: Side,
    pub(super) operation: &'a str,
}

/// Members of responses that can be null.
const NULLS: &[&str] = &["previous_page_uri", "next_page_uri", "channelErrorCode", "channelErrorMessage"];

impl Style for OpenApiStyle<'_> {
    fn reference(&self, schema: &'static Schema) -> String {
        format!("#/components/schemas/{}", self.names.of(schema))
    }

    fn member(&self, field: &Field) -> Option<Json> {
        if field.format == Format::JsonString {
            let string = Json::object([
                ("type", "string".into()),
                ("contentMediaType", "application/json".into()),
                ("contentSchema", kind(self, &field.kind)),
            ]);
            // The client accepts the array too, and sends the string.
            return Some(match self.side {
                Side::Request => Json::object([("oneOf", Json::List(vec![string, kind(self, &field.kind)]))]),
                Side::Response => string,
            });
        }
        if self.side == Side::Response && NULLS.contains(&field.wire) {
            return Some(json!({"type": ["string", "null"]}).into());
        }
        // The empty objects in the sample of the bulk request count as absent.
        let optional = self.operation == "messages.send_bulk" && !field.required;
        match field.kind {
            Kind::Object(_) if optional => {
                let nothing = json!({"type": "object", "maxProperties": 0}).into();
                Some(Json::object([("anyOf", Json::List(vec![kind(self, &field.kind), nothing]))]))
            }
            _ => None,
        }
    }

    /// Whether a member is required on the wire. Every response of the family `otp` has an id, which is null in an error. The members
    /// that a client fills from its configuration, and those of usage by country, are required too.
    fn required(&self, schema: &Schema, field: &Field) -> bool {
        match (self.operation, schema.name, field.wire) {
            (_, "OtpResponse", "requestID") | ("otp.cancel", _, "accountSid") => true,
            ("sms.usage_by_country", ..) => true,
            _ => field.required,
        }
    }

    fn has_descriptions(&self) -> bool {
        true
    }
}

/// The name of a request's schema.
pub(super) fn request_name(meta: &Meta) -> String {
    format!("{}Request", camel(meta.id))
}

/// The members of a request that its body contains.
pub(super) fn body(names: &ObjectNames, meta: &Meta) -> Json {
    let fields: Vec<Field> =
        meta.input.fields.iter().filter(|field| location(field).is_none()).copied().collect();
    // `Schema` has static fields; this one is created once per document.
    let schema = Schema::new(meta.input.name, meta.input.doc, Vec::leak(fields));
    object(&OpenApiStyle { names, side: Side::Request, operation: meta.id }, &schema)
}

/// Where a parameter is sent; `None` for a member of the body.
pub(super) const fn location(field: &Field) -> Option<&'static str> {
    match field.location {
        Location::Path => Some("path"),
        Location::Query => Some("query"),
        Location::Header => Some("header"),
        _ => None,
    }
}

pub(super) fn has_body(meta: &Meta) -> bool {
    meta.input.fields.iter().any(|field| location(field).is_none())
}

/// Whether a kind is an object with this schema, or contains one.
pub(super) fn contains(kind: &Kind, schema: &Schema) -> bool {
    match kind {
        Kind::Array(inner) | Kind::Map(inner) | Kind::OneOrMany(inner) => contains(inner, schema),
        Kind::Object(known) => {
            std::ptr::eq(known.fields, schema.fields)
                || known.fields.iter().any(|field| contains(&field.kind, schema))
        }
        _ => false,
    }
}
