//! The request that the benchmark validates.

use serde_json::{Value, json};

/// A valid carousel of this number of cards, each with every member of a card.
pub(crate) fn carousel(cards: usize) -> String {
    let cards: Vec<Value> = (0..cards).map(card).collect();
    let request = json!({
        "trafficAccountId": "0f8fad5b-d9cb-469f-a165-70867728950e",
        "destination": "306912345678",
        "business_chat": {
            "carouselCard": {"cardWidth": "MEDIUM", "cardContents": cards},
            "fallback": "Our new shoes are here. See them all at https://shop.example/shoes",
            "representative": {"avatarImage": "https://shop.example/a.png", "displayName": "Shop", "representativeType": "BOT"}
        }
    });
    request.to_string()
}

fn card(number: usize) -> Value {
    json!({
        "title": format!("Red running shoe, model {number} of this season"),
        "description": format!(
            "Light and fast, made for long distances on the road. Sizes from 36 to 47, and the sole number {number} lasts a \
             thousand kilometers. Returns are free within sixty days."
        ),
        "media": {"height": "MEDIUM", "contentInfo": {
            "fileUrl": format!("https://shop.example/pictures/shoes/red-{number}.png"),
            "thumbnailUrl": format!("https://shop.example/pictures/shoes/small/red-{number}.png"),
            "altText": "A red running shoe from the side"
        }},
        "suggestions": [
            {"reply": {"text": "Buy this one", "postbackData": format!("buy-{number}")}},
            {"reply": {"text": "Tell me more", "postbackData": format!("more-{number}")}}
        ]
    })
}
