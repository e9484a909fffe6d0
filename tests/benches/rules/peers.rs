//! The structs and limits of the request, expressed with the crates `garde` and `jsonschema`.

use garde::Validate;
use jsonschema::Validator;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, Validate)]
#[serde(rename_all = "camelCase")]
struct Send {
    #[garde(length(chars, min = 36, max = 36))]
    traffic_account_id: String,
    #[garde(length(chars, min = 7, max = 15))]
    destination: String,
    #[serde(rename = "business_chat")]
    #[garde(dive)]
    business_chat: BusinessChat,
}

#[derive(Deserialize, Validate)]
#[serde(rename_all = "camelCase")]
struct BusinessChat {
    #[garde(dive)]
    carousel_card: Carousel,
    #[garde(length(chars, min = 1, max = 3072))]
    fallback: String,
    #[garde(dive)]
    representative: Representative,
}

#[derive(Deserialize, Validate)]
#[serde(rename_all = "camelCase")]
struct Representative {
    #[garde(custom(url))]
    avatar_image: String,
    #[garde(skip)]
    #[allow(dead_code)]
    display_name: String,
    #[garde(skip)]
    #[allow(dead_code)]
    representative_type: String,
}

#[derive(Deserialize, Validate)]
#[serde(rename_all = "camelCase")]
struct Carousel {
    #[garde(custom(width))]
    card_width: String,
    #[garde(length(min = 2, max = 10), dive)]
    card_contents: Vec<Card>,
}

#[derive(Deserialize, Validate)]
#[serde(rename_all = "camelCase")]
struct Card {
    #[garde(length(chars, min = 1, max = 200))]
    title: String,
    #[garde(length(chars, max = 2000))]
    description: String,
    #[garde(dive)]
    media: Media,
    #[garde(length(max = 4), dive)]
    suggestions: Vec<Suggestion>,
}

#[derive(Deserialize, Validate)]
#[serde(rename_all = "camelCase")]
struct Media {
    #[garde(custom(media_height))]
    height: String,
    #[garde(dive)]
    content_info: ContentInfo,
}

#[derive(Deserialize, Validate)]
#[serde(rename_all = "camelCase")]
struct ContentInfo {
    #[garde(custom(url))]
    file_url: String,
    #[garde(custom(url))]
    thumbnail_url: String,
    #[garde(length(chars, min = 1))]
    alt_text: String,
}

#[derive(Deserialize, Validate)]
struct Suggestion {
    #[garde(dive)]
    reply: Reply,
}

#[derive(Deserialize, Validate)]
#[serde(rename_all = "camelCase")]
struct Reply {
    #[garde(length(chars, min = 1, max = 25))]
    text: String,
    #[garde(length(chars, min = 1, max = 2048))]
    postback_data: String,
}

fn one_of(value: &str, allowed: &[&str]) -> garde::Result {
    if allowed.contains(&value) { Ok(()) } else { Err(garde::Error::new("not allowed")) }
}

fn url(value: &str, (): &()) -> garde::Result {
    if value.starts_with("https://") { Ok(()) } else { Err(garde::Error::new("not a URL")) }
}

fn width(value: &str, (): &()) -> garde::Result {
    one_of(value, &["SMALL", "MEDIUM"])
}

fn media_height(value: &str, (): &()) -> garde::Result {
    one_of(value, &["SHORT", "MEDIUM", "TALL"])
}

pub(crate) fn garde(json: &str) -> bool {
    serde_json::from_str::<Send>(json).is_ok_and(|send| send.validate().is_ok())
}

pub(crate) fn jsonschema(schema: &Validator, json: &str) -> bool {
    serde_json::from_str::<Value>(json).is_ok_and(|value| schema.is_valid(&value))
}

pub(crate) fn schema() -> Validator {
    let text = |max: u32| json!({"type": "string", "minLength": 1, "maxLength": max});
    let url = json!({"type": "string", "pattern": "^https://[^ ]+$"});
    let object = |properties: Value| json!({"type": "object", "properties": properties, "additionalProperties": false});
    let reply = object(json!({"text": text(25), "postbackData": text(2048)}));
    let info = object(json!({"fileUrl": url, "thumbnailUrl": url, "altText": text(3072)}));
    let media = object(json!({"height": {"enum": ["SHORT", "MEDIUM", "TALL"]}, "contentInfo": info}));
    let suggestions = json!({"type": "array", "maxItems": 4, "items": object(json!({"reply": reply}))});
    let card = object(
        json!({"title": text(200), "description": text(2000), "media": media, "suggestions": suggestions}),
    );
    let cards = json!({"type": "array", "minItems": 2, "maxItems": 10, "items": card});
    let carousel = object(json!({"cardWidth": {"enum": ["SMALL", "MEDIUM"]}, "cardContents": cards}));
    let kind = json!({"enum": ["BOT", "HUMAN"]});
    let representative =
        object(json!({"avatarImage": url, "displayName": text(100), "representativeType": kind}));
    let chat =
        object(json!({"carouselCard": carousel, "fallback": text(3072), "representative": representative}));
    let send = object(json!({"trafficAccountId": text(36), "destination": text(15), "business_chat": chat}));
    jsonschema::validator_for(&send).unwrap()
}
