//! The limits of members that a JSON Schema can express, if their violation is an error. Only `validate` checks the
//! rules that depend on other members or on parsed markup.

use cpaas::schema::{Field, Format};

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
pub(super) fn limited(owner: &str, field: &Field, schema: Json) -> Json {
    let schema = if is_closed(owner, field.wire) { closed(schema) } else { schema };
    let schema = keywords(owner, field.wire).into_iter().fold(schema, |schema, (name, value)| {
        let items = name.strip_prefix("items.");
        match items {
            Some(name) => with_items(schema, name, value),
            None => schema.with(name, value),
        }
    });
    if field.format != Format::JsonString {
        return schema;
    }
    let text = Json::object([("type", "string".into())]);
    Json::object([("anyOf", Json::List(vec![schema, text]))])
}

/// Whether an undocumented value is an error.
fn is_closed(owner: &str, wire: &str) -> bool {
    matches!(
        (owner, wire),
        ("Step", "channel")
            | ("MessengerB", "type")
            | ("CardMedia", "height")
            | ("Carousel", "cardWidth")
            | ("Representative", "representativeType")
            | ("webhooks.messenger_b.set", "event_types")
    )
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

fn with_items(schema: Json, name: &str, value: serde_json::Value) -> Json {
    let Json::Object(members) = schema else { return schema };
    let inner = |(key, member): (String, Json)| match key.as_str() {
        "items" => (key, member.with(name, value.clone())),
        _ => (key, member),
    };
    Json::Object(members.into_iter().map(inner).collect())
}

type Keywords = Vec<(&'static str, serde_json::Value)>;

fn keywords(owner: &str, wire: &str) -> Keywords {
    let family = owner.split('.').next().unwrap_or_default();
    match (owner, wire) {
        ("otp.send", "service" | "from" | "to" | "body")
        | ("otp.verify", "service" | "requestId" | "code") => blank(),
        ("otp.cancel", "requestId") | ("sms.convert", "messageId") => blank(),
        ("otp.limits.create", "name" | "description")
        | ("otp.workflows.create", "name")
        | ("Bucket", "name") => blank(),
        (_, "sid") if family == "otp" => blank(),
        ("otp.limits.create", "buckets") | ("otp.workflows.create", "channels") => {
            vec![("minItems", 1.into())]
        }
        ("otp.usage" | "otp.usage_daily" | "sms.usage_by_country", "startDate" | "endDate") => {
            vec![("pattern", DATE.into())]
        }
        ("sms.send" | "sms.send_bulk", "from" | "to" | "text") | ("Sms", "text") => {
            vec![("minLength", 1.into())]
        }
        ("sms.send" | "sms.send_bulk", "callback") => vec![("pattern", URL.into())],
        ("Sms", "sender") => vec![("pattern", SENDER.into())],
        (_, "trafficAccountId") if family == "messages" => vec![("pattern", UUID.into())],
        (_, "destination") if family == "messages" => blank(),
        ("messages.send_bulk", "destinations") => {
            vec![("minItems", 1.into()), ("items.pattern", NOT_BLANK.into())]
        }
        ("MessengerB", "mediaUrl") | ("File", "mediaUrl") | ("Media", "url") => vec![("pattern", URL.into())],
        ("Image" | "ContentInfo", "fileUrl") | ("Representative", "avatarImage") => {
            vec![("pattern", URL.into())]
        }
        ("MessengerB", "ttl") => range(30, 1_209_600),
        ("File", "fileName") => vec![("maxLength", 25.into())],
        ("Location", "latitude") => range(-90, 90),
        ("Location", "longitude") => range(-180, 180),
        ("RichText", "message") => vec![("minLength", 1.into())],
        ("Reply", "text") => vec![("maxLength", 25.into())],
        ("Card", "suggestions") => vec![("maxItems", 4.into())],
        ("BusinessChat", "suggestions") => vec![("maxItems", 13.into())],
        ("Carousel", "cardContents") => vec![("minItems", 2.into()), ("maxItems", 10.into())],
        ("TimeoutFailover", "timeoutInSeconds") => vec![("minimum", 1.into())],
        ("webhooks.messenger_c.set", "url") => vec![("pattern", URL.into())],
        (_, "bot_id") => blank(),
        _ => Vec::new(),
    }
}

fn blank() -> Keywords {
    vec![("pattern", NOT_BLANK.into())]
}

fn range(least: i64, most: i64) -> Keywords {
    vec![("minimum", least.into()), ("maximum", most.into())]
}
