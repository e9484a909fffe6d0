//! The limits of members that a JSON Schema can express, if their violation is an error. Only `validate` checks the
//! rules that depend on other members or on parsed markup.

use cpaas::schema::{Field, Format, Property};

use crate::json_schema::Json;

/// A UUID, in upper or lower case.
const UUID: &str = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";
/// At least one character that is not white space.
const NOT_BLANK: &str = "\\S";
/// An absolute http or https URL. Validation further requires https of a webhook, except for loopback hosts.
const URL: &str = "^[hH][tT][tT][pP][sS]?://\\S+$";
/// A number of 1 to 16 digits, or 1 to 11 characters.
const SENDER: &str = "^(\\+?[0-9]{1,16}|[\\s\\S]{1,11})$";
const DATE: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";

/// The schema of a member of an object or request, with its limits.
pub(super) fn limited(field: &Field, schema: Json) -> Json {
    let schema = field.properties.iter().fold(schema, |schema, property| match property {
        Property::NotBlank => schema.with("pattern", NOT_BLANK),
        Property::NotEmpty => schema.with("minLength", 1),
        Property::MaxLength(most) => schema.with("maxLength", *most),
        Property::Url => schema.with("pattern", URL),
        Property::Uuid => schema.with("pattern", UUID),
        Property::Date => schema.with("pattern", DATE),
        Property::SmsSender => schema.with("pattern", SENDER),
        Property::Min(least) => schema.with("minimum", *least),
        Property::Max(most) => schema.with("maximum", *most),
        Property::MinItems(least) => schema.with("minItems", *least),
        Property::MaxItems(most) => schema.with("maxItems", *most),
        Property::ItemsNotBlank => with_items(schema, "pattern", NOT_BLANK),
        Property::Closed => closed(schema),
        _ => schema,
    });
    if field.format != Format::JsonString {
        return schema;
    }
    let text = Json::object([("type", "string".into())]);
    Json::object([("anyOf", Json::List(vec![schema, text]))])
}

/// The documented values as `enum` instead of `examples`.
fn closed(schema: Json) -> Json {
    let Json::Object(members) = schema else { return schema };
    let member = |(key, value): (String, Json)| match key.as_str() {
        "examples" => ("enum".to_owned(), value),
        "items" => (key, closed(value)),
        _ => (key, value),
    };
    Json::Object(members.into_iter().map(member).collect())
}

fn with_items(schema: Json, name: &str, value: &str) -> Json {
    let Json::Object(members) = schema else { return schema };
    let inner = |(key, member): (String, Json)| match key.as_str() {
        "items" => (key, member.with(name, value)),
        _ => (key, member),
    };
    Json::Object(members.into_iter().map(inner).collect())
}
