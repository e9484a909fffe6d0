//! What the inbox says of cards: the heights of their media.

use serde_json::Value;

/// A media height in density-independent pixels.
fn height(name: &str) -> Option<u64> {
    match name {
        "SHORT" => Some(112),
        "MEDIUM" => Some(168),
        "TALL" => Some(264),
        _ => None,
    }
}

/// The heights of the media of a `business_chat` object, card by card; none without media.
pub(super) fn media_heights(content: &Value) -> Vec<u64> {
    let one = content.get("standaloneCard").into_iter();
    let several = content.pointer("/carouselCard/cardContents").and_then(Value::as_array);
    one.chain(several.into_iter().flatten())
        .filter_map(|card| height(card.pointer("/media/height")?.as_str()?))
        .collect()
}
