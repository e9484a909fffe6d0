//! Where the JSON on the wire is not what the shape of a model says.

use cpaas::operation::Meta;
use cpaas::schema::{Field, Kind, Schema};
use serde_json::json;

use crate::generate::names::{Names, camel};
use crate::generate::schema::{Json, Style, kind, object};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Side {
    Request,
    Response,
}

pub(super) struct RequestContext<'a> {
    pub(super) names: &'a Names,
    pub(super) side: Side,
    pub(super) operation: &'a str,
}

/// Members of answers that are shown as null.
const NULLS: &[&str] = &["previous_page_uri", "next_page_uri", "channelErrorCode", "channelErrorMessage"];

impl Style for RequestContext<'_> {
    fn reference(&self, shape: &'static Schema) -> String {
        format!("#/components/schemas/{}", self.names.of(shape))
    }

    fn member(&self, field: &Field) -> Option<Json> {
        let text = match field.wire {
            "buckets" => true,
            "channels" => self.side == Side::Request,
            _ => false,
        };
        if text {
            return Some(Json::object([
                ("type", "string".into()),
                ("contentMediaType", "application/json".into()),
                ("contentSchema", kind(self, &field.kind)),
            ]));
        }
        if self.side == Side::Response && NULLS.contains(&field.wire) {
            return Some(json!({"type": ["string", "null"]}).into());
        }
        // The empty objects of the bulk request's sample stand for nothing.
        let optional = self.operation == "messages.send_bulk" && !field.required;
        match field.kind {
            Kind::Object(_) if optional => {
                let nothing = json!({"type": "object", "maxProperties": 0}).into();
                Some(Json::object([("anyOf", Json::List(vec![kind(self, &field.kind), nothing]))]))
            }
            _ => None,
        }
    }

    /// Every answer of family A has an id, or null when it refuses. Required on the wire is also what a client may fill from
    /// its configuration, and what validation misses in usage by country.
    fn required(&self, shape: &Schema, field: &Field) -> bool {
        match (self.operation, shape.name, field.wire) {
            (_, "OtpResponse", "requestID") | ("otp.cancel", _, "accountSid") => true,
            ("sms.usage_by_country", ..) => true,
            _ => field.required,
        }
    }

    fn texts(&self) -> bool {
        true
    }
}

/// The name of a request's schema.
pub(super) fn request_name(meta: &Meta) -> String {
    format!("{}Request", camel(meta.id))
}

/// The members of a request that its body holds.
pub(super) fn body(names: &Names, meta: &Meta) -> Json {
    let fields: Vec<Field> = meta
        .input
        .fields
        .iter()
        .filter(|field| super::operation::place(meta, field).is_none())
        .copied()
        .collect();
    // A shape lives as long as the program; this one is made once for a document.
    let shape = Schema::new(meta.input.name, meta.input.doc, Vec::leak(fields));
    object(&RequestContext { names, side: Side::Request, operation: meta.id }, &shape)
}

/// Whether an object is an answer, or is inside one.
pub(super) fn holds(kind: &Kind, shape: &Schema) -> bool {
    match kind {
        Kind::Array(inner) | Kind::Map(inner) | Kind::OneOrMany(inner) => holds(inner, shape),
        Kind::Object(known) => {
            std::ptr::eq(known.fields, shape.fields)
                || known.fields.iter().any(|field| holds(&field.kind, shape))
        }
        _ => false,
    }
}
